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
pub use list_all_movements::{ListAllMovements, ListAllMovementsQuery};
pub use list_balances::{AccountBalance, ListBalances, ListBalancesPath};
pub use list_movements::{ListMovements, ListMovementsPath};
pub use list_pay_in_addresses::{ListPayInAddresses, ListPayInAddressesPath};
pub use movement::{Direction, Movement, MovementStatus, MovementType};
pub use prove_ownership::{ProveOwnership, ProveOwnershipBody, ProveOwnershipPath};
pub use state::MOVEMENT_MOVES;
pub use update_virtual_account::{UpdateVirtualAccount, UpdateVirtualAccountBody};

use crate::chain::Chain;
use crate::given::given_record;
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{
    AccountId, AccountReference, Amount, ChainId, Currency, Number, Object, OrganisationId,
    Timestamp,
};

open_enum! {
    /// What an account is for.
    AccountType { CryptoPayIn, Virtual }
}

open_enum! {
    /// Where an account stands.
    AccountState { Unknown, Active, Disabled, Deleted }
}

open_enum! {
    /// Who keeps the keys of an account's wallet.
    AccountProvider { External, Managed }
}

record! {
    /// A settlement or virtual account.
    Account {
        /// Unique id.
        id: AccountId,
        /// The merchant's own name; bundles one account per chain.
        reference?: AccountReference,
        /// For people.
        name?: String,
        /// What it is for.
        account_type: AccountType,
        /// The wallet's address.
        address?: String,
        /// The chain it lives on.
        chain_id?: ChainId,
        /// The chain it lives on.
        chain?: Chain,
        /// Supported currency symbols.
        currencies: Vec<Currency>,
        /// Whether it takes payments.
        enabled: bool,
        /// Where it stands.
        state: AccountState,
        /// Who keeps the keys.
        provider: AccountProvider,
        /// When a signature of the wallet proved whose it is; absent while it is only watched, and where the service keeps the keys.
        ownership_proven_at?: Timestamp,
        /// The organisation it belongs to.
        org_id: OrganisationId,
        /// The parent settlement account.
        parent_id?: AccountId,
        /// The parent settlement account.
        parent?: AccountSummary,
        /// The accounts below it.
        sub_accounts?: Vec<AccountSummary>,
        /// How deposits are shared out.
        deposit_splits?: Vec<DepositSplit>,
        /// The fee on payments in, in percent.
        payin_fee_pct?: Number,
        /// The fee on payments out, in percent.
        payout_fee_pct?: Number,
        /// Bank account numbers, for accounts that have them.
        account_number?: Vec<String>,
        /// Bank sort codes, for accounts that have them.
        sort_code?: Vec<String>,
        /// Free-form.
        properties?: Object,
        /// When it was made.
        created_at: Timestamp,
        /// Who made it.
        created_by?: String,
        /// When it last changed.
        updated_at: Timestamp,
        /// When it was deleted, if it was.
        deleted_at?: Timestamp,
    }
}

record! {
    /// An account as embedded in other records.
    AccountSummary {
        /// Unique id.
        id: AccountId,
        /// The merchant's own name.
        reference?: AccountReference,
        /// For people.
        name?: String,
        /// What it is for.
        account_type: AccountType,
        /// The wallet's address.
        address?: String,
        /// The chain it lives on.
        chain_id?: ChainId,
        /// Supported currency symbols.
        currencies: Vec<Currency>,
        /// Whether it takes payments.
        enabled: bool,
    }
}

record! {
    /// A share of each deposit that goes elsewhere.
    DepositSplit {
        /// The receiving account, by id.
        account_id?: AccountId,
        /// The receiving account, by reference.
        account_ref?: String,
        /// The receiving address.
        address?: String,
        /// The share in percent, exact.
        pct: Amount,
    }
}

given_record!(DepositSplit {
    account_id,
    account_ref,
    address,
    pct
});

impl Account {
    /// Whether the service holds the wallet's keys: only then can money leave the account.
    pub fn is_held(&self) -> bool {
        self.provider == AccountProvider::Managed
    }

    /// Whether payments may be sent to the account: the service holds its wallet, or the wallet was proven to be the merchant's.
    pub fn may_receive(&self) -> bool {
        self.is_held() || self.ownership_proven_at.is_some()
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
