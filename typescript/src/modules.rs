//! Modules, read when they are asked for, and the names in them.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::Value;

use crate::packages;
use crate::parse;
use crate::syntax::{Body, Declaration, Export, Import, Module, Node, Scope};

/// Longer chains of re-exports can only be circles.
const LONGEST: usize = 64;

/// The texts of packages, by name of the package and path in it.
pub trait Texts {
    /// The text of a file, if there is one.
    fn text(&self, path: &str) -> Option<String>;
    /// Whether there is such a file.
    fn exists(&self, path: &str) -> bool {
        self.text(path).is_some()
    }
}

impl Texts for BTreeMap<String, String> {
    fn text(&self, path: &str) -> Option<String> {
        self.get(path).cloned()
    }

    fn exists(&self, path: &str) -> bool {
        self.contains_key(path)
    }
}

/// A module, or a namespace in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Home {
    /// The number of the module.
    pub module: usize,
    /// The namespaces from the outside in.
    pub path: Vec<String>,
}

/// What a name may be looked up for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// A type.
    Type,
    /// A constant or function.
    Value,
    /// A namespace, or a module under a name.
    Namespace,
}

/// What a name was found to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Something that is declared there by this name.
    Declared(Home, String),
    /// A namespace or module.
    Namespace(Home),
    /// Something of a package that is not read: the module, and the names from there.
    Foreign(String, Vec<String>),
    /// A module of a package that is read, without a file of declarations.
    NoModule(String),
}

/// A file that the parser does not read.
pub struct Unreadable {
    /// The file.
    pub path: String,
    /// The line.
    pub line: usize,
    /// What the parser says.
    pub message: String,
}

/// All modules that were read so far.
pub struct Modules<'t> {
    texts: &'t dyn Texts,
    packages: Vec<String>,
    manifests: BTreeMap<String, Option<Value>>,
    numbers: BTreeMap<String, usize>,
    modules: Vec<(String, Rc<Module>)>,
    /// Files that the parser did not read; their modules are empty.
    pub unreadable: Vec<Unreadable>,
}

impl<'t> Modules<'t> {
    /// No module yet; `packages` are the names of the packages that are read.
    pub fn new(texts: &'t dyn Texts, packages: Vec<String>) -> Self {
        Self {
            texts,
            packages,
            manifests: BTreeMap::new(),
            numbers: BTreeMap::new(),
            modules: Vec::new(),
            unreadable: Vec::new(),
        }
    }

    /// The number of the module in a file, if there is the file.
    pub fn open(&mut self, path: &str) -> Option<usize> {
        if let Some(number) = self.numbers.get(path) {
            return Some(*number);
        }
        let text = self.texts.text(path)?;
        let module = parse::parse(&text).unwrap_or_else(|(line, message)| {
            self.unreadable.push(Unreadable {
                path: path.to_owned(),
                line,
                message,
            });
            Module::default()
        });
        self.modules.push((path.to_owned(), Rc::new(module)));
        let number = self.modules.len() - 1;
        self.numbers.insert(path.to_owned(), number);
        Some(number)
    }

    /// The path of a module.
    pub fn path(&self, number: usize) -> &str {
        self.modules.get(number).map_or("", |(path, _)| path)
    }

    /// The package of a module.
    pub fn package(&self, number: usize) -> &str {
        packages::split(self.path(number)).0
    }

    /// The line of an offset in a module.
    pub fn line(&self, number: usize, at: u32) -> usize {
        self.modules
            .get(number)
            .map_or(0, |(_, module)| module.line(at))
    }

    /// How many files were read.
    pub fn count(&self) -> usize {
        self.modules.len()
    }

    /// The types that a module declares itself, by a name with a `*` for any text.
    pub fn like(&self, module: usize, pattern: &str) -> Vec<String> {
        let (before, after) = pattern.split_once('*').unwrap_or((pattern, ""));
        let fits = |name: &&String| {
            name.len() >= before.len() + after.len()
                && name.starts_with(before)
                && name.ends_with(after)
        };
        let module = self.modules.get(module).map(|(_, module)| &module.scope);
        module
            .into_iter()
            .flat_map(|scope| scope.types.keys())
            .filter(fits)
            .cloned()
            .collect()
    }

    /// The declarations of a type in its home.
    pub fn declarations(&self, home: &Home, name: &str) -> Vec<Rc<Declaration>> {
        let scopes = self.scopes(home);
        scopes
            .iter()
            .filter_map(|scope| scope.types.get(name))
            .flatten()
            .cloned()
            .collect()
    }

    /// The type of a constant or function in its home.
    pub fn value(&self, home: &Home, name: &str) -> Option<Rc<Node>> {
        self.scopes(home)
            .iter()
            .find_map(|scope| scope.values.get(name).cloned())
    }

    /// What a name means in a place: there, in the namespaces around it, or in the module.
    pub fn look_up(&mut self, home: &Home, names: &[String], want: Want) -> Option<Found> {
        let (last, before) = names.split_last()?;
        let Some((first, rest)) = before.split_first() else {
            return self.lexical(home, last, want, 0);
        };
        let mut found = self.lexical(home, first, Want::Namespace, 0)?;
        for name in rest {
            found = self.inner(found, name, Want::Namespace)?;
        }
        self.inner(found, last, want)
    }

    /// What a module that is named in a file exports under some names.
    pub fn imported(
        &mut self,
        home: &Home,
        specifier: &str,
        names: &[String],
        want: Want,
    ) -> Option<Found> {
        let whole = Import {
            specifier: specifier.to_owned(),
            name: None,
        };
        let mut found = self.follow(home.module, &whole, Want::Namespace, 0)?;
        let (last, before) = names.split_last()?;
        for name in before {
            found = self.inner(found, name, Want::Namespace)?;
        }
        self.inner(found, last, want)
    }

    fn inner(&mut self, found: Found, name: &str, want: Want) -> Option<Found> {
        match found {
            Found::Namespace(home) => self.exported(&home, name, want, 0),
            Found::Foreign(module, mut names) => {
                names.push(name.to_owned());
                Some(Found::Foreign(module, names))
            }
            Found::NoModule(specifier) => Some(Found::NoModule(specifier)),
            Found::Declared(..) => None,
        }
    }

    fn lexical(&mut self, home: &Home, name: &str, want: Want, depth: usize) -> Option<Found> {
        let mut here = home.clone();
        loop {
            for scope in self.scopes(&here) {
                if let Some(found) = own(&scope, &here, name, want) {
                    return Some(found);
                }
                if let Some(import) = scope.imports.get(name) {
                    return self.follow(here.module, import, want, depth + 1);
                }
            }
            here.path.pop()?;
        }
    }

    fn exported(&mut self, home: &Home, name: &str, want: Want, depth: usize) -> Option<Found> {
        if depth > LONGEST {
            return None;
        }
        let scopes = self.scopes(home);
        for scope in &scopes {
            match scope.exports.get(name) {
                Some(Export::Local(local)) => {
                    if let Some(found) = self.lexical(home, local, want, depth + 1) {
                        return Some(found);
                    }
                }
                Some(Export::From(import)) => {
                    return self.follow(home.module, import, want, depth + 1);
                }
                None => {}
            }
            if let Some(found) = own(scope, home, name, want) {
                return Some(found);
            }
        }
        for specifier in scopes.iter().flat_map(|scope| &scope.stars) {
            let import = Import {
                specifier: specifier.clone(),
                name: Some(name.to_owned()),
            };
            if let Some(found @ (Found::Declared(..) | Found::Namespace(_))) =
                self.follow(home.module, &import, want, depth + 1)
            {
                return Some(found);
            }
        }
        None
    }

    fn follow(&mut self, from: usize, import: &Import, want: Want, depth: usize) -> Option<Found> {
        let module = match self.resolve(from, &import.specifier) {
            Resolved::Module(module) => module,
            Resolved::Foreign => {
                return Some(Found::Foreign(
                    import.specifier.clone(),
                    import.name.iter().cloned().collect(),
                ));
            }
            Resolved::Missing => return Some(Found::NoModule(import.specifier.clone())),
        };
        let home = Home {
            module,
            path: Vec::new(),
        };
        match &import.name {
            None => (want == Want::Namespace).then_some(Found::Namespace(home)),
            Some(name) => self.exported(&home, name, want, depth),
        }
    }

    fn resolve(&mut self, from: usize, specifier: &str) -> Resolved {
        let texts = self.texts;
        let exists = |path: &str| texts.exists(path);
        let path = if specifier.starts_with('.') {
            packages::relative(self.path(from), specifier, &exists)
        } else {
            let (package, subpath) = packages::split(specifier);
            if !self.packages.iter().any(|read| read == package) {
                return Resolved::Foreign;
            }
            let manifest = self.manifests.entry(package.to_owned()).or_insert_with(|| {
                serde_json::from_str(&texts.text(&format!("{package}/package.json"))?).ok()
            });
            manifest
                .as_ref()
                .and_then(|manifest| packages::inside(package, manifest, subpath, &exists))
        };
        path.and_then(|path| self.open(&path))
            .map_or(Resolved::Missing, Resolved::Module)
    }

    /// The scopes of a home: a namespace may be declared in several pieces.
    fn scopes(&self, home: &Home) -> Vec<Rc<Scope>> {
        let module = self
            .modules
            .get(home.module)
            .map(|(_, module)| Rc::clone(&module.scope));
        let mut scopes: Vec<Rc<Scope>> = module.into_iter().collect();
        for name in &home.path {
            scopes = scopes
                .iter()
                .filter_map(|scope| scope.namespaces.get(name))
                .flatten()
                .cloned()
                .collect();
        }
        scopes
    }
}

enum Resolved {
    Module(usize),
    Foreign,
    Missing,
}

/// What a scope itself declares.
fn own(scope: &Scope, home: &Home, name: &str, want: Want) -> Option<Found> {
    let is_enum = |declared: &Rc<Declaration>| matches!(declared.body, Body::Enum(_));
    let declared = match want {
        Want::Type => scope.types.contains_key(name),
        Want::Value => {
            scope.values.contains_key(name)
                || scope
                    .types
                    .get(name)
                    .is_some_and(|all| all.iter().any(is_enum))
        }
        Want::Namespace => {
            scope.namespaces.get(name)?;
            let path = home.path.iter().cloned().chain([name.to_owned()]).collect();
            return Some(Found::Namespace(Home {
                module: home.module,
                path,
            }));
        }
    };
    declared.then(|| Found::Declared(home.clone(), name.to_owned()))
}
