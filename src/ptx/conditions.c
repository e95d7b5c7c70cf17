#include "ptx/lowering.h"

/* Observables are numbered twice: first registers thread by thread and then elements object by object, which makes them
 * easy to find; at the end the observed ones are moved to the front and the conditions are renumbered. */
struct cond_observer {
  struct lowering *l;
  uint32_t *first_reg;     /* by thread */
  uint32_t *first_element; /* by object */
  struct observable *all;
  bool *observed;
  uint32_t count;
};

static const char *reg_name(struct lowering *l, uint32_t thread, uint32_t reg) {
  const struct thread *of = &l->program->threads[thread];
  return arena_printf(l->arena, "%u:%s", of->number, of->regs[reg].name);
}

static const char *element_name(struct lowering *l, const struct object *object, uint32_t element) {
  return object->count == 1 ? object->name : arena_printf(l->arena, "%s[%u]", object->name, element);
}

static void enumerate(struct cond_observer *o) {
  struct lowering *l = o->l;
  const struct program *program = l->program;
  uint32_t count = 0;
  o->first_reg = ARENA_ARRAY(l->arena, uint32_t, program->thread_count);
  o->first_element = ARENA_ARRAY(l->arena, uint32_t, l->objects.len);
  for (uint32_t t = 0; t < program->thread_count; count += program->threads[t++].reg_count) o->first_reg[t] = count;
  for (uint32_t i = 0; i < l->objects.len; count += l->objects.data[i++].count) o->first_element[i] = count;
  o->count = count;
  o->all = ARENA_ARRAY(l->arena, struct observable, count);
  o->observed = ARENA_ARRAY(l->arena, bool, count);
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t r = 0; r < program->threads[t].reg_count; r++)
      o->all[o->first_reg[t] + r] = (struct observable){
          .name = reg_name(l, t, r), .is_reg = true, .thread = t, .reg = r, .type = program->threads[t].regs[r].type};
  for (uint32_t i = 0; i < l->objects.len; i++)
    for (uint32_t e = 0; e < l->objects.data[i].count; e++)
      o->all[o->first_element[i] + e] = (struct observable){
          .name = element_name(l, &l->objects.data[i], e), .object = i, .element = e, .type = l->objects.data[i].type};
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
  *index = o->first_reg[thread] + reg;
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

/* The first element that `ref` names, and the number of elements: 1 unless it names a whole array. */
static bool find_elements(struct cond_observer *o, const struct litmus_ref *ref, uint32_t *index, uint32_t *count) {
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
  uint32_t object = l->views.data[view].object, bytes = type_bytes(symbol->type);
  int64_t offset = lower_ref_offset(symbol, ref);
  *count = ref->has_index || ref->offset ? 1 : symbol->count;
  if (offset < 0 || offset / bytes >= symbol->count)
    return diag_refuse(l->diags, DIAG_OUT_OF_BOUNDS, ref->span, "'%s' has %u element%s", ref->name, symbol->count,
                       symbol->count == 1 ? "" : "s");
  if (offset % bytes)
    return diag_refuse(l->diags, DIAG_MISALIGNED, ref->span, "the elements of '%s' have %u bytes", ref->name, bytes);
  *index = o->first_element[object] + (uint32_t)(offset / bytes);
  return true;
}

static bool find_value(struct cond_observer *o, const struct litmus_ref *ref, uint32_t *index) {
  uint32_t count = 1;
  if (is_register(o->l, ref)) {
    if (!find_register(o, ref, index)) return false;
  } else if (!find_elements(o, ref, index, &count)) {
    return false;
  }
  if (count > 1)
    return diag_refuse(o->l->diags, DIAG_WRONG_OPERAND, ref->span,
                       "'%s' is an array of %u elements" HINT "name one: %s[0]", ref->name, count, ref->name);
  o->observed[*index] = true;
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
  struct type type = o->all[other->observable].type;
  if (!lower_value(o->l, &term->number, type, &bits)) return false;
  if (type_is_float(type)) constant->constant = bits;
  return true;
}

/* Refuses < and the like on floating-point values, which are compared as bits, in another order than the numbers. */
static bool check_order(struct cond_observer *o, const struct litmus_cond *ast, const struct cond *cond) {
  const struct cond_term *terms[] = {&cond->a, &cond->b};
  if (cond->compare == COMPARE_EQ || cond->compare == COMPARE_NE) return true;
  for (unsigned i = 0; i < 2; i++) {
    if (terms[i]->is_constant || !type_is_float(o->all[terms[i]->observable].type)) continue;
    return diag_refuse(o->l->diags, DIAG_WRONG_TYPE, ast->span,
                       "a condition compares floating-point values by '=' and '!=' only" HINT
                       "compare in the test, by setp, and name its result here");
  }
  return true;
}

static bool lower_comparison(struct cond_observer *o, const struct litmus_cond *ast, struct cond *out) {
  out->kind = COND_COMPARE;
  out->compare = (enum compare)ast->compare;
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
  for (const struct litmus_cond *part = ast->parts; part; part = part->next)
    if (!(parts[count++] = lower_cond(o, part))) right = false;
  if (!right) return NULL;
  if (ast->kind != LITMUS_NOT) return balance(o, ast->kind == LITMUS_AND ? COND_AND : COND_OR, parts, count);
  cond->kind = COND_NOT;
  cond->left = parts[0];
  return cond;
}

static bool is_hidden(const struct cond_observer *o, uint32_t index) {
  const struct observable *observable = &o->all[index];
  if (!observable->is_reg) return o->l->objects.data[observable->object].is_allocator;
  return o->l->program->threads[observable->thread].regs[observable->reg].hidden;
}

static bool lower_observed(struct cond_observer *o) {
  bool right = true;
  for (const struct litmus_term *term = o->l->test->locations; term; term = term->next) {
    uint32_t index, count = 1;
    bool found = is_register(o->l, &term->ref) ? find_register(o, &term->ref, &index)
                                               : find_elements(o, &term->ref, &index, &count);
    for (uint32_t i = 0; found && i < count; i++) o->observed[index + i] = true;
    right = right && found;
  }
  for (uint32_t i = 0; i < o->count && o->l->options->all_state; i++) o->observed[i] = !is_hidden(o, i);
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

static int compare_registers(const void *va, const void *vb) {
  const struct sortable *a = va, *b = vb;
  if (a->observable->thread != b->observable->thread) return a->observable->thread < b->observable->thread ? -1 : 1;
  return compare_names(a->name, b->name);
}

/* The observables in their final order, without hidden registers: observed registers by thread and name, observed
 * elements in the order of declaration, then the others in the same order. order[i] is the old index of the new i. */
static uint32_t *final_order(struct cond_observer *o, uint32_t reg_count) {
  struct lowering *l = o->l;
  struct sortable *regs = ARENA_ARRAY(l->arena, struct sortable, reg_count);
  for (uint32_t i = 0; i < reg_count; i++)
    regs[i] = (struct sortable){&o->all[i], l->program->threads[o->all[i].thread].regs[o->all[i].reg].name, i};
  if (reg_count) qsort(regs, reg_count, sizeof *regs, compare_registers);
  uint32_t *order = ARENA_ARRAY(l->arena, uint32_t, o->count), next = 0;
  for (int observed = 1; observed >= 0; observed--) {
    for (uint32_t i = 0; i < reg_count; i++)
      if (o->observed[regs[i].index] == (observed == 1) && !is_hidden(o, regs[i].index)) order[next++] = regs[i].index;
    for (uint32_t i = reg_count; i < o->count; i++)
      if (o->observed[i] == (observed == 1)) order[next++] = i;
    if (observed) l->program->observed_count = next;
  }
  l->program->observable_count = next;
  return order;
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

static void reorder(struct cond_observer *o, struct cond *condition, struct cond *filter) {
  struct program *program = o->l->program;
  uint32_t reg_count = o->l->objects.len ? o->first_element[0] : o->count;
  uint32_t *order = final_order(o, reg_count), *place = ARENA_ARRAY(o->l->arena, uint32_t, o->count);
  program->observables = ARENA_ARRAY(o->l->arena, struct observable, o->count);
  for (uint32_t i = 0; i < program->observable_count; i++) {
    program->observables[i] = o->all[order[i]];
    place[order[i]] = i;
  }
  renumber(condition, place);
  if (filter) renumber(filter, place);
}

static const char *condition_text(struct lowering *l) {
  static const char *const quantifiers[] = {"exists", "~exists", "forall", "safe"};
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
  for (const struct litmus_cond *part = cond->parts; part; part = part->next) declare_implicit(l, part);
  if (cond->kind != LITMUS_COMPARE) return;
  declare_term(l, cond->a);
  declare_term(l, cond->b);
}

bool lower_conditions(struct lowering *l) {
  const struct litmus_test *test = l->test;
  if (l->options->implicit_locations) {
    declare_implicit(l, test->condition);
    declare_implicit(l, test->filter);
    for (const struct litmus_term *term = test->locations; term; term = term->next) declare_term(l, term);
  }
  struct cond_observer o = {.l = l};
  enumerate(&o);
  bool right = lower_observed(&o);
  struct cond *filter = test->filter ? lower_cond(&o, test->filter) : NULL;
  struct cond *condition = test->condition ? lower_cond(&o, test->condition) : ARENA_NEW(l->arena, struct cond);
  if (!right || !condition || (test->filter && !filter)) return false;
  reorder(&o, condition, filter);
  l->program->quantifier = (enum quantifier)test->quantifier;
  l->program->condition = condition;
  l->program->filter = filter;
  l->program->condition_text = condition_text(l);
  return true;
}
