-- The ground everything stands on.
--
-- Times are microseconds UTC. Amounts are integers of the asset's smallest unit. `record` holds the contract's record as
-- JSON; what a statement searches by stands in a column of its own, written in the same statement. `seq` is dense per
-- owner, so that a page is a range and a count is a difference.

CREATE TABLE settings (
    name {ID} NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) {STRICT};

CREATE TABLE sequences (
    owner {ID} NOT NULL,
    kind {ID} NOT NULL,
    last_seq BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    PRIMARY KEY (owner, kind)
) {CLUSTERED};

CREATE TABLE tallies (
    org_id {ID} NOT NULL,
    name {ID} NOT NULL,
    tally BIGINT NOT NULL,
    PRIMARY KEY (org_id, name)
) {CLUSTERED};

CREATE TABLE organisations (
    id {ID} NOT NULL PRIMARY KEY,
    partner_id {ID} REFERENCES organisations (id),
    otc BIGINT NOT NULL,
    signing_secret {BLOB} NOT NULL,
    webhook_url TEXT,
    record TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
) {STRICT};

CREATE TABLE webhook_keys (
    org_id {ID} NOT NULL REFERENCES organisations (id),
    key_id {ID} NOT NULL,
    secret {BLOB} NOT NULL,
    created_at BIGINT NOT NULL,
    retires_at BIGINT,
    PRIMARY KEY (org_id, key_id)
) {CLUSTERED};

CREATE TABLE users (
    id {ID} NOT NULL PRIMARY KEY,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    email {ID} NOT NULL UNIQUE,
    name TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    created_at BIGINT NOT NULL
) {STRICT};

CREATE TABLE sessions (
    token_hash {BLOB} NOT NULL PRIMARY KEY,
    user_id {ID} NOT NULL REFERENCES users (id),
    org_id {ID} NOT NULL REFERENCES organisations (id),
    csrf_token {ID} NOT NULL,
    step_up_hash {BLOB},
    step_up_until BIGINT,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
) {STRICT};
CREATE INDEX sessions_by_end ON sessions (expires_at);

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
CREATE INDEX api_keys_by_time ON api_keys (org_id, created_at, seq);

CREATE TABLE nonces (
    key_id {ID} NOT NULL,
    nonce {ID} NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (key_id, nonce)
) {CLUSTERED};
CREATE INDEX nonces_by_end ON nonces (expires_at);

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

CREATE TABLE chains (
    id BIGINT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    native_symbol {ID} NOT NULL,
    family {ID} NOT NULL,
    confirmations_required BIGINT NOT NULL,
    block_seconds BIGINT NOT NULL
) {STRICT};

CREATE TABLE assets (
    chain_id BIGINT NOT NULL REFERENCES chains (id),
    symbol {ID} NOT NULL,
    scale BIGINT NOT NULL,
    token_address TEXT,
    PRIMARY KEY (chain_id, symbol)
) {CLUSTERED};

INSERT INTO chains (id, name, native_symbol, family, confirmations_required, block_seconds) VALUES
    (1, 'Ethereum', 'ETH', 'evm', 6, 1),
    (10, 'Optimism', 'ETH', 'evm', 3, 1),
    (56, 'BNB Smart Chain', 'BNB', 'evm', 5, 1),
    (137, 'Polygon', 'POL', 'evm', 4, 1),
    (8453, 'Base', 'ETH', 'evm', 3, 1),
    (42161, 'Arbitrum', 'ETH', 'evm', 3, 1);

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

CREATE TABLE accounts (
    id {IDENTITY},
    org_id {ID} NOT NULL REFERENCES organisations (id),
    seq BIGINT NOT NULL,
    reference {ID},
    parent_id BIGINT REFERENCES accounts (id),
    -- None for a virtual account: each of its chains is an account below it.
    chain_id BIGINT REFERENCES chains (id),
    record TEXT NOT NULL,
    deleted_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (org_id, seq)
) {STRICT};
CREATE INDEX accounts_by_time ON accounts (org_id, created_at, seq);
CREATE INDEX accounts_by_parent ON accounts (org_id, parent_id);
CREATE UNIQUE INDEX accounts_by_reference ON accounts (org_id, reference, chain_id) WHERE deleted_at IS NULL AND reference IS NOT NULL;
CREATE UNIQUE INDEX virtual_accounts_by_reference ON accounts (org_id, reference) WHERE deleted_at IS NULL AND chain_id IS NULL;

CREATE TABLE addresses (
    chain_id BIGINT NOT NULL REFERENCES chains (id),
    address {ID} NOT NULL,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    payment_id {ID},
    PRIMARY KEY (chain_id, address)
) {CLUSTERED};

CREATE TABLE ledger_accounts (
    id {IDENTITY},
    org_id {ID} NOT NULL REFERENCES organisations (id),
    kind {ID} NOT NULL,
    account_id BIGINT NOT NULL,
    chain_id BIGINT NOT NULL,
    currency {ID} NOT NULL,
    posted {AMOUNT} NOT NULL,
    reserved {AMOUNT} NOT NULL,
    UNIQUE (org_id, kind, account_id, chain_id, currency)
) {STRICT};

CREATE TABLE transfers (
    id {IDENTITY},
    org_id {ID} NOT NULL REFERENCES organisations (id),
    cause {ID} NOT NULL,
    entity_id {ID},
    created_at BIGINT NOT NULL
) {STRICT};

CREATE TABLE postings (
    id {IDENTITY},
    org_id {ID} NOT NULL,
    transfer_id BIGINT NOT NULL REFERENCES transfers (id),
    ledger_account_id BIGINT NOT NULL REFERENCES ledger_accounts (id),
    amount {AMOUNT} NOT NULL,
    balance_after {AMOUNT} NOT NULL
) {STRICT};
CREATE INDEX postings_by_account ON postings (ledger_account_id, id);

CREATE TABLE movements (
    id {IDENTITY},
    org_id {ID} NOT NULL REFERENCES organisations (id),
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    account_reference {ID},
    transfer_id BIGINT REFERENCES transfers (id),
    direction {ID} NOT NULL,
    type {ID} NOT NULL,
    status {ID} NOT NULL,
    chain_id BIGINT,
    currency {ID} NOT NULL,
    scale BIGINT NOT NULL,
    amount {AMOUNT} NOT NULL,
    fee {AMOUNT},
    fee_currency {ID},
    fee_scale BIGINT,
    entity_id {ID},
    from_address TEXT,
    to_address TEXT,
    transaction_hash TEXT,
    created_at BIGINT NOT NULL,
    confirmed_at BIGINT,
    updated_at BIGINT NOT NULL
) {STRICT};

-- A movement stands once in the list of its account and once in that of each account above it.
CREATE TABLE movement_lists (
    account_id BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    movement_id BIGINT NOT NULL REFERENCES movements (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, seq)
) {CLUSTERED};
CREATE INDEX movement_lists_by_time ON movement_lists (account_id, created_at, seq);

CREATE TABLE plans (
    id {ID} NOT NULL PRIMARY KEY,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    seq BIGINT NOT NULL,
    available_quantity BIGINT,
    record TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (org_id, seq)
) {STRICT};
CREATE INDEX plans_by_time ON plans (org_id, created_at, seq);

CREATE TABLE paylinks (
    id {ID} NOT NULL PRIMARY KEY,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    seq BIGINT NOT NULL,
    plan_id {ID} NOT NULL REFERENCES plans (id),
    settlement TEXT NOT NULL,
    record TEXT NOT NULL,
    deleted_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (org_id, seq)
) {STRICT};
CREATE INDEX paylinks_by_time ON paylinks (org_id, created_at, seq);
CREATE INDEX paylinks_by_plan ON paylinks (org_id, plan_id);

CREATE TABLE customers (
    id {ID} NOT NULL PRIMARY KEY,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    seq BIGINT NOT NULL,
    ident {ID},
    payments_count BIGINT NOT NULL,
    last_payment_at BIGINT,
    search TEXT NOT NULL,
    record TEXT NOT NULL,
    deleted_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (org_id, seq)
) {STRICT};
CREATE INDEX customers_by_time ON customers (org_id, created_at, seq);
CREATE UNIQUE INDEX customers_by_ident ON customers (org_id, ident) WHERE ident IS NOT NULL AND deleted_at IS NULL;

CREATE TABLE payments (
    id {ID} NOT NULL PRIMARY KEY,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    seq BIGINT NOT NULL,
    status {ID} NOT NULL,
    paylink_id {ID} REFERENCES paylinks (id),
    customer_id {ID} REFERENCES customers (id),
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    lapses_at BIGINT,
    record TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (org_id, seq)
) {STRICT};
CREATE INDEX payments_by_time ON payments (org_id, created_at, seq);
CREATE INDEX payments_by_status ON payments (org_id, status, seq);
CREATE INDEX payments_by_lapse ON payments (lapses_at) WHERE lapses_at IS NOT NULL;

CREATE TABLE chain_transactions (
    id {IDENTITY},
    org_id {ID} NOT NULL REFERENCES organisations (id),
    chain_id BIGINT NOT NULL REFERENCES chains (id),
    hash {ID} NOT NULL,
    to_address {ID} NOT NULL,
    from_address TEXT,
    currency {ID} NOT NULL,
    amount {AMOUNT} NOT NULL,
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    payment_id {ID},
    movement_id BIGINT NOT NULL REFERENCES movements (id),
    status {ID} NOT NULL,
    confirmations BIGINT NOT NULL,
    source {ID} NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (chain_id, hash, to_address, currency)
) {STRICT};
CREATE INDEX chain_transactions_by_payment ON chain_transactions (org_id, payment_id, id);

-- The simulated chain's own state: it belongs to no organisation, as a real chain does not.
CREATE TABLE simulated_transactions (
    id {IDENTITY},
    chain_id BIGINT NOT NULL REFERENCES chains (id),
    hash {ID} NOT NULL,
    from_address TEXT NOT NULL,
    to_address TEXT NOT NULL,
    currency {ID} NOT NULL,
    amount {AMOUNT} NOT NULL,
    confirmations BIGINT NOT NULL,
    sent_at BIGINT NOT NULL,
    next_block_at BIGINT
) {STRICT};
CREATE INDEX simulated_transactions_by_block ON simulated_transactions (next_block_at) WHERE next_block_at IS NOT NULL;

CREATE TABLE daily_volumes (
    org_id {ID} NOT NULL REFERENCES organisations (id),
    day BIGINT NOT NULL,
    in_usd {AMOUNT} NOT NULL,
    out_usd {AMOUNT} NOT NULL,
    movements BIGINT NOT NULL,
    PRIMARY KEY (org_id, day)
) {CLUSTERED};

CREATE TABLE events (
    id {ID} NOT NULL PRIMARY KEY,
    org_id {ID} NOT NULL REFERENCES organisations (id),
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
    UNIQUE (org_id, seq)
) {STRICT};
CREATE INDEX events_by_time ON events (org_id, created_at, seq);
CREATE INDEX events_by_document ON events (org_id, document_id, seq);
CREATE INDEX events_by_type ON events (org_id, type, seq);
CREATE INDEX events_by_delivery ON events (org_id, delivery_status, seq);
CREATE INDEX events_due ON events (org_id, next_attempt_at, seq) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX events_claimed ON events (org_id, claimed_until) WHERE claimed_until IS NOT NULL;

-- When an organisation's deliveries have to be looked at next; NULL while nothing can become due by the clock alone.
CREATE TABLE delivery_turns (
    org_id {ID} NOT NULL PRIMARY KEY REFERENCES organisations (id),
    due_at BIGINT,
    -- Attempts that failed since the last that did not.
    failures BIGINT NOT NULL,
    -- Since when nothing is sent because the endpoint is gone; a new address ends it.
    paused_at BIGINT
) {STRICT};
CREATE INDEX delivery_turns_due ON delivery_turns (due_at) WHERE due_at IS NOT NULL;

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
