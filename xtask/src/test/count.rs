//! Counts passed and failed tests from the output of test runners.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u32,
    pub(crate) failed: u32,
}

impl Tally {
    pub(super) fn add(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
    }

    /// The counts of a finished stage. A stage without tests counts as a single check; a failed stage has at least one failure.
    pub(super) fn closed(mut self, succeeded: bool) -> Tally {
        match (succeeded, self.passed, self.failed) {
            (true, 0, 0) => self.passed = 1,
            (false, _, 0) => self.failed = 1,
            _ => {}
        }
        self
    }
}

/// Lines of a failed test that are shown again.
const LINES_PER_FAILURE: usize = 24;

/// What the runners say of failed tests. It is shown again at the end of the run, because output of 40 minutes is often cut.
#[derive(Default)]
pub(super) struct Failures {
    lines: Vec<String>,
    /// How many lines of the current failure may follow.
    rest: usize,
}

impl Failures {
    /// Reads a line of TAP (`not ok 3 - name`, then a block up to `...`, and `# page: …` of the browser) or of cargo
    /// (`---- name stdout ----`).
    pub(super) fn see(&mut self, line: &str) {
        let text = line.trim();
        if text.starts_with("# page: ") {
            self.lines.push(line.to_owned());
            return;
        }
        if text.starts_with("not ok ") || (text.starts_with("---- ") && text.ends_with(" ----")) {
            self.rest = LINES_PER_FAILURE;
        } else if matches!(text, "..." | "failures:") {
            self.rest = 0;
        }
        if self.rest > 0 {
            self.rest -= 1;
            self.lines.push(line.to_owned());
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.lines.extend(other.lines);
    }

    pub(super) fn into_lines(self) -> Vec<String> {
        self.lines
    }
}

/// Reads a summary line: cargo's `test result: ok. 3 passed; 0 failed; …` or Node's `# pass 3`, `# fail 0`. Zero for other lines.
pub(crate) fn read_summary(line: &str) -> Tally {
    let line = line.trim();
    if let Some(result) = line.strip_prefix("test result: ") {
        let before = |word: &str| -> u32 {
            let numbers = result
                .split([';', '.'])
                .filter_map(|part| part.trim().strip_suffix(word));
            numbers
                .filter_map(|number| number.trim().parse::<u32>().ok())
                .sum()
        };
        return Tally {
            passed: before("passed"),
            failed: before("failed"),
        };
    }
    // `#` in TAP, `ℹ` in the spec reporter.
    let Some(summary) = line.strip_prefix("# ").or_else(|| line.strip_prefix("ℹ ")) else {
        return Tally::default();
    };
    let after = |word: &str| {
        summary
            .strip_prefix(word)
            .and_then(|number| number.trim().parse().ok())
            .unwrap_or(0)
    };
    Tally {
        passed: after("pass "),
        failed: after("fail ") + after("cancelled "),
    }
}

/// Reads pytest's last line: `1 failed, 8 passed in 4.20s`.
pub(super) fn read_pytest(line: &str) -> Tally {
    let counts = line
        .trim()
        .rsplit_once(" in ")
        .map_or("", |(counts, _)| counts);
    let before = |words: &[&str]| -> u32 {
        let numbers = counts.split(", ").filter_map(|part| {
            let (number, word) = part.split_once(' ')?;
            let number = words.contains(&word).then(|| number.parse::<u32>());
            number?.ok()
        });
        numbers.sum()
    };
    Tally {
        passed: before(&["passed"]),
        failed: before(&["failed", "error", "errors"]),
    }
}

/// Reads forge's last line: `Ran 4 test suites in 6.20s (9.21s CPU time): 40 tests passed, 1 failed, 0 skipped (41 total tests)`.
pub(super) fn read_forge(line: &str) -> Tally {
    let line = line.trim();
    let counts = line
        .strip_prefix("Ran ")
        .and_then(|rest| rest.split_once("): "))
        .map_or("", |(_, counts)| counts);
    let before = |word: &str| -> u32 {
        let numbers = counts
            .split(", ")
            .filter_map(|part| part.strip_suffix(word));
        numbers
            .filter_map(|number| number.parse::<u32>().ok())
            .sum()
    };
    Tally {
        passed: before(" tests passed"),
        failed: before(" failed"),
    }
}

/// Reads a line of Schemathesis: `Tested: 86` operations, or `… found 2 unique failures`.
pub(super) fn read_interface(line: &str) -> Tally {
    let number = |text: &str| text.trim().parse().unwrap_or(0);
    let line = line.trim();
    let failed = line
        .strip_suffix("unique failures")
        .or_else(|| line.strip_suffix("unique failure"))
        .and_then(|rest| rest.rsplit_once("found "))
        .map_or(0, |(_, count)| number(count));
    Tally {
        passed: line.strip_prefix("Tested:").map_or(0, number),
        failed,
    }
}

#[cfg(test)]
mod tests {
    use super::{Failures, Tally, read_forge, read_interface, read_pytest, read_summary};

    fn tally(passed: u32, failed: u32) -> Tally {
        Tally { passed, failed }
    }

    #[test]
    fn a_failed_test_is_shown_again_with_its_reason_and_nothing_else_is() {
        let output = [
            "# Subtest: lists",
            "ok 1 - lists",
            "  ...",
            "not ok 2 - filters",
            "  ---",
            "  error: 'waited in vain'",
            "  ...",
            "# page: No results",
            "# Subtest: rows",
            "test trade::quote ... ok",
            "---- trade::accept stdout ----",
            "left: 1",
            "failures:",
            "    trade::accept",
        ];
        let mut failures = Failures::default();
        for line in output {
            failures.see(line);
        }
        let expected = [
            "not ok 2 - filters",
            "  ---",
            "  error: 'waited in vain'",
            "# page: No results",
            "---- trade::accept stdout ----",
            "left: 1",
        ];
        assert_eq!(failures.into_lines(), expected);
    }

    #[test]
    fn only_summaries_of_the_test_runners_are_read() {
        let rest = "0 ignored; 0 measured; 0 filtered out; finished in 0.01s";
        let ok = format!("test result: ok. 12 passed; 0 failed; {rest}");
        let failed = format!("test result: FAILED. 3 passed; 2 failed; {rest}");
        for (line, counts) in [
            (ok.as_str(), (12, 0)),
            (&failed, (3, 2)),
            ("# pass 7", (7, 0)),
            ("# fail 1", (0, 1)),
            ("ℹ pass 7", (7, 0)),
            ("ℹ cancelled 2", (0, 2)),
            ("# a test about 3 passed", (0, 0)),
            ("test webhooks::test result ... ok", (0, 0)),
        ] {
            assert_eq!(read_summary(line), tally(counts.0, counts.1), "{line}");
        }
    }

    #[test]
    fn pytest_output_is_parsed() {
        for (line, counts) in [
            ("9 passed in 4.20s", (9, 0)),
            ("1 failed, 8 passed in 4.20s", (8, 1)),
            ("2 passed, 1 warning, 1 error in 61.00s (0:01:01)", (2, 1)),
            ("test_component.py:140: 3 passed", (0, 0)),
            ("no tests ran in 0.01s", (0, 0)),
        ] {
            assert_eq!(read_pytest(line), tally(counts.0, counts.1), "{line}");
        }
    }

    #[test]
    fn forge_output_is_parsed() {
        let all = "Ran 4 test suites in 6.20s (9.21s CPU time)";
        for (line, counts) in [
            (
                format!("{all}: 41 tests passed, 0 failed, 0 skipped (41 total tests)"),
                (41, 0),
            ),
            (
                format!("{all}: 40 tests passed, 1 failed, 0 skipped (41 total tests)"),
                (40, 1),
            ),
            (
                "Ran 13 tests for test/Wallets.t.sol:WalletsTest".to_owned(),
                (0, 0),
            ),
            (
                "Suite result: ok. 3 passed; 0 failed; 0 skipped; finished in 6.19s".to_owned(),
                (0, 0),
            ),
        ] {
            assert_eq!(read_forge(&line), tally(counts.0, counts.1), "{line}");
        }
    }

    #[test]
    fn schemathesis_output_is_parsed() {
        assert_eq!(read_interface("  Tested: 86"), tally(86, 0));
        let line = "  5205 generated, 2 found 2 unique failures";
        assert_eq!(read_interface(line), tally(0, 2));
        let line = "  40 generated, 1 found 1 unique failure";
        assert_eq!(read_interface(line), tally(0, 1));
        assert_eq!(read_interface("  5205 generated, 5205 passed"), tally(0, 0));
    }

    #[test]
    fn a_stage_without_tests_counts_as_one_check() {
        for (found, succeeded, closed) in [
            ((0, 0), true, (1, 0)),
            ((0, 0), false, (0, 1)),
            ((4, 0), false, (4, 1)),
            ((4, 2), true, (4, 2)),
        ] {
            assert_eq!(
                tally(found.0, found.1).closed(succeeded),
                tally(closed.0, closed.1)
            );
        }
    }
}
