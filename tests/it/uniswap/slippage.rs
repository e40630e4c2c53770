//! Limits of swaps for a slippage.

use alloy_primitives::{U256, U512};
use proptest::prelude::*;
use settlekit_service::uniswap::Slippage;

const MILLION: u32 = 1_000_000;

fn amount() -> impl Strategy<Value = U256> {
    let words = any::<[u64; 4]>();
    // Amounts of all sizes.
    (words, 0_usize..256).prop_map(|(words, shift)| U256::from_limbs(words) >> shift)
}

proptest! {
    #[test]
    fn the_least_output_is_between_its_part_and_the_quote(quoted in amount(), millionths in 0..MILLION) {
        let slippage = Slippage::new(millionths).expect("a slippage");
        let least = slippage.least_output(quoted);
        prop_assert!(least <= quoted);
        prop_assert_eq!(least.is_zero(), quoted.is_zero());
        // Never below the part, and less than one above it.
        let part = U512::from(quoted) * U512::from(MILLION - millionths);
        let kept = U512::from(least) * U512::from(MILLION);
        prop_assert!(kept >= part && kept - part < U512::from(MILLION));
    }

    #[test]
    fn the_most_input_is_between_the_quote_and_its_part(quoted in amount(), millionths in 0..MILLION) {
        let slippage = Slippage::new(millionths).expect("a slippage");
        let part = U512::from(quoted) * U512::from(MILLION + millionths);
        match slippage.most_input(quoted) {
            Some(most) => {
                prop_assert!(most >= quoted);
                let spent = U512::from(most) * U512::from(MILLION);
                prop_assert!(spent <= part && part - spent < U512::from(MILLION));
            }
            None => prop_assert!(part / U512::from(MILLION) > U512::from(U256::MAX)),
        }
    }
}

#[test]
fn a_slippage_is_below_everything() {
    assert_eq!(Slippage::new(0), Some(Slippage::NONE));
    assert!(Slippage::new(MILLION - 1).is_some());
    assert_eq!(Slippage::new(MILLION), None);
    let quoted = U256::from(1);
    assert_eq!(Slippage::NONE.least_output(quoted), quoted);
    assert_eq!(Slippage::NONE.most_input(quoted), Some(quoted));
}
