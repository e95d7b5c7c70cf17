/* Describes a whole execution: every instruction that it performs, with the sources of its values. */
#include "explain/story.h"
#include "explain/words.h"

enum { MOST_LINES = 48, MOST_ORDERS = 12 };

struct telling {
  struct arena *arena;
  const struct execution *x;
  struct bitmat co; /* as in the model */
  struct explain_history *out;
};

/* The relations that name a step, the plainest first. */
static const enum cat_builtin relations[] = {
    CAT_REL_PO,   CAT_REL_RF,    CAT_REL_BAR,    CAT_REL_BAR_RELAXED, CAT_REL_PHASE_ORDER, CAT_REL_ISSUE, CAT_REL_INNER,
    CAT_REL_COMP, CAT_REL_ENDED, CAT_REL_WAITED, CAT_REL_PHASE,       CAT_REL_FR,          CAT_REL_CO};

const char *history_step(const struct execution *x, uint32_t a, uint32_t b) {
  size_t i = 0;
  while (i + 1 < ARRAY_LEN(relations) && !bitmat_has(execution_relation(x, relations[i]), a, b)) i++;
  return builtin_name(relations[i]);
}

struct bitmat history_order(struct arena *arena, const struct execution *x) {
  struct bitmat order = bitmat_new(arena, x->rf.n);
  for (size_t i = 0; i < ARRAY_LEN(relations); i++) bitmat_or(order, execution_relation(x, relations[i]));
  for (uint32_t e = 0; e < order.n; e++) {
    struct bitset row = bitmat_row_set(order, e);
    bool happens = bitset_has(x->exec, e) && e < x->skeleton->first_init;
    if (!happens) bitset_clear(row);
    bitset_and(row, x->exec);
  }
  return order;
}

/* `before`: by event, the events that must precede it. */
static bool is_ready(struct bitmat before, struct bitset left, uint32_t event) {
  return !bitset_meets(bitmat_row_set(before, event), left);
}

/* The next event of an interleaving: no remaining event must precede it; from the thread of the last event if
 * possible. */
static uint32_t next_event(const struct skeleton *s, struct bitmat before, struct bitset left, uint32_t thread) {
  uint32_t found = left.n;
  EACH (e, left) {
    if (!is_ready(before, left, e)) continue;
    if (skeleton_event(s, e)->thread == thread) return e;
    if (found == left.n) found = e;
  }
  return found;
}

uint32_t *history_interleave(struct arena *arena, const struct execution *x, struct bitmat order, uint32_t *count) {
  struct bitset left = bitset_copy(arena, x->exec);
  struct bitmat before = bitmat_new(arena, order.n);
  bitmat_inverse(before, order);
  for (uint32_t e = 0; e < order.n; e++) bitset_del(bitmat_row_set(before, e), e);
  for (uint32_t e = x->skeleton->first_init; e < left.n; e++) bitset_del(left, e);
  uint32_t *list = ARENA_ARRAY(arena, uint32_t, bitset_count(left) + 1), thread = NO_THREAD;
  for (*count = 0; !bitset_empty(left);) {
    uint32_t e = next_event(x->skeleton, before, left, thread);
    if (e == left.n) return NULL;
    thread = execution_event(x, e)->thread;
    bitset_del(left, e);
    list[(*count)++] = e;
  }
  return list;
}

/* ---- Lines ---- */

static const char *instr_place(const struct telling *t, uint32_t event) {
  return words_place(t->arena, t->x->skeleton->program, execution_event(t->x, event)->thread,
                     execution_event(t->x, event)->instr);
}

/* "P0 line 3", "the initial value", "P0 line 3 and the initial value"; "" if it takes nothing. */
static const char *sources_of(const struct telling *t, uint32_t read) {
  struct text text = {.arena = t->arena};
  uint32_t count = 0;
  for (uint32_t w = 0; w < t->x->skeleton->n; w++)
    if (bitmat_has(t->x->rf, w, read)) {
      bool initial = w >= t->x->skeleton->first_init;
      if (!initial && !t->out->more) VEC_PUSH(t->arena, &t->out->sources, execution_event(t->x, w)->thread);
      text_printf(&text, "%s%s", count++ ? " and " : "", initial ? "the initial value" : instr_place(t, w));
    }
  return text_str(&text);
}

static const char *effect_of(const struct telling *t, uint32_t event) {
  const char *effect = words_effect(t->arena, t->x, event);
  if (execution_event(t->x, event)->kind != EVENT_READ) return effect;
  const char *from = sources_of(t, event);
  return *from ? arena_printf(t->arena, "%s from %s", effect, from) : effect;
}

/* Adds an event to the line of its instruction if no other event came between them; otherwise starts a line. */
static void add_line(struct telling *t, uint32_t event, uint32_t before) {
  const struct event *list = t->x->skeleton->events.data, *e = &list[event];
  const char *effect = effect_of(t, event);
  bool same = before != NO_EVENT && list[before].thread == e->thread && list[before].step == e->step;
  if (same && t->out->more) return; /* its line was omitted */
  if (same && t->out->lines.len) {
    struct explain_event *line = &t->out->lines.data[t->out->lines.len - 1];
    line->what = *line->what && *effect ? arena_printf(t->arena, "%s, %s", line->what, effect) : line->what;
  } else if (t->out->lines.len < MOST_LINES) {
    VEC_PUSH(t->arena, &t->out->lines, (struct explain_event){NO_EVENT, e->thread, e->instr, effect});
  } else {
    t->out->more++;
  }
}

/* ---- Orders that no line shows ---- */

static void add_order(struct telling *t, const char *text) {
  if (t->out->orders.len < MOST_ORDERS) VEC_PUSH(t->arena, &t->out->orders, text);
}

static bool both_write(const struct telling *t, uint32_t a, uint32_t b) {
  const struct execution *x = t->x;
  const struct event *e = execution_event(x, a), *f = execution_event(x, b);
  return e->kind == EVENT_WRITE && f->kind == EVENT_WRITE && e->thread != f->thread && bitset_has(x->exec, a) &&
         bitset_has(x->exec, b) && bitmat_has(x->loc, a, b);
}

static void tell_pair(struct telling *t, uint32_t a, uint32_t b) {
  const struct execution *x = t->x;
  if (both_write(t, a, b)) {
    bool forth = bitmat_has(t->co, a, b), back = bitmat_has(t->co, b, a);
    const char *where = words_location(t->arena, x, a);
    if (!forth && !back)
      add_order(t, arena_printf(t->arena, "the writes of %s and %s to %s are unordered", instr_place(t, a),
                                instr_place(t, b), where));
    else if (!t->out->interleaved && bitmat_covers(t->co, forth ? a : b, forth ? b : a))
      add_order(t, arena_printf(t->arena, "among the writes to %s, %s comes before %s", where,
                                instr_place(t, forth ? a : b), instr_place(t, forth ? b : a)));
  }
  bool forth = bitmat_has(x->sc, a, b), back = bitmat_has(x->sc, b, a);
  if ((forth || back) && execution_event(x, a)->thread != execution_event(x, b)->thread &&
      bitmat_covers(x->sc, forth ? a : b, forth ? b : a))
    add_order(t, arena_printf(t->arena, "among the fence.sc, %s comes before %s", instr_place(t, forth ? a : b),
                              instr_place(t, forth ? b : a)));
}

static const char *final_state(const struct telling *t, const struct ask *p) {
  struct text text = {.arena = t->arena};
  bool known = p->status != RUN_CIRCULAR && !p->skeleton->options.precise;
  if (known) state_print(p->program, p->finals, " ", ";", true, &text);
  return text_str(&text);
}

const struct explain_history *history_tell(struct arena *arena, const struct ask *p, const struct bitmat *co) {
  const struct skeleton *s = p->skeleton;
  struct explain_history *out = ARENA_NEW(arena, struct explain_history);
  struct telling t = {arena, p->execution, co ? *co : p->execution->co, out};
  uint32_t count = 0, before = NO_EVENT;
  const uint32_t *order = history_interleave(arena, p->execution, history_order(arena, p->execution), &count);
  out->interleaved = order != NULL;
  for (uint32_t i = 0; order && i < count; before = order[i++]) add_line(&t, order[i], before);
  for (uint32_t e = 0; !order && e < s->first_init; e++) {
    if (!bitset_has(p->execution->exec, e)) continue;
    add_line(&t, e, before);
    before = e;
  }
  for (uint32_t a = 0; a < s->first_init; a++)
    for (uint32_t b = a + 1; b < s->first_init && out->orders.len < MOST_ORDERS; b++) tell_pair(&t, a, b);
  out->state = final_state(&t, p);
  return out;
}
