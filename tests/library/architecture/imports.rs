//! Which file of `src/` uses which, read from the sources themselves.
//!
//! Every path in the code is followed to the file that defines what it names, through `use`,
//! through re-exports and through globs. What only tests use is left out, and so is what a macro
//! hides. A module that re-exports what is below it does not use that: it is its table of contents.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemUse, Macro, Path as SynPath, UseTree, Visibility};

/// A path of words, from the root of the crate if it is absolute.
type Words = Vec<String>;

/// What a name of a module stands for, where that is another place.
struct Import {
    path: Words,
    /// Others can use the name through the module.
    is_public: bool,
}

#[derive(Default)]
struct Module {
    file: PathBuf,
    items: BTreeSet<String>,
    imports: BTreeMap<String, Import>,
    globs: Vec<Import>,
    /// The modules that it declares for tests.
    tests: BTreeSet<String>,
    /// Every path of its code as it is written.
    paths: Vec<Words>,
}

/// The modules of a crate, by their paths from its root.
pub(super) struct Sources {
    modules: BTreeMap<Words, Module>,
}

/// Every source file below a directory, in order.
pub(super) fn files(directory: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            all.push(path);
        }
    }
    all.sort();
    all
}

impl Sources {
    /// Reads every file below the directory of a crate's sources but for modules of tests.
    pub(super) fn read(source: &Path) -> Self {
        let mut modules = BTreeMap::new();
        for path in files(source) {
            let file = path.strip_prefix(source).unwrap().to_path_buf();
            let text = fs::read_to_string(&path).unwrap();
            let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
            if !parsed.attrs.iter().any(is_test) {
                read_module(&mut modules, module_path(&file), &file, &parsed.items);
            }
        }
        let tests: Vec<Words> =
            modules.keys().filter(|path| only_tests(&modules, path)).cloned().collect();
        for path in tests {
            modules.remove(&path);
        }
        Self { modules }
    }

    /// For each file those that it uses, each with one path that does.
    pub(super) fn uses(&self) -> BTreeMap<PathBuf, BTreeMap<PathBuf, String>> {
        let mut all: BTreeMap<PathBuf, BTreeMap<PathBuf, String>> = BTreeMap::new();
        for (at, module) in &self.modules {
            let used = all.entry(module.file.clone()).or_default();
            for path in self.paths_of(at, module) {
                if let Some(file) = self.file_of(&path, 0)
                    && file != module.file
                {
                    used.entry(file).or_insert_with(|| path.join("::"));
                }
            }
        }
        all
    }

    /// The absolute paths that a module uses.
    fn paths_of(&self, at: &Words, module: &Module) -> Vec<Words> {
        let written = module.paths.iter().filter_map(|path| self.absolute(at, path));
        let imported = module.imports.values().chain(&module.globs);
        let imported = imported.filter(|import| !import.is_public || !import.path.starts_with(at));
        written.chain(imported.map(|import| import.path.clone())).collect()
    }

    /// A path as it is written in a module, from the root of the crate; none if it leads elsewhere.
    fn absolute(&self, at: &Words, path: &Words) -> Option<Words> {
        let first = path.first()?;
        if ["crate", "self", "super"].contains(&first.as_str()) {
            return from_root(at, path);
        }
        let module = self.modules.get(at)?;
        if let Some(import) = module.imports.get(first) {
            return Some([&import.path, &path[1..]].concat());
        }
        let below = [at.clone(), path.clone()].concat();
        let is_here =
            module.items.contains(first) || self.modules.contains_key(&below[..=at.len()]);
        is_here.then_some(below)
    }

    /// The file that defines what an absolute path names; that of the module if it names a module's
    /// item that no source shows. None for a module itself: only what is used of it counts.
    fn file_of(&self, path: &[String], depth: usize) -> Option<PathBuf> {
        let length =
            (0..=path.len()).rev().find(|&length| self.modules.contains_key(&path[..length]))?;
        let module = &self.modules[&path[..length]];
        let name = path.get(length)?;
        if module.items.contains(name) || depth > 16 {
            return Some(module.file.clone());
        }
        if let Some(import) = module.imports.get(name) {
            return self.file_of(&[&import.path, &path[length + 1..]].concat(), depth + 1);
        }
        let through = module.globs.iter().filter(|glob| {
            self.modules
                .get(&glob.path)
                .is_some_and(|below| below.items.contains(name) || below.imports.contains_key(name))
        });
        let through = through.map(|glob| [&glob.path, &path[length..]].concat()).next();
        through
            .and_then(|path| self.file_of(&path, depth + 1))
            .or_else(|| Some(module.file.clone()))
    }
}

/// Whether a module, or one above it, is declared for tests.
fn only_tests(modules: &BTreeMap<Words, Module>, path: &Words) -> bool {
    (0..path.len()).any(|above| {
        modules.get(&path[..above]).is_some_and(|parent| parent.tests.contains(&path[above]))
    })
}

/// The module that a file is.
fn module_path(file: &Path) -> Words {
    let words = file.with_extension("");
    let mut words: Words = words.iter().map(|word| word.to_str().unwrap().to_string()).collect();
    if ["mod", "lib", "main"].contains(&words.last().unwrap().as_str()) {
        let last = words.pop().unwrap();
        if last == "main" {
            // The program is a crate of its own.
            words.push("main".to_string());
        }
    }
    words
}

pub(super) fn is_test(attribute: &Attribute) -> bool {
    let text = match &attribute.meta {
        syn::Meta::List(list) if list.path.is_ident("cfg") => list.tokens.to_string(),
        _ => return false,
    };
    text == "test" || text.starts_with("all (test") || text.starts_with("all(test")
}

fn read_module(modules: &mut BTreeMap<Words, Module>, at: Words, file: &Path, items: &[Item]) {
    let mut module = Module { file: file.to_path_buf(), ..Module::default() };
    for item in items {
        if attributes(item).iter().any(is_test) {
            if let Item::Mod(below) = item {
                module.tests.insert(below.ident.to_string());
            }
            continue;
        }
        match item {
            Item::Use(import) => module.read_use(&at, import),
            Item::Mod(below) => {
                module.items.insert(below.ident.to_string());
                if let Some((_, items)) = &below.content {
                    let path = [at.clone(), vec![below.ident.to_string()]].concat();
                    read_module(modules, path, file, items);
                }
            }
            _ => {
                module.items.extend(name(item));
                Paths(&mut module, &at).visit_item(item);
            }
        }
    }
    modules.insert(at, module);
}

impl Module {
    fn read_use(&mut self, at: &Words, import: &ItemUse) {
        let is_public = !matches!(import.vis, Visibility::Inherited);
        self.read_tree(at, &mut Vec::new(), &import.tree, is_public);
    }

    fn read_tree(&mut self, at: &Words, before: &mut Words, tree: &UseTree, is_public: bool) {
        let mut import = |name: Option<String>, path: &Words| {
            let Some(path) = from_root(at, path) else { return };
            let import = Import { path, is_public };
            match name {
                Some(name) => drop(self.imports.insert(name, import)),
                None => self.globs.push(import),
            }
        };
        match tree {
            UseTree::Name(last) => {
                let name = last.ident.to_string();
                let alone = name == "self";
                let path =
                    if alone { before.clone() } else { [before.clone(), vec![name]].concat() };
                import(path.last().cloned(), &path);
            }
            UseTree::Rename(last) => {
                let path = [before.clone(), vec![last.ident.to_string()]].concat();
                import(Some(last.rename.to_string()), &path);
            }
            UseTree::Glob(_) => import(None, before),
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.read_tree(at, before, &path.tree, is_public);
                before.pop();
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.read_tree(at, before, tree, is_public);
                }
            }
        }
    }
}

/// A path that begins with `crate`, `self` or `super`, from the root. Another one of a `use` begins
/// with a module that is declared beside it, or with another crate: it is taken for the first, and
/// found nowhere if it is the second.
fn from_root(at: &Words, path: &Words) -> Option<Words> {
    let mut base = at.clone();
    let mut rest = &path[..];
    match rest.first()?.as_str() {
        "crate" => {
            base.clear();
            rest = &rest[1..];
        }
        "self" => rest = &rest[1..],
        "super" => {}
        _ => return Some([base, rest.to_vec()].concat()),
    }
    while rest.first().is_some_and(|word| word == "super") {
        base.pop()?;
        rest = &rest[1..];
    }
    Some([base, rest.to_vec()].concat())
}

/// Gathers the paths of an item's code.
struct Paths<'a>(&'a mut Module, &'a Words);

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_path(&mut self, path: &'ast SynPath) {
        let words = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.0.paths.push(words);
        visit::visit_path(self, path);
    }

    fn visit_item_use(&mut self, import: &'ast ItemUse) {
        self.0.read_use(self.1, import);
    }

    fn visit_item(&mut self, item: &'ast Item) {
        if !attributes(item).iter().any(is_test) {
            visit::visit_item(self, item);
        }
    }

    /// What stands in a macro is a row of words; those that `::` joins are a path.
    fn visit_macro(&mut self, called: &'ast Macro) {
        visit::visit_macro(self, called);
        let text = called.tokens.to_string().replace(" :: ", "::");
        let is_of_path = |symbol: char| symbol.is_alphanumeric() || symbol == '_' || symbol == ':';
        for path in text.split(|symbol| !is_of_path(symbol)).filter(|path| path.contains("::")) {
            let words = path.split("::").filter(|word| !word.is_empty()).map(str::to_string);
            self.0.paths.push(words.collect());
        }
    }
}

pub(super) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// The name that an item gives to its module.
fn name(item: &Item) -> Option<String> {
    Some(match item {
        Item::Const(item) => item.ident.to_string(),
        Item::Enum(item) => item.ident.to_string(),
        Item::Fn(item) => item.sig.ident.to_string(),
        Item::Macro(item) => item.ident.as_ref()?.to_string(),
        Item::Static(item) => item.ident.to_string(),
        Item::Struct(item) => item.ident.to_string(),
        Item::Trait(item) => item.ident.to_string(),
        Item::Type(item) => item.ident.to_string(),
        _ => return None,
    })
}
