//! An exchange of the tests' own in the place of Kraken, which checks API key, signature and nonce as Kraken does.

#[path = "kraken_withdrawals.rs"]
mod withdrawals;

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};

use aws_lc_rs::digest::{self, SHA256};
use aws_lc_rs::hmac::{self, HMAC_SHA512};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use self::withdrawals::Withdrawals;

/// The API key of the account.
const KEY: &str = "the-key-of-the-account";

/// Its private key.
const SECRET: [u8; 64] = [0x5a; 64];

/// The exchange with one account. Ends with the test process.
pub struct Kraken {
    address: String,
    shared: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    balances: BTreeMap<String, (String, String)>,
    nonce: u64,
    requests: usize,
    /// The status line and body of every answer after this many requests.
    fault: Option<(usize, String, String)>,
    /// What each market trades at its price, in its first currency, before the book is empty.
    book: BTreeMap<String, Depth>,
    /// All orders by the client's id, as the exchange lists them.
    orders: BTreeMap<String, Value>,
    /// The requests for orders with the right key, signature and nonce.
    placements: usize,
    /// Whether orders are taken without an answer.
    is_silent: bool,
    /// The error that all orders are refused with.
    refusal: Option<String>,
    withdrawals: Withdrawals,
}

/// One side of an order book, in hundredths.
#[derive(Clone, Copy)]
struct Depth {
    price: i64,
    volume: i64,
}

impl Kraken {
    /// Starts the exchange, with an account that has nothing.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("its address").to_string();
        let shared = Arc::new(Mutex::new(State::default()));
        let served = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&served);
                // A broken connection is the client's business.
                std::thread::spawn(move || drop(serve(&shared, &stream)));
            }
        });
        Self { address, shared }
    }

    /// The base URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The API key and the private key, one per line.
    pub fn credentials() -> String {
        format!("{KEY}\n{}\n", STANDARD.encode(SECRET))
    }

    /// Sets a balance and its part that orders reserve, by the exchange's name of the asset.
    pub fn set_balance(&self, asset: &str, total: &str, held: &str) {
        let balance = (total.to_owned(), held.to_owned());
        lock(&self.shared)
            .balances
            .insert(asset.to_owned(), balance);
    }

    /// Answers everything with one status line and body from now on.
    pub fn answer_all(&self, status: &str, body: &str) {
        lock(&self.shared).fault = Some((0, status.to_owned(), body.to_owned()));
    }

    /// Answers one more request as an exchange, and all later ones with one status line and body.
    pub fn answer_all_but_one(&self, status: &str, body: &str) {
        let mut state = lock(&self.shared);
        state.fault = Some((state.requests + 1, status.to_owned(), body.to_owned()));
    }

    /// Uses a nonce as another program with the same API key would.
    pub fn use_nonce(&self, nonce: u64) {
        lock(&self.shared).nonce = nonce;
    }

    /// Trades so much of a market at a price, in hundredths, by the exchange's name of the market.
    pub fn set_depth(&self, market: &str, price: i64, volume: i64) {
        let depth = Depth { price, volume };
        lock(&self.shared).book.insert(market.to_owned(), depth);
    }

    /// From now on takes orders, and breaks the connection instead of an answer; or answers again.
    pub fn set_silent(&self, is_silent: bool) {
        lock(&self.shared).is_silent = is_silent;
    }

    /// Refuses all orders from now on.
    pub fn refuse_orders(&self, error: &str) {
        lock(&self.shared).refusal = Some(error.to_owned());
    }

    /// The number of requests for orders with the right key, signature and nonce.
    pub fn placements(&self) -> usize {
        lock(&self.shared).placements
    }

    /// The number of requests.
    pub fn requests(&self) -> usize {
        lock(&self.shared).requests
    }
}

fn lock(shared: &Mutex<State>) -> MutexGuard<'_, State> {
    shared.lock().expect("no thread panicked")
}

/// A request. The names of its headers are in lower case.
struct Request {
    path: String,
    headers: BTreeMap<String, String>,
    body: String,
}

impl Request {
    fn read(stream: &TcpStream) -> io::Result<Self> {
        let mut reader = BufReader::new(stream);
        let mut first = String::new();
        reader.read_line(&mut first)?;
        let mut headers = BTreeMap::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            let Some((name, value)) = line.trim().split_once(':') else {
                break;
            };
            headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        }
        let length = headers.get("content-length");
        let length = length.and_then(|length| length.parse().ok()).unwrap_or(0);
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        Ok(Self {
            path: first.split(' ').nth(1).unwrap_or_default().to_owned(),
            headers,
            body: String::from_utf8_lossy(&body).into_owned(),
        })
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    fn field(&self, name: &str) -> &str {
        let mut pairs = self.body.split('&').filter_map(|pair| pair.split_once('='));
        pairs
            .find(|(field, _)| *field == name)
            .map_or("", |(_, value)| value)
    }

    /// Whether the signature is of this path, nonce and form.
    fn is_signed(&self) -> bool {
        let nonce_and_form = format!("{}{}", self.field("nonce"), self.body);
        let digest = digest::digest(&SHA256, nonce_and_form.as_bytes());
        let message = [self.path.as_bytes(), digest.as_ref()].concat();
        let signature = STANDARD.decode(self.header("api-sign")).unwrap_or_default();
        let key = hmac::Key::new(HMAC_SHA512, &SECRET);
        hmac::verify(&key, &message, &signature).is_ok()
    }
}

fn serve(shared: &Mutex<State>, mut stream: &TcpStream) -> io::Result<()> {
    let request = Request::read(stream)?;
    let (status, body) = {
        let mut state = lock(shared);
        match state.fault.clone() {
            Some((from, status, body)) if state.requests >= from => (status, body),
            _ => ("200 OK".to_owned(), state.answer(&request).to_string()),
        }
    };
    if lock(shared).is_silent && request.path.ends_with("/AddOrder") {
        return Ok(());
    }
    while request.path.ends_with("/Withdraw") && lock(shared).withdrawals.is_held {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let length = body.len();
    let answer =
        format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}");
    stream.write_all(answer.as_bytes())
}

impl State {
    fn answer(&mut self, request: &Request) -> Value {
        let failed = |error: &str| json!({ "error": [error] });
        self.requests += 1;
        if let Some((path, query)) = request.path.split_once('?')
            && let Some(public) = path.strip_prefix("/0/public/")
        {
            return self.answer_public(public, query);
        }
        if request.header("api-key") != KEY {
            return failed("EAPI:Invalid key");
        }
        if !request.is_signed() {
            return failed("EAPI:Invalid signature");
        }
        let nonce = request.field("nonce").parse().unwrap_or(0);
        if nonce <= self.nonce {
            return failed("EAPI:Invalid nonce");
        }
        self.nonce = nonce;
        match request.path.as_str() {
            "/0/private/BalanceEx" => json!({ "error": [], "result": self.listed() }),
            "/0/private/AddOrder" => self.add_order(request),
            "/0/private/ClosedOrders" => {
                let order = self.orders.get(request.field("cl_ord_id"));
                let closed = order.map(|order| json!({ exchange_id(order): order }));
                json!({ "error": [], "result": { "closed": closed.unwrap_or_else(|| json!({})) } })
            }
            "/0/private/OpenOrders" => json!({ "error": [], "result": { "open": {} } }),
            path => {
                let method = path.strip_prefix("/0/private/").unwrap_or_default();
                let answered = self.withdrawals.answer(method, request);
                answered.unwrap_or_else(|| failed("EGeneral:Unknown method"))
            }
        }
    }

    /// Describes a market, or shows its order book: sellers at its price, and buyers 0.01 below.
    fn answer_public(&self, method: &str, query: &str) -> Value {
        let market = query.split('&').find_map(|pair| pair.strip_prefix("pair="));
        let depth = market.and_then(|market| Some((market, self.book.get(market)?)));
        let Some((market, depth)) = depth else {
            return json!({ "error": ["EQuery:Unknown asset pair"] });
        };
        let hundredths = |units: i64| format!("{}.{:02}", units / 100, units % 100);
        let result = match method {
            "AssetPairs" => json!({
                "wsname": format!("{}/{}", &market[..market.len() - 4], &market[market.len() - 4..]),
                "status": "online", "lot_decimals": 2, "pair_decimals": 2, "tick_size": "0.01",
                "ordermin": "1", "costmin": "0.5", "fees": [[0, 0.25], [10_000, 0.2]],
            }),
            _ => {
                let level =
                    |price| json!([hundredths(price), hundredths(depth.volume), 1_790_000_000]);
                json!({ "asks": [level(depth.price)], "bids": [level(depth.price - 1)] })
            }
        };
        json!({ "error": [], "result": { market: result } })
    }

    /// Executes an order against the book at once, and cancels the rest.
    fn add_order(&mut self, request: &Request) -> Value {
        let failed = |error: &str| json!({ "error": [error] });
        if let Some(error) = &self.refusal {
            return failed(error);
        }
        let (market, id) = (request.field("pair"), request.field("cl_ord_id"));
        let hundredths = |name: &str| {
            let (whole, rest) = request
                .field(name)
                .split_once('.')
                .unwrap_or((request.field(name), ""));
            format!("{whole}{rest:0<2}").parse::<i64>().unwrap_or(0)
        };
        let Some(depth) = self.book.get_mut(market) else {
            return failed("EQuery:Unknown asset pair");
        };
        if request.field("timeinforce") != "IOC" {
            return failed("EGeneral:Invalid arguments");
        }
        self.placements += 1;
        let (volume, price) = (hundredths("volume"), hundredths("price"));
        let is_met = match request.field("type") {
            "sell" => depth.price >= price,
            _ => depth.price <= price,
        };
        let executed = if is_met { volume.min(depth.volume) } else { 0 };
        depth.volume -= executed;
        let cost = executed * depth.price;
        let decimal = |units: i64, scale: u32| {
            let one = 10_i64.pow(scale);
            format!(
                "{}.{:0width$}",
                units / one,
                units % one,
                width = scale as usize
            )
        };
        let order = json!({
            "status": if executed == volume { "closed" } else { "canceled" },
            "cl_ord_id": id,
            "userref": self.placements,
            "vol": decimal(volume, 2),
            "vol_exec": decimal(executed, 2),
            "cost": decimal(cost, 4),
            "fee": decimal(cost * 25, 8),
        });
        let txid = [exchange_id(&order)];
        // The id of a closed order may be used again.
        self.orders.insert(id.to_owned(), order);
        json!({ "error": [], "result": { "txid": txid, "descr": {} } })
    }

    fn listed(&self) -> Value {
        let balances = self.balances.iter().map(|(asset, (total, held))| {
            let balance = json!({ "balance": total, "hold_trade": held });
            (asset.clone(), balance)
        });
        Value::Object(balances.collect())
    }
}

/// The exchange's id of an order.
fn exchange_id(order: &Value) -> String {
    format!("OFAKE-{}", order["userref"])
}
