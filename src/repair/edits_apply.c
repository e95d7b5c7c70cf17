/* Applies edits to the syntax tree, and prints them. */

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
  struct litmus_word *copy = ARENA_COPY(arena, &word);
  copy->next = NULL;
  if (words->last) words->last->next = copy;
  else words->first = copy;
  words->last = copy;
}

static void append_new(struct arena *arena, struct litmus_words *words, const struct edit *edit) {
  const char *const strength[] = {sem_word(edit->sem), edit->scope == SCOPE_NONE ? NULL : scope_word(edit->scope)};
  const char *const *list = edit->kind == EDIT_STRENGTH ? strength : &edit->to;
  for (size_t i = 0; i < (edit->kind == EDIT_STRENGTH ? 2 : 1) && list[i]; i++)
    append(arena, words, (struct litmus_word){.text = list[i]});
}

static bool goes(const struct edit *edit, const char *word) {
  return edit->kind == EDIT_STRENGTH ? is_strength(word) : edit->from && strcmp(word, edit->from) == 0;
}

/* True if new words go before this word. Words that replace none go first, but after the operation of multimem and
 * mbarrier. A word that would replace one that is not in the text goes at the end: false for all words. */
static bool is_place(const struct litmus_instr *from, const struct edit *edit, const struct litmus_word *word) {
  if (edit->kind == EDIT_WORD) return false;
  if (edit->kind == EDIT_NUMBER || strcmp(from->opcode.text, "multimem") == 0) return word != from->qualifiers.first;
  if (strcmp(from->opcode.text, "mbarrier") != 0) return true;
  return isa_word_in(word->text, (qualifier_set)1 << QUALIFIER_SPACE | (qualifier_set)1 << QUALIFIER_TYPE);
}

/* The words with new words in place of the old ones. */
static struct litmus_words reworded(struct arena *arena, const struct litmus_instr *from, const struct edit *edit) {
  struct litmus_words out = {0};
  bool stands = SOME(LIST_EACH (word, from->qualifiers.first), goes(edit, word->text)), done = false;
  LIST_EACH (word, from->qualifiers.first) {
    bool old = goes(edit, word->text), here = stands ? old : is_place(from, edit, word);
    if (here && !done) append_new(arena, &out, edit);
    done = done || here;
    if (!old) append(arena, &out, *word);
  }
  if (!done) append_new(arena, &out, edit);
  return out;
}

/* The operands with another number: at the index, the last one, or one more if the index is that of no operand. */
static struct litmus_operand *renumbered(struct arena *arena, const struct litmus_operand *from,
                                         const struct edit *edit) {
  struct litmus_operand *first = NULL, **link = &first;
  for (uint32_t i = 0; from || i == edit->operand; i++, link = &(*link)->next) {
    *link = ARENA_NEW(arena, struct litmus_operand);
    **link = from ? *from : (struct litmus_operand){.kind = LITMUS_NUMBER};
    if (i == edit->operand || (edit->operand == EDIT_LAST && !from->next))
      (*link)->kind = LITMUS_NUMBER, (*link)->u.number = (struct litmus_number){.value = edit->number};
    if (from) from = from->next;
  }
  return first;
}

struct litmus_instr *edits_changed(struct arena *arena, struct intern *names, const struct litmus_instr *from,
                                   const struct edit *edit) {
  struct litmus_instr *instr = ARENA_COPY(arena, from);
  instr->qualifiers = reworded(arena, from, edit);
  if (edit->kind == EDIT_NUMBER) instr->operands = renumbered(arena, from->operands, edit);
  bool parts = edit->kind == EDIT_WORD && base_alike(edit->from, EDIT_ALIGNED);
  if (parts && strcmp(from->opcode.text, "bar") == 0) instr->opcode.text = intern(names, "barrier");
  bool fence = !strncmp(from->opcode.text, "membar", 6) || !strncmp(from->opcode.text, "__thread", 8);
  if (edit->kind == EDIT_STRENGTH && fence) instr->opcode.text = intern(names, "fence"), instr->call = false;
  return instr;
}

/* The instructions of a text, as rows of one column: in PTX, in CUDA C++, of a host. */
enum dialect { IN_PTX, IN_CUDA, OF_HOST };

static struct litmus_row *read_rows(struct arena *arena, struct intern *names, const char *text, enum dialect in) {
  struct source *source = ARENA_NEW(arena, struct source);
  const char *test = arena_printf(arena, "PTX fix\n{ }\n P0@cta 0 ;\n %s ;\nexists (x=0)\n", text);
  struct diags diags;
  *source = source_from_text("<fix>", test, strlen(test));
  diags_init(&diags, arena);
  struct litmus_test *read = litmus_parse(arena, names, &diags, source);
  if (!read) BUG("'%s' is not an instruction", text);
  LIST_EACH (row, read->rows) {
    row->cells->instr->cuda = in != IN_PTX;
    row->cells->instr->host = in == OF_HOST;
  }
  return read->rows;
}

struct litmus_instr **edits_read(struct arena *arena, struct intern *names, const char *text, uint32_t *count) {
  VEC(struct litmus_instr *) list = {0};
  LIST_EACH (row, read_rows(arena, names, text, IN_PTX)) VEC_PUSH(arena, &list, row->cells->instr);
  *count = list.len;
  return list.data;
}

static enum dialect dialect_of(const struct program *program, uint32_t thread) {
  return program->threads[thread].host ? OF_HOST : program->cuda ? IN_CUDA : IN_PTX;
}

/* ---- Tests ---- */

/* Copies a test with its entries, rows and cells; instructions are shared. */
static struct litmus_test *copy_test(struct arena *arena, const struct litmus_test *from) {
  struct litmus_test *test = ARENA_COPY(arena, from);
  struct litmus_entry **entry_link = &test->entries;
  LIST_EACH (entry, from->entries) {
    *entry_link = ARENA_NEW(arena, struct litmus_entry);
    **entry_link = *entry;
    entry_link = &(*entry_link)->next;
  }
  struct litmus_row **row_link = &test->rows;
  LIST_EACH (row, from->rows) {
    struct litmus_row *copy = *row_link = ARENA_NEW(arena, struct litmus_row);
    *copy = *row;
    struct litmus_cell **cell_link = &copy->cells;
    LIST_EACH (cell, row->cells) {
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
  struct litmus_value *value = ARENA_COPY(arena, entry->values);
  value->number = (struct litmus_number){.value = number};
  entry->values = value;
}

/* Inserts a row after `row` (NULL: before all) with the instruction in one column. */
static struct litmus_row *insert_after(struct arena *arena, struct litmus_test *test, struct litmus_row *row,
                                       uint32_t t, struct litmus_instr *instr) {
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
  return added;
}

/* An edit at one of its places, with the positions of its instructions before all moves. */
struct application {
  const struct edit *edit;
  struct edit_place place;
  struct spot at, to;
};

static bool find_spots(const struct litmus_test *test, const struct program *program, struct application *a) {
  const struct edit *edit = a->edit;
  uint32_t to = edit->kind == EDIT_MOVE ? a->place.instr + (edit->target - edit->instr) : a->place.instr;
  if (edit->kind == EDIT_COUNT) return true;
  if (!edits_find(test, program, a->place.thread, a->place.instr, &a->at)) return false;
  if (!edits_find(test, program, a->place.thread, to, &a->to)) return false;
  if (!edit->ahead) return true;
  struct litmus_row *before = NULL;
  for (struct litmus_row *row = test->rows; row != a->at.row; row = row->next) before = row;
  a->at = (struct spot){before, NULL};
  return true;
}

static void insert_rows(struct arena *arena, struct litmus_test *test, const struct application *a,
                        const struct litmus_row *rows) {
  struct litmus_row *behind = a->at.row;
  for (; rows; rows = rows->next) behind = insert_after(arena, test, behind, a->place.thread, rows->cells->instr);
}

static void apply_one(struct arena *arena, struct intern *names, struct litmus_test *test,
                      const struct program *program, const struct application *a) {
  const struct edit *edit = a->edit;
  struct litmus_cell *cell = a->at.cell;
  struct litmus_instr *instr = cell ? cell->instr : NULL;
  switch (edit->kind) {
    case EDIT_STRENGTH:
    case EDIT_NUMBER:
    case EDIT_WORD: cell->instr = edits_changed(arena, names, instr, edit); break;
    case EDIT_COUNT: change_count(arena, edits_entry(test, edit), edit->number); break;
    case EDIT_MOVE:
      insert_after(arena, test, a->to.row, a->place.thread, instr);
      cell->instr = NULL;
      break;
    case EDIT_DROP:
    case EDIT_DROP_BARRIER: cell->instr = NULL; break;
    case EDIT_UNGUARD: BUG("a column has no condition");
    case EDIT_WIDEN:
      insert_rows(arena, test, a, read_rows(arena, names, edits_wide_text(arena, test, program, a->place), IN_PTX));
      cell->instr = NULL;
      break;
    case EDIT_ADD:
    case EDIT_ADD_BARRIER: {
      enum dialect in = dialect_of(program, a->place.thread);
      insert_rows(arena, test, a, read_rows(arena, names, edit->added, in));
      break;
    }
  }
}

const struct litmus_test *edits_apply(struct arena *arena, struct intern *names, const struct litmus_test *from,
                                      const struct program *program, const struct edit *edits, uint32_t count) {
  struct litmus_test *test = copy_test(arena, from);
  VEC(struct application) all = {0};
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < edit_places(&edits[i]); k++) {
      struct application one = {.edit = &edits[i], .place = edit_place(&edits[i], k)};
      if (!find_spots(test, program, &one)) return NULL;
      VEC_PUSH(arena, &all, one);
    }
  for (uint32_t i = all.len; i-- > 0;) /* backwards, so that additions in one gap keep the order of edits */
    apply_one(arena, names, test, program, &all.data[i]);
  return test;
}

/* ---- Text ---- */

/* The offset of the text after the opcode and its qualifiers. */
static size_t operands_at(const char *text) {
  size_t guard = *text == '@' ? strcspn(text, " ") + 1 : 0;
  return guard + strcspn(text + guard, " ");
}

/* Restores the operands of the module, which has registers where a column has values. */
static const char *in_module(struct arena *arena, const char *before, const char *text) {
  size_t guard = *before == '@' && *text != '@' ? strcspn(before, " ") + 1 : 0;
  return arena_printf(arena, "%.*s%.*s%s", (int)guard, before, (int)operands_at(text), text,
                      before + operands_at(before));
}

/* The text with a mask as its last operand. */
static const char *with_mask(struct arena *arena, const char *before, uint32_t mask) {
  const char *last = strrchr(before, ' ');
  return arena_printf(arena, "%.*s 0x%x", (int)(last ? last - before : 0), before, mask);
}

/* The text with another number as this operand, or as one more; `text` begins with the module's opcode and operands. */
static const char *with_number(struct arena *arena, const char *text, const struct edit *edit) {
  const char *at = text + operands_at(text);
  for (uint32_t k = 0; k < edit->operand && *at; k++) { /* past an operand, in whose brackets commas do not count */
    at++;
    while (*at && *at != ',') at += *at == '[' || *at == '{' ? strcspn(at, "]}") : 1;
  }
  const char *end = *at ? at + 1 + strcspn(at + 1, ",") : at;
  return arena_printf(arena, "%.*s%s %u%s", (int)(at - text), text, edit->operand ? "," : "", edit->number, end);
}

const char *edits_text(struct arena *arena, const struct litmus_test *test, const struct program *program,
                       const struct edit *edit, struct edit_place place) {
  struct text out = {.arena = arena};
  struct intern names;
  intern_init(&names, arena);
  if (edit->kind == EDIT_COUNT)
    return arena_printf(arena, "mbarrier %s=%u", edits_entry(test, edit)->ref.name, edit->number);
  if (edit->kind == EDIT_WIDEN) return edits_wide_text(arena, test, program, place);
  enum dialect in = dialect_of(program, place.thread);
  if (edit->added && in) litmus_print_instr(read_rows(arena, &names, edit->added, in)->cells->instr, &out);
  if (edit->added) return out.len ? text_str(&out) : edit->added;
  const char *before = words_instr(arena, program, place.thread, place.instr);
  if (edit->kind == EDIT_NUMBER && edit->operand == EDIT_LAST) return with_mask(arena, before, edit->number);
  bool rewrites = edit->kind == EDIT_STRENGTH || edit->kind == EDIT_WORD || edit->kind == EDIT_NUMBER;
  const struct litmus_instr *written = rewrites ? edits_written(test, program, place.thread, place.instr) : NULL;
  if (!written) return before;
  litmus_print_instr(edits_changed(arena, &names, written, edit), &out);
  const struct thread *thread = &program->threads[place.thread];
  if (!thread->of_kernel || thread->host) return text_str(&out);
  const char *module = in_module(arena, before, text_str(&out));
  return edit->kind == EDIT_NUMBER ? with_number(arena, module, edit) : module;
}
