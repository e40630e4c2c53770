//! `GET /installation/chains/{chain_id}/unswept-proxies`.

use crate::field::query;
use crate::operation::{Auth, operation};
use crate::page::Limit;
use crate::value::record::record;
use crate::value::{Amount, ChainId, Currency, Timestamp};

query! {
    /// The part of the proxy wallets that are not swept.
    ListUnsweptProxiesQuery {
        /// The `next` of the part before.
        after: Option<String>,
        /// Most proxy wallets of this part, 1 to 100; default 100.
        limit: Option<Limit>,
    }
    names &["after", "limit"]
}

record! {
    /// Money at a proxy wallet.
    UnsweptProxy {
        /// Proxy wallet.
        address: String,
        /// Only address that it can pay.
        destination: String,
        /// Currency.
        currency: Currency,
        /// Amount.
        amount: Amount,
        /// When it is swept, unless a payout needs it before.
        sweep_at: Timestamp,
    }
}

record! {
    /// A part of the proxy wallets that are not swept, the next to be swept first.
    UnsweptProxyList {
        /// The proxy wallets.
        items: Vec<UnsweptProxy>,
        /// For `after`, if there are more.
        next?: String,
    }
}

operation! {
    /// Lists the money at proxy wallets of a chain, the next to be swept first; for operators of the installation.
    ListUnsweptProxies in "installation": GET "/installation/chains/{chain_id}/unswept-proxies",
    path: ListUnsweptProxiesPath {
        /// The chain's id.
        chain_id: ChainId,
    },
    query: ListUnsweptProxiesQuery,
    response: UnsweptProxyList,
    AUTH: Auth::Session,
}
