//! `GET /installation/wallets`.

use serde_json::json;
use settlekit_tests::chain::Connected;

use super::{fund, operator, read, sign};

#[test]
fn a_hot_wallet_shows_its_money_and_what_its_gas_money_pays_for() {
    Connected::each(|kind, mut connected| {
        let (shop, olga) = operator(&mut connected.world);
        fund(&mut connected, &shop);
        let wallets = read(&mut connected, &olga, "wallets");
        let wallet = &wallets[0];
        assert_eq!(wallet["address"], connected.wallet.to_string(), "{kind}");
        let expected = json!([
            { "chain_id": 8453, "currency": "ETH", "amount": "1" },
            { "chain_id": 8453, "currency": "USDC", "amount": "10" },
        ]);
        assert_eq!(wallet["holdings"], expected, "{kind}");
        // At twice the base fee of 1 gwei and a priority fee of 0.001 gwei, 65 000 gas cost 0.000130065 ETH.
        let expected = json!([{
            "chain_id": 8453, "currency": "ETH", "available": "1", "reserved": "0", "warn_below": "0.00650325",
            "low": false, "payouts_left": 7688,
        }]);
        assert_eq!(wallet["gas"], expected, "{kind}");
    });
}

#[test]
fn gas_money_is_low_below_the_mark_and_without_what_is_reserved() {
    Connected::each(|kind, mut connected| {
        let (shop, olga) = operator(&mut connected.world);
        fund(&mut connected, &shop);
        connected.pay_out(&shop, "1");
        sign(&mut connected);
        let wallets = read(&mut connected, &olga, "wallets");
        let gas = &wallets[0]["gas"][0];
        // 62 500 gas, a quarter more than estimated, at 2.002 gwei.
        assert_eq!(gas["reserved"], "0.000125125", "{kind}");
        assert_eq!(gas["available"], "0.999874875", "{kind}");
        connected.chain.base_fee = 200_000_000_000;
        connected.blocks(1);
        let wallets = read(&mut connected, &olga, "wallets");
        let gas = &wallets[0]["gas"][0];
        assert_eq!(gas["low"], true, "{kind}: {gas}");
        assert_eq!(gas["payouts_left"], 38, "{kind}: {gas}");
        // A fee that no money pays for is shown, too.
        connected.chain.base_fee = 10_u128.pow(30);
        connected.blocks(1);
        let wallets = read(&mut connected, &olga, "wallets");
        assert_eq!(wallets[0]["gas"][0]["payouts_left"], 0, "{kind}");
        let chain = super::chain(&mut connected, &olga);
        // The most that the books can hold.
        let most = "79228162514264337593.543950335";
        assert_eq!(chain["base_fee_gwei"], most, "{kind}: {chain}");
    });
}
