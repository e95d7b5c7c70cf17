/* Which registers hold one value whatever happens, so that a slice can have it in their place. */
#include "slice/fold.h"

#include <string.h>

enum fate { FATE_OPEN, FATE_KNOWN };

struct folded_value {
  enum fate fate;
  value_t value;
};

struct folding {
  struct arena *arena;
  const struct litmus_test *test;
  const struct program *program;
  const struct skeleton *s;
  struct folded_value **known; /* by thread and register */
  bool changed;
};

static const struct value_set *set_of(const struct skeleton *s, term_id term) { return &s->value_sets[term]; }

/* Where a loop is cut off, what later iterations would write is not seen. */
static bool is_cut(const struct folding *f, uint32_t thread) {
  for (uint32_t i = 0; i < f->s->ends.len; i++)
    if (f->s->ends.data[i].kind == ENDING_BOUND && f->s->ends.data[i].thread == thread) return true;
  return false;
}

static struct folded_value find_known(const struct folding *f, uint32_t thread, uint32_t reg) {
  const struct written *w = &f->s->written[thread][reg];
  struct folded_value known = {.fate = FATE_OPEN};
  if (!w->values.len || f->program->threads[thread].regs[reg].has_init) return known;
  if (w->values.len > 1 && is_cut(f, thread)) return known;
  for (uint32_t i = 0; i < w->values.len; i++) {
    const struct value_set *set = set_of(f->s, w->values.data[i]);
    if (set->top || set->count != 1 || (i && set->values[0] != known.value)) return known;
    known.value = set->values[0];
    if (f->program->threads[thread].regs[reg].type.width == 64 && skeleton_is_state(known.value)) return known;
  }
  known.fate = FATE_KNOWN;
  return known;
}

static uint32_t reg_named(const struct thread *thread, const char *name) {
  for (uint32_t r = 0; r < thread->reg_count; r++)
    if (!thread->regs[r].hidden && strcmp(thread->regs[r].name, name) == 0) return r;
  return NO_REG;
}

/* The register that an operand reads, if its value is known; else NULL. */
static struct folded_value *known_in(const struct folding *f, uint32_t thread, const struct litmus_ref *ref) {
  uint32_t reg = ref->percent ? reg_named(&f->program->threads[thread], ref->name) : NO_REG;
  if (reg == NO_REG || f->known[thread][reg].fate != FATE_KNOWN) return NULL;
  return &f->known[thread][reg];
}

/* The view of a location that the thread can name by its plain name, or NULL. */
static const struct view *view_of(const struct folding *f, uint32_t thread, value_t address) {
  const struct program *p = f->program;
  for (uint32_t i = 0; i < p->view_count; i++) {
    const struct object *object = &p->objects[p->views[i].object];
    if (address < p->views[i].vaddr || address - p->views[i].vaddr >= object->size) continue;
    bool own = object->space == SPACE_SHARED  ? object->owner == p->threads[thread].cta_id
               : object->space == SPACE_LOCAL ? object->owner == thread
                                              : true;
    return own ? &p->views[i] : NULL;
  }
  return NULL;
}

static bool is_address(const struct folding *f, value_t value) {
  const struct program *p = f->program;
  for (uint32_t i = 0; i < p->view_count; i++)
    if (value >= p->views[i].vaddr && value - p->views[i].vaddr < p->objects[p->views[i].object].size) return true;
  return false;
}

/* ---- what an operand becomes */

static value_t address_in(const struct litmus_operand *bracket, const struct folded_value *known) {
  return (uint64_t)known->value + (uint64_t)bracket->u.ref.offset;
}

static bool is_predicate(const struct folding *f, uint32_t thread, const struct litmus_ref *ref) {
  uint32_t reg = reg_named(&f->program->threads[thread], ref->name);
  return reg != NO_REG && f->program->threads[thread].regs[reg].type.kind == TYPE_PRED;
}

/* Whether an access at the address can be written as one at an offset in a location: where it is misaligned, goes out
 * of it or to memory that it does not reach, that is an error there, and undefined here. */
static bool can_name(const struct folding *f, uint32_t thread, value_t address, const struct instr *in) {
  const struct view *view = view_of(f, thread, address);
  bool plain = instr_is_access(in);
  if (!view || !plain) return view != NULL;
  const struct object *object = &f->program->objects[view->object];
  bool anywhere = object->space == SPACE_GLOBAL || object->space == SPACE_SHARED;
  if (in->space == SPACE_GENERIC ? !anywhere : in->space != object->space) return false;
  uint64_t size = type_bytes(in->type) * (uint64_t)in->elements, offset = (uint64_t)(address - view->vaddr);
  return size && offset % size == 0 && offset + size <= object->size;
}

/* Whether the value can stand in the place of the register. */
static bool can_replace(const struct folding *f, uint32_t thread, const struct litmus_operand *operand,
                        const struct folded_value *known, const struct instr *in) {
  if (operand->kind == LITMUS_BRACKET) return !operand->more && can_name(f, thread, address_in(operand, known), in);
  return operand->kind == LITMUS_NAME && !is_predicate(f, thread, &operand->u.ref) && !is_address(f, known->value);
}

/* Registers that must keep their own: those in places where no value can stand. `written`: the first operand is a
 * result. */
static void keep_unfit(struct folding *f, uint32_t thread, const struct litmus_operand *operands,
                       const struct instr *in, bool written) {
  for (const struct litmus_operand *o = operands; o; o = o->next, written = false) {
    bool items = o->kind == LITMUS_VECTOR || o->kind == LITMUS_PAIR || o->kind == LITMUS_LIST;
    if (written && o->kind != LITMUS_BRACKET) continue;
    if (items) keep_unfit(f, thread, o->u.items, in, false);
    keep_unfit(f, thread, o->more, in, false);
    bool names = o->kind == LITMUS_NAME || o->kind == LITMUS_BRACKET || o->kind == LITMUS_NEGATED;
    const struct litmus_ref *ref = o->kind == LITMUS_TENSOR ? &o->u.tensor.ref : &o->u.ref;
    struct folded_value *known = names || o->kind == LITMUS_TENSOR ? known_in(f, thread, ref) : NULL;
    if (!known || can_replace(f, thread, o, known, in)) continue;
    known->fate = FATE_OPEN;
    f->changed = true;
  }
}

static bool only_initial(const struct folding *f, uint32_t thread, uint32_t instr) {
  const struct skeleton *s = f->s;
  for (uint32_t e = 0; e < s->first_init; e++) {
    const struct event *read = skeleton_event(s, e);
    if (read->thread != thread || read->instr != instr) continue;
    for (uint32_t i = 0; i < read->place_count; i++)
      for (uint32_t c = read->places[i].chunk_begin; c < read->places[i].chunk_end; c++)
        EACH (w, s->writers[c])
          if (w < s->first_init) return false;
  }
  return true;
}

static bool is_observed(const struct folding *f, uint32_t thread, uint32_t reg) {
  for (uint32_t i = 0; i < f->program->observed_count; i++) {
    const struct observable *o = &f->program->observables[i];
    if (o->is_reg && o->thread == thread && o->reg == reg) return true;
  }
  return false;
}

/* Arithmetic, or a load of what nobody writes: nothing but registers come of it. */
static bool only_computes(const struct folding *f, uint32_t thread, uint32_t index) {
  const struct instr *in = &f->program->threads[thread].instrs[index];
  if (in->kind == INSTR_LOAD) return !in->is_volatile && !in->is_mmio && only_initial(f, thread, index);
  return in->kind == INSTR_ALU || in->kind == INSTR_NOTHING;
}

static bool carries(const struct litmus_instr *ast) {
  static const char *const takers[] = {"addc", "subc", "madc"};
  for (size_t i = 0; i < ARRAY_LEN(takers); i++)
    if (strcmp(takers[i], ast->opcode.text) == 0) return true;
  for (const struct litmus_word *word = ast->qualifiers.first; word; word = word->next)
    if (strcmp(word->text, ".cc") == 0) return true;
  return false;
}

static struct litmus_ref guard_of(const struct litmus_instr *ast) {
  const char *name = ast->guard->text;
  return (struct litmus_ref){.name = name + (name[0] == '%'), .percent = true};
}

bool fold_drops(const struct folding *f, uint32_t thread, const struct litmus_instr *ast, uint32_t begin,
                uint32_t end) {
  const struct thread *t = &f->program->threads[thread];
  if (carries(ast)) return false;
  if (ast->guard) {
    struct litmus_ref ref = guard_of(ast);
    const struct folded_value *known = known_in(f, thread, &ref);
    if (known && (known->value != 0) == ast->guard_negated) return true;
  }
  bool any = false;
  for (uint32_t i = begin; i < end; i++) {
    if (!only_computes(f, thread, i)) return false;
    for (uint32_t k = 0; k < instr_result_count(&t->instrs[i]); k++) {
      uint32_t reg = instr_result(&t->instrs[i], k);
      if (reg == NO_REG || t->regs[reg].hidden) continue;
      if (f->known[thread][reg].fate != FATE_KNOWN || is_observed(f, thread, reg)) return false;
      any = true;
    }
  }
  return any;
}

static bool has_result(const struct thread *t, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; i++) switch (t->instrs[i].kind) {
      case INSTR_ALU:
      case INSTR_LOAD:
      case INSTR_ATOM:
      case INSTR_MULTIMEM: return true;
      case INSTR_BARRIER:
      case INSTR_MBARRIER:
      case INSTR_ASYNC: return t->instrs[i].dst[0] != NO_REG;
      case INSTR_STORE:
      case INSTR_RED:
      case INSTR_FENCE:
      case INSTR_PROXY_FENCE:
      case INSTR_BRANCH:
      case INSTR_EXIT:
      case INSTR_TRAP:
      case INSTR_GRID_LAUNCH:
      case INSTR_GRID_WAIT:
      case INSTR_GROUP:
      case INSTR_NOTHING:
      case INSTR_UNSUPPORTED: break;
    }
  return false;
}

/* A jump back, or a way out of a loop: where its guard always or never holds the loop may have no exit without it. */
static bool bounds_loop(const struct thread *t, uint32_t index) {
  const struct instr *in = &t->instrs[index];
  if (in->kind != INSTR_BRANCH && in->kind != INSTR_EXIT) return false;
  uint32_t target = in->kind == INSTR_BRANCH ? in->target : t->instr_count;
  for (uint32_t i = index; i < t->instr_count; i++) {
    const struct instr *back = &t->instrs[i];
    bool around = back->kind == INSTR_BRANCH && back->target <= index;
    if (around && (i == index || target < back->target || target > i)) return true;
  }
  return false;
}

static void keep_guard(struct folding *f, uint32_t thread, const struct litmus_ref *guard) {
  struct folded_value *known = known_in(f, thread, guard);
  if (!known) return;
  known->fate = FATE_OPEN;
  f->changed = true;
}

static void check_cells(struct folding *f) {
  uint32_t *at = ARENA_ARRAY(f->arena, uint32_t, f->program->thread_count);
  for (const struct litmus_row *row = f->test->rows; row; row = row->next) {
    uint32_t thread = 0;
    for (const struct litmus_cell *cell = row->cells; cell; cell = cell->next, thread++) {
      const struct thread *t = &f->program->threads[thread];
      uint32_t begin = at[thread];
      bool reached = false;
      for (; at[thread] < t->instr_count && cell->instr && t->instrs[at[thread]].ast == cell->instr; at[thread]++)
        reached |= f->s->reached[thread][at[thread]];
      if (reached && cell->instr->guard && bounds_loop(t, at[thread] - 1)) {
        struct litmus_ref guard = guard_of(cell->instr);
        keep_guard(f, thread, &guard);
      }
      if (!cell->instr || !reached || fold_drops(f, thread, cell->instr, begin, at[thread])) continue;
      keep_unfit(f, thread, cell->instr->operands, &t->instrs[begin], has_result(t, begin, at[thread]));
    }
  }
}

struct folding *fold_find(struct arena *arena, const struct litmus_test *test, const struct program *program,
                          const struct skeleton *s) {
  struct folding *f = ARENA_NEW(arena, struct folding);
  *f = (struct folding){.arena = arena, .test = test, .program = program, .s = s, .changed = true};
  f->known = ARENA_ARRAY(arena, struct folded_value *, program->thread_count);
  for (uint32_t t = 0; t < program->thread_count; t++) {
    f->known[t] = ARENA_ARRAY(arena, struct folded_value, program->threads[t].reg_count);
    for (uint32_t r = 0; r < program->threads[t].reg_count; r++) f->known[t][r] = find_known(f, t, r);
  }
  while (f->changed) {
    f->changed = false;
    check_cells(f);
  }
  return f;
}

/* ---- an instruction with values */

static bool is_signed(const struct litmus_instr *ast) {
  const struct litmus_word *last = ast->qualifiers.last;
  return last && last->text[0] == '.' && last->text[1] == 's' && last->text[2] >= '0' && last->text[2] <= '9';
}

static void replace(const struct folding *f, uint32_t thread, const struct litmus_instr *ast,
                    struct litmus_operand *operand, const struct folded_value *known) {
  uint32_t reg = reg_named(&f->program->threads[thread], operand->u.ref.name);
  if (operand->kind == LITMUS_BRACKET) {
    value_t address = address_in(operand, known);
    const struct view *view = view_of(f, thread, address);
    const char *colon = strchr(view->name, ':');
    operand->u.ref = (struct litmus_ref){.name = colon ? colon + 1 : view->name, .span = operand->u.ref.span};
    operand->u.ref.offset = (int64_t)(address - view->vaddr);
    return;
  }
  unsigned width = f->program->threads[thread].regs[reg].type.width;
  bool negative = is_signed(ast) && (known->value >> (width - 1) & 1);
  value_t value = known->value & value_mask(width);
  operand->kind = LITMUS_NUMBER;
  operand->u.number = (struct litmus_number){.value = negative ? (0 - value) & value_mask(width) : value};
  operand->u.number.negative = negative;
  operand->u.number.span = operand->span;
}

static struct litmus_operand *rewritten(const struct folding *f, uint32_t thread, const struct litmus_instr *ast,
                                        const struct litmus_operand *operands, bool written) {
  struct litmus_operand *first = NULL, **end = &first;
  for (; operands; operands = operands->next, written = false) {
    struct litmus_operand *copy = ARENA_NEW(f->arena, struct litmus_operand);
    *copy = *operands;
    copy->next = NULL;
    *end = copy;
    end = &copy->next;
    if (written && copy->kind != LITMUS_BRACKET) continue;
    if (copy->kind == LITMUS_VECTOR || copy->kind == LITMUS_LIST)
      copy->u.items = rewritten(f, thread, ast, copy->u.items, false);
    if (copy->kind != LITMUS_NAME && copy->kind != LITMUS_BRACKET) continue;
    const struct folded_value *known = known_in(f, thread, &copy->u.ref);
    if (known) replace(f, thread, ast, copy, known);
  }
  return first;
}

struct litmus_instr *fold_instr(const struct folding *f, uint32_t thread, const struct litmus_instr *ast,
                                uint32_t begin, uint32_t end) {
  struct litmus_instr *copy = ARENA_NEW(f->arena, struct litmus_instr);
  *copy = *ast;
  copy->operands = rewritten(f, thread, ast, ast->operands, has_result(&f->program->threads[thread], begin, end));
  if (!ast->guard) return copy;
  struct litmus_ref ref = guard_of(ast);
  if (known_in(f, thread, &ref)) copy->guard = NULL; /* it holds: fold_drops */
  return copy;
}
