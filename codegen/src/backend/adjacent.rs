//! Unions whose payload lies in a member of its own, as with `method` and `params`.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use super::context::{Context, ident};
use super::objects::{Members, Reading};
use super::tagged::{declarations, tag_method};
use super::texts::variant_names;
use crate::ir::{Fields, Type, Variant};
use crate::plan::{PlannedType, kind_name};

/// The union, and the struct around it where there are common members.
pub fn item(
    context: &Context<'_>,
    planned: &PlannedType,
    tag: &str,
    content: &str,
    common: &Fields,
    variants: &BTreeMap<String, Variant>,
) -> TokenStream {
    let named = variant_names(variants.keys());
    let bare = common.is_empty();
    let enum_name = if bare {
        planned.name.clone()
    } else {
        kind_name(&planned.name)
    };
    let name = ident(&enum_name);
    let doc = format!(
        " Picked by `{tag}`, carried in `{content}`. Seen in {}.",
        context.seen(&planned.definition.seen)
    );
    let declared = declarations(context, planned, variants, &named);
    let tags = tag_method(variants, &named);
    let content_methods = content_methods(&enum_name, content, variants, &named);
    let wire = match (planned.results, bare) {
        // A reply does not say its method, so it can't be read from itself alone.
        (true, _) => TokenStream::new(),
        (false, true) => bare_wire(&name, tag, content),
        (false, false) => around(context, planned, tag, content, common),
    };
    quote! {
        #[doc = #doc]
        #[derive(Clone, Debug, PartialEq)]
        pub enum #name<'a> { #declared }

        impl<'a> #name<'a> {
            #tags
            #content_methods
        }

        #wire
    }
}

fn content_methods(
    label: &str,
    content: &str,
    variants: &BTreeMap<String, Variant>,
    named: &BTreeMap<String, String>,
) -> TokenStream {
    let reads = variants.iter().map(|(wire, variant)| {
        let ident = ident(&named[wire]);
        match &variant.payload {
            None => quote!(#wire => Self::#ident,),
            Some(Type::Nullable(_)) => quote! {
                #wire if content.is_none() => Self::#ident(None),
                #wire => Self::#ident(reader.content(object, content, #content)?),
            },
            Some(_) => quote!(#wire => Self::#ident(reader.content(object, content, #content)?),),
        }
    });
    let writes = variants.iter().map(|(wire, variant)| {
        let ident = ident(&named[wire]);
        match &variant.payload {
            None => quote!(Self::#ident => (),),
            Some(Type::Nullable(_)) => {
                quote!(Self::#ident(payload) => object.optional(#content, payload),)
            }
            Some(_) => quote!(Self::#ident(payload) => object.field(#content, payload),),
        }
    });
    quote! {
        /// Decodes the payload of `tag` from the range where it lies.
        pub fn read_content(
            reader: &mut Reader<'a>,
            object: &Object,
            tag: Cow<'a, str>,
            content: Option<Range<usize>>,
        ) -> Result<Self, Malformed> {
            Ok(match &*tag {
                #(#reads)*
                _ => Self::Unrecognized(reader.unrecognized_content(#label, tag, content)?),
            })
        }

        /// Writes the payload as a member of the open object.
        pub fn write_content(&self, object: &mut crate::json::ObjectWriter<'_>) {
            match self {
                #(#writes)*
                Self::Unrecognized(unrecognized) => object.field(#content, &unrecognized.raw),
            }
        }
    }
}

fn bare_wire(name: &proc_macro2::Ident, tag: &str, content: &str) -> TokenStream {
    quote! {
        impl<'a> Wire<'a> for #name<'a> {
            fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
                let mut tag = None;
                let mut content = None;
                let mut object = reader.object()?;
                while let Some(key) = reader.key(&mut object)? {
                    match &*key {
                        #tag => reader.field(&mut tag)?,
                        #content => reader.noted_span(&mut content)?,
                        _ => reader.skip()?,
                    }
                }
                let tag = object.required(tag, #tag)?;
                Self::read_content(reader, &object, tag, content)
            }

            fn write(&self, writer: &mut Writer) {
                let mut object = writer.object();
                object.tag(#tag, self.tag());
                self.write_content(&mut object);
                object.end();
            }
        }

        crate::json::serde_bridge!(#name<'a>);
    }
}

fn around(
    context: &Context<'_>,
    planned: &PlannedType,
    tag: &str,
    content: &str,
    common: &Fields,
) -> TokenStream {
    let name = ident(&planned.name);
    let enum_ident = ident(&kind_name(&planned.name));
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
    let tag_slot = members.free("tag");
    let content_slot = members.free("content");
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
                let mut #tag_slot = None;
                let mut #content_slot = None;
                #slots
                let mut #object = #reader.object()?;
                while let Some(#key) = #reader.key(&mut #object)? {
                    match &*#key {
                        #tag => #reader.field(&mut #tag_slot)?,
                        #content => #reader.noted_span(&mut #content_slot)?,
                        #arms
                        _ => #reader.skip()?,
                    }
                }
                #build
                let #tag_slot = #object.required(#tag_slot, #tag)?;
                let kind = #enum_ident::read_content(#reader, &#object, #tag_slot, #content_slot)?;
                Ok(Self { #(#names,)* kind })
            }

            fn write(&self, writer: &mut Writer) {
                let mut object = writer.object();
                object.tag(#tag, self.kind.tag());
                self.kind.write_content(&mut object);
                #writes
                object.end();
            }
        }

        crate::json::serde_bridge!(#name<'a>);
    }
}
