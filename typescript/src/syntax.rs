//! Declarations as they are written: our own form of them, so that nothing but the reader of the
//! texts knows the parser.

use std::collections::BTreeMap;
use std::rc::Rc;

/// A type as it is written, and where.
#[derive(Debug)]
pub struct Node {
    /// The offset in the text of the file.
    pub at: u32,
    /// What it is.
    pub form: Form,
}

/// The forms that a type is written in.
#[derive(Debug)]
pub enum Form {
    /// `any`, `string`, `null` and the like.
    Keyword(Keyword),
    /// `'text'`, `12`, `true`.
    Literal(Literal),
    /// A text with types in it: one text more than types.
    Template(Vec<String>, Vec<Node>),
    /// A name, perhaps with namespaces before it and arguments after it.
    Reference(Vec<String>, Vec<Node>),
    /// `import('module').Name<Arguments>`.
    Import(String, Vec<String>, Vec<Node>),
    /// `typeof name.member`.
    Query(Vec<String>),
    /// `T[]`.
    Array(Box<Node>),
    /// `[A, B?, ...C[]]`.
    Tuple(Vec<Element>),
    /// `{ … }`.
    Object(Vec<Member>),
    /// `A | B`.
    Union(Vec<Node>),
    /// `A & B`.
    Intersection(Vec<Node>),
    /// `(argument: A) => B`.
    Function(Rc<Signature>),
    /// `A extends B ? C : D`.
    Conditional(Box<Conditional>),
    /// `infer T`.
    Infer(String),
    /// `keyof T`.
    KeyOf(Box<Node>),
    /// `T[K]`.
    Index(Box<Node>, Box<Node>),
    /// `{ [K in Keys]: V }`.
    Mapped(Box<Mapped>),
    /// A form that says nothing about JSON, by its name.
    Unsupported(&'static str),
}

/// Types that are one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keyword {
    /// `any`.
    Any,
    /// `unknown`.
    Unknown,
    /// `never`.
    Never,
    /// `null`.
    Null,
    /// `undefined` and `void`.
    Undefined,
    /// `boolean`.
    Boolean,
    /// `number`.
    Number,
    /// `string`.
    String,
    /// `object`.
    Object,
    /// `bigint`.
    BigInt,
    /// `symbol`.
    Symbol,
}

/// A value that is a type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Literal {
    /// `true` or `false`.
    Boolean(bool),
    /// A number in its JSON form.
    Number(String),
    /// A text.
    Text(String),
}

/// One place of a tuple.
#[derive(Debug)]
pub struct Element {
    /// Its type.
    pub node: Node,
    /// Whether it may be left out.
    pub optional: bool,
    /// Whether it stands for any number of places.
    pub rest: bool,
}

/// One line of an object type.
#[derive(Debug)]
pub enum Member {
    /// A property; one without a type is `any`.
    Property {
        /// Its name.
        name: String,
        /// Whether it may be left out.
        optional: bool,
        /// Its type.
        node: Node,
    },
    /// `[key: K]: V`.
    Index(Node, Node),
    /// `(argument: A): B` and `new (…): B`: the object can be called.
    Call(Rc<Signature>),
    /// A member whose name is no text, such as a symbol: JSON can't carry it.
    Unnamed,
}

/// Arguments and result of something that can be called.
#[derive(Debug)]
pub struct Signature {
    /// The types of the arguments.
    pub arguments: Vec<Element>,
    /// The type of the result; without one it is `any`.
    pub result: Node,
}

/// The parts of a conditional type.
#[derive(Debug)]
pub struct Conditional {
    /// What is looked at.
    pub check: Node,
    /// What it must be.
    pub extends: Node,
    /// The result when it is.
    pub then: Node,
    /// The result when it is not.
    pub otherwise: Node,
}

/// The parts of a mapped type.
#[derive(Debug)]
pub struct Mapped {
    /// The name of the key.
    pub key: String,
    /// What the key runs over.
    pub constraint: Node,
    /// The new name of each key.
    pub renamed: Option<Node>,
    /// The type of each value.
    pub value: Node,
    /// `?` and `-?`: whether every property may, or may not, be left out.
    pub optional: Option<bool>,
}

/// A parameter of a generic type.
#[derive(Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// What its argument must be.
    pub constraint: Option<Node>,
    /// The argument where none is given.
    pub default: Option<Node>,
}

/// A named type.
#[derive(Debug)]
pub struct Declaration {
    /// Where it is declared.
    pub at: u32,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// What it is.
    pub body: Body,
}

/// What a name stands for.
#[derive(Debug)]
pub enum Body {
    /// Another type.
    Alias(Node),
    /// An object: what it extends, and its own members.
    Interface(Vec<Node>, Vec<Member>),
    /// A list of values.
    Enum(Vec<Literal>),
    /// A class: a thing of the program, not of the wire.
    Class,
}

/// Where an imported name comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// The module, as it is written.
    pub specifier: String,
    /// The name there; `None` for the whole module.
    pub name: Option<String>,
}

/// What a module or namespace exports under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Export {
    /// Something that it knows by this name.
    Local(String),
    /// Something of another module.
    From(Import),
}

/// The names of a module or namespace. Declarations of one name are merged by who reads them.
#[derive(Debug, Default)]
pub struct Scope {
    /// Named types.
    pub types: BTreeMap<String, Vec<Rc<Declaration>>>,
    /// The types of constants and functions.
    pub values: BTreeMap<String, Rc<Node>>,
    /// Namespaces.
    pub namespaces: BTreeMap<String, Vec<Rc<Scope>>>,
    /// Imported names.
    pub imports: BTreeMap<String, Import>,
    /// Exports that are listed.
    pub exports: BTreeMap<String, Export>,
    /// Modules of which everything is exported.
    pub stars: Vec<String>,
}

/// The declarations of a file.
#[derive(Debug, Default)]
pub struct Module {
    /// Its names.
    pub scope: Rc<Scope>,
    /// The offset at which each line starts.
    pub lines: Vec<u32>,
}

impl Module {
    /// The line of an offset, counted from one.
    pub fn line(&self, at: u32) -> usize {
        self.lines.partition_point(|start| *start <= at)
    }
}
