//! Types as they are understood: what is left when names, generics and operators are worked out.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::modules::Home;
use crate::syntax::{Literal, Signature};

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// `any`.
    Any,
    /// `unknown`.
    Unknown,
    /// No value at all.
    Never,
    /// `null`.
    Null,
    /// The absence of a value.
    Undefined,
    /// `boolean`.
    Boolean,
    /// `number`.
    Number,
    /// `string`.
    String,
    /// `string & {}`: any text, which leaves the texts beside it in a union in their place.
    AnyText,
    /// `object`.
    AnyObject,
    /// One value.
    Literal(Literal),
    /// A text of this form: one text more than types.
    Template(Rc<(Vec<String>, Vec<Type>)>),
    /// A list.
    Array(Rc<Type>),
    /// A list with a type for each place.
    Tuple(Rc<Vec<Place>>),
    /// An object.
    Object(Rc<Object>),
    /// One of several, never another union in place.
    Union(Rc<Vec<Type>>),
    /// A declaration that has a name and no parameters, by its number.
    Named(usize),
    /// Something that can be called.
    Function(Function),
    /// A type of a package that is not read, or of the language.
    Foreign(Rc<Foreign>),
    /// A place that is to be found out, in the pattern of a conditional type.
    Infer(Rc<str>),
    /// A type that has no meaning on a wire, by its name and the reason.
    Opaque(Rc<(String, String)>),
}

/// One place of a tuple.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Its type; of a rest, the type of each.
    pub ty: Type,
    /// Whether it may be left out.
    pub optional: bool,
    /// Whether it stands for any number of places.
    pub rest: bool,
}

/// The properties of an object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object {
    /// The named ones.
    pub properties: BTreeMap<String, Property>,
    /// The type of all further ones.
    pub index: Option<Type>,
    /// How the object can be called, if it can.
    pub call: Option<Function>,
}

/// One property of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// Its type.
    pub ty: Type,
    /// Whether it may be left out.
    pub optional: bool,
}

/// Something that can be called: its types are worked out when they are asked for.
#[derive(Clone, Debug)]
pub struct Function {
    /// What is written.
    pub signature: Rc<Signature>,
    /// Where its names are looked up.
    pub env: Env,
}

impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.signature, &other.signature)
    }
}

/// A type that is known by name only.
#[derive(Clone, Debug, PartialEq)]
pub struct Foreign {
    /// The module; nothing for what the language has.
    pub module: String,
    /// The name, without the namespaces before it.
    pub name: String,
    /// Its arguments.
    pub arguments: Vec<Type>,
}

/// Where names are looked up, and what the parameters of generic types stand for.
#[derive(Clone, Debug)]
pub struct Env {
    /// The module and namespace.
    pub home: Rc<Home>,
    /// The innermost parameter.
    pub bindings: Option<Rc<Binding>>,
}

/// A parameter with its argument.
#[derive(Debug)]
pub struct Binding {
    name: String,
    ty: Type,
    outer: Option<Rc<Binding>>,
}

impl Env {
    /// A place without parameters.
    pub fn at(home: Home) -> Self {
        Self {
            home: Rc::new(home),
            bindings: None,
        }
    }

    /// The same place with one more parameter.
    pub fn with(&self, name: &str, ty: Type) -> Self {
        let binding = Binding {
            name: name.to_owned(),
            ty,
            outer: self.bindings.clone(),
        };
        Self {
            home: Rc::clone(&self.home),
            bindings: Some(Rc::new(binding)),
        }
    }

    /// What a parameter stands for.
    pub fn binding(&self, name: &str) -> Option<&Type> {
        let mut binding = self.bindings.as_deref();
        while let Some(inner) = binding {
            if inner.name == name {
                return Some(&inner.ty);
            }
            binding = inner.outer.as_deref();
        }
        None
    }
}

impl Type {
    /// The text as a type.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Literal(Literal::Text(text.into()))
    }

    /// A list of these.
    pub fn list(ty: Self) -> Self {
        Self::Array(Rc::new(ty))
    }

    /// An object.
    pub fn object(object: Object) -> Self {
        Self::Object(Rc::new(object))
    }

    /// One of these. What another member already allows is left out, as the language does it.
    pub fn union(members: impl IntoIterator<Item = Self>) -> Self {
        let mut flat: Vec<Self> = Vec::new();
        for member in members {
            if let Self::Union(inner) = &member {
                inner.iter().for_each(|member| push_new(&mut flat, member));
            } else if member != Self::Never {
                push_new(&mut flat, &member);
            }
        }
        for whole in [Self::Any, Self::Unknown] {
            if flat.contains(&whole) {
                return whole;
            }
        }
        if [true, false]
            .iter()
            .all(|value| flat.contains(&Self::Literal(Literal::Boolean(*value))))
        {
            push_new(&mut flat, &Self::Boolean);
        }
        let (string, number, boolean) = (
            flat.contains(&Self::String),
            flat.contains(&Self::Number),
            flat.contains(&Self::Boolean),
        );
        flat.retain(|member| {
            let is_text = matches!(
                member,
                Self::Literal(Literal::Text(_)) | Self::Template(_) | Self::AnyText
            );
            let is_number = matches!(member, Self::Literal(Literal::Number(_)));
            let is_boolean = matches!(member, Self::Literal(Literal::Boolean(_)));
            !(string && is_text || number && is_number || boolean && is_boolean)
        });
        match flat.len() {
            0 => Self::Never,
            1 => flat.swap_remove(0),
            _ => Self::Union(Rc::new(flat)),
        }
    }

    /// The members of a union in place; any other type is its only one.
    pub fn members(&self) -> Vec<Self> {
        if let Self::Union(members) = self {
            return members.to_vec();
        }
        if *self == Self::Never {
            Vec::new()
        } else {
            vec![self.clone()]
        }
    }

    /// The type without some of the members of a union in place.
    pub fn without(&self, drop: impl Fn(&Self) -> bool) -> Self {
        Self::union(self.members().into_iter().filter(|member| !drop(member)))
    }

    /// Whether `undefined` is a member of the union in place.
    pub fn allows_undefined(&self) -> bool {
        self.members().contains(&Self::Undefined)
    }
}

fn push_new(members: &mut Vec<Type>, member: &Type) {
    if !members.contains(member) {
        members.push(member.clone());
    }
}
