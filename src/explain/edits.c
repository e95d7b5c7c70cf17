#include "explain/edits.h"

#include <string.h>

#include "base/text.h"
#include "explain/words.h"

/* ---- What a scope reaches ---- */

static bool in_scope(const struct program *program, uint32_t a, uint32_t b, enum scope scope) {
  return a == b || words_common_scope(program, a, b) <= scope;
}

static uint32_t reached(const struct program *program, uint32_t thread, enum scope scope) {
  uint32_t count = 0;
  for (uint32_t t = 0; t < program->thread_count; t++) count += in_scope(program, thread, t, scope);
  return count;
}

/* Whether a scope reaches more threads than the next narrower one: the others make no difference. */
static bool counts(const struct program *program, uint32_t thread, enum scope scope) {
  uint32_t narrower = scope == SCOPE_CTA ? 1 : reached(program, thread, (enum scope)(scope - 1));
  return reached(program, thread, scope) > narrower;
}

/* ---- Strengths of an instruction ---- */

static bool is_access(const struct instr *i) {
  bool access = i->kind == INSTR_LOAD || i->kind == INSTR_STORE || i->kind == INSTR_ATOM || i->kind == INSTR_RED;
  return access && i->proxy == PROXY_GENERIC && i->space != SPACE_LOCAL && i->space != SPACE_PARAM &&
         i->space != SPACE_CONST;
}

static bool is_some_fence(const struct instr *i) { return i->kind == INSTR_FENCE || i->kind == INSTR_PROXY_FENCE; }

/* Whether the instruction can have these semantics. */
static bool takes(const struct instr *i, enum sem sem) {
  switch (i->kind) {
    case INSTR_LOAD: return sem == SEM_WEAK || sem == SEM_RELAXED || sem == SEM_ACQUIRE;
    case INSTR_STORE: return sem == SEM_WEAK || sem == SEM_RELAXED || sem == SEM_RELEASE;
    case INSTR_ATOM: return sem == SEM_RELAXED || sem == SEM_ACQUIRE || sem == SEM_RELEASE || sem == SEM_ACQ_REL;
    case INSTR_RED: return sem == SEM_RELAXED || sem == SEM_RELEASE;
    case INSTR_FENCE: return sem >= SEM_ACQUIRE;
    default: return false;
  }
}

/* Whether a is weaker than b or equal to it. */
static bool at_most(enum sem a, enum sem b) {
  if (a == SEM_ACQUIRE && b == SEM_RELEASE) return false;
  return a <= b;
}

static unsigned sem_cost(enum sem sem) {
  static const unsigned costs[] = {
      [SEM_WEAK] = 0, [SEM_RELAXED] = 2, [SEM_ACQUIRE] = 5, [SEM_RELEASE] = 5, [SEM_ACQ_REL] = 7, [SEM_SC] = 12};
  return costs[sem];
}

static unsigned strength_cost(enum sem sem, enum scope scope) { return 4 * sem_cost(sem) + (unsigned)scope; }

enum { COST_ADD = 24, COST_ADD_PROXY = 30, COST_MOVE = 10 };

static void add_variant(struct arena *arena, struct site *site, struct edit edit) {
  uint32_t at = site->variants.len;
  VEC_PUSH(arena, &site->variants, edit);
  for (; at && site->variants.data[at - 1].cost > edit.cost; at--)
    site->variants.data[at] = site->variants.data[at - 1];
  site->variants.data[at] = edit;
}

static void add_site(struct arena *arena, struct sites *sites, const struct site *site) {
  if (site->variants.len) VEC_PUSH(arena, &sites->list, *site);
}

/* The stronger, or weaker, forms of an access or memory fence. */
static void vary_strength(struct arena *arena, const struct program *program, uint32_t t, uint32_t n, bool stronger,
                          struct site *site) {
  const struct instr *i = &program->threads[t].instrs[n];
  for (enum sem sem = SEM_WEAK; sem <= SEM_SC; sem++)
    for (enum scope scope = SCOPE_NONE; scope <= SCOPE_SYS; scope++) {
      if (!takes(i, sem) || (sem == SEM_WEAK) != (scope == SCOPE_NONE)) continue;
      bool up = at_most(i->sem, sem) && i->scope <= scope, down = at_most(sem, i->sem) && scope <= i->scope;
      bool same = sem == i->sem && scope == i->scope;
      if (same || !(stronger ? up : down)) continue;
      if (scope != SCOPE_NONE && scope != i->scope && !counts(program, t, scope)) continue;
      unsigned cost = strength_cost(sem, scope), now = strength_cost(i->sem, i->scope);
      struct edit edit = {.kind = EDIT_STRENGTH, .thread = t, .instr = n, .sem = sem, .scope = scope};
      edit.cost = stronger ? cost - now : cost;
      add_variant(arena, site, edit);
    }
}

/* ---- Gaps ---- */

static bool touches_memory(const struct instr *i) {
  return i->kind == INSTR_LOAD || i->kind == INSTR_STORE || i->kind == INSTR_ATOM || i->kind == INSTR_RED ||
         i->kind == INSTR_MULTIMEM || i->kind == INSTR_BARRIER;
}

/* Whether the thread accesses memory, or meets others at a barrier, both up to instruction n and after it. */
static bool is_gap(const struct thread *t, uint32_t n) {
  bool before = false, after = false;
  for (uint32_t i = 0; i < t->instr_count; i++)
    if (touches_memory(&t->instrs[i])) *(i <= n ? &before : &after) = true;
  return before && after;
}

/* A gap behind an instruction that orders nothing is the same as the one before it. */
static bool doubles(const struct thread *t, uint32_t n) {
  const struct instr *i = &t->instrs[n];
  return !touches_memory(i) && !is_some_fence(i) && i->kind != INSTR_BRANCH;
}

static void vary_fence(struct arena *arena, const struct program *program, uint32_t t, uint32_t n, bool late,
                       struct site *site) {
  static const enum sem sems[] = {SEM_ACQ_REL, SEM_SC};
  for (size_t k = 0; k < ARRAY_LEN(sems); k++)
    for (enum scope scope = SCOPE_CTA; scope <= SCOPE_SYS; scope++) {
      if (!counts(program, t, scope)) continue;
      struct edit edit = {.kind = EDIT_ADD, .thread = t, .instr = n, .sem = sems[k], .scope = scope};
      edit.cost = COST_ADD + strength_cost(sems[k], scope);
      edit.late = late;
      add_variant(arena, site, edit);
    }
}

static bool accesses_by(const struct instr *i, enum proxy proxy) {
  bool access = i->kind == INSTR_LOAD || i->kind == INSTR_STORE || i->kind == INSTR_ATOM || i->kind == INSTR_RED;
  return access && i->proxy == proxy;
}

static bool uses_proxy(const struct program *program, enum proxy proxy) {
  if (proxy == PROXY_ALIAS) return program->view_count > program->object_count;
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t i = 0; i < program->threads[t].instr_count; i++)
      if (accesses_by(&program->threads[t].instrs[i], proxy)) return true;
  return false;
}

/* Each move is a site of its own: no place is stronger than another. */
static void move_sites(struct arena *arena, const struct thread *thread, uint32_t t, uint32_t n, struct sites *out) {
  for (uint32_t to = 0; to < thread->instr_count; to++) {
    struct site site = {0};
    if (to == n || to + 1 == n || !is_gap(thread, to)) continue;
    struct edit edit = {.kind = EDIT_MOVE, .thread = t, .instr = n, .target = to, .cost = COST_MOVE};
    add_variant(arena, &site, edit);
    add_site(arena, out, &site);
  }
}

static void fence_site(struct arena *arena, const struct program *program, uint32_t t, uint32_t n, bool late,
                       struct sites *out) {
  struct site site = {0};
  vary_fence(arena, program, t, n, late, &site);
  add_site(arena, out, &site);
}

static void proxy_site(struct arena *arena, const struct program *program, uint32_t t, uint32_t n, enum proxy proxy,
                       bool late, struct sites *out) {
  struct site site = {0};
  struct edit edit = {.kind = EDIT_ADD,
                      .thread = t,
                      .instr = n,
                      .is_proxy = true,
                      .proxy = proxy,
                      .late = late,
                      .cost = COST_ADD_PROXY};
  if (!uses_proxy(program, proxy)) return;
  add_variant(arena, &site, edit);
  add_site(arena, out, &site);
}

/* In the order in which they would stand in the gap. Every kind is there before and behind the alias fence, since the
 * order of fences in a gap matters (8.9.5). */
static void gap_sites(struct arena *arena, const struct program *program, uint32_t t, uint32_t n, struct sites *out) {
  bool proxies = false;
  if (!is_gap(&program->threads[t], n) || doubles(&program->threads[t], n)) return;
  for (enum proxy proxy = PROXY_SURFACE; proxy <= PROXY_ALIAS; proxy++) proxies = proxies || uses_proxy(program, proxy);
  fence_site(arena, program, t, n, false, out);
  for (enum proxy proxy = PROXY_SURFACE; proxy <= PROXY_ALIAS; proxy++)
    proxy_site(arena, program, t, n, proxy, false, out);
  if (!proxies) return;
  for (enum proxy proxy = PROXY_SURFACE; proxy < PROXY_ALIAS; proxy++)
    proxy_site(arena, program, t, n, proxy, true, out);
  fence_site(arena, program, t, n, true, out);
}

void edits_stronger(struct arena *arena, const struct program *program, struct sites *out) {
  *out = (struct sites){0};
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t n = 0; n < program->threads[t].instr_count; n++) {
      const struct instr *i = &program->threads[t].instrs[n];
      struct site strength = {0};
      if (is_access(i) || i->kind == INSTR_FENCE) vary_strength(arena, program, t, n, true, &strength);
      add_site(arena, out, &strength);
      if (is_some_fence(i)) move_sites(arena, &program->threads[t], t, n, out);
      gap_sites(arena, program, t, n, out);
    }
}

void edits_weaker(struct arena *arena, const struct program *program, struct sites *out) {
  *out = (struct sites){0};
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t n = 0; n < program->threads[t].instr_count; n++) {
      const struct instr *i = &program->threads[t].instrs[n];
      struct site site = {0};
      if (is_access(i) || i->kind == INSTR_FENCE) vary_strength(arena, program, t, n, false, &site);
      if (is_some_fence(i)) add_variant(arena, &site, (struct edit){.kind = EDIT_DROP, .thread = t, .instr = n});
      add_site(arena, out, &site);
    }
}

/* ---- The syntax tree ---- */

static struct litmus_words without_strength(struct arena *arena, const struct litmus_words *words) {
  static const char *const strength[] = {".weak", ".relaxed", ".acquire", ".release", ".acq_rel",  ".sc",   ".cta",
                                         ".gpu",  ".gl",      ".sys",     ".cluster", ".volatile", ".mmio", ".ca",
                                         ".cg",   ".cs",      ".lu",      ".cv",      ".wb",       ".wt"};
  struct litmus_words out = {0};
  for (const struct litmus_word *word = words->first; word; word = word->next) {
    bool drop = false;
    for (size_t i = 0; i < ARRAY_LEN(strength); i++) drop = drop || strcmp(word->text, strength[i]) == 0;
    if (drop) continue;
    struct litmus_word *copy = ARENA_NEW(arena, struct litmus_word);
    *copy = *word;
    copy->next = NULL;
    if (out.last) out.last->next = copy;
    else out.first = copy;
    out.last = copy;
  }
  return out;
}

static void put_first(struct arena *arena, struct intern *names, struct litmus_words *words, const char *text) {
  struct litmus_word *word = ARENA_NEW(arena, struct litmus_word);
  *word = (struct litmus_word){.text = intern(names, text), .next = words->first};
  words->first = word;
  if (!words->last) words->last = word;
}

static const char *sem_word(enum sem sem) {
  static const char *const words[] = {".weak", ".relaxed", ".acquire", ".release", ".acq_rel", ".sc"};
  return words[sem];
}

static struct litmus_instr *new_strength(struct arena *arena, struct intern *names, const struct litmus_instr *from,
                                         const struct edit *edit) {
  struct litmus_instr *instr = ARENA_NEW(arena, struct litmus_instr);
  *instr = *from;
  if (!strncmp(from->opcode.text, "membar", 6) || !strncmp(from->opcode.text, "__", 2)) {
    instr->opcode.text = intern(names, "fence");
    instr->call = false;
  }
  instr->qualifiers = without_strength(arena, &from->qualifiers);
  if (edit->scope != SCOPE_NONE) put_first(arena, names, &instr->qualifiers, words_scope(edit->scope));
  put_first(arena, names, &instr->qualifiers, sem_word(edit->sem));
  return instr;
}

static struct litmus_instr *new_fence(struct arena *arena, struct intern *names, const struct edit *edit) {
  struct litmus_instr *instr = ARENA_NEW(arena, struct litmus_instr);
  *instr = (struct litmus_instr){.opcode.text = intern(names, "fence")};
  if (edit->is_proxy) {
    put_first(arena, names, &instr->qualifiers, arena_printf(arena, ".%s", words_proxy(edit->proxy)));
    put_first(arena, names, &instr->qualifiers, ".proxy");
    return instr;
  }
  put_first(arena, names, &instr->qualifiers, words_scope(edit->scope));
  put_first(arena, names, &instr->qualifiers, sem_word(edit->sem));
  return instr;
}

/* Rows and cells of its own; instructions are shared. */
static struct litmus_test *copy_test(struct arena *arena, const struct litmus_test *from) {
  struct litmus_test *test = ARENA_NEW(arena, struct litmus_test);
  *test = *from;
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

struct spot {
  struct litmus_row *row;
  struct litmus_cell *cell;
};

/* The cell of an instruction: one cell may be lowered to several instructions, which share its span. */
static struct spot find_spot(const struct litmus_test *test, const struct program *program, uint32_t t, uint32_t n) {
  struct span span = program->threads[t].instrs[n].span;
  for (struct litmus_row *row = test->rows; row; row = row->next) {
    struct litmus_cell *cell = row->cells;
    for (uint32_t i = 0; cell && i < t; i++) cell = cell->next;
    if (cell && cell->instr && cell->instr->span.source == span.source && cell->instr->span.begin == span.begin)
      return (struct spot){row, cell};
  }
  return (struct spot){NULL, NULL};
}

static void insert_after(struct arena *arena, struct litmus_test *test, struct litmus_row *row, uint32_t t,
                         struct litmus_instr *instr) {
  struct litmus_row *added = ARENA_NEW(arena, struct litmus_row);
  *added = (struct litmus_row){.count = row->count, .span = row->span, .next = row->next};
  struct litmus_cell **link = &added->cells;
  for (uint32_t i = 0; i < row->count; i++) {
    *link = ARENA_NEW(arena, struct litmus_cell);
    **link = (struct litmus_cell){.instr = i == t ? instr : NULL};
    link = &(*link)->next;
  }
  row->next = added;
  test->row_count++;
}

const struct litmus_test *edits_apply(struct arena *arena, struct intern *names, const struct litmus_test *from,
                                      const struct program *program, const struct edit *edits, uint32_t count) {
  struct litmus_test *test = copy_test(arena, from);
  struct spot *at = ARENA_ARRAY(arena, struct spot, count), *to = ARENA_ARRAY(arena, struct spot, count);
  for (uint32_t i = 0; i < count; i++) {
    at[i] = find_spot(test, program, edits[i].thread, edits[i].instr);
    to[i] = edits[i].kind == EDIT_MOVE ? find_spot(test, program, edits[i].thread, edits[i].target) : at[i];
    if (!at[i].cell || !to[i].cell) return NULL;
  }
  for (uint32_t i = count; i-- > 0;) { /* backwards, so that what is added in one gap stands in the order of edits */
    struct litmus_instr *instr = at[i].cell->instr;
    switch (edits[i].kind) {
      case EDIT_STRENGTH: at[i].cell->instr = new_strength(arena, names, instr, &edits[i]); break;
      case EDIT_ADD: insert_after(arena, test, at[i].row, edits[i].thread, new_fence(arena, names, &edits[i])); break;
      case EDIT_MOVE:
        insert_after(arena, test, to[i].row, edits[i].thread, instr);
        at[i].cell->instr = NULL;
        break;
      case EDIT_DROP: at[i].cell->instr = NULL; break;
    }
  }
  return test;
}

/* ---- Text ---- */

static void add_words(struct text *out, const struct litmus_instr *instr) {
  text_add(out, instr->opcode.text);
  for (const struct litmus_word *word = instr->qualifiers.first; word; word = word->next) text_add(out, word->text);
}

const char *edits_text(struct arena *arena, const struct litmus_test *test, const struct program *program,
                       const struct edit *edit) {
  struct text out;
  struct intern names;
  text_init(&out, arena);
  intern_init(&names, arena);
  if (edit->kind == EDIT_ADD) {
    add_words(&out, new_fence(arena, &names, edit));
    return text_str(&out);
  }
  const char *before = words_instr(arena, program, edit->thread, edit->instr);
  struct spot spot = find_spot(test, program, edit->thread, edit->instr);
  if (edit->kind != EDIT_STRENGTH || !spot.cell) return before;
  const struct litmus_instr *instr = spot.cell->instr;
  if (instr->guard) text_printf(&out, "@%s%s ", instr->guard_negated ? "!" : "", instr->guard->text);
  add_words(&out, new_strength(arena, &names, instr, edit));
  const char *operands = strchr(instr->guard ? strchr(before, ' ') + 1 : before, ' ');
  if (operands) text_add(&out, operands);
  return text_str(&out);
}
