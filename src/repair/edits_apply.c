/* Edits on the syntax tree, and how they read. */
#include <string.h>

#include "base/text.h"
#include "repair/edits.h"
#include "explain/words.h"
#include "ptx/isa.h"

/* ---- Instructions ---- */

static bool is_strength(const char *word) {
  static const enum qualifier_class kinds[] = {QUALIFIER_SEM,        QUALIFIER_SCOPE, QUALIFIER_LEVEL,
                                               QUALIFIER_VOLATILE,   QUALIFIER_MMIO,  QUALIFIER_CACHE_LOAD,
                                               QUALIFIER_CACHE_STORE};
  qualifier_set classes = 0;
  for (size_t i = 0; i < ARRAY_LEN(kinds); i++) classes |= (qualifier_set)1 << kinds[i];
  return isa_word_in(word, classes);
}

static void append(struct arena *arena, struct litmus_words *words, struct litmus_word word) {
  struct litmus_word *copy = ARENA_NEW(arena, struct litmus_word);
  *copy = word;
  copy->next = NULL;
  if (words->last) words->last->next = copy;
  else words->first = copy;
  words->last = copy;
}

void edits_append(struct arena *arena, struct intern *names, struct litmus_words *words, const char *text) {
  append(arena, words, (struct litmus_word){.text = intern(names, text)});
}

static void append_strength(struct arena *arena, struct intern *names, struct litmus_words *words,
                            const struct edit *edit) {
  edits_append(arena, names, words, sem_word(edit->sem));
  if (edit->scope != SCOPE_NONE) edits_append(arena, names, words, scope_word(edit->scope));
}

/* True if the strength stands before this word where there was none: first, but behind what multimem or mbarrier does.
 */
static bool is_place(const struct litmus_instr *from, const struct litmus_word *word) {
  if (strcmp(from->opcode.text, "multimem") == 0) return word != from->qualifiers.first;
  if (strcmp(from->opcode.text, "mbarrier") != 0) return true;
  return isa_word_in(word->text, (qualifier_set)1 << QUALIFIER_SPACE | (qualifier_set)1 << QUALIFIER_TYPE);
}

/* The new strength stands where the old one stood. */
static struct litmus_words with_strength(struct arena *arena, struct intern *names, const struct litmus_instr *from,
                                         const struct edit *edit) {
  const struct litmus_words *words = &from->qualifiers;
  struct litmus_words out = {0};
  bool stands = false, done = false;
  for (const struct litmus_word *word = words->first; word; word = word->next) stands |= is_strength(word->text);
  for (const struct litmus_word *word = words->first; word; word = word->next) {
    bool old = is_strength(word->text), here = stands ? old : is_place(from, word);
    if (here && !done) append_strength(arena, names, &out, edit);
    done = done || here;
    if (!old) append(arena, &out, *word);
  }
  if (!done) append_strength(arena, names, &out, edit);
  return out;
}

static struct litmus_instr *new_strength(struct arena *arena, struct intern *names, const struct litmus_instr *from,
                                         const struct edit *edit) {
  struct litmus_instr *instr = ARENA_NEW(arena, struct litmus_instr);
  *instr = *from;
  if (!strncmp(from->opcode.text, "membar", 6) || !strncmp(from->opcode.text, "__", 2)) {
    instr->opcode.text = intern(names, "fence");
    instr->call = false;
  }
  instr->qualifiers = with_strength(arena, names, from, edit);
  return instr;
}

static struct litmus_instr *new_word(struct arena *arena, struct intern *names, const struct litmus_instr *from,
                                     const struct edit *edit) {
  struct litmus_instr *instr = ARENA_NEW(arena, struct litmus_instr);
  *instr = *from;
  instr->qualifiers = (struct litmus_words){0};
  bool done = false;
  for (const struct litmus_word *word = from->qualifiers.first; word; word = word->next) {
    bool here = strcmp(word->text, edit->from) == 0;
    if (here && edit->to) edits_append(arena, names, &instr->qualifiers, edit->to);
    if (!here) append(arena, &instr->qualifiers, *word);
    done = done || here;
  }
  if (!done) edits_append(arena, names, &instr->qualifiers, edit->to);
  return instr;
}

static struct litmus_instr *new_number(struct arena *arena, const struct litmus_instr *from, const struct edit *edit) {
  struct litmus_instr *instr = ARENA_NEW(arena, struct litmus_instr);
  struct litmus_operand **link = &instr->operands;
  uint32_t index = 0;
  *instr = *from;
  for (const struct litmus_operand *o = from->operands; o; o = o->next, index++) {
    *link = ARENA_NEW(arena, struct litmus_operand);
    **link = *o;
    if (index == edit->operand) (*link)->u.number = (struct litmus_number){.value = edit->number};
    link = &(*link)->next;
  }
  if (!edit->to) return instr;
  *link = ARENA_NEW(arena, struct litmus_operand);
  **link = (struct litmus_operand){.kind = LITMUS_NUMBER, .u.number.value = edit->number};
  instr->qualifiers = (struct litmus_words){0};
  for (const struct litmus_word *word = from->qualifiers.first; word; word = word->next) {
    append(arena, &instr->qualifiers, *word);
    if (word == from->qualifiers.first) append(arena, &instr->qualifiers, (struct litmus_word){.text = edit->to});
  }
  return instr;
}

static struct litmus_instr *changed(struct arena *arena, struct intern *names, const struct litmus_instr *from,
                                    const struct edit *edit) {
  if (edit->kind == EDIT_NUMBER) return new_number(arena, from, edit);
  return edit->kind == EDIT_WORD ? new_word(arena, names, from, edit) : new_strength(arena, names, from, edit);
}

static struct litmus_instr *new_instr(struct arena *arena, struct intern *names, const char *opcode) {
  struct litmus_instr *instr = ARENA_NEW(arena, struct litmus_instr);
  *instr = (struct litmus_instr){.opcode.text = intern(names, opcode)};
  return instr;
}

/* "cp.async.wait_all" in its words. */
static struct litmus_instr *new_added(struct arena *arena, struct intern *names, const struct edit *edit) {
  const char *dot = strchr(edit->added, '.');
  struct litmus_instr *instr = new_instr(arena, names, arena_strndup(arena, edit->added, (size_t)(dot - edit->added)));
  while (dot) {
    const char *next = strchr(dot + 1, '.');
    size_t length = next ? (size_t)(next - dot) : strlen(dot);
    edits_append(arena, names, &instr->qualifiers, arena_strndup(arena, dot, length));
    dot = next;
  }
  instr->operands = edit->operands;
  return instr;
}

static struct litmus_instr *new_fence(struct arena *arena, struct intern *names, const struct edit *edit, bool cuda) {
  if (edit->added) return new_added(arena, names, edit);
  struct litmus_instr *instr = new_instr(arena, names, "fence");
  instr->cuda = cuda;
  if (!edit->is_proxy) {
    append_strength(arena, names, &instr->qualifiers, edit);
    return instr;
  }
  edits_append(arena, names, &instr->qualifiers, ".proxy");
  edits_append(arena, names, &instr->qualifiers, arena_printf(arena, ".%s", proxy_word(edit->proxy)));
  return instr;
}

/* What is added in each thread: of a cluster's barrier the arrival (part 0) and the wait. NULL when there is no such
 * part. */
static struct litmus_instr *new_barrier(struct arena *arena, struct intern *names, const struct edit *edit, int part) {
  bool cluster = edit->barrier == BARRIER_CLUSTER, warp = edit->barrier == BARRIER_WARP;
  if (part > cluster) return NULL;
  struct litmus_instr *instr = new_instr(arena, names, cluster ? "barrier" : "bar");
  if (cluster) edits_append(arena, names, &instr->qualifiers, ".cluster");
  if (warp) edits_append(arena, names, &instr->qualifiers, ".warp");
  edits_append(arena, names, &instr->qualifiers, !cluster ? ".sync" : part ? ".wait" : ".arrive");
  if (cluster) return instr;
  instr->operands = ARENA_NEW(arena, struct litmus_operand);
  *instr->operands = (struct litmus_operand){.kind = LITMUS_NUMBER, .u.number.value = edit->number};
  if (warp) instr->operands->u.number.text = arena_printf(arena, "0x%x", edit->number);
  return instr;
}

/* ---- Tests ---- */

/* Entries, rows and cells of its own; instructions are shared. */
static struct litmus_test *copy_test(struct arena *arena, const struct litmus_test *from) {
  struct litmus_test *test = ARENA_NEW(arena, struct litmus_test);
  *test = *from;
  struct litmus_entry **entry_link = &test->entries;
  for (const struct litmus_entry *entry = from->entries; entry; entry = entry->next) {
    *entry_link = ARENA_NEW(arena, struct litmus_entry);
    **entry_link = *entry;
    entry_link = &(*entry_link)->next;
  }
  struct litmus_row **row_link = &test->rows;
  for (const struct litmus_row *row = from->rows; row; row = row->next) {
    struct litmus_row *copy = *row_link = ARENA_NEW(arena, struct litmus_row);
    *copy = *row;
    struct litmus_cell **cell_link = &copy->cells;
    for (const struct litmus_cell *cell = row->cells; cell; cell = cell->next) {
      *cell_link = ARENA_NEW(arena, struct litmus_cell);
      **cell_link = *cell;
      cell_link = &(*cell_link)->next;
    }
    row_link = &copy->next;
  }
  return test;
}

struct litmus_entry *edits_entry(const struct litmus_test *test, const struct edit *edit) {
  struct litmus_entry *entry = test->entries;
  for (uint32_t i = 0; i < edit->instr; i++) entry = entry->next;
  return entry;
}

static void change_count(struct arena *arena, struct litmus_entry *entry, uint32_t number) {
  struct litmus_value *value = ARENA_NEW(arena, struct litmus_value);
  *value = *entry->values;
  value->number = (struct litmus_number){.value = number};
  entry->values = value;
}

/* A row behind `row` (NULL: before all) with the instruction in one column. */
static void insert_after(struct arena *arena, struct litmus_test *test, struct litmus_row *row, uint32_t t,
                         struct litmus_instr *instr) {
  struct litmus_row *added = ARENA_NEW(arena, struct litmus_row), **before = row ? &row->next : &test->rows;
  *added = (struct litmus_row){.count = test->thread_count, .span = test->name_span, .next = *before};
  if (row) added->span = row->span;
  struct litmus_cell **link = &added->cells;
  for (uint32_t i = 0; i < added->count; i++) {
    *link = ARENA_NEW(arena, struct litmus_cell);
    **link = (struct litmus_cell){.instr = i == t ? instr : NULL};
    link = &(*link)->next;
  }
  *before = added;
  test->row_count++;
}

/* Where the instructions of all edits stand, before any is moved: by edit and place. */
struct spots {
  struct spot at, to;
  struct spot *places;
};

/* The row before that of an instruction. */
static void step_back(const struct litmus_test *test, struct spot *spot) {
  struct litmus_row *before = NULL;
  for (struct litmus_row *row = test->rows; row != spot->row; row = row->next) before = row;
  *spot = (struct spot){before, NULL};
}

static bool find_spots(struct arena *arena, const struct litmus_test *test, const struct program *program,
                       const struct edit *edit, struct spots *out) {
  out->places = ARENA_ARRAY(arena, struct spot, edit->place_count + 1);
  for (uint32_t i = 0; i < edit->place_count; i++)
    if (!edits_find(test, program, edit->places[i].thread, edit->places[i].instr, &out->places[i])) return false;
  if (edit->place_count || edit->kind == EDIT_COUNT) return true;
  if (!edits_find(test, program, edit->thread, edit->instr, &out->at)) return false;
  if (edit->ahead) step_back(test, &out->at);
  return edits_find(test, program, edit->thread, edit->kind == EDIT_MOVE ? edit->target : edit->instr,
                    &out->to);
}

/* Parts are made from the test as it was. */
struct change {
  struct arena *arena;
  struct intern *names;
  const struct litmus_test *from;
  const struct program *program;
};

static void widen(const struct change *c, struct litmus_test *test, struct edit_place place, const struct spot *spot) {
  spot->cell->instr = edits_wide_part(c->arena, c->names, c->from, c->program, place, 0);
  for (uint32_t part = edits_wide_parts(c->program, place) - 1; part > 0; part--)
    insert_after(c->arena, test, spot->row, place.thread,
                 edits_wide_part(c->arena, c->names, c->from, c->program, place, part));
}

static void apply_one(const struct change *c, struct litmus_test *test, const struct edit *edit,
                      const struct spots *spots) {
  struct arena *arena = c->arena;
  struct intern *names = c->names;
  struct litmus_instr *instr = spots->at.cell ? spots->at.cell->instr : NULL;
  switch (edit->kind) {
    case EDIT_STRENGTH:
    case EDIT_NUMBER:
    case EDIT_WORD: spots->at.cell->instr = changed(arena, names, instr, edit); break;
    case EDIT_COUNT: change_count(arena, edits_entry(test, edit), edit->number); break;
    case EDIT_ADD:
      insert_after(arena, test, spots->at.row, edit->thread, new_fence(arena, names, edit, test->cuda));
      break;
    case EDIT_ADD_BARRIER:
      for (uint32_t i = 0; i < edit->place_count; i++)
        for (int part = 1; part >= 0; part--) {
          struct litmus_instr *added = new_barrier(arena, names, edit, part);
          if (added) insert_after(arena, test, spots->places[i].row, edit->places[i].thread, added);
        }
      break;
    case EDIT_WIDEN:
      for (uint32_t i = 0; i < edit->place_count; i++) widen(c, test, edit->places[i], &spots->places[i]);
      break;
    case EDIT_MOVE:
      insert_after(arena, test, spots->to.row, edit->thread, instr);
      spots->at.cell->instr = NULL;
      break;
    case EDIT_DROP: spots->at.cell->instr = NULL; break;
    case EDIT_DROP_BARRIER:
      for (uint32_t i = 0; i < edit->place_count; i++) spots->places[i].cell->instr = NULL;
      break;
  }
}

/* Twins as edits of their own. */
static const struct edit *without_twins(struct arena *arena, const struct edit *edits, uint32_t *count) {
  uint32_t all = 0, at = 0;
  for (uint32_t i = 0; i < *count; i++) all += 1 + edits[i].twin_count;
  struct edit *out = ARENA_ARRAY(arena, struct edit, all + 1);
  for (uint32_t i = 0; i < *count; i++) {
    out[at++] = edits[i];
    for (uint32_t k = 0; k < edits[i].twin_count; k++) {
      out[at] = edits[i];
      out[at].thread = edits[i].twins[k].thread;
      out[at].target = edits[i].twins[k].instr + (edits[i].target - edits[i].instr); /* EDIT_MOVE: as far off */
      out[at++].instr = edits[i].twins[k].instr;
    }
  }
  *count = all;
  return out;
}

const struct litmus_test *edits_apply(struct arena *arena, struct intern *names, const struct litmus_test *from,
                                      const struct program *program, const struct edit *edits, uint32_t count) {
  const struct change change = {arena, names, from, program};
  struct litmus_test *test = copy_test(arena, from);
  edits = without_twins(arena, edits, &count);
  struct spots *spots = ARENA_ARRAY(arena, struct spots, count);
  for (uint32_t i = 0; i < count; i++)
    if (!find_spots(arena, test, program, &edits[i], &spots[i])) return NULL;
  for (uint32_t i = count; i-- > 0;) /* backwards, so that additions in one gap keep the order of edits */
    apply_one(&change, test, &edits[i], &spots[i]);
  return test;
}

/* ---- Text ---- */

/* Behind the opcode and its dots; "" when there is nothing. */
static size_t operands_at(const char *text) {
  size_t guard = *text == '@' ? strcspn(text, " ") + 1 : 0;
  return guard + strcspn(text + guard, " ");
}

/* A column has values where the module has registers: the operands as they stand in the module. */
static const char *in_module(struct arena *arena, const struct program *program, const struct edit *edit,
                             const char *text) {
  if (!program->threads[edit->thread].of_kernel || edit->kind == EDIT_NUMBER) return text;
  const char *before = words_instr(arena, program, edit->thread, edit->instr);
  return arena_printf(arena, "%.*s%s", (int)operands_at(text), text, before + operands_at(before));
}

const char *edits_text(struct arena *arena, const struct litmus_test *test, const struct program *program,
                       const struct edit *edit) {
  const struct litmus_instr *instr;
  struct text out = {.arena = arena};
  struct intern names;
  intern_init(&names, arena);
  switch (edit->kind) {
    case EDIT_ADD: litmus_print_instr(new_fence(arena, &names, edit, test->cuda), &out); break;
    case EDIT_ADD_BARRIER:
      litmus_print_instr(new_barrier(arena, &names, edit, 0), &out);
      instr = new_barrier(arena, &names, edit, 1);
      text_add(&out, instr ? "; " : "");
      if (instr) litmus_print_instr(instr, &out);
      break;
    case EDIT_COUNT: text_printf(&out, "mbarrier %s=%u", edits_entry(test, edit)->ref.name, edit->number); break;
    case EDIT_STRENGTH:
    case EDIT_WORD:
    case EDIT_NUMBER:
      instr = edits_written(test, program, edit->thread, edit->instr);
      if (instr) litmus_print_instr(changed(arena, &names, instr, edit), &out);
      if (instr) return in_module(arena, program, edit, text_str(&out));
      break;
    case EDIT_WIDEN:
    case EDIT_MOVE:
    case EDIT_DROP:
    case EDIT_DROP_BARRIER: break;
  }
  return out.len ? text_str(&out) : words_instr(arena, program, edit->thread, edit->instr);
}
