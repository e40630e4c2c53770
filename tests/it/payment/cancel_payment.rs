//! `DELETE /payments/{payment_id}`.

use serde_json::{Value, json};
use settlekit_tests::world::World;

use super::{due, observe, pass, refunded, send, state_of};

#[test]
fn an_unpaid_payment_is_canceled_once_and_money_that_arrives_later_can_only_be_refunded() {
    World::each(|kind, mut world| {
        let due = due(&mut world);
        let stranger = world.shop("Stranger", None);
        let foreign = world.keyed(&stranger, "DELETE", &due.path, Value::Null);
        assert_eq!(foreign.refusal(), "404 NOT_FOUND", "{kind}");
        let canceled = world.keyed(&due.shop, "DELETE", &due.path, Value::Null);
        assert_eq!(canceled.status, 200, "{kind}: {}", canceled.body);
        assert_eq!(canceled.data()["status"], "Canceled", "{kind}");
        let again = world.keyed(&due.shop, "DELETE", &due.path, Value::Null);
        assert_eq!(again.refusal(), "409 NOT_CANCELLABLE", "{kind}");
        observe(&mut world, &due, "USDC", "10000000");
        pass(&mut world, 31 * 60);
        let found = state_of(&mut world, &due);
        let expected = (json!("Canceled"), Value::Null, json!("10"));
        assert_eq!(found, expected, "{kind}: it stays canceled");
        let back = refunded(&mut world, &due, json!({}));
        assert_eq!(back["status"], "Refunded", "{kind}: {back}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_partly_paid_payment_is_not_canceled() {
    World::each(|kind, mut world| {
        let due = due(&mut world);
        send(&mut world, &due, &["4"]);
        let refused = world.keyed(&due.shop, "DELETE", &due.path, Value::Null);
        assert_eq!(refused.refusal(), "409 NOT_CANCELLABLE", "{kind}");
        let paid = state_of(&mut world, &due).2;
        assert_eq!(paid, json!("4"), "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}
