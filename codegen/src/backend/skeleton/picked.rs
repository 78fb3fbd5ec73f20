//! The arm of a variant with a row for each value of one of its members.

use proc_macro2::TokenStream;
use quote::quote;

use super::decided;
use crate::backend::context::{Context, ident};
use crate::backend::objects::Members;
use crate::ir::{Shape, Type};
use crate::plan::{Pick, PlannedRow, PlannedSurface};

/// The rows for values of a member of this row's variant.
pub fn rows<'s>(surface: &'s PlannedSurface, row: &PlannedRow) -> Vec<(&'s Pick, &'s PlannedRow)> {
    let same = surface
        .rows
        .iter()
        .filter(|other| other.variant == row.variant);
    same.filter_map(|other| Some((other.pick.as_ref()?, other)))
        .collect()
}

/// The variant's own row takes what has no value, or one that no vendored version has.
pub fn arm(
    context: &Context<'_>,
    kind: &TokenStream,
    planned: &PlannedRow,
    picks: &[(&Pick, &PlannedRow)],
) -> TokenStream {
    let variant = ident(&planned.variant);
    let Some((pick, member, depth)) = place(context, planned, picks) else {
        return TokenStream::new();
    };
    let path = context.path(&pick.definition);
    let argument = quote!(, params);
    let wrapped =
        |pattern: TokenStream| (0..depth).fold(pattern, |pattern, _| quote!(Some(#pattern)));
    let arms = picks.iter().map(|(pick, row)| {
        let value = ident(&pick.value);
        let pattern = wrapped(quote!(#path::#value));
        decided(row, &pattern, &pattern, &argument)
    });
    let absent =
        (0..depth).map(|depth| (0..depth).fold(quote!(None), |pattern, _| quote!(Some(#pattern))));
    let unknown = wrapped(quote!(#path::Unrecognized(_)));
    let rest: Vec<TokenStream> = absent.chain([unknown]).collect();
    let rest = quote!(#(#rest)|*);
    let own = decided(planned, &rest, &rest, &argument);
    quote! {
        #kind::#variant(params) => match &params.#member {
            #(#arms)*
            #own
        },
    }
}

/// The member in code, and how many options lie around its value.
fn place<'r>(
    context: &Context<'_>,
    planned: &PlannedRow,
    picks: &[(&'r Pick, &PlannedRow)],
) -> Option<(&'r Pick, proc_macro2::Ident, usize)> {
    let (pick, _) = picks.first()?;
    let Type::Ref(payload) = planned.payload.as_ref()? else {
        return None;
    };
    let Shape::Struct(fields) = &context.plan.types.get(payload)?.definition.shape else {
        return None;
    };
    let members = Members::new(fields);
    let (field, name) = members.named(&pick.member)?;
    let depth = if field.patch {
        2
    } else {
        usize::from(!field.required || field.ty.nullable())
    };
    Some((*pick, name.clone(), depth))
}
