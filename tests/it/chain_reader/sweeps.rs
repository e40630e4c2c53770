//! Native coins that proxy wallets pay on are read from the factory's logs, with or without traces.

use alloy_primitives::{Address, B256};
use settlekit_server::chain::factory;
use settlekit_service::TransferIndex;
use settlekit_service::block::Transfer;
use settlekit_tests::anvil::{Transaction, abi, number, word};

use super::{Chain, address};

/// The place of the first word of `salts` in a call of `sweep`.
const SALTS_AT: u64 = 96;

impl Chain {
    /// Deploys the factory of proxy wallets.
    fn deploy_factory(&self) {
        let factory = &*factory::THIS;
        let deploy = factory.deployment();
        let from = self.anvil.account(0);
        self.anvil
            .send(&Transaction::call(from, factory.deployer, 0, deploy));
        self.anvil.mine(1);
        assert!(factory.is_code(&self.anvil.code(factory.address)));
    }

    /// The address of a proxy wallet, as the factory computes it.
    fn wallet(&self, destination: Address, salt: u8) -> Address {
        let salt = B256::repeat_byte(salt);
        let call = abi("addressOf(address,bytes32)", &[word(destination), salt.0]);
        let call = serde_json::json!({
            "to": factory::THIS.address.to_string(), "data": format!("0x{}", hex::encode(call)),
        });
        let found = self
            .anvil
            .call("eth_call", serde_json::json!([call, "latest"]));
        let digits = found.as_str().expect("an answer");
        format!("0x{}", &digits[26..]).parse().expect("an address")
    }

    /// Sweeps native coins of proxy wallets.
    fn sweep(&self, destination: Address, salts: &[u8]) -> B256 {
        let mut words = vec![
            word(destination),
            number(SALTS_AT),
            word(Address::ZERO),
            number(salts.len() as u64),
        ];
        words.extend(salts.iter().map(|salt| B256::repeat_byte(*salt).0));
        let call = abi("sweep(address,bytes32[],address)", &words);
        let from = self.anvil.account(5);
        self.anvil
            .send(&Transaction::call(from, factory::THIS.address, 0, call))
    }

    /// Reads all blocks after the start, with or without traces.
    async fn swept(&self, traces: bool) -> Vec<Transfer> {
        self.books.state().watch.traces = traces;
        let blocks = self.read_singly(&self.rpc()).await;
        assert_eq!(self.read_in_ranges(&self.rpc(), 7).await, blocks);
        let transfers = blocks.into_iter().flat_map(|block| block.transfers);
        transfers.collect()
    }
}

fn shown(transfers: &[Transfer]) -> Vec<(TransferIndex, Address, Address, u64)> {
    let transfers = transfers.iter();
    transfers
        .map(|one| (one.index, one.from, one.to, one.units.to()))
        .collect()
}

#[tokio::test]
async fn a_sweep_is_the_same_with_and_without_traces() {
    let chain = Chain::start(8453);
    chain.deploy_factory();
    let hot = chain.books.add_hot(address(7));
    let wallets = [1, 2].map(|salt| {
        let wallet = chain.books.add(chain.wallet(hot, salt));
        chain.books.state().proxies.insert(wallet, hot);
        wallet
    });
    for (units, wallet) in (10..).zip(wallets) {
        chain.anvil.pay(wallet, units);
    }
    chain.anvil.mine(1);
    let hash = chain.sweep(hot, &[1, 2]);
    chain.anvil.mine(1);
    // Deployed by now, and swept again.
    chain.anvil.pay(wallets[0], 12);
    chain.anvil.mine(1);
    chain.sweep(hot, &[1, 2]);
    chain.anvil.mine(1);
    let traced = chain.swept(true).await;
    let expected = [
        (TransferIndex::Value, wallets[0], 10),
        (TransferIndex::Value, wallets[1], 11),
        (TransferIndex::Log(0), hot, 10),
        (TransferIndex::Log(1), hot, 11),
        (TransferIndex::Value, wallets[0], 12),
        (TransferIndex::Log(0), hot, 12),
    ];
    let found = shown(&traced).into_iter();
    let found: Vec<_> = found
        .map(|(index, _, to, units)| (index, to, units))
        .collect();
    assert_eq!(found, expected);
    assert_eq!((traced[2].hash, traced[2].from), (hash, wallets[0]));
    assert_eq!(chain.swept(false).await, traced);
    let blocks = chain.read_singly(&chain.rpc()).await;
    chain.books.state().blocks.extend(blocks);
    chain.check_balances();
}

#[tokio::test]
async fn a_foreign_proxy_wallet_that_pays_a_hot_wallet_is_seen_in_traces() {
    let chain = Chain::start(1);
    chain.deploy_factory();
    let hot = chain.books.add_hot(address(7));
    // Anybody can make one for any destination; only the installation's own are known by their logs.
    let foreign = chain.wallet(hot, 9);
    chain.anvil.pay(foreign, 10);
    chain.anvil.mine(1);
    chain.sweep(hot, &[9]);
    chain.anvil.mine(1);
    let expected = [(TransferIndex::Trace(0), foreign, hot, 10)];
    assert_eq!(shown(&chain.swept(true).await), expected);
    assert_eq!(chain.swept(false).await, []);
}

#[tokio::test]
async fn a_sweep_of_an_empty_proxy_wallet_moves_nothing() {
    let chain = Chain::start(1);
    chain.deploy_factory();
    let hot = chain.books.add_hot(address(7));
    let wallet = chain.books.add(chain.wallet(hot, 1));
    chain.books.state().proxies.insert(wallet, hot);
    chain.sweep(hot, &[1]);
    chain.anvil.mine(1);
    assert_eq!(chain.swept(true).await, []);
    assert_eq!(chain.swept(false).await, []);
}
