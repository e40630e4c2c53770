//! `GET /events`.

use serde_json::{Value, json};
use settlekit_tests::world::{Shop, WALLET, World, items, text};

use super::{ACTIONS, EVENTS, STATUSES, TYPES, counts, event, fill};

#[test]
fn a_filtered_page_of_events_holds_the_matching_rows_at_any_offset() {
    World::each(|database_kind, mut world| {
        let shop = world.shop("Shop", None);
        let begin = world.now;
        fill(&mut world, &shop, EVENTS);
        let (kept, counted) = counts(&mut world);
        assert_eq!(kept, counted, "{database_kind}");
        let all: Vec<i64> = (1..=EVENTS).collect();
        let timestamp = |number: i64| {
            let timestamp = settlekit_core::value::Timestamp::from_micros(begin.micros() + number);
            timestamp.to_string()
        };
        let bounds = [(1, EVENTS), (5, 66_000), (8_192, 69_000)];
        let wanted = |given: &str, place: Option<usize>, words: &[&str]| match place {
            Some(place) => format!("&{given}={}", words[place]),
            None => String::new(),
        };
        let some = [None, Some(0), Some(1), Some(2)];
        for kind in some {
            for action in some {
                for status in some {
                    let (from, to) =
                        bounds[(kind.map_or(0, |kind| kind + 1) + action.unwrap_or(0)) % 3];
                    let mut rows: Vec<i64> = all[(from - 1) as usize..to as usize]
                        .iter()
                        .copied()
                        .filter(|number| {
                            let of = event(*number);
                            kind.is_none_or(|kind| kind == of.0)
                                && action.is_none_or(|action| action == of.1)
                                && status.is_none_or(|status| status == of.2)
                        })
                        .collect();
                    let mut target = format!(
                        "/v1/events?limit=50{}{}{}",
                        wanted("type", kind, &TYPES),
                        wanted("action", action, &ACTIONS),
                        wanted("delivery_status", status, &STATUSES)
                    );
                    if (from, to) != bounds[0] {
                        target.push_str(&format!(
                            "&since={}&until={}",
                            timestamp(from),
                            timestamp(to)
                        ));
                    }
                    let pages = rows.len().div_ceil(50).max(1);
                    for sort in ["asc", "desc"] {
                        if sort == "desc" {
                            rows.reverse();
                        }
                        for page in [1, pages / 2 + 1, pages] {
                            let target = format!("{target}&sort={sort}&page={page}");
                            let found = world.keyed(&shop, "GET", &target, Value::Null);
                            assert_eq!(
                                found.status, 200,
                                "{database_kind}: {target}: {}",
                                found.body
                            );
                            assert_eq!(
                                found.data()["total"],
                                rows.len(),
                                "{database_kind}: {target}"
                            );
                            let items = found.items();
                            let found: Vec<i64> = items
                                .iter()
                                .filter_map(|item| item["event_id"].as_i64())
                                .collect();
                            let shown = rows.iter().skip((page - 1) * 50).take(50);
                            assert_eq!(
                                found,
                                shown.copied().collect::<Vec<_>>(),
                                "{database_kind}: {target}"
                            );
                        }
                    }
                }
            }
        }
        let past = "/v1/events?type=Payment&page=9999";
        let found = world.read(&shop, past);
        assert_eq!(found["items"], serde_json::json!([]));
    });
}

#[test]
fn events_ordered_by_delivery_are_those_ever_sent() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        fill(&mut world, &shop, EVENTS);
        for (query, of) in [("", None), ("&delivery_status=pending", Some(2))] {
            let mut rows: Vec<i64> = (1..=EVENTS)
                .filter(|number| {
                    let event = event(*number);
                    event.3 && of.is_none_or(|of| of == event.2)
                })
                .collect();
            rows.sort_by_key(|number| (number % 1000, *number));
            rows.reverse();
            for page in [1, 9] {
                let target =
                    format!("/v1/events?order_by=delivered_at&limit=50&page={page}{query}");
                let found = world.read(&shop, &target);
                assert_eq!(found["total"], rows.len(), "{kind}: {target}");
                let found: Vec<i64> = items(&found)
                    .iter()
                    .filter_map(|item| item["event_id"].as_i64())
                    .collect();
                let shown = rows.iter().skip((page - 1) * 50).take(50);
                let shown: Vec<i64> = shown.copied().collect();
                assert_eq!(found, shown, "{kind}: {target}");
            }
        }
    });
}

/// The events about an id, newest first: their type, and the id in their record.
fn about(world: &mut World, shop: &Shop, id: &str) -> Vec<(String, String)> {
    let page = world.read(shop, &format!("/v1/events?document_id={id}"));
    let items = items(&page).iter();
    items
        .map(|event| {
            let id = &event["data"]["id"];
            let kind = text(event, "type");
            (
                kind,
                id.as_str().map_or_else(|| id.to_string(), str::to_owned),
            )
        })
        .collect()
}

#[test]
fn events_are_found_by_document_id() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let plan = json!({ "name": "Club", "price": "5", "currency": "USDC", "type": "OneTime" });
        let plan = world.post(&shop, "/v1/plan", plan).id();
        world.deposit(&shop, till, 8453, "USDC", "3");
        let movement = world.read(&shop, "/v1/movements")["items"][0]["id"].to_string();

        let of_plan = about(&mut world, &shop, &plan);
        assert_eq!(of_plan, [("Plan".to_owned(), plan)], "{kind}");
        let own = ("Transaction".to_owned(), movement.clone());
        let of_movement = about(&mut world, &shop, &movement);
        let of_movement = of_movement.iter().filter(|event| **event == own).count();
        assert!(of_movement > 1, "{kind}: created and booked");

        let pay = json!({ "amount": "5", "currency": "USDC", "chain_id": 8453 });
        let payment = world.post(&shop, "/v1/payments", pay).id();
        world.pay(&payment);
        let of_payment = about(&mut world, &shop, &payment);
        for what in ["Payment", "Transaction", "CryptoTransaction"] {
            assert!(
                of_payment.iter().any(|(kind, _)| kind == what),
                "{kind}: {of_payment:?}"
            );
        }
        let stranger = world.shop("Stranger", None);
        assert_eq!(about(&mut world, &stranger, &payment), [], "{kind}");
        let answer = world.read(&shop, "/v1/events?document_id=nobody");
        assert_eq!(answer["total"], 0, "{kind}");
    });
}

#[test]
fn events_of_organisation_members_and_keys_are_found_by_id() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let owner = world.sign_in(&shop, "owner@example.com");
        let settings = world.read(&shop, "/v1/orgs");
        let organisation = text(&settings, "id");
        let name = json!({ "name": "Another name" });
        assert_eq!(world.keyed(&shop, "PUT", "/v1/orgs", name).status, 200);
        let about_it = about(&mut world, &shop, &organisation);
        assert!(about_it.len() > 1, "{kind}: created and updated");
        let own = ("Org".to_owned(), organisation.to_owned());
        assert!(about_it.iter().all(|event| *event == own), "{kind}");

        for list in ["/v1/members", "/v1/api-keys"] {
            let records = world.session(&owner, "GET", list, Value::Null);
            let id = records.data()["items"][0]["id"].as_str();
            let id = id.expect("an id").to_owned();
            let of_it = about(&mut world, &shop, &id);
            assert!(!of_it.is_empty(), "{kind}: {list}");
            let own = ("Org".to_owned(), id);
            assert!(of_it.iter().all(|event| *event == own), "{kind}: {list}");
        }
    });
}

#[test]
fn low_balance_and_pay_in_address_events_are_found_by_account() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let path = format!("/v1/accounts/{till}/pay-in-addresses");
        let address = world.create(&shop, &path, json!({ "chain_id": 8453 }));
        let path = format!("/v1/partners/accounts/id/{till}/automations/maintain-balance");
        let keep = json!({ "currency": "USDC", "minimum_threshold_amount": 5, "payout_threshold_amount": 9,
            "payout_address": WALLET });
        world.create(&shop, &path, keep);
        world.work();
        let of_it = format!("/v1/events?type=Account&document_id={till}");
        let of_it = world.read(&shop, &of_it)["items"].clone();
        let of_it = of_it.as_array().expect("items").iter();
        let low = of_it
            .clone()
            .filter(|event| event["action"] == "LowBalanceDetected");
        assert_eq!(low.count(), 1, "{kind}");
        let mut data = of_it.map(|event| &event["data"]["address"]);
        assert!(data.any(|one| *one == address.data()["address"]), "{kind}");
    });
}
