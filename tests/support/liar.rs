//! A proxy in front of a node that lies.

use std::io::{self, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use serde_json::{Value, json};

use crate::json_rpc;

/// What the proxy does.
#[derive(Clone)]
pub enum Lie {
    /// Passes everything on.
    None,
    /// Hides the latest blocks.
    Lag(u64),
    /// Has no logs.
    NoLogs,
    /// Names another chain.
    ChainId(u64),
    /// Has no capacity: HTTP status 429.
    TooManyRequests,
    /// Refuses logs of more blocks than this.
    CutRange(u64),
    /// Accepts requests and never answers.
    Hang,
    /// Closes every connection.
    Die,
    /// Leaves out the second half of each answer.
    Truncate,
    /// Changes one byte of each answer, in a place that the number decides.
    Garble(u64),
    /// Changes results: the method, its parameters and the result.
    Tamper(Tamper),
    /// Fails some calls.
    Fail(Fail),
}

/// Decides by the method and its parameters how a call fails.
pub type Fail = Arc<dyn Fn(&str, &Value) -> Option<Fault> + Send + Sync>;

/// How a call fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// With an error of JSON-RPC.
    Error(i64, &'static str),
    /// With a status of HTTP, which ends the whole request.
    Status(&'static str),
    /// Never answered, nor is the rest of the request.
    Hang,
    /// Done by the node, and never answered.
    Hold,
    /// Done by the node, and answered when the proxy does something else.
    Delay,
}

/// Changes the result of a method.
pub type Tamper = Arc<dyn Fn(&str, &Value, &mut Value) + Send + Sync>;

/// The proxy. Ends with the test process.
pub struct Liar {
    address: String,
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    lie: Lie,
    /// Counts the changes of the lie.
    changes: u64,
    node: String,
    methods: Vec<String>,
    requests: Vec<Value>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no thread panicked")
    }

    /// Waits until the lie is another one.
    fn wait_for_change(&self, changes: u64) {
        let state = self.lock();
        let waited = self
            .changed
            .wait_while(state, |state| state.changes == changes);
        drop(waited.expect("no thread panicked"));
    }
}

impl Liar {
    /// Starts an honest proxy in front of the node at an address.
    pub fn start(node: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("its address").to_string();
        let state = Mutex::new(State {
            lie: Lie::None,
            changes: 0,
            node: node.to_owned(),
            methods: Vec::new(),
            requests: Vec::new(),
        });
        let shared = Arc::new(Shared {
            state,
            changed: Condvar::new(),
        });
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

    /// The URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The host, as it stands in errors.
    pub fn host(&self) -> &str {
        &self.address
    }

    /// Lies from now on.
    pub fn tell(&self, lie: Lie) {
        let mut state = self.shared.lock();
        state.lie = lie;
        state.changes += 1;
        self.shared.changed.notify_all();
    }

    /// What it does now.
    pub fn lie(&self) -> Lie {
        self.shared.lock().lie.clone()
    }

    /// Changes results from now on.
    pub fn tamper(&self, tamper: impl Fn(&str, &Value, &mut Value) + Send + Sync + 'static) {
        self.tell(Lie::Tamper(Arc::new(tamper)));
    }

    /// Fails some calls from now on.
    pub fn fail(&self, fail: impl Fn(&str, &Value) -> Option<Fault> + Send + Sync + 'static) {
        self.tell(Lie::Fail(Arc::new(fail)));
    }

    /// Stands in front of another node.
    pub fn point_at(&self, node: &str) {
        self.shared.lock().node = node.to_owned();
    }

    /// The requests since the last time, each of one call or several.
    pub fn take_requests(&self) -> Vec<Value> {
        std::mem::take(&mut self.shared.lock().requests)
    }

    /// The methods called since the last time.
    pub fn take_methods(&self) -> Vec<String> {
        std::mem::take(&mut self.shared.lock().methods)
    }
}

fn serve(shared: &Shared, stream: &TcpStream) -> io::Result<()> {
    let mut reader = BufReader::new(stream);
    loop {
        let request: Value = serde_json::from_slice(&json_rpc::read_message(&mut reader)?)?;
        let (lie, changes, node) = {
            let mut state = shared.lock();
            let calls = request
                .as_array()
                .map_or(std::slice::from_ref(&request), |all| all);
            let methods = calls.iter().filter_map(|call| call["method"].as_str());
            let methods: Vec<String> = methods.map(str::to_owned).collect();
            state.methods.extend(methods);
            state.requests.push(request.clone());
            (state.lie.clone(), state.changes, state.node.clone())
        };
        let fault = whole_fault(&lie, &request);
        if let Some(Fault::Status(status)) = fault {
            respond(stream, status, "no")?;
            continue;
        }
        let answer = match &lie {
            Lie::Die => return Ok(()),
            _ if matches!(lie, Lie::Hang) || fault == Some(Fault::Hang) => {
                shared.wait_for_change(changes);
                return Ok(());
            }
            Lie::TooManyRequests => {
                respond(
                    stream,
                    "429 Too Many Requests\r\nretry-after: 1",
                    "slow down",
                )?;
                continue;
            }
            _ => match request.as_array() {
                Some(calls) => {
                    let answers = calls.iter().map(|call| answer(&node, &lie, call));
                    // In another order than asked.
                    let mut answers = answers.collect::<io::Result<Vec<Value>>>()?;
                    answers.reverse();
                    Value::Array(answers)
                }
                None => answer(&node, &lie, &request)?,
            },
        };
        match fault {
            Some(Fault::Hold) => {
                shared.wait_for_change(changes);
                return Ok(());
            }
            Some(Fault::Delay) => shared.wait_for_change(changes),
            _ => {}
        }
        let mut text = answer.to_string();
        match lie {
            Lie::Truncate => text.truncate(text.len() / 2),
            Lie::Garble(seed) => garble(&mut text, seed),
            _ => {}
        }
        respond(stream, "200 OK", &text)?;
    }
}

/// The fault of a request as a whole.
fn whole_fault(lie: &Lie, request: &Value) -> Option<Fault> {
    let Lie::Fail(fail) = lie else {
        return None;
    };
    let calls = request
        .as_array()
        .map_or(std::slice::from_ref(request), |all| all);
    let faults = calls.iter().filter_map(|call| {
        let method = call["method"].as_str().unwrap_or_default();
        fail(method, &call["params"])
    });
    let mut whole = faults.filter(|fault| !matches!(fault, Fault::Error(..)));
    whole.next()
}

fn garble(text: &mut String, seed: u64) {
    // Multiplied by an odd number, the seeds spread over the text.
    let place = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) % text.len() as u64;
    let place = usize::try_from(place).expect("a place in the text");
    let letters = ["0", "7", "f", "x", "\"", "}", "[", "-", "."];
    let letter = letters[usize::try_from(seed % 9).expect("a letter")];
    text.replace_range(place..=place, letter);
}

fn respond(mut stream: &TcpStream, status: &str, body: &str) -> io::Result<()> {
    let length = body.len();
    // In one piece: several small ones wait for each other's acknowledgement.
    let response = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    );
    stream.write_all(response.as_bytes())
}

fn answer(node: &str, lie: &Lie, call: &Value) -> io::Result<Value> {
    let (id, method) = (&call["id"], call["method"].as_str().unwrap_or_default());
    let mut params = call["params"].clone();
    if let Lie::Lag(blocks) = lie {
        let asked = json_rpc::request("eth_blockNumber", &json!([]));
        let height = json_rpc::exchange(node, &asked)?["result"].take();
        let visible = height_of(&height).saturating_sub(*blocks);
        if params[0] == "latest" {
            params[0] = format!("{visible:#x}").into();
        } else if method == "eth_getBlockByNumber" && height_of(&params[0]) > visible {
            return Ok(json!({ "jsonrpc": "2.0", "id": id, "result": null }));
        }
    }
    if let Lie::Fail(fail) = lie
        && let Some(Fault::Error(code, message)) = fail(method, &params)
    {
        let error = json!({ "code": code, "message": message });
        return Ok(json!({ "jsonrpc": "2.0", "id": id, "error": error }));
    }
    if let Lie::CutRange(blocks) = lie
        && method == "eth_getLogs"
        && params[0]["fromBlock"].is_string()
        && height_of(&params[0]["toBlock"]) - height_of(&params[0]["fromBlock"]) >= *blocks
    {
        let error = json!({ "code": -32005, "message": "query exceeds the range" });
        return Ok(json!({ "jsonrpc": "2.0", "id": id, "error": error }));
    }
    let mut answer = json_rpc::exchange(node, &json_rpc::request(method, &params))?;
    answer["id"] = id.clone();
    match lie {
        Lie::NoLogs if method == "eth_getLogs" => answer["result"] = json!([]),
        Lie::ChainId(chain) if method == "eth_chainId" => {
            answer["result"] = format!("{chain:#x}").into();
        }
        Lie::Tamper(tamper) if answer.get("result").is_some() => {
            tamper(method, &params, &mut answer["result"]);
        }
        _ => {}
    }
    Ok(answer)
}

fn height_of(quantity: &Value) -> u64 {
    let digits = quantity.as_str().and_then(|text| text.strip_prefix("0x"));
    digits.map_or(0, |digits| {
        u64::from_str_radix(digits, 16).expect("a height")
    })
}
