//! The price that is used: the median of several sources.

use super::price::Price;

/// The price that is used, and who strays from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Median {
    /// The price.
    pub price: Price,
    /// The places of the sources that stray from it.
    pub strays: Vec<usize>,
}

/// Why several sources give no price together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoMedian {
    /// No source has a fresh price.
    Stale,
    /// One source has a fresh price, and others that quote the currency have none.
    Alone,
    /// The sources contradict each other.
    Disagree,
}

/// The price that fresh prices give. `quoting` counts the connected sources that quote the currency, also those without a fresh
/// price; `spread` is the most that a price may differ, in hundredths of a percent.
///
/// The strays count as sources that disagree, and the median is not computed again without them: among three, a source could
/// push an honest one out by that, and move the price beyond the other.
///
/// # Errors
/// Why there is no price.
pub fn median(fresh: &[Price], quoting: usize, spread: u32) -> Result<Median, NoMedian> {
    let mut sorted = fresh.to_vec();
    sorted.sort_unstable();
    let half = sorted.len() / 2;
    let price = match sorted.as_slice() {
        [] => return Err(NoMedian::Stale),
        [price] if quoting <= 1 => *price,
        [_] => return Err(NoMedian::Alone),
        [low, high] if low.is_within(*high, spread) => low.middle(*high),
        [_, _] => return Err(NoMedian::Disagree),
        sorted if sorted.len() % 2 == 1 => sorted[half],
        sorted => sorted[half - 1].middle(sorted[half]),
    };
    let strays = fresh.iter().enumerate();
    let strays = strays.filter(|(_, one)| !one.is_within(price, spread));
    let strays: Vec<usize> = strays.map(|(place, _)| place).collect();
    // More than half of them agree.
    if strays.len() * 2 >= fresh.len() {
        return Err(NoMedian::Disagree);
    }
    Ok(Median { price, strays })
}
