//! Deposits from several clients with idempotency keys: acknowledged ones must exist exactly once.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::header;

use crate::place::{ask, call, request, total};

/// Timeout for answers; far above the usual.
const LONGEST: Duration = Duration::from_secs(60);

/// Pause of a client after an error.
const PAUSE: Duration = Duration::from_millis(20);

/// A deposit with its idempotency key; its amount is its number.
pub(crate) struct Load<'a> {
    key: &'a str,
    next: AtomicU64,
    /// Sent but not acknowledged: retried after the restart.
    open: Mutex<Vec<u64>>,
    /// Acknowledged.
    done: Mutex<Vec<u64>>,
    /// Receives a message per answer.
    answered: Condvar,
}

impl<'a> Load<'a> {
    pub(crate) fn new(key: &'a str) -> Self {
        Self {
            key,
            next: AtomicU64::new(1),
            open: Mutex::default(),
            done: Mutex::default(),
            answered: Condvar::new(),
        }
    }

    /// Creates the account for the deposits.
    pub(crate) fn prepare(&self, address: &str) {
        let account =
            json!({ "name": "Main", "reference": "main", "chain_id": 1, "currencies": ["USDC"] });
        call(address, self.key, "POST", "/accounts", account);
    }

    /// Waits for a number of further acknowledged deposits.
    pub(crate) fn wait_for_more(&self, count: u64) {
        let done = self.done.lock().expect("no panic");
        let enough = done.len() as u64 + count;
        let waited = self
            .answered
            .wait_timeout_while(done, LONGEST, |done| (done.len() as u64) < enough);
        drop(waited.expect("no panic"));
    }

    /// Retries unacknowledged deposits; then every deposit exists exactly once.
    pub(crate) fn finish(&self, address: &str) {
        self.finish_beside(address, 0);
    }

    /// As [`Load::finish`], with a number of deposits of others to the same account.
    pub(crate) fn finish_beside(&self, address: &str, others: u64) {
        let open = std::mem::take(&mut *self.open.lock().expect("no panic"));
        for number in open {
            let (status, answer) = self.deposit(address, number).expect("an answer");
            assert_eq!(status, 201, "{answer}");
        }
        let sent = self.next.load(Ordering::Relaxed) - 1;
        assert_eq!(
            total(address, self.key, "/accounts/1/movement?limit=1"),
            sent + others,
            "deposits lost or made twice"
        );
    }

    /// Deposits until the server is unreachable.
    pub(crate) fn run(&self, address: &str) {
        loop {
            let again = self.open.lock().expect("no panic").pop();
            let number = again.unwrap_or_else(|| self.next.fetch_add(1, Ordering::Relaxed));
            match self.deposit(address, number) {
                Some((201, _)) => {
                    self.done.lock().expect("no panic").push(number);
                    self.answered.notify_one();
                }
                // Errors are immediate while the database is unreachable: without a pause retries exhaust the rate limit.
                Some((503 | 429, _)) => {
                    self.open.lock().expect("no panic").push(number);
                    std::thread::sleep(PAUSE);
                }
                Some((status, answer)) => panic!("deposit {number}: {status} {answer}"),
                None => {
                    self.open.lock().expect("no panic").push(number);
                    return;
                }
            }
        }
    }

    pub(crate) fn deposit(&self, address: &str, number: u64) -> Option<(u16, Value)> {
        let body = json!({ "account": "main", "chain_id": 1, "currency": "USDC", "amount": number.to_string() });
        let mut asked = request(self.key, "POST", "/sandbox/deposits", &body);
        let once = format!("deposit-{number}").parse().expect("a key");
        asked.headers_mut().insert(header::IDEMPOTENCY_KEY, once);
        ask(address, &asked)
    }
}
