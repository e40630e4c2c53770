//! `POST /accounts/{account}/ownership`. Attacks on it are in `attacks/wallet_claims.rs`.

use std::thread;

use serde_json::{Value, json};
use settlekit_service::store::postgres::Postgres;
use settlekit_service::{Seed, eip191};
use settlekit_tests::world::{World, text};
use settlekit_tests::{database, postgres};

use super::{challenge, claim, prove, wallet};

#[test]
fn an_ownership_proof_needs_the_same_authorisation_as_a_payout() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let account = claim(&mut world, &shop, &wallet().address());
        let signature = wallet().sign(&challenge(&mut world, &shop, account));
        let path = format!("/v1/accounts/{account}/ownership");
        let body = json!({ "signature": signature });
        let till = world.scoped(&shop, &["read", "write"]);
        let refused = world.signed(&till, None, "POST", &path, body.clone());
        assert_eq!(refused.refusal(), "403 SCOPE_MISSING", "{kind}");
        let refused = world.keyed(&shop, "POST", &path, body.clone());
        assert_eq!(refused.refusal(), "401 SIGNATURE_MISSING", "{kind}");
        let owner = world.sign_in(&shop, "owner@shop.example");
        let refused = world.session(&owner, "POST", &path, body.clone());
        assert_eq!(refused.refusal(), "401 STEP_UP_REQUIRED", "{kind}");
        let done = world.session_with_step_up(&owner, "POST", &path, body);
        assert_eq!(done.status, 200, "{kind}: {}", done.body);
        // There is nothing to prove about what the service holds.
        let held = world.account(&shop, "till", 8453, &["USDC"]);
        let path = format!("/v1/accounts/{held}/ownership/challenge");
        let refused = world.keyed(&shop, "POST", &path, Value::Null);
        assert_eq!(refused.refusal(), "409 STATE_FORBIDS", "{kind}");
    });
}

#[test]
fn an_invalid_signature_is_refused_and_changes_nothing() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let account = claim(&mut world, &shop, &wallet().address().to_lowercase());
    let message = challenge(&mut world, &shop, account);
    let good = wallet().sign(&message);
    let with_end = |end: &str| format!("{}{end}", &good[..130]);
    // The twin of every signature: the same r, the order of the curve less s, the other recovery id.
    let twin = {
        use k256::ecdsa::Signature;
        let bytes = hex::decode(&good[2..130]).expect("hex");
        let signature = Signature::from_slice(&bytes).expect("a signature");
        let (r, s) = signature.split_scalars();
        let high = Signature::from_scalars(r, -s).expect("a signature");
        let end = if good.ends_with("1b") { "1c" } else { "1b" };
        format!("0x{}{end}", hex::encode(high.to_bytes()))
    };
    let zeros = "00".repeat(32);
    let r = &good[2..66];
    for wrong in [
        String::new(),
        "0x".to_owned(),
        good[2..].to_owned(),
        good[..130].to_owned(),
        format!("{good}00"),
        good.replacen("0x", "0X", 1),
        good.replace(&good[10..11], "g"),
        format!("{}é", &good[..130]),
        with_end("02"),
        with_end("1d"),
        with_end("25"),
        with_end("ff"),
        format!("0x{zeros}{zeros}1b"),
        format!("0x{r}{zeros}1b"),
        format!("0x{}1b", "ff".repeat(64)),
        twin.clone(),
        // The other key that fits r and s.
        with_end(if good.ends_with("1b") { "1c" } else { "1b" }),
    ] {
        let refused = prove(&mut world, &shop, account, &wrong);
        let expected = "422 OWNERSHIP_UNPROVEN signature";
        assert_eq!(refused.refusal(), expected, "{wrong}");
    }
    for (wrong, told) in [
        (&good[..130], "65 bytes in hex"),
        (&with_end("02"), "recovery id"),
        (&twin, "lower half"),
        (&format!("0x{}1b", "ff".repeat(64)), "in range"),
    ] {
        let refused = prove(&mut world, &shop, account, wrong);
        let message = text(&refused.body["error"]["errors"][0], "message");
        assert!(message.contains(told), "{wrong}: {message}");
    }
    // Wallets end it in 0 or 1 or in 27 or 28, and write it in capitals or not.
    let end = if good.ends_with("1b") { "00" } else { "01" };
    let done = prove(
        &mut world,
        &shop,
        account,
        &with_end(end).to_uppercase().replacen("0X", "0x", 1),
    );
    assert_eq!(done.status, 200, "{}", done.body);
}

#[test]
fn signatures_of_other_wallets_are_accepted() {
    // The example of `web3.eth.accounts.sign` in the documentation of web3.js, and `test-wallet` of ethers.js.
    let published = [
        (
            "Some data",
            "1da44b586eb0729ff70a73c326926f6ed5a25f5b056e7f47fbc6e58d86871655",
            "0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c",
            "0x2c7536E3605D9C16a7a3D7b1898e529396a65c23",
        ),
        (
            "hello world",
            "d9eba16ed0ecae432b71fe008c98cc872bb4cc214d3220a36f365326cf807d68",
            "0xddd0a7290af9526056b4e35a077b9a11b513aa0028ec6c9880948544508f3c63265e99e47ad31bb2cab9646c504576b3abc6939a1710afc08cbf3034d73214b81c",
            "0x14791697260E4c9A71f18484C9f997B308e59325",
        ),
    ];
    for (text, digest, signature, address) in published {
        assert_eq!(hex::encode(eip191::digest(text)), digest, "{text}");
        assert_eq!(eip191::signer(text, signature), Ok(address.to_owned()));
        assert_ne!(eip191::signer("another", signature), Ok(address.to_owned()));
    }
    // A text is counted in bytes.
    let text = "Zahlung für Köln 🦊";
    let signer = eip191::signer(text, &wallet().sign(text));
    assert_eq!(signer, Ok(wallet().address()));
}

#[test]
fn only_one_of_two_concurrent_proofs_succeeds() {
    let address = postgres::database();
    let open = || Box::new(Postgres::open(&address).expect("a connection"));
    let mut world = World::new(open());
    let shop = world.shop("Shop", None);
    let account = claim(&mut world, &shop, &wallet().address());
    let signature = wallet().sign(&challenge(&mut world, &shop, account));
    let path = format!("/v1/accounts/{account}/ownership");
    let body = json!({ "signature": signature });
    let requests: Vec<_> = (0..4)
        .map(|_| world.sign(&shop, None, "POST", &path, &body))
        .collect();
    let now = world.now;
    let service = world.parts().0.clone();
    let statuses: Vec<u16> = thread::scope(|scope| {
        let callers: Vec<_> = (1..)
            .zip(requests)
            .map(|(number, wire)| {
                let (service, open) = (&service, &open);
                scope.spawn(move || {
                    let mut builder = http::Request::builder()
                        .method(wire.method.as_str())
                        .uri(&wire.target);
                    for (name, value) in &wire.headers {
                        builder = builder.header(name, value);
                    }
                    let request = builder.body(wire.body.into_bytes()).expect("a request");
                    let answer = service.answer(open().as_mut(), &request, now, Seed([number; 32]));
                    answer.status().as_u16()
                })
            })
            .collect();
        let all = callers.into_iter().map(|one| one.join().expect("no panic"));
        all.collect()
    });
    let taken = statuses.iter().filter(|status| **status == 200).count();
    let refused = statuses.iter().filter(|status| **status == 409).count();
    assert_eq!((taken, refused), (1, 3), "{statuses:?}");
    let event = format!("/v1/events?type=Account&action=Updated&document_id={account}");
    assert_eq!(world.read(&shop, &event)["total"], 1);
}
