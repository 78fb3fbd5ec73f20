//! Reads a file of declarations: the one module that knows the parser.
//!
//! Here are the declarations and what a file imports and exports; `written` has the types in them.

mod written;

use std::rc::Rc;

use oxc_allocator::Allocator;
use oxc_ast::ast::{
    BindingPattern, Declaration as Declared, ExportDefaultDeclarationKind, ExportSpecifier,
    Expression, ImportDeclarationSpecifier, ModuleDeclaration, Statement, TSEnumMember,
    TSInterfaceDeclaration, TSNamespaceDeclaration, TSNamespaceDeclarationBody, TSTypeParameter,
    TSTypeParameterDeclaration, UnaryExpression, UnaryOperator,
};
use oxc_parser::Parser;
use oxc_span::{GetSpan, SourceType};

use crate::syntax::{
    Body, Declaration, Export, Form, Import, Keyword, Literal, Module, Node, Parameter, Scope,
};
use written::{annotated, arguments, function_signature, keyword, members, names, node};

/// The name of what a module exports without a name.
const DEFAULT: &str = "default";

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
        return Err((module.line(at), error.message.to_string()));
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
        declare(scope, declared);
    } else if let Some(declared) = statement.as_module_declaration() {
        add_module(scope, declared);
    }
    // What is left runs, and declares no type.
}

fn add_module(scope: &mut Scope, declared: &ModuleDeclaration<'_>) {
    match declared {
        ModuleDeclaration::ImportDeclaration(import) => {
            for specifier in import.specifiers.iter().flatten() {
                let (local, name) = imported(specifier);
                let specifier = import.source.value.to_string();
                scope.imports.insert(local, Import { specifier, name });
            }
        }
        ModuleDeclaration::ExportDeclaration(export) => declare(scope, &export.declaration),
        ModuleDeclaration::ExportNamedDeclaration(export) => {
            export_names(scope, &export.specifiers, None);
        }
        ModuleDeclaration::ExportFromDeclaration(export) => {
            let from = export.source.value.as_str();
            export_names(scope, &export.specifiers, Some(from));
        }
        ModuleDeclaration::ExportAllDeclaration(export) => {
            let specifier = export.source.value.to_string();
            match &export.exported {
                Some(name) => {
                    let whole = Export::From(Import {
                        specifier,
                        name: None,
                    });
                    scope.exports.insert(name.name().to_string(), whole);
                }
                None => scope.stars.push(specifier),
            }
        }
        ModuleDeclaration::ExportDefaultDeclaration(export) => {
            let kind = &export.declaration;
            if let ExportDefaultDeclarationKind::TSInterfaceDeclaration(declared) = kind {
                interface(scope, declared);
                export_default(scope, declared.id.name.as_str());
            } else if let Some(Expression::Identifier(name)) = kind.as_expression() {
                export_default(scope, name.name.as_str());
            }
        }
        // These are for code that is no module.
        ModuleDeclaration::TSExportAssignment(_)
        | ModuleDeclaration::TSNamespaceExportDeclaration(_) => {}
    }
}

/// The name that an import has here, and the one that it has there.
fn imported(specifier: &ImportDeclarationSpecifier<'_>) -> (String, Option<String>) {
    match specifier {
        ImportDeclarationSpecifier::ImportSpecifier(one) => (
            one.local.name.to_string(),
            Some(one.imported.name().to_string()),
        ),
        ImportDeclarationSpecifier::ImportDefaultSpecifier(one) => {
            (one.local.name.to_string(), Some(DEFAULT.to_owned()))
        }
        ImportDeclarationSpecifier::ImportNamespaceSpecifier(one) => {
            (one.local.name.to_string(), None)
        }
    }
}

fn export_default(scope: &mut Scope, local: &str) {
    scope
        .exports
        .insert(DEFAULT.to_owned(), Export::Local(local.to_owned()));
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
    let literal = if let Expression::StringLiteral(text) = value {
        Some(Literal::Text(text.value.to_string()))
    } else if let Expression::NumericLiteral(number) = value {
        Some(Literal::Number(number_text(number.value)))
    } else if let Expression::BooleanLiteral(value) = value {
        Some(Literal::Boolean(value.value))
    } else {
        negative(value)
    };
    let form = literal.map_or(Form::Unsupported("an expression"), Form::Literal);
    Node {
        at: value.span().start,
        form,
    }
}

fn negative(value: &Expression<'_>) -> Option<Literal> {
    let Expression::UnaryExpression(unary) = value else {
        return None;
    };
    negated(unary)
}

/// A number with a minus before it.
fn negated(unary: &UnaryExpression<'_>) -> Option<Literal> {
    let Expression::NumericLiteral(number) = &unary.argument else {
        return None;
    };
    let minus = unary.operator == UnaryOperator::UnaryNegation;
    minus.then(|| Literal::Number(number_text(-number.value)))
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
    let parameter = |one: &TSTypeParameter<'_>| Parameter {
        name: one.name.name.to_string(),
        constraint: one.constraint.as_ref().map(node),
        default: one.default.as_ref().map(node),
    };
    listed.map(parameter).collect()
}
