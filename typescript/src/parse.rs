//! Reads a file of declarations: the one module that knows the parser.

use std::rc::Rc;

use oxc_allocator::Allocator;
use oxc_ast::ast::{
    BindingPattern, Declaration as Declared, ExportDefaultDeclarationKind, ExportSpecifier,
    Expression, FormalParameters, Function, ImportDeclarationSpecifier, PropertyKey, Statement,
    TSEnumMember, TSImportTypeQualifier, TSInterfaceDeclaration, TSLiteral,
    TSMappedTypeModifierOperator, TSMethodSignatureKind, TSNamespaceDeclaration,
    TSNamespaceDeclarationBody, TSSignature, TSTupleElement, TSType, TSTypeAnnotation, TSTypeName,
    TSTypeOperatorOperator, TSTypeParameterDeclaration, TSTypeParameterInstantiation,
    TSTypeQueryExprName, UnaryOperator,
};
use oxc_parser::Parser;
use oxc_span::{GetSpan, SourceType};

use crate::syntax::{
    Body, Conditional, Declaration, Element, Export, Form, Import, Keyword, Literal, Mapped,
    Member, Module, Node, Parameter, Scope, Signature,
};

/// Reads a text; an error is the line and what the parser says of it.
pub fn parse(text: &str) -> Result<Module, (usize, String)> {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, text, SourceType::d_ts()).parse();
    let breaks = text
        .bytes()
        .zip(1..)
        .filter(|(byte, _)| *byte == b'\n')
        .map(|(_, next)| next);
    let mut module = Module {
        lines: std::iter::once(0).chain(breaks).collect(),
        ..Module::default()
    };
    if let Some(error) = parsed.diagnostics.iter().next() {
        let at = error.labels.first().map_or(0, |label| label.offset());
        return Err((
            module.line(u32::try_from(at).unwrap_or(u32::MAX)),
            error.message.to_string(),
        ));
    }
    module.scope = Rc::new(scope(&parsed.program.body));
    Ok(module)
}

fn scope(statements: &[Statement<'_>]) -> Scope {
    let mut scope = Scope::default();
    for statement in statements {
        add(&mut scope, statement);
    }
    scope
}

fn add(scope: &mut Scope, statement: &Statement<'_>) {
    if let Some(declared) = statement.as_declaration() {
        return declare(scope, declared);
    }
    match statement {
        Statement::ImportDeclaration(import) => {
            for specifier in import.specifiers.iter().flatten() {
                let (local, name) = match specifier {
                    ImportDeclarationSpecifier::ImportSpecifier(one) => (
                        one.local.name.as_str(),
                        Some(one.imported.name().to_string()),
                    ),
                    ImportDeclarationSpecifier::ImportDefaultSpecifier(one) => {
                        (one.local.name.as_str(), Some(String::from("default")))
                    }
                    ImportDeclarationSpecifier::ImportNamespaceSpecifier(one) => {
                        (one.local.name.as_str(), None)
                    }
                };
                let specifier = import.source.value.to_string();
                scope
                    .imports
                    .insert(local.to_owned(), Import { specifier, name });
            }
        }
        Statement::ExportDeclaration(export) => declare(scope, &export.declaration),
        Statement::ExportNamedDeclaration(export) => export_names(scope, &export.specifiers, None),
        Statement::ExportFromDeclaration(export) => {
            export_names(
                scope,
                &export.specifiers,
                Some(export.source.value.as_str()),
            );
        }
        Statement::ExportAllDeclaration(export) => {
            let specifier = export.source.value.to_string();
            match &export.exported {
                Some(name) => {
                    let import = Import {
                        specifier,
                        name: None,
                    };
                    scope
                        .exports
                        .insert(name.name().to_string(), Export::From(import));
                }
                None => scope.stars.push(specifier),
            }
        }
        Statement::ExportDefaultDeclaration(export) => match &export.declaration {
            ExportDefaultDeclarationKind::TSInterfaceDeclaration(declared) => {
                interface(scope, declared);
                let local = Export::Local(declared.id.name.to_string());
                scope.exports.insert(String::from("default"), local);
            }
            other => {
                if let Some(Expression::Identifier(name)) = other.as_expression() {
                    let local = Export::Local(name.name.to_string());
                    scope.exports.insert(String::from("default"), local);
                }
            }
        },
        // Nothing else declares a type, and a file of declarations runs nothing.
        _ if statement.as_module_declaration().is_some() => {}
        _ => {}
    }
}

fn export_names(scope: &mut Scope, specifiers: &[ExportSpecifier<'_>], from: Option<&str>) {
    for specifier in specifiers {
        let local = specifier.local.name().to_string();
        let export = match from {
            Some(module) => Export::From(Import {
                specifier: module.to_owned(),
                name: Some(local),
            }),
            None => Export::Local(local),
        };
        scope
            .exports
            .insert(specifier.exported.name().to_string(), export);
    }
}

fn declare(scope: &mut Scope, declared: &Declared<'_>) {
    match declared {
        Declared::VariableDeclaration(variables) => {
            for variable in &variables.declarations {
                let BindingPattern::BindingIdentifier(name) = &variable.id else {
                    continue;
                };
                let node = match (&variable.type_annotation, &variable.init) {
                    (Some(annotation), _) => annotated(annotation),
                    (None, Some(value)) => constant(value),
                    (None, None) => keyword(name.span.start, Keyword::Any),
                };
                scope.values.insert(name.name.to_string(), Rc::new(node));
            }
        }
        Declared::FunctionDeclaration(function) => {
            if let Some(name) = &function.id {
                let form = Form::Function(Rc::new(function_signature(function)));
                scope.values.insert(
                    name.name.to_string(),
                    Rc::new(Node {
                        at: function.span.start,
                        form,
                    }),
                );
            }
        }
        Declared::ClassDeclaration(class) => {
            if let Some(name) = &class.id {
                let parameters = parameters(class.type_parameters.as_deref());
                add_type(
                    scope,
                    name.name.as_str(),
                    class.span.start,
                    parameters,
                    Body::Class,
                );
            }
        }
        Declared::TSTypeAliasDeclaration(alias) => {
            let parameters = parameters(alias.type_parameters.as_deref());
            let body = Body::Alias(node(&alias.type_annotation));
            add_type(
                scope,
                alias.id.name.as_str(),
                alias.span.start,
                parameters,
                body,
            );
        }
        Declared::TSInterfaceDeclaration(declared) => interface(scope, declared),
        Declared::TSEnumDeclaration(declared) => {
            let body = Body::Enum(enum_values(&declared.body.members));
            add_type(
                scope,
                declared.id.name.as_str(),
                declared.span.start,
                Vec::new(),
                body,
            );
        }
        Declared::TSNamespaceDeclaration(declared) => namespace(scope, declared),
        // What is said about other modules, or about all of them, is no part of this one.
        Declared::TSExternalModuleDeclaration(_)
        | Declared::TSGlobalDeclaration(_)
        | Declared::TSImportEqualsDeclaration(_) => {}
    }
}

fn add_type(scope: &mut Scope, name: &str, at: u32, parameters: Vec<Parameter>, body: Body) {
    let declaration = Rc::new(Declaration {
        at,
        parameters,
        body,
    });
    scope
        .types
        .entry(name.to_owned())
        .or_default()
        .push(declaration);
}

fn interface(scope: &mut Scope, declared: &TSInterfaceDeclaration<'_>) {
    let extends = declared.extends.iter().map(|base| Node {
        at: base.span.start,
        form: Form::Reference(
            names(&base.type_name),
            arguments(base.type_arguments.as_deref()),
        ),
    });
    let body = Body::Interface(extends.collect(), members(&declared.body.body));
    let parameters = parameters(declared.type_parameters.as_deref());
    add_type(
        scope,
        declared.id.name.as_str(),
        declared.span.start,
        parameters,
        body,
    );
}

fn namespace(outer: &mut Scope, declared: &TSNamespaceDeclaration<'_>) {
    let inner = match &declared.body {
        TSNamespaceDeclarationBody::TSModuleBlock(block) => scope(&block.body),
        TSNamespaceDeclarationBody::TSNamespaceDeclaration(nested) => {
            let mut inner = Scope::default();
            namespace(&mut inner, nested);
            inner
        }
    };
    outer
        .namespaces
        .entry(declared.id.name.to_string())
        .or_default()
        .push(Rc::new(inner));
}

/// A member without a value has the number after the one before it.
fn enum_values(members: &[TSEnumMember<'_>]) -> Vec<Literal> {
    let mut next = 0_i64;
    let mut values = Vec::new();
    for member in members {
        let value = match member
            .initializer
            .as_ref()
            .map(|value| constant(value).form)
        {
            Some(Form::Literal(literal)) => literal,
            Some(_) | None => Literal::Number(next.to_string()),
        };
        if let Literal::Number(text) = &value {
            next = text.parse::<i64>().unwrap_or(next) + 1;
        }
        values.push(value);
    }
    values
}

/// The type of a value that is written out.
fn constant(value: &Expression<'_>) -> Node {
    let form = match value {
        Expression::StringLiteral(text) => Form::Literal(Literal::Text(text.value.to_string())),
        Expression::NumericLiteral(number) => {
            Form::Literal(Literal::Number(number_text(number.value)))
        }
        Expression::BooleanLiteral(value) => Form::Literal(Literal::Boolean(value.value)),
        other => negative(other).map_or(Form::Unsupported("an expression"), Form::Literal),
    };
    Node {
        at: value.span().start,
        form,
    }
}

fn negative(value: &Expression<'_>) -> Option<Literal> {
    let Expression::UnaryExpression(unary) = value else {
        return None;
    };
    let Expression::NumericLiteral(number) = &unary.argument else {
        return None;
    };
    (unary.operator == UnaryOperator::UnaryNegation)
        .then(|| Literal::Number(number_text(-number.value)))
}

/// A number as JSON has it; the parser has no infinite ones.
fn number_text(value: f64) -> String {
    serde_json::Number::from_f64(value).map_or_else(String::new, |number| {
        let text = number.to_string();
        text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
    })
}

fn parameters(declared: Option<&TSTypeParameterDeclaration<'_>>) -> Vec<Parameter> {
    let listed = declared.into_iter().flat_map(|declared| &declared.params);
    let parameter = |one: &oxc_ast::ast::TSTypeParameter<'_>| Parameter {
        name: one.name.name.to_string(),
        constraint: one.constraint.as_ref().map(node),
        default: one.default.as_ref().map(node),
    };
    listed.map(parameter).collect()
}

fn arguments(given: Option<&TSTypeParameterInstantiation<'_>>) -> Vec<Node> {
    given
        .into_iter()
        .flat_map(|given| &given.params)
        .map(node)
        .collect()
}

fn keyword(at: u32, keyword: Keyword) -> Node {
    Node {
        at,
        form: Form::Keyword(keyword),
    }
}

fn annotated(annotation: &TSTypeAnnotation<'_>) -> Node {
    node(&annotation.type_annotation)
}

/// The type that is annotated, or any.
fn annotated_or_any(at: u32, annotation: Option<&TSTypeAnnotation<'_>>) -> Node {
    annotation.map_or_else(|| keyword(at, Keyword::Any), annotated)
}

/// A type as it is written. Every form of the parser stands here.
fn node(ty: &TSType<'_>) -> Node {
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
        TSLiteral::UnaryExpression(unary) => match &unary.argument {
            Expression::NumericLiteral(number)
                if unary.operator == UnaryOperator::UnaryNegation =>
            {
                Form::Literal(Literal::Number(number_text(-number.value)))
            }
            _ => Form::Unsupported("an expression"),
        },
    }
}

fn names(name: &TSTypeName<'_>) -> Vec<String> {
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
    match element {
        TSTupleElement::TSOptionalType(inner) => Element {
            optional: true,
            ..plain(node(&inner.type_annotation))
        },
        TSTupleElement::TSRestType(inner) => Element {
            rest: true,
            ..plain(node(&inner.type_annotation))
        },
        TSTupleElement::TSNamedTupleMember(member) => {
            let inner = self::element(&member.element_type);
            Element {
                optional: inner.optional || member.optional,
                ..inner
            }
        }
        other => plain(other.as_ts_type().map_or_else(
            || Node {
                at: other.span().start,
                form: Form::Unsupported("a tuple element"),
            },
            node,
        )),
    }
}

fn members(signatures: &[TSSignature<'_>]) -> Vec<Member> {
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
    match key {
        PropertyKey::StaticIdentifier(name) if !computed => Some(name.name.to_string()),
        PropertyKey::StringLiteral(text) => Some(text.value.to_string()),
        PropertyKey::NumericLiteral(number) => Some(number_text(number.value)),
        _ => None,
    }
}

fn function_signature(function: &Function<'_>) -> Signature {
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
