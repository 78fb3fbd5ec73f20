//! Value surfaces: one function each, total over the members that some version has.

use proc_macro2::TokenStream;
use quote::quote;

use super::context::{Context, ident};
use crate::ir::Shape;
use crate::plan::{Plan, PlannedMember, PlannedValue, Subject, kind_name};

/// All of them.
pub fn items(plan: &Plan) -> TokenStream {
    let context = Context::new(plan, "values");
    let functions = plan.values.iter().map(|value| match &value.subject {
        Subject::Definition(name) => function(&context, value, name),
        Subject::Texts(what) => texts(value, what),
    });
    let functions: TokenStream = functions.collect();
    quote! {
        use crate::canonical;

        #functions
    }
}

fn function(context: &Context<'_>, value: &PlannedValue, definition: &str) -> TokenStream {
    let Some(planned) = context.plan.types.get(definition) else {
        return TokenStream::new();
    };
    let name = ident(&value.function);
    let target = ident(&value.target);
    let common =
        matches!(&planned.definition.shape, Shape::Tagged { common, .. } if !common.is_empty());
    let lifetime = planned.borrows.then(|| quote!(<'_>));
    let path = module_path(planned, &planned.name);
    let kind = if common {
        module_path(planned, &kind_name(&planned.name))
    } else {
        path.clone()
    };
    let scrutinee = if common {
        quote!(&value.kind)
    } else {
        quote!(value)
    };
    let arms = value.members.iter().map(|member| {
        let variant = ident(&member.variant);
        let carried = member.carries.then(|| quote!((_)));
        match &member.target {
            Some(target_member) => {
                let target_member = ident(target_member);
                quote!(#kind::#variant #carried => Some(canonical::#target::#target_member),)
            }
            None => quote!(#kind::#variant #carried => None,),
        }
    });
    let id = &value.id;
    let doc = format!(
        " `{id}` → `{}`; nothing where no vendored version has the value, or its row gives none.",
        value.target
    );
    quote! {
        #[doc = #doc]
        pub fn #name(value: &#path #lifetime) -> Option<canonical::#target> {
            match #scrutinee {
                #(#arms)*
                #kind::Unrecognized(_) => None,
            }
        }
    }
}

/// Texts that no schema lists: whole ones first, then what begins a text, the longest first; that
/// is nothing at all for the last one.
fn texts(value: &PlannedValue, what: &str) -> TokenStream {
    let name = ident(&value.function);
    let target = ident(&value.target);
    let (mut begun, whole): (Vec<&PlannedMember>, Vec<&PlannedMember>) = value
        .members
        .iter()
        .partition(|member| member.variant.ends_with('*'));
    begun.sort_by_key(|member| std::cmp::Reverse(member.variant.len()));
    let meaning = |member: &PlannedMember| match &member.target {
        Some(member) => {
            let member = ident(member);
            quote!(Some(canonical::#target::#member))
        }
        None => quote!(None),
    };
    let whole = whole.into_iter().map(|member| {
        let (text, meaning) = (&member.variant, meaning(member));
        quote!(#text => #meaning,)
    });
    let begun = begun.into_iter().map(|member| {
        let (start, meaning) = (member.variant.trim_end_matches('*'), meaning(member));
        if start.is_empty() {
            quote!(_ => #meaning,)
        } else {
            quote!(_ if text.starts_with(#start) => #meaning,)
        }
    });
    let id = &value.id;
    let doc = format!(
        " `{id}` → `{}`, for {what}; nothing where the row gives none.",
        value.target
    );
    quote! {
        #[doc = #doc]
        pub fn #name(text: &str) -> Option<canonical::#target> {
            match text {
                #(#whole)*
                #(#begun)*
            }
        }
    }
}

fn module_path(planned: &crate::plan::PlannedType, name: &str) -> TokenStream {
    let name = ident(name);
    if planned.namespaced {
        let module = ident(&planned.module);
        quote!(super::#module::#name)
    } else {
        quote!(super::#name)
    }
}
