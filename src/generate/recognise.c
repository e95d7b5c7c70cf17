/* Converts litmus tests to drafts, to find the generated tests that already exist. */

#include "generate/generate.h"
#include "ptx/alu.h"

enum { NO_LOCATION = 255 };

struct recogniser {
  const struct program *program;
  struct draft *draft;
  uint8_t locations[DRAFT_LOCATIONS];                 /* by location: its object */
  value_t written[DRAFT_LOCATIONS][DRAFT_EVENTS + 1]; /* by value of the draft, from the initial value on */
  uint32_t regs[DRAFT_THREADS][DRAFT_LENGTH];         /* the register that receives the event's read, or NO_REG */
  value_t expected[DRAFT_THREADS][DRAFT_LENGTH];      /* for a cas: the value that it compares with */
  uint32_t barrier;                                   /* the only CTA barrier of the test; NO_REG: none so far */
};

/* ---- Locations and values ---- */

/* The location of an object of one element, which is added if it is new. */
static uint8_t location_of(struct recogniser *r, uint32_t object) {
  const struct object *o = &r->program->objects[object];
  struct draft *d = r->draft;
  for (uint8_t l = 0; l < d->location_count; l++)
    if (r->locations[l] == object) return l;
  if (d->location_count == DRAFT_LOCATIONS || object >= NO_LOCATION || o->count != 1 || o->space != SPACE_GLOBAL)
    return NO_LOCATION;
  r->locations[d->location_count] = (uint8_t)object;
  r->written[d->location_count][0] = o->init[0];
  return d->location_count++;
}

/* Finds the location and proxy of an access. The second address of an object is an alias; false for a third. */
static bool find_place(struct recogniser *r, const struct instr *in, struct draft_event *e) {
  const struct program *p = r->program;
  if (in->addr.base.kind != OPERAND_IMM) return false;
  uint64_t address = (uint64_t)in->addr.base.imm + (uint64_t)in->addr.offset;
  for (uint32_t v = 0; v < p->view_count; v++) {
    uint32_t before = 0, object = p->views[v].object;
    if (p->views[v].vaddr != address) continue;
    for (uint32_t u = 0; u < v; u++) before += p->views[u].object == object;
    if (before > 1 || (before && in->proxy != PROXY_GENERIC)) return false;
    e->proxy = (uint8_t)(before ? PROXY_ALIAS : in->proxy);
    e->location = location_of(r, object);
    return e->location != NO_LOCATION && p->objects[object].type.width == in->type.width;
  }
  return false;
}

/* Adds a value that the location does not have yet. */
static bool add_value(struct recogniser *r, struct draft_event *e, const struct operand *value) {
  uint32_t count = draft_write_count(r->draft, e->location);
  value_t *written = r->written[e->location];
  if (value->kind != OPERAND_IMM || count == DRAFT_EVENTS) return false;
  for (uint32_t i = 0; i <= count; i++)
    if (written[i] == value->imm) return false;
  e->writes = (uint8_t)(count + 1);
  written[count + 1] = value->imm;
  return true;
}

static bool find_value(const struct recogniser *r, uint8_t location, value_t value, uint8_t *out) {
  uint32_t count = draft_write_count(r->draft, location);
  for (uint32_t i = 0; i <= count; i++)
    if (r->written[location][i] == value) {
      *out = (uint8_t)i;
      return true;
    }
  return false;
}

/* ---- Instructions ---- */

static bool take_access(struct recogniser *r, uint32_t thread, const struct instr *in, struct draft_event *e) {
  struct draft_thread *t = &r->draft->threads[thread];
  if (in->elements != 1 || in->is_volatile || in->is_mmio || !find_place(r, in, e)) return false;
  e->sem = (uint8_t)in->sem;
  e->scope = (uint8_t)in->scope;
  e->kind = in->kind == INSTR_LOAD ? DRAFT_READ : in->kind == INSTR_STORE ? DRAFT_WRITE : DRAFT_UPDATE;
  bool reads = draft_reads(e);
  if (in->kind == INSTR_ATOM && in->alu == ALU_CAS) {
    e->kind = DRAFT_CAS;
    if (in->src[0].kind != OPERAND_IMM) return false;
    r->expected[thread][t->count] = in->src[0].imm;
  } else if (in->kind == INSTR_ATOM && in->alu != ALU_EXCH) {
    return false;
  }
  if (reads && in->dst[0] == NO_REG) return false;
  if (reads) e->reads = DRAFT_FREE;
  r->regs[thread][t->count] = reads ? in->dst[0] : NO_REG;
  for (uint32_t i = 0; reads && i < t->count; i++)
    if (r->regs[thread][i] == in->dst[0]) return false;
  return !draft_writes(e) || add_value(r, e, &in->src[e->kind == DRAFT_CAS]);
}

static bool take_barrier(struct recogniser *r, const struct barrier *b, struct draft_event *e) {
  e->kind = b->kind == BARRIER_CTA ? DRAFT_BARRIER : DRAFT_CLUSTER_BARRIER;
  if (b->kind == BARRIER_CLUSTER) return b->action == BARRIER_ARRIVE && !b->relaxed;
  if (b->kind != BARRIER_CTA || b->action != BARRIER_SYNC || !b->aligned) return false;
  if (b->count.kind != OPERAND_NONE || b->id.kind != OPERAND_IMM) return false;
  if (r->barrier == NO_REG) r->barrier = (uint32_t)b->id.imm;
  return r->barrier == b->id.imm;
}

/* True for the wait that belongs to an arrival at the barrier of the cluster. */
static bool is_wait(const struct instr *in) {
  return in->kind == INSTR_BARRIER && in->barrier->kind == BARRIER_CLUSTER && in->barrier->action == BARRIER_WAIT;
}

static bool take_instr(struct recogniser *r, uint32_t thread, const struct instr *in) {
  struct draft_thread *t = &r->draft->threads[thread];
  struct draft_event e = {0};
  if (in->kind == INSTR_NOTHING) return true;
  if (in->guard.present || t->count == DRAFT_LENGTH) return false;
  r->regs[thread][t->count] = NO_REG;
  bool right = false; /* drafts have no other instructions */
  if (in->kind == INSTR_LOAD || in->kind == INSTR_STORE || in->kind == INSTR_ATOM) {
    right = take_access(r, thread, in, &e);
  } else if (in->kind == INSTR_FENCE) {
    e = (struct draft_event){.kind = DRAFT_FENCE, .sem = (uint8_t)in->sem, .scope = (uint8_t)in->scope};
    right = in->one_way == ONE_WAY_NOT && in->space == SPACE_GENERIC;
  } else if (in->kind == INSTR_PROXY_FENCE) {
    e = (struct draft_event){.kind = DRAFT_PROXY_FENCE, .proxy = (uint8_t)in->proxy};
    right = in->one_way == ONE_WAY_NOT && in->proxy <= PROXY_ALIAS;
  } else if (in->kind == INSTR_BARRIER) {
    right = take_barrier(r, in->barrier, &e);
  }
  if (right) t->events[t->count++] = e;
  return right && draft_size(r->draft) <= DRAFT_EVENTS;
}

static bool take_thread(struct recogniser *r, uint32_t thread) {
  const struct thread *from = &r->program->threads[thread];
  struct draft_thread *t = &r->draft->threads[thread];
  *t = (struct draft_thread){.cta = (uint8_t)from->cta_id, .cluster = (uint8_t)from->cluster_id};
  t->gpu = (uint8_t)from->gpu_id;
  for (uint32_t i = 0; i < from->instr_count; i++) {
    const struct instr *in = &from->instrs[i], *next = in + 1;
    if (!take_instr(r, thread, in)) return false;
    bool arrives = t->count && t->events[t->count - 1].kind == DRAFT_CLUSTER_BARRIER;
    if (in->kind != INSTR_BARRIER || !arrives) continue;
    if (i + 1 == from->instr_count || !is_wait(next)) return false;
    i++;
  }
  return t->count > 0;
}

/* ---- The outcome ---- */

static bool take_asked(struct recogniser *r, const struct observable *o, value_t value) {
  struct draft *d = r->draft;
  if (!o->is_reg) {
    for (uint8_t l = 0; l < d->location_count; l++)
      if (r->locations[l] == o->object) return find_value(r, l, value, &d->last[l]);
    return false;
  }
  struct draft_thread *t = &d->threads[o->thread];
  for (uint32_t i = 0; i < t->count; i++)
    if (r->regs[o->thread][i] == o->reg) return find_value(r, t->events[i].location, value, &t->events[i].reads);
  return false;
}

static bool take_condition(struct recogniser *r, const struct cond *c) {
  if (c->kind == COND_AND) return take_condition(r, c->left) && take_condition(r, c->right);
  if (c->kind != COND_COMPARE || c->compare != COMPARE_EQ) return false;
  const struct cond_term *name = c->a.is_constant ? &c->b : &c->a, *value = c->a.is_constant ? &c->a : &c->b;
  if (name->is_constant || !value->is_constant) return false;
  return take_asked(r, &r->program->observables[name->observable], value->constant);
}

/* True if each cas reads the value that it compares with, and no location ends with its initial value. */
static bool outcome_fits(const struct recogniser *r) {
  struct draft *d = r->draft;
  for (uint32_t t = 0; t < d->thread_count; t++)
    for (uint32_t i = 0; i < d->threads[t].count; i++) {
      const struct draft_event *e = &d->threads[t].events[i];
      if (e->kind != DRAFT_CAS) continue;
      if (e->reads == DRAFT_FREE || r->written[e->location][e->reads] != r->expected[t][i]) return false;
    }
  for (uint32_t l = 0; l < d->location_count; l++) {
    if (d->last[l] == DRAFT_FREE) continue;
    if (d->last[l] == 0) return false;
    if (draft_write_count(d, l) == 1) d->last[l] = DRAFT_FREE;
  }
  return true;
}

bool generate_recognise(const struct program *program, struct draft *draft) {
  struct recogniser r = {.program = program, .draft = draft, .barrier = NO_REG};
  const struct cond *asked = program->condition;
  *draft = (struct draft){.thread_count = (uint8_t)program->thread_count};
  memset(draft->last, DRAFT_FREE, sizeof draft->last);
  if (program->thread_count > DRAFT_THREADS || program->launch_count || program->filter || program->cuda) return false;
  for (uint32_t t = 0; t < program->thread_count; t++)
    if (!take_thread(&r, t)) return false;
  if (program->quantifier == QUANTIFIER_FORALL) {
    if (asked->kind != COND_NOT) return false;
    asked = asked->left;
  }
  return take_condition(&r, asked) && outcome_fits(&r);
}

/* ---- Sets of drafts ---- */

/* The key of a draft after replacing each scope by the narrowest that reaches the same threads. */
static struct draft_key key_of_narrowed(const struct draft *draft) {
  struct draft narrow = *draft;
  struct draft_key key;
  draft_narrow(&narrow, 1u << SCOPE_CTA | 1u << SCOPE_CLUSTER | 1u << SCOPE_GPU | 1u << SCOPE_SYS);
  draft_least_key(&narrow, &key);
  return key;
}

void generate_know(struct arena *arena, struct draft_set *known, const struct draft *draft) {
  const struct draft_key key = key_of_narrowed(draft);
  bool added;
  draft_set_add(arena, known, &key, &added);
}

bool generate_is_known(const struct draft_set *known, const struct draft *draft) {
  if (!known->keys.len) return false;
  const struct draft_key key = key_of_narrowed(draft);
  return draft_set_find(known, &key) < known->keys.len;
}
