//! The Rust client against a second service that speaks the contract: `tests/second`.

use std::error::Error as StdError;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::time::Duration;

use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_util::TryStreamExt;
use http::{HeaderMap, HeaderValue, Request};
use serde_json::{Value, json};
use settlekit::api::automation::{MaintainBalance, MaintainBalanceBody, MaintainBalancePath};
use settlekit::api::customer::{ListCustomers, ListCustomersQuery};
use settlekit::api::error::Reason;
use settlekit::api::organisation::GetOrganisation;
use settlekit::api::page::{Limit, ListQuery};
use settlekit::api::partner::{Balances, ListPartnerBalances, ListPartnerBalancesPath};
use settlekit::api::paylink::{
    CreatePaylink, CreatePaylinkBody, DeletePaylink, DeletePaylinkPath, GetPaylink, ListPaylinks,
    Paylink, PaylinkPath, PaylinkUpdate, Source, UpdatePaylinks, UpdatePaylinksBody,
};
use settlekit::api::payment::{
    CancelPayment, CancelPaymentPath, GetPayment, ListPayments, PaymentPath,
};
use settlekit::api::plan::{BillingScheme, PlanType};
use settlekit::api::sign::signature;
use settlekit::api::trade::{ListInstruments, ListInstrumentsQuery};
use settlekit::api::value::{AccountKey, PaylinkId, PaymentId, Timestamp};
use settlekit::api::webhook::{self, WebhookError};
use settlekit::{Call, Client, Error, Options, Refused, Scheme, Settings};
use settlekit_tests::python::python;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// The service's process; ends when dropped.
struct Second {
    process: Child,
    facts: Value,
}

impl Drop for Second {
    fn drop(&mut self) {
        let _ended = self.process.kill();
        let _status = self.process.wait();
    }
}

impl Second {
    fn start(options: &[&str]) -> Self {
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("second/service.py");
        let mut process = Command::new(python("second"))
            .arg(program)
            .args(options)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the second service runs: `cargo xtask tools` installs it");
        let mut line = String::new();
        let output = process.stdout.take().expect("a pipe was asked for");
        BufReader::new(output)
            .read_line(&mut line)
            .expect("it tells its address");
        let facts = serde_json::from_str(&line).expect("a line of JSON");
        Self { process, facts }
    }

    fn fact(&self, name: &str) -> String {
        self.facts[name].as_str().expect("a text").to_owned()
    }

    fn settings(&self, scheme: impl Scheme + 'static) -> Settings {
        Settings {
            base_url: self.fact("base_url"),
            api_key: Some(self.fact("api_key")),
            signing_secret: Some(self.fact("signing_secret")),
            scheme: Arc::new(scheme),
            ..Settings::default()
        }
    }

    fn client(&self) -> Client {
        Client::with(self.settings(Theirs::default())).expect("a client")
    }
}

/// How the second service has its requests signed.
#[derive(Default)]
struct Theirs {
    last: AtomicI64,
    signed: Arc<AtomicU32>,
    is_stuck: bool,
}

impl Scheme for Theirs {
    fn nonce(&self, now: Timestamp, _: [u8; 10]) -> String {
        if self.is_stuck {
            return self.last.load(Ordering::Relaxed).to_string();
        }
        // Two requests may fall into one microsecond.
        let later = |last: i64| Some(now.micros().max(last + 1));
        let last = self
            .last
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, later);
        let last = last.unwrap_or_default();
        now.micros().max(last + 1).to_string()
    }

    fn sign(
        &self,
        request: &Request<Vec<u8>>,
        nonce: &str,
        secret: &str,
    ) -> Result<HeaderMap, Box<dyn StdError + Send + Sync>> {
        self.signed.fetch_add(1, Ordering::Relaxed);
        let target = request.uri().path_and_query().ok_or("a path")?;
        let body = str::from_utf8(request.body())?;
        let message = format!("{nonce}{}{target}{body}", request.method());
        let signature = HeaderValue::try_from(signature(secret, &message))?;
        Ok(HeaderMap::from_iter([(
            settlekit::api::sign::SIGNATURE,
            signature,
        )]))
    }

    fn server_time(&self, refused: &Refused, headers: &HeaderMap) -> Option<Timestamp> {
        let detail = refused.error.errors.first()?;
        let date = headers.get("date")?.to_str().ok()?;
        (detail.reason == "nonce.time").then(|| of_http_date(date))?
    }
}

/// A date of HTTP (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
fn of_http_date(text: &str) -> Option<Timestamp> {
    let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let [_, day, month, year, time, _] = text.split(' ').collect::<Vec<_>>()[..] else {
        return None;
    };
    let month = months.iter().position(|name| *name == month)? + 1;
    format!("{year}-{month:02}-{day}T{time}Z").parse().ok()
}

fn new_paylink() -> Call<CreatePaylink> {
    Call::with_body(CreatePaylinkBody {
        amount: "12.50".parse().expect("an amount"),
        currency: "EUR".parse().expect("a currency"),
        name: "Tea".to_owned(),
        account_ids: None,
        account_ref: None,
        after_completion: None,
        available_quantity: Some(3),
        description: None,
        expires_at: None,
        image_url: None,
        intervalCount: None,
        interval: None,
        metadata: None,
        reference: None,
        trial_period: None,
        r#type: None,
    })
}

fn balances() -> Call<ListPartnerBalances> {
    let account_ref = AccountKey::Reference("till".parse().expect("a reference"));
    Call::at(ListPartnerBalancesPath { account_ref })
}

fn thresholds() -> Call<MaintainBalance> {
    Call {
        path: MaintainBalancePath {
            account: AccountKey::Reference("till".parse().expect("a reference")),
        },
        query: settlekit::Nothing {},
        body: MaintainBalanceBody {
            currency: "USDC".parse().expect("a currency"),
            minimum_threshold_amount: "10.5".parse().expect("a number"),
            payout_address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
                .parse()
                .expect("an address"),
            payout_threshold_amount: "100".parse().expect("a number"),
        },
    }
}

fn is_refused_for(answer: Result<impl Sized, Error>, reason: &str) -> bool {
    matches!(answer, Err(Error::Refused(refused)) if refused.error.errors[0].reason == reason)
}

#[tokio::test]
async fn records_of_another_service_are_read_with_its_ids_and_values() {
    let second = Second::start(&[]);
    let client = second.client();
    let organisation = client
        .call(&Call::<GetOrganisation>::plain())
        .await
        .expect("an organisation");
    assert_eq!(organisation.id.to_string(), "merchant-0042");

    let made = client.call(&new_paylink()).await.expect("a link");
    let plan = made.plan.as_ref().expect("its plan");
    assert_eq!(made.source, Some(Source::Other("Kiosk".to_owned())));
    assert_eq!(
        plan.billing_scheme,
        BillingScheme::Other("Tiered".to_owned())
    );
    assert_eq!(plan.r#type, PlanType::Other("Donation".to_owned()));
    assert_eq!(plan.available_quantity, Some(3));
    let update = PaylinkUpdate {
        id: made.id,
        enabled: Some(false),
        after_completion: None,
        metadata: None,
        plan: None,
    };
    let items = vec![update];
    let call = Call::<UpdatePaylinks>::with_body(UpdatePaylinksBody { items });
    let updated = client.call(&call).await.expect("the links");
    assert_eq!((updated[0].id, updated[0].enabled), (made.id, false));
    // An id that was stored as text.
    let paylink_id = PaylinkId::of_any_service(&made.id.to_string()).expect("an id");
    let call = Call::<DeletePaylink>::at(DeletePaylinkPath { paylink_id });
    assert_eq!(
        client.call(&call).await.expect("its id"),
        made.id.to_string()
    );

    let instruments = Call::<ListInstruments>::with_query(ListInstrumentsQuery {
        venue_id: None,
        base: None,
        quote: None,
    });
    let instruments = client.call(&instruments).await.expect("the pairs");
    assert_eq!(
        serde_json::to_value(instruments[0].last_price).expect("a number"),
        json!(64250.125)
    );
}

#[tokio::test]
async fn fields_that_are_unknown_survive_in_the_type_that_the_caller_reads() {
    let second = Second::start(&[]);
    let client = second.client();
    let options = Options::default();
    let link: Value = client
        .call_as(&new_paylink(), &options)
        .await
        .expect("a link");
    assert_eq!(link["accent_colour"], "#226655");
    let record: Paylink = serde_json::from_value(link).expect("a record");
    assert_eq!(record.url.rsplit('/').next(), Some(&*record.id.to_string()));

    #[derive(serde::Deserialize)]
    struct Visitor {
        loyalty: Loyalty,
    }
    #[derive(serde::Deserialize)]
    struct Loyalty {
        points: u64,
    }
    let query = ListCustomersQuery {
        list: ListQuery::default(),
        search: None,
        visit_type: None,
    };
    let call = Call::<ListCustomers>::with_query(query);
    let page: settlekit::api::page::Page<Visitor> =
        client.call_as(&call, &options).await.expect("a page");
    assert_eq!(page.items[0].loyalty.points, 9_007_199_254_740_993);
}

#[tokio::test]
async fn lists_of_another_service_are_read_page_by_page() {
    let second = Second::start(&[]);
    let query = ListCustomersQuery {
        list: ListQuery {
            limit: Limit::new(2),
            ..ListQuery::default()
        },
        search: None,
        visit_type: None,
    };
    let list = second
        .client()
        .pages(Call::<ListCustomers>::with_query(query));
    let items: Vec<_> = list.items().try_collect().await.expect("all customers");
    let ids: Vec<String> = items.iter().map(|item| item.id.to_string()).collect();
    assert_eq!(ids.len(), 5);
    assert_eq!((&*ids[0], &*ids[4]), ("cus_000001", "cus_000005"));
}

#[tokio::test]
async fn another_signed_message_and_nonce_are_given_as_a_scheme() {
    let second = Second::start(&[]);
    let client = second.client();
    let Balances { balances: list } = client.call(&balances()).await.expect("the balances");
    assert_eq!(list[0].amount.to_string(), "120.50");
    let kept = client.call(&thresholds()).await.expect("the thresholds");
    assert_eq!(kept.minimum_threshold_amount.to_string(), "10.5");

    let ours = Settings {
        scheme: Settings::default().scheme,
        ..second.settings(Theirs::default())
    };
    let client = Client::with(ours).expect("a client");
    assert!(is_refused_for(client.call(&balances()).await, "nonce.form"));
    let other = Settings {
        signing_secret: Some("another".to_owned()),
        ..second.settings(Theirs::default())
    };
    let client = Client::with(other).expect("a client");
    assert!(is_refused_for(client.call(&balances()).await, "signature"));
}

#[tokio::test]
async fn a_nonce_that_was_used_is_refused() {
    let second = Second::start(&[]);
    let now = std::time::UNIX_EPOCH.elapsed().expect("a time").as_micros();
    let stuck = Theirs {
        last: AtomicI64::new(now.try_into().expect("a time")),
        is_stuck: true,
        ..Theirs::default()
    };
    let client = Client::with(second.settings(stuck)).expect("a client");
    assert!(client.call(&balances()).await.is_ok());
    assert!(is_refused_for(client.call(&balances()).await, "nonce.used"));
}

#[tokio::test]
async fn each_attempt_is_signed_with_a_nonce_of_its_own() {
    let second = Second::start(&["--busy", "2"]);
    let theirs = Theirs::default();
    let signed = theirs.signed.clone();
    let client = Client::with(second.settings(theirs)).expect("a client");
    assert!(client.call(&thresholds()).await.is_ok());
    assert_eq!(signed.load(Ordering::Relaxed), 3);
}

#[tokio::test]
async fn the_clock_is_corrected_by_what_the_scheme_reads_from_a_refusal() {
    let second = Second::start(&["--ahead", "3600"]);
    let theirs = Theirs::default();
    let signed = theirs.signed.clone();
    let client = Client::with(second.settings(theirs)).expect("a client");
    assert!(client.call(&balances()).await.is_ok());
    assert!(client.call(&balances()).await.is_ok());
    assert_eq!(signed.load(Ordering::Relaxed), 3);
}

#[tokio::test]
async fn a_scheme_that_cannot_sign_sends_nothing() {
    struct Broken;
    impl Scheme for Broken {
        fn sign(
            &self,
            _: &Request<Vec<u8>>,
            _: &str,
            _: &str,
        ) -> Result<HeaderMap, Box<dyn StdError + Send + Sync>> {
            Err("the key is locked".into())
        }
    }
    struct Unsendable;
    impl Scheme for Unsendable {
        fn nonce(&self, _: Timestamp, _: [u8; 10]) -> String {
            "a\nb".to_owned()
        }
    }
    let nowhere = |scheme: Arc<dyn Scheme>| Settings {
        base_url: "http://127.0.0.1:9".to_owned(),
        signing_secret: Some("secret".to_owned()),
        scheme,
        ..Settings::default()
    };
    for scheme in [Arc::new(Broken) as Arc<dyn Scheme>, Arc::new(Unsendable)] {
        let client = Client::with(nowhere(scheme)).expect("a client");
        let answer = client.call(&balances()).await;
        assert!(matches!(answer, Err(Error::Settings(message)) if message.contains("not signed")));
    }
}

#[tokio::test]
async fn an_operation_that_the_service_lacks_is_unsupported_and_a_missing_record_is_not() {
    let second = Second::start(&[]);
    let client = second.client();
    let payment_id: PaymentId = "pay_019aa0b5c3f07c0d9f2e3b6a7d8c9e01"
        .parse()
        .expect("an id");
    let made = client.call(&new_paylink()).await.expect("a link");

    // 404 of the router, 405 of a path with another method.
    let call = Call::<ListPayments>::with_query(Default::default());
    let unknown_path = client.call(&call).await.map(drop);
    let call = Call::<ListPaylinks>::with_query(Default::default());
    let unknown_method = client.call(&call).await.map(drop);
    let call = Call::<GetPaylink>::at(PaylinkPath {
        paylink_id: made.id,
    });
    let record = client.call(&call).await.map(drop);
    let call = Call::<GetPayment>::at(PaymentPath { payment_id });
    let other_record = client.call(&call).await.map(drop);
    let answers = [
        (unknown_path, "ListPayments", 404),
        (unknown_method, "ListPaylinks", 405),
        (record, "GetPaylink", 405),
        (other_record, "GetPayment", 405),
    ];
    for (answer, name, status) in answers {
        let error = answer.expect_err("the service lacks it");
        let Error::Unsupported { operation, refused } = &error else {
            unreachable!("{name}: {error:?}");
        };
        assert_eq!((*operation, refused.status.as_u16()), (name, status));
        assert!(!error.is_transient());
        assert!(error.to_string().contains(name), "{error}");
    }

    let call = Call::<CancelPayment>::at(CancelPaymentPath { payment_id });
    let error = client.call(&call).await.expect_err("no such payment");
    assert!(
        matches!(&error, Error::Refused(refused) if refused.status == 404),
        "{error:?}"
    );
    assert!(!error.is(Reason::NotFound), "the reason is the service's");
}

/// The webhook scheme of the second service, with its public key.
struct TheirWebhooks(Vec<u8>);

impl webhook::Scheme for TheirWebhooks {
    fn verify(&self, headers: &HeaderMap, body: &[u8], now: Timestamp) -> Result<(), WebhookError> {
        let header = headers
            .get("x-signature")
            .and_then(|value| value.to_str().ok());
        let (at, signature) = header
            .and_then(|text| text.strip_prefix("t=")?.split_once(",es256="))
            .ok_or(WebhookError::HeaderMalformed)?;
        let seconds: i64 = at.parse().map_err(|_| WebhookError::HeaderMalformed)?;
        if now.since(Timestamp::from_millis(seconds * 1000)) > Duration::from_secs(60) {
            return Err(WebhookError::TooOld);
        }
        let signature = STANDARD
            .decode(signature)
            .map_err(|_| WebhookError::HeaderMalformed)?;
        let message = [at.as_bytes(), b".", body].concat();
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, &self.0)
            .verify(&message, &signature)
            .map_err(|_| WebhookError::SignatureInvalid)
    }
}

/// The point of a P-256 key in PEM with escaped line breaks: the last 65 bytes of its form.
fn point(pem: &str) -> Vec<u8> {
    let text = pem.replace("\\n", "\n");
    let lines = text.lines().filter(|line| !line.starts_with('-'));
    let der = STANDARD
        .decode(lines.collect::<String>())
        .expect("a key in PEM");
    der[der.len() - 65..].to_vec()
}

/// Receives one request: its headers and body.
async fn receive(listener: TcpListener) -> (HeaderMap, Vec<u8>) {
    let (mut stream, _) = listener.accept().await.expect("a caller");
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let headers: HeaderMap = head
                .lines()
                .filter_map(|line| line.split_once(": "))
                .map(|(name, value)| {
                    let name = name.parse::<http::HeaderName>().expect("a name");
                    (name, value.parse::<HeaderValue>().expect("a value"))
                })
                .collect();
            let length = headers["content-length"]
                .to_str()
                .expect("a number")
                .parse();
            if body.len() >= length.expect("a number") {
                let answer = b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n";
                stream.write_all(answer).await.expect("it is answered");
                return (headers, body.as_bytes().to_vec());
            }
        }
        let read = stream.read_buf(&mut bytes).await.expect("a request");
        assert!(read > 0, "the request ends early");
    }
}

#[tokio::test]
async fn webhooks_of_another_service_are_verified_by_a_scheme_that_is_given() {
    let second = Second::start(&[]);
    let client = second.client();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/hook", listener.local_addr().expect("an address"));
    // The contract asks for HTTPS, and so does the typed body; a test has none.
    let http = reqwest::Client::builder().no_proxy().build().expect("HTTP");
    let set = http
        .put(format!("{}/v1/orgs", second.fact("base_url")))
        .header("x-api-key", second.fact("api_key"))
        .body(json!({ "webhook_url": url }).to_string());
    assert!(set.send().await.expect("an answer").status().is_success());
    let organisation = client
        .call(&Call::<GetOrganisation>::plain())
        .await
        .expect("an organisation");
    let key = organisation.webhook_public_key.expect("a key");

    let made = client.call(&new_paylink()).await.expect("a link");
    let (headers, mut body) = receive(listener).await;
    let scheme: Box<dyn webhook::Scheme> = Box::new(TheirWebhooks(point(&key)));
    let since = std::time::UNIX_EPOCH.elapsed().expect("a time").as_millis();
    let now = Timestamp::from_millis(since.try_into().expect("a time"));
    assert_eq!(scheme.verify(&headers, &body, now), Ok(()));
    let event: Value = serde_json::from_slice(&body).expect("JSON");
    assert_eq!(event["data"]["id"], made.id.to_string());

    let ours = webhook::StandardWebhooks::new(Vec::new());
    let refused = webhook::Scheme::verify(&ours, &headers, &body, now);
    assert_eq!(refused, Err(WebhookError::HeaderMalformed));
    let late = now.plus(Duration::from_secs(120));
    assert_eq!(
        scheme.verify(&headers, &body, late),
        Err(WebhookError::TooOld)
    );
    body[10] ^= 1;
    assert_eq!(
        scheme.verify(&headers, &body, now),
        Err(WebhookError::SignatureInvalid)
    );
}
