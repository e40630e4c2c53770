-- The schema, one text for SQLite and PostgreSQL; `store/dialect.rs` explains the words in braces.
--
-- Times are UTC microseconds. Amounts are integers of the asset's smallest unit. `record` is the contract's record as JSON; a column
-- that a query searches by is written in the same statement. `seq` is dense per owner, so that a page is a range and a count is a
-- difference.

-- == The database itself ==

-- What holds for the whole database, such as its mode.
CREATE TABLE settings (
    name {ID} NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) {STRICT};

-- PostgreSQL locks this empty table for each transaction that writes, so that they run one after another.
CREATE TABLE writer_lock (
    empty BIGINT
) {STRICT};

-- == Organisations and who may act for them ==

-- A merchant, a partner or a sub-merchant. `seq` numbers the sub-merchants of a partner. `search` is the name as it is searched.
CREATE TABLE organisations (
    id {ID} NOT NULL PRIMARY KEY,
    partner_id {ID} REFERENCES organisations (id),
    seq BIGINT,
    otc BIGINT NOT NULL,
    suspended BIGINT NOT NULL DEFAULT 0,
    signing_secret {BLOB} NOT NULL,
    webhook_url TEXT,
    reporting_currency {ID},
    search TEXT NOT NULL DEFAULT '',
    record TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
) {STRICT};
CREATE UNIQUE INDEX organisations_of_partner ON organisations (partner_id, seq) WHERE partner_id IS NOT NULL;
-- A search reads all names of a partner's sub-merchants in this index alone.
CREATE INDEX organisations_by_name ON organisations (partner_id, search, seq, id) WHERE partner_id IS NOT NULL;

-- Replaced signing secrets that still verify requests until they retire.
CREATE TABLE retired_signing_secrets (
    org_id {ID} NOT NULL REFERENCES organisations (id),
    secret_id {ID} NOT NULL,
    secret {BLOB} NOT NULL,
    retires_at BIGINT NOT NULL,
    PRIMARY KEY (org_id, secret_id)
) {CLUSTERED};

-- The keys that sign webhooks: the current one and those that a rotation lets overlap.
CREATE TABLE webhook_keys (
    org_id {ID} NOT NULL REFERENCES organisations (id),
    key_id {ID} NOT NULL,
    secret {BLOB} NOT NULL,
    created_at BIGINT NOT NULL,
    retires_at BIGINT,
    PRIMARY KEY (org_id, key_id)
) {CLUSTERED};

-- API keys, by the hash of their secret.
CREATE TABLE api_keys (
    id {ID} NOT NULL PRIMARY KEY,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    seq BIGINT NOT NULL,
    secret_hash {BLOB} NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    record TEXT NOT NULL,
    last_used_at BIGINT,
    expires_at BIGINT,
    revoked_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (org_id, seq)
) {STRICT};

-- People who sign in with a password. Each is a member of one organisation or of several.
CREATE TABLE users (
    id {ID} NOT NULL PRIMARY KEY,
    email {ID} NOT NULL UNIQUE,
    name TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    created_at BIGINT NOT NULL
) {STRICT};

-- The people of an organisation and its open invitations. `user_id` is NULL until the invitation is accepted, and after the removal.
-- `installation_operator` marks those who also operate the installation.
CREATE TABLE members (
    id {ID} NOT NULL PRIMARY KEY,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    seq BIGINT NOT NULL,
    user_id {ID} REFERENCES users (id),
    email {ID} NOT NULL,
    name TEXT,
    role {ID} NOT NULL,
    invitation_hash {BLOB} UNIQUE,
    invitation_expires_at BIGINT,
    joined_at BIGINT,
    last_signed_in_at BIGINT,
    removed_at BIGINT,
    installation_operator BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (org_id, seq)
) {STRICT};
CREATE UNIQUE INDEX members_by_email ON members (org_id, email) WHERE removed_at IS NULL;
CREATE INDEX members_by_user ON members (user_id);

-- Signed-in browsers, by the hash of their token. A session is in one organisation, as one of its members.
CREATE TABLE sessions (
    token_hash {BLOB} NOT NULL PRIMARY KEY,
    member_id {ID} NOT NULL REFERENCES members (id),
    org_id {ID} NOT NULL REFERENCES organisations (id),
    csrf_token {ID} NOT NULL,
    step_up_hash {BLOB},
    step_up_until BIGINT,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
) {STRICT};
CREATE INDEX sessions_by_end ON sessions (expires_at);
CREATE INDEX sessions_by_member ON sessions (member_id);

-- Views of the dashboard's lists that members saved. `user_id` is the author, NULL for a shared view whose author was removed.
CREATE TABLE saved_views (
    id {ID} NOT NULL PRIMARY KEY,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    user_id {ID},
    page TEXT NOT NULL,
    name {ID} NOT NULL,
    query TEXT NOT NULL,
    shared BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
) {STRICT};
CREATE INDEX saved_views_by_author ON saved_views (org_id, user_id);
CREATE INDEX saved_views_shared ON saved_views (org_id) WHERE shared = 1;

-- Notes of members on records. `author` is the name of the author at the time; `user_id` is NULL for a note that was imported.
CREATE TABLE notes (
    id {ID} NOT NULL PRIMARY KEY,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    record_type {ID} NOT NULL,
    record_id {ID} NOT NULL,
    text TEXT NOT NULL,
    author TEXT NOT NULL,
    user_id {ID},
    created_at BIGINT NOT NULL
) {STRICT};
CREATE INDEX notes_of_record ON notes (org_id, record_id, record_type, created_at, id);

-- Failed password attempts: those of strangers at an account, and those of each device on which it has signed in. The bucket is
-- a hash.
CREATE TABLE password_failures (
    bucket {BLOB} NOT NULL PRIMARY KEY,
    failures BIGINT NOT NULL,
    blocked_until BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
) {STRICT};
CREATE INDEX password_failures_by_end ON password_failures (expires_at);

-- Nonces of signed requests, kept until their time window has passed.
CREATE TABLE nonces (
    key_id {ID} NOT NULL,
    nonce {ID} NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (key_id, nonce)
) {CLUSTERED};
CREATE INDEX nonces_by_end ON nonces (expires_at);

-- Answers that a repeated Idempotency-Key gets again, sealed.
CREATE TABLE idempotency (
    caller {ID} NOT NULL,
    idempotency_key {ID} NOT NULL,
    fingerprint {BLOB} NOT NULL,
    status BIGINT NOT NULL,
    body {BLOB} NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (caller, idempotency_key)
) {STRICT};
CREATE INDEX idempotency_by_end ON idempotency (expires_at);

-- == Chains ==

-- The chains that an installation knows. `explorer_url` has the pages of a block explorer, `public_rpc_url` is a
-- node for the wallets of payers, `test_network` marks money without value.
CREATE TABLE chains (
    id BIGINT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    native_symbol {ID} NOT NULL,
    family {ID} NOT NULL,
    confirmations_required BIGINT NOT NULL,
    block_seconds BIGINT NOT NULL,
    explorer_url TEXT,
    public_rpc_url TEXT,
    test_network BIGINT NOT NULL DEFAULT 0
) {STRICT};
INSERT INTO chains (id, name, native_symbol, family, confirmations_required, block_seconds) VALUES
    (1, 'Ethereum', 'ETH', 'evm', 6, 1),
    (10, 'Optimism', 'ETH', 'evm', 3, 1),
    (56, 'BNB Smart Chain', 'BNB', 'evm', 5, 1),
    (137, 'Polygon', 'POL', 'evm', 4, 1),
    (8453, 'Base', 'ETH', 'evm', 3, 1),
    (42161, 'Arbitrum', 'ETH', 'evm', 3, 1);

-- The currencies of a chain, with the decimal places of their smallest unit.
CREATE TABLE assets (
    chain_id BIGINT NOT NULL REFERENCES chains (id),
    symbol {ID} NOT NULL,
    scale BIGINT NOT NULL,
    token_address TEXT,
    PRIMARY KEY (chain_id, symbol)
) {CLUSTERED};
INSERT INTO assets (chain_id, symbol, scale, token_address) VALUES
    (1, 'ETH', 18, NULL),
    (1, 'USDC', 6, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
    (1, 'USDT', 6, '0xdAC17F958D2ee523a2206206994597C13D831ec7'),
    (1, 'EURC', 6, '0x1aBaEA1f7C830bD89Acc67eC4af516284b1bC33c'),
    (10, 'ETH', 18, NULL),
    (10, 'USDC', 6, '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85'),
    (56, 'BNB', 18, NULL),
    (56, 'USDC', 18, '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d'),
    (56, 'USDT', 18, '0x55d398326f99059fF775485246999027B3197955'),
    (137, 'POL', 18, NULL),
    (137, 'USDC', 6, '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'),
    (137, 'USDT', 6, '0xc2132D05D31c914a87C6611C10748AEb04B58e8F'),
    (8453, 'ETH', 18, NULL),
    (8453, 'USDC', 6, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'),
    (8453, 'EURC', 6, '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42'),
    (42161, 'ETH', 18, NULL),
    (42161, 'USDC', 6, '0xaf88d065e77c8cC2239327C5EDb3A432268e5831');

-- Chains with nodes to read and to send by. `providers` holds the sealed URLs of the nodes, `block` and `block_hash` the latest
-- recorded block, `first_block` the one that it began with, `settled` the latest settled one, by the nodes' word on a chain with
-- `finality`, `base_fee` and `priority_fee` the wei per gas at the latest block. `watcher` is the server that reads the chain, until
-- `watched_until` unless it goes on.
-- `has_factory` is 1 when the chain has the factory of proxy wallets. `payer_fees_per_day` is the most in wei that the operator pays the
-- network a day (UTC) for the payers of one organisation; NULL for nothing. `clock_lag` is the least time in microseconds from a block's own time
-- until it was recorded; NULL before the first block.
CREATE TABLE connections (
    chain_id BIGINT NOT NULL PRIMARY KEY REFERENCES chains (id),
    providers {BLOB} NOT NULL,
    traces BIGINT NOT NULL,
    mempool BIGINT NOT NULL,
    log_range BIGINT NOT NULL,
    paused BIGINT NOT NULL,
    has_factory BIGINT NOT NULL,
    first_block BIGINT NOT NULL,
    block BIGINT NOT NULL,
    block_hash {ID} NOT NULL,
    finality BIGINT NOT NULL,
    settled BIGINT NOT NULL,
    base_fee {AMOUNT} NOT NULL,
    priority_fee {AMOUNT} NOT NULL,
    payer_fees_per_day {AMOUNT},
    clock_lag BIGINT,
    watcher {ID} NOT NULL DEFAULT '',
    watched_until BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
) {STRICT};

-- What the server that watches a chain last told: head, nodes and their health, as JSON.
CREATE TABLE chain_reports (
    chain_id BIGINT NOT NULL PRIMARY KEY REFERENCES chains (id),
    report TEXT NOT NULL
) {STRICT};

-- The latest comparison of the books with each chain, as JSON.
CREATE TABLE chain_comparisons (
    chain_id BIGINT NOT NULL PRIMARY KEY REFERENCES chains (id),
    comparison TEXT NOT NULL
) {STRICT};

-- Tokens that a chain does not take, with the transfers of them that were seen. Only the latest are kept.
CREATE TABLE unconfigured_tokens (
    chain_id BIGINT NOT NULL REFERENCES chains (id),
    contract {ID} NOT NULL,
    transfers BIGINT NOT NULL,
    last_block BIGINT NOT NULL,
    PRIMARY KEY (chain_id, contract)
) {CLUSTERED};

-- The latest blocks of each connected chain, to find the fork after a reorganisation.
CREATE TABLE blocks (
    chain_id BIGINT NOT NULL REFERENCES chains (id),
    number BIGINT NOT NULL,
    hash {ID} NOT NULL,
    PRIMARY KEY (chain_id, number)
) {CLUSTERED};

-- The connected sources of prices. `max_age` is in microseconds. `asked_at` names the round that is being asked, whose answer alone
-- counts; `due_at` is when the source is asked next, by whichever server comes first. `singly` is 1 when each currency is asked for
-- by itself, `failures` counts those since the last success. Chainlink is read on a chain instead of at a URL; `sequencer` is the
-- contract that tells whether a rollup is up.
CREATE TABLE price_sources (
    source {ID} NOT NULL PRIMARY KEY,
    url TEXT NOT NULL,
    chain_id BIGINT REFERENCES chains (id),
    sequencer {ID},
    max_age BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    asked_at BIGINT NOT NULL DEFAULT 0,
    singly BIGINT NOT NULL DEFAULT 0,
    failures BIGINT NOT NULL DEFAULT 0,
    failing_since BIGINT,
    last_error TEXT,
    succeeded_at BIGINT,
    paused_until BIGINT,
    created_at BIGINT NOT NULL
) {STRICT};

-- The contracts that give Chainlink's prices on the chain of the source, with the decimal places of their answers. A new round
-- comes at least every `heartbeat` seconds.
CREATE TABLE price_feeds (
    currency {ID} NOT NULL PRIMARY KEY,
    address {ID} NOT NULL,
    decimals BIGINT NOT NULL,
    heartbeat BIGINT NOT NULL
) {STRICT};

-- The latest price of each source and currency, in units of 10^-12 US dollars. Its age counts from `priced_at`; `source_at` is the
-- source's own time. It is not used before `usable_at`. `traded` is 0 when the source does not quote the currency.
CREATE TABLE prices (
    currency {ID} NOT NULL,
    source {ID} NOT NULL REFERENCES price_sources (source),
    price {AMOUNT},
    priced_at BIGINT NOT NULL,
    source_at BIGINT,
    fetched_at BIGINT NOT NULL,
    usable_at BIGINT NOT NULL DEFAULT 0,
    traded BIGINT NOT NULL DEFAULT 1,
    strays BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (currency, source)
) {CLUSTERED};

-- The last price used in each hour since 1970, and when, for a year. In a sandbox: the prices that were set, from that hour on.
CREATE TABLE price_history (
    currency {ID} NOT NULL,
    hour BIGINT NOT NULL,
    price {AMOUNT} NOT NULL,
    used_at BIGINT NOT NULL,
    PRIMARY KEY (currency, hour)
) {CLUSTERED};

-- Uniswap on connected chains, or an exchange with its interface: the contracts, and the pools of the chain's tokens once they were
-- found. `slippage` is how much worse than its quote a swap may be, `v2_fee` and `fee` are those of pools, all in millionths.
-- `asked_at` names the round that is being read, whose answers alone count; `due_at` is when the pools are read next, by whichever
-- server comes first. `failures` counts those since the last success.
CREATE TABLE venues (
    chain_id BIGINT NOT NULL PRIMARY KEY REFERENCES chains (id),
    name {ID} NOT NULL,
    wrapped_native {ID} NOT NULL,
    v2_factory {ID},
    v2_router {ID},
    v2_fee BIGINT,
    v3_factory {ID},
    v3_quoter {ID},
    v3_router {ID},
    v3_router_is_second BIGINT NOT NULL,
    slippage BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    asked_at BIGINT NOT NULL DEFAULT 0,
    failures BIGINT NOT NULL DEFAULT 0,
    failing_since BIGINT,
    last_error TEXT,
    succeeded_at BIGINT,
    created_at BIGINT NOT NULL
) {STRICT};

-- Pools of a venue, of version 2 without a fee of their own. What a pool held are numbers of up to 256 bits: reserves or balances, and for
-- version 3 liquidity and square root of the price. They are NULL while the pool cannot be used.
CREATE TABLE venue_pools (
    id {IDENTITY},
    chain_id BIGINT NOT NULL REFERENCES venues (chain_id),
    address {ID} NOT NULL,
    token0 {ID} NOT NULL,
    token1 {ID} NOT NULL,
    fee BIGINT,
    held0 TEXT,
    held1 TEXT,
    liquidity TEXT,
    sqrt_price TEXT,
    UNIQUE (chain_id, address)
) {STRICT};

-- The operator's exchange accounts, behind an API. `credentials` are sealed. `nonce` is that of the last request: that of the next is
-- higher. `requested_at` is when the request under way was made, 0 for none. No request is made before `paused_until`. `trading` is 1
-- if orders and withdrawals may be sent. `balances_nonce` is the nonce of the request whose balances are stored, and `order_nonce` was
-- `nonce` when the last sent order ended. `key_changes` counts the replacements of the API key. The columns from `due_at` on are as in
-- `venues`, for reading the balances.
CREATE TABLE exchange_accounts (
    name {ID} NOT NULL PRIMARY KEY,
    url TEXT NOT NULL,
    credentials {BLOB} NOT NULL,
    nonce BIGINT NOT NULL,
    requested_at BIGINT NOT NULL DEFAULT 0,
    paused_until BIGINT NOT NULL DEFAULT 0,
    trading BIGINT NOT NULL DEFAULT 0,
    balances_nonce BIGINT NOT NULL DEFAULT 0,
    order_nonce BIGINT NOT NULL DEFAULT 0,
    key_changes BIGINT NOT NULL DEFAULT 0,
    due_at BIGINT NOT NULL,
    asked_at BIGINT NOT NULL DEFAULT 0,
    failures BIGINT NOT NULL DEFAULT 0,
    failing_since BIGINT,
    last_error TEXT,
    succeeded_at BIGINT,
    created_at BIGINT NOT NULL
) {STRICT};

-- Orders at exchange accounts. `id` is the client's id of the order, `exchange_id` the exchange's, once it is known. A New order was not
-- sent; a Sent one may have reached the exchange, from before its request left until its outcome is known; Closed, Refused, NotPlaced
-- and Unknown are final. `refusal` is the exchange's, until it does not list the order either; `absences` counts the answers since the
-- last failure that list the order nowhere. `org_id` and `order_id` are of the merchant's order that it covers, if any, `part` is the
-- index of the sold asset, and `wallet` is the hot wallet that pays the merchant. `volume` and `executed` are in the first currency of the market, `price`, `cost` and `fee` in the
-- second. The columns from `due_at` on are as in `venues`, for asking about the order.
CREATE TABLE exchange_orders (
    id {ID} NOT NULL PRIMARY KEY,
    org_id {ID},
    order_id {ID},
    part BIGINT,
    wallet {ID},
    account {ID} NOT NULL,
    market {ID} NOT NULL,
    side {ID} NOT NULL,
    volume TEXT NOT NULL,
    price TEXT NOT NULL,
    status {ID} NOT NULL,
    exchange_id {ID},
    refusal TEXT,
    absences BIGINT NOT NULL DEFAULT 0,
    executed TEXT,
    cost TEXT,
    fee TEXT,
    created_at BIGINT NOT NULL,
    sent_at BIGINT,
    due_at BIGINT NOT NULL,
    asked_at BIGINT NOT NULL DEFAULT 0,
    failures BIGINT NOT NULL DEFAULT 0,
    failing_since BIGINT,
    last_error TEXT,
    succeeded_at BIGINT,
    CHECK ((order_id IS NULL) = (part IS NULL))
) {STRICT};
CREATE INDEX exchange_orders_by_time ON exchange_orders (created_at, id);
CREATE INDEX exchange_orders_under_way ON exchange_orders (account, due_at) WHERE status IN ('New', 'Sent');
-- SQLite does not use the index above for `status = 'New'` alone.
CREATE INDEX exchange_orders_new ON exchange_orders (created_at, id) WHERE status = 'New';
CREATE UNIQUE INDEX exchange_orders_of_orders ON exchange_orders (org_id, order_id, part) WHERE order_id IS NOT NULL;
CREATE INDEX exchange_orders_in_doubt ON exchange_orders (account, status) WHERE status IN ('Sent', 'Unknown');

-- Withdrawals from exchange accounts to the hot wallet `wallet`. `key_name` is the exchange's name of its address, `address` that address as
-- the exchange lists it, and `fee` the exchange's, in the currency: `amount` contains it. `known_ids` are the withdrawals that the exchange
-- listed before, as JSON; they were read at `checked_at`. A Queued withdrawal was not sent; a Sending one may have reached the exchange,
-- from before its request left until the answer; that of an Unknown one was lost; an Accepted one is under way by the exchange's id
-- `exchange_id`, which `id_source` has named; Completed, Failed, Refused and NotSent are final. `sent_key` is the account's `key_changes`
-- when it was sent, and `accepted_nonce` its `nonce` when the acceptance was recorded: balances of a higher one are less by it. `refusal` is the exchange's, until it does not list the withdrawal
-- either; `absences` counts the answers that do not tell which withdrawal it is. The columns from `due_at` on are as in `venues`, for
-- asking about the withdrawal. An account has one under way in a currency, and no two have one id.
CREATE TABLE exchange_withdrawals (
    id {ID} NOT NULL PRIMARY KEY,
    account {ID} NOT NULL,
    currency {ID} NOT NULL,
    chain_id BIGINT NOT NULL,
    wallet {ID} NOT NULL,
    key_name TEXT NOT NULL,
    amount TEXT NOT NULL,
    status {ID} NOT NULL,
    address TEXT,
    fee TEXT,
    known_ids TEXT,
    checked_at BIGINT,
    exchange_id {ID},
    id_source {ID},
    hash {ID},
    refusal TEXT,
    absences BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    sent_at BIGINT,
    sent_key BIGINT,
    accepted_nonce BIGINT,
    due_at BIGINT NOT NULL,
    asked_at BIGINT NOT NULL DEFAULT 0,
    failures BIGINT NOT NULL DEFAULT 0,
    failing_since BIGINT,
    last_error TEXT,
    succeeded_at BIGINT
) {STRICT};
CREATE INDEX exchange_withdrawals_by_time ON exchange_withdrawals (created_at, id);
CREATE UNIQUE INDEX exchange_withdrawals_under_way ON exchange_withdrawals (account, currency)
    WHERE status IN ('Queued', 'Sending', 'Unknown', 'Accepted');
CREATE UNIQUE INDEX exchange_withdrawals_by_exchange_id ON exchange_withdrawals (account, exchange_id) WHERE exchange_id IS NOT NULL;

-- Non-zero balances of an exchange account at the last read: the total, and the part that open orders hold.
CREATE TABLE exchange_balances (
    account {ID} NOT NULL REFERENCES exchange_accounts (name),
    currency {ID} NOT NULL,
    total TEXT NOT NULL,
    reserved TEXT NOT NULL,
    PRIMARY KEY (account, currency)
) {CLUSTERED};

-- Markets at an exchange account in which quotes are traded. `market` is two symbols, `ETH/USDC`; `margin` and the exchange's `fee` are in
-- millionths. Prices are multiples of `tick`, volumes of `lot`. `refusal` is the exchange's refusal of an order that contradicts these
-- terms: the market has no quotes until it is added again. `book` is the order book when it was read last, as JSON. The columns from
-- `due_at` on are as in `venues`, for reading it.
CREATE TABLE exchange_markets (
    id {IDENTITY},
    account {ID} NOT NULL,
    market {ID} NOT NULL,
    margin BIGINT NOT NULL,
    fee BIGINT NOT NULL,
    tick TEXT NOT NULL,
    lot TEXT NOT NULL,
    volume_min TEXT NOT NULL,
    cost_min TEXT NOT NULL,
    refusal TEXT,
    book TEXT,
    due_at BIGINT NOT NULL,
    asked_at BIGINT NOT NULL DEFAULT 0,
    failures BIGINT NOT NULL DEFAULT 0,
    failing_since BIGINT,
    last_error TEXT,
    succeeded_at BIGINT,
    created_at BIGINT NOT NULL,
    UNIQUE (account, market)
) {STRICT};

-- Money that trades at exchange accounts have moved from merchants to the operator, negative for the other way, by the hot wallet that
-- holds it. The sum is that of the ledger accounts of kind `exchange`. `reserved` is promised to merchants by the orders under way.
CREATE TABLE exchange_positions (
    chain_id BIGINT NOT NULL,
    currency {ID} NOT NULL,
    wallet {ID} NOT NULL,
    posted {AMOUNT} NOT NULL,
    reserved {AMOUNT} NOT NULL,
    PRIMARY KEY (chain_id, currency, wallet)
) {CLUSTERED};

-- Hot wallets. One is in use; what the others hold goes on to it. `secret` is sealed: the seed, or the URL of an external signer.
CREATE TABLE wallets (
    address {ID} NOT NULL PRIMARY KEY,
    secret {BLOB} NOT NULL,
    is_external BIGINT NOT NULL,
    derivation_index BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    retired_at BIGINT
) {STRICT};

-- The next nonce of a hot wallet or of a derived address on a chain.
CREATE TABLE nonces_of_wallets (
    address {ID} NOT NULL,
    chain_id BIGINT NOT NULL REFERENCES chains (id),
    next BIGINT NOT NULL,
    PRIMARY KEY (address, chain_id)
) {CLUSTERED};

-- Proxy wallets: contracts at addresses computed from factory, destination and salt, deployed when first swept.
CREATE TABLE proxies (
    address {ID} NOT NULL PRIMARY KEY,
    destination {ID} NOT NULL,
    salt {ID} NOT NULL
) {CLUSTERED};

-- Pay-in addresses on chains without the factory of proxies. Their keys come from the seed of a hot wallet, by an index that counts
-- for the installation.
CREATE TABLE derived_addresses (
    address {ID} NOT NULL PRIMARY KEY,
    wallet {ID} NOT NULL REFERENCES wallets (address),
    derivation_index BIGINT NOT NULL UNIQUE
) {CLUSTERED};

-- The next index of a derived address: one row. An index is never used again, whatever the seed.
CREATE TABLE derived_indexes (
    id BIGINT NOT NULL PRIMARY KEY,
    next BIGINT NOT NULL
) {CLUSTERED};

-- Transfers from and to proxies, hot wallets and merchants' own wallets in the latest blocks, the network's fees among them. One is settled, that is
-- counted in the holdings, when its block has its confirmations.
CREATE TABLE held_transfers (
    chain_id BIGINT NOT NULL REFERENCES chains (id),
    block BIGINT NOT NULL,
    hash {ID} NOT NULL,
    transfer {ID} NOT NULL,
    from_address {ID} NOT NULL,
    to_address {ID} NOT NULL,
    currency {ID} NOT NULL,
    amount {AMOUNT} NOT NULL,
    settled BIGINT NOT NULL,
    PRIMARY KEY (chain_id, block, hash, transfer)
) {CLUSTERED};
CREATE INDEX held_transfers_unsettled ON held_transfers (chain_id, block) WHERE settled = 0;

-- What lies at each proxy, hot wallet and merchant's own wallet, by the settled transfers, and when a proxy is swept. `sweeps` counts
-- the sweeps that left it there.
CREATE TABLE holdings (
    chain_id BIGINT NOT NULL REFERENCES chains (id),
    address {ID} NOT NULL,
    currency {ID} NOT NULL,
    amount {AMOUNT} NOT NULL,
    sweep_at BIGINT NOT NULL,
    sweeps BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (chain_id, address, currency)
) {CLUSTERED};
CREATE INDEX holdings_by_time ON holdings (chain_id, sweep_at);

-- The number and the sum of the holdings at proxies, by currency.
CREATE TABLE proxy_sums (
    chain_id BIGINT NOT NULL REFERENCES chains (id),
    currency {ID} NOT NULL,
    proxies BIGINT NOT NULL,
    amount {AMOUNT} NOT NULL,
    PRIMARY KEY (chain_id, currency)
) {CLUSTERED};

-- The operator's own money in hot wallets, which pays the network: what was put in, what the network took, and what left by
-- other hands. `balance` is the sum on the chain so far, `address_balance` that of the address.
CREATE TABLE operator_entries (
    id {IDENTITY},
    chain_id BIGINT NOT NULL REFERENCES chains (id),
    address {ID} NOT NULL,
    currency {ID} NOT NULL,
    amount {AMOUNT} NOT NULL,
    balance {AMOUNT} NOT NULL,
    address_balance {AMOUNT} NOT NULL,
    cause {ID} NOT NULL,
    hash {ID} NOT NULL,
    block BIGINT NOT NULL,
    created_at BIGINT NOT NULL
) {STRICT};
CREATE INDEX operator_entries_by_currency ON operator_entries (chain_id, currency, id);
CREATE INDEX operator_entries_by_address ON operator_entries (chain_id, currency, address, id);
CREATE INDEX operator_entries_by_block ON operator_entries (chain_id, block);

-- Transactions of hot wallets and derived addresses, from the wish to send to their final block. `nonce` is taken when one is signed; `currency` and
-- `amount` are what leaves the wallet. `refusals` counts how often nodes refused the signed bytes since one took them. `part` is the index
-- of the sold asset of the order `order_id`: of each part there is one approval and one swap.
CREATE TABLE outgoing_transactions (
    id {IDENTITY},
    chain_id BIGINT NOT NULL REFERENCES chains (id),
    sender {ID} NOT NULL,
    nonce BIGINT,
    purpose {ID} NOT NULL,
    org_id {ID},
    payment_id {ID},
    order_id {ID},
    part BIGINT,
    to_address {ID} NOT NULL,
    value {AMOUNT} NOT NULL,
    data TEXT NOT NULL,
    currency {ID} NOT NULL,
    amount {AMOUNT} NOT NULL,
    gas_limit BIGINT,
    status {ID} NOT NULL,
    block BIGINT,
    hash {ID},
    succeeded BIGINT,
    fee {AMOUNT},
    refusals BIGINT NOT NULL,
    due_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    CHECK ((order_id IS NULL) = (part IS NULL))
) {STRICT};
CREATE UNIQUE INDEX outgoing_transactions_by_nonce ON outgoing_transactions (sender, chain_id, nonce) WHERE nonce IS NOT NULL;
CREATE INDEX outgoing_transactions_open_nonces ON outgoing_transactions (sender, chain_id, nonce)
    WHERE status IN ('Unsigned', 'Signed', 'Sent', 'Abandoned');
CREATE INDEX outgoing_transactions_due ON outgoing_transactions (chain_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX outgoing_transactions_by_block ON outgoing_transactions (chain_id, block) WHERE block IS NOT NULL;
CREATE INDEX outgoing_transactions_open ON outgoing_transactions (chain_id, purpose) WHERE status NOT IN ('Settled', 'Refused');
CREATE INDEX outgoing_transactions_under_way ON outgoing_transactions (id, chain_id) WHERE status NOT IN ('Settled', 'Refused');
CREATE INDEX outgoing_transactions_mined ON outgoing_transactions (chain_id, block) WHERE status = 'Mined';
CREATE INDEX outgoing_transactions_open_of_sender ON outgoing_transactions (chain_id, sender, currency)
    WHERE purpose = 'sweep_derived' AND status NOT IN ('Settled', 'Refused');
CREATE INDEX outgoing_transactions_open_gas_money ON outgoing_transactions (chain_id, to_address)
    WHERE purpose = 'gas_money' AND status NOT IN ('Settled', 'Refused');
CREATE UNIQUE INDEX outgoing_transactions_of_order ON outgoing_transactions (org_id, order_id, part, purpose) WHERE order_id IS NOT NULL;
CREATE INDEX outgoing_transactions_open_payouts ON outgoing_transactions (org_id, payment_id)
    WHERE purpose = 'payout' AND status NOT IN ('Settled', 'Refused');
CREATE INDEX outgoing_transactions_moves ON outgoing_transactions (chain_id, sender, currency, created_at) WHERE purpose = 'move';

-- Signed forms of an outgoing transaction: the first, and replacements with higher fees. A filler sends nothing: it only uses the
-- nonce of a transaction that no node takes. `hash` and `signed` are NULL until an external signer has signed it.
CREATE TABLE outgoing_attempts (
    transaction_id BIGINT NOT NULL REFERENCES outgoing_transactions (id),
    number BIGINT NOT NULL,
    hash {ID} UNIQUE,
    signed TEXT,
    max_fee {AMOUNT} NOT NULL,
    priority_fee {AMOUNT} NOT NULL,
    gas_limit BIGINT NOT NULL,
    is_filler BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (transaction_id, number)
) {STRICT};

-- Tokens that take transfers signed by their sender (EIP-3009), with name and version of their domain (EIP-712).
CREATE TABLE token_domains (
    chain_id BIGINT NOT NULL REFERENCES chains (id),
    symbol {ID} NOT NULL,
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    PRIMARY KEY (chain_id, symbol)
) {CLUSTERED};
INSERT INTO token_domains (chain_id, symbol, name, version) VALUES
    (1, 'USDC', 'USD Coin', '2'),
    (1, 'EURC', 'Euro Coin', '2'),
    (10, 'USDC', 'USD Coin', '2'),
    (137, 'USDC', 'USD Coin', '2'),
    (8453, 'USDC', 'USD Coin', '2'),
    (42161, 'USDC', 'USD Coin', '2');

-- Transfers that payers signed (EIP-3009), which a hot wallet sends and pays the network for. `to_address` is the account's own wallet, the hot
-- wallet, or an address of the payment. `network_fee` is what the network took in wei, and before the most that it may.
-- `valid_before` is of the latest signature, `executable_until` of the one that is valid for longest. `answered_at` is when a facilitator's answer
-- said that it was settled (x402).
CREATE TABLE authorizations (
    id {IDENTITY},
    chain_id BIGINT NOT NULL REFERENCES chains (id),
    currency {ID} NOT NULL,
    payer {ID} NOT NULL,
    nonce {ID} NOT NULL,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    payment_id {ID} NOT NULL,
    account_id BIGINT NOT NULL,
    to_address {ID} NOT NULL,
    amount {AMOUNT} NOT NULL,
    valid_before BIGINT NOT NULL,
    executable_until BIGINT NOT NULL,
    transaction_id BIGINT UNIQUE,
    network_fee {AMOUNT} NOT NULL,
    status {ID} NOT NULL,
    answered_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (chain_id, currency, payer, nonce)
) {STRICT};
CREATE INDEX authorizations_of_payment ON authorizations (org_id, payment_id, id);
CREATE INDEX authorizations_open ON authorizations (chain_id, currency, payer) WHERE status = 'Open';

-- Transactions of hot wallets that execute, or were to execute, what the payer of a payment has signed. `fee_usd` is what the network's fee was
-- worth in millionths of a US dollar when its block was read.
CREATE TABLE payer_transactions (
    transaction_id BIGINT PRIMARY KEY REFERENCES outgoing_transactions (id),
    org_id {ID} NOT NULL REFERENCES organisations (id),
    payment_id {ID} NOT NULL,
    fee_usd {AMOUNT}
) {STRICT};
CREATE INDEX payer_transactions_of_payment ON payer_transactions (org_id, payment_id, transaction_id);

-- Transfers in blocks that executed an authorization. They are the merchants' money, also at a hot wallet. `block` is NULL for a booked transfer whose
-- block a reorganisation took away: what executes the authorization in a later block takes its place.
CREATE TABLE authorized_transfers (
    chain_id BIGINT NOT NULL REFERENCES chains (id),
    hash {ID} NOT NULL,
    transfer {ID} NOT NULL,
    block BIGINT,
    authorization_id BIGINT NOT NULL REFERENCES authorizations (id),
    PRIMARY KEY (chain_id, hash, transfer)
) {CLUSTERED};
CREATE INDEX authorized_transfers_by_block ON authorized_transfers (chain_id, block);
CREATE INDEX authorized_transfers_by_authorization ON authorized_transfers (authorization_id);

-- Network fees that a day (UTC) of an organisation's payers has cost or may cost the operator, in wei.
CREATE TABLE payer_fees (
    chain_id BIGINT NOT NULL REFERENCES chains (id),
    org_id {ID} NOT NULL REFERENCES organisations (id),
    day BIGINT NOT NULL,
    amount {AMOUNT} NOT NULL,
    PRIMARY KEY (chain_id, org_id, day)
) {CLUSTERED};

-- Transactions of the sandbox's simulated chains. They belong to no organisation, as those of a real chain do not. `next_block_at` is NULL
-- once one is confirmed, or dropped by a reorganisation.
CREATE TABLE simulated_transactions (
    id {IDENTITY},
    chain_id BIGINT NOT NULL REFERENCES chains (id),
    hash {ID} NOT NULL,
    from_address TEXT NOT NULL,
    to_address TEXT NOT NULL,
    currency {ID} NOT NULL,
    amount {AMOUNT} NOT NULL,
    block BIGINT,
    next_block_at BIGINT
) {STRICT};
CREATE INDEX simulated_transactions_by_block ON simulated_transactions (next_block_at) WHERE next_block_at IS NOT NULL;

-- == Accounts ==

-- Settlement accounts. A virtual account has no chain: each of its chains is an account below it. Accounts that share a
-- reference are a bundle, numbered by the oldest of them.
CREATE TABLE accounts (
    id {IDENTITY},
    org_id {ID} NOT NULL REFERENCES organisations (id),
    seq BIGINT NOT NULL,
    reference {ID},
    parent_id BIGINT REFERENCES accounts (id),
    bundle_id BIGINT,
    chain_id BIGINT REFERENCES chains (id),
    search TEXT NOT NULL DEFAULT '',
    record TEXT NOT NULL,
    deleted_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (org_id, seq)
) {STRICT};
-- A search by name reads all names of the organisation in this index alone.
CREATE INDEX accounts_by_name ON accounts (org_id, search, seq, id) WHERE deleted_at IS NULL;
CREATE INDEX accounts_by_parent ON accounts (org_id, parent_id);
CREATE UNIQUE INDEX accounts_by_reference ON accounts (org_id, reference, chain_id) WHERE deleted_at IS NULL AND reference IS NOT NULL;
CREATE UNIQUE INDEX virtual_accounts_by_reference ON accounts (org_id, reference) WHERE deleted_at IS NULL AND chain_id IS NULL;

-- Which account an address on a chain pays into. One organisation holds an address; any number may watch it. `derivation_index` is the
-- address's number below the account's extended public key.
CREATE TABLE addresses (
    chain_id BIGINT NOT NULL REFERENCES chains (id),
    address {ID} NOT NULL,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    payment_id {ID},
    watched BIGINT NOT NULL,
    derivation_index BIGINT,
    PRIMARY KEY (chain_id, address, org_id)
) {CLUSTERED};
CREATE UNIQUE INDEX addresses_held ON addresses (chain_id, address) WHERE watched = 0;
CREATE INDEX addresses_derived ON addresses (org_id, account_id, derivation_index) WHERE derivation_index IS NOT NULL;

-- The next index of each extended public key; index 0 is the account's own address.
CREATE TABLE derivations (
    org_id {ID} NOT NULL REFERENCES organisations (id),
    xpub {ID} NOT NULL,
    next BIGINT NOT NULL,
    PRIMARY KEY (org_id, xpub)
) {CLUSTERED};

-- Merchants' own wallets whose balance is still to be asked for, at a settled block that is not before `after_block`: the last of the
-- first blocks that were recorded after the wallet was connected. With `derivation_index`, an address of an extended public key that is only looked
-- at for money: nobody watches it.
CREATE TABLE openings (
    chain_id BIGINT NOT NULL REFERENCES chains (id),
    address {ID} NOT NULL,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    derivation_index BIGINT,
    after_block BIGINT,
    due_at BIGINT NOT NULL,
    PRIMARY KEY (chain_id, address, org_id, account_id)
) {CLUSTERED};
CREATE INDEX openings_before_a_block ON openings (chain_id) WHERE after_block IS NULL;

-- Followed addresses of which it is still to be asked what they hold of a token that was added, at a settled block that is not before
-- `after_block`.
CREATE TABLE token_openings (
    chain_id BIGINT NOT NULL REFERENCES chains (id),
    address {ID} NOT NULL,
    currency {ID} NOT NULL,
    after_block BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    PRIMARY KEY (chain_id, address, currency)
) {CLUSTERED};

-- Permanent addresses of accounts.
CREATE TABLE pay_in_addresses (
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    org_id {ID} NOT NULL REFERENCES organisations (id),
    seq BIGINT NOT NULL,
    record TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, seq)
) {STRICT};

-- The text that a wallet signs to prove an account: one for each account, deleted once it is used.
CREATE TABLE ownership_challenges (
    account_id BIGINT NOT NULL PRIMARY KEY REFERENCES accounts (id),
    org_id {ID} NOT NULL REFERENCES organisations (id),
    message TEXT NOT NULL,
    expires_at BIGINT NOT NULL
) {STRICT};

-- Payout destinations. The holder's name and the account number are sealed in `secret`; the record has hints of them only.
CREATE TABLE external_accounts (
    id {IDENTITY},
    org_id {ID} NOT NULL REFERENCES organisations (id),
    seq BIGINT NOT NULL,
    reference {ID},
    secret {BLOB},
    search TEXT NOT NULL DEFAULT '',
    record TEXT NOT NULL,
    deleted_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (org_id, seq)
) {STRICT};
CREATE INDEX external_accounts_by_name ON external_accounts (org_id, search, seq, id) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX external_accounts_by_reference ON external_accounts (org_id, reference) WHERE deleted_at IS NULL AND reference IS NOT NULL;

-- Automations pay out or convert an account's balance above a threshold, by `rule`. `ask_at` is when nodes are asked for the quote of a
-- conversion.
CREATE TABLE automations (
    id {IDENTITY},
    org_id {ID} NOT NULL REFERENCES organisations (id),
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    seq BIGINT NOT NULL,
    rule TEXT NOT NULL,
    record TEXT NOT NULL,
    enabled BIGINT NOT NULL,
    due_at BIGINT,
    ask_at BIGINT,
    deleted_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (account_id, seq)
) {STRICT};
CREATE INDEX automations_by_account ON automations (org_id, account_id);
CREATE INDEX automations_due ON automations (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX automations_to_ask ON automations (ask_at) WHERE ask_at IS NOT NULL;

-- == The ledger. Its hot tables have no foreign key to the organisation: PostgreSQL looks up and locks every referenced row, and
-- the accounts that they refer to belong to the organisation already. For the same reason PostgreSQL has no key to a transfer, a
-- movement or a ledger account: they are written before the row that refers to them, and never deleted ==

-- One balance in one currency: of a merchant's account, of the fees, of a chain, of a venue or of the operator behind an exchange account.
-- `posted` is the sum of its postings, `posted_on` the UTC day of the last one, counted from 1970-01-01.
CREATE TABLE ledger_accounts (
    id {IDENTITY},
    org_id {ID} NOT NULL REFERENCES organisations (id),
    kind {ID} NOT NULL,
    account_id BIGINT NOT NULL,
    chain_id BIGINT NOT NULL,
    currency {ID} NOT NULL,
    posted {AMOUNT} NOT NULL,
    reserved {AMOUNT} NOT NULL,
    posted_on BIGINT NOT NULL DEFAULT 0,
    UNIQUE (org_id, kind, account_id, chain_id, currency)
) {STRICT};

-- What a merchant's account held in a currency when a UTC day began on which something was booked on it.
CREATE TABLE opening_balances (
    org_id {ID} NOT NULL,
    day BIGINT NOT NULL,
    account_id BIGINT NOT NULL,
    chain_id BIGINT NOT NULL,
    currency {ID} NOT NULL,
    posted {AMOUNT} NOT NULL,
    PRIMARY KEY (org_id, day, account_id, chain_id, currency)
) {CLUSTERED};

-- A balanced set of postings, and what caused it.
CREATE TABLE transfers (
    id {IDENTITY},
    org_id {ID} NOT NULL,
    cause {ID} NOT NULL,
    entity_id {ID},
    created_at BIGINT NOT NULL
) {STRICT};

-- What a transfer adds to a ledger account, and the balance after it.
CREATE TABLE postings (
    id {IDENTITY},
    org_id {ID} NOT NULL,
    transfer_id BIGINT NOT NULL {IN_TRANSFERS},
    ledger_account_id BIGINT NOT NULL {IN_LEDGER_ACCOUNTS},
    amount {AMOUNT} NOT NULL,
    balance_after {AMOUNT} NOT NULL
) {STRICT};

-- A merchant's view of a posting. `seq` numbers the movements of all accounts of the organisation. What it was worth when it was
-- booked is in millionths of a US dollar and of the organisation's own currency.
CREATE TABLE movements (
    id {IDENTITY},
    org_id {ID} NOT NULL,
    account_id BIGINT NOT NULL {IN_ACCOUNTS},
    account_reference {ID},
    seq BIGINT NOT NULL,
    transfer_id BIGINT {IN_TRANSFERS},
    direction {ID} NOT NULL,
    type {ID} NOT NULL,
    status {ID} NOT NULL,
    chain_id BIGINT,
    currency {ID} NOT NULL,
    scale BIGINT NOT NULL,
    amount {AMOUNT} NOT NULL,
    amount_usd {AMOUNT},
    reporting_amount {AMOUNT},
    reporting_currency {ID},
    fee {AMOUNT},
    fee_currency {ID},
    fee_scale BIGINT,
    entity_id {ID},
    from_address TEXT,
    to_address TEXT,
    transaction_hash TEXT,
    failure {ID},
    created_at BIGINT NOT NULL,
    confirmed_at BIGINT,
    updated_at BIGINT NOT NULL
) {STRICT};
CREATE INDEX movements_by_status ON movements (org_id, status, seq) WHERE status <> 'Confirmed';
CREATE INDEX movements_of_service_fees ON movements (org_id, entity_id) WHERE type = 'ServiceFee';
CREATE UNIQUE INDEX movements_of_organisation ON movements (org_id, seq);

-- A movement is in the list of its account, of each account above it and of their bundles. The list of a bundle has the bundle's
-- number, negated.
CREATE TABLE movement_lists (
    account_id BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    movement_id BIGINT NOT NULL {IN_MOVEMENTS},
    created_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, seq)
) {CLUSTERED};

-- How many movements of a list are of a kind, per segment of 4096 numbers and, above that, per 16 segments of the level below. The
-- owner is that of the list's sequence, the chain that of the movement's account, 0 for none. Only full segments have rows.
CREATE TABLE movement_counts (
    owner {ID} NOT NULL,
    level BIGINT NOT NULL,
    segment BIGINT NOT NULL,
    type {ID} NOT NULL,
    direction {ID} NOT NULL,
    currency {ID} NOT NULL,
    chain_id BIGINT NOT NULL,
    row_count BIGINT NOT NULL,
    PRIMARY KEY (owner, level, segment, type, direction, currency, chain_id)
) {CLUSTERED};

-- The positions of those movements in a segment of level 0, three hexadecimal digits each, and their amounts as texts that sort as
-- amounts do, with the lowest and the highest.
CREATE TABLE movement_positions (
    owner {ID} NOT NULL,
    segment BIGINT NOT NULL,
    type {ID} NOT NULL,
    direction {ID} NOT NULL,
    currency {ID} NOT NULL,
    chain_id BIGINT NOT NULL,
    row_count BIGINT NOT NULL,
    lowest {ID} NOT NULL,
    highest {ID} NOT NULL,
    positions TEXT NOT NULL,
    amounts TEXT NOT NULL,
    PRIMARY KEY (owner, segment, type, direction, currency, chain_id)
) {CLUSTERED};

-- Transfers seen on a chain, by their transaction and their position in it. `block` is the one that a node reported; a
-- reorganisation takes it away.
CREATE TABLE chain_transactions (
    id {IDENTITY},
    org_id {ID} NOT NULL,
    chain_id BIGINT NOT NULL {IN_CHAINS},
    hash {ID} NOT NULL,
    transfer {ID} NOT NULL,
    to_address {ID} NOT NULL,
    from_address TEXT,
    currency {ID} NOT NULL,
    amount {AMOUNT} NOT NULL,
    account_id BIGINT NOT NULL,
    payment_id {ID},
    movement_id BIGINT NOT NULL {IN_MOVEMENTS},
    status {ID} NOT NULL,
    confirmations BIGINT NOT NULL,
    source {ID} NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    block BIGINT,
    direction {ID} NOT NULL
) {STRICT};
CREATE INDEX chain_transactions_by_block ON chain_transactions (chain_id, block) WHERE block IS NOT NULL;
CREATE INDEX chain_transactions_unsettled ON chain_transactions (chain_id, block) WHERE block IS NOT NULL AND status = 'Pending';
CREATE INDEX chain_transactions_adrift ON chain_transactions (chain_id, updated_at)
    WHERE block IS NULL AND status = 'Pending' AND source = 'Observed';
CREATE UNIQUE INDEX chain_transactions_by_transfer ON chain_transactions (chain_id, hash, org_id, transfer, direction);
CREATE INDEX chain_transactions_of_payment ON chain_transactions (org_id, payment_id, id) WHERE payment_id IS NOT NULL;

-- What came in and went out on a UTC day, in millionths of a US dollar at the prices of that time. Transfers between accounts of the
-- organisation do not count. `unpriced` movements had no price.
CREATE TABLE daily_volumes (
    org_id {ID} NOT NULL REFERENCES organisations (id),
    day BIGINT NOT NULL,
    in_usd {AMOUNT} NOT NULL,
    out_usd {AMOUNT} NOT NULL,
    movements BIGINT NOT NULL,
    unpriced BIGINT NOT NULL,
    PRIMARY KEY (org_id, day)
) {CLUSTERED};

-- Booked withdrawals to accounts of the same organisation, until their deposit is booked. Some never have one.
CREATE TABLE own_transfers (
    id {IDENTITY},
    org_id {ID} NOT NULL REFERENCES organisations (id),
    chain_id BIGINT NOT NULL REFERENCES chains (id),
    hash {ID} NOT NULL,
    to_address {ID} NOT NULL,
    currency {ID} NOT NULL,
    amount {AMOUNT} NOT NULL,
    created_at BIGINT NOT NULL
) {STRICT};
CREATE INDEX own_transfers_by_hash ON own_transfers (org_id, chain_id, hash);

-- == Payments ==

-- What a payment link sells. `held_quantity` is reserved for checkouts that are not paid yet. `search` is name and reference, folded
-- for searching.
CREATE TABLE plans (
    id {ID} NOT NULL PRIMARY KEY,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    seq BIGINT NOT NULL,
    available_quantity BIGINT,
    held_quantity BIGINT NOT NULL DEFAULT 0,
    search TEXT NOT NULL,
    record TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (org_id, seq)
) {STRICT};

-- Payment links. Those of invoices have negative numbers and no state: they are not in the list of links. `expires_at` is set while a
-- link is open, if its plan ends.
CREATE TABLE paylinks (
    id {ID} NOT NULL PRIMARY KEY,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    seq BIGINT NOT NULL,
    plan_id {ID} NOT NULL REFERENCES plans (id),
    settlement TEXT NOT NULL,
    state {ID},
    expires_at BIGINT,
    record TEXT NOT NULL,
    deleted_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (org_id, seq)
) {STRICT};
CREATE INDEX paylinks_by_end ON paylinks (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX paylinks_by_plan ON paylinks (org_id, plan_id);
CREATE INDEX paylinks_by_state ON paylinks (org_id, state, seq) WHERE state IS NOT NULL;

-- How often the page of a payment link was opened on a UTC day, how many checkouts were started and how many payments confirmed. The row
-- without a link has the sums of all.
CREATE TABLE paylink_days (
    org_id {ID} NOT NULL REFERENCES organisations (id),
    paylink_id {ID} NOT NULL,
    day BIGINT NOT NULL,
    visits BIGINT NOT NULL,
    checkouts BIGINT NOT NULL,
    payments BIGINT NOT NULL,
    PRIMARY KEY (org_id, paylink_id, day)
) {CLUSTERED};

-- Customers. `search` is their name, e-mail address and reference, folded for searching. `spent_usd` is the sum of that of their payments.
CREATE TABLE customers (
    id {ID} NOT NULL PRIMARY KEY,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    seq BIGINT NOT NULL,
    ident {ID},
    email {ID},
    payments_count BIGINT NOT NULL,
    spent_usd {AMOUNT} NOT NULL DEFAULT '0',
    last_payment_at BIGINT,
    search TEXT NOT NULL,
    record TEXT NOT NULL,
    deleted_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (org_id, seq)
) {STRICT};
CREATE INDEX customers_by_email ON customers (org_id, email, seq) WHERE email IS NOT NULL;
CREATE UNIQUE INDEX customers_by_ident ON customers (org_id, ident) WHERE ident IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX customers_by_visits ON customers (org_id, (CASE WHEN payments_count > 1 THEN 'repeat' ELSE 'first-time' END), seq);

-- The trigram index of `customers.search`: for each block of 256 customers, the positions of those that have the trigram, as
-- hexadecimal pairs.
CREATE TABLE customer_trigrams (
    org_id {ID} NOT NULL,
    trigram {ID} NOT NULL,
    block BIGINT NOT NULL,
    places TEXT NOT NULL,
    PRIMARY KEY (org_id, trigram, block)
) {CLUSTERED};

-- Payments, refunds and payouts. `amount_rank` is the amount as a text that sorts as the amount does. `spent_usd` is what the customer has
-- spent on a payment that was confirmed: the worth of its deposits when they were booked, less what was refunded, in millionths of a US dollar.
CREATE TABLE payments (
    id {ID} NOT NULL PRIMARY KEY,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    seq BIGINT NOT NULL,
    status {ID} NOT NULL,
    payment_method {ID} NOT NULL,
    currency {ID} NOT NULL,
    amount_rank {ID} NOT NULL,
    paylink_id {ID} REFERENCES paylinks (id),
    customer_id {ID} REFERENCES customers (id),
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    expires_at BIGINT,
    spent_usd {AMOUNT} NOT NULL DEFAULT '0',
    record TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (org_id, seq)
) {STRICT};
CREATE INDEX payments_by_account ON payments (org_id, account_id, status);
CREATE INDEX payments_by_amount ON payments (org_id, currency, amount_rank, seq);
CREATE INDEX payments_by_customer ON payments (org_id, customer_id, seq) WHERE customer_id IS NOT NULL;
CREATE INDEX payments_by_end ON payments (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX payments_by_kind ON payments (org_id, status, payment_method, currency, seq);
CREATE INDEX payments_by_paylink ON payments (org_id, paylink_id, seq) WHERE paylink_id IS NOT NULL;

-- Unpaid checkouts of limited links. The network is a keyed digest: no address of a payer is stored.
CREATE TABLE checkout_holds (
    payment_id {ID} NOT NULL PRIMARY KEY,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    paylink_id {ID} NOT NULL,
    network {BLOB} NOT NULL,
    created_at BIGINT NOT NULL
) {STRICT};
CREATE INDEX checkout_holds_by_network ON checkout_holds (org_id, paylink_id, network, created_at);
CREATE INDEX checkout_holds_by_time ON checkout_holds (created_at);

-- How a payout is sent: its destination, fees and transaction.
CREATE TABLE payouts (
    payment_id {ID} NOT NULL PRIMARY KEY REFERENCES payments (id),
    org_id {ID} NOT NULL REFERENCES organisations (id),
    seq BIGINT NOT NULL,
    movement_id BIGINT REFERENCES movements (id),
    to_address TEXT NOT NULL,
    amount {AMOUNT} NOT NULL,
    fee {AMOUNT} NOT NULL,
    fee_currency {ID} NOT NULL,
    service_fee {AMOUNT} NOT NULL,
    hash {ID},
    sent_at BIGINT,
    approval {ID},
    created_at BIGINT NOT NULL,
    UNIQUE (org_id, seq)
) {STRICT};
CREATE INDEX payouts_by_address ON payouts (org_id, to_address);
CREATE INDEX payouts_by_approval ON payouts (org_id, approval, seq) WHERE approval IS NOT NULL;
CREATE INDEX payouts_by_hash ON payouts (hash) WHERE hash IS NOT NULL;
CREATE INDEX payouts_prepared ON payouts (org_id, to_address) WHERE movement_id IS NULL;

-- What a refund returns of each deposit, by the deposit's movement. A refund is a payout whose parent is the payment.
CREATE TABLE refund_parts (
    payout_id {ID} NOT NULL REFERENCES payments (id),
    movement_id BIGINT NOT NULL REFERENCES movements (id),
    org_id {ID} NOT NULL REFERENCES organisations (id),
    payment_id {ID} NOT NULL REFERENCES payments (id),
    amount {AMOUNT} NOT NULL,
    PRIMARY KEY (payout_id, movement_id)
) {CLUSTERED};
CREATE INDEX refund_parts_by_payment ON refund_parts (org_id, payment_id);

-- Limits of what is paid out without a second member's approval, by currency, in decimal amounts; NULL is no limit. The row with an
-- empty `org_id` is that of the installation, whose day (UTC) counts all organisations.
CREATE TABLE payout_limits (
    org_id {ID} NOT NULL,
    currency {ID} NOT NULL,
    per_payout TEXT,
    per_day TEXT,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (org_id, currency)
) {CLUSTERED};

-- What was paid out on a day that a limit counts, since the limit was set. `day` is counted from 1970-01-01.
CREATE TABLE payout_days (
    org_id {ID} NOT NULL,
    currency {ID} NOT NULL,
    day BIGINT NOT NULL,
    amount TEXT NOT NULL,
    PRIMARY KEY (org_id, currency, day)
) {CLUSTERED};

-- Subscriptions. `billing` holds when they began, how long a period is, what it costs and which one is running. `renewal_day` is the
-- UTC day of the next invoice, counted from 1970-01-01.
CREATE TABLE subscriptions (
    id {ID} NOT NULL PRIMARY KEY,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    seq BIGINT NOT NULL,
    customer_id {ID} NOT NULL REFERENCES customers (id),
    status {ID} NOT NULL,
    billing TEXT NOT NULL,
    due_at BIGINT,
    renewal_day BIGINT,
    record TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (org_id, seq)
) {STRICT};
CREATE INDEX subscriptions_by_customer ON subscriptions (org_id, customer_id, seq);
CREATE INDEX subscriptions_by_status ON subscriptions (org_id, status, seq);
CREATE INDEX subscriptions_due ON subscriptions (due_at) WHERE due_at IS NOT NULL;

-- How many subscriptions began to run on a UTC day, and how many that ran ended.
CREATE TABLE subscription_days (
    org_id {ID} NOT NULL REFERENCES organisations (id),
    day BIGINT NOT NULL,
    began BIGINT NOT NULL,
    ended BIGINT NOT NULL,
    PRIMARY KEY (org_id, day)
) {CLUSTERED};

-- Invoices, one for each subscription and due date. `looked_at` is the next time for a reminder.
CREATE TABLE invoices (
    id {ID} NOT NULL PRIMARY KEY,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    seq BIGINT NOT NULL,
    subscription_id {ID} NOT NULL REFERENCES subscriptions (id),
    customer_id {ID} NOT NULL REFERENCES customers (id),
    payment_status {ID} NOT NULL,
    dunning_status {ID} NOT NULL,
    due_at BIGINT NOT NULL,
    looked_at BIGINT,
    record TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (org_id, seq),
    UNIQUE (subscription_id, due_at)
) {STRICT};
CREATE INDEX invoices_by_customer ON invoices (org_id, customer_id, seq);
CREATE INDEX invoices_by_payment ON invoices (org_id, payment_status, seq);
CREATE INDEX invoices_by_subscription ON invoices (org_id, subscription_id, seq);
CREATE INDEX invoices_looked_at ON invoices (looked_at) WHERE looked_at IS NOT NULL;

-- == Trading ==

-- Quotes of a venue.
CREATE TABLE quotes (
    id {ID} NOT NULL PRIMARY KEY,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    seq BIGINT NOT NULL,
    status {ID} NOT NULL,
    expires_at BIGINT,
    terms TEXT NOT NULL,
    record TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (org_id, seq)
) {STRICT};
CREATE INDEX quotes_by_end ON quotes (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX quotes_open ON quotes (org_id, expires_at) WHERE expires_at IS NOT NULL;

-- Orders. `due_at` is when an order is looked at next; `held` lists the movements that reserve what is sold. `outcomes` has what the parts
-- that have ended sold and bought, by the index of the sold asset.
CREATE TABLE orders (
    id {ID} NOT NULL PRIMARY KEY,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    seq BIGINT NOT NULL,
    quote_id {ID} NOT NULL UNIQUE REFERENCES quotes (id),
    status {ID} NOT NULL,
    due_at BIGINT,
    held TEXT NOT NULL,
    outcomes TEXT NOT NULL,
    record TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (org_id, seq)
) {STRICT};
CREATE INDEX orders_due ON orders (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX orders_open ON orders (org_id, seq) WHERE due_at IS NOT NULL;

-- == Events and webhooks ==

-- The outbox: every change with its webhook's state. `test` is 1 for a test event, whose record is an example.
CREATE TABLE events (
    id {ID} NOT NULL PRIMARY KEY,
    org_id {ID} NOT NULL {IN_ORGANISATIONS},
    seq BIGINT NOT NULL,
    type {ID} NOT NULL,
    action {ID} NOT NULL,
    document_id {ID},
    data TEXT NOT NULL,
    delivery_status {ID} NOT NULL,
    attempts BIGINT NOT NULL,
    next_attempt_at BIGINT,
    claimed_until BIGINT,
    webhook_sent_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    test BIGINT,
    UNIQUE (org_id, seq)
) {STRICT};
CREATE INDEX events_by_kind ON events (org_id, type, action, delivery_status, seq);
CREATE INDEX events_by_sending ON events (org_id, webhook_sent_at, seq) WHERE webhook_sent_at IS NOT NULL;
CREATE INDEX events_claimed ON events (org_id, claimed_until) WHERE claimed_until IS NOT NULL;
CREATE INDEX events_due ON events (org_id, next_attempt_at, seq) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX events_failed ON events (org_id, seq) WHERE delivery_status = 'failed';
CREATE INDEX events_in_line ON events (org_id, document_id, seq) WHERE delivery_status = 'pending';
CREATE INDEX events_of_document ON events (org_id, document_id, seq) WHERE document_id IS NOT NULL;
CREATE INDEX events_pending ON events (org_id, seq) WHERE delivery_status = 'pending';

-- Webhook deliveries that were tried.
CREATE TABLE attempts (
    event_id {ID} NOT NULL REFERENCES events (id),
    number BIGINT NOT NULL,
    org_id {ID} NOT NULL,
    url TEXT NOT NULL,
    request TEXT NOT NULL,
    response TEXT,
    status BIGINT,
    error TEXT,
    sent_at BIGINT NOT NULL,
    duration_ms BIGINT NOT NULL,
    PRIMARY KEY (event_id, number)
) {STRICT};

-- When an organisation's webhooks are due next; NULL while nothing becomes due by time alone. `failures` counts failed attempts
-- since the last success; `paused_at` is set while the endpoint is gone.
CREATE TABLE delivery_turns (
    org_id {ID} NOT NULL PRIMARY KEY REFERENCES organisations (id),
    due_at BIGINT,
    failures BIGINT NOT NULL,
    paused_at BIGINT
) {STRICT};
CREATE INDEX delivery_turns_due ON delivery_turns (due_at) WHERE due_at IS NOT NULL;

-- Replays of past events: where they are in the log and where they end.
CREATE TABLE replays (
    id {ID} NOT NULL PRIMARY KEY,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    status {ID} NOT NULL,
    filter TEXT NOT NULL,
    after_seq BIGINT NOT NULL,
    last_seq BIGINT NOT NULL,
    record TEXT NOT NULL,
    created_at BIGINT NOT NULL
) {STRICT};
CREATE INDEX replays_running ON replays (created_at, id) WHERE status = 'Running';

-- Errors that a sandbox was asked to make.
CREATE TABLE faults (
    id {IDENTITY},
    org_id {ID} NOT NULL REFERENCES organisations (id),
    operation {ID},
    reason {ID} NOT NULL,
    after_commit BIGINT NOT NULL,
    calls BIGINT NOT NULL
) {STRICT};
CREATE INDEX faults_by_organisation ON faults (org_id, id);

-- Webhooks that the inbox of a sandbox received. Only the latest of each organisation are kept. `headers` is JSON.
CREATE TABLE inbox_messages (
    id {IDENTITY},
    org_id {ID} NOT NULL REFERENCES organisations (id),
    event_id {ID} NOT NULL,
    type {ID} NOT NULL,
    headers TEXT NOT NULL,
    body TEXT NOT NULL,
    received_at BIGINT NOT NULL
) {STRICT};
CREATE INDEX inbox_messages_by_organisation ON inbox_messages (org_id, id);

-- == Lists and search ==

-- The last number and time of each list, dense per owner.
CREATE TABLE sequences (
    owner {ID} NOT NULL,
    kind {ID} NOT NULL,
    last_seq BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    PRIMARY KEY (owner, kind)
) {CLUSTERED};

-- Named counters of an organisation.
CREATE TABLE counters (
    org_id {ID} NOT NULL,
    name {ID} NOT NULL,
    value BIGINT NOT NULL,
    PRIMARY KEY (org_id, name)
) {CLUSTERED};

-- Sums of an organisation's records by currency, in units of 10^-18. `kind` says of which records. `bucket` is the UTC day of renewals,
-- the period of active subscriptions in months or in days negated, and 0 for payouts.
CREATE TABLE currency_totals (
    org_id {ID} NOT NULL,
    kind {ID} NOT NULL,
    bucket BIGINT NOT NULL,
    currency {ID} NOT NULL,
    row_count BIGINT NOT NULL,
    amount {AMOUNT} NOT NULL,
    PRIMARY KEY (org_id, kind, bucket, currency)
) {CLUSTERED};

-- How many rows of a list have which filter values, per segment of 4096 numbers and, above that, per 16 segments of the level
-- below.
CREATE TABLE filter_counts (
    org_id {ID} NOT NULL,
    list {ID} NOT NULL,
    level BIGINT NOT NULL,
    segment BIGINT NOT NULL,
    type {ID} NOT NULL,
    action {ID} NOT NULL,
    status {ID} NOT NULL,
    sent BIGINT NOT NULL,
    row_count BIGINT NOT NULL,
    PRIMARY KEY (org_id, list, level, segment, type, action, status, sent)
) {CLUSTERED};

-- References that the search across an organisation finds.
CREATE TABLE search_index (
    org_id {ID} NOT NULL REFERENCES organisations (id),
    text {ID} NOT NULL,
    kind {ID} NOT NULL,
    id {ID} NOT NULL,
    PRIMARY KEY (org_id, text, kind, id)
) {CLUSTERED};
