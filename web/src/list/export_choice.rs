//! Format and columns of a list's export, as last chosen in this browser.

use serde_json::{Value, json};

use crate::list::export_columns::{ExportColumns, columns_of};
use crate::local_storage;
use crate::text;

/// Local storage key of the choices, by list.
const KEY: &str = "settlekit.exports";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Csv,
    Xlsx,
    Json,
}

impl Format {
    pub(crate) const ALL: [Self; 3] = [Self::Csv, Self::Xlsx, Self::Json];

    /// Ending of the file's name.
    pub(crate) const fn ending(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
            Self::Json => "json",
        }
    }

    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Csv => text::export_csv(),
            Self::Xlsx => text::export_xlsx(),
            Self::Json => text::export_json(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Preset {
    /// Every field of any record.
    Everything,
    Accounting,
    Reconciliation,
    /// Columns chosen one by one.
    Own,
}

impl Preset {
    const ALL: [Self; 4] = [
        Self::Everything,
        Self::Accounting,
        Self::Reconciliation,
        Self::Own,
    ];

    /// Name in local storage and value of its option.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Everything => "everything",
            Self::Accounting => "accounting",
            Self::Reconciliation => "reconciliation",
            Self::Own => "own",
        }
    }

    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Everything => text::export_everything(),
            Self::Accounting => text::export_accounting(),
            Self::Reconciliation => text::export_reconciliation(),
            Self::Own => text::export_own(),
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.name() == name)
    }

    /// The presets of a list.
    pub(crate) fn offered(columns: ExportColumns) -> Vec<Self> {
        let is_offered = |preset: &Self| match preset {
            Self::Everything => true,
            Self::Accounting => !columns.accounting.is_empty(),
            Self::Reconciliation => !columns.reconciliation.is_empty(),
            Self::Own => !columns.all.is_empty(),
        };
        Self::ALL.into_iter().filter(is_offered).collect()
    }
}

/// What the user chose for the export of a list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ExportChoice {
    pub(crate) format: Format,
    pub(crate) preset: Preset,
    /// The columns of [`Preset::Own`], in the order of the list's columns.
    pub(crate) own: Vec<String>,
    /// Whether CSV is marked for Excel.
    pub(crate) for_excel: bool,
}

impl ExportChoice {
    /// The choice before the user's first: columns are removed from the preset for accounting, else from all.
    fn first(columns: ExportColumns) -> Self {
        let own = match columns.accounting {
            "" => columns.all,
            accounting => accounting,
        };
        let mut first = Self {
            format: Format::Csv,
            preset: Preset::Everything,
            own: Vec::new(),
            for_excel: false,
        };
        let own: Vec<&str> = own.split_whitespace().collect();
        first.set_own(columns, |column| own.contains(&column));
        first
    }

    /// The stored choice of a list, else the first one. Ignores what the list does not have.
    pub(crate) fn stored(list: &str) -> Self {
        let columns = columns_of(list);
        let all = local_storage::object(KEY);
        let stored = all.get(list).and_then(|value| Self::read(value, columns));
        stored.unwrap_or_else(|| Self::first(columns))
    }

    fn read(value: &Value, columns: ExportColumns) -> Option<Self> {
        let text = |name: &str| value.get(name)?.as_str();
        let (format, preset) = (text("format")?, text("preset")?);
        let stored = value.get("own")?.as_array()?;
        let mut read = Self {
            format: *Format::ALL.iter().find(|one| one.ending() == format)?,
            preset: *Preset::offered(columns)
                .iter()
                .find(|one| one.name() == preset)?,
            own: Vec::new(),
            for_excel: value.get("for_excel")?.as_bool()?,
        };
        read.set_own(columns, |column| stored.iter().any(|one| one == column));
        Some(read)
    }

    pub(crate) fn store(&self, list: &str) {
        let mut all = local_storage::object(KEY);
        let choice = json!({
            "format": self.format.ending(),
            "preset": self.preset.name(),
            "own": self.own,
            "for_excel": self.for_excel,
        });
        all.insert(list.to_owned(), choice);
        local_storage::set(KEY, &Value::Object(all).to_string());
    }

    fn set_own(&mut self, columns: ExportColumns, is_chosen: impl Fn(&str) -> bool) {
        let chosen = columns.all.split_whitespace();
        let chosen = chosen.filter(|column| is_chosen(column));
        self.own = chosen.map(str::to_owned).collect();
    }

    pub(crate) fn has(&self, column: &str) -> bool {
        self.own.iter().any(|own| own == column)
    }

    /// Adds a column of [`Preset::Own`], or removes it.
    pub(crate) fn toggle(&mut self, columns: ExportColumns, column: &str) {
        let before = self.clone();
        self.set_own(columns, |one| before.has(one) != (one == column));
    }

    /// The columns of the file; none if it has every field.
    pub(crate) fn columns(&self, columns: ExportColumns) -> Option<Vec<String>> {
        let names =
            |names: &str| -> Vec<String> { names.split_whitespace().map(str::to_owned).collect() };
        match self.preset {
            Preset::Everything => None,
            Preset::Accounting => Some(names(columns.accounting)),
            Preset::Reconciliation => Some(names(columns.reconciliation)),
            Preset::Own => Some(self.own.clone()),
        }
    }
}
