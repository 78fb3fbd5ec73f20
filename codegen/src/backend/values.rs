//! Value surfaces: one function each, total over the members that some version has.

use proc_macro2::TokenStream;
use quote::quote;

use super::context::{Context, ident};
use crate::ir::Shape;
use crate::plan::{Plan, PlannedValue, kind_name};

/// All of them.
pub fn items(plan: &Plan) -> TokenStream {
    let context = Context::new(plan, "values");
    let functions = plan.values.iter().map(|value| function(&context, value));
    let functions: TokenStream = functions.collect();
    quote! {
        use crate::canonical;

        #functions
    }
}

fn function(context: &Context<'_>, value: &PlannedValue) -> TokenStream {
    let Some(planned) = context.plan.types.get(&value.definition) else {
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

fn module_path(planned: &crate::plan::PlannedType, name: &str) -> TokenStream {
    let name = ident(name);
    if planned.namespaced {
        let module = ident(&planned.module);
        quote!(super::#module::#name)
    } else {
        quote!(super::#name)
    }
}
