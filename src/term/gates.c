#include "term/gates.h"

void gates_init(struct gates *gates, struct arena *arena, struct sat *sat) {
  *gates = (struct gates){.arena = arena, .sat = sat};
}

static uint64_t hash(enum gate_kind kind, const lit *operands, size_t count) {
  uint64_t h = (uint64_t)kind;
  for (size_t i = 0; i < count; i++) h = hash_mix(h, (uint32_t)operands[i]);
  return h;
}

static bool same(const struct gates *g, const struct gate *gate, enum gate_kind kind, const lit *operands,
                 size_t count) {
  if (gate->kind != kind || gate->count != count) return false;
  return EVERY_BELOW(i, count, g->operands.data[gate->first + i] == operands[i]);
}

/* The gate with these operands; makes it if there is none. */
static struct gate *share(struct gates *g, enum gate_kind kind, const lit *operands, size_t count) {
  uint64_t h = hash(kind, operands, count);
  HASH_EACH (i, &g->index, h)
    if (same(g, &g->list.data[i], kind, operands, count)) return &g->list.data[i];
  struct gate gate = {.kind = kind, .out = sat_variable(g->sat), .first = g->operands.len, .count = (uint32_t)count};
  for (size_t i = 0; i < count; i++) VEC_PUSH(g->arena, &g->operands, operands[i]);
  HASH_PUSH(g->arena, &g->index, h, &g->list, gate);
  return &g->list.data[g->list.len - 1];
}

static int by_variable(const void *a, const void *b) {
  lit x = *(const lit *)a, y = *(const lit *)b;
  if (abs(x) != abs(y)) return abs(x) < abs(y) ? -1 : 1;
  return x < y ? -1 : x > y;
}

static void sort(lit *lits, uint32_t count) {
  enum { FEW = 8 };
  if (count > FEW) qsort(lits, count, sizeof *lits, by_variable);
  for (uint32_t i = 1; i < count && count <= FEW; i++)
    for (uint32_t k = i; k && by_variable(&lits[k], &lits[k - 1]) < 0; k--) {
      lit swap = lits[k];
      lits[k] = lits[k - 1];
      lits[k - 1] = swap;
    }
}

/* Sorts operands into scratch without constants and repetitions. False if the conjunction is false. */
static bool normalise(struct gates *g, const lit *lits, size_t count) {
  g->scratch.len = 0;
  for (size_t i = 0; i < count; i++) {
    if (lits[i] == LIT_FALSE) return false;
    if (lits[i] != LIT_TRUE) VEC_PUSH(g->arena, &g->scratch, lits[i]);
  }
  lit *s = g->scratch.data;
  sort(s, g->scratch.len);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < g->scratch.len; i++) {
    if (kept && s[kept - 1] == s[i]) continue;
    if (kept && s[kept - 1] == -s[i]) return false;
    s[kept++] = s[i];
  }
  g->scratch.len = kept;
  return true;
}

static void emit_and(struct gates *g, struct gate *gate, unsigned need) {
  need &= ~(unsigned)gate->emitted;
  gate->emitted |= (uint8_t)need;
  const lit *operands = g->operands.data + gate->first;
  if (need & NEED_ONLY_IF)
    for (uint32_t i = 0; i < gate->count; i++) sat_clause2(g->sat, -gate->out, operands[i]);
  if (need & NEED_IF) {
    g->scratch.len = 0;
    for (uint32_t i = 0; i < gate->count; i++) VEC_PUSH(g->arena, &g->scratch, -operands[i]);
    VEC_PUSH(g->arena, &g->scratch, gate->out);
    sat_clause(g->sat, g->scratch.data, g->scratch.len);
  }
}

lit gates_and(struct gates *g, const lit *lits, size_t count, unsigned need) {
  if (!normalise(g, lits, count)) return LIT_FALSE;
  if (g->scratch.len == 0) return LIT_TRUE;
  if (g->scratch.len == 1) return g->scratch.data[0];
  struct gate *gate = share(g, GATE_AND, g->scratch.data, g->scratch.len);
  emit_and(g, gate, need);
  return gate->out;
}

lit gates_or(struct gates *g, const lit *lits, size_t count, unsigned need) {
  lit *negated = ARENA_ARRAY(g->arena, lit, count);
  for (size_t i = 0; i < count; i++) negated[i] = -lits[i];
  return -gates_and(g, negated, count, need_flip(need));
}

lit gates_and2(struct gates *g, lit a, lit b, unsigned need) { return gates_and(g, (lit[]){a, b}, 2, need); }

lit gates_or2(struct gates *g, lit a, lit b, unsigned need) {
  return -gates_and(g, (lit[]){-a, -b}, 2, need_flip(need));
}

static bool has_lit(const struct three *all, lit value, int times) {
  return (all->lits[0] == value) + (all->lits[1] == value) + (all->lits[2] == value) >= times;
}

lit gates_or_of_ands(struct gates *g, const struct three *ands, size_t count, unsigned need) {
  struct three *ways = ARENA_ARRAY(g->arena, struct three, count);
  size_t ways_count = 0;
  bool proper = false; /* some needs a gate */
  for (size_t i = 0; i < count; i++) {
    if (has_lit(&ands[i], LIT_FALSE, 1)) continue;
    if (has_lit(&ands[i], LIT_TRUE, 3)) return LIT_TRUE;
    proper = proper || !has_lit(&ands[i], LIT_TRUE, 2);
    ways[ways_count++] = ands[i];
  }
  if (need != NEED_IF || ways_count < 2 || !proper) {
    lit *parts = ARENA_ARRAY(g->arena, lit, ways_count);
    for (size_t i = 0; i < ways_count; i++) parts[i] = gates_and(g, ways[i].lits, 3, need);
    return gates_or(g, parts, ways_count, need);
  }
  struct gate *gate = share(g, GATE_OR_OF_ANDS, (const lit *)ways, 3 * ways_count);
  for (size_t i = 0; i < ways_count && !gate->emitted; i++)
    sat_clause(g->sat, (lit[]){-ways[i].lits[0], -ways[i].lits[1], -ways[i].lits[2], gate->out}, 4);
  gate->emitted = NEED_IF;
  return gate->out;
}

lit gates_xor(struct gates *g, lit a, lit b) {
  if (a == LIT_FALSE) return b;
  if (b == LIT_FALSE) return a;
  if (a == LIT_TRUE) return -b;
  if (b == LIT_TRUE) return -a;
  if (a == b) return LIT_FALSE;
  if (a == -b) return LIT_TRUE;
  int sign = (a < 0) != (b < 0) ? -1 : 1;
  lit operands[2] = {abs(a) < abs(b) ? abs(a) : abs(b), abs(a) < abs(b) ? abs(b) : abs(a)};
  struct gate *gate = share(g, GATE_XOR, operands, 2);
  lit x = operands[0], y = operands[1], out = gate->out;
  if (!gate->emitted) {
    gate->emitted = NEED_BOTH;
    sat_clause3(g->sat, -out, x, y);
    sat_clause3(g->sat, -out, -x, -y);
    sat_clause3(g->sat, out, -x, y);
    sat_clause3(g->sat, out, x, -y);
  }
  return sign * out;
}

lit gates_ite(struct gates *g, lit c, lit yes, lit no) {
  if (c == LIT_TRUE || yes == no) return yes;
  if (c == LIT_FALSE) return no;
  if (yes == -no) return gates_xor(g, c, no);
  if (yes == LIT_TRUE || yes == c) return gates_or2(g, c, no, NEED_BOTH);
  if (yes == LIT_FALSE || yes == -c) return gates_and2(g, -c, no, NEED_BOTH);
  if (no == LIT_TRUE || no == -c) return gates_or2(g, -c, yes, NEED_BOTH);
  if (no == LIT_FALSE || no == c) return gates_and2(g, c, yes, NEED_BOTH);
  struct gate *gate = share(g, GATE_ITE, (lit[]){c, yes, no}, 3);
  lit out = gate->out;
  if (!gate->emitted) {
    gate->emitted = NEED_BOTH;
    sat_clause3(g->sat, -c, -out, yes);
    sat_clause3(g->sat, -c, out, -yes);
    sat_clause3(g->sat, c, -out, no);
    sat_clause3(g->sat, c, out, -no);
  }
  return out;
}
