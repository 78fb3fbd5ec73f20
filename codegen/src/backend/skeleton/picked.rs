//! Variants with rows of their own further inside: the match over what the tag path names, step by
//! step, and the tag path of a message.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{argument_name, decided, needs};
use crate::backend::context::{Context, ident};
use crate::backend::objects::Members;
use crate::ir::{Shape, Type};
use crate::plan::{Case, Pick, PlannedRow, PlannedType};

/// What stands at the ends of the match.
trait Ends {
    /// A row, with the arguments of its method.
    fn row(&self, planned: &PlannedRow, arguments: &TokenStream) -> TokenStream;
    /// What no vendored version has, below a tag path; it is bound to `unrecognized`.
    fn unrecognized(&self, below: &str) -> TokenStream;
    /// Whether what is bound by this name is of use for the row.
    fn uses(&self, planned: &PlannedRow, name: &Ident) -> bool;
}

/// The arm that maps a variant.
pub fn mapped(
    context: &Context<'_>,
    union: &str,
    kind: &TokenStream,
    rows: &[&PlannedRow],
) -> TokenStream {
    arm(context, union, kind, rows, &Mapped)
}

/// The arm that says the tag path of a variant.
pub fn path(
    context: &Context<'_>,
    union: &str,
    kind: &TokenStream,
    rows: &[&PlannedRow],
) -> TokenStream {
    arm(context, union, kind, rows, &Path)
}

/// The names and types of what the method of a row gets: each payload on the way.
pub fn parameters(planned: &PlannedRow) -> Vec<(Ident, &Type)> {
    let mut all: Vec<(Ident, &Type)> = Vec::new();
    all.extend(planned.payload.as_ref().map(|ty| (ident("params"), ty)));
    for pick in &planned.picks {
        let Case::Variant { payload, .. } = &pick.case else {
            continue;
        };
        let name = match &pick.member {
            Some(member) => argument_name(member),
            // The variant takes the place of the union that it is one of.
            None => all.pop().map_or_else(|| ident("params"), |(name, _)| name),
        };
        all.extend(payload.as_ref().map(|ty| (name, ty)));
    }
    all
}

struct Mapped;

impl Ends for Mapped {
    fn row(&self, planned: &PlannedRow, arguments: &TokenStream) -> TokenStream {
        decided(planned, arguments)
    }

    fn unrecognized(&self, below: &str) -> TokenStream {
        quote!(cx.unrecognized_below(SURFACE, #below, unrecognized))
    }

    fn uses(&self, planned: &PlannedRow, name: &Ident) -> bool {
        needs(planned, name)
    }
}

struct Path;

impl Ends for Path {
    fn row(&self, planned: &PlannedRow, _: &TokenStream) -> TokenStream {
        let tag = &planned.tag;
        quote!(Cow::Borrowed(#tag))
    }

    fn unrecognized(&self, below: &str) -> TokenStream {
        let text = format!("{below}:{{}}");
        quote!(Cow::Owned(format!(#text, unrecognized.tag)))
    }

    fn uses(&self, _: &PlannedRow, _: &Ident) -> bool {
        false
    }
}

/// A place in the match: what is bound there, and the rows that lie below it.
struct Place<'r> {
    /// How many steps of the tag paths have been taken.
    depth: usize,
    rows: Vec<&'r PlannedRow>,
    /// What is bound, and the type of it.
    bound: Option<(Ident, &'r Type)>,
    /// The type that holds what is bound.
    owner: &'r str,
    /// What has been bound before, and goes to the method, too.
    outer: TokenStream,
    /// The tag path so far.
    path: &'r str,
}

fn arm(
    context: &Context<'_>,
    union: &str,
    kind: &TokenStream,
    rows: &[&PlannedRow],
    ends: &dyn Ends,
) -> TokenStream {
    let Some(first) = rows.first() else {
        return TokenStream::new();
    };
    let variant = ident(&first.variant);
    let place = Place {
        depth: 0,
        rows: rows.to_vec(),
        bound: first.payload.as_ref().map(|ty| (ident("params"), ty)),
        owner: union,
        outer: TokenStream::new(),
        path: path_of(first, 0),
    };
    let pattern = place.pattern(&quote!(#kind::#variant), ends);
    let body = place.body(context, ends);
    quote!(#pattern => #body,)
}

/// The tag path of a row up to a step: flags follow a `+`, all else a colon.
fn path_of(planned: &PlannedRow, steps: usize) -> &str {
    let mut end = planned.tag.len();
    for _ in steps..planned.picks.len() {
        end = planned
            .tag
            .get(..end)
            .and_then(|text| text.rfind([':', '+']))
            .unwrap_or(end);
    }
    planned.tag.get(..end).unwrap_or(&planned.tag)
}

impl<'r> Place<'r> {
    /// The row that ends here.
    fn own(&self) -> Option<&'r PlannedRow> {
        let ends = self.rows.iter().find(|row| row.picks.len() == self.depth);
        ends.copied()
    }

    /// Rows that go on, with their next step.
    fn deeper(&self) -> Vec<(&'r Pick, &'r PlannedRow)> {
        let rows = self.rows.iter();
        rows.filter_map(|row| Some((row.picks.get(self.depth)?, *row)))
            .collect()
    }

    /// The pattern of the variant that brought us here.
    fn pattern(&self, variant: &TokenStream, ends: &dyn Ends) -> TokenStream {
        let used = |name: &Ident| {
            let own = self.own().is_some_and(|row| ends.uses(row, name));
            own || !self.deeper().is_empty()
        };
        match &self.bound {
            None => variant.clone(),
            Some((name, _)) if used(name) => quote!(#variant(#name)),
            Some(_) => quote!(#variant(_)),
        }
    }

    fn arguments(&self) -> TokenStream {
        let outer = &self.outer;
        let own = self.bound.as_ref().map(|(name, _)| quote!(, #name));
        quote!(#outer #own)
    }

    fn end(&self, planned: &PlannedRow, ends: &dyn Ends) -> TokenStream {
        ends.row(planned, &self.arguments())
    }

    fn body(&self, context: &Context<'_>, ends: &dyn Ends) -> TokenStream {
        let deeper = self.deeper();
        let (Some((pick, _)), Some((name, ty))) = (deeper.first(), &self.bound) else {
            return self
                .own()
                .map(|row| self.end(row, ends))
                .unwrap_or_default();
        };
        let Some(found) = Scrutinee::find(context, pick, name, ty, self.owner) else {
            return TokenStream::new();
        };
        let mut arms = TokenStream::new();
        let mut seen: Vec<&Pick> = Vec::new();
        for (pick, _) in &deeper {
            if seen.contains(pick) {
                continue;
            }
            seen.push(pick);
            let rows = deeper.iter().filter(|(other, _)| other == pick);
            let rows = rows.map(|(_, row)| *row).collect();
            arms.extend(self.case(context, ends, pick, rows, &found));
        }
        let rest = found.absent();
        let own = self.own().map(|row| self.end(row, ends));
        let rest = match &pick.case {
            Case::Text { definition, .. } => {
                let unknown = context.path(definition);
                let unknown = found.wrapped(quote!(#unknown::Unrecognized(_)));
                let rest = rest.into_iter().chain([unknown]);
                quote!(#(#rest)|* => #own,)
            }
            Case::Set => {
                let unset = found.wrapped(quote!(false));
                let rest = rest.into_iter().chain([unset]);
                quote!(#(#rest)|* => #own,)
            }
            Case::Variant { definition, .. } => {
                let union = context.kind_path(definition);
                let pattern = found.wrapped(quote!(#union::Unrecognized(unrecognized)));
                let unrecognized = ends.unrecognized(self.path);
                let absent = (!rest.is_empty()).then(|| quote!(#(#rest)|* => #own,));
                quote!(#absent #pattern => #unrecognized,)
            }
        };
        let scrutinee = &found.expression;
        quote!(match #scrutinee { #arms #rest })
    }

    /// The arms of one step.
    fn case(
        &self,
        context: &Context<'_>,
        ends: &dyn Ends,
        pick: &'r Pick,
        rows: Vec<&'r PlannedRow>,
        found: &Scrutinee,
    ) -> TokenStream {
        let Some(first) = rows.first().copied() else {
            return TokenStream::new();
        };
        let depth = self.depth + 1;
        let path = path_of(first, depth);
        match &pick.case {
            Case::Text { definition, value } => {
                let definition = context.path(definition);
                let value = ident(value);
                let pattern = found.wrapped(quote!(#definition::#value));
                let body = self.end(first, ends);
                quote!(#pattern => #body,)
            }
            Case::Set => {
                let pattern = found.wrapped(quote!(true));
                let body = self.end(first, ends);
                quote!(#pattern => #body,)
            }
            Case::Variant {
                definition,
                variant,
                payload,
            } => {
                let inner = |bound, outer| Place {
                    depth,
                    rows: rows.clone(),
                    bound,
                    owner: definition,
                    outer,
                    path,
                };
                let place = match &pick.member {
                    // The variant takes the place of the union that it is one of.
                    None => inner(
                        payload.as_ref().map(|ty| (ident("params"), ty)),
                        self.outer.clone(),
                    ),
                    Some(member) => inner(
                        payload.as_ref().map(|ty| (argument_name(member), ty)),
                        self.arguments(),
                    ),
                };
                let union = context.kind_path(definition);
                let variant = ident(variant);
                let pattern = found.wrapped(place.pattern(&quote!(#union::#variant), ends));
                let body = place.body(context, ends);
                quote!(#pattern => #body,)
            }
        }
    }
}

/// What a step looks at.
struct Scrutinee {
    expression: TokenStream,
    /// How many options lie around the value.
    options: usize,
}

impl Scrutinee {
    fn find(
        context: &Context<'_>,
        pick: &Pick,
        name: &Ident,
        ty: &Type,
        owner: &str,
    ) -> Option<Self> {
        let Type::Ref(key) = ty else {
            return None;
        };
        let planned = context.plan.types.get(key)?;
        let Some(member) = &pick.member else {
            let common = matches!(&planned.definition.shape, Shape::Tagged { common, .. } if !common.is_empty());
            let owner = context.plan.types.get(owner)?;
            let expression = match (common, context.plan.boxes(owner, ty)) {
                (true, _) => quote!(&#name.kind),
                (false, true) => quote!(&**#name),
                (false, false) => quote!(#name),
            };
            return Some(Self {
                expression,
                options: 0,
            });
        };
        let Shape::Struct(fields) = &planned.definition.shape else {
            return None;
        };
        let members = Members::new(fields);
        let (field, wire) = members.named(member)?;
        let options = if field.patch {
            2
        } else {
            usize::from(!field.required || field.ty.nullable())
        };
        let expression = match (&pick.case, boxed(planned, field.ty.non_null()), options) {
            (_, true, 0) => quote!(&*#name.#wire),
            (_, true, _) => quote!(#name.#wire.as_deref()),
            (Case::Variant { definition, .. }, false, 0) if has_common(context, definition) => {
                quote!(&#name.#wire.kind)
            }
            (Case::Variant { .. } | Case::Text { .. } | Case::Set, false, _) => {
                quote!(&#name.#wire)
            }
        };
        Some(Self {
            expression,
            options,
        })
    }

    fn wrapped(&self, pattern: TokenStream) -> TokenStream {
        (0..self.options).fold(pattern, |pattern, _| quote!(Some(#pattern)))
    }

    /// The patterns of a value that is not there.
    fn absent(&self) -> Vec<TokenStream> {
        let depths = 0..self.options;
        depths
            .map(|depth| (0..depth).fold(quote!(None), |pattern, _| quote!(Some(#pattern))))
            .collect()
    }
}

fn boxed(owner: &PlannedType, ty: &Type) -> bool {
    matches!(ty, Type::Ref(name) if owner.boxed.contains(name))
}

fn has_common(context: &Context<'_>, definition: &str) -> bool {
    context.plan.types.get(definition).is_some_and(|planned| {
        matches!(&planned.definition.shape, Shape::Tagged { common, .. } if !common.is_empty())
    })
}
