//! An external signer holds the key: it signs what the service asks for, or refuses.

use std::time::Duration;

use alloy_consensus::{SignableTransaction, TxEip1559};
use alloy_primitives::{Address, B256, Signature as Rsv, TxKind, U256};
use settlekit_service::outgoing::{Broadcast, NodeRequest, Signature, UnsignedTransaction};
use settlekit_tests::chain::{Connected, SIGNER};
use settlekit_tests::wallet::Wallet;

use super::sending::{
    GAS, balance, broadcast, estimated, filler_asked_for, funded, mine, mine_filler, show, status,
};

fn wallet() -> Wallet {
    Wallet::new([0x42; 32])
}

pub(super) fn address() -> Address {
    wallet().address().parse().expect("an address")
}

/// The transaction as a signer signs it.
fn signed_by(wallet: &Wallet, asked: &UnsignedTransaction) -> (B256, Vec<u8>) {
    let transaction = TxEip1559 {
        chain_id: asked.chain.get().unsigned_abs(),
        nonce: asked.nonce,
        gas_limit: asked.gas_limit,
        max_fee_per_gas: asked.max_fee,
        max_priority_fee_per_gas: asked.priority_fee,
        to: TxKind::Call(asked.to),
        value: asked.value,
        access_list: Default::default(),
        input: asked.data.clone().into(),
    };
    let (rs, is_odd) = wallet.sign_hash(transaction.signature_hash().as_slice());
    let (r, s) = rs.split_at(32);
    let signature = Rsv::from_scalars_and_parity(B256::from_slice(r), B256::from_slice(s), is_odd);
    let signed = transaction.into_signed(signature);
    let mut bytes = Vec::new();
    signed.eip2718_encode(&mut bytes);
    (*signed.hash(), bytes)
}

/// The only request: a signature. Returns the form and what to sign.
pub(super) fn asked(connected: &mut Connected) -> ((i64, u32), UnsignedTransaction) {
    match connected.requests().as_slice() {
        [
            NodeRequest::Sign {
                id,
                number,
                signer,
                transaction,
            },
        ] => {
            assert_eq!(signer, SIGNER);
            ((*id, *number), transaction.clone())
        }
        other => panic!("not one signature: {other:?}"),
    }
}

/// Signs what is asked for; a node takes it.
pub(super) fn sent(connected: &mut Connected) -> (i64, B256) {
    let (form, transaction) = asked(connected);
    let (hash, bytes) = signed_by(&wallet(), &transaction);
    connected.sign(form, &Signature::Signed(bytes.clone()));
    let (id, named, stored) = broadcast(connected);
    assert_eq!((named, stored), (hash, bytes));
    connected.broadcast((id, hash), Broadcast::Accepted);
    (id, hash)
}

#[test]
fn a_payout_is_signed_externally_and_the_signature_is_stored_before_it_is_sent() {
    Connected::each_with_signer(address(), |kind, mut connected| {
        let shop = funded(&mut connected);
        let payout = connected.pay_out(&shop, "4");
        let id = estimated(&mut connected);
        connected.estimate(id, &GAS);
        let first = asked(&mut connected);
        assert_eq!(first.1.from, address(), "{kind}");
        assert_eq!(first.1.nonce, 0, "{kind}");
        // No answer came: the same is asked again.
        assert_eq!(connected.requests(), [], "{kind}");
        connected.world.pass(Duration::from_secs(16));
        assert_eq!(asked(&mut connected), first, "{kind}");
        assert_eq!(status(&mut connected, &shop, &payout), "Pending", "{kind}");
        connected.world.pass(Duration::from_secs(16));
        let (_, hash) = sent(&mut connected);
        mine(&mut connected, hash, 0, Some(4_000_000));
        connected.blocks(3);
        let shown = show(&mut connected, &shop, &payout);
        assert_eq!(shown["status"], "Confirmed", "{kind}");
        assert_eq!(balance(&mut connected, &shop), "6 0", "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_signer_that_signs_something_else_is_not_believed() {
    Connected::each_with_signer(address(), |kind, mut connected| {
        let shop = funded(&mut connected);
        connected.pay_out(&shop, "4");
        let id = estimated(&mut connected);
        connected.estimate(id, &GAS);
        let (form, right) = asked(&mut connected);
        let other = Address::repeat_byte(0x66);
        let lies = [
            UnsignedTransaction {
                nonce: 1,
                ..right.clone()
            },
            UnsignedTransaction {
                chain: "1".parse().expect("a chain"),
                ..right.clone()
            },
            UnsignedTransaction {
                to: other,
                ..right.clone()
            },
            UnsignedTransaction {
                value: U256::from(1),
                ..right.clone()
            },
            UnsignedTransaction {
                data: Vec::new(),
                ..right.clone()
            },
            UnsignedTransaction {
                max_fee: right.max_fee * 2,
                ..right.clone()
            },
            UnsignedTransaction {
                priority_fee: right.priority_fee + 1,
                ..right.clone()
            },
            UnsignedTransaction {
                gas_limit: right.gas_limit + 1,
                ..right.clone()
            },
        ];
        let mut answers: Vec<Vec<u8>> =
            lies.iter().map(|lie| signed_by(&wallet(), lie).1).collect();
        let bytes = signed_by(&wallet(), &right).1;
        answers.push(signed_by(&Wallet::new([0x43; 32]), &right).1);
        answers.push(bytes[..bytes.len() - 1].to_vec());
        answers.push(Vec::new());
        for answer in answers {
            connected.sign(form, &Signature::Signed(answer));
            connected.world.pass(Duration::from_secs(16));
            assert_eq!(asked(&mut connected), (form, right.clone()), "{kind}");
        }
        assert_eq!(connected.failures, Vec::<String>::new(), "{kind}");
        connected.sign(form, &Signature::Signed(bytes));
        broadcast(&mut connected);
    });
}

#[test]
fn a_payout_that_the_signer_refuses_frees_its_nonce_and_returns_its_money() {
    Connected::each_with_signer(address(), |kind, mut connected| {
        let shop = funded(&mut connected);
        let payout = connected.pay_out(&shop, "4");
        let id = estimated(&mut connected);
        connected.estimate(id, &GAS);
        for _ in 0..20 {
            assert_eq!(connected.failures, Vec::<String>::new(), "{kind}");
            let (form, _) = asked(&mut connected);
            connected.sign(form, &Signature::Refused);
            connected.world.pass(Duration::from_secs(16));
        }
        assert_eq!(connected.failures.len(), 1, "{kind}");
        let (id, to) = filler_asked_for(&mut connected);
        assert_eq!(to, address(), "{kind}");
        connected.estimate(id, &GAS);
        let (_, filler) = sent(&mut connected);
        mine_filler(&mut connected, filler, 0);
        connected.blocks(3);
        assert_eq!(status(&mut connected, &shop, &payout), "Failed", "{kind}");
        assert_eq!(balance(&mut connected, &shop), "10 0", "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_stuck_payout_is_signed_again_and_the_first_form_may_settle_it() {
    Connected::each_with_signer(address(), |kind, mut connected| {
        let shop = funded(&mut connected);
        let payout = connected.pay_out(&shop, "4");
        let id = estimated(&mut connected);
        connected.estimate(id, &GAS);
        let (_, first) = sent(&mut connected);
        connected.world.pass(Duration::from_secs(60));
        let (form, replacement) = asked(&mut connected);
        assert_eq!((form.1, replacement.nonce), (2, 0), "{kind}");
        // The first form is mined while the signer thinks.
        mine(&mut connected, first, 0, Some(4_000_000));
        connected.blocks(1);
        let (_, bytes) = signed_by(&wallet(), &replacement);
        connected.sign(form, &Signature::Signed(bytes.clone()));
        assert_eq!(connected.requests(), [], "{kind}");
        // Its block goes away: the form without a signature is asked for again.
        connected.reorganise(1);
        let (again, _) = asked(&mut connected);
        assert_eq!(again, form, "{kind}");
        connected.sign(form, &Signature::Signed(bytes));
        let (_, second, _) = broadcast(&mut connected);
        mine(&mut connected, second, 0, Some(4_000_000));
        connected.blocks(3);
        let shown = status(&mut connected, &shop, &payout);
        assert_eq!(shown, "Confirmed", "{kind}");
        assert_eq!(balance(&mut connected, &shop), "6 0", "{kind}");
    });
}
