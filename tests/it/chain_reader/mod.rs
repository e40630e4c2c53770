//! The reader of EVM chains, on real nodes: what it reports, how it follows forks, and what lies do to it.

mod books;
mod faults;
mod finality;
mod following;
mod mempool;
mod pairs;
mod reading;
mod reports;
mod spam;
mod sweeps;
mod traces;

use std::sync::Arc;
use std::time::Duration;

use alloy_primitives::{Address, U256};
use settlekit_core::value::ChainId;
use settlekit_server::chain::health::{Health, ProviderHealth};
use settlekit_server::chain::provider::Timing;
use settlekit_server::chain::rpc::{RpcLimits, http_client};
use settlekit_server::chain::supervise;
use settlekit_service::block::{BlockId, Watch};
use settlekit_tests::anvil::{Anvil, PAYER, TOKEN};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use books::Books;

/// The time for something to happen.
const DEADLINE: Duration = Duration::from_secs(20);

/// As quick as tests are, with a provider that never counts as down.
const TIMING: Timing = Timing {
    poll: Some(Duration::from_millis(5)),
    retry_min: Duration::from_millis(5),
    retry_max: Duration::from_millis(20),
    down_after: Duration::MAX,
    refresh: Duration::from_millis(50),
    limits: RpcLimits {
        timeout: Duration::from_secs(3),
        response_bytes: 64 * 1024 * 1024,
    },
};

/// A node with a token and a payer, and the books of what is reported of it.
struct Chain {
    anvil: Anvil,
    token: Address,
    payer: Address,
    books: Arc<Books>,
}

impl Chain {
    /// A node of a chain. Its first account holds a million units of the token.
    fn start(chain: u64) -> Self {
        Self::over(Anvil::start(chain), chain)
    }

    /// A chain of a node.
    fn over(anvil: Anvil, chain: u64) -> Self {
        let (token, payer) = (anvil.deploy(TOKEN), anvil.deploy(PAYER));
        anvil.mint(token, anvil.account(0), 1_000_000);
        anvil.mine(1);
        let watch = Watch {
            chain: ChainId::new(i64::try_from(chain).expect("a chain")).expect("a chain"),
            providers: vec![anvil.url()],
            tokens: vec![token],
            block_seconds: 1,
            confirmations: 3,
            finality: false,
            head: BlockId {
                number: anvil.height(),
                hash: anvil.block_hash(anvil.height()),
            },
            traces: true,
            mempool: false,
            log_range: 10_000,
        };
        Self {
            books: Arc::new(Books::new(watch)),
            anvil,
            token,
            payer,
        }
    }

    /// Asserts that what was reported explains every balance at the recorded head, to the last unit.
    fn check_balances(&self) {
        let state = self.books.state();
        let (start, head) = (state.blocks[0].number, state.head().number);
        for address in state.watched.iter().copied() {
            for token in [None, Some(self.token)] {
                let balance = |height| match token {
                    None => self.anvil.balance(address, height),
                    Some(token) => self.anvil.token_balance(token, address, height),
                };
                let mut expected = balance(start);
                let transfers = state.blocks.iter().flat_map(|block| &block.transfers);
                for transfer in transfers.filter(|transfer| transfer.token == token) {
                    expected += if transfer.to == address {
                        transfer.units
                    } else {
                        U256::ZERO
                    };
                    expected -= if transfer.from == address {
                        transfer.units
                    } else {
                        U256::ZERO
                    };
                }
                let sent = state.blocks.iter().flat_map(|block| &block.sent);
                for mined in sent.filter(|mined| token.is_none() && mined.from == address) {
                    expected -= mined.fee;
                }
                assert_eq!(balance(head), expected, "{address} {token:?}");
            }
        }
    }
}

/// An address that nobody else uses.
fn address(number: u64) -> Address {
    Address::from_word(U256::from(0xabcd_0000_0000_u64 + number).into())
}

/// Running watchers; dropped, they end.
struct Watching {
    health: Arc<Health>,
    _stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Watching {
    /// Watches the chain of the books, quickly.
    fn start(books: &Arc<Books>) -> Self {
        Self::start_with(books, TIMING)
    }

    fn start_with(books: &Arc<Books>, timing: Timing) -> Self {
        let health = Arc::new(Health::default());
        let (stop, stopped) = watch::channel(false);
        let run = supervise::run(Arc::clone(books), timing, Arc::clone(&health), stopped);
        Self {
            task: tokio::spawn(run),
            health,
            _stop: stop,
        }
    }

    /// Waits until a provider's health is as wanted.
    async fn until_provider(&self, number: usize, is: impl Fn(&ProviderHealth) -> bool) {
        let found = || {
            let health = self.health.all();
            let chain = health.values().next();
            chain.is_some_and(|chain| is(&chain.providers[number]))
        };
        self.until(found).await;
    }

    /// Waits until a provider failed with a reason.
    async fn until_failed(&self, number: usize, reason: &str) {
        let failed = |provider: &ProviderHealth| {
            let error = provider.last_error.as_ref();
            error.is_some_and(|(_, error)| error.contains(reason))
        };
        self.until_provider(number, failed).await;
    }

    /// Whether the last answer of a provider was a failure with a reason.
    fn has_failed(&self, number: usize, reason: &str) -> bool {
        let health = self.health.all();
        let provider = health.values().next().map(|chain| &chain.providers[number]);
        let error = provider.and_then(|provider| provider.last_error.as_ref());
        error.is_some_and(|(_, error)| error.contains(reason))
    }

    /// Waits until the chain is halted for a reason.
    async fn until_problem(&self, reason: &str) {
        let is_halted = || {
            let health = self.health.all();
            let problem = health
                .values()
                .next()
                .and_then(|chain| chain.problem.clone());
            problem.is_some_and(|problem| problem.contains(reason))
        };
        self.until(is_halted).await;
    }

    async fn until(&self, is: impl Fn() -> bool) {
        let waited = tokio::time::timeout(DEADLINE, async {
            while !is() {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        });
        assert!(waited.await.is_ok(), "{:#?}", self.health.all());
    }
}

fn client() -> reqwest::Client {
    http_client().expect("a client")
}
