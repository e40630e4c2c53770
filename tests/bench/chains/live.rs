//! A live server in this process that is connected to a node.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use alloy_primitives::{Address, U256};
use serde_json::{Value, json};
use settlekit_core::chain::{Asset, Chain};
use settlekit_core::sign::{self, Nonce};
use settlekit_core::value::{ChainId, Timestamp};
use settlekit_core::{PREFIX, header};
use settlekit_server::chain::factory;
use settlekit_server::{Setup, build};
use settlekit_service::admin::{CreatedOrganisation, NewOrganisation};
use settlekit_service::authorization::TokenDomain;
use settlekit_service::block::BlockId;
use settlekit_service::operator::NewConnection;
use settlekit_service::store::migrate;
use settlekit_service::store::sqlite::Sqlite;
use settlekit_service::{Mode, Options, Seed, Service, Words};
use settlekit_tests::anvil::Anvil;
use tempfile::TempDir;

use crate::http::setup;
use crate::listening::Listening;

/// The chain of the node.
pub(crate) const CHAIN: u64 = 8453;

/// The hot wallet's words, of the test vectors of BIP 39. The node's own accounts send the transfers: the hot wallet is none of them.
const WORDS: &str = "legal winner thank year wave sausage worth useful legal winner thank yellow";

/// Gas money of the hot wallet, in wei.
const GAS_MONEY: u64 = 1_000_000_000_000_000_000;

/// A database that is connected to a node.
pub(crate) struct Installation {
    pub(crate) wallet: Address,
    shop: CreatedOrganisation,
    folder: TempDir,
}

impl Installation {
    /// Connects a node, asked at a URL, with blocks of one second and one confirmation.
    pub(crate) fn connect(node: &Anvil, url: &str, token: Address) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut database = Sqlite::open(&file_in(&folder)).expect("a file");
        let service = service();
        migrate::migrate(&mut database).expect("the history");
        let new = NewOrganisation {
            name: "Shop".to_owned(),
            partner: None,
            otc: false,
            inbox: false,
        };
        let shop = service.create_organisation(&mut database, &new, now(), Seed([1; 32]));
        let words = Words::parse(WORDS).expect("the words are valid");
        let wallet = service.import_wallet(&mut database, &words, now(), Seed([2; 32]));
        let wallet = wallet.expect("a wallet");
        node.set_balance(wallet, U256::from(GAS_MONEY));
        node.mine(1);
        let new = connection(node, url, token, wallet);
        let connected = service.connect_chain(&mut database, &new, now(), Seed([3; 32]));
        connected.expect("a connection");
        let limit = i128::from(GAS_MONEY);
        let done = service.set_payer_fees(&mut database, new.chain.id, Some(limit), now());
        done.expect("a limit");
        Self {
            wallet,
            shop: shop.expect("an organisation"),
            folder,
        }
    }

    /// Starts a server.
    pub(crate) async fn serve(self) -> Live {
        let setup = Setup {
            mode: Mode::Live,
            ..setup(&file_in(&self.folder))
        };
        let listening = Listening::start(build(&setup).expect("a server")).await;
        Live {
            installation: self,
            client: reqwest::Client::new(),
            nonces: AtomicU64::new(0),
            listening,
        }
    }
}

fn file_in(folder: &TempDir) -> PathBuf {
    folder.path().join("bench.db")
}

fn service() -> Service {
    Service::new(Options {
        master_key: [0; 32],
        mode: Mode::Live,
        allow_private_webhooks: true,
        public_url: "http://localhost".to_owned(),
    })
}

/// A running server.
pub(crate) struct Live {
    pub(crate) installation: Installation,
    client: reqwest::Client,
    nonces: AtomicU64,
    listening: Listening,
}

impl Live {
    /// Waits until the chain is recorded up to a height.
    pub(crate) async fn until_head(&self, height: u64) {
        let file = file_in(&self.installation.folder);
        let mut database = Sqlite::open(&file).expect("a file");
        let service = service();
        loop {
            let installation = service.installation(&mut database).expect("the chains");
            if installation.chains[0].head >= height {
                return;
            }
            // Each look takes the processor from the node and the server.
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
    }

    /// Sends a signed request; returns the record.
    pub(crate) async fn call(&self, method: &str, path: &str, body: Value) -> Value {
        let mut answer = self.ask(method, path, body).await;
        assert!(answer["data"].is_object(), "{path}: {answer}");
        answer["data"].take()
    }

    /// Sends a signed request; returns the whole body.
    pub(crate) async fn ask(&self, method: &str, path: &str, body: Value) -> Value {
        let url = format!("{}{PREFIX}{path}", self.listening.base);
        let mut request = http::Request::builder()
            .method(method)
            .uri(format!("{PREFIX}{path}"))
            .header(header::API_KEY, &self.installation.shop.api_key)
            .body(body.to_string().into_bytes())
            .expect("a request");
        let mut random = [0; 10];
        let number = self.nonces.fetch_add(1, Ordering::Relaxed);
        random[..8].copy_from_slice(&number.to_be_bytes());
        sign::sign(
            &mut request,
            &self.installation.shop.signing_secret,
            Nonce::new(now(), random),
        );
        let (parts, body) = request.into_parts();
        let sent = self
            .client
            .request(parts.method, url)
            .headers(parts.headers);
        let answer = sent.body(body).send().await.expect("an answer");
        let text = answer.text().await.expect("a text");
        serde_json::from_str(&text).expect("JSON")
    }

    /// Opens the account `till`.
    pub(crate) async fn open_till(&self) {
        let till = json!({ "reference": "till", "chain_id": CHAIN, "currencies": ["USDC"] });
        self.call("POST", "/accounts", till).await;
    }

    /// Creates a payment; returns the address to pay to.
    pub(crate) async fn payment(&self, amount: &str) -> Address {
        let body =
            json!({ "amount": amount, "currency": "USDC", "chain_id": CHAIN, "account": "till" });
        let payment = self.call("POST", "/payments", body).await;
        let address = payment["deposit_address"].as_str().expect("an address");
        address.parse().expect("an address")
    }

    pub(crate) async fn end(self) {
        self.listening.end().await;
    }
}

pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let since = since.expect("a clock that is set");
    Timestamp::from_millis(i64::try_from(since.as_millis()).expect("a timestamp"))
}

fn connection(node: &Anvil, url: &str, token: Address, wallet: Address) -> NewConnection {
    let currency = |text: &str| text.parse().expect("a currency");
    let number = node.height();
    NewConnection {
        chain: Chain {
            id: ChainId::new(CHAIN.cast_signed()).expect("a chain"),
            name: "Base".to_owned(),
            native_currency_symbol: currency("ETH"),
        },
        confirmations: 1,
        finality: false,
        block_seconds: 1,
        providers: vec![url.to_owned()],
        has_factory: false,
        deploy: Some((factory::THIS.deployer, factory::THIS.deployment())),
        traces: true,
        mempool: false,
        log_range: 1000,
        head: BlockId {
            number,
            hash: node.block_hash(number),
        },
        base_fee: 1_000_000_000,
        priority_fee: 1_000_000,
        counts: vec![(wallet, 0)],
        opening: vec![(wallet, currency("ETH"), U256::from(GAS_MONEY))],
        domains: vec![(
            currency("USDC"),
            Some(TokenDomain {
                name: "USD Coin".to_owned(),
                version: "2".to_owned(),
            }),
        )],
        assets: vec![
            Asset {
                symbol: currency("ETH"),
                scale: 18,
                token_address: None,
            },
            Asset {
                symbol: currency("USDC"),
                scale: 6,
                token_address: Some(token.to_string()),
            },
        ],
        explorer: None,
        public_rpc: None,
        is_test: false,
        clears_test_network: false,
    }
}
