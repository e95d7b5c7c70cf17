/* Shared by the scanner and the grammar of litmus tests: the state of one parse and the constructors of AST nodes. */
#pragma once

#include "litmus/litmus.h"

struct litmus_parse {
  struct arena *arena;
  struct intern *names;
  struct diags *diags;
  const struct source *source;
  struct litmus_test *test;
  struct litmus_key *last_key;
  struct litmus_kernel *last_kernel;
  const struct litmus_word *list; /* in a tensor map: the keyword of the numbers that are being read */
  bool says_threads;              /* a `threads` without numbers was read */
  bool has_gpu;                   /* `gpu 1:` precedes the next kernel */
  uint32_t gpu;
  struct span token;        /* scanner: the last token */
  struct span stray;        /* scanner: the last byte outside the grammar */
  struct span opened;       /* scanner: the start of the current comment or quoted text */
  bool after_file;          /* scanner: the name of a kernel comes next */
  uint32_t depth;           /* scanner: the number of open comments, or of open braces in a skipped section */
  int comment_state;        /* scanner: the state to return to after a comment */
  uint32_t errors;          /* the number of errors reported by this parse */
  bool lost;                /* an entry or a row has an error, so names that it defines may be missing */
  bool stopped;             /* nothing more is read or reported */
  uint8_t section;          /* scanner: 0 outside the columns, 1 in their heading, 2 in their rows */
  bool has_hosts, in_host;  /* scanner: some column, the current column is of a host */
  bool after_at;            /* scanner: a placement begins */
  bool cell_begins;         /* scanner: the next token may begin a cell */
  uint32_t hosts_beside;    /* blocks of hosts so far */
  uint32_t block;           /* scanner: in a block of a host, the number of open braces; else 0 */
  uint64_t dos;             /* scanner: for each open brace in it, a bit, the last one lowest: it is that of a do */
  bool after_do, do_ends;   /* scanner: the last word is do; the last token closes a do */
  bool brace_ends;          /* scanner: the last token closes a brace */
  uint32_t column;
  VEC(bool) hosts;          /* by column */
  bool state;               /* the input is a state, and not a test */
  uint32_t open[3];         /* the numbers of open brackets: { [ ( */
  struct span open_span[3]; /* the outermost open bracket of each kind */
};

/* A node for the tree of `parse`, with its members: NODE(operand, .kind = LITMUS_NUMBER, .span = span). */
#define NODE(name, ...) ARENA_MAKE(parse->arena, struct litmus_##name, __VA_ARGS__)

/* Reports an error of this parse, to which a hint may be added; after too many the parse stops. */
struct diagnostic *litmus_error(struct litmus_parse *parse, enum diag_code code, struct span span, const char *format,
                                ...) PRINTF_LIKE(4, 5);

/* Reports an error, and stops the parse. */
struct diagnostic *litmus_fatal(struct litmus_parse *parse, enum diag_code code, struct span span, const char *format,
                                ...) PRINTF_LIKE(4, 5);

/* For scanners: records and returns the place of the next token; returns the place of the end; the token as a word. */
struct span litmus_scan_token(struct litmus_parse *parse, uint32_t length);
struct span litmus_scan_end(const struct litmus_parse *parse);
struct litmus_word *litmus_scan_word(struct litmus_parse *parse, const char *text, size_t length);
/* Handles a byte outside the grammar: after a control byte or a byte beyond ASCII, which no test has, scanning ends;
 * after any other byte the parser recovers. A run of such bytes is reported once. An unclosed `what` also ends
 * scanning. Both functions return the token, whose number is the same in all parsers. */
int litmus_scan_stray(struct litmus_parse *parse, char c, const char *where);
int litmus_scan_unclosed(struct litmus_parse *parse, const char *what);
enum { SCAN_END = 0, SCAN_ERROR = 256 };

/* For grammars: the span of a rule, from its first nonempty part to the last; an empty rule is at the end of the part
 * before it. */
struct span litmus_rule_span(const struct span *parts, int count);
/* Reports the text at `span`, or `end` (else NULL) at the end of the input, as unexpected, with the alternatives if
 * they are few. */
struct diagnostic *litmus_unexpected(struct litmus_parse *parse, struct span span, const char *end,
                                     const char *const *expected, int count);
enum { LITMUS_SHOWN_ALTERNATIVES = 4 };
/* syntax.c: the same for a litmus test in which `found` is not among the `expected` tokens; all are names in the
 * grammar. Changes the list `expected`. */
void litmus_report_syntax(struct litmus_parse *parse, struct span span, const char *found, const char **expected,
                          int count);
/* Adds a pointer to the bracket that is still open, if any, to a message. */
void litmus_note_open(const struct litmus_parse *parse, struct diagnostic *record);

/* Notes an opening or closing bracket, so that messages can point to one that is never closed. */
void litmus_bracket(struct litmus_parse *parse, char bracket, struct span span);

/* The span of an open bracket, or a span without source. */
struct span litmus_open(const struct litmus_parse *parse);

struct litmus_word *litmus_word_new(struct litmus_parse *parse, const char *text, size_t length, struct span span);
struct litmus_words litmus_words_add(struct litmus_words words, struct litmus_word *word);

/* For code that makes tests: a word. */
struct litmus_word *litmus_word_of(struct litmus_parse *parse, const char *text, struct span span);
/* An instruction from its opcode and qualifiers, "setp.eq.b32", and the first of its operands. */
struct litmus_instr *litmus_instr_of(struct litmus_parse *parse, const char *text, struct litmus_operand *operands,
                                     struct span span);
/* Operands: a register, named without %; a number. litmus_before links an operand to the next one. */
struct litmus_operand *litmus_register_of(struct litmus_parse *parse, const char *name, struct span span);
struct litmus_operand *litmus_number_of(struct litmus_parse *parse, value_t value, struct span span);
struct litmus_operand *litmus_before(struct litmus_operand *operand, struct litmus_operand *next);

/* Decimal, 0x, 0b, octal with a leading 0; a trailing U is allowed. 0f and 0d bit patterns; 1.5 and 2e-3. */
struct litmus_number litmus_number_new(struct litmus_parse *parse, const char *text, size_t length, struct span span);

/* For the scanner of tests: counts columns, at each mark of punctuation; true for the word after '@' that makes the
 * column one of a host. */
void litmus_scan_column(struct litmus_parse *parse, char mark);
bool litmus_scan_host(struct litmus_parse *parse, const char *word);
/* `host {` begins a block; a brace in it, after litmus_bracket; the word goes on with the statement that a brace ends,
 * as in `} else {` and `} while`. */
void litmus_scan_block(struct litmus_parse *parse);
void litmus_scan_brace(struct litmus_parse *parse, char bracket);
bool litmus_goes_on(const struct litmus_parse *parse, const char *word);

/* The number if it is at most `limit`; else reports NUMBER_RANGE and returns 0. `what` names the number's role. */
uint32_t litmus_small(struct litmus_parse *parse, struct litmus_number number, uint32_t limit, const char *what);

struct litmus_ref litmus_ref_plain(struct litmus_parse *parse, const struct litmus_word *name);
/* owner: P0, cta1, or gpu0 with dot = .cta1. */
struct litmus_ref litmus_ref_owned(struct litmus_parse *parse, const struct litmus_word *owner,
                                   const struct litmus_word *dot, const struct litmus_word *name);
struct litmus_ref litmus_ref_numbered(struct litmus_parse *parse, struct litmus_number owner,
                                      const struct litmus_word *name);
/* owner: P of P(0,1). */
struct litmus_ref litmus_ref_placed(struct litmus_parse *parse, const struct litmus_word *owner,
                                    const struct litmus_pair *place, const struct litmus_word *name);
void litmus_ref_offset(struct litmus_parse *parse, struct litmus_ref *ref, struct litmus_number offset, bool minus);
/* Gives a reference to a location the index of an element. */
struct litmus_ref *litmus_ref_element(struct litmus_parse *parse, struct litmus_ref *ref, struct litmus_number index,
                                      struct span span);

struct litmus_operand *litmus_operand_new(struct litmus_parse *parse, enum litmus_operand_kind kind, struct span span);
/* Makes `grid 1 after grid 0` from its words and numbers. */
struct litmus_entry *litmus_launch_new(struct litmus_parse *parse, struct litmus_words first, struct litmus_number grid,
                                       struct litmus_words second, struct litmus_number other, struct span span);
/* The operand that is a single name. */
struct litmus_operand *litmus_name_new(struct litmus_parse *parse, const struct litmus_word *name);
/* Operands of two words: r|p, and %tid.x. */
struct litmus_operand *litmus_pair_new(struct litmus_parse *parse, const struct litmus_word *a,
                                       const struct litmus_word *b, struct span span);
struct litmus_operand *litmus_special_new(struct litmus_parse *parse, struct litmus_word *name, struct litmus_word *dot,
                                          struct span span);
/* [place, more] with the operands after it: LITMUS_TENSOR if `more` is one list of coordinates. */
struct litmus_operand *litmus_bracket_new(struct litmus_parse *parse, const struct litmus_ref *place,
                                          struct litmus_operand *more, struct litmus_words suffix, struct span span);
/* Lists of parsed items, in their order. */
LIST_OF(litmus_operands, litmus_operand);
LIST_OF(litmus_values, litmus_value);
struct litmus_cells {
  struct litmus_cell *first, *last;
  uint32_t count;
};
LIST_OF(litmus_pairs, litmus_pair);
LIST_OF(litmus_levels, litmus_level);
LIST_OF(litmus_threads, litmus_thread);
LIST_OF(litmus_rows, litmus_row);
LIST_OF(litmus_entries, litmus_entry);
LIST_OF(litmus_terms, litmus_term);

struct litmus_entry *litmus_entry_new(struct litmus_parse *parse, struct litmus_words qualifiers,
                                      struct litmus_words words, struct litmus_ref ref, struct span span);
/* Declares `.shared .u32 z`; the name is the last word. `array`: with brackets. */
struct litmus_entry *litmus_declared_new(struct litmus_parse *parse, struct litmus_words qualifiers,
                                         struct litmus_words words, bool array, struct span span);
/* Removes the last word: the name after the words of a type. */
struct litmus_word *litmus_words_last(struct litmus_words *words);

struct litmus_instr *litmus_instr_new(struct litmus_parse *parse, struct litmus_word *opcode,
                                      struct litmus_words qualifiers, struct litmus_operand *operands,
                                      struct span span);
void litmus_instr_assign(struct litmus_parse *parse, struct litmus_instr *instr, const struct litmus_word *result);
/* Adds a row; a row that is only `;` is dropped. */
void litmus_test_row(struct litmus_parse *parse, struct litmus_rows *rows, struct litmus_cells cells, struct span span);

struct litmus_cond *litmus_cond_join(struct litmus_parse *parse, enum litmus_cond_kind kind, struct litmus_cond *left,
                                     struct litmus_cond *right, struct span span);

/* split_column.c: makes a thread, or several that share a column. */
struct litmus_thread *litmus_thread_new(struct litmus_parse *parse, struct litmus_words names,
                                        struct litmus_level *levels, bool placed, struct span span);
/* Makes a level of a thread's placement. */
struct litmus_level *litmus_level_of(struct litmus_parse *parse, const struct litmus_word *key, uint32_t number);
struct litmus_level *litmus_level_new(struct litmus_parse *parse, const struct litmus_word *key,
                                      struct litmus_number number);
/* Gives threads that share a column a column each. */
void litmus_spread_columns(struct litmus_parse *parse);
/* Turns columns of cells into the rows of the test, with empty cells at the end of short columns. */
void litmus_set_columns(struct litmus_parse *parse, struct litmus_cells *columns, uint32_t count);

/* kernels.c: takes the lines of a kernel; each belongs to the kernel before it, but `gpu 1:` to the kernel after it. */
void litmus_kernel_add(struct litmus_parse *parse, const struct litmus_word *keyword, const struct litmus_word *file,
                       const struct litmus_word *entry, struct litmus_value *args, struct span span);
void litmus_kernel_size(struct litmus_parse *parse, const struct litmus_word *keyword,
                        const struct litmus_number *numbers, unsigned count, struct span span);
struct litmus_pair *litmus_threads_new(struct litmus_parse *parse, struct litmus_number block,
                                       struct litmus_number first, const struct litmus_number *last, struct span span);
/* Takes `cooperative`; `threads` and `grouped`, which belong together. */
void litmus_kernel_flag(struct litmus_parse *parse, const struct litmus_word *word);
/* Takes a number of the list that `keyword` begins in a tensor map; NULL: continues the list of the last keyword. */
void litmus_map_size(struct litmus_parse *parse, struct litmus_map *map, const struct litmus_word *keyword,
                     struct litmus_number number);
/* `x at 4096`, or `y at x+4096`, in which x is the last word. */
struct litmus_entry *litmus_at_new(struct litmus_parse *parse, struct litmus_words words, bool based,
                                   struct litmus_number offset, struct span span);
/* A statement of a block of a host; the block. */
void litmus_host_row(struct litmus_parse *parse, struct litmus_rows *rows, struct litmus_cell *cell, struct span span);
void litmus_kernel_host(struct litmus_parse *parse, struct litmus_rows rows, struct span span);
void litmus_kernel_gpu(struct litmus_parse *parse, const struct litmus_word *keyword, struct litmus_number number,
                       struct span span);
void litmus_kernel_threads(struct litmus_parse *parse, const struct litmus_word *keyword, struct litmus_pair *threads,
                           struct span span);

void litmus_key_add(struct litmus_parse *parse, const char *text, size_t length, struct span span);

/* Appends a node to a list linked through `next`. Evaluates the node once. */
#define LIST_ADD(list, node)                                                                                           \
  do {                                                                                                                 \
    if ((list).last) (list).last = (list).last->next = (node);                                                         \
    else (list).first = (list).last = (node);                                                                          \
  } while (0)

/* Scans and parses the whole source; defined with the scanner. */
void litmus_scan_and_parse(struct litmus_parse *parse);
