/* Reads tables: one line per operation, with bars between its alternatives. */

#include "map/rules.h"

struct reader {
  struct arena *arena;
  struct diags *diags;
  const struct source *source;
  struct map_table *table;
  uint32_t at, end; /* the rest of the line */
};

static const char *const kinds[MAP_KINDS] = {[DRAFT_READ] = "load",
                                             [DRAFT_WRITE] = "store",
                                             [DRAFT_UPDATE] = "update",
                                             [DRAFT_FENCE] = "fence",
                                             [DRAFT_BARRIER] = "barrier"};
static const char *const orders[MAP_SEMS] = {
    [SEM_WEAK] = "plain",      [SEM_RELAXED] = "relaxed", [SEM_ACQUIRE] = "acquire",
    [SEM_RELEASE] = "release", [SEM_ACQ_REL] = "acq_rel", [SEM_SC] = "seq_cst"};
static const char *const opcodes[MAP_KINDS] = {
    [DRAFT_READ] = "ld", [DRAFT_WRITE] = "st", [DRAFT_UPDATE] = "atom", [DRAFT_FENCE] = "fence"};

#define SET(a) (1u << SEM_##a)
static const uint32_t cuda_orders[MAP_KINDS] = {[DRAFT_READ] = SET(WEAK) | SET(RELAXED) | SET(ACQUIRE) | SET(SC),
                                                [DRAFT_WRITE] = SET(WEAK) | SET(RELAXED) | SET(RELEASE) | SET(SC),
                                                [DRAFT_UPDATE] =
                                                    SET(RELAXED) | SET(ACQUIRE) | SET(RELEASE) | SET(ACQ_REL) | SET(SC),
                                                [DRAFT_FENCE] = SET(ACQUIRE) | SET(RELEASE) | SET(ACQ_REL) | SET(SC),
                                                [DRAFT_BARRIER] = SET(WEAK)};
static const uint32_t ptx_sems[MAP_KINDS] = {[DRAFT_READ] = SET(WEAK) | SET(RELAXED) | SET(ACQUIRE),
                                             [DRAFT_WRITE] = SET(WEAK) | SET(RELAXED) | SET(RELEASE),
                                             [DRAFT_UPDATE] = SET(RELAXED) | SET(ACQUIRE) | SET(RELEASE) | SET(ACQ_REL),
                                             [DRAFT_FENCE] = SET(ACQUIRE) | SET(RELEASE) | SET(ACQ_REL) | SET(SC)};
#undef SET
/* Instruction words other than opcode.semantics.S. Volatile is relaxed at system scope (PTX ISA 8.2), an atom without
 * qualifiers relaxed at gpu scope (9.7.15.5), membar the fence.sc of its scope (9.7.15.4). */
static const struct whole_word {
  const char *word;
  struct map_instr instr;
} whole_words[] = {{"bar.sync", {DRAFT_BARRIER, SEM_WEAK, SCOPE_NONE, false}},
                   {"barrier.cluster.arrive", {DRAFT_CLUSTER_BARRIER, SEM_RELEASE, SCOPE_NONE, false}},
                   {"barrier.cluster.arrive.relaxed", {DRAFT_CLUSTER_BARRIER, SEM_RELAXED, SCOPE_NONE, false}},
                   {"barrier.cluster.wait", {DRAFT_CLUSTER_BARRIER, SEM_ACQUIRE, SCOPE_NONE, false}},
                   {"ld.volatile", {DRAFT_READ, SEM_RELAXED, SCOPE_SYS, false}},
                   {"st.volatile", {DRAFT_WRITE, SEM_RELAXED, SCOPE_SYS, false}},
                   {"atom", {DRAFT_UPDATE, SEM_RELAXED, SCOPE_GPU, false}},
                   {"membar.S", {DRAFT_FENCE, SEM_SC, SCOPE_NONE, false}}};

const char *map_operation(struct arena *arena, enum draft_kind kind, enum sem sem) {
  return kind == DRAFT_BARRIER ? kinds[kind] : arena_printf(arena, "%s %s", kinds[kind], orders[sem]);
}

/* ---- Comparing rows ---- */

bool map_is_within(const struct map_alternative *weaker, const struct map_alternative *other) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < other->count && at < weaker->count; i++) {
    const struct map_instr *a = &weaker->instrs[at], *b = &other->instrs[i];
    bool narrower = a->scope == b->scope || b->scope == SCOPE_SYS;
    at += a->kind == b->kind && narrower && generate_sem_at_most(a->sem, b->sem);
  }
  return at == weaker->count;
}

/* True if for each alternative of `row` the weaker row has a weaker one. */
static bool is_below(const struct map_row *weaker, const struct map_row *row) {
  for (uint32_t i = 0; i < row->alternatives.len; i++) {
    bool found = SOME_BELOW(k, weaker->alternatives.len,
                            map_is_within(&weaker->alternatives.data[k], &row->alternatives.data[i]));
    if (!found) return false;
  }
  return weaker->alternatives.len > 0;
}

void map_compare_rows(struct map_table *table) {
  MAP_EACH_ROW (kind, sem) {
    table->below[kind][sem] = 0;
    for (uint32_t other = 0; other <= sem; other++)
      if (generate_sem_at_most((enum sem)other, (enum sem)sem) &&
          is_below(&table->rows[kind][other], &table->rows[kind][sem]))
        table->below[kind][sem] |= (uint8_t)(1u << other);
  }
}

/* ---- Words of a line ---- */

static struct span span_of(const struct reader *r, uint32_t begin, uint32_t end) {
  return (struct span){r->source, begin, end};
}

static const char *text_at(const struct reader *r) { return r->source->text + r->at; }

static void skip_blanks(struct reader *r) {
  while (r->at < r->end && strchr(" \t\r", *text_at(r))) r->at++;
}

/* Reads a word up to a blank or a mark; `*span`: its place. */
static const char *take_word(struct reader *r, struct span *span) {
  skip_blanks(r);
  uint32_t begin = r->at;
  while (r->at < r->end && !strchr(" \t\r:;|", *text_at(r))) r->at++;
  *span = span_of(r, begin, r->at > begin ? r->at : begin + (begin < r->end));
  return arena_strndup(r->arena, r->source->text + begin, r->at - begin);
}

static bool take_mark(struct reader *r, char mark) {
  skip_blanks(r);
  if (r->at == r->end || *text_at(r) != mark) return false;
  r->at++;
  return true;
}

static bool wrong(const struct reader *r, struct span span, const char *hint, const char *message) {
  struct diagnostic *d = diag_report(r->diags, DIAG_MAP_TABLE, span, "%s", message);
  if (hint) diag_hint(r->diags, d, "%s", hint);
  return false;
}

static uint32_t index_of(const char *const *words, uint32_t count, const char *word) {
  return FIND_BELOW(i, count, words[i] && strcmp(words[i], word) == 0);
}

/* ---- Instructions ---- */

static const char instruction_hint[] =
    "such as ld.acquire.S, st.release.S, atom.acq_rel.S, fence.sc.S, ld.weak; S is the scope of the operation";

static bool add_instruction(struct reader *r, struct map_alternative *out, struct span span, const char *word,
                            struct map_instr instr) {
  if (out->count == MAP_SEQUENCE) return wrong(r, span, NULL, "an alternative has at most six instructions");
  out->instrs[out->count++] = instr;
  out->text = out->text ? arena_printf(r->arena, "%s; %s", out->text, word) : word;
  return true;
}

bool map_take_opcode(const char **at, enum draft_kind *kind, enum sem *sem) {
  uint32_t k = 0;
  uint8_t s;
  while (k < MAP_KINDS && !(opcodes[k] && word_starts(at, opcodes[k]))) k++;
  if (k == MAP_KINDS || !word_starts(at, ".") || !word_sem(at, &s) || (**at && **at != '.')) return false;
  *kind = (enum draft_kind)k;
  *sem = (enum sem)s;
  return ptx_sems[k] >> s & 1;
}

static bool take_instruction(struct reader *r, struct map_alternative *out) {
  struct span span;
  const char *word = take_word(r, &span), *at = word;
  enum draft_kind kind;
  enum sem sem;
  if (!*word) return wrong(r, span, instruction_hint, "an instruction is missing here");
  for (uint32_t i = 0; i < ARRAY_LEN(whole_words); i++)
    if (strcmp(word, whole_words[i].word) == 0) return add_instruction(r, out, span, word, whole_words[i].instr);
  if (!map_take_opcode(&at, &kind, &sem)) return wrong(r, span, instruction_hint, "not an instruction of a mapping");
  bool loops = kind == DRAFT_UPDATE && strcmp(at, ".S.cas") == 0;
  if (sem == SEM_WEAK ? *at != '\0' : !loops && strcmp(at, ".S") != 0)
    return wrong(r, span, instruction_hint,
                 sem == SEM_WEAK ? "a weak access has no scope" : "write S as the scope of an instruction");
  const struct map_instr instr = {kind, sem, SCOPE_NONE, loops};
  return add_instruction(r, out, span, word, instr);
}

/* True for the load with which a loop of atom.cas begins. */
static bool begins_loop(const struct map_alternative *a, uint32_t i) {
  return a->instrs[i].kind == DRAFT_READ && i + 1 < a->count && a->instrs[i + 1].loops;
}

/* True if the alternative fits the operation: one access of its kind or a loop; for fences and barriers, none. */
static bool does_what(const struct map_alternative *a, enum draft_kind kind) {
  uint32_t accesses = 0;
  for (uint32_t i = 0; i < a->count; i++) {
    if (a->instrs[i].kind == DRAFT_FENCE) continue;
    if (a->instrs[i].kind >= DRAFT_BARRIER && kind == DRAFT_BARRIER) continue;
    if (begins_loop(a, i) && kind == DRAFT_UPDATE) continue;
    accesses++;
    if (a->instrs[i].kind != kind || (a->instrs[i].loops && (!i || !begins_loop(a, i - 1)))) return false;
  }
  return accesses == (kind < DRAFT_FENCE ? 1 : 0);
}

static bool take_alternative(struct reader *r, struct map_row *row, enum draft_kind kind) {
  struct map_alternative a = {0};
  uint32_t begin = r->at;
  do {
    if (!take_instruction(r, &a)) return false;
  } while (take_mark(r, ';'));
  skip_blanks(r);
  while (begin < r->at && strchr(" \t", r->source->text[begin])) begin++;
  a.span = span_of(r, begin, r->at);
  if (!does_what(&a, kind)) {
    const char *message =
        kind == DRAFT_FENCE     ? "a fence is compiled to fences alone"
        : kind == DRAFT_BARRIER ? "a barrier is compiled to barriers and fences"
        : kind == DRAFT_UPDATE
            ? "an update is compiled to one 'atom', or 'ld' and a loop of 'atom.cas', and fences"
            : arena_printf(r->arena, "a %s is compiled to one '%s' and fences", kinds[kind], opcodes[kind]);
    return wrong(r, a.span, NULL, message);
  }
  VEC_PUSH(r->arena, &row->alternatives, a);
  return true;
}

/* ---- Lines ---- */

static const char *orders_of(const struct reader *r, uint32_t kind) {
  struct text out = {.arena = r->arena};
  for (uint32_t sem = 0; sem < SEM_SC; sem++)
    if (cuda_orders[kind] >> sem & 1) text_printf(&out, "%s %s", out.len ? "," : "it can be", orders[sem]);
  text_printf(&out, " or %s", orders[SEM_SC]);
  return text_str(&out);
}

static bool take_row(struct reader *r) {
  struct span first, second;
  uint32_t kind = index_of(kinds, MAP_KINDS, take_word(r, &first));
  if (kind == MAP_KINDS)
    return wrong(r, first, "a row begins with load, store, update or fence and its memory order, or with barrier: "
                 "'load acquire:'",
                 "unknown operation");
  uint32_t sem = SEM_WEAK;
  second = first;
  if (kind != DRAFT_BARRIER) sem = index_of(orders, MAP_SEMS, take_word(r, &second));
  if (sem == MAP_SEMS || !(cuda_orders[kind] >> sem & 1))
    return wrong(r, second, orders_of(r, kind), arena_printf(r->arena, "unknown order of a %s", kinds[kind]));
  struct map_row *row = &r->table->rows[kind][sem];
  if (row->alternatives.len)
    return wrong(r, span_join(first, second), "write alternatives in one line, between bars", "this row is here twice");
  row->span = span_join(first, second);
  if (!take_mark(r, ':')) return wrong(r, second, "load acquire: ld.acquire.S", "a colon must follow the operation");
  do {
    if (!take_alternative(r, row, (enum draft_kind)kind)) return false;
  } while (take_mark(r, '|'));
  skip_blanks(r);
  if (r->at == r->end) return true;
  return wrong(r, span_of(r, r->at, r->end), "instructions are separated by ';', alternatives by '|'",
               "this is not expected here");
}

static bool take_line(struct reader *r) {
  static const char origin[] = "Source=", width[] = "Width=8";
  skip_blanks(r);
  if (r->at == r->end || base_begins(text_at(r), "//")) return true;
  uint32_t length = r->end - r->at;
  const char *line = arena_strndup(r->arena, text_at(r), length);
  if (*line == '"') {
    const char *close = strchr(line + 1, '"');
    if (!close) return wrong(r, span_of(r, r->at, r->end), NULL, "this title is never closed");
    r->table->title = arena_strndup(r->arena, line + 1, (size_t)(close - line - 1));
    return true;
  }
  if (strstr(line, "->")) {
    struct map_rule *rule = ARENA_NEW(r->arena, struct map_rule);
    VEC_PUSH(r->arena, &r->table->rules, rule);
    return map_read_rule(r->arena, r->diags, span_of(r, r->at, r->end), rule);
  }
  if (strcmp(line, width) == 0) {
    r->table->bytes = true;
    return true;
  }
  if (!base_begins(line, origin)) return take_row(r);
  const char *old = r->table->origin, *more = line + strlen(origin);
  r->table->origin = old ? arena_printf(r->arena, "%s; %s", old, more) : more;
  return true;
}

static bool has_rows(const struct map_table *table) {
  bool reads = false, writes = false;
  for (uint32_t sem = SEM_RELAXED; sem < MAP_SEMS; sem++) {
    reads = reads || table->rows[DRAFT_READ][sem].alternatives.len || table->rows[DRAFT_UPDATE][sem].alternatives.len;
    writes =
        writes || table->rows[DRAFT_WRITE][sem].alternatives.len || table->rows[DRAFT_UPDATE][sem].alternatives.len;
  }
  return reads && writes;
}

/* Marks each alternative as working on bytes or not. No atom has 8 bits, so an update of a byte must be a loop. */
static bool mark_bytes(struct reader *r) {
  bool right = true;
  MAP_EACH_ROW (kind, sem) {
    struct map_row *row = &r->table->rows[kind][sem];
    VEC_EACH (a, &row->alternatives) {
      bool loops = SOME_BELOW(k, a->count, a->instrs[k].loops);
      a->bytes = r->table->bytes;
      if (a->bytes && kind == DRAFT_UPDATE && !loops)
        right = wrong(r, a->span, "such as ld.weak; atom.relaxed.S.cas, where the atom is on the whole word",
                      "no atom has 8 bits: with Width=8 an update is a loop");
    }
  }
  return right;
}

struct map_table *map_read(struct arena *arena, struct diags *diags, const struct source *source, const char *name) {
  struct reader r = {.arena = arena, .diags = diags, .source = source, .table = ARENA_NEW(arena, struct map_table)};
  bool right = true;
  r.table->name = name;
  for (uint32_t next = 0; next < source->length && diags->errors < DIAG_LIMIT; next = r.end + 1) {
    const char *newline = memchr(source->text + next, '\n', source->length - next);
    r.at = next;
    r.end = newline ? (uint32_t)(newline - source->text) : (uint32_t)source->length;
    right = take_line(&r) && right;
    r.end = newline ? (uint32_t)(newline - source->text) : (uint32_t)source->length;
  }
  if (right && r.table->rules.len && has_rows(r.table))
    right = wrong(&r, span_of(&r, 0, 0), NULL, "a table has rows or rules, not both");
  if (right && !r.table->rules.len && !has_rows(r.table))
    right = wrong(&r, span_of(&r, 0, 0), "load relaxed: ld.relaxed.S", "the table needs rows for loads and stores");
  right = mark_bytes(&r) && right;
  map_compare_rows(r.table);
  return right ? r.table : NULL;
}

bool map_read_operations(struct arena *arena, struct diags *diags, const char *list, uint32_t operations[MAP_KINDS]) {
  static const char atomic[] = "atomic";
  for (uint32_t kind = 0; kind < MAP_KINDS; kind++) operations[kind] = list ? 0 : ~0u;
  for (const char *at = list ? list : ""; *at;) {
    size_t length = strcspn(at, ","), first = strcspn(at, ", ");
    if (length == strlen(atomic) && strncmp(at, atomic, length) == 0) {
      for (uint32_t kind = 0; kind < MAP_KINDS; kind++) operations[kind] |= ~(1u << SEM_WEAK);
      at += length + (at[length] == ',');
      continue;
    }
    const char *order = at + first + strspn(at + first, " ");
    uint32_t kind = index_of(kinds, MAP_KINDS, arena_strndup(arena, at, first)), sem = MAP_SEMS;
    bool all = order >= at + length;
    if (!all) sem = index_of(orders, MAP_SEMS, arena_strndup(arena, order, (size_t)(at + length - order)));
    if (kind == MAP_KINDS || (!all && (sem == MAP_SEMS || !(cuda_orders[kind] >> sem & 1))))
      return diag_refuse(
          diags, DIAG_MAP_TABLE, (struct span){0},
          "'%.*s' is not an operation" HINT
          "atomic, barrier, or load, store, update or fence, with an order or without: 'update seq_cst,load'",
          (int)length, at);
    operations[kind] |= all ? ~0u : 1u << sem;
    at += length + (at[length] == ',');
  }
  return true;
}

bool map_read_shape(struct diags *diags, const char *list, uint8_t shape[DRAFT_THREADS]) {
  uint32_t count = 0, sum = 0;
  bool right = true;
  memset(shape, 0, DRAFT_THREADS);
  for (const char *at = list ? list : ""; *at && right; at += at[1] ? 2 : 1) {
    uint32_t number = (uint32_t)(*at - '0');
    right = number >= 1 && number <= DRAFT_LENGTH && count < DRAFT_THREADS && (!at[1] || (at[1] == ',' && at[2])) &&
            (!count || number <= shape[count - 1]);
    sum += number;
    if (right) shape[count++] = (uint8_t)number;
  }
  if (right && sum <= DRAFT_LENGTH) return true;
  return diag_refuse(diags, DIAG_MAP_TABLE, (struct span){0},
                     "'%s' is not a shape of a test" HINT
                     "up to 4 numbers that add up to 8 at most, none above the one before it: 3,2,1",
                     list);
}
