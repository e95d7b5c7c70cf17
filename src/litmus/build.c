#include "litmus/build.h"

#include "term/float.h"

PRINTF_LIKE(4, 0)
static struct diagnostic *report(struct litmus_parse *parse, enum diag_code code, struct span span, const char *format,
                                 va_list args) {
  parse->errors++;
  if (parse->errors >= DIAG_LIMIT) parse->stopped = true;
  return diag_report_list(parse->diags, code, span, format, args);
}

struct diagnostic *litmus_error(struct litmus_parse *parse, enum diag_code code, struct span span, const char *format,
                                ...) {
  va_list args;
  va_start(args, format);
  struct diagnostic *diagnostic = report(parse, code, span, format, args);
  va_end(args);
  return diagnostic;
}

struct diagnostic *litmus_fatal(struct litmus_parse *parse, enum diag_code code, struct span span, const char *format,
                                ...) {
  va_list args;
  va_start(args, format);
  struct diagnostic *diagnostic = report(parse, code, span, format, args);
  va_end(args);
  parse->stopped = true;
  return diagnostic;
}

struct span litmus_scan_token(struct litmus_parse *parse, uint32_t length) {
  parse->token = (struct span){parse->source, parse->token.end, parse->token.end + length};
  return parse->token;
}

struct span litmus_scan_end(const struct litmus_parse *parse) {
  uint32_t end = (uint32_t)parse->source->length;
  return (struct span){parse->source, end, end};
}

struct litmus_word *litmus_scan_word(struct litmus_parse *parse, const char *text, size_t length) {
  return litmus_word_new(parse, text, length, parse->token);
}

int litmus_scan_stray(struct litmus_parse *parse, char c, const char *where) {
  unsigned byte = (unsigned char)c;
  bool again = parse->stray.end == parse->token.begin && parse->stray.end > 0;
  parse->stray = parse->token;
  if (byte > 0x20 && byte < 0x7f) {
    if (!parse->token.begin) litmus_fatal(parse, DIAG_STRAY_BYTE, parse->token, "'%c' does not begin %s", c, where);
    else if (!again) litmus_error(parse, DIAG_STRAY_BYTE, parse->token, "'%c' has no meaning here", c);
    return SCAN_ERROR;
  }
  litmus_fatal(parse, DIAG_STRAY_BYTE, parse->token, "byte 0x%02x has no meaning in %s", byte, where);
  return SCAN_END;
}

int litmus_scan_unclosed(struct litmus_parse *parse, const char *what) {
  litmus_fatal(parse, DIAG_UNCLOSED, parse->opened, "this %s is never closed", what);
  return SCAN_END;
}

struct span litmus_rule_span(const struct span *parts, int count) {
  for (int i = 1; i <= count; i++)
    if (parts[i].begin < parts[i].end) return span_join(parts[i], parts[count]);
  return (struct span){parts[0].source, parts[0].end, parts[0].end};
}

struct diagnostic *litmus_unexpected(struct litmus_parse *parse, struct span span, const char *end,
                                     const char *const *expected, int count) {
  struct text message = {.arena = parse->arena};
  uint32_t length = span.end - span.begin;
  const char *text = span.source->text + span.begin, *newline = memchr(text, '\n', length);
  if (newline) length = (uint32_t)(newline - text);
  if (end) text_add(&message, end);
  else
    text_printf(&message, "'%.*s%s' is not expected here", length > 40 ? 40 : (int)length, text,
                length > 40 ? "..." : "");
  for (int i = 0; i < count && count <= LITMUS_SHOWN_ALTERNATIVES; i++)
    text_printf(&message, "%s%s", i == 0 ? "; expected " : i == count - 1 ? " or " : ", ", expected[i]);
  struct diagnostic *d = litmus_error(parse, DIAG_SYNTAX, span, "%s", text_str(&message));
  if (parse->test && parse->test->cuda && count == 1 && strcmp(expected[0], "'('") == 0)
    diag_hint(parse->diags, d, "the head says CUDA; the head of a test with PTX instructions begins with PTX");
  return d;
}

void litmus_note_open(const struct litmus_parse *parse, struct diagnostic *record) {
  if (parse->source->typed) return; /* the brackets of a launch match */
  record->other = litmus_open(parse);
  if (record->other.source) record->other_message = "this bracket is not closed";
}

void litmus_bracket(struct litmus_parse *parse, char bracket, struct span span) {
  static const char brackets[] = "{[(}])";
  const char *at = strchr(brackets, bracket);
  if (!at || bracket == '\0') return;
  size_t kind = (size_t)(at - brackets) % 3;
  bool opens = at - brackets < 3;
  if (opens && parse->open[kind]++ == 0) parse->open_span[kind] = span;
  if (!opens && parse->open[kind] > 0) parse->open[kind]--;
  if (bracket == '}' && parse->open[kind] == 0 && parse->section == 0) parse->section = 1;
}

struct span litmus_open(const struct litmus_parse *parse) {
  for (size_t kind = ARRAY_LEN(parse->open); kind-- > 0;)
    if (parse->open[kind]) return parse->open_span[kind];
  return (struct span){0};
}

struct litmus_word *litmus_word_new(struct litmus_parse *parse, const char *text, size_t length, struct span span) {
  return NODE(word, .text = intern_slice(parse->names, text, length), .span = span);
}

struct litmus_words litmus_words_add(struct litmus_words words, struct litmus_word *word) {
  LIST_ADD(words, word);
  return words;
}

struct litmus_word *litmus_words_last(struct litmus_words *words) {
  struct litmus_word *name = words->last;
  if (words->first == name) {
    *words = (struct litmus_words){0};
    return name;
  }
  struct litmus_word *before = words->first;
  while (before->next != name) before = before->next;
  before->next = NULL;
  words->last = before;
  return name;
}

static unsigned digit_value(char c) {
  if (c >= '0' && c <= '9') return (unsigned)(c - '0');
  return (unsigned)((c | 0x20) - 'a' + 10);
}

static struct litmus_number decimal_new(struct litmus_parse *parse, const char *text, size_t length, struct span span) {
  struct litmus_number number = {.span = span, .kind = LITMUS_F64, .decimal = true};
  number.text = intern_slice(parse->names, text, length);
  if (float_from_decimal(number.text, &number.value)) return number;
  litmus_error(parse, DIAG_NUMBER_RANGE, span,
               "a decimal number is less than 1.8e308" HINT
               "any number can be written as bits, such as 0d7FF0000000000000 for infinity");
  return number;
}

struct litmus_number litmus_number_new(struct litmus_parse *parse, const char *text, size_t length, struct span span) {
  struct litmus_number number = {.span = span};
  if (text[0] == 'W') return (struct litmus_number){.span = span, .value = 32, .text = "WARP_SZ"};
  bool digits_only = strspn(text, "0123456789") >= length;
  if (!digits_only && strspn(text, "0123456789.eE+-") >= length) return decimal_new(parse, text, length, span);
  if (length > 1 && (text[length - 1] | 0x20) == 'u') length--;
  unsigned base = 10;
  char mark = length > 2 && text[0] == '0' ? (char)(text[1] | 0x20) : '0';
  bool is_float = mark == 'f' || mark == 'd', is_bits = mark == 'x' && length > 3 && text[2] == '0';
  if (is_float) number.kind = mark == 'f' ? LITMUS_F32 : LITMUS_F64;
  if (is_float || is_bits) number.text = intern_slice(parse->names, text, length);
  if (mark == 'x' || is_float) base = 16;
  else if (mark == 'b') base = 2;
  else if (length > 1 && text[0] == '0') base = 8;
  for (size_t i = base == 16 || base == 2 ? 2 : 0; i < length; i++) {
    unsigned digit = digit_value(text[i]);
    if (digit >= base) {
      litmus_error(parse, DIAG_SYNTAX, span, "'%c' is not a digit of an octal number", text[i]);
      return number;
    }
    if (number.value > (~(value_t)0 - digit) / base) {
      litmus_error(parse, DIAG_NUMBER_RANGE, span, "the number does not fit in 128 bits");
      return (struct litmus_number){.span = span};
    }
    number.value = number.value * base + digit;
  }
  return number;
}

uint32_t litmus_small(struct litmus_parse *parse, struct litmus_number number, uint32_t limit, const char *what) {
  if (!number.negative && number.value <= limit) return (uint32_t)number.value;
  litmus_error(parse, DIAG_NUMBER_RANGE, number.span, "%s must be between 0 and %u", what, limit);
  return 0;
}

struct litmus_ref litmus_ref_plain(struct litmus_parse *parse, const struct litmus_word *name) {
  struct litmus_ref ref = {.name = name->text, .span = name->span};
  if (name->text[0] == '%') {
    ref.percent = true;
    ref.name = intern(parse->names, name->text + 1);
  }
  return ref;
}

enum { NUMBER_LIMIT = 1000000 };

/* The number in `prefix<number>`, without leading zeros; false if the word is not of that form. */
static bool numbered(const char *text, const char *prefix, uint32_t *number) {
  size_t length = strlen(prefix);
  if (strncmp(text, prefix, length) != 0 || text[length] == '\0') return false;
  *number = 0;
  for (const char *c = text + length; *c; c++) {
    if (*c < '0' || *c > '9' || *number > NUMBER_LIMIT) return false;
    *number = *number * 10 + (uint32_t)(*c - '0');
  }
  return *number <= NUMBER_LIMIT;
}

struct litmus_ref litmus_ref_owned(struct litmus_parse *parse, const struct litmus_word *owner,
                                   const struct litmus_word *dot, const struct litmus_word *name) {
  struct litmus_ref ref = litmus_ref_plain(parse, name);
  ref.owner_span = dot ? span_join(owner->span, dot->span) : owner->span;
  ref.span = span_join(owner->span, name->span);
  if (dot) {
    ref.has_gpu = true;
    ref.owner = LITMUS_OWNER_CTA;
    if (numbered(owner->text, "gpu", &ref.gpu) && numbered(dot->text, ".cta", &ref.cta)) return ref;
  } else if (numbered(owner->text, "P", &ref.thread)) {
    ref.owner = LITMUS_OWNER_THREAD;
    return ref;
  } else if (numbered(owner->text, "cta", &ref.cta)) {
    ref.owner = LITMUS_OWNER_CTA;
    return ref;
  }
  parse->lost = true;
  litmus_error(parse, DIAG_SYNTAX, ref.owner_span,
               "'%s%s' is neither a thread nor a CTA" HINT
               "write a thread (P0 or 0) or a CTA (cta1 or gpu0.cta1) before ':'",
               owner->text, dot ? dot->text : "");
  return ref;
}

struct litmus_ref litmus_ref_numbered(struct litmus_parse *parse, struct litmus_number owner,
                                      const struct litmus_word *name) {
  struct litmus_ref ref = litmus_ref_plain(parse, name);
  ref.owner = LITMUS_OWNER_THREAD;
  ref.thread = litmus_small(parse, owner, NUMBER_LIMIT, "a thread number");
  ref.owner_span = owner.span;
  ref.span = span_join(owner.span, name->span);
  return ref;
}

struct litmus_ref litmus_ref_placed(struct litmus_parse *parse, const struct litmus_word *owner,
                                    const struct litmus_pair *place, const struct litmus_word *name) {
  struct litmus_ref ref = litmus_ref_plain(parse, name);
  ref.owner = LITMUS_OWNER_PLACE;
  ref.cta = place->block;
  ref.thread = place->thread;
  ref.owner_span = span_join(owner->span, place->span);
  ref.span = span_join(owner->span, name->span);
  if (strcmp(owner->text, "P") == 0) return ref;
  parse->lost = true;
  litmus_error(parse, DIAG_SYNTAX, owner->span, "'%s' is not a thread" HINT "thread 1 of block 0 of a kernel is P(0,1)",
               owner->text);
  return ref;
}

void litmus_ref_offset(struct litmus_parse *parse, struct litmus_ref *ref, struct litmus_number offset, bool minus) {
  ref->span = span_join(ref->span, offset.span);
  if (offset.value > INT32_MAX) {
    litmus_error(parse, DIAG_NUMBER_RANGE, offset.span, "an offset must fit in 32 bits");
    return;
  }
  int64_t value = (int64_t)offset.value;
  ref->offset = offset.negative != minus ? -value : value;
}

struct litmus_ref *litmus_ref_element(struct litmus_parse *parse, struct litmus_ref *ref, struct litmus_number index,
                                      struct span span) {
  ref->has_index = true;
  ref->index = litmus_small(parse, index, UINT32_MAX, "an index");
  ref->span = span;
  return ref;
}

struct litmus_operand *litmus_operand_new(struct litmus_parse *parse, enum litmus_operand_kind kind, struct span span) {
  return NODE(operand, .kind = kind, .span = span);
}

struct litmus_operand *litmus_name_new(struct litmus_parse *parse, const struct litmus_word *name) {
  return NODE(operand, .kind = LITMUS_NAME, .u.ref = litmus_ref_plain(parse, name), .span = name->span);
}

struct litmus_operand *litmus_pair_new(struct litmus_parse *parse, const struct litmus_word *a,
                                       const struct litmus_word *b, struct span span) {
  struct litmus_operand *second = litmus_name_new(parse, b);
  return NODE(operand, .kind = LITMUS_PAIR, .u.items = litmus_before(litmus_name_new(parse, a), second), .span = span);
}

struct litmus_operand *litmus_special_new(struct litmus_parse *parse, struct litmus_word *name, struct litmus_word *dot,
                                          struct span span) {
  struct litmus_words words = litmus_words_add(litmus_words_add((struct litmus_words){0}, name), dot);
  return NODE(operand, .kind = LITMUS_SPECIAL, .u.words = words, .span = span);
}

struct litmus_operand *litmus_bracket_new(struct litmus_parse *parse, const struct litmus_ref *place,
                                          struct litmus_operand *more, struct litmus_words suffix, struct span span) {
  const struct litmus_operand *content = more ? more->next : NULL;
  bool named = content && content->kind == LITMUS_NAME && !content->next;
  if (more && more->kind == LITMUS_VECTOR && (!content || named))
    return NODE(operand, .kind = LITMUS_TENSOR, .u.tensor = {*place, more->u.items}, .more = more->next,
                .suffix = suffix, .span = span);
  return NODE(operand, .kind = LITMUS_BRACKET, .u.ref = *place, .more = more, .suffix = suffix, .span = span);
}

struct litmus_word *litmus_word_of(struct litmus_parse *parse, const char *text, struct span span) {
  return litmus_word_new(parse, text, strlen(text), span);
}

struct litmus_instr *litmus_instr_of(struct litmus_parse *parse, const char *text, struct litmus_operand *operands,
                                     struct span span) {
  struct litmus_instr *instr = ARENA_NEW(parse->arena, struct litmus_instr);
  size_t length = strcspn(text, ".");
  instr->span = span;
  instr->opcode = *litmus_word_new(parse, text, length, span);
  instr->operands = operands;
  for (text += length; *text; text += length) {
    length = 1 + strcspn(text + 1, ".");
    instr->qualifiers = litmus_words_add(instr->qualifiers, litmus_word_new(parse, text, length, span));
  }
  return instr;
}

struct litmus_operand *litmus_register_of(struct litmus_parse *parse, const char *name, struct span span) {
  return NODE(operand, .kind = LITMUS_NAME, .span = span,
              .u.ref = {.name = intern(parse->names, name), .percent = true, .span = span});
}

struct litmus_operand *litmus_number_of(struct litmus_parse *parse, value_t value, struct span span) {
  return NODE(operand, .kind = LITMUS_NUMBER, .u.number = {.value = value, .span = span}, .span = span);
}

struct litmus_operand *litmus_before(struct litmus_operand *operand, struct litmus_operand *next) {
  operand->next = next;
  return operand;
}

struct litmus_entry *litmus_entry_new(struct litmus_parse *parse, struct litmus_words qualifiers,
                                      struct litmus_words words, struct litmus_ref ref, struct span span) {
  return NODE(entry, .qualifiers = qualifiers, .types = words, .ref = ref, .span = span);
}

struct litmus_entry *litmus_declared_new(struct litmus_parse *parse, struct litmus_words qualifiers,
                                         struct litmus_words words, bool array, struct span span) {
  struct litmus_word *name = litmus_words_last(&words);
  struct litmus_entry *entry = litmus_entry_new(parse, qualifiers, words, litmus_ref_plain(parse, name), span);
  entry->is_array = array;
  return entry;
}

struct litmus_entry *litmus_launch_new(struct litmus_parse *parse, struct litmus_words first, struct litmus_number grid,
                                       struct litmus_words second, struct litmus_number other, struct span span) {
  bool words = !first.first->next && strcmp(first.first->text, "grid") == 0 && second.first->next &&
               !second.first->next->next && strcmp(second.first->next->text, "grid") == 0;
  struct litmus_launch *launch = NODE(launch, .how = *second.first, .wrong = !words);
  launch->grid = litmus_small(parse, grid, 1000000, "the number of a grid");
  launch->other = litmus_small(parse, other, 1000000, "the number of a grid");
  return NODE(entry, .launch = launch, .span = span);
}

struct litmus_cond *litmus_cond_join(struct litmus_parse *parse, enum litmus_cond_kind kind, struct litmus_cond *left,
                                     struct litmus_cond *right, struct span span) {
  if (left->kind != kind || left->closed) {
    left = NODE(cond, .kind = kind, .parts = left, .last_part = left, .part_count = 1);
  }
  left->last_part = left->last_part->next = right;
  left->part_count++;
  left->span = span;
  return left;
}

struct litmus_instr *litmus_instr_new(struct litmus_parse *parse, struct litmus_word *opcode,
                                      struct litmus_words qualifiers, struct litmus_operand *operands,
                                      struct span span) {
  struct litmus_instr *instr =
      NODE(instr, .span = span, .opcode = *opcode, .qualifiers = qualifiers, .operands = operands);
  instr->call = operands && operands->kind == LITMUS_LIST && !operands->next;
  if (instr->call) instr->operands = operands->u.items;
  return instr;
}

/* `result = f(...)`: a call whose first operand is the result. */
void litmus_instr_assign(struct litmus_parse *parse, struct litmus_instr *instr, const struct litmus_word *result) {
  instr->operands = litmus_before(litmus_name_new(parse, result), instr->operands);
  instr->call = instr->assigns = true;
}

void litmus_test_row(struct litmus_parse *parse, struct litmus_rows *rows, struct litmus_cells cells,
                     struct span span) {
  if (cells.count == 1 && !cells.first->labels && !cells.first->instr && !cells.first->block) return;
  struct litmus_row *row = NODE(row, .cells = cells.first, .count = cells.count, .span = span);
  LIST_ADD(*rows, row);
  if (!parse->test->row_count++) parse->test->rows = row;
}

/* True for a blank, as in the scanner. */
static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

/* A copy of a key's value with printable separators of words. */
static const char *key_value(struct arena *arena, const char *text, size_t length) {
  char *value = arena_strndup(arena, text, length);
  for (char *at = value; *at; at++)
    if (blank(*at)) *at = ' ';
  return value;
}

void litmus_key_add(struct litmus_parse *parse, const char *text, size_t length, struct span span) {
  struct litmus_key *key = ARENA_NEW(parse->arena, struct litmus_key);
  size_t equals = (size_t)((const char *)memchr(text, '=', length) - text), begin = equals + 1, name = equals;
  while (name > 0 && blank(text[name - 1])) name--;
  while (begin < length && blank(text[begin])) begin++;
  while (length > begin && blank(text[length - 1])) length--;
  key->key = intern_slice(parse->names, text, name);
  key->value = key_value(parse->arena, text + begin, length - begin);
  key->span = span;
  if (parse->last_key) parse->last_key->next = key;
  else parse->test->keys = key;
  parse->last_key = key;
}

const char *litmus_key(const struct litmus_test *test, const char *name) {
  LIST_EACH (key, test->keys)
    if (strcmp(key->key, name) == 0) return key->value;
  return NULL;
}

struct litmus_test *litmus_parse_rest(struct arena *arena, struct intern *names, struct diags *diags,
                                      const struct source *source, bool *whole, bool *lost) {
  struct litmus_parse parse = {.arena = arena, .names = names, .diags = diags, .source = source};
  parse.test = ARENA_NEW(arena, struct litmus_test);
  parse.test->source = source;
  litmus_scan_and_parse(&parse);
  *whole = !parse.errors;
  const struct litmus_kernel *last = parse.last_kernel;
  *lost = parse.lost || (last && (!last->grid.x || !last->block.x)); /* the error may be in the missing size */
  bool blocks = parse.test->cuda || parse.has_hosts;
  if (blocks && parse.errors) return NULL; /* errors prevented turning blocks into jumps */
  return (parse.test->threads || parse.test->kernels) && !parse.stopped ? parse.test : NULL;
}

struct litmus_cond *litmus_parse_state(struct arena *arena, struct intern *names, struct diags *diags,
                                       const struct source *source) {
  struct litmus_parse parse = {.arena = arena, .names = names, .diags = diags, .source = source, .state = true};
  parse.test = ARENA_NEW(arena, struct litmus_test);
  litmus_scan_and_parse(&parse);
  return parse.errors ? NULL : parse.test->condition;
}

struct litmus_test *litmus_parse(struct arena *arena, struct intern *names, struct diags *diags,
                                 const struct source *source) {
  bool whole, lost;
  struct litmus_test *test = litmus_parse_rest(arena, names, diags, source, &whole, &lost);
  return whole ? test : NULL;
}
