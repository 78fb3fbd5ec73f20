//! Back ends: from the plan to files. Code is printed from tokens, never repaired as text.

mod adjacent;
mod codes;
mod context;
pub mod lifecycle;
mod lift;
mod objects;
mod projection;
mod seal;
mod skeleton;
mod tagged;
mod texts;
mod untagged;
mod values;

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::Shape;
use crate::names;
use crate::plan::Plan;
use context::{Context, ident};

pub use projection::files as projection_files;
pub use seal::seal;

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
        let types =
            keys.iter()
                .filter_map(|key| plan.types.get(*key))
                .map(|planned| match &planned.definition.shape {
                    Shape::Struct(fields) => objects::item(&context, planned, fields),
                    Shape::Alias(ty) => texts::alias(&context, planned, ty),
                    Shape::Enum(values) => texts::item(&context, planned, values),
                    Shape::Codes(values) => codes::item(&context, planned, values),
                    Shape::External(variants) => untagged::external(&context, planned, variants),
                    Shape::Untagged(arms) => untagged::item(&context, planned, arms),
                    Shape::Tagged {
                        tag,
                        content: None,
                        common,
                        variants,
                    } => tagged::item(&context, planned, tag, common, variants),
                    Shape::Tagged {
                        tag,
                        content: Some(content),
                        common,
                        variants,
                    } => adjacent::item(&context, planned, tag, content, common, variants),
                });
        let types: TokenStream = types.collect();
        let skeletons = plan
            .surfaces
            .iter()
            .filter(|surface| surface.module == *module);
        let skeletons: TokenStream = skeletons
            .map(|surface| skeleton::item(&context, surface))
            .collect();
        let imports = context.imports(!skeletons.is_empty());
        let surface = plan
            .surfaces
            .iter()
            .any(|surface| surface.module == *module);
        let title = format!("{} of {}", title(module, surface), plan.provider);
        let text = print(&title, quote!(#imports #types #skeletons));
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
        print(
            &format!("Wire types of {}", plan.provider),
            root(plan, modules.keys().copied()),
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

/// The provider's root module: every name that is in no namespace, whatever module holds it.
fn root<'a>(plan: &Plan, modules: impl Iterator<Item = &'a str>) -> TokenStream {
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
    let declarations = modules.map(|module| {
        let name = ident(module);
        let public = with_rows.contains(module) || namespaces.contains(module);
        let exported: Vec<_> = plan
            .types
            .values()
            .filter(|planned| planned.module == module && !planned.namespaced)
            .flat_map(context::type_names)
            .map(|name| ident(&name))
            .collect();
        let visibility = public.then(|| quote!(pub));
        let exports = (!exported.is_empty()).then(|| quote!(pub use #name::{#(#exported),*};));
        quote!(#visibility mod #name; #exports)
    });
    let declarations: TokenStream = declarations.collect();
    let values = (!plan.values.is_empty()).then(|| {
        quote!(
            pub mod values;
        )
    });
    let window = &plan.window;
    let surfaces = plan.surfaces.iter().map(|surface| {
        let module = ident(&surface.module);
        quote!(crate::mapping::Surface {
            id: #module::SURFACE,
            rows: #module::ROWS,
            implied: #module::IMPLIED,
        })
    });
    quote! {
        #declarations
        #values
        /// The vendored versions that these types are made from, oldest first.
        pub const WINDOW: &[&str] = &[#(#window),*];
        /// The surfaces, with their rows.
        pub const SURFACES: &[crate::mapping::Surface] = &[#(#surfaces),*];
    }
}

/// The text of a file, with the line that says where it comes from.
pub(crate) fn print(title: &str, tokens: TokenStream) -> String {
    let body = match syn::parse2::<syn::File>(tokens.clone()) {
        Ok(file) => prettyplease::unparse(&file),
        // Only an error in a back end gets here; the compiler then names it in the output.
        Err(error) => format!("compile_error!({:?});\n/* {tokens} */\n", error.to_string()),
    };
    format!(
        "//! {title}. @generated by `cargo xtask regen`; edit the schemas, the rows or the generator.\n\n{body}"
    )
}
