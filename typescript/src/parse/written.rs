//! Types as they are written, from the parser's form to ours.

use std::rc::Rc;

use oxc_ast::ast::{
    FormalParameters, Function, PropertyKey, TSImportTypeQualifier, TSLiteral,
    TSMappedTypeModifierOperator, TSMethodSignatureKind, TSSignature, TSTupleElement, TSType,
    TSTypeAnnotation, TSTypeName, TSTypeOperatorOperator, TSTypeParameterInstantiation,
    TSTypeQueryExprName,
};
use oxc_span::GetSpan;

use super::{negated, number_text};
use crate::syntax::{
    Conditional, Element, Form, Keyword, Literal, Mapped, Member, Node, Signature,
};

pub(super) fn arguments(given: Option<&TSTypeParameterInstantiation<'_>>) -> Vec<Node> {
    given
        .into_iter()
        .flat_map(|given| &given.params)
        .map(node)
        .collect()
}

pub(super) fn keyword(at: u32, keyword: Keyword) -> Node {
    Node {
        at,
        form: Form::Keyword(keyword),
    }
}

pub(super) fn annotated(annotation: &TSTypeAnnotation<'_>) -> Node {
    node(&annotation.type_annotation)
}

/// The type that is annotated, or any.
fn annotated_or_any(at: u32, annotation: Option<&TSTypeAnnotation<'_>>) -> Node {
    annotation.map_or_else(|| keyword(at, Keyword::Any), annotated)
}

/// A type as it is written. Every form of the parser stands here.
pub(super) fn node(ty: &TSType<'_>) -> Node {
    let form = match ty {
        TSType::TSAnyKeyword(_) => Form::Keyword(Keyword::Any),
        TSType::TSBigIntKeyword(_) => Form::Keyword(Keyword::BigInt),
        TSType::TSBooleanKeyword(_) => Form::Keyword(Keyword::Boolean),
        TSType::TSNeverKeyword(_) => Form::Keyword(Keyword::Never),
        TSType::TSNullKeyword(_) => Form::Keyword(Keyword::Null),
        TSType::TSNumberKeyword(_) => Form::Keyword(Keyword::Number),
        TSType::TSObjectKeyword(_) => Form::Keyword(Keyword::Object),
        TSType::TSStringKeyword(_) => Form::Keyword(Keyword::String),
        TSType::TSSymbolKeyword(_) => Form::Keyword(Keyword::Symbol),
        TSType::TSUndefinedKeyword(_) | TSType::TSVoidKeyword(_) => {
            Form::Keyword(Keyword::Undefined)
        }
        TSType::TSUnknownKeyword(_) => Form::Keyword(Keyword::Unknown),
        TSType::TSArrayType(array) => Form::Array(Box::new(node(&array.element_type))),
        TSType::TSConditionalType(parts) => Form::Conditional(Box::new(Conditional {
            check: node(&parts.check_type),
            extends: node(&parts.extends_type),
            then: node(&parts.true_type),
            otherwise: node(&parts.false_type),
        })),
        TSType::TSFunctionType(function) => {
            let result = annotated(&function.return_type);
            Form::Function(Rc::new(Signature {
                arguments: formal(&function.params),
                result,
            }))
        }
        TSType::TSImportType(import) => {
            let name = import.qualifier.as_ref().map(qualifier).unwrap_or_default();
            Form::Import(
                import.source.value.to_string(),
                name,
                arguments(import.type_arguments.as_deref()),
            )
        }
        TSType::TSIndexedAccessType(access) => Form::Index(
            Box::new(node(&access.object_type)),
            Box::new(node(&access.index_type)),
        ),
        TSType::TSInferType(infer) if infer.type_parameter.constraint.is_some() => {
            Form::Unsupported("a constrained infer")
        }
        TSType::TSInferType(infer) => Form::Infer(infer.type_parameter.name.name.to_string()),
        TSType::TSIntersectionType(all) => Form::Intersection(all.types.iter().map(node).collect()),
        TSType::TSLiteralType(literal) => literal_form(&literal.literal),
        TSType::TSMappedType(mapped) => Form::Mapped(Box::new(Mapped {
            key: mapped.key.name.to_string(),
            constraint: node(&mapped.constraint),
            renamed: mapped.name_type.as_ref().map(node),
            value: mapped
                .type_annotation
                .as_ref()
                .map_or_else(|| keyword(mapped.span.start, Keyword::Any), node),
            optional: mapped.optional.map(|modifier| match modifier {
                TSMappedTypeModifierOperator::True | TSMappedTypeModifierOperator::Plus => true,
                TSMappedTypeModifierOperator::Minus => false,
            }),
        })),
        TSType::TSNamedTupleMember(member) => return element(&member.element_type).node,
        TSType::TSTemplateLiteralType(template) => {
            let texts = template
                .quasis
                .iter()
                .map(|part| part.value.cooked.unwrap_or(part.value.raw).to_string());
            Form::Template(texts.collect(), template.types.iter().map(node).collect())
        }
        TSType::TSTupleType(tuple) => {
            Form::Tuple(tuple.element_types.iter().map(element).collect())
        }
        TSType::TSTypeLiteral(object) => Form::Object(members(&object.members)),
        TSType::TSTypeOperatorType(operator) => match operator.operator {
            TSTypeOperatorOperator::Keyof => Form::KeyOf(Box::new(node(&operator.type_annotation))),
            TSTypeOperatorOperator::Unique => Form::Keyword(Keyword::Symbol),
            TSTypeOperatorOperator::Readonly => return node(&operator.type_annotation),
        },
        TSType::TSTypePredicate(_) => Form::Keyword(Keyword::Boolean),
        TSType::TSTypeQuery(query) => match &query.expr_name {
            TSTypeQueryExprName::TSImportType(_) => Form::Unsupported("typeof import"),
            TSTypeQueryExprName::IdentifierReference(name) => {
                Form::Query(vec![name.name.to_string()])
            }
            TSTypeQueryExprName::QualifiedName(name) => {
                let mut path = names(&name.left);
                path.push(name.right.name.to_string());
                Form::Query(path)
            }
            TSTypeQueryExprName::ThisExpression(_) => Form::Unsupported("typeof this"),
        },
        TSType::TSTypeReference(reference) => Form::Reference(
            names(&reference.type_name),
            arguments(reference.type_arguments.as_deref()),
        ),
        TSType::TSUnionType(union) => Form::Union(union.types.iter().map(node).collect()),
        TSType::TSParenthesizedType(inner) => return node(&inner.type_annotation),
        TSType::TSConstructorType(_) => Form::Unsupported("a constructor"),
        TSType::TSIntrinsicKeyword(_) => Form::Unsupported("intrinsic"),
        TSType::TSThisType(_) => Form::Unsupported("this"),
        TSType::JSDocNullableType(_)
        | TSType::JSDocNonNullableType(_)
        | TSType::JSDocUnknownType(_) => Form::Unsupported("a type of JSDoc"),
    };
    Node {
        at: ty.span().start,
        form,
    }
}

fn literal_form(literal: &TSLiteral<'_>) -> Form {
    match literal {
        TSLiteral::BooleanLiteral(value) => Form::Literal(Literal::Boolean(value.value)),
        TSLiteral::NumericLiteral(number) => {
            Form::Literal(Literal::Number(number_text(number.value)))
        }
        TSLiteral::BigIntLiteral(_) => Form::Keyword(Keyword::BigInt),
        TSLiteral::StringLiteral(text) => Form::Literal(Literal::Text(text.value.to_string())),
        TSLiteral::TemplateLiteral(template) => {
            let texts = template
                .quasis
                .iter()
                .map(|part| part.value.cooked.unwrap_or(part.value.raw).as_str());
            Form::Literal(Literal::Text(texts.collect()))
        }
        TSLiteral::UnaryExpression(unary) => {
            negated(unary).map_or(Form::Unsupported("an expression"), Form::Literal)
        }
    }
}

pub(super) fn names(name: &TSTypeName<'_>) -> Vec<String> {
    match name {
        TSTypeName::IdentifierReference(name) => vec![name.name.to_string()],
        TSTypeName::QualifiedName(qualified) => {
            let mut path = names(&qualified.left);
            path.push(qualified.right.name.to_string());
            path
        }
        TSTypeName::ThisExpression(_) => vec![String::from("this")],
    }
}

fn qualifier(name: &TSImportTypeQualifier<'_>) -> Vec<String> {
    match name {
        TSImportTypeQualifier::Identifier(name) => vec![name.name.to_string()],
        TSImportTypeQualifier::QualifiedName(qualified) => {
            let mut path = qualifier(&qualified.left);
            path.push(qualified.right.name.to_string());
            path
        }
    }
}

fn element(element: &TSTupleElement<'_>) -> Element {
    let plain = |node| Element {
        node,
        optional: false,
        rest: false,
    };
    if let TSTupleElement::TSOptionalType(inner) = element {
        return Element {
            optional: true,
            ..plain(node(&inner.type_annotation))
        };
    }
    if let TSTupleElement::TSRestType(inner) = element {
        return Element {
            rest: true,
            ..plain(node(&inner.type_annotation))
        };
    }
    if let TSTupleElement::TSNamedTupleMember(member) = element {
        let inner = self::element(&member.element_type);
        return Element {
            optional: inner.optional || member.optional,
            ..inner
        };
    }
    let unknown = || Node {
        at: element.span().start,
        form: Form::Unsupported("a tuple element"),
    };
    plain(element.as_ts_type().map_or_else(unknown, node))
}

pub(super) fn members(signatures: &[TSSignature<'_>]) -> Vec<Member> {
    signatures.iter().map(member).collect()
}

fn member(signature: &TSSignature<'_>) -> Member {
    match signature {
        TSSignature::TSIndexSignature(index) => Member::Index(
            annotated(&index.parameter.type_annotation),
            annotated(&index.type_annotation),
        ),
        TSSignature::TSPropertySignature(property) => match key(&property.key, property.computed) {
            Some(name) => {
                let node =
                    annotated_or_any(property.span.start, property.type_annotation.as_deref());
                Member::Property {
                    name,
                    optional: property.optional,
                    node,
                }
            }
            None => Member::Unnamed,
        },
        TSSignature::TSCallSignatureDeclaration(call) => {
            let result = annotated_or_any(call.span.start, call.return_type.as_deref());
            Member::Call(Rc::new(Signature {
                arguments: formal(&call.params),
                result,
            }))
        }
        TSSignature::TSConstructSignatureDeclaration(call) => {
            let result = annotated_or_any(call.span.start, call.return_type.as_deref());
            Member::Call(Rc::new(Signature {
                arguments: formal(&call.params),
                result,
            }))
        }
        TSSignature::TSMethodSignature(method) => {
            let Some(name) = key(&method.key, method.computed) else {
                return Member::Unnamed;
            };
            let at = method.span.start;
            let result = annotated_or_any(at, method.return_type.as_deref());
            let node = match method.kind {
                TSMethodSignatureKind::Get => result,
                TSMethodSignatureKind::Set | TSMethodSignatureKind::Method => {
                    let signature = Signature {
                        arguments: formal(&method.params),
                        result,
                    };
                    Node {
                        at,
                        form: Form::Function(Rc::new(signature)),
                    }
                }
            };
            Member::Property {
                name,
                optional: method.optional,
                node,
            }
        }
    }
}

/// The name of a member, if it is a text.
fn key(key: &PropertyKey<'_>, computed: bool) -> Option<String> {
    if let PropertyKey::StaticIdentifier(name) = key {
        return (!computed).then(|| name.name.to_string());
    }
    if let PropertyKey::StringLiteral(text) = key {
        return Some(text.value.to_string());
    }
    let PropertyKey::NumericLiteral(number) = key else {
        return None;
    };
    Some(number_text(number.value))
}

pub(super) fn function_signature(function: &Function<'_>) -> Signature {
    let result = annotated_or_any(function.span.start, function.return_type.as_deref());
    Signature {
        arguments: formal(&function.params),
        result,
    }
}

fn formal(parameters: &FormalParameters<'_>) -> Vec<Element> {
    let mut arguments: Vec<Element> = parameters
        .items
        .iter()
        .map(|one| Element {
            node: annotated_or_any(one.span.start, one.type_annotation.as_deref()),
            optional: one.optional,
            rest: false,
        })
        .collect();
    if let Some(rest) = &parameters.rest {
        let node = annotated_or_any(rest.span.start, rest.type_annotation.as_deref());
        arguments.push(Element {
            node,
            optional: false,
            rest: true,
        });
    }
    arguments
}
