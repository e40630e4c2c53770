//! Links that open a wallet on the payer's device, with the payment.

use settlekit_core::checkout::WalletLink;
use settlekit_core::payment::Payment;

use super::unsigned_transaction::awaits_wallet;
use crate::resources::installation::all_wallet_links;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// The links of the operator's list that a payment has what they need for; none if no wallet can pay it.
pub(super) fn of(
    unit: &mut Unit<'_>,
    payment: &Payment,
    (payment_uri, rest): (&str, i128),
) -> Result<Option<Vec<WalletLink>>, StoreError> {
    if !awaits_wallet(unit, payment, rest) {
        return Ok(None);
    }
    let base = unit.options().public_url.trim_end_matches('/').to_owned();
    // The same payment as in the browser that the payer comes from.
    let paylink = payment.payment_link.as_ref();
    let page = paylink.map(|link| format!("{base}/pay/{}?payment={}", link.id, payment.id));
    let links = all_wallet_links(unit.database)?.into_iter();
    let links: Vec<_> = links
        .filter_map(|link| {
            let url = link.url(page.as_deref(), payment_uri)?;
            Some(WalletLink {
                name: link.name,
                url,
            })
        })
        .collect();
    Ok(Some(links).filter(|links| !links.is_empty()))
}
