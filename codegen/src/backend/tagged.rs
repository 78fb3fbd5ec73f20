//! Unions that a member of the object picks; members beside the union become a struct around it.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::context::{Context, ident};
use super::objects::{Members, Reading};
use super::texts::variant_names;
use crate::ir::{Fields, Variant};
use crate::plan::{PlannedType, kind_name};

/// The union, and the struct around it where there are common members.
pub fn item(
    context: &Context<'_>,
    planned: &PlannedType,
    tag: &str,
    common: &Fields,
    variants: &BTreeMap<String, Variant>,
) -> TokenStream {
    if common.is_empty() {
        return kind(context, planned, &planned.name, tag, variants);
    }
    let enum_name = kind_name(&planned.name);
    let union = kind(context, planned, &enum_name, tag, variants);
    let name = ident(&planned.name);
    let enum_ident = ident(&enum_name);
    let doc = format!(
        " Members common to every variant, and the variant. Seen in {}.",
        context.seen(&planned.definition.seen)
    );
    let members = Members::common(common);
    let declarations = members.declarations(context, planned);
    let Reading { slots, arms, build } = members.reading();
    let writes = members.writes();
    let names = members.idents();
    let key = members.free("key");
    let object = members.free("object");
    let reader = members.free("reader");
    quote! {
        #[doc = #doc]
        #[derive(Clone, Debug, PartialEq)]
        pub struct #name<'a> {
            #declarations
            /// The variant.
            pub kind: #enum_ident<'a>,
        }

        impl<'a> Wire<'a> for #name<'a> {
            fn read(#reader: &mut Reader<'a>) -> Result<Self, Malformed> {
                let (#(#names,)*) = #reader.ahead(|#reader| {
                    #slots
                    let mut #object = #reader.object()?;
                    while let Some(#key) = #reader.key(&mut #object)? {
                        match &*#key {
                            #arms
                            _ => #reader.skip()?,
                        }
                    }
                    #build
                    Ok((#(#names,)*))
                })?;
                let kind = #enum_ident::read(#reader)?;
                Ok(Self { #(#names,)* kind })
            }

            fn write(&self, writer: &mut Writer) {
                if let #enum_ident::Unrecognized(unrecognized) = &self.kind {
                    return writer.raw(unrecognized.raw.as_str());
                }
                let mut object = writer.object();
                #writes
                object.inline(&self.kind);
                object.end();
            }
        }

        crate::json::serde_bridge!(#name<'a>);

        #union
    }
}

fn kind(
    context: &Context<'_>,
    planned: &PlannedType,
    name: &str,
    tag: &str,
    variants: &BTreeMap<String, Variant>,
) -> TokenStream {
    let label = name;
    let name = ident(name);
    let named = variant_names(variants.keys());
    let doc = format!(
        " Picked by `{tag}`. Seen in {}.",
        context.seen(&planned.definition.seen)
    );
    let declarations = declarations(context, planned, variants, &named);
    let reads = variants.iter().map(|(wire, variant)| {
        let ident = ident(&named[wire]);
        match &variant.payload {
            None => quote!(#wire => { reader.skip()?; Self::#ident }),
            Some(_) => quote!(#wire => Self::#ident(Wire::read(reader)?),),
        }
    });
    let writes = variants.iter().map(|(wire, variant)| {
        let ident = ident(&named[wire]);
        match (&variant.payload, variant.tag_inside) {
            (None, _) => quote!(Self::#ident => object.tag(#tag, #wire),),
            (Some(_), true) => quote!(Self::#ident(payload) => object.inline(payload),),
            (Some(_), false) => quote! {
                Self::#ident(payload) => {
                    object.tag(#tag, #wire);
                    object.inline(payload);
                }
            },
        }
    });
    let tags = tag_method(variants, &named);
    quote! {
        #[doc = #doc]
        #[derive(Clone, Debug, PartialEq)]
        pub enum #name<'a> { #declarations }

        impl #name<'_> { #tags }

        impl<'a> Wire<'a> for #name<'a> {
            fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
                let tag = reader.tag(#tag)?;
                Ok(match &*tag {
                    #(#reads)*
                    _ => Self::Unrecognized(reader.unrecognized(#label, tag)?),
                })
            }

            fn write(&self, writer: &mut Writer) {
                if let Self::Unrecognized(unrecognized) = self {
                    return writer.raw(unrecognized.raw.as_str());
                }
                let mut object = writer.object();
                match self {
                    #(#writes)*
                    Self::Unrecognized(_) => (),
                }
                object.end();
            }
        }

        crate::json::serde_bridge!(#name<'a>);
    }
}

/// The variants of an enum, `Unrecognized` last.
pub fn declarations(
    context: &Context<'_>,
    planned: &PlannedType,
    variants: &BTreeMap<String, Variant>,
    named: &BTreeMap<String, String>,
) -> TokenStream {
    let declared = variants.iter().map(|(wire, variant)| {
        let ident = ident(&named[wire]);
        let facts = format!(" `{wire}`, seen in {}.", context.seen(&variant.seen));
        match &variant.payload {
            None => quote!(#[doc = #facts] #ident,),
            Some(ty) => {
                let payload = context.payload(ty, planned);
                quote!(#[doc = #facts] #ident(#payload),)
            }
        }
    });
    quote! {
        #(#declared)*
        /// A tag that no vendored version has, with the untouched value.
        Unrecognized(Unrecognized<'a>),
    }
}

/// The method that gives the wire tag.
pub fn tag_method(
    variants: &BTreeMap<String, Variant>,
    named: &BTreeMap<String, String>,
) -> TokenStream {
    let arms = variants.iter().map(|(wire, variant)| {
        let ident: Ident = ident(&named[wire]);
        match variant.payload {
            None => quote!(Self::#ident => #wire,),
            Some(_) => quote!(Self::#ident(_) => #wire,),
        }
    });
    quote! {
        /// The tag on the wire.
        pub fn tag(&self) -> &str {
            match self {
                #(#arms)*
                Self::Unrecognized(unrecognized) => &unrecognized.tag,
            }
        }
    }
}
