#include "exec/concrete.h"

#include "exec/unroll.h"
#include "exec/walk.h"

enum {
  MOST_EVENTS = 4,       /* of one instruction */
  MOST_QUIET = 4096,     /* instructions in a row without an access */
  MOST_STATES = 1u << 14 /* of one thread */
};

/* The state of a thread between two instructions. */
struct standing {
  uint32_t thread, at;
  struct concrete_reg *regs;
};

static void give_registers(struct concrete *c, struct walk *w, const struct standing *p) {
  const struct thread *thread = &c->trial->program->threads[p->thread];
  for (uint32_t r = 0; r < thread->reg_count; r++)
    w->path->regs[r] = (struct reg_state){p->regs[r].value, p->regs[r].is_signed, walk_no_reads(w)};
}

static void take_registers(struct concrete *c, const struct walk *w, struct standing *p) {
  const struct thread *thread = &c->trial->program->threads[p->thread];
  for (uint32_t r = 0; r < thread->reg_count; r++) {
    p->regs[r] = (struct concrete_reg){w->path->regs[r].value, w->path->regs[r].is_signed};
    if (!term_is_const(w->terms, p->regs[r].value)) c->lost = true;
  }
}

static struct walk begin(struct concrete *c, const struct standing *p, struct path *path) {
  struct skeleton *s = c->trial;
  struct walk w = {.s = s, .terms = &s->terms, .path = path, .between = true};
  walk_limit(&w, MOST_EVENTS, s->arena);
  w.dependencies = ARENA_NEW(c->arena, struct dependencies);
  s->events.len = 0;
  *path = (struct path){.guard = TERM_TRUE, .reach = TERM_TRUE, .cluster_arrival = NO_PARTNER};
  path->regs = ARENA_ARRAY(c->arena, struct reg_state, s->program->threads[p->thread].reg_count);
  path->control = walk_no_reads(&w);
  give_registers(c, &w, p);
  walk_begin(&w, p->thread, p->at, p->at);
  if (!term_is_const(w.terms, w.predicate)) c->lost = true;
  return w;
}

/* True if an operand without a single value occurred. */
static bool is_open(const struct skeleton *s) {
  return s->refusal || s->hazards.len || s->ends.len || s->go_threads.len || s->free.tests.len;
}

static bool is_quiet(const struct instr *in) {
  return in->kind == INSTR_ALU || in->kind == INSTR_FENCE || in->kind == INSTR_PROXY_FENCE || in->kind == INSTR_NOTHING;
}

/* Runs the thread to the next access that matters, or to its end. */
static void go_on(struct concrete *c, struct standing *p) {
  const struct thread *thread = &c->trial->program->threads[p->thread];
  for (uint32_t n = 0; p->at < thread->instr_count && !c->lost; n++) {
    const struct instr *in = &thread->instrs[p->at];
    if (n > MOST_QUIET) c->lost = true;
    if (!relevant_instr(c->relevant, p->thread, p->at)) {
      p->at++;
      continue;
    }
    struct path path;
    struct walk w = begin(c, p, &path);
    bool done = w.predicate == TERM_TRUE;
    c->lost = c->lost || in->opaque;
    if (instr_is_access(in) && done) return;
    if (done && !is_quiet(in) && in->kind != INSTR_BRANCH && in->kind != INSTR_EXIT) c->lost = true;
    if (done && is_quiet(in)) walk_operate(&w);
    take_registers(c, &w, p);
    p->at++;
    if (done && in->kind == INSTR_BRANCH) p->at = in->target;
    if (done && in->kind == INSTR_EXIT) p->at = thread->instr_count;
    if (is_open(c->trial)) c->lost = true;
  }
}

static uint32_t place_index(struct concrete *c, struct bytes bytes) {
  for (uint32_t i = 0; i < c->places.len; i++) {
    const struct bytes *other = &c->places.data[i];
    if (other->phys == bytes.phys && other->size == bytes.size) return i;
    if (other->phys < bytes.phys + bytes.size && bytes.phys < other->phys + other->size) c->lost = true;
  }
  VEC_PUSH(c->arena, &c->places, bytes);
  return c->places.len - 1;
}

/* Finds the place of the access at a position. */
static uint32_t find_place(struct concrete *c, const struct standing *p) {
  const struct instr *in = &c->trial->program->threads[p->thread].instrs[p->at];
  struct path path;
  struct walk w = begin(c, p, &path);
  struct event e = {.thread = p->thread, .instr = p->at, .size = type_bytes(in->type)};
  const struct term *address = term_get(w.terms, walk_address(&w, &in->addr, 0));
  e.kind = in->kind == INSTR_LOAD ? EVENT_READ : EVENT_WRITE;
  bool torn = in->sem == SEM_WEAK && shape_reads(&c->trial->options.shape, READING_TEARS);
  c->lost |= address->op != TERM_CONST || in->elements != 1 || in->packed || torn;
  if (c->lost || skeleton_misuse(c->trial, &e, address->constant)) {
    c->lost = true;
    return 0;
  }
  const struct view *view = skeleton_view(c->trial, address->constant);
  uint32_t phys = skeleton_object(c->trial, view)->phys + (uint32_t)(address->constant - view->vaddr);
  return place_index(c, (struct bytes){phys, e.size});
}

/* ---- States ---- */

static uint32_t hash_of(const struct concrete *c, const struct standing *p) {
  uint64_t hash = p->at;
  for (uint32_t r = 0; r < c->trial->program->threads[p->thread].reg_count; r++)
    hash = hash_mix(hash_mix(hash, p->regs[r].value), p->regs[r].is_signed);
  return (uint32_t)hash;
}

static bool is_there(const struct concrete *c, const struct standing *p, const struct thread_state *state) {
  bool same = state->instr == p->at;
  for (uint32_t r = 0; r < c->trial->program->threads[p->thread].reg_count && same; r++)
    same = state->regs[r].value == p->regs[r].value && state->regs[r].is_signed == p->regs[r].is_signed;
  return same;
}

static enum doing what_at(const struct thread *thread, uint32_t at) {
  if (at >= thread->instr_count) return DOING_END;
  if (thread->instrs[at].kind == INSTR_LOAD) return DOING_READ;
  return thread->instrs[at].kind == INSTR_STORE ? DOING_WRITE : DOING_BOTH;
}

static struct concrete_reg initial(struct concrete *c, const struct reg *reg) {
  unsigned width = reg->type.width < 64 ? 64 : reg->type.width; /* as initial_path of walk.c */
  return (struct concrete_reg){term_const(&c->trial->terms, reg->init, width), false};
}

/* The state for a position. */
static uint32_t state_at(struct concrete *c, struct standing *p) {
  const struct thread *thread = &c->trial->program->threads[p->thread];
  struct concrete_thread *t = &c->threads[p->thread];
  go_on(c, p);
  if (p->at > thread->instr_count) p->at = thread->instr_count;
  for (uint32_t r = 0; r < thread->reg_count; r++)
    if (!bitset_has(c->live[p->thread][p->at], r)) p->regs[r] = initial(c, &thread->regs[r]);
  uint32_t hash = hash_of(c, p);
  HASH_EACH (i, &t->index, hash)
    if (is_there(c, p, &t->states.data[i])) return i;
  if (t->states.len == MOST_STATES) c->lost = true;
  struct thread_state state = {.doing = what_at(thread, p->at), .instr = p->at, .regs = p->regs};
  if (state.doing != DOING_END && !c->lost) state.place = find_place(c, p);
  if (c->lost) state.doing = DOING_END;
  return HASH_PUSH(c->arena, &t->index, hash, &t->states, state);
}

static struct concrete_reg *copy_registers(struct concrete *c, uint32_t thread, const struct concrete_reg *from) {
  uint32_t count = c->trial->program->threads[thread].reg_count;
  struct concrete_reg *regs = ARENA_ARRAY(c->arena, struct concrete_reg, count);
  for (uint32_t r = 0; r < count; r++) regs[r] = from[r];
  return regs;
}

static struct reaction do_access(struct concrete *c, uint32_t thread, uint32_t state, value_t returned) {
  const struct thread_state *from = concrete_state(c, thread, state);
  struct standing p = {thread, from->instr, copy_registers(c, thread, from->regs)};
  struct reaction reaction = {.returned = returned, .next = state};
  struct path path;
  struct walk w = begin(c, &p, &path);
  c->values.reads[thread][p.at * MAX_VECTOR] = (struct value_set){.count = 1, .values = &returned};
  walk_operate(&w);
  take_registers(c, &w, &p);
  EACH_EVENT_OF (e, event, c->trial) {
    const struct term *value = term_get(w.terms, event->value);
    if (event->kind != EVENT_WRITE || event->exec == TERM_FALSE) continue;
    if (event->exec != TERM_TRUE || value->op != TERM_CONST) c->lost = true;
    reaction.writes = true;
    reaction.written = value->constant;
  }
  p.at++;
  if (is_open(c->trial)) c->lost = true;
  if (!c->lost) reaction.next = state_at(c, &p);
  return reaction;
}

struct reaction concrete_react(struct concrete *c, uint32_t thread, uint32_t state, value_t returned) {
  const struct thread_state *from = concrete_state(c, thread, state);
  if (from->doing == DOING_WRITE) returned = 0;
  for (uint32_t i = 0; i < from->reactions.len; i++)
    if (from->reactions.data[i].returned == returned) return from->reactions.data[i];
  struct reaction reaction = do_access(c, thread, state, returned);
  VEC_PUSH(c->arena, &c->threads[thread].states.data[state].reactions, reaction);
  return reaction;
}

value_t concrete_value(const struct concrete *c, uint32_t thread, uint32_t state, uint32_t reg, unsigned width) {
  const struct concrete_reg *held = &concrete_state(c, thread, state)->regs[reg];
  return term_get(&c->trial->terms, term_resize(&c->trial->terms, held->value, width, held->is_signed))->constant;
}

void concrete_init(struct concrete *c, struct arena *arena, const struct program *program, const struct shape *shape,
                   bool with_observed) {
  *c = (struct concrete){.arena = arena, .trial = ARENA_NEW(arena, struct skeleton)};
  *c->trial =
      (struct skeleton){.program = program, .arena = arena, .options = {.shape = *shape, .further = &c->values}};
  terms_init(&c->trial->terms, arena);
  c->threads = ARENA_ARRAY(arena, struct concrete_thread, program->thread_count);
  c->relevant = skeleton_relevant(c->trial, with_observed ? MATTERS_OBSERVED : 0);
  c->live = ARENA_ARRAY(arena, struct bitset *, program->thread_count);
  c->values.reads = ARENA_ARRAY(arena, struct value_set *, program->thread_count);
  for (uint32_t t = 0; t < program->thread_count; t++) {
    const struct thread *thread = &program->threads[t];
    c->values.reads[t] = ARENA_ARRAY(arena, struct value_set, thread->instr_count * MAX_VECTOR);
    struct bitset none = bitset_new(arena, thread->reg_count);
    c->live[t] = thread_live(arena, thread, with_observed ? thread_observed(arena, program, t) : none);
  }
  for (uint32_t t = 0; t < program->thread_count; t++) {
    struct standing p = {.thread = t};
    p.regs = ARENA_ARRAY(arena, struct concrete_reg, program->threads[t].reg_count);
    for (uint32_t r = 0; r < program->threads[t].reg_count; r++) p.regs[r] = initial(c, &program->threads[t].regs[r]);
    state_at(c, &p);
  }
}
