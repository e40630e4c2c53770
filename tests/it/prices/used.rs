//! The price that is used, of what several sources say.

use proptest::prelude::*;
use settlekit_service::median::{Median, NoMedian, median};
use settlekit_service::price::Price;

/// Two percent.
const SPREAD: u32 = 200;

fn prices(texts: &[i128]) -> Vec<Price> {
    let prices = texts.iter().map(|dollars| {
        let units = dollars * Price::DOLLAR.units() / 100;
        Price::new(units).expect("a price")
    });
    prices.collect()
}

/// The median of cents, in cents, with the strays.
fn of(cents: &[i128], quoting: usize) -> Result<(i128, Vec<usize>), NoMedian> {
    let Median { price, strays } = median(&prices(cents), quoting, SPREAD)?;
    Ok((price.units() * 100 / Price::DOLLAR.units(), strays))
}

#[test]
fn one_source_alone_is_used_only_if_no_other_quotes_the_currency() {
    assert_eq!(of(&[], 0), Err(NoMedian::Stale));
    assert_eq!(of(&[], 3), Err(NoMedian::Stale));
    assert_eq!(of(&[100], 1), Ok((100, vec![])));
    assert_eq!(of(&[100], 2), Err(NoMedian::Alone));
}

#[test]
fn two_sources_that_disagree_give_no_price() {
    assert_eq!(of(&[10_000, 10_200], 2), Ok((10_100, vec![])));
    assert_eq!(of(&[10_000, 10_201], 2), Err(NoMedian::Disagree));
    // A third that is silent decides nothing.
    assert_eq!(of(&[10_000, 10_201], 3), Err(NoMedian::Disagree));
}

#[test]
fn a_source_that_strays_from_two_others_is_left_out_and_named() {
    assert_eq!(of(&[10_000, 100_000, 10_050], 3), Ok((10_050, vec![1])));
    assert_eq!(of(&[1, 10_050, 10_000], 3), Ok((10_000, vec![0])));
    assert_eq!(of(&[10_000, 11_000, 12_000], 3), Err(NoMedian::Disagree));
    assert_eq!(
        of(&[10_000, 10_010, 10_020, 99_000], 4),
        Ok((10_015, vec![3]))
    );
    // Two against two.
    assert_eq!(
        of(&[10_000, 10_010, 20_000, 20_010], 4),
        Err(NoMedian::Disagree)
    );
    // Two agree on 100.05, and 90 and 103 each stray by more than two percent: half is no majority.
    assert_eq!(
        of(&[9_000, 10_000, 10_010, 10_300], 4),
        Err(NoMedian::Disagree)
    );
}

fn price() -> impl Strategy<Value = Price> {
    let near = (95_i128..105).prop_map(|cents| cents * Price::DOLLAR.units() / 100);
    prop_oneof![near, 1..10_i128.pow(24)].prop_map(|units| Price::new(units).expect("in range"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn the_median_never_leaves_the_range_of_its_inputs(
        said in proptest::collection::vec(price(), 1..7),
        spread in 0_u32..10_000,
    ) {
        if let Ok(median) = median(&said, said.len(), spread) {
            prop_assert!(said.iter().min() <= Some(&median.price));
            prop_assert!(said.iter().max() >= Some(&median.price));
            for stray in median.strays {
                prop_assert!(!said[stray].is_within(median.price, spread));
            }
        }
    }

    #[test]
    fn the_order_of_the_sources_does_not_matter(
        (said, mixed) in proptest::collection::vec(price(), 1..7)
            .prop_flat_map(|said| (Just(said.clone()), Just(said).prop_shuffle())),
    ) {
        let strays = |said: &[Price]| {
            median(said, said.len(), SPREAD).map(|median| {
                let mut strays: Vec<Price> = median.strays.iter().map(|at| said[*at]).collect();
                strays.sort();
                (median.price, strays)
            })
        };
        prop_assert_eq!(strays(&said), strays(&mixed));
    }

    #[test]
    fn a_liar_among_three_never_moves_the_price_beyond_the_honest_two(
        one in price(),
        other in price(),
        lie in price(),
        place in 0_usize..3,
        spread in 0_u32..10_000,
    ) {
        let mut said = vec![one, other];
        said.insert(place.min(2), lie);
        if let Ok(median) = median(&said, 3, spread) {
            prop_assert!(one.min(other) <= median.price && median.price <= one.max(other));
        }
    }
}
