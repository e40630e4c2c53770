//! `POST /installation/wallet-links`.

use serde_json::{Value, json};
use settlekit_core::installation::{WALLET_LINKS_MAX, WalletLinkTemplate};
use settlekit_service::WalletLinkError;
use settlekit_tests::world::{SignedIn, World};

use super::{WALLET_LINKS, operator, wallet_links};

const TEMPLATE: &str = "https://wallet.example/open?url={page_url}";

/// The refusal of a link, with its field.
fn refused(world: &mut World, who: &SignedIn, name: &str, template: &str) -> String {
    let body = json!({ "name": name, "template": template });
    let answer = world.session_with_step_up(who, "POST", WALLET_LINKS, body);
    answer.refusal()
}

#[test]
fn an_added_link_is_the_last_of_the_list() {
    World::each(|kind, mut world| {
        let (_, olga) = operator(&mut world);
        let added = json!({ "name": "House Wallet", "template": TEMPLATE });
        let answer = world.session_with_step_up(&olga, "POST", WALLET_LINKS, added.clone());
        assert_eq!(answer.status, 200, "{kind}: {}", answer.body);
        let links = answer.data().as_array().expect("a list").clone();
        assert_eq!((links.len(), links.last()), (5, Some(&added)), "{kind}");
        let listed = wallet_links(&mut world, &olga);
        assert_eq!(listed, Value::Array(links), "{kind}");
    });
}

#[test]
fn a_link_that_could_harm_a_payer_is_refused_with_its_field() {
    World::each(|kind, mut world| {
        let (_, olga) = operator(&mut world);
        let before = wallet_links(&mut world, &olga);
        let long = format!("{TEMPLATE}{}", "a".repeat(500));
        let evil = |template| ("Evil", template, "422 URL_NOT_HTTPS template");
        for (name, template, refusal) in [
            evil("javascript://x.example/%0aalert(1)?{page_url}"),
            evil("file:///etc/{page_url}"),
            evil("http://wallet.example/{page_url}"),
            (
                "Evil",
                "data:text/html,{page_url}",
                "422 URL_MALFORMED template",
            ),
            (
                "House",
                "https://{page_address}",
                "422 URL_MALFORMED template",
            ),
            (
                "House",
                "https://wallet.example/{amount}",
                "400 UNKNOWN_VALUE template",
            ),
            ("House", "https://wallet.example/", "422 REQUIRED template"),
            ("House", &long, "422 TOO_LONG template"),
            ("", TEMPLATE, "422 EMPTY name"),
            ("metamask", TEMPLATE, "409 ALREADY_EXISTS name"),
            (" MetaMask ", TEMPLATE, "409 ALREADY_EXISTS name"),
        ] {
            let found = refused(&mut world, &olga, name, template);
            assert_eq!(found, refusal, "{kind}: {name} {template}");
        }
        assert_eq!(wallet_links(&mut world, &olga), before, "{kind}");
    });
}

#[test]
fn a_list_ends_at_twenty_links_by_whichever_way_they_come() {
    World::each(|kind, mut world| {
        let (_, olga) = operator(&mut world);
        let link = |number: usize| WalletLinkTemplate {
            name: format!("Wallet {number}"),
            template: TEMPLATE.to_owned(),
        };
        // By the command line.
        for number in 5..=WALLET_LINKS_MAX {
            let (service, database) = world.parts();
            let added = service.add_wallet_link(database, &link(number));
            assert_eq!(added.map(|links| links.len()).ok(), Some(number), "{kind}");
        }
        let (service, database) = world.parts();
        let full = service.add_wallet_link(database, &link(21));
        assert!(
            matches!(full, Err(WalletLinkError::Full)),
            "{kind}: {full:?}"
        );
        let (service, database) = world.parts();
        let evil = WalletLinkTemplate {
            template: "javascript://x/{page_url}".to_owned(),
            ..link(21)
        };
        let evil = service.add_wallet_link(database, &evil);
        let said = evil.map_err(|error| error.to_string());
        let expected = "`template` must start with https:// or the wallet's own scheme";
        assert_eq!(said, Err(expected.to_owned()), "{kind}");
        let found = refused(&mut world, &olga, "Wallet 21", TEMPLATE);
        assert_eq!(found, "422 TOO_LONG name", "{kind}");
        let listed = wallet_links(&mut world, &olga);
        assert_eq!(listed.as_array().map(Vec::len), Some(20), "{kind}");
    });
}
