//! Native coins moved by contracts, from the answer of geth's `callTracer`.

use std::borrow::Cow;

use alloy_primitives::{Address, U256};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::encoding::Hex;

/// The most calls within each other; the virtual machine allows 1024.
const DEPTH_MAX: usize = 1026;

/// Native coins moved by a contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// The contract.
    pub from: Address,
    /// The receiver.
    pub to: Address,
    /// The amount.
    pub units: U256,
}

/// A call of a trace. Its calls stay text: read by recursion, a deep trace would exhaust the stack.
#[derive(Deserialize)]
struct Frame<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    from: Hex<Address>,
    #[serde(default)]
    to: Option<Hex<Address>>,
    #[serde(default)]
    value: Option<Hex<U256>>,
    #[serde(default, borrow)]
    error: Option<Cow<'a, str>>,
    #[serde(default, borrow)]
    calls: Option<Vec<&'a RawValue>>,
}

impl Frame<'_> {
    fn failed(&self) -> bool {
        self.error.as_ref().is_some_and(|error| !error.is_empty())
    }

    /// The coins that the call itself moves.
    fn moved(&self) -> Result<Option<Moved>, String> {
        // A delegated call repeats the value of its caller; CALLCODE keeps it in place.
        let moves = matches!(
            &*self.kind,
            "CALL" | "CREATE" | "CREATE2" | "SELFDESTRUCT" | "SUICIDE"
        );
        let units = self.value.as_ref().map_or(U256::ZERO, |value| value.0);
        if !moves || units.is_zero() {
            return Ok(None);
        }
        let to = self.to.as_ref().ok_or("a call with value to nobody")?.0;
        let from = self.from.0;
        // A contract that is destroyed in its own favour keeps or loses its coins, but nobody receives them.
        Ok((from != to).then_some(Moved { from, to, units }))
    }
}

/// The transfers by the calls within a transaction, depth first. Failed calls and all within them move nothing.
///
/// The transaction's own value is not among it.
pub(super) fn moved(trace: &str) -> Result<Vec<Moved>, String> {
    let root = read(trace)?;
    let mut moved = Vec::new();
    // The calls still to be read, the next one last.
    let mut stack = vec![(root, 1)];
    while let Some((frame, depth)) = stack.pop() {
        if depth > DEPTH_MAX {
            return Err("a trace deeper than the virtual machine allows".to_owned());
        }
        if frame.failed() {
            continue;
        }
        if depth > 1 {
            moved.extend(frame.moved()?);
        }
        for call in frame.calls.into_iter().flatten().rev() {
            stack.push((read(call.get())?, depth + 1));
        }
    }
    Ok(moved)
}

fn read(frame: &str) -> Result<Frame<'_>, String> {
    serde_json::from_str(frame).map_err(|error| format!("no trace: {error}"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn address(last: u8) -> Address {
        Address::with_last_byte(last)
    }

    fn frame(kind: &str, from: u8, to: u8, value: u64, calls: &[Value]) -> Value {
        json!({
            "type": kind, "from": address(from).to_string(), "to": address(to).to_string(), "value": format!("{value:#x}"),
            "gas": "0x1", "input": "0x", "calls": calls,
        })
    }

    fn failed(mut frame: Value) -> Value {
        frame["error"] = "execution reverted".into();
        frame
    }

    fn found(trace: &Value) -> Vec<(u8, u8, u64)> {
        let moved = moved(&trace.to_string()).expect("a trace");
        let moved = moved.into_iter();
        moved
            .map(|moved| (moved.from[19], moved.to[19], moved.units.to::<u64>()))
            .collect()
    }

    #[test]
    fn calls_creations_and_destructions_move_coins_depth_first() {
        let inner = frame("CALL", 2, 3, 5, &[frame("CALL", 3, 4, 6, &[])]);
        let trace = frame(
            "CALL",
            1,
            2,
            9,
            &[
                inner,
                frame("CREATE2", 2, 5, 7, &[frame("SELFDESTRUCT", 5, 6, 7, &[])]),
                frame("CALL", 2, 7, 0, &[]),
                frame("SELFDESTRUCT", 2, 2, 3, &[]),
                frame("CALL", 2, 8, 8, &[]),
            ],
        );
        let expected = [(2, 3, 5), (3, 4, 6), (2, 5, 7), (5, 6, 7), (2, 8, 8)];
        assert_eq!(found(&trace), expected);
    }

    #[test]
    fn delegated_static_and_failed_calls_move_nothing() {
        let trace = frame(
            "CALL",
            1,
            2,
            9,
            &[
                frame("DELEGATECALL", 2, 3, 9, &[frame("CALL", 2, 4, 1, &[])]),
                frame("STATICCALL", 2, 3, 0, &[]),
                frame("CALLCODE", 2, 3, 9, &[]),
                failed(frame("CALL", 2, 3, 9, &[frame("CALL", 3, 4, 9, &[])])),
            ],
        );
        assert_eq!(found(&trace), [(2, 4, 1)]);
        assert_eq!(found(&failed(trace)), []);
    }

    #[test]
    fn a_trace_as_deep_as_the_machine_allows_is_read_and_a_deeper_one_is_not() {
        let nested = |depth: usize| {
            let (open, close) = (
                r#"{"type":"CALL","from":"0x0000000000000000000000000000000000000001","to":"0x0000000000000000000000000000000000000002","value":"0x1","calls":["#,
                "]}",
            );
            format!("{}{}", open.repeat(depth), close.repeat(depth))
        };
        assert_eq!(moved(&nested(1025)).map(|moved| moved.len()), Ok(1024));
        assert!(moved(&nested(5000)).is_err());
    }

    #[test]
    fn what_is_no_trace_is_an_error() {
        for text in [
            "null",
            "[]",
            "{}",
            r#"{"type":"CALL","from":"0x1"}"#,
            r#"{"type":"CALL","from":"0x0000000000000000000000000000000000000001","calls":[7]}"#,
        ] {
            assert!(moved(text).is_err(), "{text}");
        }
    }
}
