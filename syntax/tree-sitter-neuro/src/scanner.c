// What the grammar cannot tell from one character to come: the end of a statement, numbers, strings with
// their holes, nested comments, formats.
//
// The rules are those of the compiler's lexer and parser (`crates/syntax`). The state of the scanner is the
// strings around the current place: a string of more than one line may hold holes, a hole holds no string.

#include "tree_sitter/alloc.h"
#include "tree_sitter/parser.h"

#include <string.h>

enum Token {
    NEWLINE,
    ITEM_END,
    LABEL_AHEAD,
    TWO_TRIES,
    TWO_TRIES_HEAD,
    INTEGER,
    FLOAT,
    STRING_OPEN,
    STRING_TEXT,
    STRING_CLOSE,
    FORMAT,
    COMMENT_REST,
    MALFORMED,
    RECOVERING,
};

// The greatest width and precision of a format.
#define FORMAT_MAX 65535
// As much of the indentation of a block string as is compared.
#define INDENT_MAX 255

// The string that the current place is in; strings do not nest.
enum InString { OUTSIDE, IN_LINE, IN_BLOCK };

typedef struct {
    uint8_t string;
} Scanner;

static inline int32_t peek(TSLexer *lexer) { return lexer->lookahead; }
static inline void next(TSLexer *lexer) { lexer->advance(lexer, false); }
static inline void skip(TSLexer *lexer) { lexer->advance(lexer, true); }
static inline bool at_end(TSLexer *lexer) { return lexer->eof(lexer); }

static inline bool is_blank(int32_t c) { return c == ' ' || c == '\t' || c == '\r'; }
static inline bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }
static inline bool is_letter(int32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static inline bool is_word_start(int32_t c) { return is_letter(c) || c == '_' || c >= 0x80; }
static inline bool is_word(int32_t c) { return is_word_start(c) || is_digit(c); }

static bool found(TSLexer *lexer, enum Token token) {
    lexer->result_symbol = token;
    return true;
}

// Reads the rest of a comment behind its `/*`; false when it never ends.
static bool comment_rest(TSLexer *lexer, bool *has_line_end) {
    unsigned depth = 1;
    while (!at_end(lexer)) {
        int32_t c = peek(lexer);
        next(lexer);
        if (c == '\n') {
            *has_line_end = true;
        } else if (c == '/' && peek(lexer) == '*') {
            next(lexer);
            depth++;
        } else if (c == '*' && peek(lexer) == '/') {
            next(lexer);
            if (--depth == 0) {
                return true;
            }
        }
    }
    return false;
}

// Reads white space and comments. Gives the character behind a `/` that begins no comment, or 0.
static int32_t trivia(TSLexer *lexer, bool *has_line_end) {
    for (;;) {
        int32_t c = peek(lexer);
        if (c == '\n') {
            *has_line_end = true;
            next(lexer);
        } else if (is_blank(c)) {
            next(lexer);
        } else if (c == '/') {
            next(lexer);
            if (peek(lexer) == '/') {
                while (!at_end(lexer) && peek(lexer) != '\n') {
                    next(lexer);
                }
            } else if (peek(lexer) == '*') {
                next(lexer);
                comment_rest(lexer, has_line_end);
            } else {
                return '/';
            }
        } else {
            return 0;
        }
    }
}

// Reads a word of ASCII letters; gives whether it is one of the words, separated by spaces.
static bool is_one_of(TSLexer *lexer, const char *words) {
    char word[16];
    unsigned length = 0;
    while (is_word(peek(lexer))) {
        if (length + 1 >= sizeof word || peek(lexer) >= 0x80) {
            return false;
        }
        word[length++] = (char)peek(lexer);
        next(lexer);
    }
    for (const char *at = words; *at;) {
        const char *end = strchr(at, ' ');
        size_t size = end ? (size_t)(end - at) : strlen(at);
        if (size == length && memcmp(at, word, size) == 0) {
            return true;
        }
        at += size + (end ? 1 : 0);
    }
    return false;
}

// Whether the line that begins here goes on with the one before.
static bool line_goes_on(TSLexer *lexer, bool item) {
    int32_t c = peek(lexer);
    switch (c) {
        case '}': case ')': case ']': case ',': case ':': case '=': case '+': case '%':
        case '<': case '>': case '^': case '?':
            return true;
        case '{':
            return item;
        default:
            break;
    }
    if (is_word_start(c)) {
        return is_one_of(lexer, "else as where in");
    }
    next(lexer);
    int32_t then = peek(lexer);
    switch (c) {
        case '.':
            return then != '.';
        case '|':
            return then == '>' || then == '|';
        case '&':
            return then == '&';
        case '-':
            return then == '>' || then == '=';
        case '*': case '!':
            return then == '=';
        default:
            return false;
    }
}

// The end of a line that ends a statement or an item.
static bool line_end(TSLexer *lexer, bool item, enum Token token, bool recovering) {
    // A comment in front of the end of the line comes first: here only what is blank is passed over.
    while (is_blank(peek(lexer))) {
        skip(lexer);
    }
    bool has_line_end = false;
    if (peek(lexer) == '\n') {
        has_line_end = true;
        next(lexer);
        lexer->mark_end(lexer);
    } else if (recovering) {
        // A token without text would be found again and again.
        return false;
    } else {
        lexer->mark_end(lexer);
        if (peek(lexer) == '/') {
            // A comment of one line is a token of its own, and the end of the line comes behind it.
            next(lexer);
            if (peek(lexer) != '*') {
                return false;
            }
            next(lexer);
            if (!comment_rest(lexer, &has_line_end)) {
                return false;
            }
        }
    }
    int32_t slash = trivia(lexer, &has_line_end);
    if (!has_line_end || slash || at_end(lexer) || line_goes_on(lexer, item)) {
        return false;
    }
    return found(lexer, token);
}

// A name, a colon and the keyword of a loop.
static bool label_ahead(TSLexer *lexer) {
    while (is_word(peek(lexer))) {
        next(lexer);
    }
    bool has_line_end = false;
    if (trivia(lexer, &has_line_end) || peek(lexer) != ':') {
        return false;
    }
    next(lexer);
    if (peek(lexer) == ':' || trivia(lexer, &has_line_end)) {
        return false;
    }
    return is_one_of(lexer, "loop while for") && found(lexer, LABEL_AHEAD);
}

// Whether an operand begins here, behind white space.
static bool operand_begins(TSLexer *lexer, bool head) {
    bool has_line_end = false;
    if (trivia(lexer, &has_line_end)) {
        return false;
    }
    int32_t c = peek(lexer);
    if (is_digit(c)) {
        return true;
    }
    if (is_word_start(c)) {
        return !is_one_of(
            lexer,
            "_ else as where in func val mut const struct enum impl trait type newtype import export module "
            "dyn pool"
        );
    }
    switch (c) {
        case '(': case '[': case '~': case '\'': case '"':
            return true;
        case '{':
            return !head;
        default:
            break;
    }
    next(lexer);
    int32_t then = peek(lexer);
    switch (c) {
        case '-':
            return then != '>' && then != '=';
        case '!': case '*':
            return then != '=';
        case '|':
            return then != '>';
        case '.':
            return then == '.';
        case '&':
            return true;
        default:
            return false;
    }
}

static bool two_tries(TSLexer *lexer, bool head) {
    next(lexer);
    if (peek(lexer) != '?') {
        return false;
    }
    next(lexer);
    lexer->mark_end(lexer);
    return !operand_begins(lexer, head) && found(lexer, head ? TWO_TRIES_HEAD : TWO_TRIES);
}

// A power and a shift to the right, which the language does not have: `a ** b`, `a >> 1`.
static bool foreign_operator(TSLexer *lexer, int32_t c) {
    next(lexer);
    if (peek(lexer) != c) {
        return false;
    }
    next(lexer);
    lexer->mark_end(lexer);
    bool has_line_end = false;
    if (c == '>' && (trivia(lexer, &has_line_end) || !is_digit(peek(lexer)))) {
        return false;
    }
    return found(lexer, MALFORMED);
}

static bool is_suffix(const char *suffix, bool is_float) {
    static const char *const ints[] = {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"};
    static const char *const floats[] = {"f16", "bf16", "f32", "f64"};
    const char *const *list = is_float ? floats : ints;
    unsigned count = is_float ? 4 : 8;
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(suffix, list[i]) == 0) {
            return true;
        }
    }
    return *suffix == 0;
}

// Reads the letters and digits behind a number; false when they are no suffix.
static bool number_suffix(TSLexer *lexer, bool is_float) {
    char suffix[8];
    unsigned length = 0;
    bool fits = true;
    while (is_letter(peek(lexer)) || is_digit(peek(lexer)) || peek(lexer) == '_') {
        if (length + 1 < sizeof suffix) {
            suffix[length++] = (char)peek(lexer);
        } else {
            fits = false;
        }
        next(lexer);
    }
    suffix[length] = 0;
    lexer->mark_end(lexer);
    return fits && is_suffix(suffix, is_float);
}

static int digit_value(int32_t c) {
    if (is_digit(c)) {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

// Reads digits and underscores; gives how many digits. `fits` becomes false past 64 bits.
static unsigned digits(TSLexer *lexer, unsigned base, bool *fits) {
    uint64_t value = 0;
    unsigned count = 0;
    for (;;) {
        int32_t c = peek(lexer);
        if (c == '_' && (count > 0 || base == 10)) {
            next(lexer);
            continue;
        }
        unsigned digit = (unsigned)digit_value(c);
        if (digit >= base) {
            return count;
        }
        if (value > (UINT64_MAX - digit) / base) {
            *fits = false;
        } else {
            value = value * base + digit;
        }
        count++;
        next(lexer);
    }
}

static bool number(TSLexer *lexer, const bool *valid) {
    bool fits = true;
    bool good;
    bool is_float = false;
    if (peek(lexer) == '0') {
        next(lexer);
        int32_t c = peek(lexer);
        unsigned base = c == 'x' || c == 'X' ? 16 : c == 'o' || c == 'O' ? 8 : c == 'b' || c == 'B' ? 2 : 10;
        if (base != 10) {
            next(lexer);
            unsigned count = digits(lexer, base, &fits);
            good = number_suffix(lexer, false) && count > 0 && fits;
            return found(lexer, good && valid[INTEGER] ? INTEGER : MALFORMED);
        }
    }
    digits(lexer, 10, &fits);
    lexer->mark_end(lexer);
    good = true;
    if (peek(lexer) == '.') {
        next(lexer);
        if (!is_digit(peek(lexer))) {
            // A range, a field or a method behind an integer.
            return found(lexer, fits && valid[INTEGER] ? INTEGER : MALFORMED);
        }
        is_float = true;
        bool ignored = true;
        digits(lexer, 10, &ignored);
    }
    if (peek(lexer) == 'e' || peek(lexer) == 'E') {
        lexer->mark_end(lexer);
        next(lexer);
        if (peek(lexer) == '+' || peek(lexer) == '-') {
            next(lexer);
        }
        bool ignored = true;
        if (!is_digit(peek(lexer))) {
            return found(lexer, MALFORMED);
        }
        digits(lexer, 10, &ignored);
        is_float = true;
    }
    good = number_suffix(lexer, is_float) && (is_float || fits);
    enum Token token = is_float ? FLOAT : INTEGER;
    return found(lexer, good && valid[token] ? token : MALFORMED);
}

// Reads a character in a hole, so that a brace in it closes nothing; the quote is read.
static void hole_character(TSLexer *lexer) {
    if (peek(lexer) == '\\') {
        next(lexer);
        next(lexer);
        while (!at_end(lexer) && peek(lexer) != '\n' && peek(lexer) != '\'') {
            next(lexer);
        }
    } else if (peek(lexer) != '\'' && peek(lexer) != '\n') {
        next(lexer);
    }
    if (peek(lexer) == '\'') {
        next(lexer);
    }
}

// Looks at a block string behind its opening quotes: whether the closing ones stand alone on their line,
// and every line is indented at least as they are.
static bool is_block_string(TSLexer *lexer) {
    int32_t common[INDENT_MAX];
    int32_t indent[INDENT_MAX];
    unsigned common_length = INDENT_MAX;
    bool any = false;
    unsigned indent_length = 0;
    // Whether only white space was seen since the beginning of the line.
    bool blank = false;
    unsigned depth = 0;
    unsigned quotes = 0;
    while (!at_end(lexer)) {
        int32_t c = peek(lexer);
        next(lexer);
        quotes = c == '"' ? quotes + 1 : 0;
        if (quotes == 3) {
            if (depth > 0 || !blank) {
                return false;
            }
            bool starts = !any || common_length >= indent_length;
            for (unsigned i = 0; starts && any && i < indent_length; i++) {
                starts = common[i] == indent[i];
            }
            return starts;
        }
        if (depth > 0) {
            if (c == '\'') {
                hole_character(lexer);
            } else if (c == '{') {
                depth++;
            } else if (c == '}') {
                depth--;
            }
            continue;
        }
        if (c == '\n') {
            blank = true;
            indent_length = 0;
            continue;
        }
        if (blank && is_blank(c)) {
            if (indent_length < INDENT_MAX) {
                indent[indent_length++] = c;
            }
            continue;
        }
        if (blank && c != '"') {
            blank = false;
            unsigned same = 0;
            unsigned limit = any && common_length < indent_length ? common_length : indent_length;
            while (any && same < limit && common[same] == indent[same]) {
                same++;
            }
            if (!any) {
                memcpy(common, indent, indent_length * sizeof *common);
                same = indent_length;
            }
            common_length = same;
            any = true;
        }
        if (c == '"' && peek(lexer) != '"' && quotes < 3 && blank) {
            // One or two quotes are text.
            blank = false;
            common_length = any && common_length < indent_length ? common_length : indent_length;
            any = true;
        }
        if (c == '\\') {
            next(lexer);
        } else if (c == '{') {
            depth = 1;
        }
    }
    return false;
}

static bool string_open(Scanner *scanner, TSLexer *lexer) {
    next(lexer);
    lexer->mark_end(lexer);
    bool block = false;
    if (peek(lexer) == '"') {
        next(lexer);
        if (peek(lexer) == '"') {
            next(lexer);
            lexer->mark_end(lexer);
            block = true;
        }
    }
    if (scanner->string != OUTSIDE) {
        // A hole holds no string.
        return found(lexer, MALFORMED);
    }
    if (block && !is_block_string(lexer)) {
        return found(lexer, MALFORMED);
    }
    scanner->string = block ? IN_BLOCK : IN_LINE;
    return found(lexer, STRING_OPEN);
}

// The text of a string up to an escape, a hole or the end.
static bool string_text(Scanner *scanner, TSLexer *lexer) {
    bool any = false;
    bool block = scanner->string == IN_BLOCK;
    for (;;) {
        lexer->mark_end(lexer);
        int32_t c = peek(lexer);
        if (at_end(lexer) || (c == '\n' && !block)) {
            scanner->string = any ? scanner->string : OUTSIDE;
            return found(lexer, any ? STRING_TEXT : MALFORMED);
        }
        if (c == '"') {
            unsigned quotes = 0;
            unsigned wanted = block ? 3 : 1;
            while (quotes < wanted && peek(lexer) == '"') {
                next(lexer);
                quotes++;
            }
            if (quotes == wanted) {
                if (any) {
                    return found(lexer, STRING_TEXT);
                }
                lexer->mark_end(lexer);
                scanner->string = OUTSIDE;
                return found(lexer, STRING_CLOSE);
            }
            any = true;
            continue;
        }
        if (c == '\\' || c == '{' || c == '}') {
            return any && found(lexer, STRING_TEXT);
        }
        next(lexer);
        any = true;
    }
}

// Reads a number of a format; false when it is too great.
static bool format_number(TSLexer *lexer, bool *any) {
    uint32_t value = 0;
    *any = false;
    while (is_digit(peek(lexer))) {
        value = value * 10 + (uint32_t)(peek(lexer) - '0');
        if (value > FORMAT_MAX) {
            return false;
        }
        *any = true;
        next(lexer);
    }
    return true;
}

// What stands behind the colon of a hole: [< > ^][+][0][width][.precision][? e d x X b o]
static bool format(TSLexer *lexer) {
    bool something = false;
    bool any;
    int32_t c = peek(lexer);
    if (c == '<' || c == '>' || c == '^') {
        next(lexer);
        something = true;
    }
    if (peek(lexer) == '+') {
        next(lexer);
        something = true;
    }
    if (!format_number(lexer, &any)) {
        return false;
    }
    something = something || any;
    if (peek(lexer) == '.') {
        next(lexer);
        if (!format_number(lexer, &any) || !any) {
            return false;
        }
        something = true;
    }
    c = peek(lexer);
    if (c != 0 && c < 0x80 && strchr("?edxXbo", (char)c)) {
        next(lexer);
        something = true;
    }
    lexer->mark_end(lexer);
    return something && found(lexer, FORMAT);
}

bool tree_sitter_neuro_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
    Scanner *scanner = payload;
    bool recovering = valid[RECOVERING];

    if (valid[COMMENT_REST] && !recovering) {
        bool ignored = false;
        // A comment that never ends takes the rest of the text, so that it is looked through once.
        enum Token token = comment_rest(lexer, &ignored) ? COMMENT_REST : MALFORMED;
        lexer->mark_end(lexer);
        return found(lexer, token);
    }
    if (valid[FORMAT] && !recovering) {
        return format(lexer);
    }
    if (valid[STRING_TEXT] && scanner->string != OUTSIDE && !recovering) {
        return string_text(scanner, lexer);
    }

    lexer->mark_end(lexer);
    while (is_blank(peek(lexer))) {
        skip(lexer);
    }
    bool line_ends = peek(lexer) == '\n' || peek(lexer) == '/';
    if (line_ends && scanner->string != IN_LINE && (valid[NEWLINE] || valid[ITEM_END])) {
        bool item = valid[ITEM_END] && !valid[NEWLINE];
        return line_end(lexer, item, item ? ITEM_END : NEWLINE, recovering);
    }
    while (peek(lexer) == '\n' || is_blank(peek(lexer))) {
        if (peek(lexer) == '\n' && scanner->string == IN_LINE) {
            // The string around the hole has ended with its line.
            lexer->mark_end(lexer);
            scanner->string = OUTSIDE;
            next(lexer);
            return found(lexer, MALFORMED);
        }
        skip(lexer);
    }
    int32_t c = peek(lexer);
    if (is_digit(c) && (valid[INTEGER] || valid[FLOAT])) {
        return number(lexer, valid);
    }
    if (c == '"' && (valid[STRING_OPEN] || recovering)) {
        return string_open(scanner, lexer);
    }
    if (c == '\'' && scanner->string != OUTSIDE) {
        // The quote ends the string, even as a character.
        next(lexer);
        if (peek(lexer) == '"') {
            next(lexer);
            lexer->mark_end(lexer);
            return found(lexer, MALFORMED);
        }
        return false;
    }
    if (recovering) {
        return false;
    }
    bool behind_operand = valid[TWO_TRIES] || valid[TWO_TRIES_HEAD];
    if (c == '?' && behind_operand) {
        return two_tries(lexer, !valid[TWO_TRIES]);
    }
    if ((c == '*' || c == '>') && behind_operand) {
        return foreign_operator(lexer, c);
    }
    if (is_word_start(c) && valid[LABEL_AHEAD]) {
        lexer->mark_end(lexer);
        return label_ahead(lexer);
    }
    return false;
}

void *tree_sitter_neuro_external_scanner_create(void) { return ts_calloc(1, sizeof(Scanner)); }

void tree_sitter_neuro_external_scanner_destroy(void *payload) { ts_free(payload); }

unsigned tree_sitter_neuro_external_scanner_serialize(void *payload, char *buffer) {
    Scanner *scanner = payload;
    buffer[0] = (char)scanner->string;
    return 1;
}

void tree_sitter_neuro_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
    Scanner *scanner = payload;
    scanner->string = length > 0 ? (uint8_t)buffer[0] : OUTSIDE;
}
