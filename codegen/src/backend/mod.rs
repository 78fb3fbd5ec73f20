//! Back ends: from the plan to files. Types are tables, printed line by line; other code is printed
//! from tokens.

mod adjacent;
mod codes;
mod context;
pub mod lifecycle;
mod lift;
mod objects;
mod projection;
mod rows;
mod seal;
mod set;
mod skeleton;
mod syntax;
mod table;
mod tagged;
mod texts;
mod untagged;
mod values;

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::Shape;
use crate::names;
use crate::plan::{Plan, PlannedSurface, PlannedType};
use context::{Context, ident};
use proc_macro2::TokenStream;

pub use projection::files as projection_files;
pub use seal::seal;
pub use syntax::broken;

/// The folder of everything that is generated, from the root of the repository.
pub const FOLDER: &str = "contracts/src/generated";

/// All files of one provider, by path from the root of the repository.
pub fn files(plan: &Plan) -> BTreeMap<String, String> {
    let mut modules: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (key, planned) in &plan.types {
        modules.entry(&planned.module).or_default().insert(key);
    }
    for surface in &plan.surfaces {
        modules.entry(&surface.module).or_default();
    }
    let mut files = BTreeMap::new();
    let folder = format!("{FOLDER}/{}", names::field(&plan.provider));
    for (module, keys) in &modules {
        let context = Context::new(plan, module);
        let types: Vec<String> = keys
            .iter()
            .filter_map(|key| plan.types.get(*key))
            .map(|planned| declared(&context, planned))
            .collect();
        let own = |surface: &&PlannedSurface| surface.module == *module;
        let surfaces = plan.surfaces.iter().filter(own);
        let with_rows = plan.surfaces.iter().any(|surface| own(&surface));
        let skeletons: Vec<String> = surfaces
            .map(|surface| {
                rows::table(&context, surface) + "\n" + &pretty(skeleton::item(&context, surface))
            })
            .collect();
        let title = format!("{} of {}", title(module, with_rows), plan.provider);
        let body = [
            context.imports(with_rows),
            types.concat(),
            skeletons.concat(),
        ];
        let text = file(&title, &body.join("\n"));
        files.insert(format!("{folder}/{module}.rs"), text);
    }
    if !plan.values.is_empty() {
        files.insert(
            format!("{folder}/values.rs"),
            print(
                &format!("Value surfaces of {}", plan.provider),
                values::items(plan),
            ),
        );
    }
    files.insert(
        format!("{folder}/mod.rs"),
        file(
            &format!("Wire types of {}", plan.provider),
            &root(plan, modules.keys().copied()),
        ),
    );
    files
}

fn title(module: &str, surface: bool) -> String {
    match (module, surface) {
        ("types", _) => String::from("Shared types"),
        (other, true) => format!("The surface `{other}`"),
        (other, false) => format!("The types of `{other}`"),
    }
}

/// The declaration of a type.
fn declared(context: &Context<'_>, planned: &PlannedType) -> String {
    match &planned.definition.shape {
        Shape::Struct(fields) => objects::item(context, planned, fields),
        Shape::Alias(ty) => texts::alias(context, planned, ty),
        Shape::Enum(values) => texts::item(context, planned, values),
        Shape::Codes(values) => pretty(codes::item(context, planned, values)),
        Shape::External(variants) => untagged::external(context, planned, variants),
        Shape::Untagged(arms) => pretty(untagged::item(context, planned, arms)),
        Shape::Tagged {
            tag,
            content: None,
            common,
            variants,
        } => tagged::item(context, planned, tag, common, variants),
        Shape::Tagged {
            tag,
            content: Some(content),
            common,
            variants,
        } => adjacent::item(context, planned, tag, content, common, variants),
    }
}

/// The provider's root module: every name that is in no namespace, whatever module holds it.
fn root<'a>(plan: &Plan, modules: impl Iterator<Item = &'a str>) -> String {
    let with_rows: BTreeSet<&str> = plan
        .surfaces
        .iter()
        .map(|surface| surface.module.as_str())
        .collect();
    let namespaces: BTreeSet<&str> = plan
        .types
        .values()
        .filter(|planned| planned.namespaced)
        .map(|planned| planned.module.as_str())
        .collect();
    let mut text = String::new();
    for module in modules {
        let exported: Vec<String> = plan
            .types
            .values()
            .filter(|planned| planned.module == module && !planned.namespaced)
            .flat_map(context::type_names)
            .collect();
        let public = with_rows.contains(module) || namespaces.contains(module);
        let visibility = if public { "pub " } else { "" };
        text.push_str(&format!("{visibility}mod {};\n", ident(module)));
        if !exported.is_empty() {
            let names = exported.iter().map(String::as_str);
            let head = format!("pub use {}::", ident(module));
            text.push_str(&context::listed(&head, names));
        }
    }
    if !plan.values.is_empty() {
        text.push_str("pub mod values;\n");
    }
    let window: Vec<String> = plan.window.iter().map(|it| format!("{it:?},")).collect();
    text.push_str("\n/// The vendored versions that these types are made from, oldest first.\n");
    let head = [String::from("pub const WINDOW: &[&str] = &[")];
    text.push_str(&table::wrapped(0, &[&head[..], &window].concat(), "];"));
    text.push_str("\n/// The surfaces, with their rows.\n");
    text.push_str("pub const SURFACES: &[crate::mapping::Surface] = &[\n");
    for surface in &plan.surfaces {
        let module = ident(&surface.module);
        text.push_str(&format!("    crate::mapping::Surface::of({module}::SURFACE, {module}::ROWS, {module}::IMPLIED),\n"));
    }
    text.push_str("];\n");
    text
}

/// The text of a file that is made of tokens alone.
pub(crate) fn print(title: &str, tokens: TokenStream) -> String {
    file(title, &pretty(tokens))
}

/// The text of a file, with the line that says where it comes from.
fn file(title: &str, body: &str) -> String {
    let head = format!(
        "//! {title}. @generated by `cargo xtask regen`; edit the schemas, the rows or the generator.\n"
    );
    let text = format!("{head}\n{body}");
    let lines = text.lines().map(|line| table::paragraph(line) + "\n");
    lines.collect()
}

/// Tokens as people would write them. Those that are no Rust stay as they are: [`broken`] tells.
fn pretty(tokens: TokenStream) -> String {
    match syn::parse2::<syn::File>(tokens.clone()) {
        Ok(file) => prettyplease::unparse(&file),
        Err(_) => tokens.to_string(),
    }
}
