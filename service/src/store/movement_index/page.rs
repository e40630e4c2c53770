//! A page of movements that are counted in parts. Pure: no database access.

use std::collections::BTreeSet;

use crate::store::filter_counts::segment::Segment;

/// Matching movements, adjacent in the list, by ascending `seq`.
pub(super) enum Part {
    Numbers(Vec<i64>),
    Segments(Vec<Segment>),
}

impl Part {
    pub(super) fn total(&self) -> i64 {
        match self {
            Self::Numbers(numbers) => numbers.len() as i64,
            Self::Segments(segments) => segments.iter().map(|segment| segment.held).sum(),
        }
    }
}

/// The remaining rows of a page: first those to skip, then those to take.
pub(super) struct Page {
    pub(super) skip: i64,
    pub(super) left: usize,
    pub(super) shown: Vec<i64>,
    pub(super) is_ascending: bool,
}

impl Page {
    /// Takes from movements that are by ascending `seq`.
    pub(super) fn take(&mut self, numbers: &[i64]) {
        let skip = usize::try_from(self.skip).unwrap_or(usize::MAX);
        let before = self.shown.len();
        let left = self.left;
        match self.is_ascending {
            true => self
                .shown
                .extend(numbers.iter().skip(skip).take(left).copied()),
            false => self
                .shown
                .extend(numbers.iter().rev().skip(skip).take(left).copied()),
        }
        self.left -= self.shown.len() - before;
        self.skip -= self.skip.min(numbers.len() as i64);
    }
}

/// The segments, in the page's order, that hold rows of the page; skips those before.
pub(super) fn needed(segments: Vec<Segment>, page: &mut Page) -> Vec<Segment> {
    let mut needed = Vec::new();
    let mut ahead = 0;
    for segment in segments {
        if needed.is_empty() && segment.held <= page.skip {
            page.skip -= segment.held;
            continue;
        }
        if segment.held <= 0 {
            continue;
        }
        if ahead >= page.skip + page.left as i64 {
            break;
        }
        ahead += segment.held;
        needed.push(segment);
    }
    needed
}

/// The segments without the excepted movements.
pub(super) fn without(mut segments: Vec<Segment>, except: &BTreeSet<i64>) -> Vec<Segment> {
    for segment in &mut segments {
        let (from, to) = segment.range();
        segment.held -= except.range(from..=to).count() as i64;
    }
    segments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_segments_with_rows_of_the_page_are_needed() {
        let segments = |held: &[i64]| -> Vec<Segment> {
            let numbered = (0..).zip(held);
            numbered
                .map(|(number, held)| Segment {
                    level: 0,
                    number,
                    held: *held,
                })
                .collect()
        };
        for (held, (skip, left), expected, skipped) in [
            ([5, 5, 5], (0, 5), vec![0], 0),
            ([5, 5, 5], (5, 5), vec![1], 0),
            ([5, 5, 5], (4, 3), vec![0, 1], 4),
            ([0, 5, 5], (0, 10), vec![1, 2], 0),
            ([5, 5, 5], (15, 1), vec![], 0),
        ] {
            let mut page = Page {
                skip,
                left,
                shown: Vec::new(),
                is_ascending: true,
            };
            let found = needed(segments(&held), &mut page);
            let numbers: Vec<i64> = found.iter().map(|segment| segment.number).collect();
            assert_eq!((numbers, page.skip), (expected, skipped), "{held:?}");
        }
    }
}
