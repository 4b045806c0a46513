//! Methods of a type that stand in another file than the type, which the type's own file calls: a
//! circle of two files that no path shows. Calls on `self` and by `Self::` are followed, but for
//! those in macros, and those of types whose name is defined in several files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Expr, ExprMethodCall, ExprPath, ImplItem, Item, ItemImpl, Type};

use super::imports::{attributes, files, is_test};

/// What a file has of a type.
#[derive(Default)]
struct Part {
    defines: bool,
    methods: BTreeSet<String>,
    /// Methods that its own methods call on `self`.
    called: BTreeSet<String>,
}

/// The calls on `self`, each as `file of the type: Type::method of other file`.
pub(super) fn circles(source: &Path) -> Vec<String> {
    let mut parts: BTreeMap<String, BTreeMap<PathBuf, Part>> = BTreeMap::new();
    for file in files(source) {
        let parsed = syn::parse_file(&fs::read_to_string(&file).unwrap()).unwrap();
        let name = file.strip_prefix(source).unwrap().to_path_buf();
        for item in parsed.items.iter().filter(|item| !attributes(item).iter().any(is_test)) {
            let (kind, is_definition) = match item {
                Item::Struct(item) => (item.ident.to_string(), true),
                Item::Enum(item) => (item.ident.to_string(), true),
                Item::Impl(item) => match inherent(item) {
                    Some(kind) => (kind, false),
                    None => continue,
                },
                _ => continue,
            };
            let part = parts.entry(kind).or_default().entry(name.clone()).or_default();
            part.defines |= is_definition;
            if let Item::Impl(item) = item {
                part.methods.extend(methods(item));
                Calls(&mut part.called).visit_item_impl(item);
            }
        }
    }
    let mut found = Vec::new();
    for (kind, parts) in parts {
        let mut defined = parts.iter().filter(|(_, part)| part.defines);
        let (Some((own, part)), None) = (defined.next(), defined.next()) else { continue };
        for (file, other) in parts.iter().filter(|(file, _)| *file != own) {
            let called = other.methods.iter().filter(|&method| part.called.contains(method));
            let called = called.filter(|&method| !part.methods.contains(method));
            let (own, file) = (own.display(), file.display());
            found.extend(called.map(|method| format!("{own}: {kind}::{method} of {file}")));
        }
    }
    found
}

/// The type whose own methods these are; `None` for those of a trait.
fn inherent(item: &ItemImpl) -> Option<String> {
    match (&item.trait_, &*item.self_ty) {
        (None, Type::Path(path)) => Some(path.path.segments.last()?.ident.to_string()),
        _ => None,
    }
}

fn methods(item: &ItemImpl) -> impl Iterator<Item = String> {
    item.items.iter().filter_map(|item| match item {
        ImplItem::Fn(method) => Some(method.sig.ident.to_string()),
        _ => None,
    })
}

/// Gathers the names of what is called on `self` and by `Self::`.
struct Calls<'a>(&'a mut BTreeSet<String>);

impl<'ast> Visit<'ast> for Calls<'_> {
    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        if matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident("self")) {
            self.0.insert(call.method.to_string());
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_path(&mut self, path: &'ast ExprPath) {
        let segments: Vec<_> = path.path.segments.iter().collect();
        if let [first, second] = segments.as_slice()
            && first.ident == "Self"
        {
            self.0.insert(second.ident.to_string());
        }
        visit::visit_expr_path(self, path);
    }
}
