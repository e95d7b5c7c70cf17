#include "term/term.h"

#include "base/text.h"

void terms_init(struct terms *terms, struct arena *arena) {
  *terms = (struct terms){.arena = arena};
  term_const(terms, 0, 1);
  term_const(terms, 1, 1);
}

static uint64_t hash(const struct term *t) {
  if (t->op == TERM_CONST) /* most terms of kernels */
    return hash_mix(hash_mix(t->width, (uint64_t)t->constant), (uint64_t)(t->constant >> 64));
  uint64_t h = hash_mix((uint64_t)t->op << 8 | t->width, (uint64_t)t->a << 32 | t->b);
  h = hash_mix(h, (uint64_t)t->c << 32 | t->event);
  return hash_mix(hash_mix(h, (uint64_t)t->constant), (uint64_t)(t->constant >> 64));
}

static bool same(const struct term *x, const struct term *y) {
  return x->op == y->op && x->width == y->width && x->a == y->a && x->b == y->b && x->c == y->c &&
         x->event == y->event && x->constant == y->constant;
}

static term_id share(struct terms *terms, const struct term *t) {
  if (terms->apart) {
    VEC_PUSH(terms->arena, &terms->list, *t);
    return terms->list.len - 1;
  }
  uint64_t h = hash(t);
  HASH_EACH (i, &terms->index, h)
    if (same(&terms->list.data[i], t)) return i;
  return HASH_PUSH(terms->arena, &terms->index, h, &terms->list, *t);
}

void terms_forget(struct terms *terms, uint32_t count) {
  terms->list.len = count;
  hash_clear(&terms->index);
  for (uint32_t i = 0; i < count; i++) hash_add(terms->arena, &terms->index, hash(&terms->list.data[i]), i);
}

term_id term_const(struct terms *terms, value_t value, unsigned width) {
  if (width == 1 && terms->list.len > TERM_TRUE) return value & 1 ? TERM_TRUE : TERM_FALSE;
  return share(terms, &(struct term){.op = TERM_CONST, .width = (uint8_t)width, .constant = value & value_mask(width)});
}

term_id term_leaf(struct terms *terms, enum term_op op, uint32_t event, unsigned width) {
  return share(terms, &(struct term){.op = op, .width = (uint8_t)width, .event = event});
}

term_id term_lane(struct terms *terms, uint32_t event, uint32_t thread, unsigned width) {
  return share(terms, &(struct term){.op = TERM_LANE, .width = (uint8_t)width, .event = event, .constant = thread});
}

unsigned term_operands(const struct terms *terms, term_id id, term_id operands[3]) {
  const struct term *t = term_get(terms, id);
  operands[0] = t->a, operands[1] = t->b, operands[2] = t->c;
  return term_op_is_leaf(t->op) ? 0 : term_op_is_unary(t->op) ? 1 : t->op == TERM_ITE ? 3 : 2;
}

static value_t shift(enum term_op op, value_t a, unsigned width, value_t count) {
  bool negative = op == TERM_SAR && (a >> (width - 1) & 1);
  if (negative) return ~shift(TERM_SHR, ~a & value_mask(width), width, count);
  if (count >= width) return 0;
  return op == TERM_SHL ? a << (unsigned)count : a >> (unsigned)count;
}

static value_t apply(const struct term *t, value_t a, unsigned a_width, value_t b, value_t c) {
  switch (t->op) {
    case TERM_CONST: return t->constant;
    case TERM_ADD: return a + b;
    case TERM_SUB: return a - b;
    case TERM_MUL: return a * b;
    case TERM_AND: return a & b;
    case TERM_OR: return a | b;
    case TERM_XOR: return a ^ b;
    case TERM_NOT: return ~a;
    case TERM_SHL:
    case TERM_SHR:
    case TERM_SAR: return shift(t->op, a, a_width, b);
    case TERM_POPC: return (unsigned)(__builtin_popcountll((uint64_t)a) + __builtin_popcountll((uint64_t)(a >> 64)));
    case TERM_EQ: return a == b;
    case TERM_ULT: return a < b;
    case TERM_SLT: { /* flipping the sign bits turns the signed order into the unsigned one */
      value_t sign = (value_t)1 << (a_width - 1);
      return (a ^ sign) < (b ^ sign);
    }
    case TERM_ITE: return a ? b : c;
    case TERM_ZEXT: return a;
    case TERM_SEXT: return value_sext(a, a_width);
    case TERM_READ:
    case TERM_PASS:
    case TERM_REDUCE:
    case TERM_LANE:
    case TERM_PENDING:
    case TERM_FREE:
    case TERM_GO: break;
  }
  BUG("term operator %d has no value", (int)t->op);
}

value_t term_apply(const struct term *t, value_t a, unsigned a_width, value_t b, value_t c) {
  return apply(t, a, a_width, b, c) & value_mask(t->width);
}

/* Makes a term, or its value if the operands are constants. */
static term_id make(struct terms *terms, const struct term *t, unsigned operands) {
  const term_id ids[3] = {t->a, t->b, t->c};
  value_t values[3] = {0, 0, 0};
  for (unsigned i = 0; i < operands; i++) {
    if (!term_is_const(terms, ids[i])) return share(terms, t);
    values[i] = term_get(terms, ids[i])->constant;
  }
  return term_const(terms, term_apply(t, values[0], term_get(terms, t->a)->width, values[1], values[2]), t->width);
}

static bool is_value(const struct terms *terms, term_id id, value_t value) {
  const struct term *t = term_get(terms, id);
  return t->op == TERM_CONST && t->constant == (value & value_mask(t->width));
}

enum { NO_TERM = UINT32_MAX };

/* Simplifies `op` if its operands are one term; else NO_TERM. */
static term_id fold_equal(struct terms *terms, enum term_op op, term_id a, unsigned width) {
  if (op == TERM_SUB || op == TERM_XOR) return term_const(terms, 0, width);
  if (op == TERM_AND || op == TERM_OR) return a;
  if (op == TERM_EQ) return TERM_TRUE;
  return op == TERM_ULT || op == TERM_SLT ? TERM_FALSE : NO_TERM;
}

static bool complementary(const struct terms *terms, term_id a, term_id b) {
  const struct term *x = term_get(terms, a), *y = term_get(terms, b);
  return (x->op == TERM_NOT && x->a == b) || (y->op == TERM_NOT && y->a == a);
}

/* Simplifies guards of paths that branch and join: (g & c) | (g & ~c) is g, g | (g & c) is g, g | (~g & c) is g | c. */
static term_id fold_guards(struct terms *terms, term_id a, term_id b) {
  const struct term x = *term_get(terms, a), y = *term_get(terms, b);
  if (complementary(terms, a, b)) return TERM_TRUE;
  if (x.op == TERM_AND && y.op == TERM_AND && x.a == y.a && complementary(terms, x.b, y.b)) return x.a;
  if (y.op == TERM_AND && (y.a == a || y.b == a)) return a;
  if (x.op == TERM_AND && (x.a == b || x.b == b)) return b;
  if (y.op == TERM_AND && complementary(terms, y.a, a)) return term_binary(terms, TERM_OR, a, y.b);
  if (y.op == TERM_AND && complementary(terms, y.b, a)) return term_binary(terms, TERM_OR, a, y.a);
  return NO_TERM;
}

static bool is_shift(enum term_op op) { return op == TERM_SHL || op == TERM_SHR || op == TERM_SAR; }

/* Simplifies `op` if an operand is 0, all ones, or neutral; else NO_TERM. */
static term_id fold_neutral(struct terms *terms, enum term_op op, term_id a, term_id b, unsigned width) {
  bool zero = is_value(terms, b, 0), zeros = is_value(terms, a, 0);
  value_t all = op == TERM_MUL ? 1 : ~(value_t)0; /* the neutral element of AND and MUL, whose result is 0 if an operand
                                                     is 0 */
  if (op == TERM_SUB || is_shift(op)) return zero ? a : NO_TERM;
  if (op == TERM_ADD || op == TERM_XOR || op == TERM_OR) {
    if (zero || zeros) return zero ? a : b;
    if (op != TERM_OR) return NO_TERM;
    return is_value(terms, b, all) ? b : is_value(terms, a, all) ? a : NO_TERM;
  }
  if (op != TERM_AND && op != TERM_MUL) return NO_TERM;
  if (zero || zeros) return term_const(terms, 0, width);
  return is_value(terms, b, all) ? a : is_value(terms, a, all) ? b : NO_TERM;
}

/* Folds the comparison of (c ? number : number) with a number to c, its opposite or a constant: compilers turn
 * predicates into numbers and back. Else NO_TERM. */
static term_id fold_choice(struct terms *terms, enum term_op op, term_id a, term_id b) {
  const struct term x = *term_get(terms, a), y = *term_get(terms, b);
  bool left = x.op == TERM_ITE && y.op == TERM_CONST, right = y.op == TERM_ITE && x.op == TERM_CONST;
  if (!left && !right) return NO_TERM;
  const struct term choice = left ? x : y;
  if (term_get(terms, choice.b)->op != TERM_CONST || term_get(terms, choice.c)->op != TERM_CONST) return NO_TERM;
  term_id yes = term_binary(terms, op, left ? choice.b : a, left ? b : choice.b);
  term_id no = term_binary(terms, op, left ? choice.c : a, left ? b : choice.c);
  return yes == no ? yes : yes == TERM_TRUE ? choice.a : term_not(terms, choice.a);
}

term_id term_binary(struct terms *terms, enum term_op op, term_id a, term_id b) {
  bool compares = op == TERM_EQ || op == TERM_ULT || op == TERM_SLT;
  unsigned width = term_get(terms, a)->width;
  REQUIRE(is_shift(op) || width == term_get(terms, b)->width);
  if (term_is_const(terms, a) && term_is_const(terms, b))
    return make(terms, &(struct term){.op = op, .width = (uint8_t)(compares ? 1 : width), .a = a, .b = b}, 2);
  term_id folded = a == b ? fold_equal(terms, op, a, width) : NO_TERM;
  if (folded == NO_TERM) folded = fold_neutral(terms, op, a, b, width);
  if (folded == NO_TERM && width == 1 && op == TERM_OR) folded = fold_guards(terms, a, b);
  if (folded == NO_TERM && width == 1 && op == TERM_AND && complementary(terms, a, b)) folded = TERM_FALSE;
  if (folded == NO_TERM && compares) folded = fold_choice(terms, op, a, b);
  if (folded != NO_TERM) return folded;
  return make(terms, &(struct term){.op = op, .width = (uint8_t)(compares ? 1 : width), .a = a, .b = b}, 2);
}

term_id term_not(struct terms *terms, term_id a) {
  if (term_get(terms, a)->op == TERM_NOT) return term_get(terms, a)->a;
  return make(terms, &(struct term){.op = TERM_NOT, .width = term_get(terms, a)->width, .a = a}, 1);
}

term_id term_ite(struct terms *terms, term_id condition, term_id yes, term_id no) {
  REQUIRE(term_get(terms, yes)->width == term_get(terms, no)->width);
  if (yes == no || condition == TERM_TRUE) return yes;
  if (condition == TERM_FALSE) return no;
  return share(terms,
               &(struct term){.op = TERM_ITE, .width = term_get(terms, yes)->width, .a = condition, .b = yes, .c = no});
}

term_id term_resize(struct terms *terms, term_id a, unsigned width, bool is_signed) {
  unsigned from = term_get(terms, a)->width;
  if (from == width) return a;
  enum term_op op = is_signed && width > from ? TERM_SEXT : TERM_ZEXT;
  return make(terms, &(struct term){.op = op, .width = (uint8_t)width, .a = a}, 1);
}

term_id term_popc(struct terms *terms, term_id a) {
  return make(terms, &(struct term){.op = TERM_POPC, .width = 32, .a = a}, 1);
}

/* A term of the same operator on other operands. */
static term_id rebuild(struct terms *terms, struct term t, const term_id operands[3]) {
  if (t.op == TERM_NOT) return term_not(terms, operands[0]);
  if (t.op == TERM_ZEXT || t.op == TERM_SEXT) return term_resize(terms, operands[0], t.width, t.op == TERM_SEXT);
  if (t.op == TERM_ITE) return term_ite(terms, operands[0], operands[1], operands[2]);
  if (t.op == TERM_POPC) return term_popc(terms, operands[0]);
  return term_binary(terms, t.op, operands[0], operands[1]);
}

void term_close(const struct terms *terms, bool *set, term_id size) {
  for (term_id id = size; id-- > 0;) {
    term_id operands[3];
    unsigned count = set[id] ? term_operands(terms, id, operands) : 0;
    for (unsigned i = 0; i < count; i++) set[operands[i]] = true;
  }
}

/* Reuses terms without the leaf, so that repeated substitutions do not double the table. */
term_id term_substitute(struct terms *terms, term_id term, term_id leaf, term_id value) {
  if (term == leaf) return value;
  term_id *now = ARENA_ARRAY(terms->arena, term_id, term + 1);
  bool *cone = ARENA_ARRAY(terms->arena, bool, term + 1);
  cone[term] = true;
  term_close(terms, cone, term + 1);
  for (term_id id = 0; id <= term; id++) {
    if (!cone[id]) continue;
    term_id operands[3];
    unsigned count = term_operands(terms, id, operands);
    bool changed = false;
    for (unsigned i = 0; i < count; i++) {
      changed |= now[operands[i]] != operands[i];
      operands[i] = now[operands[i]];
    }
    now[id] = id == leaf ? value : changed ? rebuild(terms, *term_get(terms, id), operands) : id;
  }
  return now[term];
}

struct replacement {
  struct terms *terms;
  const term_id *instead;
  term_id count, *now; /* now: by term; itself until its replacement is known */
  bool *begun;         /* by term */
};

enum { DEEPEST_REPLACED = 400 };

static term_id replace(struct replacement *r, term_id id, unsigned depth) {
  if (id >= r->count || depth > DEEPEST_REPLACED) return id;
  if (r->begun[id]) return r->now[id];
  r->begun[id] = true;
  term_id operands[3], out = id;
  unsigned count = term_operands(r->terms, id, operands);
  bool changed = false;
  if (r->instead[id]) out = replace(r, r->instead[id], depth + 1);
  for (unsigned i = 0; i < count; i++) {
    term_id operand = replace(r, operands[i], depth + 1);
    changed |= operand != operands[i];
    operands[i] = operand;
  }
  if (changed) out = rebuild(r->terms, *term_get(r->terms, id), operands);
  return r->now[id] = out;
}

term_id *term_replace(struct terms *terms, const term_id *instead) {
  term_id count = terms->list.len;
  struct replacement r = {terms, instead, count, ARENA_ARRAY(terms->arena, term_id, count),
                          ARENA_ARRAY(terms->arena, bool, count)};
  for (term_id id = 0; id < count; id++) r.now[id] = id;
  for (term_id id = 0; id < count; id++) r.now[id] = replace(&r, id, 0);
  return r.now;
}

static const char *const symbols[] = {
    [TERM_ADD] = "+",     [TERM_SUB] = "-", [TERM_MUL] = "*",  [TERM_AND] = "&",  [TERM_OR] = "|",
    [TERM_XOR] = "^",     [TERM_NOT] = "~", [TERM_SHL] = "<<", [TERM_SHR] = ">>", [TERM_SAR] = ">>s",
    [TERM_POPC] = "popc", [TERM_EQ] = "==", [TERM_ULT] = "<",  [TERM_SLT] = "<s", [TERM_ZEXT] = "zext",
    [TERM_SEXT] = "sext", [TERM_ITE] = "?",
};

/* Terms nested more deeply than this are printed as "...": dumps are for reading. */
enum { PRINT_DEPTH = 40 };

enum { DEEPEST = 12, RECENT = 1024 };

/* The search for a value, given others. The values of the most recent terms are kept, so that a circuit costs its size;
 * others are looked for through a few levels only. */
struct following {
  const struct terms *terms;
  const struct supposed *given;
  size_t count;
  term_id first; /* of those that are kept */
  value_t values[RECENT];
  uint8_t states[RECENT]; /* 0: not looked for */
};

enum { NOT_FOUND = 1, FOUND };

static bool follow(struct following *f, term_id id, unsigned depth, value_t *out);

static bool follow_operands(struct following *f, const struct term *t, unsigned depth, value_t *out) {
  const struct terms *terms = f->terms;
  term_id operands[3];
  value_t of[3] = {0};
  if (t->op == TERM_ITE) return follow(f, t->a, depth, of) && follow(f, of[0] ? t->b : t->c, depth, out);
  unsigned count = term_operands(terms, (term_id)(t - terms->list.data), operands), known = 0;
  for (unsigned i = 0; i < count; i++) {
    if (!follow(f, operands[i], depth, &of[i])) continue;
    if (t->op == TERM_AND && of[i] == 0) return *out = 0, true;
    if (t->op == TERM_OR && t->width == 1 && of[i]) return *out = 1, true;
    known++;
  }
  if (known < count || count == 0) return false;
  *out = term_apply(t, of[0], term_get(terms, t->a)->width, of[1], of[2]);
  return true;
}

static bool follow(struct following *f, term_id id, unsigned depth, value_t *out) {
  const struct term *t = term_get(f->terms, id);
  uint8_t *state = id >= f->first ? &f->states[id - f->first] : NULL;
  *out = state ? f->values[id - f->first] : t->constant;
  if (t->op == TERM_CONST) return *out = t->constant, true;
  for (size_t i = 0; i < f->count; i++)
    if (f->given[i].term == id) return *out = f->given[i].value, true;
  if (state && *state) return *state == FOUND;
  bool found = depth > 0 && follow_operands(f, t, state ? depth : depth - 1, out);
  if (state) f->values[id - f->first] = *out, *state = found ? FOUND : NOT_FOUND;
  return found;
}

bool term_follow(const struct terms *terms, term_id id, const struct supposed *given, size_t count, value_t *out) {
  struct following f;
  f.terms = terms, f.given = given, f.count = count;
  f.first = id >= RECENT ? id - RECENT + 1 : 0;
  memset(f.states, 0, id - f.first + 1);
  return follow(&f, id, DEEPEST, out);
}

static void print(const struct terms *terms, term_id id, struct text *out, unsigned depth) {
  const struct term *t = term_get(terms, id);
  if (depth > PRINT_DEPTH) {
    text_add(out, "...");
  } else if (t->op == TERM_CONST) {
    text_value(out, t->constant, t->width, false);
  } else if (term_op_is_leaf(t->op)) {
    text_printf(out, "%se%u",
                t->op == TERM_PASS      ? "pass "
                : t->op == TERM_REDUCE  ? "red "
                : t->op == TERM_LANE    ? "lane "
                : t->op == TERM_PENDING ? "pending "
                : t->op == TERM_FREE    ? "any "
                : t->op == TERM_GO      ? "go "
                                        : "",
                t->event);
  } else if (term_op_is_unary(t->op)) {
    text_printf(out, "%s%s", symbols[t->op], t->op == TERM_NOT ? "" : " ");
    print(terms, t->a, out, depth + 1);
  } else {
    text_add(out, "(");
    print(terms, t->a, out, depth + 1);
    text_printf(out, " %s ", symbols[t->op]);
    print(terms, t->b, out, depth + 1);
    if (t->op == TERM_ITE) {
      text_add(out, " : ");
      print(terms, t->c, out, depth + 1);
    }
    text_add(out, ")");
  }
}

void term_print(const struct terms *terms, term_id id, struct text *out) { print(terms, id, out, 0); }
