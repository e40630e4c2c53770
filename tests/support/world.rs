//! A service in process, with a manual clock and a recording of all calls.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::header;
use settlekit_core::member::Role;
use settlekit_core::operation::Scope;
use settlekit_core::sign::{self, Nonce};
use settlekit_core::value::{Amount, Currency, OrganisationId, Timestamp};
use settlekit_core::webhook::Received;
use settlekit_service::node_calls::{ContractAnswers, NodeAnswers, NodeCalls};
use settlekit_service::step::{
    Command, Reply, Step, WireBlock, WireBlockId, WireOutbound, WireOutcome, WirePendingTransfer,
    WireRequest, WireResponse, WireTransfer,
};
use settlekit_service::{
    Access, Awaited, Database, Mode, Options, Prepared, Seed, Service, TransferIndex,
};

use crate::database::{self, rows};
use crate::totals::wrong_totals;

/// The start of every world: a Monday morning.
pub const START: &str = "2026-03-02T09:00:00Z";

/// The password of all users.
pub const PASSWORD: &str = "correct horse battery staple";

/// A wallet outside the service.
pub const WALLET: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/// Another wallet outside the service.
pub const OTHER_WALLET: &str = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";

/// One day.
pub const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A service on a database, its time, and a recording of all calls.
pub struct World {
    service: Service,
    database: Box<dyn Database>,
    /// The host's time.
    pub now: Timestamp,
    calls: u64,
    /// Every call with its reply, in order.
    pub recording: Vec<(Step, Reply)>,
    /// What the latest answer of [`World::send_with_nodes`] awaits.
    pub awaited: Option<Awaited>,
    /// What the next request of [`World::send_with_nodes`] has waited for.
    pub resumes: Option<Awaited>,
}

/// An organisation.
#[derive(Debug, Clone)]
pub struct Shop {
    /// The id.
    pub id: OrganisationId,
    /// A key with all scopes.
    pub key: String,
    /// The signing secret for requests.
    pub secret: String,
}

/// A dashboard session.
#[derive(Debug, Clone)]
pub struct SignedIn {
    /// The cookie, name and value.
    pub cookie: String,
    /// The CSRF token.
    pub csrf: String,
}

/// A parsed answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Value,
}

impl Answer {
    /// The content of the envelope.
    pub fn data(&self) -> &Value {
        &self.body["data"]
    }

    /// The record's text id.
    pub fn id(&self) -> String {
        text(self.data(), "id")
    }

    /// The record's numeric id: accounts and movements.
    pub fn id_number(&self) -> i64 {
        number(self.data(), "id")
    }

    /// The items of a page.
    pub fn items(&self) -> &[Value] {
        items(self.data())
    }

    /// Status and reasons as text: `422 NOT_POSITIVE amount, EMPTY name`.
    pub fn refusal(&self) -> String {
        let errors: Vec<String> = self.body["error"]["errors"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|detail| match detail["field"].as_str() {
                Some(field) => format!("{} {field}", detail["reason"].as_str().unwrap_or_default()),
                None => detail["reason"].as_str().unwrap_or_default().to_owned(),
            })
            .collect();
        format!("{} {}", self.status, errors.join(", "))
    }

    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }
}

impl World {
    /// A sandbox on an empty database.
    pub fn new(database: Box<dyn Database>) -> Self {
        Self::with(database, Mode::Sandbox)
    }

    /// Runs a test on an empty sandbox of each engine, with the engine's name.
    pub fn each(test: impl Fn(&str, Self)) {
        database::each(|kind, database| test(kind, Self::new(database)));
    }

    /// A service on a database that is empty or of its mode.
    pub fn with(database: Box<dyn Database>, mode: Mode) -> Self {
        Self::over(database, mode, [7; 32])
    }

    /// A sandbox with a master key.
    pub fn with_key(database: Box<dyn Database>, master_key: [u8; 32]) -> Self {
        Self::over(database, Mode::Sandbox, master_key)
    }

    /// A sandbox with a public URL.
    pub fn reached_at(database: Box<dyn Database>, public_url: &str) -> Self {
        Self::set_up(database, Mode::Sandbox, [7; 32], public_url)
    }

    fn over(database: Box<dyn Database>, mode: Mode, master_key: [u8; 32]) -> Self {
        Self::set_up(database, mode, master_key, "http://127.0.0.1:8080")
    }

    fn set_up(
        database: Box<dyn Database>,
        mode: Mode,
        master_key: [u8; 32],
        public_url: &str,
    ) -> Self {
        let service = Service::new(Options {
            master_key,
            mode,
            allow_private_webhooks: true,
            public_url: public_url.to_owned(),
        });
        let now = START.parse().expect("a timestamp");
        let mut world = Self {
            service,
            database,
            now,
            calls: 0,
            recording: Vec::new(),
            awaited: None,
            resumes: None,
        };
        assert_eq!(world.call(Command::Migrate), Reply::Done);
        world
    }

    /// Switches to a service in live mode without any connection, on the same books.
    pub fn disconnected(mut self) -> Self {
        let flip = "UPDATE settings SET value = 'live' WHERE name = 'mode'";
        self.database.execute(flip, &[]).expect("the mode");
        self.reopened(Mode::Live)
    }

    /// Reopens the database with another service, in a mode.
    pub fn reopened(self, mode: Mode) -> Self {
        let (now, calls) = (self.now, self.calls);
        Self {
            now,
            calls: calls + 1,
            ..Self::with(self.database, mode)
        }
    }

    /// Reopens the database with another service and master key.
    pub fn rekeyed(self, master_key: [u8; 32]) -> Self {
        let (now, calls, mode) = (self.now, self.calls, self.service.options().mode);
        Self {
            now,
            calls: calls + 1,
            ..Self::over(self.database, mode, master_key)
        }
    }

    /// The service and its database, for calls outside the recording.
    pub fn parts(&mut self) -> (&Service, &mut dyn Database) {
        (&self.service, self.database.as_mut())
    }

    /// Advances the host's time.
    pub fn pass(&mut self, length: Duration) {
        self.now = self.now.plus(length);
    }

    /// Advances the host's time and runs due work.
    pub fn pass_and_work(&mut self, length: Duration) {
        self.pass(length);
        self.work();
    }

    /// Makes a call with its own random bytes.
    pub fn call(&mut self, command: Command) -> Reply {
        self.calls += 1;
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&self.calls.to_be_bytes());
        let step = Step {
            now: self.now,
            seed: hex(&seed),
            command,
        };
        let reply = self.service.step(self.database.as_mut(), &step);
        self.recording.push((step, reply.clone()));
        reply
    }

    /// Sends a request unchanged.
    pub fn send(&mut self, request: WireRequest) -> Answer {
        match self.call(Command::Answer { request }) {
            Reply::Response(WireResponse {
                status,
                headers,
                body,
            }) => {
                let body = serde_json::from_str(&body).unwrap_or(Value::String(body));
                Answer {
                    status,
                    headers,
                    body,
                }
            }
            other => panic!("not an answer: {other:?}"),
        }
    }

    /// Sends a request and answers the calls of contracts that it needs, as a host with nodes does. It is not recorded.
    pub fn send_with_nodes(
        &mut self,
        request: &WireRequest,
        ask: impl Fn(&NodeCalls) -> Vec<NodeAnswers>,
    ) -> Answer {
        let mut http = http_request(request);
        let route = self.service.route(http.method(), http.uri().path());
        let decoded = route.decode(&http);
        let mut answers = ContractAnswers::default();
        if let Some(awaited) = self.resumes.take() {
            http.extensions_mut().insert(awaited);
        }
        // As often as a host asks, and once more.
        for _ in 0..3 {
            self.calls += 1;
            let mut seed = [0; 32];
            seed[..8].copy_from_slice(&self.calls.to_be_bytes());
            let database = self.database.as_mut();
            database.begin(Access::Write).expect("a transaction");
            let prepared = Prepared::default();
            let (now, seed) = (self.now, Seed(seed));
            let answer = self
                .service
                .answer_in(database, &http, &decoded, prepared, now, seed)
                .expect("an answer");
            match answer.keep {
                true => database.commit().expect("a commit"),
                false => database.rollback().expect("a rollback"),
            }
            if answer.asked.is_empty() {
                self.awaited = answer.awaits;
                let body = serde_json::from_slice(answer.response.body()).expect("JSON");
                return Answer {
                    status: answer.response.status().as_u16(),
                    headers: texts_of(answer.response.headers()),
                    body,
                };
            }
            for calls in answer.asked {
                let said = ask(&calls);
                answers.add(calls, said);
            }
            http.extensions_mut().insert(answers.clone());
        }
        panic!("it asks again and again");
    }

    /// Sends a request without credentials.
    pub fn public(&mut self, method: &str, target: &str, body: Value) -> Answer {
        self.send(request(method, target, &body, Vec::new()))
    }

    /// Sends a request with an API key.
    pub fn keyed(&mut self, shop: &Shop, method: &str, target: &str, body: Value) -> Answer {
        self.send(request(
            method,
            target,
            &body,
            vec![(header::API_KEY.into(), shop.key.clone())],
        ))
    }

    /// Creates a record with an API key.
    pub fn post(&mut self, shop: &Shop, path: &str, body: Value) -> Answer {
        let created = self.keyed(shop, "POST", path, body);
        assert_eq!(created.status, 201, "{path}: {}", created.body);
        created
    }

    /// Reads with an API key; the request must succeed.
    pub fn read(&mut self, shop: &Shop, path: &str) -> Value {
        let answer = self.keyed(shop, "GET", path, Value::Null);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.data().clone()
    }

    /// Reads a whole list; see [`pages`].
    pub fn list(&mut self, shop: &Shop, path: &str) -> Vec<Value> {
        pages(path, |page| self.read(shop, page))
    }

    /// Creates a record by a signed request.
    pub fn create(&mut self, shop: &Shop, path: &str, body: Value) -> Answer {
        let created = self.signed(shop, None, "POST", path, body);
        assert_eq!(created.status, 201, "{path}: {}", created.body);
        created
    }

    /// Creates an API key that has these scopes only.
    pub fn scoped(&mut self, shop: &Shop, scopes: &[&str]) -> Shop {
        let body = json!({ "name": scopes.join(" and "), "scopes": scopes });
        let created = self.post(shop, "/v1/api-keys", body);
        Shop {
            key: text(created.data(), "key"),
            ..shop.clone()
        }
    }

    /// Moves the sandbox's clock forward.
    pub fn advance(&mut self, shop: &Shop, by: Duration) {
        let body = json!({ "advance_seconds": by.as_secs() });
        let moved = self.keyed(shop, "POST", "/v1/sandbox/clock", body);
        assert_eq!(moved.status, 200, "{}", moved.body);
    }

    /// Does what is due until payouts and trades under way are confirmed.
    pub fn settle(&mut self) {
        for _ in 0..4 {
            self.work();
            self.pass(Duration::from_secs(10));
        }
        self.work();
    }

    /// Sends a request of the dashboard.
    pub fn session(&mut self, who: &SignedIn, method: &str, target: &str, body: Value) -> Answer {
        self.send(request(method, target, &body, who.headers()))
    }

    /// Sends a request with a dashboard session after a step-up.
    pub fn session_with_step_up(
        &mut self,
        who: &SignedIn,
        method: &str,
        target: &str,
        body: Value,
    ) -> Answer {
        let headers = self.step_up(who);
        self.send(request(method, target, &body, headers))
    }

    /// The headers of a dashboard session after a step-up.
    pub fn step_up(&mut self, who: &SignedIn) -> Vec<(String, String)> {
        let password = json!({ "password": PASSWORD });
        let proof = self.session(who, "POST", "/v1/sessions/step-up", password);
        assert_eq!(proof.status, 201, "{}", proof.body);
        let token = text(proof.data(), "token");
        let mut headers = who.headers();
        headers.push((header::STEP_UP.to_owned(), token));
        headers
    }

    /// Sends a signed request, on behalf of a sub-merchant if given.
    pub fn signed(
        &mut self,
        shop: &Shop,
        on_behalf: Option<OrganisationId>,
        method: &str,
        target: &str,
        body: Value,
    ) -> Answer {
        let request = self.sign(shop, on_behalf, method, target, &body);
        self.send(request)
    }

    /// Signs a request without sending it.
    pub fn sign(
        &mut self,
        shop: &Shop,
        on_behalf: Option<OrganisationId>,
        method: &str,
        target: &str,
        body: &Value,
    ) -> WireRequest {
        self.calls += 1;
        let mut random = [0; 10];
        random[..8].copy_from_slice(&self.calls.to_be_bytes());
        let nonce = Nonce::new(self.now, random);
        sign_with(shop, on_behalf, nonce, method, target, body)
    }

    /// Creates another key of an organisation, as the operator.
    pub fn another_key(&mut self, organisation: OrganisationId) -> String {
        let seed = Seed([0x42; 32]);
        let made = self.service.create_key(
            self.database.as_mut(),
            organisation,
            ("another", Scope::ALL),
            self.now,
            seed,
        );
        let made = made.expect("a database").expect("an organisation");
        made.key.expect("a key as made")
    }

    /// Creates an organisation.
    pub fn shop(&mut self, name: &str, partner: Option<OrganisationId>) -> Shop {
        self.organisation(name, partner, false, false)
    }

    /// Creates an organisation with an account `till` for USDC on Base.
    pub fn shop_with_till(&mut self, name: &str) -> Shop {
        let shop = self.shop(name, None);
        self.account(&shop, "till", 8453, &["USDC"]);
        shop
    }

    /// Creates an organisation with OTC trading.
    pub fn otc_shop(&mut self, name: &str) -> Shop {
        self.organisation(name, None, true, false)
    }

    /// Creates an organisation whose webhooks go to its inbox, as the command line does.
    pub fn shop_with_inbox(&mut self, name: &str) -> Shop {
        self.organisation(name, None, false, true)
    }

    fn organisation(
        &mut self,
        name: &str,
        partner: Option<OrganisationId>,
        otc: bool,
        inbox: bool,
    ) -> Shop {
        match self.call(Command::CreateOrganisation {
            name: name.into(),
            partner,
            otc,
            inbox,
        }) {
            Reply::Organisation {
                org_id,
                api_key,
                signing_secret,
            } => Shop {
                id: org_id,
                key: api_key,
                secret: signing_secret,
            },
            other => panic!("not an organisation: {other:?}"),
        }
    }

    /// Creates a user of an organisation and signs in.
    pub fn sign_in(&mut self, shop: &Shop, email: &str) -> SignedIn {
        self.sign_in_as(shop, email, None)
    }

    /// As [`World::sign_in`], with a role.
    pub fn sign_in_as(&mut self, shop: &Shop, email: &str, role: Option<Role>) -> SignedIn {
        let person = Command::CreatePerson {
            organisation: shop.id,
            email: email.into(),
            name: "Ada".into(),
            password: PASSWORD.into(),
            role,
        };
        assert_eq!(self.call(person), Reply::Done);
        self.sign_in_again(email)
    }

    /// Signs in an existing user.
    pub fn sign_in_again(&mut self, email: &str) -> SignedIn {
        let answer = self.public(
            "POST",
            "/v1/sessions",
            json!({ "email": email, "password": PASSWORD }),
        );
        assert_eq!(answer.status, 201, "{}", answer.body);
        let cookie = answer
            .header("set-cookie")
            .and_then(|cookie| cookie.split(';').next())
            .expect("a cookie")
            .to_owned();
        SignedIn {
            cookie,
            csrf: text(answer.data(), "csrf_token"),
        }
    }

    /// Creates an account.
    pub fn account(
        &mut self,
        shop: &Shop,
        reference: &str,
        chain: i64,
        currencies: &[&str],
    ) -> i64 {
        let body = json!({ "currencies": currencies, "reference": reference, "chain_id": chain, "type": "CryptoPayIn", "name": reference });
        self.post(shop, "/v1/accounts", body).id_number()
    }

    /// Deposits from the test wallet and waits for the confirmation.
    pub fn deposit(&mut self, shop: &Shop, account: i64, chain: i64, currency: &str, amount: &str) {
        let body = json!({ "account": account, "chain_id": chain, "currency": currency, "amount": amount });
        self.post(shop, "/v1/sandbox/deposits", body);
        self.pass_and_work(Duration::from_secs(10));
    }

    /// Sets the endpoint of an organisation's webhooks.
    pub fn set_webhook_url(&mut self, shop: &Shop, url: &str) {
        let set = self.keyed(shop, "PUT", "/v1/orgs", json!({ "webhook_url": url }));
        assert_eq!(set.status, 200, "{}", set.body);
    }

    /// Starts a checkout of 5 USDC with a payer's name or email address; returns the customer's id.
    pub fn customer(&mut self, shop: &Shop, mut payer: Value) -> String {
        let link = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
        let link = self.post(shop, "/v1/paylinks", link).id();
        payer["chain_id"] = json!(8453);
        payer["currency"] = json!("USDC");
        let started = self.public("POST", &format!("/v1/checkout/{link}/payments"), payer);
        assert_eq!(started.status, 201, "{}", started.body);
        text(&self.read(shop, "/v1/customers?limit=1")["items"][0], "id")
    }

    /// Pays the rest of a payment from the test wallet.
    pub fn pay(&mut self, payment: &str) -> Answer {
        let path = format!("/v1/sandbox/checkout/payments/{payment}/pay");
        let paid = self.public("POST", &path, json!({}));
        assert_eq!(paid.status, 201, "{}", paid.body);
        paid
    }

    /// Reports USDC on Base that arrived at an address, with this number of confirmations. The hash is padded.
    pub fn observe_deposit(&mut self, to: &str, hash: &str, units: &str, confirmations: u32) {
        let deposit = self.transfer(8453, "USDC", (to, hash, units));
        let observed = self.observe(8453, deposit, confirmations);
        assert!(
            matches!(observed, Reply::Done | Reply::Observed { .. }),
            "{observed:?}"
        );
    }

    /// A transfer from a wallet outside the service.
    pub fn transfer(
        &mut self,
        chain: i64,
        currency: &str,
        (to, hash, units): (&str, &str, &str),
    ) -> WireTransfer {
        const TOKEN: &str = "SELECT token_address FROM assets WHERE chain_id = ?1 AND symbol = ?2";
        let token = self.database.query(TOKEN, &[chain.into(), currency.into()]);
        let token = token.expect("the assets")[0]
            .maybe_text(0)
            .expect("an address")
            .map(str::to_owned);
        WireTransfer {
            hash: padded(hash),
            index: match token {
                Some(_) => TransferIndex::Log(0),
                None => TransferIndex::Value,
            },
            token,
            from: WALLET.to_owned(),
            to: to.to_owned(),
            units: units.to_owned(),
        }
    }

    /// Reports a transfer in a block of the simulated chain that has this number of confirmations, final ones if they suffice; 0
    /// shows it in the mempool.
    pub fn observe(&mut self, chain: i64, transfer: WireTransfer, confirmations: u32) -> Reply {
        const DEPTH: &str = "SELECT confirmations_required FROM chains WHERE id = ?1";
        let id = chain.to_string().parse().expect("a chain");
        if confirmations == 0 {
            let shown = WirePendingTransfer {
                hash: transfer.hash,
                token: transfer.token,
                from: transfer.from,
                to: transfer.to,
                units: transfer.units,
            };
            return self.call(Command::ObservePending {
                chain: id,
                transfers: vec![shown],
            });
        }
        let depth = self.database.query(DEPTH, &[chain.into()]).expect("chains")[0]
            .int(0)
            .expect("a number");
        let latest = u64::try_from(self.now.seconds()).expect("a height");
        let is_final = i64::from(confirmations) >= depth;
        let block = WireBlockId {
            number: latest + 1 - u64::from(confirmations),
            hash: padded("0xb10c"),
        };
        let finalized = Some(block.clone()).filter(|_| is_final);
        self.call(Command::ObserveBlock {
            block: WireBlock {
                chain: id,
                number: block.number,
                hash: block.hash,
                parent: padded("0x0"),
                mined_at: self.now,
                base_fee: "0".to_owned(),
                transfers: vec![transfer],
                tokens: Vec::new(),
                sent: Vec::new(),
                untraced: Vec::new(),
                finalized,
            },
        })
    }

    /// Runs due work; returns the webhook calls.
    pub fn work(&mut self) -> Vec<WireOutbound> {
        match self.call(Command::Work) {
            Reply::Outbound(due) => due,
            other => panic!("not work: {other:?}"),
        }
    }

    /// Reports an endpoint's answer.
    pub fn report(&mut self, call: &WireOutbound, status: u16) {
        let outcome = WireOutcome::Answered {
            status,
            headers: Vec::new(),
            body: "ok".into(),
            duration_ms: 12,
        };
        let report = Command::Report {
            organisation: call.organisation,
            event: call.event,
            url: call.url.clone(),
            body: call.body.clone(),
            outcome,
        };
        assert_eq!(self.call(report), Reply::Done);
    }

    /// Delivers all due webhooks with one answer; returns the calls.
    pub fn deliver(&mut self, status: u16) -> Vec<WireOutbound> {
        let mut delivered = Vec::new();
        loop {
            let due = self.work();
            if due.is_empty() {
                return delivered;
            }
            for call in &due {
                self.report(call, status);
            }
            delivered.extend(due);
        }
    }

    /// The audit's inconsistencies, and wrong counts and totals; empty if the books balance.
    pub fn differences(&mut self) -> Vec<String> {
        let mut found = match self.call(Command::Verify) {
            Reply::Differences(differences) => differences,
            other => panic!("not an audit: {other:?}"),
        };
        found.extend(wrong_filter_counts(self.database.as_mut()));
        found.extend(wrong_totals(self.database.as_mut()));
        found
    }

    /// The recording, one line per call.
    pub fn transcript(&self) -> String {
        self.recording
            .iter()
            .map(|(step, reply)| {
                format!(
                    "{}\n",
                    serde_json::to_string(&json!({ "step": step, "reply": reply })).expect("JSON")
                )
            })
            .collect()
    }
}

/// Filter counts of the lowest level that differ from their rows.
fn wrong_filter_counts(database: &mut dyn Database) -> Vec<String> {
    const STORED: &str = "SELECT org_id, list, segment, type, action, status, sent, row_count FROM filter_counts \
         WHERE level = 0 AND row_count <> 0";
    const COUNTED: &str = "SELECT org_id, list, segment, type, action, status, sent, COUNT(*) FROM ( \
         SELECT org_id, 'payments' AS list, seq / 4096 AS segment, payment_method AS type, currency AS action, status, 0 AS sent FROM payments \
         UNION ALL SELECT org_id, 'paylinks', seq / 4096, '', '', state, 0 FROM paylinks WHERE state IS NOT NULL \
         UNION ALL SELECT org_id, 'subscriptions', seq / 4096, '', '', status, 0 FROM subscriptions \
         UNION ALL SELECT org_id, 'invoices', seq / 4096, '', '', payment_status, 0 FROM invoices \
         UNION ALL SELECT org_id, 'movements', seq / 4096, '', '', status, 0 FROM movements WHERE status <> 'Confirmed' \
         UNION ALL SELECT org_id, 'customers', seq / 4096, '', '', \
         CASE WHEN payments_count > 1 THEN 'repeat' ELSE 'first-time' END, 0 FROM customers \
         UNION ALL SELECT org_id, 'events', seq / 4096, type, action, delivery_status, \
         CASE WHEN webhook_sent_at IS NULL THEN 0 ELSE 1 END FROM events) listed \
         GROUP BY org_id, list, segment, type, action, status, sent";
    let [stored, counted]: [BTreeSet<String>; 2] =
        [STORED, COUNTED].map(|sql| rows(database, sql).into_iter().collect());
    let differ = stored.symmetric_difference(&counted);
    differ
        .map(|count| format!("filter count: {count}"))
        .collect()
}

impl SignedIn {
    /// The headers of a dashboard request.
    pub fn headers(&self) -> Vec<(String, String)> {
        vec![
            ("cookie".into(), self.cookie.clone()),
            (header::CSRF.into(), self.csrf.clone()),
        ]
    }
}

/// An amount: `"12.50"`.
pub fn amount(text: &str) -> Amount {
    text.parse().expect("an amount")
}

/// A currency by its symbol: `"USDC"`.
pub fn currency(symbol: &str) -> Currency {
    symbol.parse().expect("a currency")
}

/// A text field of a record: an id, an amount, a status.
pub fn text(record: &Value, field: &str) -> String {
    let found = record[field].as_str();
    let found = found.unwrap_or_else(|| panic!("{field} is not a text in {record}"));
    found.to_owned()
}

/// An integer field of a record: the id of an account, a chain, a total.
pub fn number(record: &Value, field: &str) -> i64 {
    let found = record[field].as_i64();
    found.unwrap_or_else(|| panic!("{field} is not an integer in {record}"))
}

/// The items of a page.
pub fn items(page: &Value) -> &[Value] {
    let found = page["items"].as_array();
    found.unwrap_or_else(|| panic!("not a page: {page}"))
}

/// A field of each record that is a text.
pub fn texts(records: &[Value], field: &str) -> Vec<String> {
    records.iter().map(|record| text(record, field)).collect()
}

/// Reads a list in pages of two, newest first and oldest first, and checks the totals and page numbers. Returns its records,
/// oldest first.
pub fn pages(path: &str, mut read: impl FnMut(&str) -> Value) -> Vec<Value> {
    let joint = if path.contains('?') { '&' } else { '?' };
    let [mut newest_first, oldest_first] = ["desc", "asc"].map(|sort| {
        let (mut records, mut number) = (Vec::new(), 1);
        loop {
            let page = read(&format!("{path}{joint}limit=2&sort={sort}&page={number}"));
            records.extend_from_slice(items(&page));
            number += 1;
            if page.get("next").is_none() {
                assert_eq!(page["total"], records.len(), "{path}");
                return records;
            }
            assert_eq!(items(&page).len(), 2, "{path}");
            assert_eq!(page["next"], number, "{path}");
        }
    });
    newest_first.reverse();
    assert_eq!(newest_first, oldest_first, "{path}");
    oldest_first
}

fn texts_of(headers: &http::HeaderMap) -> Vec<(String, String)> {
    let text = |value: &http::HeaderValue| value.to_str().expect("text").to_owned();
    let headers = headers.iter();
    headers
        .map(|(name, value)| (name.to_string(), text(value)))
        .collect()
}

/// A request; no body when it is null.
pub fn request(
    method: &str,
    target: &str,
    body: &Value,
    headers: Vec<(String, String)>,
) -> WireRequest {
    let body = if body.is_null() {
        String::new()
    } else {
        body.to_string()
    };
    WireRequest {
        method: method.into(),
        target: target.into(),
        headers,
        body,
    }
}

/// A signed request with a given nonce.
pub fn sign_with(
    shop: &Shop,
    on_behalf: Option<OrganisationId>,
    nonce: Nonce,
    method: &str,
    target: &str,
    body: &Value,
) -> WireRequest {
    let mut wire = request(
        method,
        target,
        body,
        vec![(header::API_KEY.into(), shop.key.clone())],
    );
    if let Some(organisation) = on_behalf {
        wire.headers
            .push((header::ORGANISATION.into(), organisation.to_string()));
    }
    let mut request = http_request(&wire);
    sign::sign(&mut request, &shop.secret, nonce);
    for name in [header::NONCE, header::SIGNATURE] {
        let value = request.headers()[name].to_str().expect("text").to_owned();
        wire.headers.push((name.to_owned(), value));
    }
    wire
}

/// A request as a host hands it on.
pub fn http_request(wire: &WireRequest) -> http::Request<Vec<u8>> {
    let mut builder = http::Request::builder()
        .method(wire.method.as_str())
        .uri(&wire.target);
    for (name, value) in &wire.headers {
        builder = builder.header(name, value);
    }
    let body = wire.body.clone().into_bytes();
    builder.body(body).expect("a request")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The parts of a call that an endpoint needs to verify its signature.
pub fn received(call: &WireOutbound) -> Received<'_> {
    let find = |name: &str| {
        let mut headers = call.headers.iter();
        let found = headers.find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str()).expect("a header")
    };
    Received {
        id: find(header::WEBHOOK_ID),
        timestamp: find(header::WEBHOOK_TIMESTAMP),
        signature: find(header::WEBHOOK_SIGNATURE),
        body: call.body.as_bytes(),
    }
}

/// A hash of 32 bytes from the digits of a short one.
pub fn padded(hash: &str) -> String {
    let digits = hash.trim_start_matches("0x");
    format!("0x{digits:0>64}")
}
