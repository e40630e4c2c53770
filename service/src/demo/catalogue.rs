//! Products and customers of the demo.

/// A product: name, description, price, currency, stock, demand per thousand checkouts.
pub(super) struct Product {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    pub(super) price: &'static str,
    pub(super) currency: &'static str,
    pub(super) quantity: Option<i64>,
    pub(super) share: u64,
}

const fn product(
    name: &'static str,
    description: &'static str,
    price: &'static str,
    currency: &'static str,
    quantity: Option<i64>,
    share: u64,
) -> Product {
    Product {
        name,
        description,
        price,
        currency,
        quantity,
        share,
    }
}

pub(super) const PRODUCTS: &[Product] = &[
    product(
        "Kochere, washed, 250 g",
        "Jasmine, bergamot, white peach. Roasted on Tuesdays.",
        "16.50",
        "USDC",
        None,
        210,
    ),
    product(
        "Finca El Puente, honey, 250 g",
        "Red apple, panela, a long finish.",
        "15.90",
        "USDC",
        None,
        170,
    ),
    product(
        "House espresso, 1 kg",
        "For those who open the bag every morning.",
        "38.00",
        "USDC",
        None,
        190,
    ),
    product(
        "Decaf Sugarcane, 250 g",
        "All of the evening, none of the night.",
        "14.75",
        "USDC",
        None,
        90,
    ),
    product(
        "Tasting box, four origins",
        "Four bags of 100 g with notes.",
        "34.00",
        "EUR",
        None,
        110,
    ),
    product(
        "Ceramic dripper, size 2",
        "Thrown by hand, glazed in two whites.",
        "42.00",
        "EUR",
        Some(60),
        60,
    ),
    product(
        "Hand grinder",
        "Steel burrs, forty clicks, no cable.",
        "129.00",
        "USD",
        Some(40),
        50,
    ),
    product(
        "Wholesale, 20 kg pallet",
        "For cafés; invoiced on delivery.",
        "612.00",
        "USDC",
        None,
        60,
    ),
    product(
        "Roasting day for two",
        "A Saturday in the roastery, lunch included.",
        "180.00",
        "EUR",
        Some(12),
        20,
    ),
    product(
        "Gift card",
        "Worth its price in coffee.",
        "50.00",
        "USDC",
        None,
        40,
    ),
];

pub(super) const FIRST_NAMES: &[&str] = &[
    "Ada", "Amir", "Beatriz", "Chidi", "Clara", "Daniel", "Elif", "Emeka", "Farah", "Grace",
    "Hugo", "Ines", "Jonas", "Kaori", "Lena", "Mateo", "Nadia", "Olu", "Priya", "Quentin", "Rosa",
    "Samir", "Tomas", "Uma", "Vera", "Wen", "Yara", "Zofia",
];

pub(super) const LAST_NAMES: &[&str] = &[
    "Abara",
    "Bauer",
    "Castillo",
    "Demir",
    "Eriksen",
    "Fontaine",
    "Garcia",
    "Haddad",
    "Ito",
    "Jansen",
    "Kowalski",
    "Lindqvist",
    "Moreau",
    "Novak",
    "Okafor",
    "Petrov",
    "Quist",
    "Rossi",
    "Silva",
    "Tanaka",
    "Umar",
    "Vogel",
    "Weiss",
    "Yilmaz",
];
