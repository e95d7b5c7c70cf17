#include "litmus/cuda.h"

/* ---- Words: one table for reading and printing ---- */

struct pair {
  const char *cuda, *ptx;
};

static const struct pair orders[] = {{"relaxed", ".relaxed"}, {"acquire", ".acquire"}, {"release", ".release"},
                                     {"acq_rel", ".acq_rel"}, {"seq_cst", ".sc"},      {"sc", ".sc"}};
static const struct pair scopes[] = {
    {"block", ".cta"}, {"cluster", ".cluster"}, {"device", ".gpu"}, {"system", ".sys"}};
static const struct pair levels[] = {{"block", "cta"}, {"device", "gpu"}};
static const struct pair fences[] = {
    {"__threadfence_block", ".cta"}, {"__threadfence", ".gpu"}, {"__threadfence_system", ".sys"}};
/* Functions of headers that wrap an instruction of a host, each as often as it has arguments. */
static const char *const host_calls[] = {
#define HOST(kind, sem, x86, a64)
#define HOST_CALL(name, argument, x86, a64) name,
#include "litmus/host.def"
};
static const struct pair barriers[] = {
    {"__syncthreads", NULL}, {"__syncthreads_count", NULL}, {"__syncthreads_and", NULL}, {"__syncthreads_or", NULL}};

enum { RELAXED = 1, ACQUIRE = 2, RELEASE = 4, ACQ_REL = 8, SEQ_CST = 16 };

static const struct method {
  const char *name, *opcode, *op;
  uint8_t values; /* the number of arguments before order and scope */
  uint8_t orders;
} methods[] = {
    {"load", "ld", NULL, 0, RELAXED | ACQUIRE | SEQ_CST},
    {"store", "st", NULL, 1, RELAXED | RELEASE | SEQ_CST},
    {"exchange", "atom", ".exch", 1, 31},
    {"compare_exchange", "atom", ".cas", 2, 31},
    {"compare_exchange_strong", "atom", ".cas", 2, 31},
    {"fetch_add", "atom", ".add", 1, 31},
    {"fetch_sub", "atom", ".sub", 1, 31},
    {"fetch_and", "atom", ".and", 1, 31},
    {"fetch_or", "atom", ".or", 1, 31},
    {"fetch_xor", "atom", ".xor", 1, 31},
    {"fetch_min", "atom", ".min", 1, 31},
    {"fetch_max", "atom", ".max", 1, 31},
    {"atomic_thread_fence", "fence", NULL, 0, ACQUIRE | RELEASE | ACQ_REL | SEQ_CST},
};

static const struct pair sums[] = {{"+", "add"}, {"-", "sub"}, {"&", "and"}};
static const char *const jumps[] = {"beq", "bne", "blt", "ble", "bgt", "bge"};
static const char *const compares[] = {"==", "!=", "<", "<=", ">", ">="};

/* The index of a word, perhaps with `prefix` before it, as in memory_order_acquire; SIZE_MAX: none. */
static size_t find(const struct pair *pairs, size_t count, const char *prefix, const char *word) {
  size_t length = strlen(prefix);
  if (length && strncmp(word, prefix, length) == 0) word += length;
  for (size_t i = 0; i < count; i++)
    if (strcmp(pairs[i].cuda, word) == 0) return i;
  return SIZE_MAX;
}

static const char *cuda_word(const struct pair *pairs, size_t count, const char *ptx) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(pairs[i].ptx, ptx) == 0) return pairs[i].cuda;
  return NULL;
}

const char *litmus_cuda_level(const char *key) {
  const char *word = cuda_word(levels, ARRAY_LEN(levels), key);
  return word ? word : key;
}

/* Renames the levels of placements to PTX's words: block is cta, device is gpu. */
static void rename_levels(struct litmus_parse *parse) {
  LIST_EACH (thread, parse->test->threads)
    LIST_EACH (level, thread->levels) {
      size_t at = find(levels, ARRAY_LEN(levels), "", level->key.text);
      if (at != SIZE_MAX) level->key.text = intern(parse->names, levels[at].ptx);
    }
}

/* ---- Names with namespaces ---- */

static const char *strip(const char *text, const char *prefix) {
  size_t length = strlen(prefix);
  return strncmp(text, prefix, length) == 0 ? text + length : text;
}

struct litmus_word *litmus_cuda_qualified(struct litmus_parse *parse, const char *text, struct span span) {
  static const char order[] = "memory_order::", scope[] = "thread_scope::";
  const char *name = strip(strip(strip(text, "::"), "cuda::"), "std::");
  if (base_begins(name, order))
    name = arena_printf(parse->arena, "memory_order_%s", strip(name + strlen(order), "memory_order_"));
  else name = strip(name, scope);
  bool cuda = parse->test->cuda || parse->in_host;
  if (!strstr(name, "::") && cuda) return litmus_word_new(parse, name, strlen(name), span);
  struct diagnostic *d = litmus_error(parse, DIAG_UNKNOWN_QUALIFIER, span, "'%s' has no meaning here", text);
  diag_hint(parse->diags, d, "%s",
            cuda ? "the namespaces are std and cuda: cuda::memory_order_acquire, cuda::thread_scope_device"
                 : "names of C++ are for tests whose first line begins with CUDA");
  while (strstr(name, "::")) name = strstr(name, "::") + 2;
  return litmus_word_new(parse, name, strlen(name), span);
}

/* ---- Making instructions ---- */

struct litmus_cell *litmus_cuda_cell(struct litmus_parse *parse, struct litmus_instr *instr, struct span span) {
  return NODE(cell, .instr = instr, .span = span);
}

static struct litmus_word word_of(struct litmus_parse *parse, const char *text, struct span span) {
  return (struct litmus_word){.text = intern(parse->names, text), .span = span};
}

static struct litmus_instr *instr_of(struct litmus_parse *parse, const char *opcode, struct span opcode_span,
                                     struct span span) {
  return NODE(instr, .opcode = word_of(parse, opcode, opcode_span), .span = span, .cuda = true);
}

static void qualify(struct litmus_parse *parse, struct litmus_instr *instr, const char *dotted, struct span span) {
  instr->qualifiers = litmus_words_add(instr->qualifiers, litmus_word_of(parse, dotted, span));
}

static void operate(struct litmus_instr *instr, struct litmus_operand *operand) {
  struct litmus_operand **end = &instr->operands;
  while (*end) end = &(*end)->next;
  *end = operand;
}

struct litmus_operand *litmus_cuda_name(struct litmus_parse *parse, const struct litmus_ref *ref) {
  return NODE(operand, .kind = LITMUS_NAME, .u.ref = *ref, .span = ref->span);
}

static struct litmus_operand *nowhere(struct litmus_parse *parse, struct span span) {
  struct litmus_word word = word_of(parse, "_", span);
  struct litmus_ref ref = litmus_ref_plain(parse, &word);
  return litmus_cuda_name(parse, &ref);
}

/* ---- Names: the init block declares locations, and r0 and the like are registers ---- */

static const struct litmus_entry *declaration(const struct litmus_parse *parse, const struct litmus_ref *ref) {
  return LIST_FIND(entry, parse->test->entries,
                   !entry->launch && entry->ref.owner != LITMUS_OWNER_THREAD && entry->ref.name == ref->name);
}

static bool is_location(const struct litmus_parse *parse, const struct litmus_ref *ref) {
  return declaration(parse, ref) != NULL;
}

/* The scope of a cuda::atomic; NULL for other objects. */
static const char *own_scope(const struct litmus_parse *parse, const struct litmus_ref *ref) {
  const struct litmus_entry *entry = ref ? declaration(parse, ref) : NULL;
  return entry ? entry->scope : NULL;
}

static bool is_register(const struct litmus_ref *ref) {
  return ref->name[0] == 'r' && ref->name[1] && strspn(ref->name + 1, "0123456789") == strlen(ref->name + 1);
}

static void no_such_name(struct litmus_parse *parse, const struct litmus_ref *ref) {
  litmus_error(parse, DIAG_UNKNOWN_LOCATION, ref->span,
               "'%s' is neither a declared location nor a register" HINT
               "locations are declared in the init block; registers are r0, r1, ...",
               ref->name);
}

/* True if the name is a location; reports a name that is neither location nor register. */
static bool names_location(struct litmus_parse *parse, const struct litmus_ref *ref) {
  if (is_location(parse, ref)) return true;
  if (!is_register(ref)) no_such_name(parse, ref);
  return false;
}

static void check_value(struct litmus_parse *parse, const struct litmus_operand *value) {
  if (value->kind != LITMUS_NAME) return;
  const struct litmus_ref *ref = &value->u.ref;
  if (!names_location(parse, ref)) return;
  litmus_error(parse, DIAG_WRONG_OPERAND, ref->span,
               "'%s' is a location; use a register or a number here" HINT
               "read it first: r0 = %s, or r0 = %s.load(relaxed%s)",
               ref->name, ref->name, ref->name, parse->has_hosts ? "" : ", device");
}

static void check_register(struct litmus_parse *parse, const struct litmus_ref *ref) {
  if (!names_location(parse, ref)) return;
  litmus_error(parse, DIAG_WRONG_OPERAND, ref->span,
               "'%s' is a location; the result goes to a register" HINT
               "a statement accesses memory once: r0 = ..., then %s = r0",
               ref->name, ref->name);
}

/* ---- Assignments ---- */

static struct litmus_instr *access_of(struct litmus_parse *parse, const char *opcode, struct litmus_operand *first,
                                      struct litmus_operand *second, struct span span) {
  struct litmus_instr *instr = instr_of(parse, opcode, span, span);
  first->next = second;
  instr->operands = first;
  return instr;
}

/* An access that only names the object: plain, or seq_cst if the object is atomic. */
static struct litmus_cell *named_access(struct litmus_parse *parse, const char *opcode, struct litmus_operand *first,
                                        struct litmus_operand *second, const struct litmus_ref *object,
                                        struct span span) {
  struct litmus_instr *instr = access_of(parse, opcode, first, second, span);
  const char *scope = own_scope(parse, object);
  if (scope) qualify(parse, instr, ".sc", span);
  if (scope) qualify(parse, instr, scope, span);
  return litmus_cuda_cell(parse, instr, span);
}

struct litmus_cell *litmus_cuda_assign(struct litmus_parse *parse, const struct litmus_ref *to,
                                       struct litmus_operand *a, char op, struct litmus_operand *b, struct span span) {
  struct litmus_operand *first = litmus_cuda_name(parse, to);
  if (op) {
    const char *opcode = op == '+' ? "add" : op == '-' ? "sub" : "and";
    check_register(parse, to);
    check_value(parse, a);
    check_value(parse, b);
    a->next = b;
    return litmus_cuda_cell(parse, access_of(parse, opcode, first, a, span), span);
  }
  if (is_location(parse, to)) {
    check_value(parse, a);
    return named_access(parse, "st", first, a, to, span);
  }
  if (!is_register(to)) no_such_name(parse, to);
  if (a->kind == LITMUS_NAME && names_location(parse, &a->u.ref))
    return named_access(parse, "ld", first, a, &a->u.ref, span);
  return litmus_cuda_cell(parse, access_of(parse, "mov", first, a, span), span);
}

/* ---- Calls ---- */

static const struct method *method_named(const char *name) {
  return ARRAY_FIND(e, methods, ARRAY_LEN(methods), strcmp(e->name, name) == 0);
}

static void unknown_function(struct litmus_parse *parse, const struct litmus_word *function, bool of_object) {
  struct diagnostic *d =
      litmus_error(parse, DIAG_UNKNOWN_OPCODE, function->span, "this dialect has no function '%s'", function->text);
  diag_hint(parse->diags, d,
            of_object          ? "an object has load, store, exchange, compare_exchange, which is the strong one, and "
                                 "fetch_add, _sub, _and, _or, _xor, _min, _max"
            : parse->has_hosts ? "there are atomic_thread_fence(acquire) and the like, dmb(ish), dmb(ishld), "
                                 "dmb(ishst), _mm_mfence(), _mm_sfence() and _mm_lfence()"
                               : "there are atomic_thread_fence, __threadfence, __threadfence_block, "
                                 "__threadfence_system and __syncthreads");
}

/* The word of a table that an argument names; without one the default; NULL, reported, if the table lacks it. */
static const char *take_word(struct litmus_parse *parse, struct litmus_instr *instr, struct litmus_operand **at,
                             const struct pair *pairs, size_t count, const char *prefix, const char *fallback) {
  struct litmus_operand *argument = *at;
  if (!argument) {
    qualify(parse, instr, fallback, instr->opcode.span);
    return fallback;
  }
  *at = argument->next;
  const char *name = argument->kind == LITMUS_NAME ? argument->u.ref.name : "";
  size_t found = find(pairs, count, prefix, name);
  if (found != SIZE_MAX) {
    qualify(parse, instr, pairs[found].ptx, argument->span);
    return pairs[found].ptx;
  }
  bool order = pairs == orders;
  litmus_error(
      parse, DIAG_UNKNOWN_QUALIFIER, argument->span, "expected %s" HINT "%s", order ? "a memory order" : "a scope",
      order                            ? "relaxed, acquire, release, acq_rel or seq_cst"
      : strstr(name, "thread") == name ? "block, cluster, device or system; use plain accesses for a single thread"
                                       : "block, cluster, device or system");
  return NULL;
}

static void check_order(struct litmus_parse *parse, const struct litmus_instr *instr, const struct method *method,
                        const char *order) {
  size_t at = 0;
  while (strcmp(orders[at].ptx, order) != 0) at++;
  if (method->orders >> at & 1) return;
  struct text allowed = {.arena = parse->arena};
  for (size_t i = 0; 1 << i < SEQ_CST; i++)
    if (method->orders >> i & 1) text_printf(&allowed, "%s%s", allowed.len ? ", " : "", orders[i].cuda);
  litmus_error(parse, DIAG_WRONG_SEMANTICS, instr->qualifiers.first->span,
               "'%s' cannot be '%s'" HINT "it can be %s or seq_cst", method->name, orders[at].cuda, text_str(&allowed));
}

static void too_many(struct litmus_parse *parse, const struct litmus_word *function, const char *takes) {
  litmus_error(parse, DIAG_OPERAND_COUNT, function->span, "wrong number of arguments of '%s'" HINT "it takes %s",
               function->text, takes);
}

/* The scope of a call: from the type of a reference or a cuda::atomic, or as an argument, which printed tests have even
 * for a cuda::atomic. */
static const char *take_scope(struct litmus_parse *parse, struct litmus_instr *instr, struct litmus_operand **at,
                              const char *referred, const char *own) {
  const char *scope = referred;
  struct span span = *at ? (*at)->span : instr->opcode.span;
  if (referred) qualify(parse, instr, referred, span);
  else scope = take_word(parse, instr, at, scopes, ARRAY_LEN(scopes), "thread_scope_", own ? own : ".sys");
  if (!own || !scope || strcmp(own, scope) == 0) return scope;
  litmus_error(parse, DIAG_UNKNOWN_QUALIFIER, span,
               "the object is a cuda::atomic of scope %s" HINT
               "leave the scope out; only an object that is not a cuda::atomic takes any scope",
               cuda_word(scopes, ARRAY_LEN(scopes), own));
  return scope;
}

/* The failure order of a compare_exchange is its order without release; one in the text must be the same. */
static void take_failure(struct litmus_parse *parse, struct litmus_operand **at, const char *order) {
  const struct litmus_operand *argument = *at;
  size_t found = argument && argument->kind == LITMUS_NAME
                     ? find(orders, ARRAY_LEN(orders), "memory_order_", argument->u.ref.name)
                     : SIZE_MAX;
  if (found == SIZE_MAX || !order) return;
  const char *own = strcmp(order, ".acq_rel") == 0 ? ".acquire" : strcmp(order, ".release") == 0 ? ".relaxed" : order;
  *at = argument->next;
  if (strcmp(orders[found].ptx, own) == 0) return;
  litmus_error(parse, DIAG_WRONG_SEMANTICS, argument->span,
               "a separate failure order is not modelled" HINT
               "leave it out: the failure order is %s, which is the given order without its release",
               cuda_word(orders, ARRAY_LEN(orders), own));
}

/* Takes the values, then order and scope; the defaults are seq_cst and system, as in C++. `scope`: the scope in a
 * reference's type; `own`: the scope of a cuda::atomic; NULL: none. */
static void take_arguments(struct litmus_parse *parse, struct litmus_instr *instr, const struct method *method,
                           const struct litmus_word *function, const char *scope, const char *own,
                           struct litmus_operand *arguments) {
  static const char *const all[] = {"an order and a scope", "a value, an order and a scope",
                                    "the value expected, the new one, an order and a scope"};
  static const char *const scoped[] = {"an order", "a value and an order", "the value expected, the new one, an order"};
  const char *const *takes = scope || own ? scoped : all;
  struct litmus_operand *at = arguments, *values[2] = {NULL, NULL};
  for (unsigned i = 0; i < method->values && at; i++, at = at->next) values[i] = at;
  if (method->values && !values[method->values - 1]) {
    too_many(parse, function, takes[method->values]);
    return;
  }
  const char *order = take_word(parse, instr, &at, orders, ARRAY_LEN(orders), "memory_order_", ".sc");
  if (method->values == 2) take_failure(parse, &at, order);
  scope = take_scope(parse, instr, &at, scope, own);
  if (at && scope) too_many(parse, function, takes[method->values]);
  if (order) check_order(parse, instr, method, order);
  for (unsigned i = 0; i < method->values; i++) {
    check_value(parse, values[i]);
    values[i]->next = NULL;
    operate(instr, values[i]);
  }
}

static bool is_void(const struct method *method) { return method->opcode[0] == 's' || method->opcode[0] == 'f'; }

static void returns_nothing(struct litmus_parse *parse, const struct litmus_word *function) {
  litmus_error(parse, DIAG_WRONG_OPERAND, function->span, "'%s' does not return a value to assign", function->text);
}

static struct litmus_instr *call_method(struct litmus_parse *parse, const struct litmus_ref *to,
                                        const struct litmus_ref *object, const struct method *method, const char *scope,
                                        struct litmus_word *function, struct litmus_operand *arguments,
                                        struct span span) {
  struct litmus_instr *instr = instr_of(parse, method->opcode, function->span, span);
  if (method->op) qualify(parse, instr, method->op, function->span);
  if (to && is_void(method)) returns_nothing(parse, function);
  if (to) check_register(parse, to);
  if (to) operate(instr, litmus_cuda_name(parse, to));
  else if (!is_void(method)) operate(instr, nowhere(parse, function->span));
  if (object) operate(instr, litmus_cuda_name(parse, object));
  if (object && !is_location(parse, object)) no_such_name(parse, object);
  take_arguments(parse, instr, method, function, scope, own_scope(parse, object), arguments);
  return instr;
}

static bool is_host_call(const struct litmus_parse *parse, const char *name) {
  for (size_t i = 0; i < ARRAY_LEN(host_calls); i++)
    if (strcmp(host_calls[i], name) == 0) return !parse->test->cuda;
  return false;
}

/* Calls of fences and barriers. */
static struct litmus_instr *call_plain(struct litmus_parse *parse, const struct litmus_ref *to,
                                       const struct litmus_word *function, struct litmus_operand *arguments,
                                       struct span span) {
  size_t fence = find(fences, ARRAY_LEN(fences), "", function->text);
  bool barrier = find(barriers, ARRAY_LEN(barriers), "", function->text) != SIZE_MAX;
  if (fence == SIZE_MAX && !barrier && !is_host_call(parse, function->text)) {
    unknown_function(parse, function, false);
    return NULL;
  }
  struct litmus_instr *instr = instr_of(parse, fence == SIZE_MAX ? function->text : "fence", function->span, span);
  if (fence == SIZE_MAX) {
    instr->call = true;
    instr->assigns = to != NULL;
    if (to) operate(instr, litmus_cuda_name(parse, to));
    operate(instr, arguments);
    for (; arguments && barrier; arguments = arguments->next) check_value(parse, arguments);
    return instr;
  }
  if (to) returns_nothing(parse, function);
  if (arguments) too_many(parse, function, "none");
  qualify(parse, instr, ".sc", function->span);
  qualify(parse, instr, fences[fence].ptx, function->span);
  return instr;
}

struct litmus_cell *litmus_cuda_call(struct litmus_parse *parse, const struct litmus_ref *to,
                                     const struct litmus_ref *object, struct litmus_word *function,
                                     struct litmus_operand *arguments, struct span span) {
  const char *name = function->text + (object && function->text[0] == '.');
  const struct method *method = method_named(name);
  bool fence = method && method->opcode[0] == 'f';
  struct litmus_instr *instr = NULL;
  if (object && (!method || fence)) unknown_function(parse, function, true);
  else if (method && (object || fence)) instr = call_method(parse, to, object, method, NULL, function, arguments, span);
  else instr = call_plain(parse, to, function, arguments, span);
  return litmus_cuda_cell(parse, instr, span);
}

struct litmus_cell *litmus_host_cell(struct litmus_cell *cell) {
  for (struct litmus_cell *part = cell; part; part = part->more)
    if (part->instr) part->instr->host = true;
  return cell;
}

struct litmus_cell *litmus_host_grid(struct litmus_parse *parse, struct litmus_word *verb, struct litmus_number grid,
                                     struct span span) {
  struct litmus_instr *instr = instr_of(parse, verb->text, verb->span, span);
  if ((strcmp(verb->text, "launch") != 0 && strcmp(verb->text, "sync") != 0) || parse->test->cuda)
    unknown_function(parse, verb, false);
  operate(instr, NODE(operand, .kind = LITMUS_NUMBER, .u.number = grid, .span = span));
  return litmus_cuda_cell(parse, instr, span);
}

/* The type in a template: NULL, reported, if tests do not support objects of this type. */
static const char *type_of(struct litmus_parse *parse, struct litmus_words type) {
  static const char *const types[] = {"int", "unsigned", "unsigned int", "int32_t", "uint32_t"};
  struct text words = {.arena = parse->arena};
  struct span span = type.first->span;
  LIST_EACH (word, type.first) {
    text_printf(&words, word == type.first ? "%s" : " %s", word->text);
    span = span_join(span, word->span);
  }
  for (size_t i = 0; i < ARRAY_LEN(types); i++)
    if (strcmp(types[i], text_str(&words)) == 0) return types[i];
  struct diagnostic *d =
      litmus_error(parse, DIAG_WRONG_TYPE, span, "objects cannot have the type '%s'", text_str(&words));
  diag_hint(parse->diags, d, "int, unsigned, int32_t or uint32_t");
  return NULL;
}

/* The scope in the type of a reference or a cuda::atomic; NULL, reported, if there is none. */
static const char *scope_of(struct litmus_parse *parse, const struct litmus_reference *reference, const char *name,
                            const char *example) {
  struct diagnostic *d = NULL;
  if (strcmp(reference->name->text, name) != 0) {
    d = litmus_error(parse, DIAG_UNKNOWN_OPCODE, reference->name->span, "'%s' is not a template that can be used here",
                     reference->name->text);
    diag_hint(parse->diags, d, "%s", example);
    return NULL;
  }
  if (!type_of(parse, reference->type)) return NULL;
  if (!reference->scope) return ".sys";
  size_t at = find(scopes, ARRAY_LEN(scopes), "thread_scope_", reference->scope->text);
  if (at != SIZE_MAX) return scopes[at].ptx;
  d = litmus_error(parse, DIAG_UNKNOWN_QUALIFIER, reference->scope->span, "expected a scope");
  diag_hint(parse->diags, d, "block, cluster, device or system");
  return NULL;
}

struct litmus_entry *litmus_cuda_atomic(struct litmus_parse *parse, struct litmus_words qualifiers,
                                        const struct litmus_reference *declared, struct span span) {
  struct litmus_entry *entry = litmus_entry_new(parse, qualifiers, declared->type, *declared->object, span);
  entry->ref.has_index = false;
  entry->is_array = entry->has_count = declared->object->has_index;
  entry->count = declared->object->index;
  entry->scope = scope_of(parse, declared, "atomic", "cuda::atomic<int, cuda::thread_scope_device> x");
  if (parse->test->cuda || !entry->scope) return entry;
  litmus_error(parse, DIAG_UNKNOWN_QUALIFIER, declared->name->span,
               "'%s' has no meaning here" HINT "objects of C++ are for tests whose first line begins with CUDA",
               declared->name->text);
  return entry;
}

struct litmus_cell *litmus_cuda_refer(struct litmus_parse *parse, const struct litmus_ref *to,
                                      const struct litmus_reference *reference, struct litmus_word *function,
                                      struct litmus_operand *arguments, struct span span) {
  const struct method *method = method_named(strip(function->text, "."));
  static const char example[] = "cuda::atomic_ref<int, cuda::thread_scope_device>(x)";
  const char *scope = scope_of(parse, reference, "atomic_ref", example);
  struct litmus_instr *instr = NULL;
  if (!method || method->opcode[0] == 'f') unknown_function(parse, function, true);
  else if (scope) instr = call_method(parse, to, reference->object, method, scope, function, arguments, span);
  return litmus_cuda_cell(parse, instr, span);
}

/* ---- Control flow ---- */

static enum compare opposite(enum compare compare) {
  static const enum compare others[] = {COMPARE_NE, COMPARE_EQ, COMPARE_GE, COMPARE_GT, COMPARE_LE, COMPARE_LT};
  return others[compare];
}

/* A jump; adds the label if it is new. */
static struct litmus_instr *jump_of(struct litmus_parse *parse, const struct litmus_branch *branch, bool when,
                                    struct span span) {
  if (!branch) return instr_of(parse, "bra", span, span);
  check_value(parse, branch->a);
  check_value(parse, branch->b);
  const char *opcode = jumps[when ? branch->compare : opposite(branch->compare)];
  return access_of(parse, opcode, branch->a, branch->b, span);
}

struct litmus_instr *litmus_cuda_jump(struct litmus_parse *parse, struct litmus_instr *jump,
                                      const struct litmus_word *label, struct span span) {
  struct litmus_ref ref = litmus_ref_plain(parse, label);
  if (!jump) jump = jump_of(parse, NULL, true, span);
  operate(jump, litmus_cuda_name(parse, &ref));
  return jump;
}

struct litmus_cell *litmus_cuda_goto(struct litmus_parse *parse, const struct litmus_branch *branch,
                                     const struct litmus_word *label, struct span span) {
  struct litmus_instr *jump = jump_of(parse, branch, true, span);
  return litmus_cuda_cell(parse, litmus_cuda_jump(parse, jump, label, span), span);
}

struct litmus_cell *litmus_cuda_if(struct litmus_parse *parse, const struct litmus_branch *branch,
                                   struct litmus_cell *statement, struct span span) {
  struct litmus_cell *cell = litmus_cuda_cell(parse, jump_of(parse, branch, false, span), span);
  cell->block = LITMUS_BLOCK_IF;
  cell->more = statement;
  statement->more = litmus_cuda_block(parse, LITMUS_BLOCK_END, NULL, span);
  return cell;
}

struct litmus_cell *litmus_cuda_block(struct litmus_parse *parse, enum litmus_block block,
                                      const struct litmus_branch *branch, struct span span) {
  struct litmus_cell *cell = litmus_cuda_cell(parse, NULL, span);
  cell->block = block;
  if (branch) cell->instr = jump_of(parse, branch, block == LITMUS_BLOCK_UNTIL, span);
  return cell;
}

void litmus_cuda_finish(struct litmus_parse *parse) {
  rename_levels(parse);
  litmus_cuda_unblock(parse);
}

/* ---- Printing ---- */

void litmus_cuda_print_type(const struct litmus_entry *entry, struct text *out) {
  text_add(out, "atomic<");
  LIST_EACH (word, entry->types.first) text_printf(out, word == entry->types.first ? "%s" : " %s", word->text);
  text_printf(out, ", %s> ", cuda_word(scopes, ARRAY_LEN(scopes), entry->scope));
}

/* The instruction's qualifier from a table, in C++'s words, or NULL. */
static const char *qualified(const struct litmus_instr *instr, const struct pair *pairs, size_t count) {
  LIST_EACH (word, instr->qualifiers.first) {
    const char *found = cuda_word(pairs, count, word->text);
    if (found) return found;
  }
  return NULL;
}

static const struct method *method_of(const struct litmus_instr *instr) {
  for (size_t i = 0; i < ARRAY_LEN(methods); i++) {
    if (strcmp(methods[i].opcode, instr->opcode.text) != 0) continue;
    if (!methods[i].op || strcmp(methods[i].op, instr->qualifiers.first->text) == 0) return &methods[i];
  }
  return NULL;
}

static void print_method(const struct litmus_instr *instr, const struct method *method, const char *order,
                         struct text *out) {
  const struct litmus_operand *operand = instr->operands;
  if (!is_void(method)) {
    if (strcmp(operand->u.ref.name, "_") != 0) text_printf(out, "%s = ", operand->u.ref.name);
    operand = operand->next;
  }
  if (operand) {
    litmus_print_operand(operand, out);
    text_char(out, '.');
    operand = operand->next;
  }
  text_printf(out, "%s(", method->name);
  for (; operand; operand = operand->next) {
    litmus_print_operand(operand, out);
    text_add(out, ", ");
  }
  text_add(out, order);
  if (!instr->host) text_printf(out, ", %s", qualified(instr, scopes, ARRAY_LEN(scopes)));
  text_char(out, ')');
}

static bool print_jump(const struct litmus_instr *instr, struct text *out) {
  const struct litmus_operand *a = instr->operands;
  if (strcmp(instr->opcode.text, "bra") == 0) {
    text_printf(out, "goto %s", a->u.ref.name);
    return true;
  }
  for (size_t i = 0; i < ARRAY_LEN(jumps); i++) {
    if (strcmp(jumps[i], instr->opcode.text) != 0) continue;
    text_add(out, "if (");
    litmus_print_operand(a, out);
    text_printf(out, " %s ", compares[i]);
    litmus_print_operand(a->next, out);
    text_printf(out, ") goto %s", a->next->next->u.ref.name);
    return true;
  }
  return false;
}

static void print_barrier(const struct litmus_instr *instr, struct text *out) {
  const struct litmus_operand *operand = instr->operands;
  if (instr->assigns) text_printf(out, "%s = ", operand->u.ref.name), operand = operand->next;
  text_printf(out, "%s(", instr->opcode.text);
  if (operand) litmus_print_operand(operand, out);
  text_char(out, ')');
}

void litmus_cuda_print(const struct litmus_instr *instr, struct text *out) {
  const char *order = qualified(instr, orders, ARRAY_LEN(orders));
  const struct method *method = order ? method_of(instr) : NULL;
  if (instr->call) {
    print_barrier(instr, out);
  } else if (method) {
    print_method(instr, method, order, out);
  } else if (print_jump(instr, out)) {
    return;
  } else if (!instr->operands->next) {
    text_printf(out, "%s ", instr->opcode.text);
    litmus_print_operand(instr->operands, out);
  } else {
    const struct litmus_operand *value = instr->operands->next;
    litmus_print_operand(instr->operands, out);
    text_add(out, " = ");
    litmus_print_operand(value, out);
    for (size_t i = 0; i < ARRAY_LEN(sums) && value->next; i++)
      if (strcmp(sums[i].ptx, instr->opcode.text) == 0) text_printf(out, " %s ", sums[i].cuda);
    if (value->next) litmus_print_operand(value->next, out);
  }
}
