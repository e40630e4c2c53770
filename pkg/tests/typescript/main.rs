//! Prints `js/operations.ts`, `forms/src/forms.rs` and the tables of `settlekit/core` from core's catalogue, and checks that those in the
//! repository are current.
//!
//! `cargo xtask print` updates them by setting `UPDATE`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};
use settlekit_core::catalogue::{self, Description};
use settlekit_core::for_each_operation;
use settlekit_core::operation::{Operation, Wire};

mod names;
mod tables;

#[test]
fn the_files_in_the_repository_are_printed_from_the_catalogue() {
    let contract = Contract::read();
    for (name, printed) in [
        ("js/operations.ts", contract.typescript()),
        ("forms/src/forms.rs", contract.forms()),
        ("js/constants.ts", tables::constants()),
        ("js/reasons.ts", tables::reasons()),
        ("js/states.ts", tables::states()),
    ] {
        check(name, &printed);
    }
}

/// The version is set in the workspace's `Cargo.toml`.
#[test]
fn the_npm_package_has_the_version_of_the_workspace() {
    // npm's lock file contains the version of its own package twice.
    for (name, count) in [("package.json", 1), ("package-lock.json", 2)] {
        check(name, &with_version(&read(name), count));
    }
}

fn read(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    std::fs::read_to_string(file).unwrap_or_default()
}

/// Compares a file of the package with the printed text, or updates it.
fn check(name: &str, printed: &str) {
    if std::env::var_os("UPDATE").is_some() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        std::fs::write(file, printed).expect("the file can be written");
    }
    assert!(
        read(name) == printed,
        "{name} is not current: cargo xtask print"
    );
}

/// Replaces the first `count` versions of a text by the workspace's version.
fn with_version(text: &str, count: usize) -> String {
    const KEY: &str = "\"version\": \"";
    let mut printed = String::new();
    let mut rest = text;
    for _ in 0..count {
        let (before, after) = rest.split_once(KEY).expect("a version");
        let (_, after) = after.split_once('"').expect("an end of the version");
        printed.extend([before, KEY, env!("CARGO_PKG_VERSION"), "\""]);
        rest = after;
    }
    printed + rest
}

#[test]
fn operation_argument_names_are_unique() {
    for operation in catalogue::CATALOGUE {
        let mut names = [
            operation.path_params,
            operation.query_params,
            operation.body_fields,
        ]
        .concat();
        names.sort_unstable();
        assert!(
            names.windows(2).all(|pair| pair[0] != pair[1]),
            "{}: {names:?}",
            operation.id
        );
    }
}

#[test]
fn method_names_are_unique_per_room() {
    let mut called: Vec<(String, String)> = catalogue::CATALOGUE
        .iter()
        .map(|operation| (names::room(operation.room), names::method(operation)))
        .collect();
    called.sort_unstable();
    for pair in called.windows(2) {
        assert_ne!(pair[0], pair[1]);
    }
}

/// The schemas of one operation.
struct Schemas {
    query: Value,
    body: Value,
    response: Value,
}

type Definitions = serde_json::Map<String, Value>;

/// The contract as JSON Schema.
struct Contract {
    operations: BTreeMap<&'static str, Schemas>,
    definitions: Definitions,
}

impl Contract {
    fn read() -> Contract {
        // Read schemas: absent values are optional, in responses and bodies alike.
        let mut generator = SchemaSettings::draft2020_12()
            .for_deserialize()
            .into_generator();
        let mut operations = BTreeMap::new();
        macro_rules! visit {
            ($operation:path) => {
                operations.insert(
                    <$operation as Operation>::ID,
                    schemas_of::<$operation>(&mut generator),
                );
            };
        }
        for_each_operation!(visit);
        Contract {
            operations,
            definitions: generator.take_definitions(true),
        }
    }

    fn typescript(&self) -> String {
        let mut out = String::from(HEAD);
        for (name, schema) in &self.definitions {
            // Arguments are printed with their operation; pages and list parameters are part of the client.
            let elsewhere = ["PageNumber", "Nothing", "Limit", "Sort"].contains(&name.as_str())
                || ["Page", "Query", "Body"]
                    .iter()
                    .any(|end| name.ends_with(end));
            if !elsewhere {
                definition(&mut out, name, schema);
            }
        }
        let page = page_arguments(&mut out, &self.operations, &self.definitions);
        let mut printed = BTreeMap::new();
        for operation in catalogue::CATALOGUE {
            arguments(
                &mut out,
                &mut printed,
                operation,
                &self.operations[operation.id],
                &self.definitions,
                &page,
            );
        }
        rooms(&mut out, &self.operations, &self.definitions);
        calls(&mut out, &self.operations, &self.definitions);
        values(&mut out, &self.definitions);
        out
    }

    fn forms(&self) -> String {
        let mut out = String::from(
            "// Printed from the catalogue of settlekit-core by `cargo xtask print`; do not edit. @generated\n\n\
             use crate::form::{Field, Form, Forms};\n\n",
        );
        for (name, schema) in &self.definitions {
            if !name.ends_with("Query") && form_of_name(name, &self.definitions).is_none() {
                let _ = writeln!(
                    out,
                    "static {}: Form = {};",
                    constant(name),
                    form(schema, &self.definitions)
                );
            }
        }
        out.push_str("\n/// Forms of the operations, by name.\npub(crate) const OPERATIONS: &[(&str, Forms)] = &[\n");
        for (id, schemas) in &self.operations {
            let [answer, body] = [&schemas.response, &schemas.body]
                .map(|schema| reference(schema, &self.definitions));
            let _ = writeln!(
                out,
                "    (\"{id}\", Forms {{ answer: {answer}, body: {body} }}),"
            );
        }
        out.push_str("];\n");
        out
    }
}

/// `AccountPage` as the name of a Rust constant.
fn constant(name: &str) -> String {
    let mut out = String::new();
    for char in name.chars() {
        if char.is_uppercase() && !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
        out.extend(char.to_uppercase());
    }
    out
}

/// Form of a definition that is not a record.
fn form_of_name(name: &str, definitions: &Definitions) -> Option<String> {
    match name {
        "Amount" => Some("Form::Amount".to_owned()),
        "Number" => Some("Form::Exact".to_owned()),
        "Timestamp" => Some("Form::Timestamp".to_owned()),
        _ => definitions[name]
            .get("properties")
            .is_none()
            .then(|| form(&definitions[name], definitions)),
    }
}

/// A borrowed form as Rust code.
fn reference(schema: &Value, definitions: &Definitions) -> String {
    if let Some(name) = schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|reference| reference.rsplit('/').next())
    {
        return form_of_name(name, definitions)
            .map_or_else(|| format!("&{}", constant(name)), |form| format!("&{form}"));
    }
    // `anyOf` with null: an optional value.
    if let Some(variants) = schema.get("anyOf").and_then(Value::as_array) {
        let present: Vec<&Value> = variants
            .iter()
            .filter(|variant| variant["type"] != "null")
            .collect();
        if let [variant] = present[..] {
            return reference(variant, definitions);
        }
    }
    format!("&{}", form(schema, definitions))
}

/// Form of a schema as Rust code.
fn form(schema: &Value, definitions: &Definitions) -> String {
    let kinds: Vec<&str> = match schema.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds
            .iter()
            .filter_map(Value::as_str)
            .filter(|kind| *kind != "null")
            .collect(),
        _ => return "Form::Free".to_owned(),
    };
    match (
        &kinds[..],
        schema.get("properties").and_then(Value::as_object),
    ) {
        (["object"], Some(properties)) => {
            let required: Vec<&str> = schema
                .get("required")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            assert!(
                properties.len() <= 64,
                "a record of {} fields",
                properties.len()
            );
            let mut out = String::from("Form::Record(&[\n");
            for (name, property) in properties {
                let word = if required.contains(&name.as_str()) {
                    "must"
                } else {
                    "may"
                };
                let _ = writeln!(
                    out,
                    "    Field::{word}(\"{name}\", {}),",
                    reference(property, definitions)
                );
            }
            out + "])"
        }
        (["array"], _) => format!(
            "Form::List({})",
            schema.get("items").map_or_else(
                || "&Form::Free".to_owned(),
                |item| reference(item, definitions)
            )
        ),
        (["string"], _) => "Form::Text".to_owned(),
        (["boolean"], _) => "Form::Flag".to_owned(),
        (["integer"], _) => "Form::Integer".to_owned(),
        _ => "Form::Free".to_owned(),
    }
}

const HEAD: &str = "\
// Printed from the catalogue of settlekit-core by `cargo xtask print`; do not edit. @generated

import type { Listing, Options, Page } from \"./client.js\";

/** These values; new ones may appear. */
export type OpenEnum<Known extends string> = Known | (string & {});

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | JsonObject;

/** Any JSON object. */
export type JsonObject = { [key: string]: Json };

declare const kind: unique symbol;

/** A branded type: accepts plain strings and numbers, rejects values of another kind. */
export type Branded<T, Kind extends string> = T & { readonly [kind]?: Kind };

";

fn schemas_of<O: Operation>(generator: &mut SchemaGenerator) -> Schemas
where
    O::Query: schemars::JsonSchema,
    O::Body: schemars::JsonSchema,
    O::Response: schemars::JsonSchema,
{
    Schemas {
        query: generator.subschema_for::<O::Query>().to_value(),
        body: generator.subschema_for::<O::Body>().to_value(),
        response: generator.subschema_for::<O::Response>().to_value(),
    }
}

/// Converts snake case to camel case: `api_key` to `apiKey`.
fn camel(name: &str) -> String {
    let mut out = String::new();
    let mut upper = false;
    for char in name.chars() {
        match char {
            '_' => upper = true,
            char if upper => {
                out.extend(char.to_uppercase());
                upper = false;
            }
            char => out.push(char),
        }
    }
    out
}

fn doc(out: &mut String, indent: &str, text: &str) {
    if !text.is_empty() {
        let lines = text
            .trim()
            .replace("*/", "* /")
            .replace('\n', &format!("\n{indent} * "));
        let _ = writeln!(out, "{indent}/** {lines} */");
    }
}

/// The comment of a field, unless it only repeats the field's name or type: all types together have at most 200 KB.
fn field_doc(out: &mut String, name: &str, text: &str) {
    const ARTICLES: [&str; 4] = ["the", "a", "an", "of"];
    const REPEATS_NAME_OR_TYPE: [&str; 11] = [
        "Chain id.",
        "Creation time.",
        "Currency of `amount`.",
        "Currency symbol.",
        "Current status.",
        "Display name.",
        "E-mail address.",
        "Free-form JSON object.",
        "Merchant-defined reference.",
        "Time of the last change.",
        "Unique id.",
    ];
    if REPEATS_NAME_OR_TYPE.contains(&text.trim()) {
        return;
    }
    let is_in_name = |word: &str| {
        let word = word.to_ascii_lowercase();
        ARTICLES.contains(&word.as_str()) || name.split('_').any(|part| part == word)
    };
    let mut words = text.trim().trim_end_matches('.').split_whitespace();
    if !words.all(is_in_name) {
        doc(out, "  ", text);
    }
}

fn description(schema: &Value) -> &str {
    schema
        .get("description")
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// TypeScript name of a core type: `Number` would shadow JavaScript's own.
fn type_name(name: &str) -> &str {
    if name == "Number" {
        "ExactNumber"
    } else {
        name
    }
}

/// Whether a type is branded, so that it cannot be confused with another of the same shape.
fn is_branded(name: &str) -> bool {
    name.ends_with("Id") || matches!(name, "Amount" | "AccountReference")
}

/// TypeScript type of a path parameter.
fn path_parameter(name: &str, definitions: &Definitions) -> String {
    let of_name = match name {
        "account" | "account_ref" => "AccountKey".to_owned(),
        "key_id" => "ApiKeyId".to_owned(),
        "name" => return "string".to_owned(),
        _ => {
            let name = camel(name);
            name[..1].to_uppercase() + &name[1..]
        }
    };
    assert!(
        definitions.contains_key(&of_name),
        "the parameter {name} of a path has no type: {of_name}"
    );
    of_name
}

fn definition(out: &mut String, name: &str, schema: &Value) {
    let name = type_name(name);
    if name == "ExactNumber" {
        doc(
            out,
            "",
            "An exact decimal. The service sends a JSON number; here it is text, so that no digit is lost.",
        );
        out.push_str("export type ExactNumber = Amount;\n\n");
        return;
    }
    // `OpenEnum` says it once for all.
    if schema.get("x-open-enum").is_none() {
        doc(out, "", description(schema));
    }
    if is_branded(name) {
        let _ = writeln!(
            out,
            "export type {name} = Branded<{}, \"{name}\">;\n",
            expression(schema)
        );
        return;
    }
    if schema.get("properties").is_some() {
        let _ = writeln!(out, "export interface {name} {{");
        properties(out, schema);
        out.push_str("}\n\n");
    } else {
        let _ = writeln!(out, "export type {name} = {};\n", expression(schema));
    }
}

fn properties(out: &mut String, schema: &Value) {
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        field_doc(out, name, description(property));
        let mark = if required.contains(&name.as_str()) {
            ""
        } else {
            "?"
        };
        let _ = writeln!(out, "  {name}{mark}: {};", expression(property));
    }
}

/// TypeScript type of a schema, without null: absent values are omitted.
fn expression(schema: &Value) -> String {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        return type_name(reference.rsplit('/').next().unwrap_or_default()).to_owned();
    }
    if let Some(known) = schema.get("x-open-enum").and_then(Value::as_array) {
        let words: Vec<String> = known.iter().map(Value::to_string).collect();
        return format!("OpenEnum<{}>", words.join(" | "));
    }
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        let words: Vec<String> = words
            .iter()
            .filter(|word| !word.is_null())
            .map(Value::to_string)
            .collect();
        return words.join(" | ");
    }
    if let Some(constant) = schema.get("const") {
        return constant.to_string();
    }
    for choice in ["anyOf", "oneOf"] {
        if let Some(variants) = schema.get(choice).and_then(Value::as_array) {
            let variants: Vec<String> = variants
                .iter()
                .filter(|variant| variant["type"] != "null")
                .map(expression)
                .collect();
            return variants.join(" | ");
        }
    }
    let kinds: Vec<&str> = match schema.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds
            .iter()
            .filter_map(Value::as_str)
            .filter(|kind| *kind != "null")
            .collect(),
        _ => return "Json".to_owned(),
    };
    let types: Vec<String> = kinds.iter().map(|kind| of_kind(kind, schema)).collect();
    types.join(" | ")
}

fn of_kind(kind: &str, schema: &Value) -> String {
    match kind {
        "integer" | "number" => "number".to_owned(),
        "string" => "string".to_owned(),
        "boolean" => "boolean".to_owned(),
        "array" => {
            let item = schema
                .get("items")
                .map_or_else(|| "Json".to_owned(), expression);
            if item.contains(' ') {
                format!("({item})[]")
            } else {
                format!("{item}[]")
            }
        }
        "object" => "JsonObject".to_owned(),
        other => panic!("a schema of type {other}"),
    }
}

/// Schema behind a reference.
fn resolve<'a>(schema: &'a Value, definitions: &'a Definitions) -> &'a Value {
    let name = schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|reference| reference.rsplit('/').next());
    name.and_then(|name| definitions.get(name))
        .unwrap_or(schema)
}

/// Item type of a page; none if the response is not a page.
fn item(schema: &Value, definitions: &Definitions) -> Option<String> {
    let page = resolve(schema, definitions);
    page["properties"].get("last_update")?;
    Some(expression(&page["properties"]["items"]["items"]))
}

fn has_arguments(operation: &Description) -> bool {
    !(operation.path_params.is_empty()
        && operation.query_params.is_empty()
        && operation.body_fields.is_empty())
}

/// Prints the arguments of an operation. One that takes those of an earlier operation and ids in its path extends them; `printed` has
/// the name of each.
fn arguments(
    out: &mut String,
    printed: &mut BTreeMap<String, String>,
    operation: &Description,
    schemas: &Schemas,
    definitions: &Definitions,
    page: &Map<String, Value>,
) {
    if !has_arguments(operation) {
        return;
    }
    let mut path = String::new();
    for name in operation.path_params {
        let _ = writeln!(path, "  {name}: {};", path_parameter(name, definitions));
    }
    let mut own = String::new();
    let query = resolve(&schemas.query, definitions);
    let all = query["properties"].as_object();
    // Some lists take nothing else.
    let is_page = all.is_some_and(|all| page.iter().all(|(name, one)| all.get(name) == Some(one)));
    for (name, property) in all.into_iter().flatten() {
        let is_shared = is_page && page.contains_key(name);
        if operation.query_params.contains(&name.as_str()) && !is_shared {
            field_doc(&mut own, name, description(property));
            let _ = writeln!(own, "  {name}?: {};", parameter(property));
        }
    }
    if !operation.body_fields.is_empty() {
        properties(&mut own, resolve(&schemas.body, definitions));
    }
    let has_page = is_page || page_group(operation, schemas, definitions).is_some();
    let name = format!("{}Arguments", operation.id);
    let earlier = printed.get(&own).filter(|_| has_page && !own.is_empty());
    let (base, own) = match earlier {
        Some(earlier) => (Some(earlier.clone()), path),
        None => {
            if path.is_empty() {
                printed.insert(own.clone(), name.clone());
            }
            (has_page.then(|| PAGE_ARGUMENTS.to_owned()), path + &own)
        }
    };
    let _ = match (base, own.is_empty()) {
        (Some(base), true) => writeln!(out, "export type {name} = {base};\n"),
        (Some(base), false) => {
            writeln!(out, "export interface {name} extends {base} {{\n{own}}}\n")
        }
        (None, _) => writeln!(out, "export interface {name} {{\n{own}}}\n"),
    };
}

/// The arguments that all lists share.
const PAGE_ARGUMENTS: &str = "PageArguments";

/// The group of query parameters that all lists share, if an operation has it.
fn page_group<'a>(
    operation: &Description,
    schemas: &'a Schemas,
    definitions: &'a Definitions,
) -> Option<&'a Value> {
    let query = resolve(&schemas.query, definitions);
    let all = query["properties"].as_object()?;
    let mut groups = all
        .iter()
        .filter(|(name, _)| !operation.query_params.contains(&name.as_str()));
    groups.next().map(|(_, group)| resolve(group, definitions))
}

/// Prints the arguments that all lists share, and returns them.
fn page_arguments(
    out: &mut String,
    schemas: &BTreeMap<&str, Schemas>,
    definitions: &Definitions,
) -> Map<String, Value> {
    let mut groups = catalogue::CATALOGUE
        .iter()
        .filter_map(|operation| page_group(operation, &schemas[operation.id], definitions));
    let group = groups.next().expect("lists");
    assert!(groups.all(|other| other == group), "lists share one group");
    let shared = group["properties"].as_object().expect("properties");
    doc(out, "", "Arguments of every list.");
    let _ = writeln!(out, "export interface {PAGE_ARGUMENTS} {{");
    for (name, property) in shared {
        field_doc(out, name, description(property));
        let _ = writeln!(out, "  {name}?: {};", parameter(property));
    }
    out.push_str("}\n\n");
    shared.clone()
}

/// TypeScript type of a query parameter; timestamps may also be a `Date`.
fn parameter(schema: &Value) -> String {
    match expression(schema).as_str() {
        "Timestamp" => "Timestamp | Date".to_owned(),
        "Limit" | "PageNumber" => "number".to_owned(),
        "Sort" => "\"asc\" | \"desc\"".to_owned(),
        other => other.to_owned(),
    }
}

fn rooms(out: &mut String, schemas: &BTreeMap<&str, Schemas>, definitions: &Definitions) {
    let mut by_room: BTreeMap<&str, Vec<&Description>> = BTreeMap::new();
    for operation in catalogue::CATALOGUE {
        by_room.entry(operation.room).or_default().push(operation);
    }
    doc(out, "", "Every operation of the service, by room.");
    out.push_str("export interface Rooms {\n");
    for (room, operations) in &by_room {
        let _ = writeln!(out, "  readonly {}: {{", names::room(room));
        for operation in operations {
            let schema = &schemas[operation.id];
            // Without method and path, which the reference has: all types together have at most 200 KB.
            let mut text = operation.summary.to_owned();
            if operation.sandbox {
                text.push_str("\nIn sandbox mode only.");
            }
            if operation.deprecated.is_some() {
                text.push_str("\n@deprecated");
            }
            doc(out, "    ", &text);
            let given = match (
                has_arguments(operation),
                is_required(operation, schema, definitions),
            ) {
                (false, _) => String::new(),
                (true, true) => format!("given: {}Arguments, ", operation.id),
                (true, false) => format!("given?: {}Arguments, ", operation.id),
            };
            let answer = match item(&schema.response, definitions) {
                Some(item) => format!("Listing<{item}>"),
                None => format!("Promise<{}>", expression(&schema.response)),
            };
            let _ = writeln!(
                out,
                "    {}({given}options?: Options): {answer};",
                names::method(operation)
            );
        }
        out.push_str("  };\n");
    }
    out.push_str("}\n\n");

    doc(
        out,
        "",
        "Room, method, operation, and what is passed and answered: `n`othing or `a`rguments, `r`ecord or `l`ist.",
    );
    out.push_str(
        "export const OPERATIONS: readonly (readonly [string, string, string, string])[] = [\n",
    );
    for (room, operations) in &by_room {
        for operation in operations {
            let given = if has_arguments(operation) { 'a' } else { 'n' };
            let pages = operation.wire == Wire::List && operation.query_params.contains(&"page");
            let answer = if pages { 'l' } else { 'r' };
            let _ = writeln!(
                out,
                "  [\"{}\", \"{}\", \"{}\", \"{given}{answer}\"],",
                names::room(room),
                names::method(operation),
                operation.id
            );
        }
    }
    out.push_str("];\n\n");
    let _ = writeln!(out, "export type {{ Page }};\n");
}

/// Types of every call, by operation.
fn calls(out: &mut String, schemas: &BTreeMap<&str, Schemas>, definitions: &Definitions) {
    for (name, kind, query, body) in [
        ("QueryTypes", "no body", "Omit<Given, Path>", "{}"),
        ("BodyTypes", "a body", "{}", "Omit<Given, Path>"),
    ] {
        let text =
            format!("What an operation with {kind} takes and returns, and the names of its path.");
        doc(out, "", &text);
        let _ = writeln!(
            out,
            "export interface {name}<Given, Returned, Path extends keyof Given = never> {{\n  arguments: Given;\n  query: {query};\n  \
             body: {body};\n  returned: Returned;\n}}\n"
        );
    }
    doc(out, "", "The types of each operation.");
    out.push_str("export interface Operations {\n");
    for operation in catalogue::CATALOGUE {
        let schema = &schemas[operation.id];
        let id = operation.id;
        let given = if has_arguments(operation) {
            format!("{id}Arguments")
        } else {
            "{}".to_owned()
        };
        let returned = match item(&schema.response, definitions) {
            Some(item) => format!("Page<{item}>"),
            None => expression(&schema.response),
        };
        let path = operation.path_params.iter();
        let path: Vec<String> = path.map(|name| format!("\"{name}\"")).collect();
        let path = match path.is_empty() {
            true => String::new(),
            false => format!(", {}", path.join(" | ")),
        };
        let types = match (operation.query_params, operation.body_fields) {
            (_, []) => "QueryTypes",
            ([], _) => "BodyTypes",
            _ => panic!("{id} has a query and a body"),
        };
        let _ = writeln!(out, "  {id}: {types}<{given}, {returned}{path}>;");
    }
    out.push_str("}\n\n");
}

/// Types of the values that can be parsed one by one.
fn values(out: &mut String, definitions: &Definitions) {
    doc(out, "", "Values that are parsed one by one.");
    out.push_str("export interface Values {\n");
    for name in definitions.keys().filter(|name| is_branded(name)) {
        let _ = writeln!(out, "  {name}: {name};");
    }
    out.push_str("  AccountKey: string | number;\n  Currency: string;\n  Timestamp: string;\n");
    for name in ["Wallet", "Evm", "Bitcoin", "Tron", "Solana"] {
        let _ = writeln!(out, "  {name}Address: string;");
    }
    out.push_str("}\n");
}

fn is_required(operation: &Description, schemas: &Schemas, definitions: &Definitions) -> bool {
    let body = resolve(&schemas.body, definitions);
    !operation.path_params.is_empty()
        || body["required"]
            .as_array()
            .is_some_and(|required| !required.is_empty())
}
