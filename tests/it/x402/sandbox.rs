//! Payments by programs in a sandbox: signatures are real, tokens keep their nonces, and there is no node.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::header as names;
use settlekit_tests::wallet::Wallet;
use settlekit_tests::world::{Answer, Shop, World, request, text};

use super::{accepted, encoded, header, paylink, payment, resource};

fn until(world: &World) -> i64 {
    world.now.plus(Duration::from_secs(300)).seconds()
}

fn pay(world: &mut World, link: &str, paid: &Value) -> Answer {
    let headers = vec![("PAYMENT-SIGNATURE".to_owned(), encoded(paid))];
    world.send(resource(link, headers))
}

#[test]
fn a_program_pays_a_paylink_at_once() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Tea");
        let link = paylink(&mut world, &shop);
        let asks = accepted(&mut world, &link);
        let payer = Wallet::new([7; 32]);
        let paid = payment(&payer, &asks, 1, until(&world));
        let settled = pay(&mut world, &link, &paid);
        assert_eq!(settled.status, 200, "{kind}: {}", settled.body);
        assert_eq!(
            header(&settled, "payment-response")["success"],
            true,
            "{kind}"
        );
        let again = pay(&mut world, &link, &paid);
        assert_eq!(
            again.body["payment_id"], settled.body["payment_id"],
            "{kind}"
        );
        let forged = payment(&Wallet::new([8; 32]), &asks, 1, until(&world));
        let mut other = paid.clone();
        other["payload"]["signature"] = forged["payload"]["signature"].clone();
        let refused = pay(&mut world, &link, &other);
        assert_eq!(
            refused.body["error"], "invalid_exact_evm_signature",
            "{kind}"
        );
        world.pass_and_work(Duration::from_secs(3_600));
        let [payment] = world.list(&shop, "/v1/payments").try_into().expect("one");
        let path = format!("/v1/payments/{}", text(&payment, "id"));
        let payment = world.read(&shop, &path);
        assert_eq!(payment["status"], "Confirmed", "{kind}");
        assert_eq!(payment["sender_address"], payer.address(), "{kind}");
        assert_eq!(
            payment["crypto_transaction"]["transaction_hash"], settled.body["transaction_hash"],
            "{kind}"
        );
        let held = world.read(&shop, "/v1/accounts/till/balances");
        let usdc = held
            .as_array()
            .expect("balances")
            .iter()
            .find(|one| one["currency"] == "USDC");
        assert_eq!(usdc.expect("USDC")["posted"], "10", "{kind}");
    });
}

#[test]
fn a_resource_of_the_merchant_is_paid_at_an_address_of_its_account() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Tea");
        let body = json!({"name": "Tea", "amount": "1", "currency": "USDC"});
        let link = world.post(&shop, "/v1/paylinks", body).id();
        let mut asks = accepted(&mut world, &link);
        let network = text(&asks, "network");
        let chain: u64 = network["eip155:".len()..].parse().expect("a chain");
        let path = "/v1/accounts/till/pay-in-addresses";
        let address = world.create(&shop, path, json!({"chain_id": chain}));
        asks["payTo"] = json!(text(address.data(), "address"));
        asks["amount"] = json!("100");
        let paid = payment(&Wallet::new([7; 32]), &asks, 1, until(&world));
        let call = |world: &mut World, shop: &Shop, endpoint: &str| {
            let body =
                json!({"x402Version": 2, "paymentPayload": paid, "paymentRequirements": asks});
            let headers = vec![(names::API_KEY.to_owned(), shop.key.clone())];
            world
                .send(request(
                    "POST",
                    &format!("/v1/x402/{endpoint}"),
                    &body,
                    headers,
                ))
                .body
        };
        assert_eq!(call(&mut world, &shop, "verify")["isValid"], true, "{kind}");
        assert_eq!(call(&mut world, &shop, "settle")["success"], true, "{kind}");
        assert_eq!(
            call(&mut world, &shop, "settle")["errorReason"],
            "duplicate_settlement",
            "{kind}"
        );
        world.pass_and_work(Duration::from_secs(3_600));
        let [payment] = world.list(&shop, "/v1/payments").try_into().expect("one");
        assert_eq!(payment["status"], "Confirmed", "{kind}");
        assert_eq!(payment["amount"], "0.0001", "{kind}");
        assert_eq!(payment["paid_amount"], "0.0001", "{kind}");
    });
}

#[test]
fn the_clock_of_a_sandbox_need_not_be_that_of_the_client() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Tea");
        let link = paylink(&mut world, &shop);
        let signed_until = until(&world);
        world.pass_and_work(Duration::from_secs(86_400));
        let asks = accepted(&mut world, &link);
        let paid = payment(&Wallet::new([7; 32]), &asks, 1, signed_until);
        let settled = pay(&mut world, &link, &paid);
        assert_eq!(settled.status, 200, "{kind}: {}", settled.body);
        world.pass_and_work(Duration::from_secs(3_600));
        let [payment] = world.list(&shop, "/v1/payments").try_into().expect("one");
        assert_eq!(payment["status"], "Confirmed", "{kind}");
    });
}

#[test]
fn a_dropped_transfer_pays_nothing_in_a_sandbox() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Tea");
        let link = paylink(&mut world, &shop);
        let asks = accepted(&mut world, &link);
        let paid = payment(&Wallet::new([7; 32]), &asks, 1, until(&world));
        let settled = pay(&mut world, &link, &paid);
        let dropped = json!({"transaction_hash": settled.body["transaction_hash"]});
        let answer = world.keyed(&shop, "POST", "/v1/sandbox/reorganisations", dropped);
        assert!(answer.status < 300, "{kind}: {}", answer.body);
        assert_eq!(pay(&mut world, &link, &paid).status, 202, "{kind}");
    });
}
