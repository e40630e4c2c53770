//! `GET /orgs`.

use serde_json::{Value, json};
use settlekit_core::value::{OrganisationId, Timestamp};
use settlekit_service::step::{Command, Reply};
use settlekit_tests::world::World;

#[test]
fn compliance_results_are_stored_with_the_organisation() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let review =
            |world: &mut World, kyc: Option<&str>, company: Option<&str>, kyb: Option<&str>| {
                let done = world.call(Command::Review {
                    organisation: shop.id,
                    kyc_status: kyc.map(str::to_owned),
                    company_name: company.map(str::to_owned),
                    kyb_status: kyb.map(str::to_owned),
                });
                assert_eq!(done, Reply::Done, "{kind}");
                let shown = world.read(&shop, "/v1/orgs");
                let seen = world.read(&shop, "/v1/overview");
                let properties = &shown["properties"];
                (
                    [
                        &properties["kyc"]["status"],
                        &properties["kyb"]["info"]["companyInfo"]["companyName"],
                    ]
                    .map(Clone::clone),
                    [&seen["kyc_status"], &seen["kyb_status"]].map(Clone::clone),
                )
            };
        let begun = review(&mut world, Some("pending"), Some("Tea Ltd"), None);
        let expected = (
            [json!("pending"), json!("Tea Ltd")],
            [json!("pending"), Value::Null],
        );
        assert_eq!(begun, expected, "{kind}");
        let ended = review(&mut world, Some("approved"), None, Some("GREEN"));
        let expected = (
            [json!("approved"), json!("Tea Ltd")],
            [json!("approved"), json!("GREEN")],
        );
        assert_eq!(ended, expected, "{kind}");
        let nobody = world.call(Command::Review {
            organisation: OrganisationId::new(Timestamp::from_micros(0), [7; 10]),
            kyc_status: None,
            company_name: None,
            kyb_status: None,
        });
        assert_eq!(
            nobody,
            Reply::Failed("no organisation with this id".to_owned()),
            "{kind}"
        );
    });
}
