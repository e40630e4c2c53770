//! All that is read of a block before it is known which addresses are watched.

use std::collections::BTreeSet;

use alloy_primitives::B256;
use settlekit_service::block::BlockId;

use super::answer::{FullBlock, Log};
use super::block_traces::Traced;

/// All of a block that could concern an installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockData {
    pub(super) block: FullBlock,
    /// The logs of the chain's tokens and of sweeps, in order.
    pub(super) logs: Vec<Log>,
    /// The native coins that contracts moved, for each transaction; empty if the chain is read without traces.
    pub(super) moved: Vec<Traced>,
}

impl BlockData {
    /// The height and hash.
    pub fn id(&self) -> BlockId {
        BlockId {
            number: self.block.header.number,
            hash: self.block.header.hash,
        }
    }

    /// The hash of the block before.
    pub fn parent(&self) -> B256 {
        self.block.header.parent
    }

    /// The positions of transactions whose trace the node could not give.
    pub fn untraced(&self) -> BTreeSet<usize> {
        let moved = self.moved.iter().enumerate();
        let untraced = moved.filter(|(_, moved)| moved.is_none());
        untraced.map(|(place, _)| place).collect()
    }

    /// Forgets the traces of transactions, which another node could not give: one node's word is not enough.
    pub fn forget_traces(&mut self, of: &BTreeSet<usize>) {
        for place in of {
            if let Some(moved) = self.moved.get_mut(*place) {
                *moved = None;
            }
        }
    }
}
