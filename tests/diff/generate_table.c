/* Random tests out of the instruction table: any modelled opcode with any of its dots, so that a new row is tried
 * without a change here. A proposal is kept when the test so far can be read with it and is modelled; only the front
 * end knows valid combinations of dots. Control flow, barriers and multimem have generators of their own. */
#include <string.h>

#include "gen.h"
#include "lab.h"
#include "table.h"

enum { PROPOSALS = 60, BYTES = 32 };

_Static_assert(SLOT_X == 0 && SLOT_WIDE == 9, "add_operands names them");

/* The locations of these tests beside those that all have; their slots are free here. */
enum { SLOT_OWN = SLOT_Y, SLOT_PARAMETER = SLOT_Z };

void declare_table(struct gen *g) {
  put_init(g, ".u64 $%d[4]={0}", SLOT_WIDE);
  put_init(g, "$%d @ generic aliases $%d", SLOT_ALIAS, SLOT_WIDE);
  put_init(g, "$%d @ surface aliases $%d", SLOT_SURFACE, SLOT_WIDE);
  put_init(g, "$%d @ texture aliases $%d", SLOT_TEXTURE, SLOT_WIDE);
  put_init(g, "$%d @ constant aliases $%d", SLOT_CONSTANT, SLOT_WIDE);
  if (chance(g, 40)) put_init(g, ".shared .u64 $%d[4]={0}", SLOT_SHARED);
  if (chance(g, 30)) put_init(g, ".const .u64 $%d[4]={1,2}", SLOT_ARRAY);
  if (chance(g, 30)) put_init(g, ".local .u64 $%d[4]={0}", SLOT_OWN);
  if (chance(g, 30)) put_init(g, ".param .u64 $%d[4]={3}", SLOT_PARAMETER);
}

static uint32_t type_bytes_of(enum ptx_type type) {
  uint32_t width = isa_type(type).width;
  return width < 8 ? 1 : width / 8;
}

/* --- dots */

struct proposal {
  const struct isa_row *row;
  const struct table_word *found[QUALIFIER_CLASSES];
  uint32_t elements, bytes;
  bool is_predicate; /* its type is .pred */
};

/* In percent, how often an instruction that may have a word of a class has one. */
static uint32_t frequency(const struct proposal *p, enum qualifier_class kind) {
  bool strong = p->found[QUALIFIER_SEM] && p->found[QUALIFIER_SEM]->value != SEM_WEAK;
  bool fence = p->row->form == FORM_FENCE;
  switch (kind) {
  case QUALIFIER_SEM: return fence ? 85 : 60;
  case QUALIFIER_SCOPE: return strong || fence ? 97 : 3;
  case QUALIFIER_TYPE: return 96;
  case QUALIFIER_OP:
  case QUALIFIER_COMPARE:
  case QUALIFIER_HALF: return 98;
  case QUALIFIER_LEVEL: return 80;
  case QUALIFIER_SPACE: return 30;
  case QUALIFIER_VECTOR:
  case QUALIFIER_COMBINE: return 25;
  case QUALIFIER_PROXY_KIND: return p->found[QUALIFIER_PROXY] ? 95 : 5;
  default: return 12;
  }
}

/* A test has accesses of one size, and sometimes of twice that, so that memory is cut into few pieces. */
static bool fits(const struct gen *g, const struct isa_row *row, const struct table_word *word) {
  bool memory = row->form <= FORM_RED;
  if (word->kind != QUALIFIER_TYPE) return true;
  if (type_is_float(isa_type((enum ptx_type)word->value))) return false; /* generate_floats.c: other constants */
  if (!memory) return true;
  uint32_t bytes = type_bytes_of((enum ptx_type)word->value);
  return bytes == g->unit || (g->mixed && bytes == 2 * g->unit);
}

static const struct table_word *pick_word(struct gen *g, const struct isa_row *row, enum qualifier_class kind) {
  const struct table_word *picked = NULL;
  uint32_t met = 0;
  for (uint32_t i = 0; i < table_word_count(); i++) {
    const struct table_word *word = table_word(i);
    if (word->kind == kind && table_takes(row, word) && fits(g, row, word) && below(g, ++met) == 0) picked = word;
  }
  return picked;
}

static struct proposal propose_dots(struct gen *g, const struct isa_row *row) {
  struct proposal p = {.row = row, .elements = 1, .bytes = 4};
  for (unsigned kind = 0; kind < QUALIFIER_CLASSES; kind++) {
    if (!(row->classes >> kind & 1) || !chance(g, frequency(&p, (enum qualifier_class)kind))) continue;
    p.found[kind] = pick_word(g, row, (enum qualifier_class)kind);
  }
  if (p.found[QUALIFIER_VECTOR]) p.elements = p.found[QUALIFIER_VECTOR]->value;
  if (p.found[QUALIFIER_TYPE]) p.bytes = type_bytes_of((enum ptx_type)p.found[QUALIFIER_TYPE]->value);
  p.is_predicate = p.found[QUALIFIER_TYPE] && p.found[QUALIFIER_TYPE]->value == PTX_PRED;
  return p;
}

/* In a random order: PTX has one, the tool takes any. */
static void add_dots(struct gen *g, const struct proposal *p, struct text *out) {
  uint32_t first = below(g, QUALIFIER_CLASSES);
  for (uint32_t i = 0; i < QUALIFIER_CLASSES; i++) {
    const struct table_word *word = p->found[(first + i) % QUALIFIER_CLASSES];
    if (word) text_add(out, word->spelling);
  }
}

/* The second type comes last. */
static void add_source_type(struct gen *g, const struct isa_row *row, struct text *out) {
  uint32_t types = isa_source_types((enum alu_op)row->detail), type;
  do type = below(g, PTX_TYPES);
  while (!(types >> type & 1));
  text_add(out, isa_type_spelling((enum ptx_type)type));
}

/* --- operands */

static const char *result_of(struct gen *g, bool predicate) {
  return predicate ? arena_printf(g->arena, "p%u", new_temp(g)) : arena_printf(g->arena, "r%u", new_reg(g));
}

static const char *source(struct gen *g, bool predicate) {
  uint32_t known = g->regs[g->thread];
  if (predicate) return arena_printf(g->arena, "p%u", g->predicates[g->thread]);
  if (known && chance(g, 45)) return arena_printf(g->arena, "r%u", below(g, known));
  return PICK(g, "0", "1", "1", "2", "2", "3", "4", "31", "128", "255", "-1", "65535", "0x80000000");
}

static const char *braced(struct gen *g, uint32_t count, bool results) {
  struct text out = {.arena = g->arena};
  text_char(&out, '{');
  for (uint32_t i = 0; i < count; i++)
    text_printf(&out, "%s%s", i ? ", " : "", results ? result_of(g, false) : source(g, false));
  text_char(&out, '}');
  return text_str(&out);
}

static const char *data(struct gen *g, const struct proposal *p, bool results) {
  if (p->found[QUALIFIER_VECTOR]) return braced(g, p->elements, results);
  return results ? result_of(g, p->is_predicate) : source(g, p->is_predicate);
}

static uint32_t slot_for(struct gen *g, const struct proposal *p) {
  const struct table_word *space = p->found[QUALIFIER_SPACE];
  if (p->row->form == FORM_LOAD || p->row->form == FORM_STORE) {
    if (p->row->detail == PROXY_SURFACE) return SLOT_SURFACE;
    if (p->row->detail == PROXY_TEXTURE) return SLOT_TEXTURE;
    if (p->row->detail == PROXY_CONSTANT) return chance(g, 80) ? SLOT_CONSTANT : SLOT_ARRAY;
  }
  switch (space ? space->value & SPACE_MASK : chance(g, 85) ? SPACE_GLOBAL : below(g, SPACE_CONST + 1)) {
  case SPACE_SHARED: return SLOT_SHARED;
  case SPACE_LOCAL: return SLOT_OWN;
  case SPACE_PARAM: return SLOT_PARAMETER;
  case SPACE_CONST: return SLOT_ARRAY;
  default: return chance(g, 85) ? SLOT_WIDE : SLOT_ALIAS;
  }
}

/* Mostly one of the first two places, so that threads meet. */
static const char *place(struct gen *g, const struct proposal *p) {
  uint32_t step = p->bytes * p->elements, offset = 2 * step <= BYTES ? step * below(g, 2) : 0;
  if (chance(g, 5)) offset = p->bytes * below(g, BYTES / p->bytes);
  uint32_t slot = slot_for(g, p);
  return offset ? arena_printf(g->arena, "[$%u+%u]", slot, offset) : arena_printf(g->arena, "[$%u]", slot);
}

/* As the shape of the row's operation says: its variants (.lo, .wide) have as many operands. */
static void add_arithmetic(struct gen *g, const struct proposal *p, struct text *out) {
  const char *operands = alu_row((enum alu_op)p->row->detail)->operands;
  size_t count = strlen(operands);
  text_printf(out, " %s", result_of(g, p->is_predicate));
  for (size_t i = 0; i < count; i++)
    text_printf(out, ", %s", operands[i] == 'n' ? PICK(g, "0x96", "0xe8", "0xf8", "1")
                                                : source(g, operands[i] == 'p' || p->is_predicate));
  if (p->found[QUALIFIER_COMBINE]) text_printf(out, ", %s", source(g, true));
}

static void add_operands(struct gen *g, const struct proposal *p, struct text *out) {
  const struct table_word *op = p->found[QUALIFIER_OP];
  bool two = op && isa_op((enum ptx_op)op->value)->sources == 2;
  bool predicate = p->is_predicate;
  switch (p->row->form) {
  case FORM_LOAD: text_printf(out, " %s, %s", data(g, p, true), place(g, p)); return;
  case FORM_STORE: text_printf(out, " %s, %s", place(g, p), data(g, p, false)); return;
  case FORM_ATOM:
    text_printf(out, " %s, %s, %s", data(g, p, true), place(g, p), data(g, p, false));
    if (two) text_printf(out, ", %s", source(g, false));
    return;
  case FORM_RED: text_printf(out, " %s, %s", place(g, p), data(g, p, false)); return;
  case FORM_FIXED_FENCE: text_add(out, "()"); return;
  case FORM_MOV:
  case FORM_CVTA:
    text_printf(out, " %s, %s", result_of(g, predicate),
                chance(g, 15) ? PICK(g, "$0", "$9", "$9+4") : source(g, predicate)); /* x, w: no thread's own */
    return;
  case FORM_SETP:
    text_printf(out, " p%u, %s, %s", new_temp(g), source(g, false), source(g, false));
    if (p->found[QUALIFIER_COMBINE]) text_printf(out, ", %s%s", PICK(g, "", "!"), source(g, true));
    return;
  case FORM_FENCE:
  case FORM_MEMBAR: return;
  default: add_arithmetic(g, p, out);
  }
}

/* --- one instruction */

static bool is_ours(const struct isa_row *row) {
  switch (row->form) {
  case FORM_JUMP:
  case FORM_COMPARE_JUMP:
  case FORM_EXIT:
  case FORM_BARRIER:
  case FORM_SYNCTHREADS:
  case FORM_SYNCTHREADS_REDUCE:
  case FORM_SYNCWARP:
  case FORM_EXCHANGE:
  case FORM_MULTIMEM: return false;
  default: return true;
  }
}

/* Memory events of an instruction, and writes among them. */
static bool pays(const struct gen *g, const struct proposal *p, uint32_t *events, uint32_t *writes) {
  bool access = p->row->form <= FORM_RED, atomic = p->row->form == FORM_ATOM || p->row->form == FORM_RED;
  *events = access ? (p->elements > 4 ? 4 : p->elements) * (atomic ? 2 : 1) : 0;
  *writes = access && p->row->form != FORM_LOAD ? p->elements : 0;
  bool sc = p->found[QUALIFIER_SEM] && p->found[QUALIFIER_SEM]->value == SEM_SC;
  if ((sc || p->row->form == FORM_MEMBAR || p->row->form == FORM_FIXED_FENCE) && !g->sc_fences) return false;
  bool wide = p->elements == 8 && g->writes > 3; /* the only one then */
  return *events <= g->budget && (*writes <= g->writes || wide);
}

static bool is_modelled(const struct program *program) {
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t i = 0; i < program->threads[t].instr_count; i++)
      if (program->threads[t].instrs[i].kind == INSTR_UNSUPPORTED) return false;
  return true;
}

bool can_be_read(struct gen *g, const char *condition) {
  struct arena arena;
  struct text why = {.arena = &arena};
  struct sketch sketch = *g->sketch;
  struct sketch_view view = sketch_plain_view();
  arena_init(&arena, NULL);
  sketch.condition = condition;
  const char *text = sketch_print(&arena, &sketch, &view);
  const struct program *program = lab_read(&arena, "proposed.litmus", text, strlen(text), true, &why);
  bool read = program && is_modelled(program);
  arena_release(&arena);
  return read;
}

static bool add_row(struct gen *g, const struct isa_row *row);

static void need_predicate(struct gen *g, const struct isa_row *row) {
  bool needs = row->form == FORM_SELP || row->classes >> QUALIFIER_COMBINE & 1 || row->types >> PTX_PRED & 1;
  if (needs && !g->predicates[g->thread] && chance(g, 50)) add_row(g, isa_find("setp"));
}

/* Adds an instruction of this row if one of a few proposals is right. */
static bool add_row(struct gen *g, const struct isa_row *row) {
  struct sketch_thread *thread = &g->sketch->threads[g->thread];
  need_predicate(g, row);
  for (uint32_t i = 0; i < PROPOSALS && has_room(g); i++) {
    uint32_t regs = g->regs[g->thread], temp = g->next_temp, events, writes;
    struct proposal p = propose_dots(g, row);
    struct text text;
    if (!pays(g, &p, &events, &writes)) continue;
    text_init(&text, g->arena);
    text_add(&text, row->opcode);
    add_dots(g, &p, &text);
    if (row->form == FORM_TWO_TYPES) add_source_type(g, row, &text);
    add_operands(g, &p, &text);
    if (p.found[QUALIFIER_CACHE_HINT]) text_add(&text, ", r29");
    put(g, "%s", text_str(&text));
    if (can_be_read(g, "exists (0=0)")) {
      bool orders = row->form == FORM_FENCE || row->form == FORM_MEMBAR || row->form == FORM_FIXED_FENCE;
      if (orders && g->sc_fences) g->sc_fences--;
      g->budget -= events;
      g->writes -= writes < g->writes ? writes : g->writes;
      if (g->next_temp > temp) g->predicates[g->thread] = temp;
      return true;
    }
    thread->count--;
    g->regs[g->thread] = regs;
    g->next_temp = temp;
  }
  return false;
}

static const struct isa_row *pick_row(struct gen *g, bool access) {
  for (;;) {
    const struct isa_row *row = table_row(below(g, table_opcode_count()));
    if (is_ours(row) && (row->form <= FORM_RED) == access) return row;
  }
}

void fill_table(struct gen *g) {
  struct sketch *s = g->sketch;
  g->unit = 1u << WEIGHTED(g, 2, 2, 6, 4, 2);
  g->mixed = chance(g, 25);
  for (uint32_t t = 0; t < s->thread_count; t++) put_init(g, "#%u:r29=0", t); /* a cache policy */
  for (uint32_t step = 0; g->budget && step < 14; step++) {
    g->thread = step < s->thread_count ? step : below(g, s->thread_count);
    if (!has_room(g)) break;
    for (uint32_t more = WEIGHTED(g, 4, 3, 3); more && has_room(g); more--) add_row(g, pick_row(g, false));
    if (has_room(g)) add_row(g, pick_row(g, true));
  }
}
