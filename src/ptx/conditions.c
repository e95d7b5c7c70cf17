#include "ptx/lowering.h"

/* Observables are numbered as they are met; at the end they are sorted and the conditions renumbered. */
struct cond_observer {
  struct lowering *l;
  VEC(struct observable) all;
  struct hash_index index;
};

static bool same_observable(const struct observable *a, const struct observable *b) {
  if (a->is_reg != b->is_reg) return false;
  return a->is_reg ? a->thread == b->thread && a->reg == b->reg : a->object == b->object && a->element == b->element;
}

/* The number of a register or an element, which is observed from now on. */
static uint32_t observe(struct cond_observer *o, struct observable observable) {
  struct arena *arena = o->l->arena;
  uint64_t where = observable.is_reg ? observable.thread : observable.object;
  uint64_t hash = hash_mix(hash_mix(observable.is_reg, where), observable.is_reg ? observable.reg : observable.element);
  HASH_EACH (i, &o->index, hash)
    if (same_observable(&o->all.data[i], &observable)) return i;
  return HASH_PUSH(arena, &o->index, hash, &o->all, observable);
}

static uint32_t observe_register(struct cond_observer *o, uint32_t thread, uint32_t reg) {
  const struct thread *of = &o->l->program->threads[thread];
  const char *name = arena_printf(o->l->arena, "%u:%s", of->number, of->regs[reg].name);
  return observe(
      o, (struct observable){.name = name, .is_reg = true, .thread = thread, .reg = reg, .type = of->regs[reg].type});
}

static uint32_t observe_element(struct cond_observer *o, uint32_t number, uint32_t element) {
  const struct object *object = &o->l->objects.data[number];
  const char *name = object->count == 1 ? object->name : arena_printf(o->l->arena, "%s[%u]", object->name, element);
  return observe(o, (struct observable){.name = name, .object = number, .element = element, .type = object->type});
}

/* Names */

static bool unknown_register(struct lowering *l, const struct litmus_ref *ref, uint32_t thread) {
  struct diagnostic *d = diag_report(l->diags, DIAG_UNKNOWN_REGISTER, ref->span, "thread P%u has no register '%s'",
                                     ref->thread, ref->name);
  const struct thread *of = &l->program->threads[thread];
  const char **names = ARENA_ARRAY(l->arena, const char *, of->reg_count);
  for (uint32_t i = 0; i < of->reg_count; i++) names[i] = of->regs[i].name;
  const char *nearest = of->reg_count <= 1000 ? nearest_word(ref->name, names, of->reg_count) : NULL;
  if (lower_find_symbol(l, ref->name)) diag_hint(l->diags, d, "the location is written '%s'", ref->name);
  else if (nearest) diag_hint(l->diags, d, "did you mean '%u:%s'?", ref->thread, nearest);
  return false;
}

static bool find_register(struct cond_observer *o, const struct litmus_ref *ref, uint32_t *index) {
  struct lowering *l = o->l;
  uint32_t thread = lower_find_thread(l, ref->thread);
  if (thread == NO_THREAD) {
    lower_unknown_thread(l, ref->thread, ref->owner_span);
    return false;
  }
  uint32_t reg = lower_find_reg(l, thread, ref->name);
  if (reg == NO_REG) return unknown_register(l, ref, thread);
  if (ref->has_index || ref->offset)
    return diag_refuse(l->diags, DIAG_WRONG_OPERAND, ref->span, "a register has no elements");
  *index = observe_register(o, thread, reg);
  return true;
}

/* True if a reference with a thread is to one of the thread's own locations (.local, .param). */
static bool is_thread_location(const struct lowering *l, const struct litmus_ref *ref) {
  const struct symbol *symbol = ref->percent ? NULL : lower_find_symbol(l, ref->name);
  return symbol && (symbol->space == SPACE_LOCAL || symbol->space == SPACE_PARAM);
}

static bool is_register(const struct lowering *l, const struct litmus_ref *ref) {
  return ref->owner == LITMUS_OWNER_THREAD && !is_thread_location(l, ref);
}

/* Reports a bare register name in a condition, which must name the thread. */
static bool bare_register(struct lowering *l, const struct litmus_ref *ref) {
  if (ref->owner != LITMUS_OWNER_NONE || (!ref->percent && lower_find_symbol(l, ref->name))) return false;
  for (uint32_t t = 0; t < l->program->thread_count; t++) {
    if (lower_find_reg(l, t, ref->name) == NO_REG) continue;
    diag_report(l->diags, DIAG_UNKNOWN_REGISTER, ref->span, "register '%s' of which thread?" HINT "write %u:%s",
                ref->name, l->program->threads[t].number, ref->name);
    return true;
  }
  if (!l->options->implicit_locations || !lower_looks_like_reg(ref)) return false;
  diag_report(l->diags, DIAG_UNKNOWN_REGISTER, ref->span, "no thread has a register '%s'", ref->name);
  return true;
}

/* Elements of an object. */
struct cond_elements {
  uint32_t object, first, count;
};

/* The elements that `ref` names: one, unless it names a whole array. */
static bool find_elements(struct cond_observer *o, const struct litmus_ref *ref, struct cond_elements *out) {
  struct lowering *l = o->l;
  uint32_t view;
  if (bare_register(l, ref)) return false;
  const struct symbol *symbol = lower_symbol(l, ref->name, ref->span);
  if (!symbol || !lower_view(l, symbol, ref, NO_THREAD, &view)) return false;
  if (symbol->mbarrier)
    return diag_refuse(l->diags, DIAG_WRONG_OPERAND, ref->span,
                       "'%s' is an mbarrier object, which has no value" HINT
                       "test its phase in a thread: mbarrier.test_wait.parity p0, [%s], 0",
                       ref->name, ref->name);
  uint32_t bytes = type_bytes(symbol->type);
  int64_t offset = lower_ref_offset(symbol, ref);
  if (offset < 0 || offset / bytes >= symbol->count)
    return diag_refuse(l->diags, DIAG_OUT_OF_BOUNDS, ref->span, "'%s' has %u element%s", ref->name, symbol->count,
                       symbol->count == 1 ? "" : "s");
  if (offset % bytes)
    return diag_refuse(l->diags, DIAG_MISALIGNED, ref->span, "the elements of '%s' have %u bytes", ref->name, bytes);
  uint32_t count = ref->has_index || ref->offset ? 1 : symbol->count;
  *out = (struct cond_elements){l->views.data[view].object, (uint32_t)(offset / bytes), count};
  return true;
}

static bool find_value(struct cond_observer *o, const struct litmus_ref *ref, uint32_t *index) {
  struct cond_elements found;
  if (is_register(o->l, ref)) return find_register(o, ref, index);
  if (!find_elements(o, ref, &found)) return false;
  if (found.count > 1)
    return diag_refuse(o->l->diags, DIAG_WRONG_OPERAND, ref->span,
                       "'%s' is an array of %u elements" HINT "name one: %s[0]", ref->name, found.count, ref->name);
  *index = observe_element(o, found.object, found.first);
  return true;
}

/* Comparisons. On the right of a register a bare location is its address, as in herd; between two locations, and in
 * brackets, it is the value in memory; &x is always the address. */

static bool is_address(const struct lowering *l, const struct litmus_term *left, const struct litmus_term *term) {
  if (term->kind == LITMUS_TERM_ADDRESS) return true;
  if (term->kind != LITMUS_TERM_REF || term == left || is_register(l, &term->ref)) return false;
  return left->kind == LITMUS_TERM_REF && is_register(l, &left->ref);
}

static bool lower_term(struct cond_observer *o, const struct litmus_term *left, const struct litmus_term *term,
                       struct cond_term *out) {
  if (term->kind == LITMUS_TERM_NUMBER) {
    out->is_constant = true;
    out->constant = term->number.negative ? ~term->number.value + 1 : term->number.value;
    return true;
  }
  if (is_address(o->l, left, term)) {
    out->is_constant = true;
    return lower_ref_address(o->l, &term->ref, NO_THREAD, &out->constant);
  }
  return find_value(o, &term->ref, &out->observable);
}

/* A constant that no value of the other side's type equals is an error. A floating-point constant becomes bits. */
static bool check_range(struct cond_observer *o, const struct litmus_term *term, struct cond_term *constant,
                        const struct cond_term *other) {
  value_t bits;
  if (!constant->is_constant || term->kind != LITMUS_TERM_NUMBER) return true;
  if (other->is_constant) return !term->number.decimal || lower_number(o->l, &term->number, 128, &bits);
  struct type type = o->all.data[other->observable].type;
  if (!lower_value(o->l, &term->number, type, &bits)) return false;
  if (type_is_float(type)) constant->constant = bits;
  return true;
}

/* Refuses < and the like on floating-point values, which are compared as bits, in another order than the numbers. */
static bool check_order(struct cond_observer *o, const struct litmus_cond *ast, const struct cond *cond) {
  const struct cond_term *terms[] = {&cond->a, &cond->b};
  if (cond->compare == COMPARE_EQ || cond->compare == COMPARE_NE) return true;
  for (unsigned i = 0; i < 2; i++)
    if (!terms[i]->is_constant && type_is_float(o->all.data[terms[i]->observable].type))
      return diag_refuse(o->l->diags, DIAG_WRONG_TYPE, ast->span,
                         "a condition compares floating-point values by '=' and '!=' only" HINT
                         "compare in the test, by setp, and name its result here");
  return true;
}

static bool lower_comparison(struct cond_observer *o, const struct litmus_cond *ast, struct cond *out) {
  out->kind = COND_COMPARE;
  out->compare = ast->compare;
  return lower_term(o, ast->a, ast->a, &out->a) && lower_term(o, ast->a, ast->b, &out->b) &&
         check_range(o, ast->a, &out->a, &out->b) && check_range(o, ast->b, &out->b, &out->a) &&
         check_order(o, ast, out);
}

static struct cond *lower_cond(struct cond_observer *o, const struct litmus_cond *ast);

/* A chain as a balanced tree, so that its depth is logarithmic. */
static struct cond *balance(struct cond_observer *o, enum cond_kind kind, struct cond **parts, uint32_t count) {
  if (count == 1) return parts[0];
  struct cond *cond = ARENA_NEW(o->l->arena, struct cond);
  cond->kind = kind;
  cond->left = balance(o, kind, parts, count / 2);
  cond->right = balance(o, kind, parts + count / 2, count - count / 2);
  return cond;
}

/* NULL if an error was reported. The depth is bounded by the parser. */
static struct cond *lower_cond(struct cond_observer *o, const struct litmus_cond *ast) {
  struct cond *cond = ARENA_NEW(o->l->arena, struct cond);
  if (ast->kind == LITMUS_COMPARE) return lower_comparison(o, ast, cond) ? cond : NULL;
  struct cond **parts = ARENA_ARRAY(o->l->arena, struct cond *, ast->part_count);
  uint32_t count = 0;
  bool right = true;
  LIST_EACH (part, ast->parts)
    if (!(parts[count++] = lower_cond(o, part))) right = false;
  if (!right) return NULL;
  if (ast->kind != LITMUS_NOT) return balance(o, ast->kind == LITMUS_AND ? COND_AND : COND_OR, parts, count);
  cond->kind = COND_NOT;
  cond->left = parts[0];
  return cond;
}

static void observe_all(struct cond_observer *o) {
  const struct program *program = o->l->program;
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t r = 0; r < program->threads[t].reg_count; r++)
      if (!program->threads[t].regs[r].hidden) observe_register(o, t, r);
  for (uint32_t i = 0; i < o->l->objects.len; i++)
    for (uint32_t e = 0; e < o->l->objects.data[i].count && !o->l->objects.data[i].is_allocator; e++)
      observe_element(o, i, e);
}

static bool lower_observed(struct cond_observer *o) {
  bool right = true;
  LIST_EACH (term, o->l->test->locations) {
    struct cond_elements found = {0};
    uint32_t index;
    right =
        (is_register(o->l, &term->ref) ? find_register(o, &term->ref, &index) : find_elements(o, &term->ref, &found)) &&
        right;
    for (uint32_t i = 0; right && i < found.count; i++) observe_element(o, found.object, found.first + i);
  }
  if (o->l->options->all_state) observe_all(o);
  return right;
}

/* Order of printing */

/* Numbers inside names compare as numbers: r2 before r10. */
static int compare_names(const char *a, const char *b) {
  while (*a && *b) {
    size_t da = strspn(a, "0123456789"), db = strspn(b, "0123456789");
    if (da && db) {
      if (da != db) return da < db ? -1 : 1;
      int order = strncmp(a, b, da);
      if (order) return order;
      a += da;
      b += db;
    } else {
      if (*a != *b) return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
      a++;
      b++;
    }
  }
  return *a ? 1 : *b ? -1 : 0;
}

struct sortable {
  const struct observable *observable;
  const char *name; /* the register's name */
  uint32_t index;
};

static int compare_numbers(uint32_t a, uint32_t b) { return (a > b) - (a < b); }

/* Registers by thread and name, then elements in the order of declaration. */
static int compare_observables(const void *va, const void *vb) {
  const struct sortable *a = va, *b = vb;
  const struct observable *x = a->observable, *y = b->observable;
  if (x->is_reg != y->is_reg) return x->is_reg ? -1 : 1;
  if (x->is_reg && x->thread == y->thread) return compare_names(a->name, b->name);
  if (x->is_reg) return compare_numbers(x->thread, y->thread);
  return x->object == y->object ? compare_numbers(x->element, y->element) : compare_numbers(x->object, y->object);
}

static void renumber(struct cond *cond, const uint32_t *place) {
  if (cond->kind == COND_COMPARE) {
    if (!cond->a.is_constant) cond->a.observable = place[cond->a.observable];
    if (!cond->b.is_constant) cond->b.observable = place[cond->b.observable];
    return;
  }
  /* lower_cond made the nodes, which it returns as const although it may still change them. */
  if (cond->left) renumber((struct cond *)(uintptr_t)cond->left, place);
  if (cond->right) renumber((struct cond *)(uintptr_t)cond->right, place);
}

static void sort_observables(struct cond_observer *o, struct cond *condition, struct cond *filter) {
  struct program *program = o->l->program;
  uint32_t count = o->all.len, *place = ARENA_ARRAY(o->l->arena, uint32_t, count);
  struct sortable *order = ARENA_ARRAY(o->l->arena, struct sortable, count);
  for (uint32_t i = 0; i < count; i++) {
    const struct observable *own = &o->all.data[i];
    order[i] = (struct sortable){own, own->is_reg ? program->threads[own->thread].regs[own->reg].name : "", i};
  }
  if (count) qsort(order, count, sizeof *order, compare_observables);
  program->observables = ARENA_ARRAY(o->l->arena, struct observable, count);
  program->observed_count = count;
  for (uint32_t i = 0; i < count; i++) {
    program->observables[i] = *order[i].observable;
    place[order[i].index] = i;
  }
  renumber(condition, place);
  if (filter) renumber(filter, place);
}

static const char *condition_text(struct lowering *l) {
  static const char *const quantifiers[] = {"exists", "~exists", "forall", "safe", "in-turns"};
  struct text text = {.arena = l->arena};
  if (!l->test->condition) return quantifiers[l->test->quantifier];
  text_printf(&text, "%s (", quantifiers[l->test->quantifier]);
  litmus_print_cond(l->test->condition, &text);
  text_char(&text, ')');
  return text_str(&text);
}

/* With implicit locations, declares names that occur only after the code before anything is numbered. */
static void declare_term(struct lowering *l, const struct litmus_term *term) {
  if (term->kind == LITMUS_TERM_NUMBER || term->ref.owner != LITMUS_OWNER_NONE) return;
  if (term->kind == LITMUS_TERM_ADDRESS || !lower_looks_like_reg(&term->ref))
    lower_symbol(l, term->ref.name, term->ref.span);
}

static void declare_implicit(struct lowering *l, const struct litmus_cond *cond) {
  if (!cond) return;
  LIST_EACH (part, cond->parts) declare_implicit(l, part);
  if (cond->kind != LITMUS_COMPARE) return;
  declare_term(l, cond->a);
  declare_term(l, cond->b);
}

bool lower_conditions(struct lowering *l) {
  const struct litmus_test *test = l->test;
  if (l->options->implicit_locations) {
    declare_implicit(l, test->condition);
    declare_implicit(l, test->filter);
    LIST_EACH (term, test->locations) declare_term(l, term);
  }
  struct cond_observer o = {.l = l};
  bool right = lower_observed(&o);
  struct cond *filter = test->filter ? lower_cond(&o, test->filter) : NULL;
  struct cond *condition = test->condition ? lower_cond(&o, test->condition) : ARENA_NEW(l->arena, struct cond);
  if (!right || !condition || (test->filter && !filter)) return false;
  sort_observables(&o, condition, filter);
  l->program->quantifier = test->quantifier;
  l->program->condition = condition;
  l->program->filter = filter;
  l->program->condition_text = condition_text(l);
  return true;
}
