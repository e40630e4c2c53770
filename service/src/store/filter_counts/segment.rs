//! Segments: ranges of `seq` with counts. Sixteen full segments form one of the level above, so a few cover any range. Pure: no
//! database access.

/// Rows per segment of level 0.
pub(in crate::store) const SEGMENT_ROWS: i64 = 4096;

/// Segments per segment of the level above.
pub(in crate::store) const FAN_OUT: i64 = 16;

/// Levels: a segment of the last has 268 million rows.
pub(in crate::store) const LEVELS: i64 = 5;

/// A segment and its count of matching rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::store) struct Segment {
    pub(in crate::store) level: i64,
    pub(in crate::store) number: i64,
    pub(in crate::store) held: i64,
}

impl Segment {
    /// Its first and last `seq`.
    pub(in crate::store) fn range(&self) -> (i64, i64) {
        let from = self.number * size(self.level);
        (from, from + size(self.level) - 1)
    }
}

/// Rows per segment of a level.
pub(in crate::store) fn size(level: i64) -> i64 {
    (0..level).fold(SEGMENT_ROWS, |size, _| size * FAN_OUT)
}

/// Adjacent segments of a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) struct Run {
    pub(in crate::store) level: i64,
    pub(in crate::store) from: i64,
    pub(in crate::store) to: i64,
    /// The range covers only part of it: one segment of level 0, whose rows have to be counted.
    pub(in crate::store) is_part: bool,
}

impl Run {
    /// Its first and last `seq`.
    pub(super) fn rows(&self) -> (i64, i64) {
        let size = size(self.level);
        (self.from * size, (self.to + 1) * size - 1)
    }

    /// Its segments, each with the count of its rows; `seq` starts at 1.
    pub(super) fn segments(&self, last: i64) -> impl Iterator<Item = Segment> {
        let level = self.level;
        (self.from..=self.to).map(move |number| {
            let from = number * size(level);
            let to = (from + size(level) - 1).min(last);
            Segment {
                level,
                number,
                held: to - from.max(1) + 1,
            }
        })
    }
}

/// The fewest segments that cover a range of `seq`; `last` is the list's last.
pub(in crate::store) fn cover((from, to): (i64, i64), last: i64) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    // `seq` starts at 1: segment 0 begins at 0.
    let mut at = if from <= 1 { 0 } else { from };
    while at <= to && from <= to {
        let level = (0..LEVELS)
            .take_while(|level| at % size(*level) == 0 && at + size(*level) - 1 <= to)
            .last();
        // Nothing follows the list's last `seq`, so the last segment counts as a whole.
        let is_part = level.is_none() && !(at % SEGMENT_ROWS == 0 && to >= last);
        let level = level.unwrap_or(0);
        let segment = at / size(level);
        match runs.last_mut() {
            Some(run) if run.level == level && !run.is_part && !is_part => run.to = segment,
            _ => runs.push(Run {
                level,
                from: segment,
                to: segment,
                is_part,
            }),
        }
        at = (segment + 1) * size(level);
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The segments of a range: level, first and last segment, and whether only a part is covered.
    fn shown(range: (i64, i64), last: i64) -> Vec<String> {
        let shown = |run: Run| {
            let part = if run.is_part { " in part" } else { "" };
            format!("{}: {}-{}{part}", run.level, run.from, run.to)
        };
        cover(range, last).into_iter().map(shown).collect()
    }

    #[test]
    fn a_list_is_few_pieces_however_long_it_is() {
        assert_eq!(shown((1, 0), 0), Vec::<String>::new());
        assert_eq!(shown((1, 5), 5), ["0: 0-0"]);
        assert_eq!(shown((1, 4095), 4095), ["0: 0-0"]);
        assert_eq!(shown((1, 4096), 4096), ["0: 0-1"]);
        assert_eq!(shown((1, 65_535), 65_535), ["1: 0-0"]);
        assert_eq!(shown((1, 65_534), 65_534), ["0: 0-15"]);
        let ten_million = ["2: 0-8", "1: 144-151", "0: 2432-2441"];
        assert_eq!(shown((1, 10_000_000), 10_000_000), ten_million);
    }

    #[test]
    fn what_lies_only_partly_within_the_bounds_is_told() {
        assert_eq!(shown((3, 10), 100), ["0: 0-0 in part"]);
        assert_eq!(shown((3, 100), 100), ["0: 0-0 in part"]);
        assert_eq!(shown((1, 10), 100), ["0: 0-0 in part"]);
        assert_eq!(
            shown((4097, 70_000), 80_000),
            ["0: 1-1 in part", "0: 2-16", "0: 17-17 in part"]
        );
        assert_eq!(shown((4096, 65_535), 65_535), ["0: 1-15"]);
    }

    #[test]
    fn a_range_is_covered_once_and_whole() {
        for (from, to) in [
            (1, 1),
            (2, 70_000),
            (65_536, 1_200_000),
            (5, 1_048_575),
            (1, 1_048_576),
        ] {
            let mut next = if from <= 1 { 0 } else { from };
            for run in cover((from, to), 1_300_000) {
                let begins = run.from * size(run.level);
                assert_eq!(next.max(begins), next, "a hole before {run:?}");
                assert!(run.is_part || begins == next, "{run:?} begins before");
                next = (run.to + 1) * size(run.level);
            }
            assert!(next > to, "{from} to {to} ends at {next}");
        }
    }
}
