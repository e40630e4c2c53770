//! The pieces of a list's numbers, in which its rows are counted (`count`): sixteen that have all their numbers are one of the level
//! above, so that any range is few of them. Nothing is asked of a database here.

/// How many numbers a piece of level 0 has.
pub(super) const PIECE: i64 = 4096;

/// How many pieces are one of the level above.
pub(super) const TOGETHER: i64 = 16;

/// How many levels there are: a piece of the last has 268 million numbers.
pub(super) const LEVELS: i64 = 5;

/// A piece, and how many of its rows are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) level: i64,
    pub(super) number: i64,
    pub(super) held: i64,
}

impl Piece {
    /// Its first number and its last.
    pub(super) fn range(&self) -> (i64, i64) {
        let from = self.number * size(self.level);
        (from, from + size(self.level) - 1)
    }
}

/// How many numbers a piece of a level has.
pub(super) fn size(level: i64) -> i64 {
    (0..level).fold(PIECE, |size, _| size * TOGETHER)
}

/// Pieces of a level next to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) level: i64,
    pub(super) from: i64,
    pub(super) to: i64,
    /// Only some of its numbers lie in the range: it is one piece, of level 0, whose rows have to be counted.
    pub(super) is_part: bool,
}

impl Run {
    /// Its pieces, with as many rows as they have numbers; there is no number 0.
    pub(super) fn pieces(&self, last: i64) -> impl Iterator<Item = Piece> {
        let level = self.level;
        (self.from..=self.to).map(move |number| {
            let from = number * size(level);
            let to = (from + size(level) - 1).min(last);
            Piece {
                level,
                number,
                held: to - from.max(1) + 1,
            }
        })
    }
}

/// The fewest pieces that make up a range of a list's numbers, of which `last` is the last.
pub(super) fn cover((from, to): (i64, i64), last: i64) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    // There is no number 0.
    let mut at = if from <= 1 { 0 } else { from };
    while at <= to && from <= to {
        let level = (0..LEVELS)
            .take_while(|level| at % size(*level) == 0 && at + size(*level) - 1 <= to)
            .last();
        // Behind the list's last number there is nothing to be left out.
        let is_part = level.is_none() && !(at % PIECE == 0 && to >= last);
        let level = level.unwrap_or(0);
        let piece = at / size(level);
        match runs.last_mut() {
            Some(run) if run.level == level && !run.is_part && !is_part => run.to = piece,
            _ => runs.push(Run {
                level,
                from: piece,
                to: piece,
                is_part,
            }),
        }
        at = (piece + 1) * size(level);
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pieces of a range: level, first and last piece, and a mark where only a part of it lies within.
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
