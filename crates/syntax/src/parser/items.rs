//! Items: types, modules and their members; functions are in `functions`.

use super::builder::Checkpoint;
use super::lists::Separator;
use super::{Mode, Parser};
use crate::SyntaxKind;
use rowan::TextRange;

/// What is said of a type that is declared with others.
const NO_PARENTS: &str = "a type gets what a trait has by `impl Trait for Type { .. }`";

/// Where an item stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Container {
    File,
    Module,
    Trait,
    Impl,
    Block,
}

impl<'a> Parser<'a> {
    pub(super) fn source_file(&mut self) {
        self.builder.start_node(SyntaxKind::SOURCE_FILE);
        if self.at(SyntaxKind::AT)
            && self.nth(1) == SyntaxKind::IDENT
            && self.text_of(1) == "no_prelude"
        {
            self.attribute();
        }
        while !self.at(SyntaxKind::EOF) {
            self.item_or_skip(Container::File);
        }
        self.write_trivia();
        self.finish_node();
    }

    /// Reads an item, or skips to the next one. Takes at least one token.
    fn item_or_skip(&mut self, container: Container) {
        if !self.at_item_start() {
            self.no_item();
            self.skip_to_item(container);
            return;
        }
        self.item(container);
        let ended = self.at_line_start() || self.at_any(&[SyntaxKind::R_BRACE, SyntaxKind::EOF]);
        if !ended && self.at_item_start() {
            let fix = self.insert_line();
            self.error_with_fix(self.range_of(0), "expected a new line between two items", fix);
        }
    }

    fn at_item_start(&self) -> bool {
        self.at_item_keyword()
            || self.at(SyntaxKind::EXPORT_KW)
            || self.at(SyntaxKind::AT) && self.named_on_line()
            || self.foreign_item().is_some()
    }

    fn at_item_keyword(&self) -> bool {
        self.current().starts_item()
    }

    /// Reports that the current token begins no item.
    fn no_item(&mut self) {
        let range = self.range_of(0);
        match self.current() {
            SyntaxKind::R_BRACE | SyntaxKind::R_PAREN | SyntaxKind::R_BRACK => {
                let message = format!("this {} closes nothing", self.current().name());
                self.error(range, message);
            }
            SyntaxKind::SEMICOLON => self.semicolon_error(),
            SyntaxKind::AT => {
                let message = "expected the name of an attribute behind `@`";
                self.error(range, message);
            }
            _ if self.foreign_top_level() => {}
            _ => {
                let found = self.describe();
                let message = format!("expected an item such as `func`, found {found}");
                self.error(range, message);
            }
        }
    }

    fn skip_to_item(&mut self, container: Container) {
        let indentation = self.line_indentation();
        let before = self.pos;
        self.skip_while(|parser| {
            // A line that stands deeper goes on with what makes no sense.
            !(parser.at_line_start()
                && parser.at_item_start()
                && parser.line_indentation() <= indentation)
        });
        if self.pos == before && (container == Container::File || !self.at(SyntaxKind::R_BRACE)) {
            self.bump_as_error();
        }
    }

    /// Reads an item from its documentation comment on.
    pub(super) fn item(&mut self, container: Container) {
        self.write_trivia_before_item();
        self.sync();
        let start = self.builder.checkpoint();
        self.item_columns.push(self.line_indentation());
        self.suspect = None;
        let first = self.pos;
        while self.at(SyntaxKind::AT) {
            self.attribute();
        }
        self.foreign_prefix();
        let export = self.range_of(0);
        let exported = self.eat(SyntaxKind::EXPORT_KW);
        if exported && self.at(SyntaxKind::AT) {
            self.error(self.range_of(0), "`export` stands behind the attributes");
            while self.at(SyntaxKind::AT) {
                self.attribute();
            }
        }
        let kind = self.foreign_item().unwrap_or(self.current());
        if exported {
            self.check_export(kind, container, export);
        }
        if !self.item_of_kind(start, kind, container) {
            // An attribute in a block has been reported itself.
            if self.pos > first && container != Container::Block {
                let what =
                    if exported { "an item to export" } else { "an item behind the attribute" };
                self.error_expected(what);
            }
            self.wrap(start, SyntaxKind::ERROR);
        }
        self.item_columns.pop();
    }

    fn check_export(&mut self, kind: SyntaxKind, container: Container, export: rowan::TextRange) {
        let message = match (kind, container) {
            (_, Container::Trait | Container::Impl) => {
                "a member is as visible as its type: `export` stands in front of types and functions"
            }
            (SyntaxKind::IMPL_KW, _) => "an `impl` block is not exported: export its type",
            (SyntaxKind::TYPE_KW, _) => "a type alias is not exported",
            (SyntaxKind::MODULE_KW, _) => "a module block is not exported: export its items",
            _ => return,
        };
        let fix = self.replace(export, "");
        self.note_error(export, message, fix);
    }

    /// Reads the item that its keyword says, started at the checkpoint.
    fn item_of_kind(&mut self, start: Checkpoint, kind: SyntaxKind, container: Container) -> bool {
        let (node, read): (_, fn(&mut Parser<'a>)) = match kind {
            SyntaxKind::FUNC_KW => {
                self.start_at(start, SyntaxKind::FUNC);
                self.func(container);
                self.finish_node();
                return true;
            }
            SyntaxKind::TYPE_KW if matches!(container, Container::Trait | Container::Impl) => {
                (SyntaxKind::ASSOC_TYPE, Self::associated_type)
            }
            SyntaxKind::TYPE_KW => (SyntaxKind::TYPE_ALIAS, Self::type_alias),
            SyntaxKind::CONST_KW => (SyntaxKind::CONST, Self::constant),
            SyntaxKind::STRUCT_KW => (SyntaxKind::STRUCT, Self::structure),
            SyntaxKind::ENUM_KW => (SyntaxKind::ENUM, Self::enumeration),
            SyntaxKind::TRAIT_KW => (SyntaxKind::TRAIT, Self::trait_),
            SyntaxKind::IMPL_KW => (SyntaxKind::IMPL, Self::impl_),
            SyntaxKind::NEWTYPE_KW => (SyntaxKind::NEWTYPE, Self::newtype),
            SyntaxKind::IMPORT_KW => (SyntaxKind::IMPORT, Self::import),
            SyntaxKind::MODULE_KW => (SyntaxKind::MODULE, Self::module),
            _ => return false,
        };
        self.start_at(start, node);
        read(self);
        self.finish_node();
        true
    }

    /// `@name(args)`.
    pub(super) fn attribute(&mut self) {
        self.start(SyntaxKind::ATTR);
        self.bump();
        if self.at(SyntaxKind::IDENT) && !self.at_line_start() {
            self.name_ref();
        } else {
            self.error_expected("the name of an attribute");
        }
        if self.at(SyntaxKind::IDENT) && !self.at_line_start() && self.foreign_item().is_none() {
            let message = "the arguments of an attribute stand in parentheses";
            let (first, gap) = (self.range_of(0), self.previous_end());
            let index = self.errors.len();
            self.error(first, message);
            self.skip_line();
            let whole = TextRange::new(first.start(), self.previous_end());
            let written = self.slice(whole);
            let fix = self.replace(TextRange::new(gap, whole.end()), &format!("({written})"));
            if let Some(error) = self.errors.get_mut(index) {
                error.fix = fix.filter(|_| !written.contains('('));
            }
        }
        if self.at(SyntaxKind::L_PAREN) && !self.at_line_start() {
            self.start(SyntaxKind::ATTR_ARG_LIST);
            let mode = Mode { aliases: true, ..Mode::GROUP };
            self.with_mode(mode, |parser| {
                parser.list(
                    SyntaxKind::R_PAREN,
                    Separator::Comma,
                    "a name or `label: value`",
                    Self::attribute_argument,
                );
            });
            self.finish_node();
        }
        self.finish_node();
    }

    fn attribute_argument(&mut self) {
        if !self.at(SyntaxKind::IDENT) {
            return;
        }
        self.start(SyntaxKind::ATTR_ARG);
        self.name_ref();
        if self.at(SyntaxKind::EQ) {
            let fix = self.replace(self.range_of(0), ":");
            let message = "an argument of an attribute is written `label: value`";
            self.error_with_fix(self.range_of(0), message, fix);
            self.bump_as_error();
            self.expr();
        } else if self.eat(SyntaxKind::COLON) {
            self.expr();
        } else if self.at_literal() || self.at(SyntaxKind::L_BRACK) {
            let fix = self.insert(self.previous_end(), ":");
            self.error_expected_with_fix("`:` in front of the value of the argument", fix);
            self.expr();
        }
        self.finish_node();
    }

    /// The name that a declaration gives which compiled code has a symbol for: two underscores separate its parts.
    pub(super) fn symbol(&mut self, what: &str) {
        if self.at(SyntaxKind::IDENT) && self.text_of(0).contains("__") {
            let message = "a declared name has no two underscores side by side";
            self.note_error(self.range_of(0), message, None);
        }
        self.name(what);
    }

    /// The name that a declaration gives.
    pub(super) fn name(&mut self, what: &str) {
        if self.at(SyntaxKind::IDENT) {
            self.bump_within(&[SyntaxKind::NAME]);
        } else if self.current().is_keyword() && !self.at_line_start() {
            let word = self.current().name();
            let message = format!("expected {what}, found {word}, which is a reserved word");
            self.error(self.range_of(0), message);
            self.bump_as_error();
        } else {
            self.error_expected(what);
        }
    }

    /// Takes the current token as a use of a name.
    pub(super) fn name_ref(&mut self) {
        if self.at(SyntaxKind::IDENT) {
            return self.bump_within(&[SyntaxKind::NAME_REF]);
        }
        self.start(SyntaxKind::NAME_REF);
        self.bump();
        self.finish_node();
    }

    /// `const NAME: T = value`.
    fn constant(&mut self) {
        self.keyword_or_foreign(SyntaxKind::CONST_KW);
        self.symbol("the name of the constant");
        if self.at(SyntaxKind::EQ) {
            let message = "a constant needs a type: write `const NAME: type = value`";
            let ty = match self.nth(1) {
                SyntaxKind::INT => Some("i32"),
                SyntaxKind::FLOAT => Some("f64"),
                SyntaxKind::CHAR => Some("char"),
                SyntaxKind::STRING_START => Some("string"),
                SyntaxKind::TRUE_KW | SyntaxKind::FALSE_KW => Some("bool"),
                _ => None,
            };
            let suffixed = self.text_of(1).ends_with(|c: char| c.is_ascii_digit())
                && self.text_of(1).contains(['i', 'u', 'f']);
            let fix = ty
                .filter(|_| !suffixed)
                .and_then(|ty| self.insert(self.previous_end(), &format!(": {ty}")));
            self.error_with_fix(self.range_of(0), message, fix);
        } else {
            self.typed_by_colon("the constant");
        }
        if self.expect(SyntaxKind::EQ) {
            self.with_mode(Mode::BLOCK, Self::expr);
        }
    }

    fn structure(&mut self) {
        self.keyword_or_foreign(SyntaxKind::STRUCT_KW);
        self.symbol("the name of the struct");
        self.generic_params();
        self.foreign_generics();
        self.foreign_parents(NO_PARENTS);
        self.where_clause();
        if !self.foreign_struct_body() {
            self.field_list();
        }
    }

    fn field_list(&mut self) {
        if !self.brace_of("the fields") {
            return;
        }
        self.start(SyntaxKind::FIELD_LIST);
        self.list(SyntaxKind::R_BRACE, Separator::CommaOrLine, "a field", Self::field);
        self.finish_node();
    }

    /// Takes functions that stand among the fields of a type.
    fn methods_among_fields(&mut self) {
        let message = "the functions of a type stand in a block of their own: `impl Name { .. }`";
        self.error(self.range_of(0), message);
        let muted = std::mem::replace(&mut self.muted, true);
        self.start(SyntaxKind::ERROR);
        while self.at_line_start() && self.at(SyntaxKind::FUNC_KW) {
            let before = self.pos;
            self.item_or_skip(Container::Impl);
            if self.pos == before {
                break;
            }
        }
        self.finish_node();
        self.muted = muted;
    }

    fn field(&mut self) {
        if self.at_method_line() {
            return self.methods_among_fields();
        }
        self.write_trivia_before_item();
        self.foreign_prefix();
        self.foreign_entry_word();
        if !self.at_any(&[SyntaxKind::IDENT, SyntaxKind::EXPORT_KW]) {
            return;
        }
        self.builder.start_node(SyntaxKind::FIELD);
        self.eat(SyntaxKind::EXPORT_KW);
        if self.foreign_typed_name("a field") {
            self.finish_node();
            return;
        }
        self.symbol("the name of a field");
        self.typed_by_colon("a field");
        self.stray_gt();
        self.foreign_field_value();
        self.finish_node();
    }

    fn enumeration(&mut self) {
        self.keyword_or_foreign(SyntaxKind::ENUM_KW);
        self.symbol("the name of the enum");
        self.generic_params();
        self.foreign_generics();
        self.where_clause();
        if self.at(SyntaxKind::EQ) {
            self.error(
                self.range_of(0),
                "the variants of an enum stand in braces, with commas between them",
            );
        }
        if !self.brace_of("the variants") {
            return;
        }
        self.start(SyntaxKind::VARIANT_LIST);
        self.list(SyntaxKind::R_BRACE, Separator::CommaOrLine, "a variant", Self::variant);
        self.finish_node();
    }

    fn variant(&mut self) {
        if self.at_method_line() {
            return self.methods_among_fields();
        }
        self.foreign_entry_word();
        if !self.at(SyntaxKind::IDENT) {
            return;
        }
        self.write_trivia_before_item();
        self.builder.start_node(SyntaxKind::VARIANT);
        self.symbol("the name of a variant");
        if self.at(SyntaxKind::L_PAREN) && !self.at_line_start() {
            if self.nth(1) == SyntaxKind::R_PAREN {
                let parens = TextRange::new(self.range_of(0).start(), self.range_of(1).end());
                let fix = self.replace(parens, "");
                self.note_error(parens, "a variant that holds nothing has no parentheses", fix);
            }
            self.start(SyntaxKind::TUPLE_FIELD_LIST);
            self.list(SyntaxKind::R_PAREN, Separator::Comma, "a type", Self::type_if_any);
            self.finish_node();
        } else if self.at(SyntaxKind::L_BRACE) && !self.at_line_start() {
            self.field_list();
        } else if self.at(SyntaxKind::EQ) {
            self.note_error(self.range_of(0), "a variant has no number", None);
            self.bump_as_error();
            self.expr();
        } else if self.at(SyntaxKind::COLON) && !self.at_line_start() {
            let message = "what a variant holds stands in parentheses, or in braces with names";
            self.error(self.range_of(0), message);
            self.skip_while(|parser| !parser.at(SyntaxKind::COMMA) && !parser.at_line_start());
        }
        self.finish_node();
    }

    fn trait_(&mut self) {
        self.keyword_or_foreign(SyntaxKind::TRAIT_KW);
        self.symbol("the name of the trait");
        self.generic_params();
        self.foreign_parents("a trait stands for itself: a bound names several, as in `T: A + B`");
        self.where_clause();
        self.members(Container::Trait);
    }

    fn impl_(&mut self) {
        self.keyword_or_foreign(SyntaxKind::IMPL_KW);
        self.generic_params();
        if self.at_path_start() {
            let start = self.checkpoint();
            self.type_path();
            if self.eat(SyntaxKind::FOR_KW) {
                self.type_();
            } else if self.at(SyntaxKind::IDENT) && !self.at_line_start() && self.brace_on_line() {
                let fix = self.insert(self.range_of(0).start(), "for ");
                let message = "a type gets what a trait has by `impl Trait for Type { .. }`";
                self.error_with_fix(self.range_of(0), message, fix);
                self.type_();
            } else {
                self.wrap(start, SyntaxKind::PATH_TYPE);
            }
        } else {
            self.type_();
        }
        self.foreign_parents(NO_PARENTS);
        self.where_clause();
        self.members(Container::Impl);
    }

    fn members(&mut self, container: Container) {
        if !self.brace_of("the members") {
            return;
        }
        self.start(SyntaxKind::ASSOC_ITEM_LIST);
        let open = self.range_of(0);
        self.bump();
        while !self.at_any(&[SyntaxKind::R_BRACE, SyntaxKind::EOF]) {
            let member = self.at_any(&[
                SyntaxKind::FUNC_KW,
                SyntaxKind::TYPE_KW,
                SyntaxKind::AT,
                SyntaxKind::EXPORT_KW,
            ]) || self.foreign_item() == Some(SyntaxKind::FUNC_KW);
            if self.at_item_keyword() && !member {
                if self.closes_items() {
                    break;
                }
                let message = format!(
                    "{} is no member: types and traits have functions and types in them",
                    self.current().name()
                );
                self.error(self.range_of(0), message);
                // What it holds has no place here, whatever it is.
                let muted = std::mem::replace(&mut self.muted, true);
                self.item_or_skip(container);
                self.muted = muted;
                continue;
            }
            let field = self.at_any(&[SyntaxKind::IDENT, SyntaxKind::VAL_KW, SyntaxKind::MUT_KW]);
            if field && !member && self.foreign_item().is_none() {
                if self.at(SyntaxKind::IDENT) && self.nth(1) == SyntaxKind::L_PAREN {
                    let message = "a function of a type or a trait begins with `func`";
                    let fix = self.insert(self.range_of(0).start(), "func ");
                    self.error_with_fix(self.range_of(0), message, fix);
                } else {
                    let message = "a field stands in the `struct`, a statement in a function";
                    self.error(self.range_of(0), message);
                }
            }
            self.item_or_skip(container);
        }
        self.close_items(open);
    }

    fn module(&mut self) {
        self.keyword_or_foreign(SyntaxKind::MODULE_KW);
        self.symbol("the name of the module");
        if !self.brace_of("the items of the module") {
            return;
        }
        self.nested(|parser| {
            parser.start(SyntaxKind::ITEM_LIST);
            let open = parser.range_of(0);
            parser.bump();
            while !parser.at_any(&[SyntaxKind::R_BRACE, SyntaxKind::EOF]) {
                parser.item_or_skip(Container::Module);
            }
            parser.close_items(open);
        });
    }

    fn close_items(&mut self, open: rowan::TextRange) {
        if !self.eat(SyntaxKind::R_BRACE) {
            self.error(open, "this `{` is never closed: expected `}`");
        }
        self.finish_node();
    }

    /// Whether the item that begins here stands further out than its container,
    /// so that the container must have been left open.
    pub(super) fn closes_items(&self) -> bool {
        self.at_line_start()
            && self.item_columns.last().is_some_and(|column| self.line_indentation() <= *column)
    }

    /// `newtype N = T`.
    fn newtype(&mut self) {
        self.keyword_or_foreign(SyntaxKind::NEWTYPE_KW);
        self.symbol("the name of the newtype");
        self.foreign_equals("a newtype is written `newtype Name = type`");
        if self.expect(SyntaxKind::EQ) {
            self.type_();
        }
    }

    /// `type N`, perhaps `= T`; gives whether there is a type.
    fn alias(&mut self) -> bool {
        self.keyword_or_foreign(SyntaxKind::TYPE_KW);
        self.name("the name of the type");
        self.foreign_equals("a type alias is written `type Name = type`");
        let has_type = self.eat(SyntaxKind::EQ);
        if has_type {
            self.type_();
        }
        has_type
    }

    fn associated_type(&mut self) {
        self.alias();
    }

    /// `type N = T`.
    fn type_alias(&mut self) {
        if !self.alias() {
            self.error_expected("`=` and a type");
        }
    }

    fn import(&mut self) {
        self.keyword_or_foreign(SyntaxKind::IMPORT_KW);
        if self.at_any(&[SyntaxKind::L_BRACE, SyntaxKind::STAR]) && !self.at_line_start() {
            let message = "the names of a module stand behind it, such as `import a::{b, c}`";
            self.error(self.range_of(0), message);
            self.skip_line();
            return;
        }
        self.start(SyntaxKind::IMPORT_PATH);
        if self.at(SyntaxKind::DOT) && self.nth(1) == SyntaxKind::SLASH {
            self.bump();
            self.bump();
        }
        self.import_name();
        while self.at_any(&[SyntaxKind::COLON2, SyntaxKind::DOT, SyntaxKind::SLASH])
            && self.nth(1) != SyntaxKind::L_BRACE
            && !self.at_line_start()
        {
            if !self.eat(SyntaxKind::COLON2) {
                let fix = self.replace(self.range_of(0), "::");
                self.error_with_fix(self.range_of(0), "a module path is joined by `::`", fix);
                self.bump_as_error();
            }
            self.import_name();
        }
        self.finish_node();
        if self.at(SyntaxKind::COLON2) {
            self.bump();
            self.start(SyntaxKind::IMPORT_LIST);
            self.list(SyntaxKind::R_BRACE, Separator::CommaOrLine, "a name", Self::import_entry);
            self.finish_node();
        } else {
            self.rename();
        }
        if self.at_line_start() {
            return;
        }
        let message = if self.at(SyntaxKind::COMMA) {
            "each module is imported on a line of its own"
        } else if self.at_word("from") {
            "names are brought in by `import module::name`"
        } else {
            return;
        };
        self.error(self.range_of(0), message);
        self.skip_line();
    }

    fn import_name(&mut self) {
        if self.at(SyntaxKind::STAR) && !self.at_line_start() {
            let message = "each imported name is written out, such as `import a::{b, c}`";
            self.error(self.range_of(0), message);
            self.bump_as_error();
        } else if self.at(SyntaxKind::STRING_START) && !self.at_line_start() {
            let message = "a module is imported by its path, such as `import a::b`";
            self.error(self.range_of(0), message);
            self.skip_line();
        } else if self.at(SyntaxKind::IDENT) && !self.at_line_start() {
            self.name_ref();
        } else {
            self.error_expected("the name of a module or an item");
        }
    }

    fn import_entry(&mut self) {
        if !self.at(SyntaxKind::IDENT) {
            return;
        }
        self.start(SyntaxKind::IMPORT_ENTRY);
        self.name_ref();
        self.rename();
        self.finish_node();
    }

    fn rename(&mut self) {
        if self.at(SyntaxKind::AS_KW) {
            self.start(SyntaxKind::RENAME);
            self.bump();
            self.name("a new name");
            self.finish_node();
        }
    }
}
