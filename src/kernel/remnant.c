/* Writes a remaining instruction of a thread: known registers become values, addresses become locations. If an operand
 * cannot be a value, a move before the instruction sets its register. */

#include "kernel/run.h"
#include "ptx/isa.h"

/* The instruction being copied. */
struct copying {
  struct runner *runner;
  uint32_t block, begin, end; /* the instructions of the body */
  const struct instr *in; /* the last of its instructions in the body */
  struct span span;
  const struct reason *refused;
};

static struct arena *arena_of(const struct runner *r) { return r->run->memory->work; }
static const struct thread *thread_of(const struct runner *r) { return r->run->body.thread; }

struct region *run_find(const struct runner *r, uint64_t address, uint32_t *at) {
  struct region *region = memory_find(r->run->memory, address, r->cta, r->number);
  uint64_t base = region ? region->base : 0;
  bool own = address >= SHARED_BASE && address < SHARED_BASE + SHARED_WINDOW;
  if (region) *at = (uint32_t)(own ? address - SHARED_BASE : address - base);
  return region;
}

static struct litmus_parse *parse_of(const struct runner *r) { return &r->run->x->parse; }

/* A misaligned access is undefined, and cannot be written as an offset. */
static bool is_aligned(const struct touch *touch) {
  uint32_t size = touch->bytes;
  return size == 0 || size > 16 || size & (size - 1) || touch->at % size == 0;
}

/* Makes the operand the address of a byte of a location, whose name is set later. False: no location has the byte, or
 * the instruction does not access it. */
static bool name_address(struct runner *r, uint64_t address, struct litmus_operand *operand) {
  uint32_t at = 0;
  struct region *region = run_find(r, address, &at);
  bool accessed = operand->kind == LITMUS_NAME;
  const uint32_t end = r->until ? r->until : r->touches.len;
  for (uint32_t i = r->latest; i < end; i++) {
    const struct touch *touch = &r->touches.data[i];
    accessed = accessed || (touch->region == region && touch->at == at && is_aligned(touch));
  }
  if (!region || region->space == SPACE_LOCAL || region->space == SPACE_PARAM || !accessed) return false;
  struct span span = operand->span;
  struct litmus_ref *ref = operand->kind == LITMUS_TENSOR ? &operand->u.tensor.ref : &operand->u.ref;
  *ref = (struct litmus_ref){.name = "", .span = span, .owner_span = span};
  VEC_PUSH(arena_of(r), &r->names, ((struct naming){operand, region, at, address}));
  return true;
}

static void put(struct runner *r, uint32_t block, struct litmus_instr *instr) {
  struct remnant remnant = {.instr = instr, .touch = r->touches.len};
  VEC_PUSH(arena_of(r), &r->blocks.data[block].code, remnant);
}

/* The width at which an instruction reads a register; 0: it does not, or as wide as the register is. */
static unsigned read_width(const struct instr *in, uint32_t reg) {
  bool stores = in->kind == INSTR_STORE || in->kind == INSTR_ATOM || in->kind == INSTR_RED;
  const char *letters = in->kind == INSTR_ALU && !in->packed ? alu_row(in->alu)->operands : "";
  size_t count = strlen(letters);
  if (in->addr.base.kind == OPERAND_REG && in->addr.base.reg == reg) return 64;
  for (size_t i = 0; i < MAX_VECTOR; i++) {
    if (in->src[i].kind != OPERAND_REG || in->src[i].reg != reg) continue;
    if (i < count) return alu_letter_width(in, letters[i]);
    if (stores && !in->packed) return in->type.width;
  }
  return 0;
}

/* A constant in a register, at the width of the register, or at `width` if an instruction reads more: the sign of a
 * value of a narrow type goes on, as in ld.s8. */
static value_t constant_of(const struct runner *r, uint32_t reg, const struct reg_state *state, unsigned width) {
  unsigned own = thread_of(r)->regs[reg].type.width;
  term_id whole = term_resize(r->walk->terms, state->value, width > own ? width : own, state->is_signed);
  return term_get(r->walk->terms, whole)->constant;
}

static unsigned widest_read(const struct runner *r, uint32_t reg, uint32_t begin, uint32_t end) {
  unsigned widest = 0;
  for (uint32_t i = begin; i < end; i++) {
    unsigned width = read_width(&thread_of(r)->instrs[i], reg);
    if (width > widest) widest = width;
  }
  return widest;
}

static bool is_constant(const struct runner *r, uint32_t reg) {
  return reg != NO_REG && term_is_const(r->walk->terms, r->path.regs[reg].value);
}

/* mov.b32 %r1, 5, or for a predicate setp.eq.b32 %p1, 0, 0. `named`: an address gives the name, mov.b64 %rd1, x. */
static void put_move(struct runner *r, uint32_t block, uint32_t reg, struct reg_state state, struct span span,
                     bool named) {
  static const char *const moves[] = {"mov.b16", "mov.b32", "mov.b64", "mov.b128"};
  const struct reg *of = &thread_of(r)->regs[reg];
  unsigned width = of->type.width;
  if (constant_of(r, reg, &state, 64) != constant_of(r, reg, &state, width)) { /* negative, in a narrow register */
    unsigned read = widest_read(r, reg, 0, thread_of(r)->instr_count);
    if (read > width) width = read;
  }
  value_t value = constant_of(r, reg, &state, width);
  bool predicate = width == 1;
  unsigned size = width <= 16 ? 0 : width <= 32 ? 1 : width <= 64 ? 2 : 3;
  struct litmus_operand *to = litmus_register_of(parse_of(r), of->name, span);
  struct litmus_operand *place = litmus_operand_new(parse_of(r), LITMUS_NAME, span);
  to->next = litmus_number_of(parse_of(r), predicate ? 0 : value, span);
  if (predicate) to->next->next = litmus_number_of(parse_of(r), 0, span);
  else if (named && size && name_address(r, (uint64_t)value, place)) to->next = place;
  const char *text = !predicate ? moves[size] : value & 1 ? "setp.eq.b32" : "setp.ne.b32";
  put(r, block, litmus_instr_of(parse_of(r), text, to, span));
}

void remnant_move(struct runner *r, uint32_t block, uint32_t reg, struct reg_state state, struct span span) {
  put_move(r, block, reg, state, span, true);
}

struct litmus_operand *remnant_sink(struct litmus_parse *parse, struct span span) {
  struct litmus_operand *out = litmus_register_of(parse, "_", span);
  out->u.ref.percent = false;
  return out;
}

/* mov.b32 %r1, %r1: only a use. */
struct litmus_instr *remnant_use(struct runner *r, uint32_t reg, struct span span) {
  const char *name = thread_of(r)->regs[reg].name;
  struct litmus_operand *to = litmus_register_of(parse_of(r), name, span);
  to->next = litmus_register_of(parse_of(r), name, span);
  return litmus_instr_of(parse_of(r), "mov.b32", to, span);
}

static bool is_signed_op(const struct litmus_instr *ast) {
  const struct litmus_word *last = ast->qualifiers.last;
  return last && last->text[0] == '.' && last->text[1] == 's' && last->text[2] >= '0' && last->text[2] <= '9';
}

/* Instructions whose operands may be numbers of the operation's type. */
static bool takes_numbers(const struct instr *in) {
  bool floats = type_is_float(in->type) || type_is_float(in->from) || in->packed;
  switch (in->kind) {
#define PTX_INSTR(id, walk, events, numbers)                                                                           \
  case INSTR_##id: return numbers;
#include "ptx/instr.def"
  }
  BUG("no such kind of instruction: %d", (int)in->kind);
}

static uint32_t named(const struct copying *c, const struct litmus_ref *ref) {
  return ref->percent ? body_register(&c->runner->run->body, ref->name) : (uint32_t)NO_REG;
}

static void put_known(const struct copying *c, uint32_t reg) {
  remnant_move(c->runner, c->block, reg, c->runner->path.regs[reg], c->span);
}

/* Replaces a known register in an operand by its value. */
static void replace_name(struct copying *c, struct litmus_operand *operand) {
  uint32_t reg = named(c, &operand->u.ref), at;
  if (!is_constant(c->runner, reg)) return;
  const struct type type = thread_of(c->runner)->regs[reg].type;
  unsigned width = widest_read(c->runner, reg, c->begin, c->end);
  value_t value = constant_of(c->runner, reg, &c->runner->path.regs[reg], width);
  if (width < type.width) width = type.width;
  bool stores = c->in->kind == INSTR_STORE && !c->in->packed && c->begin + 1 == c->end;
  if (stores) width = c->in->type.width, value &= value_mask(width);
  bool address = type.width >= 32 && run_find(c->runner, (uint64_t)value, &at);
  if (address || type.width == 1 || operand->kind == LITMUS_NEGATED || !takes_numbers(c->in)) {
    put_known(c, reg);
    return;
  }
  bool negative = is_signed_op(c->in->ast) && (value >> (width - 1) & 1);
  operand->kind = LITMUS_NUMBER;
  operand->u.number = (struct litmus_number){
      .value = negative ? (0 - value) & value_mask(width) : value, .negative = negative, .span = operand->span};
}

/* The register of an access at an address that is no location's byte. In columns locations have other addresses, below
 * 2^31: an address that is outside every location must not be one of them, and stays a number, which messages read. */
static void put_outside(const struct copying *c, uint32_t reg, uint64_t address, struct litmus_ref *ref) {
  uint32_t at;
  bool tensor = c->in->form == FORM_TCGEN05; /* its addresses are lanes and columns */
  bool low = !tensor && address >= FIRST_VADDR && address <= INT32_MAX;
  bool outside = low && !run_find(c->runner, address, &at);
  struct reg_state state = c->runner->path.regs[reg];
  const uint64_t base = outside ? address : (uint64_t)constant_of(c->runner, reg, &state, 64);
  if (outside) state.value = term_const(c->runner->walk->terms, address, 64);
  put_move(c->runner, c->block, reg, state, c->span, !outside);
  ref->offset = (int64_t)(address - base) + (outside ? OUTSIDE : 0);
}

static void replace_bracket(struct copying *c, struct litmus_operand *operand) {
  uint32_t reg = named(c, &operand->u.ref);
  if (!is_constant(c->runner, reg)) return;
  uint64_t base = (uint64_t)constant_of(c->runner, reg, &c->runner->path.regs[reg], 64);
  uint64_t address = base + (uint64_t)operand->u.ref.offset;
  if (!name_address(c->runner, address, operand)) put_outside(c, reg, address, &operand->u.ref);
}

static struct litmus_operand *copied(struct copying *c, const struct litmus_operand *operands, bool result);

/* Writes a map's name in place of its address, or after the location of its bytes; coordinates are signed. */
static void replace_map(struct copying *c, struct litmus_operand *operand) {
  if (c->in->tiled != TILED_COPY) { /* a texture or a surface */
    operand->u.tensor.items = copied(c, operand->u.tensor.items, false);
    return;
  }
  const struct map_used *used = c->runner->map;
  struct span span = operand->u.tensor.ref.span;
  if (!used && operand->u.tensor.ref.percent) c->refused = reason_get(REASON_TENSOR_MAP);
  if (used && !used->address) operand->u.tensor.ref = (struct litmus_ref){.name = used->map->ref.name, .span = span};
  if (used && used->address && name_address(c->runner, used->address, operand)) {
    operand->more = litmus_operand_new(parse_of(c->runner), LITMUS_NAME, span);
    operand->more->u.ref = (struct litmus_ref){.name = used->map->ref.name, .span = span};
  }
  operand->u.tensor.items = copied(c, operand->u.tensor.items, false);
  LIST_EACH (item, operand->u.tensor.items) {
    bool below = item->kind == LITMUS_NUMBER && !item->u.number.negative && item->u.number.value > INT32_MAX;
    if (below) item->u.number.value = -item->u.number.value & UINT32_MAX, item->u.number.negative = true;
  }
}

/* Writes the register that stands for a product's fragment of A in place of its vector. */
static bool replace_fragment(const struct copying *c, struct litmus_operand *operand) {
  const struct litmus_operand *first = operand->kind == LITMUS_VECTOR ? operand->u.items : NULL;
  uint32_t reg = first && c->in->tiled == TILED_PRODUCT ? named(c, &first->u.ref) : (uint32_t)NO_REG;
  uint32_t holder = reg == NO_REG ? reg : c->runner->run->body.fragments[reg];
  if (holder == NO_REG) return false;
  operand->kind = LITMUS_NAME;
  operand->u.ref = litmus_register_of(parse_of(c->runner), thread_of(c->runner)->regs[holder].name, c->span)->u.ref;
  return true;
}

/* Rows and matrices outside every location keep their register. */
static void keep_rows(const struct copying *c, struct litmus_operand *operand, uint64_t address) {
  struct litmus_ref *ref = &operand->u.tensor.ref;
  uint32_t reg = named(c, ref);
  if (is_constant(c->runner, reg)) put_outside(c, reg, address, ref);
}

static const struct litmus_operand *operand_of(const struct copying *c, uint32_t index) {
  const struct litmus_operand *operand = c->in->ast->operands;
  while (operand && index--) operand = operand->next;
  return operand;
}

static struct litmus_operand *copied(struct copying *c, const struct litmus_operand *operands, bool result) {
  struct litmus_operand *first = NULL, **end = &first;
  for (uint32_t index = 0; operands; operands = operands->next, result = false, index++) {
    uint64_t address;
    struct litmus_operand *copy = ARENA_COPY(parse_of(c->runner)->arena, operands);
    copy->next = NULL;
    *end = copy;
    end = &copy->next;
    if (result && copy->kind != LITMUS_BRACKET && copy->kind != LITMUS_TENSOR) continue;
    if (operands == operand_of(c, index) && tiled_describe(c->runner, c->in, index, copy, &address)) {
      if (!name_address(c->runner, address, copy)) keep_rows(c, copy, address);
      continue;
    }
    if (replace_fragment(c, copy)) continue;
    switch (copy->kind) {
      case LITMUS_NAME:
      case LITMUS_NEGATED: replace_name(c, copy); break;
      case LITMUS_BRACKET: replace_bracket(c, copy); break;
      case LITMUS_VECTOR:
      case LITMUS_PAIR:
      case LITMUS_LIST: copy->u.items = copied(c, copy->u.items, false); break;
      case LITMUS_TENSOR: replace_map(c, copy); break;
      case LITMUS_NUMBER:
      case LITMUS_ABSOLUTE:
      case LITMUS_SPECIAL: break;
    }
    copy->more = copied(c, copy->more, false);
  }
  return first;
}

/* True if the operands are registers without known values, and numbers. */
static bool is_open(const struct copying *c, const struct litmus_operand *operands) {
  LIST_EACH (o, operands) {
    bool items = o->kind == LITMUS_VECTOR || o->kind == LITMUS_PAIR || o->kind == LITMUS_LIST;
    bool name = o->kind == LITMUS_NAME || o->kind == LITMUS_NEGATED;
    if (!(items || name || o->kind == LITMUS_NUMBER) || o->more) return false;
    if (items && !is_open(c, o->u.items)) return false;
    if (name && is_constant(c->runner, named(c, &o->u.ref))) return false;
  }
  return true;
}

/* A copy of the operands; of pure instructions that are not modelled, such as mma, all threads may share the operands
 * of the body: no later step changes them. */
static struct litmus_operand *operands_left(struct copying *c, bool result) {
  bool pure = c->in->kind == INSTR_UNSUPPORTED && c->in->pure && c->in->tiled == TILED_NONE;
  return pure && is_open(c, c->in->ast->operands) ? c->in->ast->operands : copied(c, c->in->ast->operands, result);
}

/* True if the first operand may be a register that it writes. */
static bool has_result(const struct instr *in) {
  return in->kind == INSTR_UNSUPPORTED || SOME_BELOW(i, MAX_VECTOR, in->dst[i] != NO_REG);
}

/* If its guard fails, an instruction leaves its results as they are: a constant must be in the register by then. */
static void keep_known(const struct copying *c) {
  for (uint32_t i = c->begin; i < c->end; i++) {
    const struct instr *in = &thread_of(c->runner)->instrs[i];
    if (!in->guard.present || is_constant(c->runner, in->guard.reg)) continue;
    EACH_WRITTEN (reg, in)
      if (is_constant(c->runner, reg)) put_known(c, reg);
  }
}

/* The guard of some instructions of the body, from one instruction of the source. */
static uint32_t guard_of(const struct runner *r, uint32_t begin, uint32_t end) {
  const struct instr *first = &thread_of(r)->instrs[begin], *last = &thread_of(r)->instrs[end - 1];
  return last->guard.present ? last->guard.reg : first->guard.present ? first->guard.reg : (uint32_t)NO_REG;
}

static struct remnant *last_of(struct runner *r, uint32_t block) {
  return &r->blocks.data[block].code.data[r->blocks.data[block].code.len - 1];
}

/* True if the first operand may be a register that some of these instructions write. */
static bool writes_first(const struct runner *r, uint32_t begin, uint32_t end) {
  const struct instr *in = &thread_of(r)->instrs[end - 1];
  bool result = SOME(for (uint32_t i = begin; i < end; i++), has_result(&thread_of(r)->instrs[i]));
  return in->kind == INSTR_BARRIER ? has_result(in) : result; /* the code before it computes a count of warps */
}

/* Adds the text with values and locations. */
static void put_whole(struct runner *r, uint32_t block, uint32_t begin, uint32_t end) {
  const struct instr *in = &thread_of(r)->instrs[end - 1];
  struct copying c = {.runner = r, .block = block, .begin = begin, .end = end, .in = in, .span = in->span};
  struct litmus_instr *copy = ARENA_COPY(parse_of(r)->arena, in->ast);
  keep_known(&c);
  copy->operands = operands_left(&c, writes_first(r, begin, end));
  if (c.refused) copy->refused = c.refused;
  if (is_constant(r, guard_of(r, begin, end))) copy->guard = NULL; /* it holds */
  put(r, block, copy);
}

/* ---- remnants of threads that are no columns: the values of the registers that their text names */

/* The registers that a text names, vectors and lists included. */
static void add_named(const struct body *b, const struct litmus_operand *operand, struct bitset out) {
  for (; operand; operand = operand->next) {
    bool items = operand->kind == LITMUS_VECTOR || operand->kind == LITMUS_PAIR || operand->kind == LITMUS_LIST;
    if (items) add_named(b, operand->u.items, out);
    add_named(b, operand->more, out);
    const struct litmus_ref *ref = &operand->u.ref;
    if (operand->kind == LITMUS_TENSOR) add_named(b, operand->u.tensor.items, out), ref = &operand->u.tensor.ref;
    else if (operand->kind != LITMUS_NAME && operand->kind != LITMUS_BRACKET && operand->kind != LITMUS_NEGATED)
      continue;
    uint32_t reg = ref->percent ? name_map_get(&b->slots, ref->name) : NO_NAME;
    if (reg != NO_NAME) bitset_add(out, reg);
  }
}

static void find_regs(const struct runner *r, uint32_t begin, uint32_t end, struct outline *out) {
  const struct litmus_operand *first = thread_of(r)->instrs[end - 1].ast->operands;
  struct arena *arena = parse_of(r)->arena;
  struct bitset regs = bitset_new(arena, thread_of(r)->reg_count + 1);
  uint32_t guard = guard_of(r, begin, end);
  bool place = first && (first->kind == LITMUS_BRACKET || first->kind == LITMUS_TENSOR);
  bool skips = writes_first(r, begin, end) && first && !place;
  add_named(&r->run->body, skips ? first->next : first, regs);
  if (guard != NO_REG) bitset_add(regs, guard);
  for (uint32_t i = begin; i < end; i++) {
    const struct instr *own = &thread_of(r)->instrs[i];
    if (!own->guard.present) continue;
    bitset_add(regs, own->guard.reg);
    EACH_WRITTEN (reg, own) bitset_add(regs, reg);
  }
  out->found = true;
  out->regs = ARENA_ARRAY(arena, uint32_t, bitset_count(regs));
  EACH (reg, regs) out->regs[out->count++] = reg;
}

static struct litmus_instr *shared_text(const struct runner *r, struct outline *outline, uint32_t at, bool guarded) {
  struct litmus_instr **text = &outline->texts[guarded];
  if (*text) return *text;
  *text = ARENA_COPY(parse_of(r)->arena, thread_of(r)->instrs[at].ast);
  if (!guarded) (*text)->guard = NULL;
  return *text;
}

struct remnant *remnant_add(struct runner *r, uint32_t block, uint32_t begin, uint32_t end, bool folded) {
  struct outline *outline = &r->run->body.outlines[begin];
  if (!outline->found) find_regs(r, begin, end, outline);
  bool guarded = !is_constant(r, guard_of(r, begin, end));
  put(r, block, shared_text(r, outline, end - 1, guarded));
  struct remnant *last = last_of(r, block);
  last->draft = true;
  last->begin = begin, last->end = end;
  last->folded = folded;
  last->value = r->values.len + 1;
  last->map = r->map;
  for (uint32_t i = 0; i < outline->count; i++) {
    const struct reg_state *state = &r->path.regs[outline->regs[i]];
    const struct term *term = term_get(r->walk->terms, state->value);
    bool known = is_constant(r, outline->regs[i]);
    term_id value = known ? term_const(&r->run->body.constants, term->constant, term->width) : 0;
    VEC_PUSH(arena_of(r), &r->values, known ? value * 2 + state->is_signed : (uint32_t)VALUE_OPEN);
  }
  return last;
}

/* The values of a remnant, by register of its outline. */
static const struct outline *outline_of(const struct runner *r, const struct remnant *remnant,
                                        const uint32_t **values) {
  static const struct outline none = {0};
  *values = remnant->value && r->values.len ? r->values.data + (remnant->value - 1) : NULL;
  return remnant->value ? &r->run->body.outlines[remnant->begin] : &none;
}

/* Sets the registers of a remnant to the values that they had; or with `back` to unknown ones. */
static void set_regs(struct runner *r, const struct remnant *remnant, bool back) {
  const uint32_t *values;
  const struct outline *outline = outline_of(r, remnant, &values);
  const struct reg_state unknown = r->run->blank[thread_of(r)->reg_count];
  for (uint32_t i = 0; i < outline->count; i++) {
    struct reg_state *state = &r->path.regs[outline->regs[i]];
    *state = unknown;
    if (back || values[i] == VALUE_OPEN) continue;
    const struct term *known = term_get(&r->run->body.constants, values[i] / 2);
    state->value = term_const(r->walk->terms, known->constant, known->width);
    state->is_signed = values[i] % 2;
  }
}

static void write_one(struct runner *r, uint32_t block, struct remnant remnant) {
  set_regs(r, &remnant, false);
  r->latest = remnant.touch;
  r->until = remnant.touch + remnant.touches;
  r->rows = remnant.rows;
  r->map = remnant.map;
  put_whole(r, block, remnant.begin, remnant.end);
  set_regs(r, &remnant, true);
  remnant.instr = last_of(r, block)->instr;
  remnant.draft = false;
  *last_of(r, block) = remnant;
}

static void prepare_blank(struct runner *r) {
  uint32_t count = thread_of(r)->reg_count + 1;
  if (r->run->blank) return;
  r->run->blank = ARENA_ARRAY(arena_of(r), struct reg_state, count);
  const struct reg_state unknown = {term_leaf(r->walk->terms, TERM_READ, UNNEEDED, 64), false, r->run->body.none};
  for (uint32_t i = 0; i < count; i++) r->run->blank[i] = unknown;
}

void remnant_write(struct runner *r) {
  prepare_blank(r);
  r->path.regs = r->run->blank;
  for (uint32_t b = 0; b < r->blocks.len; b++) {
    __typeof__(r->blocks.data->code) code = r->blocks.data[b].code;
    bool any = SOME(VEC_EACH (remnant, &code), remnant->draft);
    if (!any) continue;
    memset(&r->blocks.data[b].code, 0, sizeof code);
    VEC_EACH (remnant, &code)
      if (remnant->draft) write_one(r, b, *remnant);
      else VEC_PUSH(arena_of(r), &r->blocks.data[b].code, *remnant);
  }
}

static const struct term *value_of(const struct runner *r, const struct remnant *remnant, uint32_t reg) {
  const uint32_t *values;
  const struct outline *outline = outline_of(r, remnant, &values);
  for (uint32_t i = 0; i < outline->count; i++)
    if (outline->regs[i] == reg)
      return values[i] == VALUE_OPEN ? NULL : term_get(&r->run->body.constants, values[i] / 2);
  return NULL;
}

bool remnant_has_value(const struct runner *r, const struct remnant *remnant, uint32_t reg) {
  return value_of(r, remnant, reg) != NULL;
}

bool remnant_number(const struct runner *r, const struct remnant *remnant, const struct litmus_operand *operand,
                    uint32_t *out) {
  bool named = operand && operand->kind == LITMUS_NAME && operand->u.ref.percent;
  uint32_t reg = named ? body_register(&r->run->body, operand->u.ref.name) : (uint32_t)NO_REG;
  const struct term *value = reg == NO_REG ? NULL : value_of(r, remnant, reg);
  bool number = operand && operand->kind == LITMUS_NUMBER;
  if (number) *out = (uint32_t)(operand->u.number.negative ? 0 - operand->u.number.value : operand->u.number.value);
  if (value) *out = (uint32_t)value->constant;
  return number || value;
}

/* An address is a place, and no number. */
uint64_t remnant_numbers(const struct runner *r, const struct remnant *remnant, uint64_t hash) {
  const uint32_t *values;
  const struct outline *outline = outline_of(r, remnant, &values);
  uint32_t at;
  LIST_EACH (o, remnant->value ? NULL : remnant->instr->operands)
    if (o->kind == LITMUS_NUMBER) hash = hash_mix(hash, (uint64_t)o->u.number.value);
  for (uint32_t i = 0; i < outline->count; i++) {
    if (values[i] == VALUE_OPEN) continue;
    uint64_t number = (uint64_t)term_get(&r->run->body.constants, values[i] / 2)->constant;
    bool address = thread_of(r)->regs[outline->regs[i]].type.width >= 32 && run_find(r, number, &at);
    if (!address) hash = hash_mix(hash, number);
  }
  return hash;
}

void remnant_any(const struct runner *r, struct remnant *remnant, const struct reason *why) {
  const struct instr *in = remnant_source(r, remnant);
  const struct litmus_test *test = r->run->x->parse.test;
  bool safe = test->quantifier == LITMUS_SAFE && !test->condition;
  bool free = in->kind == INSTR_LOAD || in->kind == INSTR_ATOM ||
              (in->kind == INSTR_BARRIER && in->barrier->kind == BARRIER_LANES);
  *(safe && free ? &remnant->instr->opaque : &remnant->instr->refused) = why;
}

struct litmus_instr *remnant_refused(const struct runner *r, uint32_t at, const struct reason *why) {
  struct litmus_parse *parse = parse_of(r);
  struct litmus_instr *instr = litmus_instr_of(parse, "brkpt", NULL, thread_of(r)->instrs[at].ast->opcode.span);
  instr->span = thread_of(r)->instrs[at].ast->span;
  instr->refused = why;
  return instr;
}

/* True for an access to parameters or to the thread's private memory: a known value needs no access. */
static bool is_private(const struct runner *r, const struct instr *in, uint32_t touches) {
  const struct touch *last = r->touches.len > touches ? &r->touches.data[r->touches.len - 1] : NULL;
  bool access = in->kind == INSTR_LOAD || in->kind == INSTR_STORE;
  return access && last && (last->region->space == SPACE_PARAM || last->region->space == SPACE_LOCAL);
}

bool remnant_is_folded(const struct runner *r, uint32_t begin, uint32_t end, uint32_t touches, bool *computes) {
  *computes = true;
  bool known = true;
  for (uint32_t i = begin; i < end; i++) {
    const struct instr *in = &r->run->body.thread->instrs[i];
    *computes = *computes && (instr_only_computes(in) || is_private(r, in, touches));
    for (uint32_t k = 0, count = instr_result_count(in); k < count && known; k++) {
      uint32_t reg = instr_result(in, k);
      known = reg == NO_REG || term_is_const(r->walk->terms, r->path.regs[reg].value);
    }
  }
  return known;
}
