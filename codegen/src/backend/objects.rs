//! Structs: an object with known members, its decoder and its encoder.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::context::{Context, generics, ident};
use crate::ir::{Field, Fields};
use crate::names;
use crate::plan::PlannedType;

/// The struct of a definition.
pub fn item(context: &Context<'_>, planned: &PlannedType, fields: &Fields) -> TokenStream {
    let name = ident(&planned.name);
    let generics = generics(planned);
    let doc = format!(" Seen in {}.", context.seen(&planned.definition.seen));
    let members = Members::new(fields);
    let declarations = members.declarations(context, planned);
    let Reading { slots, arms, build } = members.reading();
    let writes = members.writes();
    let names = members.idents();
    let key = members.free("key");
    let object = members.free("object");
    let reader = members.free("reader");
    let write = if fields.is_empty() {
        quote!(writer.object().end();)
    } else {
        quote! {
            let mut object = writer.object();
            #writes
            object.end();
        }
    };
    quote! {
        #[doc = #doc]
        #[derive(Clone, Debug, PartialEq)]
        pub struct #name #generics { #declarations }

        impl<'a> Wire<'a> for #name #generics {
            fn read(#reader: &mut Reader<'a>) -> Result<Self, Malformed> {
                #slots
                let mut #object = #reader.object()?;
                while let Some(#key) = #reader.key(&mut #object)? {
                    match &*#key {
                        #arms
                        _ => #reader.skip()?,
                    }
                }
                #build
                Ok(Self { #(#names),* })
            }

            fn write(&self, writer: &mut Writer) {
                #write
            }
        }

        crate::json::serde_bridge!(#name #generics);
    }
}

/// The members of an object, with their names in code.
pub struct Members<'f> {
    fields: Vec<(&'f String, &'f Field, Ident)>,
    /// Members that always have one text: they are written and not kept.
    constants: Vec<(&'f String, &'f String)>,
}

/// The three parts of reading members.
pub struct Reading {
    /// One variable a member.
    pub slots: TokenStream,
    /// One arm a member.
    pub arms: TokenStream,
    /// What must be there is asked for.
    pub build: TokenStream,
}

impl<'f> Members<'f> {
    /// Names the members. That there are such names, the plan has made sure.
    pub fn new(fields: &'f Fields) -> Self {
        let wires: Vec<&str> = fields.keys().map(String::as_str).collect();
        let named = names::fields(&wires).unwrap_or_default();
        let constants = fields
            .iter()
            .filter_map(|(wire, field)| Some((wire, field.constant.as_ref()?)))
            .collect();
        let fields = fields
            .iter()
            .filter(|(_, field)| field.constant.is_none())
            .map(|(wire, field)| {
                (
                    wire,
                    field,
                    ident(named.get(wire).map_or("field", String::as_str)),
                )
            })
            .collect();
        Self { fields, constants }
    }

    /// Names the members beside a union, whose variant is the member `kind` of the same struct.
    pub fn common(fields: &'f Fields) -> Self {
        let mut members = Self::new(fields);
        for (_, _, name) in &mut members.fields {
            if name == "kind" {
                *name = ident("kind_");
            }
        }
        members
    }

    /// The member that is called `wire`, with its name in code.
    pub fn named(&self, wire: &str) -> Option<(&'f Field, &Ident)> {
        self.fields
            .iter()
            .find(|(known, _, _)| *known == wire)
            .map(|(_, field, name)| (*field, name))
    }

    /// The members as identifiers.
    pub fn idents(&self) -> Vec<&Ident> {
        self.fields.iter().map(|(_, _, name)| name).collect()
    }

    /// A name for a helper that no member has.
    pub fn free(&self, name: &str) -> Ident {
        let taken = self.fields.iter().any(|(_, _, member)| member == name);
        if taken {
            ident(&format!("{name}_"))
        } else {
            ident(name)
        }
    }

    /// The members of the struct.
    pub fn declarations(&self, context: &Context<'_>, owner: &PlannedType) -> TokenStream {
        let members = self.fields.iter().map(|(wire, field, name)| {
            let ty = context.field_type(field, owner);
            let mut facts = format!(" `{wire}`");
            if field.seen != owner.definition.seen {
                facts.push_str(&format!(", seen in {}", context.seen(&field.seen)));
            }
            if let Some(default) = &field.default {
                facts.push_str(&format!("; absent means `{default}`"));
            }
            if field.patch {
                facts.push_str("; absent and `null` are told apart");
            }
            facts.push('.');
            quote!(#[doc = #facts] pub #name: #ty,)
        });
        members.collect()
    }

    /// Reading, in three parts.
    pub fn reading(&self) -> Reading {
        let reader = self.free("reader");
        let slots = self
            .fields
            .iter()
            .map(|(_, _, name)| quote!(let mut #name = None;));
        let arms = self.fields.iter().map(|(wire, field, name)| {
            if field.patch {
                quote!(#wire => #reader.patch(&mut #name)?,)
            } else if field.required {
                quote!(#wire => #reader.field(&mut #name)?,)
            } else {
                quote!(#wire => #reader.optional(&mut #name)?,)
            }
        });
        let object = self.free("object");
        let build = self
            .fields
            .iter()
            .filter(|(_, field, _)| field.required && !field.patch)
            .map(|(wire, _, name)| quote!(let #name = #object.required(#name, #wire)?;));
        Reading {
            slots: slots.collect(),
            arms: arms.collect(),
            build: build.collect(),
        }
    }

    /// Writing into the open `object`.
    pub fn writes(&self) -> TokenStream {
        let constants = self
            .constants
            .iter()
            .map(|(wire, text)| quote!(object.tag(#wire, #text);));
        let writes = self.fields.iter().map(|(wire, field, name)| {
            if field.patch {
                quote!(object.patch(#wire, &self.#name);)
            } else if field.required {
                quote!(object.field(#wire, &self.#name);)
            } else {
                quote!(object.optional(#wire, &self.#name);)
            }
        });
        constants.chain(writes).collect()
    }
}
