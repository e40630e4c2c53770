//! The stages of `cargo xtask test` and their order.

use super::StageRun;
use crate::Result;
use crate::place::Place;

/// The place of a stage in a whole run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// Before both lines, alone.
    Before,
    /// In the first line.
    First,
    /// In the second line, which begins with all builds for WebAssembly.
    Second,
    /// In the first line, once the second has built everything.
    Built,
}

pub(super) struct Stage {
    pub(super) name: &'static str,
    pub(super) run: fn(&mut StageRun) -> Result<()>,
    /// Whether the subject of this stage exists.
    pub(super) exists: fn(&Place) -> bool,
    /// The stage that must succeed first.
    pub(super) needs: Option<&'static str>,
    pub(super) line: Line,
}

impl Line {
    pub(super) const fn stage(
        self,
        name: &'static str,
        run: fn(&mut StageRun) -> Result<()>,
    ) -> Stage {
        Stage {
            name,
            run,
            exists: |_| true,
            needs: None,
            line: self,
        }
    }
}

impl Stage {
    pub(super) const fn if_there(self, exists: fn(&Place) -> bool) -> Stage {
        Stage { exists, ..self }
    }

    pub(super) const fn after(self, needed: &'static str) -> Stage {
        let needs = Some(needed);
        Stage { needs, ..self }
    }
}
