//! Creates a monthly plan, subscribes a customer to it, and reads their invoices.
//!
//! `SETTLEKIT_URL=http://127.0.0.1:8080 SETTLEKIT_API_KEY=sk_… cargo run -p settlekit --example subscribe_a_customer`

use futures_util::TryStreamExt;
use settlekit::api::customer::{ListCustomers, ListCustomersQuery};
use settlekit::api::invoice::{Invoice, ListInvoices, ListInvoicesQuery};
use settlekit::api::plan::{CreatePlan, CreatePlanBody, PlanType, RecurringInterval};
use settlekit::api::subscription::{CreateSubscription, CreateSubscriptionBody, Subscription};
use settlekit::api::value::CustomerId;
use settlekit::{Call, Client, Error};

/// Subscribes a customer to a new plan of 9.90 USDC a month.
pub(crate) async fn subscribe(
    client: &Client,
    customer_id: CustomerId,
) -> Result<Subscription, Error> {
    let plan = Call::<CreatePlan>::with_body(CreatePlanBody {
        name: "A bag each month".to_owned(),
        price: "9.90".parse().expect("an amount"),
        currency: "USDC".parse().expect("a currency"),
        available_quantity: None,
        description: None,
        expires_at: None,
        image_url: None,
        metadata: None,
        recurring_interval: Some(RecurringInterval::Month),
        recurring_interval_count: None,
        reference: None,
        trial_period: None,
        r#type: Some(PlanType::Recurring),
    });
    let plan = client.call(&plan).await?;
    let subscription = Call::<CreateSubscription>::with_body(CreateSubscriptionBody {
        customer_id,
        plan_ids: vec![plan.id],
        start_at: None,
        reference: None,
        metadata: None,
    });
    client.call(&subscription).await
}

/// Lists the invoices of a customer.
pub(crate) async fn invoices(
    client: &Client,
    customer_id: CustomerId,
) -> Result<Vec<Invoice>, Error> {
    let call = Call::<ListInvoices>::with_query(ListInvoicesQuery {
        customer_id: Some(customer_id),
        ..ListInvoicesQuery::default()
    });
    client.pages(call).items().try_collect().await
}

#[tokio::main]
#[allow(dead_code, reason = "the tests run the two functions by themselves")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = Client::new(
        std::env::var("SETTLEKIT_URL")?,
        std::env::var("SETTLEKIT_API_KEY")?,
    )?;
    let everybody = Call::<ListCustomers>::with_query(ListCustomersQuery::default());
    let somebody = client.call(&everybody).await?;
    let customer = somebody.items.first().ok_or("nobody has paid yet")?.id;
    let subscription = subscribe(&client, customer).await?;
    println!("{} is {}", subscription.id, subscription.status);
    for invoice in invoices(&client, customer).await? {
        println!(
            "{} {} due {}: {}",
            invoice.amount, invoice.currency, invoice.due_at, invoice.payment_status
        );
    }
    Ok(())
}
