//! Settlement and virtual accounts, and the movements of their ledger (contract, "Account", "Movement").

pub mod create_account;
mod create_ownership_challenge;
mod create_pay_in_address;
pub mod create_virtual_account;
mod delete_account;
mod get_account;
mod get_movement;
mod list_accounts;
mod list_all_movements;
mod list_balances;
mod list_movements;
mod list_pay_in_addresses;
mod movement;
mod prove_ownership;
mod state;
mod update_virtual_account;

pub use create_account::{CreateAccount, CreateAccountBody};
pub use create_ownership_challenge::{
    CreateOwnershipChallenge, CreateOwnershipChallengePath, OwnershipChallenge,
};
pub use create_pay_in_address::{
    CreatePayInAddress, CreatePayInAddressBody, CreatePayInAddressPath, PayInAddress,
};
pub use create_virtual_account::{CreateVirtualAccount, CreateVirtualAccountBody, VirtualChain};
pub use delete_account::{DeleteAccount, DeleteAccountPath};
pub use get_account::{AccountPath, GetAccount};
pub use get_movement::{GetMovement, MovementPath};
pub use list_accounts::ListAccounts;
pub use list_all_movements::ListAllMovements;
pub use list_balances::{AccountBalance, ListBalances, ListBalancesPath};
pub use list_movements::{ListMovements, ListMovementsPath, ListMovementsQuery};
pub use list_pay_in_addresses::{ListPayInAddresses, ListPayInAddressesPath};
pub use movement::{Direction, Movement, MovementFailure, MovementStatus, MovementType};
pub use prove_ownership::{ProveOwnership, ProveOwnershipBody, ProveOwnershipPath};
pub use state::MOVEMENT_TRANSITIONS;
pub use update_virtual_account::{UpdateVirtualAccount, UpdateVirtualAccountBody};

use crate::chain::Chain;
use crate::decode::body_record;
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{
    AccountId, AccountReference, Amount, ChainId, Currency, ExtendedPublicKey, Number, Object,
    OrganisationId, Timestamp,
};

open_enum! {
    /// Type of an account.
    AccountType { CryptoPayIn, Virtual }
}

open_enum! {
    /// State of an account.
    AccountState { Unknown, Active, Disabled, Deleted }
}

open_enum! {
    /// Holder of the keys of an account's wallet.
    AccountProvider { External, Managed }
}

record! {
    /// A settlement or virtual account.
    Account {
        /// Unique id.
        id: AccountId,
        /// Merchant-defined reference; bundles one account per chain.
        reference?: AccountReference,
        /// Display name.
        name?: String,
        /// Account type.
        account_type: AccountType,
        /// The wallet's address; of an extended public key, the first one.
        address?: String,
        /// Extended public key of the wallet, from which each payment gets an address of its own.
        xpub?: ExtendedPublicKey,
        /// Chain id.
        chain_id?: ChainId,
        /// Chain.
        chain?: Chain,
        /// Supported currency symbols.
        currencies: Vec<Currency>,
        /// Whether it accepts payments.
        enabled: bool,
        /// Current state.
        state: AccountState,
        /// Holder of the wallet's keys.
        provider: AccountProvider,
        /// Time a wallet signature proved ownership; absent for watched wallets and for wallets held by the service.
        ownership_proven_at?: Timestamp,
        /// Organisation that owns it.
        org_id: OrganisationId,
        /// Parent settlement account.
        parent_id?: AccountId,
        /// Parent settlement account.
        parent?: AccountSummary,
        /// Sub-accounts.
        sub_accounts?: Vec<AccountSummary>,
        /// Shares of each deposit to forward.
        deposit_splits?: Vec<DepositSplit>,
        /// Fee on incoming payments, in percent.
        payin_fee_pct?: Number,
        /// Fee on payouts, in percent.
        payout_fee_pct?: Number,
        /// Booked balance in US dollars, of a virtual account that of its chain accounts. Only in the list of accounts; absent without a
        /// price, and on a test network.
        balance_usd?: Amount,
        /// The part of `balance_usd` that is reserved for operations in progress.
        reserved_usd?: Amount,
        /// Bank account numbers, if any.
        account_number?: Vec<String>,
        /// Bank sort codes, if any.
        sort_code?: Vec<String>,
        /// Free-form JSON object.
        properties?: Object,
        /// Creation time.
        created_at: Timestamp,
        /// User or API key that created it.
        created_by?: String,
        /// Time of the last change.
        updated_at: Timestamp,
        /// Deletion time; absent unless deleted.
        deleted_at?: Timestamp,
    }
}

record! {
    /// An account as embedded in other records.
    AccountSummary {
        /// Unique id.
        id: AccountId,
        /// Merchant-defined reference.
        reference?: AccountReference,
        /// Display name.
        name?: String,
        /// Account type.
        account_type: AccountType,
        /// The wallet's address.
        address?: String,
        /// Chain id.
        chain_id?: ChainId,
        /// Supported currency symbols.
        currencies: Vec<Currency>,
        /// Whether it accepts payments.
        enabled: bool,
    }
}

body_record! {
    /// A share of each deposit, forwarded to another account or address.
    DepositSplit {
        /// Receiving account, by id.
        account_id?: AccountId,
        /// Receiving account, by reference.
        account_ref?: String,
        /// Receiving address.
        address?: String,
        /// Share in percent, exact.
        pct: Amount,
    }
}

impl Account {
    /// Whether the service holds the wallet's keys. Money can leave only such accounts.
    pub fn is_held(&self) -> bool {
        self.provider == AccountProvider::Managed
    }

    /// The address of the merchant's own wallet; `None` if the service holds the account's money.
    pub fn own_wallet(&self) -> Option<&str> {
        self.address.as_deref().filter(|_| !self.is_held())
    }

    /// Whether payments may be sent to the account: its wallet is held by the service, or its ownership is proven.
    pub fn may_receive(&self) -> bool {
        self.is_held() || self.ownership_proven_at.is_some()
    }

    /// Whether its balance is the organisation's money. That of an unproven wallet is not, nor of a deleted account of an own wallet.
    pub fn counts_in_totals(&self) -> bool {
        self.may_receive() && (self.is_held() || self.deleted_at.is_none())
    }
}

impl From<&Account> for AccountSummary {
    fn from(account: &Account) -> Self {
        Self {
            id: account.id,
            reference: account.reference.clone(),
            name: account.name.clone(),
            account_type: account.account_type.clone(),
            address: account.address.clone(),
            chain_id: account.chain_id,
            currencies: account.currencies.clone(),
            enabled: account.enabled,
        }
    }
}
