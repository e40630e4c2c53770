//! The links that open a payment in a wallet on the payer's phone.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::installation::WalletLinkTemplate;
use settlekit_tests::chain::{Connected, USDC};
use settlekit_tests::database;
use settlekit_tests::world::{World, text};

/// Starts a checkout of 5.25 USDC; returns the paylink and the payment.
fn start(connected: &mut Connected) -> (String, Value) {
    let shop = connected.world.shop("Shop", None);
    connected.world.account(&shop, "till", 8453, &["USDC"]);
    let link = json!({ "amount": "5.25", "currency": "USDC", "name": "Tea" });
    let link = connected.world.post(&shop, "/v1/paylinks", link).id();
    let chosen = json!({ "chain_id": 8453, "currency": "USDC" });
    let path = format!("/v1/checkout/{link}/payments");
    let payment = connected.world.public("POST", &path, chosen).data().clone();
    (link, payment)
}

fn read(connected: &mut Connected, id: &str) -> Value {
    let path = format!("/v1/checkout/payments/{id}");
    let read = connected.world.public("GET", &path, Value::Null);
    read.data().clone()
}

fn add(connected: &mut Connected, name: &str, template: &str) {
    let link = WalletLinkTemplate {
        name: name.to_owned(),
        template: template.to_owned(),
    };
    let (service, database) = connected.world.parts();
    let added = service.add_wallet_link(database, &link);
    assert!(added.is_ok(), "{added:?}");
}

#[test]
fn every_link_opens_the_same_payment_in_the_wallets_own_browser() {
    Connected::each(|kind, mut connected| {
        let (link, payment) = start(&mut connected);
        let id = text(&payment, "payment_id");
        let address = format!("127.0.0.1:8080/pay/{link}?payment={id}");
        let encoded = format!("http%3A%2F%2F127.0.0.1%3A8080%2Fpay%2F{link}%3Fpayment%3D{id}");
        let twice = encoded.replace('%', "%25");
        let expected = json!([
            { "name": "MetaMask", "url": format!("https://link.metamask.io/dapp/{address}") },
            { "name": "Coinbase Wallet", "url": format!("https://go.cb-w.com/dapp?cb_url={encoded}") },
            {
                "name": "Trust Wallet",
                "url": format!("https://link.trustwallet.com/open_url?coin_id=60&url={encoded}"),
            },
            {
                "name": "OKX Wallet",
                "url": format!(
                    "https://web3.okx.com/download?deeplink=okx%3A%2F%2Fwallet%2Fdapp%2Furl%3FdappUrl%3D{twice}"
                ),
            },
        ]);
        assert_eq!(payment["wallet_links"], expected, "{kind}");
        // The page that a wallet opens reads the payment that the payer started, and so does the browser that the payer returns to.
        let mut opened = read(&mut connected, &id);
        opened["server_time"] = payment["server_time"].clone();
        assert_eq!(opened, payment, "{kind}");
        // A part that was paid from the wallet is seen in both, and the links stay for the rest.
        let to = text(&payment, "address").parse().expect("an address");
        connected.chain.transfer(Some(USDC), to, 2_000_000);
        connected.blocks(3);
        let part = read(&mut connected, &id);
        assert_eq!(part["paid_amount"], "2", "{kind}");
        assert_eq!(part["wallet_links"], expected, "{kind}");
        connected.chain.transfer(Some(USDC), to, 3_250_000);
        connected.blocks(1);
        let paid = read(&mut connected, &id);
        assert_eq!(paid["status"], "Processing", "{kind}");
        assert_eq!(paid.get("wallet_links"), None, "{kind}: nothing is due");
    });
}

#[test]
fn the_operators_list_counts_at_once_and_for_what_is_due() {
    Connected::each(|kind, mut connected| {
        let (_, payment) = start(&mut connected);
        let id = text(&payment, "payment_id");
        add(&mut connected, "House", "house://pay?uri={payment_uri}");
        let to = text(&payment, "address");
        let last = |connected: &mut Connected| {
            let payment = read(connected, &id);
            let links = payment["wallet_links"].as_array().cloned();
            links.and_then(|links| links.last().cloned())
        };
        let link = |units: u64| {
            let uri =
                format!("ethereum%3A{USDC}%408453%2Ftransfer%3Faddress%3D{to}%26uint256%3D{units}");
            Some(json!({ "name": "House", "url": format!("house://pay?uri={uri}") }))
        };
        assert_eq!(last(&mut connected), link(5_250_000), "{kind}");
        let address = to.parse().expect("an address");
        connected.chain.transfer(Some(USDC), address, 250_000);
        connected.blocks(3);
        assert_eq!(last(&mut connected), link(5_000_000), "{kind}");
        for name in [
            "metamask",
            "coinbase wallet",
            "trust wallet",
            "okx wallet",
            "house",
        ] {
            let (service, database) = connected.world.parts();
            let removed = service.remove_wallet_link(database, name);
            assert!(removed.is_ok(), "{kind}: {removed:?}");
        }
        let none = read(&mut connected, &id);
        assert_eq!(none.get("wallet_links"), None, "{kind}");
        let (service, database) = connected.world.parts();
        let restored = service.restore_wallet_links(database);
        assert_eq!(restored.map(|links| links.len()), Ok(4), "{kind}");
        let links = read(&mut connected, &id)["wallet_links"].clone();
        assert_eq!(links, payment["wallet_links"], "{kind}");
        // An ended payment leads to no wallet.
        connected.world.pass_and_work(Duration::from_secs(86_400));
        let ended = read(&mut connected, &id);
        assert_eq!(ended["status"], "Failed", "{kind}: too little was paid");
        assert_eq!(ended.get("wallet_links"), None, "{kind}");
    });
}

#[test]
fn a_sandbox_leads_to_no_wallet() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Tea", None);
    world.account(&shop, "till", 8453, &["USDC"]);
    let link = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
    let link = world.post(&shop, "/v1/paylinks", link).id();
    let chosen = json!({ "chain_id": 8453, "currency": "USDC" });
    let path = format!("/v1/checkout/{link}/payments");
    let payment = world.public("POST", &path, chosen).data().clone();
    assert_eq!(payment["status"], "Processing");
    assert_eq!(payment.get("wallet_links"), None);
}
