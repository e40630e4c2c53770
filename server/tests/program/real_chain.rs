//! A live server and a real EVM node: connect, take payments, pay out, and compare the books with the chain.

use alloy_primitives::{Address, U256};
use serde_json::{Value, json};
use settlekit_tests::anvil::{Anvil, TOKEN, Transaction, abi, number, word};

use crate::place::{
    Organisation, Place, Server, answer_of, call, refused, request, sign, wait_for,
};

/// A wallet outside the service.
pub(crate) const SUPPLIER: &str = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";

const CHAIN: u64 = 8453;

/// A live place with a node, a token and a hot wallet that has gas money.
pub(crate) struct Town {
    pub(crate) place: Place,
    pub(crate) node: Anvil,
    pub(crate) token: Address,
    pub(crate) wallet: Address,
    pub(crate) shop: Organisation,
}

impl Town {
    pub(crate) fn new(place: Place) -> Self {
        let node = Anvil::start(CHAIN);
        let token = node.deploy(TOKEN);
        Self::over(place, node, token)
    }

    /// A live place with a node and its token.
    pub(crate) fn over(place: Place, node: Anvil, token: Address) -> Self {
        let shop = place.organisation();
        let made = place.json(&["wallet", "create", "--json"]);
        let wallet: Address = text(&made, "address").parse().expect("an address");
        assert_eq!(text(&made, "words").split(' ').count(), 24);
        Self::with(place, shop, (node, token), wallet)
    }

    /// As [`Town::new`], with a node that is also the external signer, which holds the key of one of its accounts.
    pub(crate) fn with_signer(place: Place) -> Self {
        let node = Anvil::start(CHAIN);
        let url = node.url();
        Self::signed_at(place, node, &url)
    }

    /// As [`Town::with_signer`], with the URL of the signer, which passes the calls on to the node.
    pub(crate) fn signed_at(place: Place, node: Anvil, url: &str) -> Self {
        let shop = place.organisation();
        let wallet = node.account(7);
        let create = ["wallet", "create", "--signer", url];
        let several = refused(&place.run(&create));
        assert!(several.contains("name one with --address"), "{several}");
        let address = wallet.to_string();
        let create = [&create[..], &["--address", &address, "--json"]].concat();
        assert_eq!(text(&place.json(&create), "address"), address);
        let token = node.deploy(TOKEN);
        Self::with(place, shop, (node, token), wallet)
    }

    fn with(
        place: Place,
        shop: Organisation,
        (node, token): (Anvil, Address),
        wallet: Address,
    ) -> Self {
        // By a transaction: it may come after the first block that is read.
        node.pay(wallet, 10_u64.pow(18));
        node.mine(1);
        Self {
            place,
            node,
            token,
            wallet,
            shop,
        }
    }

    pub(crate) fn connect(&self) -> Value {
        self.connect_with(&["--rpc", &self.node.url(), "--confirmations", "3"])
    }

    /// Connects the chain by nodes, with options.
    pub(crate) fn connect_with(&self, options: &[&str]) -> Value {
        let token = format!("USDC={}", self.token);
        let words = ["chain", "connect", "--chain", "8453", "--token", &token];
        let words = [&words, options, &["--deploy", "--json"]].concat();
        self.place.json(&words)
    }

    pub(crate) fn serve(&self) -> Server {
        Server::live(&self.place)
    }

    /// Opens the account `till`.
    pub(crate) fn open_till(&self, server: &Server) {
        let body = json!({ "reference": "till", "chain_id": CHAIN, "currencies": ["USDC", "ETH"] });
        call(&server.address, &self.shop.key, "POST", "/accounts", body);
    }

    /// Creates a payment of the units, which somebody pays; returns its id.
    pub(crate) fn pay(&self, server: &Server, units: u64) -> String {
        let (id, to) = self.create_payment(server, units);
        self.node.mint(self.token, to, units);
        id
    }

    /// Creates a payment of the units; returns its id and pay-in address.
    pub(crate) fn create_payment(&self, server: &Server, units: u64) -> (String, Address) {
        let amount = (units / 1_000_000).to_string();
        let body =
            json!({ "amount": amount, "currency": "USDC", "chain_id": CHAIN, "account": "till" });
        let key = &self.shop.key;
        let payment = call(&server.address, key, "POST", "/payments", body);
        let to = text(&payment, "deposit_address");
        (text(&payment, "id"), to.parse().expect("an address"))
    }

    /// Sends a signed request; the id of the record, unless the balance does not cover it yet.
    pub(crate) fn try_signed(&self, server: &Server, path: &str, body: &Value) -> Option<String> {
        let mut request = request(&self.shop.key, "POST", path, body);
        sign(&mut request, &self.shop);
        let answer = answer_of(&server.address, &request);
        let refused = &answer.body["error"]["errors"][0]["reason"];
        assert!(
            answer.status < 300 || refused == "INSUFFICIENT_FUNDS",
            "{path}: {}",
            answer.body
        );
        (answer.status < 300).then(|| text(&answer.body["data"], "id"))
    }

    /// Sends a signed request.
    pub(crate) fn signed(&self, server: &Server, path: &str, body: &Value) -> String {
        let id = self.try_signed(server, path, body);
        id.expect("the balance covers it")
    }

    pub(crate) fn payment(&self, server: &Server, id: &str) -> Value {
        let path = format!("/payments/{id}");
        call(&server.address, &self.shop.key, "GET", &path, Value::Null)
    }

    /// The posted and reserved balance of the account `till` in USDC.
    pub(crate) fn till(&self, server: &Server) -> String {
        self.balance(server, "till")
    }

    /// The posted and reserved balance of an account in USDC, by its id or reference.
    pub(crate) fn balance(&self, server: &Server, account: &str) -> String {
        let path = format!("/accounts/{account}/balances");
        let held = call(&server.address, &self.shop.key, "GET", &path, Value::Null);
        let mut held = held.as_array().expect("balances").iter();
        let held = held.find(|held| held["currency"] == "USDC").expect("USDC");
        format!("{} {}", text(held, "posted"), text(held, "reserved"))
    }

    /// The USDC of an address in the latest block, in units.
    pub(crate) fn received(&self, by: Address) -> U256 {
        self.node.token_balance(self.token, by, self.node.height())
    }

    /// What the supplier has got, in units.
    pub(crate) fn supplied(&self) -> U256 {
        self.received(SUPPLIER.parse().expect("an address"))
    }

    /// Waits for a payment's status, mining a block at each look.
    pub(crate) fn mine_until(&self, server: &Server, id: &str, status: &str) {
        wait_for(&format!("{id} is {status}"), || {
            self.node.mine(1);
            self.payment(server, id)["status"] == status
        });
    }

    /// Waits until the books agree with the chain, mining a block at each look.
    pub(crate) fn until_compared(&self) {
        wait_for("the books agree with the chain", || {
            self.node.mine(1);
            self.differences().is_empty()
        });
    }

    /// The differences between the books and the chain.
    pub(crate) fn differences(&self) -> Vec<String> {
        let found = self.place.run(&["verify", "--chain", "--json"]);
        let said = String::from_utf8_lossy(&found.stderr).into_owned();
        let found: Value = serde_json::from_slice(&found.stdout).expect(&said);
        let list = found["differences"].as_array().expect("a list").iter();
        list.map(|one| one.as_str().expect("text").to_owned())
            .collect()
    }
}

pub(crate) fn text(value: &Value, name: &str) -> String {
    value[name].as_str().expect(name).to_owned()
}

fn a_payment_and_a_payout(town: &Town) {
    let connected = town.connect();
    assert_eq!(connected["factory"], "deploying", "{connected}");
    assert_eq!(connected["traces"], "true", "{connected}");
    let server = town.serve();
    let key = &town.shop.key;
    town.open_till(&server);

    let body = json!({ "amount": "25", "currency": "USDC", "chain_id": CHAIN, "account": "till" });
    let payment = call(&server.address, key, "POST", "/payments", body);
    let to: Address = text(&payment, "deposit_address")
        .parse()
        .expect("an address");
    // Two transfers in one transaction, which together pay.
    let payer = town.node.account(1);
    town.node.mint(town.token, payer, 25_000_000);
    let twice = abi(
        "transferTwice(address,uint256,uint256)",
        &[word(to), number(20_000_000), number(5_000_000)],
    );
    town.node.mine(1);
    town.node
        .send(&Transaction::call(payer, town.token, 0, twice));
    let id = text(&payment, "id");
    town.mine_until(&server, &id, "Confirmed");
    assert_eq!(town.payment(&server, &id)["paid_amount"], "25");

    // The payout needs what lies at the proxy: a sweep comes first.
    let body = json!({
        "account": "till", "amount": "24.5", "currency": "USDC", "chain_id": CHAIN, "address": SUPPLIER,
    });
    let id = town.signed(&server, "/payouts", &body);
    town.mine_until(&server, &id, "Confirmed");
    let supplier: Address = SUPPLIER.parse().expect("an address");
    let height = town.node.height();
    let paid = town.node.token_balance(town.token, supplier, height);
    assert_eq!(paid, U256::from(24_500_000));
    let held = town.node.token_balance(town.token, town.wallet, height);
    assert_eq!(held, U256::from(500_000));
    wait_for("the books agree with the chain", || {
        town.node.mine(1);
        town.differences().is_empty()
    });
    let shown = town.place.run(&["wallet", "show"]);
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(shown.contains("0.5 USDC on Base"), "{shown}");
}

#[test]
fn a_live_server_takes_a_payment_and_pays_out_on_a_real_node_with_sqlite() {
    a_payment_and_a_payout(&Town::new(Place::live()));
}

#[test]
fn a_live_server_takes_a_payment_and_pays_out_on_a_real_node_with_postgresql() {
    a_payment_and_a_payout(&Town::new(Place::live_postgres()));
}

#[test]
fn what_leaves_the_hot_wallet_by_other_hands_is_a_difference() {
    let town = Town::new(Place::live());
    town.connect();
    let server = town.serve();
    wait_for("the factory is deployed", || {
        town.node.mine(1);
        !town.node.code(settlekit_service::FACTORY).is_empty()
    });
    wait_for("the books agree with the chain", || {
        town.node.mine(1);
        town.differences().is_empty()
    });
    drop(server);
    // No block says why.
    town.node.set_balance(town.wallet, U256::from(1));
    town.node.mine(3);
    let server = town.serve();
    wait_for("a difference", || {
        town.node.mine(1);
        town.differences()
            .iter()
            .any(|difference| difference.contains("0.000000000000000001 ETH"))
    });
    drop(server);
}

#[test]
fn a_chain_is_not_connected_against_what_its_nodes_say() {
    let town = Town::new(Place::live());
    let (url, token) = (town.node.url(), format!("USDC={}", town.token));
    let connect = |chain: &str, more: &[&str]| {
        let words = ["chain", "connect", "--chain", chain, "--rpc", &url];
        refused(&town.place.run(&[&words, more].concat()))
    };
    let wrong = connect("1", &["--token", &token, "--deploy"]);
    assert!(wrong.contains("chain 8453, not of chain 1"), "{wrong}");
    let absent = connect("8453", &["--deploy"]);
    assert!(absent.contains("has no code on this chain"), "{absent}");
    let other = format!("EURC={}", town.token);
    let other = connect("8453", &["--token", &other, "--deploy"]);
    assert!(other.contains("has another symbol than EURC"), "{other}");
    let dead = refused(&town.place.run(&[
        "chain",
        "connect",
        "--chain",
        "8453",
        "--rpc",
        "http://127.0.0.1:1/secret-key",
        "--token",
        &token,
    ]));
    assert!(
        dead.contains("unreachable") && !dead.contains("secret"),
        "{dead}"
    );
    let listed = town.place.run(&["chain", "list"]);
    assert_eq!(
        String::from_utf8_lossy(&listed.stdout),
        "no chain is connected\n"
    );
}
