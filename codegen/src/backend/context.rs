//! What every back end asks: names, paths and types in code.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::table::{since, wrapped};
use crate::ir::{Field, Integer, Seen, Shape, Type};
use crate::plan::{Case, Plan, PlannedType, kind_name};

/// Names that generated code imports from the runtime.
const RUNTIME: &[&str] = &[
    "Cow",
    "External",
    "Json",
    "JsonKind",
    "Malformed",
    "Map",
    "Object",
    "Range",
    "Reader",
    "Unrecognized",
    "Wire",
    "Writer",
];

const RUNTIME_IMPORTS: &str = "\
use std::borrow::Cow;
use std::ops::Range;
use crate::json::{External, Json, Kind as JsonKind, Malformed, Map, Object, Reader, Unrecognized, Wire, Writer};
use crate::json::{wire_around, wire_envelope, wire_external, wire_message, wire_name};
use crate::json::{wire_struct, wire_text, wire_union};
";

const SKELETON_IMPORTS: &str = "\
use crate::canonical;
use crate::mapping::{Cx, Implied, Out, RowInfo, WireRefs};
";

/// A list of names to import, in as few lines as it needs.
pub fn listed<'n>(head: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    let count = names.len();
    let parts = names.into_iter().enumerate().map(|(index, name)| {
        let before = if index == 0 {
            format!("{head}{{")
        } else {
            String::new()
        };
        let after = if index + 1 == count { "" } else { "," };
        format!("{before}{name}{after}")
    });
    wrapped(0, &parts.collect::<Vec<_>>(), "};")
}

/// The plan, seen from one module.
pub struct Context<'p> {
    /// The plan.
    pub plan: &'p Plan,
    module: &'p str,
    local: BTreeSet<String>,
}

impl<'p> Context<'p> {
    /// Looks at the plan from a module.
    pub fn new(plan: &'p Plan, module: &'p str) -> Self {
        let own = plan
            .types
            .values()
            .filter(|planned| planned.module == module);
        let mut local: BTreeSet<String> = own.flat_map(type_names).collect();
        local.extend(RUNTIME.iter().map(|name| (*name).to_owned()));
        Self {
            plan,
            module,
            local,
        }
    }

    /// Imports for the module: the runtime, and every foreign type that no local name hides.
    pub fn imports(&self, skeleton: bool) -> String {
        let own = self
            .plan
            .types
            .values()
            .filter(|planned| planned.module == self.module);
        let mut used: BTreeSet<String> = own
            .flat_map(|planned| planned.definition.shape.references())
            .collect();
        for surface in self
            .plan
            .surfaces
            .iter()
            .filter(|surface| surface.module == self.module)
        {
            used.insert(surface.union.clone());
            surface
                .rows
                .iter()
                .filter_map(|row| row.payload.as_ref())
                .for_each(|ty| ty.references(&mut used));
            for pick in surface.rows.iter().flat_map(|row| &row.picks) {
                match &pick.case {
                    Case::Text { definition, .. } => drop(used.insert(definition.clone())),
                    Case::Variant {
                        definition,
                        payload,
                        ..
                    } => {
                        used.insert(definition.clone());
                        payload.iter().for_each(|ty| ty.references(&mut used));
                    }
                    Case::Set => (),
                }
            }
        }
        let foreign = used
            .iter()
            .filter_map(|key| self.plan.types.get(key))
            .filter(|planned| self.imported(planned));
        let mut names: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for planned in foreign {
            let module = if planned.namespaced {
                format!("super::{}", planned.module)
            } else {
                String::from("super")
            };
            names.entry(module).or_default().insert(&planned.name);
        }
        let mut text = String::from(RUNTIME_IMPORTS);
        if skeleton {
            text.push_str(SKELETON_IMPORTS);
        }
        for (module, names) in names {
            text.push_str(&listed(&format!("use {module}::"), names));
        }
        text
    }

    fn imported(&self, planned: &PlannedType) -> bool {
        planned.module != self.module && !self.local.contains(&planned.name)
    }

    /// The path of a definition, without lifetime.
    pub fn path(&self, key: &str) -> TokenStream {
        let Some(planned) = self.plan.types.get(key) else {
            // The plan holds whatever a type names; the compiler would name the gap.
            let missing = ident("MissingDefinition");
            return quote!(#missing);
        };
        let name = ident(&planned.name);
        if planned.module == self.module || self.imported(planned) {
            return quote!(#name);
        }
        if planned.namespaced {
            let module = ident(&planned.module);
            return quote!(super::#module::#name);
        }
        quote!(super::#name)
    }

    /// The path of the enum that a union is, which stands beside the struct of its common members
    /// where it has some.
    pub fn kind_path(&self, key: &str) -> TokenStream {
        let Some(planned) = self.plan.types.get(key) else {
            return self.path(key);
        };
        match &planned.definition.shape {
            Shape::Tagged { common, .. } if !common.is_empty() => {
                let name = ident(&kind_name(&planned.name));
                let module = ident(&planned.module);
                match (planned.module == self.module, planned.namespaced) {
                    (true, _) => quote!(#name),
                    (false, true) => quote!(super::#module::#name),
                    (false, false) => quote!(super::#name),
                }
            }
            Shape::Tagged { .. }
            | Shape::Struct(_)
            | Shape::External(_)
            | Shape::Enum(_)
            | Shape::Codes(_)
            | Shape::Untagged(_)
            | Shape::Alias(_) => self.path(key),
        }
    }

    /// The lifetime argument of a definition, where it borrows.
    pub fn lifetime(&self, key: &str, lifetime: &TokenStream) -> Option<TokenStream> {
        self.plan
            .types
            .get(key)
            .is_some_and(|planned| planned.borrows)
            .then(|| quote!(<#lifetime>))
    }

    /// A type as it stands in a definition of `owner`.
    pub fn ty(&self, ty: &Type, owner: Option<&PlannedType>) -> TokenStream {
        match ty {
            Type::Boolean => quote!(bool),
            Type::Integer(width) => integer(*width),
            Type::Float => quote!(f64),
            Type::String => quote!(Cow<'a, str>),
            Type::Json => quote!(Json<'a>),
            Type::List(inner) => {
                let inner = self.ty(inner, None);
                quote!(Vec<#inner>)
            }
            Type::Map(inner) => {
                let inner = self.ty(inner, None);
                quote!(Map<'a, #inner>)
            }
            Type::Nullable(inner) => {
                let inner = self.ty(inner, owner);
                quote!(Option<#inner>)
            }
            Type::Ref(name) => {
                let path = self.path(name);
                let lifetime = self.lifetime(name, &quote!('a));
                if owner.is_some_and(|owner| owner.boxed.contains(name)) {
                    quote!(Box<#path #lifetime>)
                } else {
                    quote!(#path #lifetime)
                }
            }
        }
    }

    /// The type of a field: what may be absent is an option, and `null` is one absence unless
    /// the wire means it.
    pub fn field_type(&self, field: &Field, owner: &PlannedType) -> TokenStream {
        let inner = self.ty(field.ty.non_null(), Some(owner));
        if field.patch {
            quote!(Option<Option<#inner>>)
        } else if field.required && !field.ty.nullable() {
            inner
        } else {
            quote!(Option<#inner>)
        }
    }

    /// The payload of a variant: boxed where it is large.
    pub fn payload(&self, ty: &Type, owner: &PlannedType) -> TokenStream {
        let boxed = self.plan.boxes(owner, ty);
        let inner = self.ty(ty.non_null(), None);
        let inner = if boxed { quote!(Box<#inner>) } else { inner };
        if ty.nullable() {
            quote!(Option<#inner>)
        } else {
            inner
        }
    }

    /// The versions in a few words; nothing where every version of the window has it.
    pub fn since(&self, seen: &Seen) -> Option<String> {
        since(seen, &self.plan.window)
    }

    /// The same where the versions differ from what is around: then all of them are told, too.
    pub fn seen_in(&self, seen: &Seen) -> String {
        self.since(seen)
            .unwrap_or_else(|| String::from("in every version"))
    }

    /// The versions in words.
    pub fn seen(&self, seen: &Seen) -> String {
        seen.describe(&self.plan.window)
    }
}

/// The names in code that a type takes up.
pub fn type_names(planned: &PlannedType) -> Vec<String> {
    match &planned.definition.shape {
        Shape::Tagged { common, .. } if !common.is_empty() => {
            vec![planned.name.clone(), kind_name(&planned.name)]
        }
        Shape::Tagged { .. }
        | Shape::Struct(_)
        | Shape::External(_)
        | Shape::Enum(_)
        | Shape::Codes(_)
        | Shape::Untagged(_)
        | Shape::Alias(_) => vec![planned.name.clone()],
    }
}

/// An identifier; what is no identifier becomes one that the compiler can point at.
pub fn ident(name: &str) -> Ident {
    match syn::parse_str::<Ident>(name) {
        Ok(ident) => ident,
        Err(_) => Ident::new(
            &format!("{name}_").replace(|c: char| !c.is_alphanumeric() && c != '_', "_"),
            Span::call_site(),
        ),
    }
}

fn integer(width: Integer) -> TokenStream {
    match width {
        Integer::U8 => quote!(u8),
        Integer::U16 => quote!(u16),
        Integer::U32 => quote!(u32),
        Integer::U64 => quote!(u64),
        Integer::I16 => quote!(i16),
        Integer::I32 => quote!(i32),
        Integer::I64 => quote!(i64),
    }
}
