//! The hot wallet: one at a time, live only, sealed under the master key.

use settlekit_service::master_key::Rotated;
use settlekit_service::operator::OperatorError;
use settlekit_service::{Mode, Seed, Words};
use settlekit_tests::chain::{Connected, GAS_MONEY, WORDS};
use settlekit_tests::database;
use settlekit_tests::world::World;

#[test]
fn a_second_hot_wallet_is_refused() {
    Connected::each(|kind, mut connected| {
        let (now, address) = (connected.world.now, connected.wallet);
        let (service, database) = connected.world.parts();
        let refused = service.create_wallet(database, now, Seed([1; 32]));
        let refused = refused.expect_err(kind);
        assert_eq!(refused, OperatorError::WalletExists(address), "{kind}");
    });
}

#[test]
fn a_created_wallet_is_the_one_that_its_words_import() {
    let mut made = World::with(database::sqlite(), Mode::Live);
    let now = made.now;
    let (service, database) = made.parts();
    let (address, words) = service
        .create_wallet(database, now, Seed([1; 32]))
        .expect("a wallet");
    let mut imported = World::with(database::sqlite(), Mode::Live);
    let words = Words::parse(&words.to_string()).expect("the words are valid");
    let (service, database) = imported.parts();
    let again = service.import_wallet(database, &words, now, Seed([2; 32]));
    assert_eq!(again, Ok(address));
}

#[test]
fn a_sandbox_has_no_hot_wallet() {
    let mut world = World::new(database::sqlite());
    let now = world.now;
    let (service, database) = world.parts();
    let words = Words::parse(WORDS).expect("the words are valid");
    let refused = service.import_wallet(database, &words, now, Seed([1; 32]));
    assert_eq!(refused, Err(OperatorError::Sandbox));
}

#[test]
fn a_rotated_master_key_opens_the_wallet_and_the_nodes() {
    Connected::each(|kind, mut connected| {
        let (service, database) = connected.world.parts();
        let rotated = service.rotate_master_key(database, &[9; 32], Seed([5; 32]));
        assert!(matches!(rotated, Ok(Rotated::Done(_))), "{kind}");
        connected.world = connected.world.rekeyed([9; 32]);
        let now = connected.world.now;
        let (service, database) = connected.world.parts();
        let watches = service.watches(database, now, Seed([6; 32]));
        let watches = watches.expect("the nodes are unsealed");
        assert_eq!(watches[0].providers, ["http://127.0.0.1:1"], "{kind}");
    });
}

#[test]
fn a_chain_without_accounts_is_forgotten_with_all_that_was_known_of_its_money() {
    Connected::each(|kind, mut connected| {
        let chain = connected.chain.id;
        let (service, database) = connected.world.parts();
        let gone = service.disconnect_chain(database, chain);
        assert_eq!(gone, Ok(()), "{kind}");
        let again = service.disconnect_chain(database, chain);
        assert_eq!(again, Err(OperatorError::NotConnected(chain)), "{kind}");
        // The gas money is entered once more, not twice.
        connected.connect();
        let (service, database) = connected.world.parts();
        let wallets = service.wallets(database).expect("wallets");
        let held: Vec<i128> = wallets[0].holdings.iter().map(|held| held.units).collect();
        assert_eq!(held, [i128::from(GAS_MONEY)], "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
        let shop = connected.world.shop("Shop", None);
        connected.world.account(&shop, "till", 8453, &["USDC"]);
        let (service, database) = connected.world.parts();
        let refused = service.disconnect_chain(database, chain);
        assert_eq!(refused, Err(OperatorError::HasAccounts(chain)), "{kind}");
    });
}
