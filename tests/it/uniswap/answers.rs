//! What the nodes of a chain answer to reads of contracts, and what no honest node answers.

use alloy_primitives::{Address, B256, Bytes};
use serde_json::{Value, json};
use settlekit_core::value::{ChainId, Timestamp};
use settlekit_service::contract_calls::{self, CallBatch, CallError, ContractCall};

const BLOCK: B256 = B256::repeat_byte(0xb1);

/// The time of the block, in seconds.
const AT: i64 = 1_790_000_000;

fn batch() -> CallBatch {
    let calls = [1, 2].map(|byte| ContractCall {
        from: None,
        to: Address::repeat_byte(byte),
        data: Bytes::from(vec![byte; 4]),
    });
    CallBatch {
        chain: ChainId::new(10).expect("a chain"),
        block: BLOCK,
        calls: calls.to_vec(),
    }
}

/// The answers of an honest node to both calls.
fn honest() -> Value {
    json!([
        { "id": 0, "result": "0xa" },
        { "id": 1, "result": { "hash": BLOCK.to_string(), "timestamp": format!("{AT:#x}") } },
        { "id": 2, "result": "0x01" },
        { "id": 3, "result": "0x02" },
    ])
}

/// An honest node, but for the answer of an id.
fn with(id: usize, answer: Value) -> Value {
    let mut body = honest();
    body[id] = answer;
    body
}

fn returned(id: usize, result: &str) -> Value {
    with(id, json!({ "id": id, "result": result }))
}

fn failed(id: usize, error: &Value) -> Value {
    with(id, json!({ "id": id, "error": error }))
}

/// What the second call returns by the answers of nodes; `None` is a node that is away.
fn second(nodes: &[Option<Value>]) -> Result<Bytes, CallError> {
    read(nodes).pop().expect("two calls")
}

fn read(nodes: &[Option<Value>]) -> Vec<Result<Bytes, CallError>> {
    let bodies = nodes.iter();
    let bodies: Vec<_> = bodies
        .map(|body| body.as_ref().map(Value::to_string))
        .collect();
    let answers = bodies.iter().map(|body| match body {
        Some(body) => Ok(body.as_bytes()),
        None => Err(CallError::Unreachable),
    });
    let answers: Vec<_> = answers.collect();
    batch().read(&answers, Timestamp::from_millis((AT + 12) * 1_000))
}

#[test]
fn the_request_asks_every_contract_at_one_block() {
    let request: Value = serde_json::from_str(&batch().request()).expect("JSON");
    let calls = request.as_array().expect("a batch");
    assert_eq!(calls.len(), 4);
    let last = &calls[3];
    assert_eq!(last["id"], 3);
    assert_eq!(last["method"], "eth_call");
    let call = json!({ "to": Address::repeat_byte(2).to_string(), "data": "0x02020202" });
    assert_eq!(
        last["params"],
        json!([call, { "blockHash": BLOCK.to_string() }])
    );
}

#[test]
fn two_nodes_must_return_the_same_bytes() {
    let good = || Some(honest());
    let other = || Some(returned(3, "0x03"));
    let two = Ok(Bytes::from(vec![2]));
    assert_eq!(second(&[good()]), two);
    assert_eq!(second(&[good(), good()]), two);
    assert_eq!(second(&[good(), other(), good()]), two);
    assert_eq!(second(&[good(), None, good()]), two);
    assert_eq!(second(&[good(), other()]), Err(CallError::NodesDisagree));
    assert_eq!(second(&[good(), None]), Err(CallError::Unreachable));
    assert_eq!(second(&[None]), Err(CallError::Unreachable));
    assert_eq!(second(&[]), Err(CallError::NodesDisagree));
    let pairs = [good(), other(), good(), other()];
    assert_eq!(second(&pairs), Err(CallError::NodesDisagree));
    // The other call is not touched by it.
    assert_eq!(read(&[good(), other()])[0], Ok(Bytes::from(vec![1])));
}

#[test]
fn a_revert_is_told_apart_from_a_refusal() {
    for error in [
        json!({ "code": 3, "message": "execution reverted: STF", "data": "0x" }),
        json!({ "code": -32000, "message": "execution reverted" }),
        json!({ "code": -32000, "message": "Execution reverted" }),
        json!({ "code": -32015, "message": "VM execution error." }),
        json!({ "code": 3 }),
    ] {
        let said = second(&[Some(failed(3, &error))]);
        assert_eq!(said, Err(CallError::Reverted), "{error}");
    }
    for error in [
        json!({ "code": -32005, "message": "limit exceeded" }),
        json!({ "code": -32000, "message": "header not found" }),
        json!("no"),
        json!({}),
    ] {
        let said = second(&[Some(failed(3, &error))]);
        assert_eq!(said, Err(CallError::Refused), "{error}");
    }
}

#[test]
fn an_error_of_one_call_leaves_the_others() {
    let error = json!({ "code": 3, "message": "execution reverted" });
    let said = read(&[Some(failed(2, &error))]);
    assert_eq!(said, [Err(CallError::Reverted), Ok(Bytes::from(vec![2]))]);
}

#[test]
fn a_revert_is_believed_from_as_many_nodes_as_an_answer() {
    let error = json!({ "code": 3, "message": "execution reverted" });
    let good = || Some(honest());
    let reverted = || Some(failed(3, &error));
    let two = Ok(Bytes::from(vec![2]));
    assert_eq!(second(&[reverted(), reverted()]), Err(CallError::Reverted));
    assert_eq!(
        second(&[reverted(), good(), reverted()]),
        Err(CallError::Reverted)
    );
    assert_eq!(second(&[good(), reverted(), good()]), two);
    assert_eq!(second(&[good(), reverted()]), Err(CallError::NodesDisagree));
    assert_eq!(second(&[reverted(), None]), Err(CallError::Unreachable));
    let pairs = [good(), reverted(), good(), reverted()];
    assert_eq!(second(&pairs), Err(CallError::NodesDisagree));
}

#[test]
fn a_node_of_another_chain_block_or_protocol_is_not_believed() {
    let header = |hash: B256, at: i64| {
        let header = json!({ "hash": hash.to_string(), "timestamp": format!("{at:#x}") });
        with(1, json!({ "id": 1, "result": header }))
    };
    let mut twice = honest();
    twice[3]["id"] = 2.into();
    let mut more = honest();
    let answers = more.as_array_mut().expect("a batch");
    answers.push(json!({ "id": 4, "result": "0x" }));
    let mut fewer = honest();
    fewer.as_array_mut().expect("a batch").pop();
    for (body, error) in [
        (returned(0, "0x1"), CallError::OtherChain),
        (returned(0, "10"), CallError::OtherChain),
        (
            with(1, json!({ "id": 1, "result": null })),
            CallError::NoBlock,
        ),
        (header(B256::ZERO, AT), CallError::NoBlock),
        (header(BLOCK, AT - 400), CallError::OldBlock),
        (header(BLOCK, AT + 100), CallError::Outdated),
        (twice, CallError::Malformed),
        (more, CallError::Malformed),
        (fewer, CallError::Malformed),
        (json!({ "error": { "code": -32600 } }), CallError::Refused),
        (json!("<html>"), CallError::Malformed),
    ] {
        let text = body.to_string();
        let said = read(&[Some(body)]);
        assert_eq!(said, [Err(error), Err(error)], "{text}");
    }
}

#[test]
fn what_is_not_bytes_is_malformed_and_no_bytes_are_bytes() {
    assert_eq!(second(&[Some(returned(3, "0x"))]), Ok(Bytes::new()));
    for result in [
        json!("0x0"),
        json!("02"),
        json!("0xzz"),
        json!("0x0x02"),
        json!(2),
        json!(null),
    ] {
        let said = second(&[Some(with(3, json!({ "id": 3, "result": result })))]);
        assert_eq!(said, Err(CallError::Malformed), "{result}");
    }
}

#[test]
fn many_calls_are_asked_in_batches_of_a_hundred() {
    let CallBatch {
        chain,
        block,
        calls,
    } = batch();
    let many: Vec<_> = calls.into_iter().cycle().take(200).collect();
    let batches = contract_calls::batches(chain, block, &many);
    let sizes = batches.iter().map(|batch| batch.calls.len());
    assert_eq!(sizes.collect::<Vec<_>>(), [98, 98, 4]);
    let request: Value = serde_json::from_str(&batches[0].request()).expect("JSON");
    assert_eq!(request.as_array().map(Vec::len), Some(100));
    let all: Vec<_> = batches.into_iter().flat_map(|batch| batch.calls).collect();
    assert_eq!(all, many);
    assert_eq!(contract_calls::batches(chain, block, &[]), []);
}
