/* When a gap of the document (gaps.def) bears on an explanation. */
#include <string.h>

#include "explain/story.h"

/* A look at the events that an explanation names. */
struct look {
  const struct story *story;
  const struct explanation *out;
  const struct skeleton *skeleton;
  const struct execution *x;
};

typedef bool test_event(const struct look *look, const struct explain_event *told);

static bool some_event(const struct look *l, test_event *test) {
  for (uint32_t i = 0; i < l->out->events.len; i++)
    if (test(l, &l->out->events.data[i])) return true;
  return false;
}

static const struct event *event_of(const struct look *l, const struct explain_event *told) {
  return &l->skeleton->events.data[told->event];
}

static bool some_rule(const struct look *l, const char *name, enum sem sem, enum sem other) {
  for (uint32_t i = 0; i < l->out->rules.len; i++) {
    const struct explain_rule *rule = &l->out->rules.data[i];
    if (!strstr(rule->name, name)) continue;
    const struct event *from = event_of(l, &l->out->events.data[rule->from]);
    const struct event *to = event_of(l, &l->out->events.data[rule->to]);
    if (from->kind == EVENT_FENCE && (from->sem == sem || from->sem == other)) return true;
    if (to->kind == EVENT_FENCE && (to->sem == sem || to->sem == other)) return true;
  }
  return false;
}

static bool some_step(const struct look *l, const char *relation) {
  for (uint32_t i = 0; i < l->out->steps.len; i++)
    if (strcmp(l->out->steps.data[i].relation, relation) == 0) return true;
  return false;
}

static bool some_axiom(const struct look *l, const char *start) {
  for (uint32_t i = 0; i < l->out->axioms.len; i++)
    if (strncmp(l->out->axioms.data[i].name, start, strlen(start)) == 0) return true;
  return false;
}

static bool other_proxy(const struct look *l, const struct explain_event *told) {
  return event_is_memory(event_of(l, told)) && event_of(l, told)->proxy != PROXY_GENERIC;
}

static bool is_red(const struct look *l, const struct explain_event *told) { return event_of(l, told)->is_red; }

static bool failed_cas(const struct look *l, const struct explain_event *told) {
  const struct event *e = event_of(l, told);
  return e->is_rmw && e->kind == EVENT_READ && !bitset_has(l->x->exec, e->partner);
}

static bool aliased(const struct look *l, const struct explain_event *told) {
  for (uint32_t i = 0; i < l->out->events.len; i++) {
    uint32_t other = l->out->events.data[i].event;
    if (bitmat_has(l->x->loc, told->event, other) && !bitmat_has(l->x->vloc, told->event, other)) return true;
  }
  return false;
}

static bool reads_initial(const struct look *l) {
  for (uint32_t i = 0; i < l->out->steps.len; i++) {
    const struct explain_step *step = &l->out->steps.data[i];
    if (strcmp(step->relation, "fr") != 0) continue;
    uint32_t read = l->out->events.data[step->from].event;
    for (uint32_t w = l->skeleton->first_init; w < l->skeleton->n; w++)
      if (bitmat_has(l->x->rf, w, read)) return true;
  }
  return false;
}

/* An observed chunk that several writes may have ended with. */
static bool racy_final(const struct look *l) {
  const struct probe *p = l->story->probe;
  for (uint32_t c = 0; p->last && c < l->skeleton->chunk_count; c++) {
    if (p->last[c] == NO_EVENT) continue;
    struct bitset maximal = bitset_new(l->story->arena, l->skeleton->n);
    execution_maximal(l->x, c, maximal);
    if (bitset_count(maximal) > 1) return true;
  }
  return false;
}

static bool some_barrier(const struct program *program, bool relaxed_arrive) {
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t i = 0; i < program->threads[t].instr_count; i++) {
      const struct barrier *b = program->threads[t].instrs[i].barrier;
      if (b && (relaxed_arrive ? b->relaxed : b->kind == BARRIER_WARP)) return true;
    }
  return false;
}

static bool bears(const struct look *l, unsigned number) {
  const struct program *program = l->skeleton->program;
  switch (number) {
    case 1: return some_rule(l, "-pattern", SEM_SC, SEM_SC);
    case 2: return some_rule(l, "-pattern", SEM_ACQUIRE, SEM_RELEASE);
    case 3: return some_rule(l, "-pattern", SEM_ACQ_REL, SEM_SC);
    case 4: return some_axiom(l, "Fence-SC");
    case 6: return some_step(l, "bar");
    case 7: return some_step(l, "bar") && some_barrier(program, false);
    case 8: return some_barrier(program, true);
    case 13: return some_event(l, other_proxy);
    case 17: return l->out->kind == EXPLAIN_ALLOWED && racy_final(l);
    case 18: return reads_initial(l);
    case 20: return some_event(l, is_red);
    case 22: return some_event(l, failed_cas);
    case 26: return some_event(l, aliased);
    case 32: return program->uses_multimem;
    case 34: return some_axiom(l, "No-Thin-Air");
    default: BUG("no rule says when gap %u bears", number);
  }
}

void story_gaps(struct story *s) {
  static const struct explain_gap rows[] = {
#define GAP(number, section, question, decision) {number, section, question, decision},
#include "explain/gaps.def"
#undef GAP
  };
  struct look look = {s, s->out, s->probe->skeleton, s->probe->execution};
  bool ptx = story_is_ptx(s->probe->model);
  for (size_t i = 0; i < ARRAY_LEN(rows) && look.x && ptx; i++)
    if (bears(&look, rows[i].number)) VEC_PUSH(s->arena, &s->out->gaps, rows[i]);
}
