//! The final block that nodes name is reported with each block.

use alloy_primitives::B256;
use settlekit_service::block::BlockId;
use settlekit_tests::anvil::Anvil;
use settlekit_tests::liar::{Fault, Lie};

use super::{Chain, Watching};

impl Chain {
    /// A chain whose nodes call a block final after two more, and that is settled so.
    fn start_final(chain: u64) -> Self {
        let anvil = Anvil::start_with(chain, &["--slots-in-an-epoch", "1"]);
        anvil.mine(5);
        let chain = Self::over(anvil, chain);
        chain.books.state().watch.finality = true;
        chain
    }

    fn block_id(&self, number: u64) -> BlockId {
        BlockId {
            number,
            hash: self.anvil.block_hash(number),
        }
    }

    fn reported(&self) -> Option<BlockId> {
        let state = self.books.state();
        state.blocks.last().and_then(|block| block.finalized)
    }
}

#[tokio::test]
async fn the_final_block_of_the_node_comes_with_each_block() {
    let chain = Chain::start_final(8453);
    let _watching = Watching::start(&chain.books);
    for _ in 0..3 {
        chain.anvil.mine(1);
        chain.until_read().await;
        let height = chain.anvil.height();
        assert_eq!(chain.reported(), Some(chain.block_id(height - 2)));
    }
}

#[tokio::test]
async fn of_two_providers_the_lower_final_block_counts() {
    let chain = Chain::start_final(8453);
    let liars = chain.behind(2);
    let watching = Watching::start(&chain.books);
    chain.anvil.mine(1);
    chain.until_read().await;
    // It calls its latest block final.
    let head = chain.anvil.address().to_owned();
    liars[1].tamper(move |method, params, result| {
        if method == "eth_getBlockByNumber" && params[0] == "finalized" {
            let latest = serde_json::json!(["latest", false]);
            *result = settlekit_tests::json_rpc::call(&head, method, &latest).expect("a block");
        }
    });
    chain.anvil.mine(1);
    chain.until_read().await;
    let height = chain.anvil.height();
    assert_eq!(chain.reported(), Some(chain.block_id(height - 2)));
    // Another block of that height is a disagreement.
    let other = B256::repeat_byte(7).to_string();
    liars[1].tamper(move |method, params, result| {
        if method == "eth_getBlockByNumber" && params[0] == "finalized" {
            result["hash"] = other.clone().into();
        }
    });
    chain.anvil.mine(1);
    watching.until_problem("disagree on block").await;
    assert_eq!(chain.books.state().head().number, height);
    liars[1].tell(Lie::None);
    chain.until_read().await;
}

#[tokio::test]
async fn a_node_that_names_no_final_block_is_not_read() {
    let chain = Chain::start_final(8453);
    let liars = chain.behind(1);
    let watching = Watching::start(&chain.books);
    chain.anvil.mine(1);
    chain.until_read().await;
    let head = chain.books.state().head();
    liars[0].fail(|_, params| {
        (params[0] == "finalized").then_some(Fault::Error(-39001, "Unknown block"))
    });
    chain.anvil.mine(1);
    watching.until_failed(0, "Unknown block").await;
    assert_eq!(chain.books.state().head(), head);
    liars[0].tamper(|_, params, result| {
        if params[0] == "finalized" {
            *result = serde_json::Value::Null;
        }
    });
    watching.until_failed(0, "no final block").await;
    assert_eq!(chain.books.state().head(), head);
    liars[0].tell(Lie::None);
    chain.until_read().await;
}
