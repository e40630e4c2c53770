//! `settlekit chain connect`: asks the nodes what the chain is, and refuses what they contradict.

use alloy_primitives::{Address, U256};
use settlekit_core::chain::{Asset, Chain, ExplorerUrl, PublicRpcUrl};
use settlekit_core::value::{ChainId, Currency};
use settlekit_service::block::BlockId;
use settlekit_service::catalogue::{self, KnownChain};
use settlekit_service::operator::NewConnection;

use super::agreed_chain::{NATIVE_SCALE, agreed_deployment, agreed_token, domain_of, log_range};
use super::failure::Failure;
use crate::chain::account::AtBlock;
use crate::chain::answer::Header;
use crate::chain::rpc::{self, Rpc, RpcError, RpcLimits};
use crate::config::{Confirmations, Token};

/// Distance of the first recorded block from the latest one: a reorganisation soon after the connection then ends at a recorded
/// block. Most nodes keep the states of 128 blocks.
const START_BELOW: u64 = 64;

/// The first block that nodes trace: geth refuses the genesis block, which has no transactions.
const FIRST_TRACED: u64 = 1;

/// The operator's settings of a chain.
#[derive(Debug)]
pub(super) struct ChainSettings {
    pub(super) chain: ChainId,
    pub(super) urls: Vec<String>,
    pub(super) confirmations: Option<Confirmations>,
    pub(super) tokens: Vec<Token>,
    pub(super) name: Option<String>,
    pub(super) native: Option<Currency>,
    pub(super) block_seconds: Option<u32>,
    pub(super) explorer: Option<ExplorerUrl>,
    pub(super) public_rpc: Option<PublicRpcUrl>,
    pub(super) is_test: bool,
    pub(super) clears_test_network: bool,
    pub(super) deploy: bool,
    pub(super) no_traces: bool,
    pub(super) no_mempool: bool,
}

impl From<RpcError> for Failure {
    fn from(error: RpcError) -> Self {
        error.to_string().into()
    }
}

/// Describes the chain by its nodes, with the current balances of the hot wallets.
pub(super) async fn describe(
    wish: ChainSettings,
    wallets: &[Address],
) -> Result<NewConnection, Failure> {
    let known = catalogue::known(wish.chain.get());
    if wish.clears_test_network
        && let Some(known) = known.filter(|known| known.is_test)
    {
        return Err(format!("{} is a test network: its money has no value", known.name).into());
    }
    let chain = chain_of(&wish, known)?;
    let client = rpc::http_client()?;
    let mut nodes = Vec::new();
    for url in &wish.urls {
        nodes.push(Rpc::new(client.clone(), url, RpcLimits::default())?);
    }
    let mut heads = Vec::new();
    for node in &nodes {
        node.check_chain(chain.id.get().unsigned_abs()).await?;
        heads.push(node.latest().await?);
    }
    // All nodes must have the first block.
    let lowest = heads.iter().map(|head| head.number).min();
    let (Some(node), Some(lowest)) = (nodes.first(), lowest) else {
        return Err("a chain needs the URL of a node: set --rpc".into());
    };
    let head = common_block(&nodes, start_below(lowest)).await?;
    let traces = !wish.no_traces && traces(&nodes, &head).await;
    if !wish.no_traces && !traces && head.number < FIRST_TRACED {
        return Err(format!(
            "{} has its genesis block only, which does not show whether its nodes trace: connect it after its next block, or with \
             --no-traces",
            chain.name
        )
        .into());
    }
    let mut assets = vec![Asset {
        symbol: chain.native_currency_symbol.clone(),
        scale: NATIVE_SCALE,
        token_address: None,
    }];
    let mut domains = Vec::new();
    for (symbol, contract, scale) in tokens_of(wish.chain, &wish.tokens, known)? {
        domains.push((
            symbol.clone(),
            domain_of(&nodes, wish.chain, contract).await?,
        ));
        assets.push(agreed_token(&nodes, (symbol, contract, scale)).await?);
    }
    let (mut opening, mut counts) = (Vec::new(), Vec::new());
    for wallet in wallets {
        counts.push((*wallet, count_of(&nodes, *wallet).await?));
        for asset in &assets {
            let balance = balance_of(&nodes, asset, *wallet, head.number).await?;
            if balance > U256::ZERO {
                opening.push((*wallet, asset.symbol.clone(), balance));
            }
        }
    }
    let (has_factory, deploy) = agreed_deployment(&nodes, &chain, wish.deploy).await?;
    let finality = wish.confirmations == Some(Confirmations::Finalized);
    Ok(NewConnection {
        confirmations: match wish.confirmations {
            Some(Confirmations::Depth(depth)) => depth,
            Some(Confirmations::Finalized) => finality_lag(&nodes).await?,
            None => known.map_or(12, |known| known.confirmations),
        },
        finality,
        block_seconds: wish
            .block_seconds
            .or(known.map(|known| known.block_seconds))
            .unwrap_or(12),
        explorer: (wish.explorer).or_else(|| known?.explorer.parse().ok()),
        public_rpc: (wish.public_rpc).or_else(|| known?.public_rpc?.parse().ok()),
        is_test: wish.is_test || known.is_some_and(|known| known.is_test),
        clears_test_network: wish.clears_test_network,
        has_factory,
        deploy,
        traces,
        mempool: !wish.no_mempool,
        log_range: log_range(&nodes, head.number, &assets).await?,
        head: BlockId {
            number: head.number,
            hash: head.hash,
        },
        base_fee: head.base_fee,
        priority_fee: node.priority_fee().await?,
        providers: wish.urls,
        chain,
        assets,
        domains,
        opening,
        counts,
    })
}

/// The first recorded block of a chain with a latest one.
fn start_below(latest: u64) -> u64 {
    let start = latest.saturating_sub(START_BELOW);
    start.max(latest.min(FIRST_TRACED))
}

fn chain_of(wish: &ChainSettings, known: Option<&KnownChain>) -> Result<Chain, Failure> {
    let native = known.and_then(|known| known.native.parse().ok());
    let name = wish
        .name
        .clone()
        .or_else(|| known.map(|known| known.name.to_owned()));
    let (Some(name), Some(native_currency_symbol)) = (name, wish.native.clone().or(native)) else {
        return Err(format!(
            "chain {} is not a usual one: describe it by --name and --native",
            wish.chain
        )
        .into());
    };
    Ok(Chain {
        id: wish.chain,
        name,
        native_currency_symbol,
    })
}

/// The wished tokens: symbol, contract, and the decimal places that are known of it.
pub(super) fn tokens_of(
    chain: ChainId,
    wished: &[Token],
    known: Option<&KnownChain>,
) -> Result<Vec<(Currency, Address, Option<u32>)>, Failure> {
    let known = known.map_or(&[][..], |known| known.tokens);
    let address = |text: &str| -> Result<Address, Failure> {
        text.parse()
            .map_err(|_| format!("{text} is not an address").into())
    };
    if wished.is_empty() {
        let all = known.iter().map(|token| {
            let symbol: Currency = token
                .symbol
                .parse()
                .map_err(|_| format!("{} is not a symbol", token.symbol))?;
            Ok((symbol, address(token.address)?, Some(token.scale)))
        });
        return all.collect();
    }
    let wished = wished.iter().map(|token| match &token.contract {
        Some(contract) => Ok((token.symbol.clone(), address(contract)?, None)),
        None => {
            let mut known = known.iter();
            let found = known.find(|known| known.symbol == token.symbol.as_str());
            let found = found.ok_or_else(|| {
                format!(
                    "{symbol} is not known on chain {chain}: name its contract, --token {symbol}=0x…",
                    symbol = token.symbol
                )
            })?;
            Ok((
                token.symbol.clone(),
                address(found.address)?,
                Some(found.scale),
            ))
        }
    });
    wished.collect()
}

/// The blocks until one is final, by the slowest node: about how many confirmations there are then.
async fn finality_lag(nodes: &[Rpc]) -> Result<u32, Failure> {
    let mut lag = 1;
    for node in nodes {
        let tip = node.tip(true).await?;
        let finalized = tip.finalized.map_or(0, |block| block.number);
        lag = lag.max(tip.latest.number.saturating_sub(finalized));
    }
    Ok(u32::try_from(lag).unwrap_or(u32::MAX))
}

async fn common_block(nodes: &[Rpc], number: u64) -> Result<Header, Failure> {
    let mut common: Option<Header> = None;
    for node in nodes {
        let header = node.header(number).await?;
        let header = header.ok_or_else(|| format!("{} has no block {number}", node.host()))?;
        if common
            .as_ref()
            .is_some_and(|common| common.hash != header.hash)
        {
            return Err(format!("the nodes disagree on block {number}: try again").into());
        }
        common = Some(header);
    }
    common.ok_or_else(|| "no node answers".into())
}

/// The number of a wallet's mined transactions, on which all nodes agree.
pub(super) async fn count_of(nodes: &[Rpc], wallet: Address) -> Result<u64, Failure> {
    let mut agreed = None;
    for node in nodes {
        let count = node.transaction_count(wallet).await?;
        if agreed.is_some_and(|agreed| agreed != count) {
            return Err(format!("the nodes disagree on the transactions of {wallet}").into());
        }
        agreed = Some(count);
    }
    Ok(agreed.unwrap_or(0))
}

/// The balance of an address at a block, on which all nodes agree: it becomes the operator's own money.
async fn balance_of(
    nodes: &[Rpc],
    asset: &Asset,
    address: Address,
    block: u64,
) -> Result<U256, Failure> {
    let mut agreed = None;
    for node in nodes {
        let found = balance(node, asset, address, block).await?;
        if agreed.is_some_and(|agreed| agreed != found) {
            return Err(format!("the nodes disagree on the {} of {address}", asset.symbol).into());
        }
        agreed = Some(found);
    }
    Ok(agreed.unwrap_or_default())
}

/// Whether all nodes trace.
async fn traces(nodes: &[Rpc], head: &Header) -> bool {
    for node in nodes {
        if !node.can_trace(head.hash).await {
            return false;
        }
    }
    true
}

/// The balance of an address at a block, in the currency's smallest unit.
pub(super) async fn balance(
    node: &Rpc,
    asset: &Asset,
    address: Address,
    block: u64,
) -> Result<U256, Failure> {
    let token = asset.token_address.as_deref().map(str::parse::<Address>);
    let at = AtBlock::Height(block);
    Ok(match token {
        None => node.native_balance(address, at).await?,
        Some(Ok(token)) => node.token_balance(token, address, at).await?,
        Some(Err(_)) => return Err(format!("{} has no EVM contract", asset.symbol).into()),
    })
}
