//! Wallets in the browser: found by EIP-6963, asked by EIP-1193. A wallet is somebody else's program: each of its answers may be
//! missing, late or wrong.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Function, Object, Promise, Reflect};
use leptos::prelude::window;
use settlekit_core::payment::PreparedTransaction;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// Event by which wallets announce themselves, and the one that asks them to.
const ANNOUNCE: &str = "eip6963:announceProvider";
const REQUEST: &str = "eip6963:requestProvider";

/// Error codes of EIP-1193 and of wallets that follow MetaMask.
const REJECTED: i32 = 4001;
const UNAUTHORIZED: i32 = 4100;
const UNKNOWN_CHAIN: i32 = 4902;
const ALREADY_ASKED: i32 = -32002;

/// Longest message of a wallet that is shown.
const MESSAGE_CHARS_MAX: usize = 200;

/// A wallet of this browser.
#[derive(Clone)]
pub(crate) struct BrowserWallet {
    pub(crate) name: String,
    provider: JsValue,
}

/// Why a wallet did not sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WalletError {
    /// The user declined in the wallet.
    Rejected,
    /// The wallet shows an earlier request.
    AlreadyAsked,
    /// The wallet offers other accounts than the one that holds the money: the first of them, if any.
    OtherAccount(Option<String>),
    /// The wallet doesn't know the network.
    UnknownChain,
    /// The wallet stays on another network.
    OtherChain,
    /// The wallet's own message. Before the last request nothing was signed.
    Failed(String),
    /// The last request has no usable answer: the wallet may have sent the transaction.
    Unknown(String),
}

/// The wallets that announce themselves, and `window.ethereum` if none does. They answer while they are asked.
pub(crate) fn wallets() -> Vec<BrowserWallet> {
    let found: Rc<RefCell<Vec<BrowserWallet>>> = Rc::default();
    let listener = {
        let found = Rc::clone(&found);
        Closure::<dyn FnMut(JsValue)>::new(move |event: JsValue| {
            let detail = field(&event, "detail");
            let provider = field(&detail, "provider");
            let name = field(&field(&detail, "info"), "name").as_string();
            if let (true, Some(name)) = (provider.is_object(), name)
                && (found.borrow().iter()).all(|known| known.provider != provider)
            {
                found.borrow_mut().push(BrowserWallet { name, provider });
            }
        })
    };
    let function = listener.as_ref().unchecked_ref();
    // These fail only for invalid names.
    let _ = window().add_event_listener_with_callback(ANNOUNCE, function);
    if let Ok(request) = web_sys::Event::new(REQUEST) {
        let _ = window().dispatch_event(&request);
    }
    let _ = window().remove_event_listener_with_callback(ANNOUNCE, function);
    let mut wallets = found.take();
    let injected = field(&window(), "ethereum");
    if wallets.is_empty() && injected.is_object() {
        wallets.push(BrowserWallet {
            name: String::new(),
            provider: injected,
        });
    }
    wallets
}

impl BrowserWallet {
    /// Makes the wallet ready to sign: connected, with the account that holds the money, on the transaction's network.
    ///
    /// # Errors
    /// Why it is not ready. Nothing was signed.
    pub(crate) async fn prepare(
        &self,
        transaction: &PreparedTransaction,
    ) -> Result<(), WalletError> {
        self.connect(transaction).await?;
        self.switch_chain(transaction).await?;
        // The user may have changed the account in between.
        self.connect(transaction).await
    }

    async fn connect(&self, transaction: &PreparedTransaction) -> Result<(), WalletError> {
        let offered = self.request("eth_requestAccounts", &Array::new()).await?;
        let offered: Vec<String> = match Array::is_array(&offered) {
            true => Array::from(&offered)
                .iter()
                .filter_map(|account| account.as_string())
                .collect(),
            false => Vec::new(),
        };
        let is_payer = |account: &String| account.eq_ignore_ascii_case(&transaction.from);
        match offered.iter().any(is_payer) {
            true => Ok(()),
            false => Err(WalletError::OtherAccount(offered.into_iter().next())),
        }
    }

    async fn switch_chain(&self, transaction: &PreparedTransaction) -> Result<(), WalletError> {
        if self.is_on(transaction).await? {
            return Ok(());
        }
        let chain = object(&[("chainId", &chain_id(transaction))]);
        self.request("wallet_switchEthereumChain", &Array::of1(&chain))
            .await?;
        // Some wallets answer before they switch, or without switching.
        match self.is_on(transaction).await? {
            true => Ok(()),
            false => Err(WalletError::OtherChain),
        }
    }

    async fn is_on(&self, transaction: &PreparedTransaction) -> Result<bool, WalletError> {
        let now = self.request("eth_chainId", &Array::new()).await?;
        let now = now.as_string().unwrap_or_default();
        let digits = now.strip_prefix("0x").unwrap_or(&now);
        let now = i64::from_str_radix(digits, 16).ok();
        Ok(now == Some(transaction.chain_id.get()))
    }

    /// Asks the user to sign and send the transaction; returns its hash as the wallet tells it. That the chain has the transaction
    /// is for the service to see.
    ///
    /// # Errors
    /// [`WalletError::Unknown`] if the wallet may have sent it; otherwise nothing was sent.
    pub(crate) async fn send(
        &self,
        transaction: &PreparedTransaction,
    ) -> Result<String, WalletError> {
        let call = object(&[
            ("from", &transaction.from),
            ("to", &transaction.to),
            ("value", &transaction.value),
            ("data", &transaction.data),
            // Wallets refuse it on another network.
            ("chainId", &chain_id(transaction)),
        ]);
        let answer = self
            .request("eth_sendTransaction", &Array::of1(&call))
            .await;
        let hash = answer.map_err(|error| match error {
            WalletError::Failed(message) => WalletError::Unknown(message),
            other => other,
        })?;
        let hash = hash.as_string().unwrap_or_default();
        match is_hash(&hash) {
            true => Ok(hash),
            false => Err(WalletError::Unknown(shortened(hash))),
        }
    }

    async fn request(&self, method: &str, params: &Array) -> Result<JsValue, WalletError> {
        let ask: Function = field(&self.provider, "request")
            .dyn_into()
            .map_err(|_| WalletError::Failed(String::new()))?;
        let call = Object::new();
        // Setting a field of a new object cannot fail.
        let _ = Reflect::set(&call, &"method".into(), &method.into());
        let _ = Reflect::set(&call, &"params".into(), params);
        let promise = ask
            .call1(&self.provider, &call)
            .map_err(|thrown| error(&thrown))?;
        JsFuture::from(Promise::resolve(&promise))
            .await
            .map_err(|thrown| error(&thrown))
    }
}

/// The field of a value; undefined if there is none.
fn field(of: &JsValue, name: &str) -> JsValue {
    Reflect::get(of, &name.into()).unwrap_or(JsValue::UNDEFINED)
}

fn object(fields: &[(&str, &str)]) -> Object {
    let object = Object::new();
    for (name, value) in fields {
        // Setting a field of a new object cannot fail.
        let _ = Reflect::set(&object, &(*name).into(), &(*value).into());
    }
    object
}

fn chain_id(transaction: &PreparedTransaction) -> String {
    format!("{:#x}", transaction.chain_id.get())
}

fn is_hash(text: &str) -> bool {
    let digits = text.strip_prefix("0x").unwrap_or_default();
    digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn shortened(message: String) -> String {
    message.chars().take(MESSAGE_CHARS_MAX).collect()
}

/// An error of a wallet by its code, which may be inside another error.
fn error(thrown: &JsValue) -> WalletError {
    let inner = field(&field(thrown, "data"), "originalError");
    let code = |of: &JsValue| field(of, "code").as_f64().map(|code| code as i32);
    match code(&inner).or_else(|| code(thrown)) {
        Some(REJECTED) => WalletError::Rejected,
        Some(UNAUTHORIZED) => WalletError::OtherAccount(None),
        Some(UNKNOWN_CHAIN) => WalletError::UnknownChain,
        Some(ALREADY_ASKED) => WalletError::AlreadyAsked,
        _ => {
            let message = field(thrown, "message").as_string();
            WalletError::Failed(shortened(message.unwrap_or_default()))
        }
    }
}
