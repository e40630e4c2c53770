//! The stages of `cargo xtask test`, and the queue that workers take them from.

use std::sync::{Condvar, Mutex, PoisonError};

use super::StageRun;
use super::count::Tally;
use crate::Result;
use crate::workspace::Workspace;

pub(super) struct Stage {
    pub(super) name: &'static str,
    pub(super) run: fn(&mut StageRun) -> Result<()>,
    /// Whether the subject of this stage exists.
    pub(super) exists: fn(&Workspace) -> bool,
    /// The stage that must succeed first.
    pub(super) needs: Option<&'static str>,
}

impl Stage {
    pub(super) const fn new(name: &'static str, run: fn(&mut StageRun) -> Result<()>) -> Self {
        Self {
            name,
            run,
            exists: |_| true,
            needs: None,
        }
    }

    pub(super) const fn if_there(self, exists: fn(&Workspace) -> bool) -> Self {
        Self { exists, ..self }
    }

    pub(super) const fn after(self, needed: &'static str) -> Self {
        let needs = Some(needed);
        Self { needs, ..self }
    }
}

/// A stage that has run or was left out.
pub(super) struct StageResult {
    pub(super) name: &'static str,
    pub(super) failed: bool,
    pub(super) tally: Tally,
    /// What its runners say of failed tests.
    pub(super) failures: Vec<String>,
    /// Its line of the summary.
    pub(super) line: String,
}

/// The stages of a run.
pub(super) struct Queue<'a> {
    state: Mutex<State<'a>>,
    changed: Condvar,
}

struct State<'a> {
    waiting: Vec<&'a Stage>,
    running: Vec<&'static str>,
    ended: Vec<StageResult>,
}

impl<'a> Queue<'a> {
    pub(super) fn new(stages: Vec<&'a Stage>) -> Self {
        Self {
            state: Mutex::new(State {
                waiting: stages,
                running: Vec::new(),
                ended: Vec::new(),
            }),
            changed: Condvar::new(),
        }
    }

    /// The next stage that can run, once there is one; `None` after the last one. Stages whose need has failed are left out.
    pub(super) fn next(&self) -> Option<&'a Stage> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            state.leave_out();
            if let Some(workspace) = state.waiting.iter().position(|stage| state.is_ready(stage)) {
                let stage = state.waiting.remove(workspace);
                state.running.push(stage.name);
                return Some(stage);
            }
            if state.waiting.is_empty() {
                return None;
            }
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(super) fn end(&self, ended: StageResult) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.running.retain(|name| *name != ended.name);
        state.ended.push(ended);
        self.changed.notify_all();
    }

    pub(super) fn into_ended(self) -> Vec<StageResult> {
        let state = self.state.into_inner();
        state.unwrap_or_else(PoisonError::into_inner).ended
    }
}

impl State<'_> {
    fn is_ready(&self, stage: &Stage) -> bool {
        let is_coming = |needed: &&str| {
            self.running.contains(needed) || self.waiting.iter().any(|other| other.name == *needed)
        };
        !stage.needs.as_ref().is_some_and(is_coming)
    }

    /// Ends what needs a failed stage, and what needs that.
    fn leave_out(&mut self) {
        while let Some(workspace) = self
            .waiting
            .iter()
            .position(|stage| self.is_hopeless(stage))
        {
            let stage = self.waiting.remove(workspace);
            let (name, needed) = (stage.name, stage.needs.unwrap_or_default());
            self.ended.push(StageResult {
                name,
                failed: true,
                tally: Tally::default(),
                failures: Vec::new(),
                line: format!("  left out  {name:<28} needs `{needed}`"),
            });
        }
    }

    fn is_hopeless(&self, stage: &Stage) -> bool {
        let has_failed = |needed: &str| {
            self.ended
                .iter()
                .any(|one| one.failed && one.name == needed)
        };
        stage.needs.is_some_and(has_failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAGES: [Stage; 4] = [
        Stage::new("build", |_| Ok(())),
        Stage::new("pages", |_| Ok(())).after("build"),
        Stage::new("links", |_| Ok(())).after("pages"),
        Stage::new("other", |_| Ok(())),
    ];

    fn ended(name: &'static str, failed: bool) -> StageResult {
        StageResult {
            name,
            failed,
            tally: Tally::default(),
            failures: Vec::new(),
            line: String::new(),
        }
    }

    fn next(queue: &Queue<'_>) -> Option<&'static str> {
        queue.next().map(|stage| stage.name)
    }

    #[test]
    fn a_worker_takes_what_needs_nothing_that_still_runs() {
        let queue = Queue::new(STAGES.iter().collect());
        assert_eq!(next(&queue), Some("build"));
        assert_eq!(next(&queue), Some("other"));
        queue.end(ended("build", false));
        assert_eq!(next(&queue), Some("pages"));
        queue.end(ended("pages", false));
        assert_eq!(next(&queue), Some("links"));
        assert_eq!(next(&queue), None);
    }

    #[test]
    fn what_needs_a_failed_stage_is_left_out() {
        let queue = Queue::new(STAGES.iter().collect());
        assert_eq!(next(&queue), Some("build"));
        queue.end(ended("build", true));
        assert_eq!(next(&queue), Some("other"));
        queue.end(ended("other", false));
        assert_eq!(next(&queue), None);
        let ended = queue.into_ended();
        let left_out: Vec<_> = ended.iter().map(|one| (one.name, one.failed)).collect();
        let expected = [
            ("build", true),
            ("pages", true),
            ("links", true),
            ("other", false),
        ];
        assert_eq!(left_out, expected);
    }
}
