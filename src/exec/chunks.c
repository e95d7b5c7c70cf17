/* Cuts memory into chunks and cells, and adds the initial writes. */

#include "exec/build.h"

/* A byte range of physical memory that is accessed or observed. */
struct chunk_range {
  uint32_t begin, end;
};

VEC_NAMED(ranges, struct chunk_range);

static int by_begin(const void *a, const void *b) {
  const struct chunk_range *x = a, *y = b;
  if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
  return x->end < y->end ? -1 : x->end > y->end;
}

static int by_value(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static struct chunk_range element_range(const struct program *program, const struct observable *o) {
  const struct object *object = &program->objects[o->object];
  uint32_t size = type_bytes(object->type), begin = object->phys + o->element * size;
  return (struct chunk_range){begin, begin + size};
}

static void sort(struct ranges *ranges) {
  if (ranges->len) qsort(ranges->data, ranges->len, sizeof(struct chunk_range), by_begin);
}

static void collect_accesses(struct skeleton *s, struct ranges *ranges) {
  EACH_EVENT_OF (e, event, s)
    for (uint32_t i = 0; i < event->place_count; i++) {
      uint32_t begin = event->places[i].phys;
      VEC_PUSH(s->arena, ranges, (struct chunk_range){begin, begin + event->size});
    }
  sort(ranges);
}

/* True if a range overlaps one of the sorted ranges. latest[i] is the largest end among the first i + 1. */
static bool is_accessed(const struct ranges *ranges, const uint32_t *latest, struct chunk_range range) {
  uint32_t after;
  FIRST_NOT(after, ranges->len, ranges->data[after].begin < range.end);
  return after > 0 && latest[after - 1] > range.begin;
}

/* Adds the observed elements that some access touches; the others keep their initial value. */
static void collect_observed(struct skeleton *s, struct ranges *ranges) {
  const struct program *program = s->program;
  uint32_t *latest = ARENA_ARRAY(s->arena, uint32_t, ranges->len), end = 0;
  for (uint32_t i = 0; i < ranges->len; i++) {
    if (ranges->data[i].end > end) end = ranges->data[i].end;
    latest[i] = end;
  }
  struct ranges accesses = *ranges;
  for (uint32_t i = 0; i < program->observed_count; i++) {
    const struct observable *o = &program->observables[i];
    if (o->is_reg) continue;
    struct chunk_range range = element_range(program, o);
    if (is_accessed(&accesses, latest, range)) {
      VEC_PUSH(s->arena, ranges, range);
    } else {
      value_t value = skeleton_init_value(s, range.begin, range.end - range.begin);
      s->finals[i] = (struct final){.is_term = true, .value = term_const(&s->terms, value, o->type.width)};
    }
  }
  sort(ranges);
}

struct cutter {
  struct skeleton *s;
  VEC(struct chunk) chunks;
};

/* If accesses may be torn, every byte is a chunk (G37). */
static void cut_bytes(struct cutter *c, const struct chunk_range *first, uint32_t count) {
  uint32_t end = 0;
  for (uint32_t i = 0; i < count; i++)
    if (first[i].end > end) end = first[i].end;
  for (uint32_t byte = first->begin; byte < end; byte++)
    VEC_PUSH(c->s->arena, &c->chunks, (struct chunk){byte, 1, c->s->cell_count});
  c->s->cell_count++;
}

/* Splits the run of ranges [first, last), which overlap one another, at every begin and end. */
static void cut_cell(struct cutter *c, const struct chunk_range *first, uint32_t count) {
  uint32_t *cuts = ARENA_ARRAY(c->s->arena, uint32_t, 2 * (size_t)count);
  for (uint32_t i = 0; i < count; i++) {
    cuts[2 * i] = first[i].begin;
    cuts[2 * i + 1] = first[i].end;
  }
  qsort(cuts, 2 * (size_t)count, sizeof *cuts, by_value);
  for (uint32_t i = 0; i + 1 < 2 * count; i++)
    if (cuts[i] < cuts[i + 1])
      VEC_PUSH(c->s->arena, &c->chunks, (struct chunk){cuts[i], cuts[i + 1] - cuts[i], c->s->cell_count});
  c->s->cell_count++;
}

static void cut(struct cutter *c, const struct ranges *ranges) {
  const struct chunk_range *all = ranges->data;
  for (uint32_t i = 0, next; i < ranges->len; i = next) {
    uint32_t end = all[i].end;
    for (next = i + 1; next < ranges->len && all[next].begin < end; next++)
      if (all[next].end > end) end = all[next].end;
    (shape_reads(&c->s->options.shape, READING_TEARS) ? cut_bytes : cut_cell)(c, all + i, next - i);
  }
}

/* The first chunk at or after a byte. */
static uint32_t chunk_at(const struct skeleton *s, uint32_t phys) {
  uint32_t at;
  FIRST_NOT(at, s->chunk_count, s->chunks[at].phys < phys);
  return at;
}

static void cover(struct skeleton *s, struct event *event) {
  ARRAY_EACH (place, event->places, event->place_count) {
    place->chunk_begin = chunk_at(s, place->phys);
    place->chunk_end = chunk_at(s, place->phys + event->size);
  }
}

static bool is_mapped(const struct skeleton *s, uint32_t phys) {
  ARRAY_EACH (object, s->program->objects, s->program->object_count)
    if (object->phys <= phys && phys < object->phys + object->size) return object->mapped;
  return false;
}

/* True if some byte of the chunk has no initial value. */
static bool is_unset(const struct skeleton *s, const struct chunk *chunk) {
  uint32_t phys = chunk->phys;
  ARRAY_EACH (object, s->program->objects, s->program->object_count)
    if (phys >= object->phys && object->phys + object->size > phys)
      return SOME_BELOW(k, chunk->size, object->unset && !(object->given && object->given[phys - object->phys + k]));
  return false;
}

static void add_initial_writes(struct skeleton *s) {
  s->first_init = s->events.len;
  for (uint32_t first = 0, next; first < s->chunk_count; first = next) {
    bool unset = is_unset(s, &s->chunks[first]);
    for (next = first + 1; next < s->chunk_count && s->chunks[next].cell == s->chunks[first].cell; next++)
      if (is_unset(s, &s->chunks[next]) != unset) break;
    const struct chunk *last = &s->chunks[next - 1];
    struct place *place = ARENA_MAKE(s->arena, struct place, .phys = s->chunks[first].phys, .chunk_begin = first,
                                     .chunk_end = next, .guard = TERM_TRUE);
    struct event init = {.kind = EVENT_WRITE,
                         .thread = NO_THREAD,
                         .exec = TERM_TRUE,
                         .places = place,
                         .place_count = 1,
                         .is_unset = unset,
                         .is_mapped = is_mapped(s, s->chunks[first].phys),
                         .size = last->phys + last->size - s->chunks[first].phys};
    VEC_PUSH(s->arena, &s->events, init);
  }
}

static void find_finals(struct skeleton *s) {
  for (uint32_t i = 0; i < s->program->observed_count; i++) {
    if (s->program->observables[i].is_reg || s->finals[i].is_term) continue;
    struct chunk_range range = element_range(s->program, &s->program->observables[i]);
    s->finals[i] = (struct final){.chunk_begin = chunk_at(s, range.begin), .chunk_end = chunk_at(s, range.end)};
  }
}

static void list_accesses(struct skeleton *s) {
  s->readers = ARENA_ARRAY(s->arena, struct bitset, s->chunk_count);
  s->writers = ARENA_ARRAY(s->arena, struct bitset, s->chunk_count);
  for (uint32_t c = 0; c < s->chunk_count; c++) {
    s->readers[c] = bitset_new(s->arena, s->n);
    s->writers[c] = bitset_new(s->arena, s->n);
  }
  EACH_EVENT_OF (e, event, s) {
    struct bitset *sets = event->kind == EVENT_READ ? s->readers : s->writers;
    for (uint32_t i = 0; i < event->place_count; i++)
      for (uint32_t c = event->places[i].chunk_begin; c < event->places[i].chunk_end; c++) bitset_add(sets[c], e);
  }
}

void skeleton_cut(struct skeleton *s) {
  struct ranges ranges = {0};
  struct cutter cutter = {.s = s};
  collect_accesses(s, &ranges);
  collect_observed(s, &ranges);
  cut(&cutter, &ranges);
  s->chunks = cutter.chunks.data;
  s->chunk_count = cutter.chunks.len;
  s->fixed_places = true;
  for (uint32_t e = 0; e < s->events.len; e++) {
    cover(s, &s->events.data[e]);
    const struct event *event = skeleton_event(s, e);
    const bool fixed = event->place_count == 1 && event->places->guard == TERM_TRUE;
    if (event_is_memory(event) && !fixed) s->fixed_places = false;
  }
  add_initial_writes(s);
  s->n = s->events.len;
  find_finals(s);
  list_accesses(s);
}
