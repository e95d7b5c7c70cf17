/* Finds the `Assumes` lines of a verdict on a kernel, its dependences on the launch: columns that represent other
 * threads (docs/semantics.md K5), and locations without values that decide branches because they begin as 0 (G19). */
#include "kernel/rests.h"

#include "kernel/needs.h"

enum { MOST_TOLD = 4 };

static bool may_rest_on(const struct region *region) {
  return region && region->name && region->space == SPACE_GLOBAL && !region->given;
}

/* The last mark represents all further regions. */
static uint32_t mark_of(const struct region *region) {
  return region->number < REST_MARKS - 1 ? region->number : REST_MARKS - 1;
}

struct bitset rests_mark(const struct runner *r, const struct region *region, uint32_t at, uint32_t bytes) {
  uint64_t marked = 0;
  for (uint32_t k = at; k < at + bytes; k++) marked |= memory_byte(region, k)->rests;
  if (!may_rest_on(region) && !marked) return r->run->body.none;
  struct bitset marks = bitset_new(r->run->memory->work, REST_MARKS);
  marks.words[0] = marked;
  if (may_rest_on(region)) bitset_add(marks, mark_of(region));
  return marks;
}

bool rests_is_data(const struct runner *r, const struct region *region, uint32_t at, uint32_t bytes) {
  bool data = r->run->x->parse.test->quantifier == LITMUS_IN_TURNS && may_rest_on(region);
  for (uint32_t k = at; k < at + bytes && data; k++) data = !memory_byte(region, k)->writer;
  return data;
}

void rests_store(struct memory *m, struct region *region, uint32_t at, uint32_t bytes, struct bitset marks) {
  if (bitset_empty(marks)) return;
  for (uint32_t k = at; k < at + bytes && k < region->size; k++) {
    struct byte *b = memory_own(region, k);
    m->again = m->again || (b->used && marks.words[0] & ~b->rests);
    b->rests |= marks.words[0];
  }
}

void rests_decide(const struct runner *r, struct bitset marks) {
  const struct memory *m = r->run->memory;
  for (uint32_t i = 0; i < m->regions.len && !bitset_empty(marks); i++) {
    struct region *region = m->regions.data[i];
    if (may_rest_on(region) && bitset_has(marks, mark_of(region))) region->decides = true;
  }
}

void rests_load(const struct runner *r, const struct remnant *remnant) {
  EACH_TOUCH (touch, r, remnant) {
    bool alone = may_rest_on(touch->region) && !touch->pointer && !touch->open;
    for (uint32_t k = touch->at; k < touch_end(touch) && alone; k++)
      alone = memory_byte(touch->region, k)->first == CELL_KNOWN && !memory_byte(touch->region, k)->writer;
    touch->region->decides = touch->region->decides || alone;
  }
}

/* "src, n and 3 more". */
static void tell(struct text *out, const char *name, uint32_t *told) {
  if (++*told > MOST_TOLD) return;
  text_printf(out, "%s%s", *told > 1 ? ", " : "", name);
}

static const char *told_text(struct text *out, uint32_t told) {
  if (told > MOST_TOLD) text_printf(out, " and %u more", told - MOST_TOLD);
  return told ? text_str(out) : NULL;
}

/* ---- Launches that have little to judge */

static bool is_access(const struct touch *touch) {
  enum space space = touch->region->space;
  return !touch->pointer && (space == SPACE_GLOBAL || space == SPACE_SHARED);
}

static const char *apart_text(const struct launching *l) {
  uint32_t idle = 0, all = l->runners.len;
  EACH_RUNNER (r, l) idle += !SOME(VEC_EACH (touch, &r->touches), is_access(touch));
  if (idle == all) return "no thread accesses memory in this launch: are the sizes right?";
  if (2 * idle > all)
    return arena_printf(l->memory.arena, "%u of %u threads end without an access to memory: are the sizes right?", idle,
                        all);
  if (rendezvous_are_timed(l) || alone_finds_conflict(l)) return NULL; /* threads and copies may share bytes as well */
  return "no two threads access the same bytes, one of them writing: there is nothing to order";
}

/* True if the threads of a launch never wait for one another, but for values in memory. */
static bool waits_for_none(const struct kernel_run *run) {
  ARRAY_EACH (in, run->body.thread->instrs, run->body.thread->instr_count) {
    bool alone = instr_only_computes(in) && !litmus_has_word(&in->ast->qualifiers, ".sync");
    bool jumps = in->kind == INSTR_BRANCH || in->kind == INSTR_EXIT || in->kind == INSTR_NOTHING;
    if (!alone && !jumps && !instr_is_access(in) && in->kind != INSTR_FENCE) return false;
  }
  return true;
}

/* Adds how many accesses no thread executes, of those that may be shared: zeros may make a launch trivial. */
static void tell_unreached(const struct launching *l, struct text *out) {
  uint32_t all = 0, unreached = 0;
  VEC_VALUES (run, &l->runs) {
    const struct body *b = &run->body;
    for (uint32_t i = 0; i < b->thread->instr_count; i = b->group_end[i]) {
      const struct instr *in = &b->thread->instrs[i];
      if (!instr_is_access(in) || in->space == SPACE_LOCAL || body_is_param(b, in)) continue;
      all++;
      unreached += !b->reached[i];
    }
  }
  if (unreached) text_printf(out, "; no thread executes %u of the %u accesses to memory", unreached, all);
}

void rests_tell(struct launching *l) {
  struct litmus_test *test = l->x->parse.test;
  struct text zeros = {.arena = l->memory.arena}, counts = {.arena = l->memory.arena};
  uint32_t locations = 0, columns = 0, number = 0;
  for (uint32_t i = 0; i < l->memory.regions.len; i++)
    if (l->memory.regions.data[i]->decides) tell(&zeros, l->memory.regions.data[i]->name, &locations);
  EACH_COLUMN (r, l) {
    if (r->represents) tell(&counts, arena_printf(l->memory.arena, "P%u for %u more", number, r->represents), &columns);
    number++;
  }
  test->apart = apart_text(l);
  test->textures = l->memory.textures;
  test->late = l->runs.len == 1 && waits_for_none(l->runs.data[0]);
  test->zeros = told_text(&zeros, locations);
  if (test->zeros) tell_unreached(l, &zeros), test->zeros = text_str(&zeros);
  test->behind = told_text(&counts, columns);
}
