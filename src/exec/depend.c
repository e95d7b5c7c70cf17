/* Finds the semantic dependencies among the syntactic ones (docs/semantics.md P10).
 *
 * The walk collects a dependency for each instruction that mentions a register whose value comes from a read. This file
 * removes from the terms of the events the reads that make no difference to them; a dependency remains if the address,
 * the value or the condition of the event still mentions the read. */
#include "exec/build.h"
#include "term/depend.h"

/* Conflicts of the solver for one question: some tenths of a second. */
enum { EFFORT = 20000 };

struct reduction {
  struct skeleton *s;
  uint32_t *place; /* indexed by term: its number in the list + 1; 0: not in it */
  VEC(term_id) list;
  struct bitset *mentions; /* indexed by that number: the events read that the reduced term mentions */
};

static void ask(struct reduction *r, term_id term) {
  if (r->place[term]) return;
  VEC_PUSH(r->s->arena, &r->list, term);
  r->place[term] = r->list.len;
}

static void reduce_all(struct reduction *r) {
  struct skeleton *s = r->s;
  VEC_EACH (e, &s->events) ask(r, e->address), ask(r, e->value), ask(r, e->reach), ask(r, e->exec);
  VEC_EACH (d, &s->deciders) ask(r, d->value);
  term_reduce(&s->terms, r->list.data, r->list.len, EFFORT, &s->undecided_dependency);
  r->mentions = ARENA_ARRAY(s->arena, struct bitset, r->list.len);
  for (uint32_t k = 0; k < r->list.len; k++) {
    r->mentions[k] = bitset_new(s->arena, s->events.len);
    term_mentions(&s->terms, r->list.data[k], r->mentions[k]);
  }
}

/* Replaces the term by its reduced one, and returns its reads, by event. */
static struct bitset reduce(struct reduction *r, term_id *term) {
  uint32_t k = r->place[*term] - 1;
  *term = r->list.data[k];
  return r->mentions[k];
}

/* Indexed by event: the leaves of its terms. */
struct mentions {
  struct bitset address, value, reach;
};

static struct mentions *reduce_events(struct skeleton *s) {
  struct reduction r = {.s = s, .place = ARENA_ARRAY(s->arena, uint32_t, s->terms.list.len)};
  reduce_all(&r);
  struct mentions *mentions = ARENA_ARRAY(s->arena, struct mentions, s->events.len);
  for (uint32_t i = 0; i < s->events.len; i++) {
    struct event *e = &s->events.data[i];
    mentions[i] = (struct mentions){reduce(&r, &e->address), reduce(&r, &e->value), reduce(&r, &e->reach)};
    reduce(&r, &e->exec);
  }
  for (uint32_t i = 0; i < s->deciders.len; i++) reduce(&r, &s->deciders.data[i].value);
  return mentions;
}

/* A blocking wait for an mbarrier: nothing after it happens until it passes. */
static bool blocks(const struct event *e) { return e->kind == EVENT_TEST && e->use->waits; }

/* True if the dependency remains. A data dependency also remains if the read decides whether a cas writes. At a join of
 * paths, the value of a register depends on the branch: this is a control dependency, as it is on each of the paths. */
static bool remains(const struct skeleton *s, const struct mentions *to, const struct dependency *d) {
  bool reach = bitset_has(to->reach, d->from), address = bitset_has(to->address, d->from);
  bool value = bitset_has(to->value, d->from);
  if (d->kind == CAT_REL_ADDR) return address;
  if (d->kind == CAT_REL_DATA) return value || reach;
  if (d->kind == CAT_REL_CTRL) return reach || address || value || blocks(skeleton_event(s, d->from));
  REQUIRE(d->kind == CAT_REL_INNER); /* of an asynchronous operation: the same in every execution */
  return true;
}

/* A test on whose result nothing depends passes on no more than a wait does. */
static void note_asked(struct skeleton *s, const struct dependencies *dependencies) {
  struct bitset asked = bitset_new(s->arena, s->events.len);
  for (uint32_t i = 0; i < dependencies->len; i++) bitset_add(asked, dependencies->data[i].from);
  for (uint32_t e = 0; e < s->events.len; e++)
    if (s->events.data[e].kind == EVENT_TEST && !bitset_has(asked, e)) s->events.data[e].is_awaited = true;
}

void skeleton_depend(struct skeleton *s, struct dependencies *dependencies, bool syntactic) {
  const struct mentions *mentions = reduce_events(s);
  uint32_t kept = 0;
  if (syntactic) return;
  for (uint32_t i = 0; i < dependencies->len; i++) {
    struct dependency d = dependencies->data[i];
    if (remains(s, &mentions[d.to], &d)) dependencies->data[kept++] = d;
  }
  dependencies->len = kept;
  note_asked(s, dependencies);
}

/* Keeps dependencies on tests: P10 does not exempt them, and models use the events that depend on their results. */
void skeleton_depend_on_no_wait(const struct skeleton *s, struct dependencies *dependencies) {
  uint32_t kept = 0;
  VEC_VALUES (d, dependencies) {
    bool waits = d.kind == CAT_REL_CTRL && skeleton_event(s, d.to)->is_awaited;
    if (!waits || skeleton_event(s, d.from)->kind == EVENT_TEST) dependencies->data[kept++] = d;
  }
  dependencies->len = kept;
}
