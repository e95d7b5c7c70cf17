/* Literals for pairs of derived relations, made on demand.
 *
 * Bounds answer first: a pair outside `may` is false, one inside `must` is true. Everything else descends through the
 * operators; gates and a memo table share the work. A closure's pair gets a variable at once and its definition later
 * (encoder_define_pairs), so that recursion is never deeper than the model's expressions.
 */
#include "encode/parts.h"

/* The literal of a pair of a relation, with the halves (gates.h) that are defined. */
struct known_pair {
  uint64_t key;
  lit value;
  unsigned needs;
};

struct memo {
  VEC(struct known_pair) list;
  struct hash_index index;
};

/* A one-sided definition still to be written: the closure of `node` at (a, b), or a recursive variable there. */
struct pending {
  cat_node node;
  uint32_t a, b;
  lit out;
};

/* How a closure is folded: events through which every path to (or from) an event must go. */
struct closure {
  uint32_t
      *last; /* for each event c: b such that every path to c other than from b itself leads to b first, or NO_EVENT */
  uint32_t
      *first; /* for each event a: b such that every path from a other than to b itself leads on from b, or NO_EVENT */
  bool by_fences; /* between two fence.sc the closure is their order itself */
};

/* ---- Memo ---- */

void encode_memo_init(struct encoder *e) { e->memo = ARENA_NEW(e->arena, struct memo); }

static uint64_t key_of(cat_node node, uint32_t a, uint32_t b) {
  return (uint64_t)node << 32 | (uint64_t)a << 16 | b; /* events are fewer than 2^16 */
}

static struct known_pair *find(const struct encoder *e, uint64_t key) {
  HASH_EACH (i, &e->memo->index, key)
    if (e->memo->list.data[i].key == key) return &e->memo->list.data[i];
  return NULL;
}

/* The remembered literal, or 0; *needs: the halves already made. */
static lit recall(const struct encoder *e, uint64_t key, unsigned *needs) {
  const struct known_pair *known = find(e, key);
  if (!known) return 0;
  *needs = known->needs;
  return known->value;
}

static void remember(struct encoder *e, uint64_t key, lit value, unsigned needs) {
  struct known_pair *known = find(e, key);
  if (known) {
    known->value = value;
    known->needs |= needs;
    return;
  }
  VEC_PUSH(e->arena, &e->memo->list, (struct known_pair){key, value, needs});
  hash_add(e->arena, &e->memo->index, key, e->memo->list.len - 1);
}

lit encode_known_pair(const struct encoder *e, cat_node closure, uint32_t a, uint32_t b) {
  const struct known_pair *known = find(e, key_of(closure, a, b));
  return known ? known->value : 0;
}

/* ---- Closures ---- */

static struct bitmat inverse_of(struct encoder *e, struct bitmat m) {
  struct bitmat inverse = bitmat_new(e->arena, m.n);
  bitmat_inverse(inverse, m);
  return inverse;
}

/* Cuts each ring of gateways, so that every walk from gateway to gateway ends. */
static void cut_rings(struct encoder *e, uint32_t *gateways, uint32_t n) {
  uint32_t *walk = ARENA_ARRAY(e->arena, uint32_t, n); /* by event: the walk that reached it first, from 1 on */
  for (uint32_t x = 0; x < n; x++) {
    uint32_t at = x, before = x;
    for (; at != NO_EVENT && !walk[at]; at = gateways[at]) walk[before = at] = x + 1;
    if (at != NO_EVENT && walk[at] == x + 1) gateways[before] = NO_EVENT;
  }
}

/* For each event x, an event b that surely leads to x, and to which all other events that may lead to x surely lead; b
 * happens whenever x does, or whenever any of those others does. (With the relations inverted: the same for what x
 * leads to.) */
static uint32_t *find_gateways(struct encoder *e, struct bitmat may_into, struct bitmat must_into) {
  uint32_t n = may_into.n;
  uint32_t *gateways = ARENA_ARRAY(e->arena, uint32_t, n);
  struct bitset others = bitset_new(e->arena, n);
  for (uint32_t x = 0; x < n; x++) {
    gateways[x] = NO_EVENT;
    struct bitset sure = bitmat_row_set(must_into, x);
    for (uint32_t b = bitset_next(sure, 0); b < n && gateways[x] == NO_EVENT; b = bitset_next(sure, b + 1)) {
      if (b == x) continue;
      bitset_set(others, bitmat_row_set(may_into, x));
      bitset_del(others, b);
      struct bitset with = bitmat_row_set(e->skeleton->implied, b);
      if (bitset_subset(others, bitmat_row_set(must_into, b)) && (bitset_has(with, x) || bitset_subset(others, with)))
        gateways[x] = b;
    }
  }
  cut_rings(e, gateways, n);
  return gateways;
}

static bool may_pair(const struct encoder *e, cat_node node, uint32_t a, uint32_t b) {
  return bitmat_has(e->graph.bounds.data[node].may, a, b);
}

static bool must_pair(const struct encoder *e, cat_node node, uint32_t a, uint32_t b) {
  return bitmat_has(e->graph.bounds.data[node].must, a, b);
}

/* True if a pair of events that happen is in the node if and only if it is in the order of fence.sc. */
static bool is_order(const struct encoder *e, cat_node node, uint32_t a, uint32_t b) {
  const struct cat_expr *x = graph_expr(&e->graph, node);
  if (!may_pair(e, node, a, b) || must_pair(e, node, a, b)) return false;
  switch (x->op) {
    case CAT_BUILTIN: return x->builtin == CAT_REL_SC_ORDER;
    case CAT_UNION:
      return (is_order(e, x->a, a, b) || !may_pair(e, x->a, a, b)) &&
             (is_order(e, x->b, a, b) || !may_pair(e, x->b, a, b));
    case CAT_INTER:
      return (is_order(e, x->a, a, b) || must_pair(e, x->a, a, b)) &&
             (is_order(e, x->b, a, b) || must_pair(e, x->b, a, b));
    case CAT_DIFF: return is_order(e, x->a, a, b) && !may_pair(e, x->b, a, b);
    case CAT_EMPTY:
    case CAT_COMPL:
    case CAT_SEQ:
    case CAT_INVERSE:
    case CAT_PLUS:
    case CAT_PRODUCT:
    case CAT_IDENTITY:
    case CAT_DOMAIN:
    case CAT_RANGE:
    case CAT_REC: return false;
  }
  BUG("operator %d", (int)x->op);
}

/* True if r+ between two fence.sc equals their order: r leaves that order and nothing else to the execution, it may
 * relate all of them, and no path of fixed pairs leads from one fence to another. Then pairs that no axiom requests
 * need no literal. */
static bool closed_by_fences(struct encoder *e, cat_node node) {
  const struct skeleton *s = e->skeleton;
  cat_node r = graph_expr(&e->graph, node)->a;
  const struct bounds *bounds = &e->graph.bounds.data[r];
  struct bitset fences = s->sets[CAT_SET_SC];
  EACH (a, fences)
    EACH (b, fences)
      if (a != b && !is_order(e, r, a, b)) return false;
  for (uint32_t a = 0; a < s->n; a++) {
    struct bitset may = bitmat_row_set(bounds->may, a);
    EACH (b, may)
      if (!must_pair(e, r, a, b) && !is_order(e, r, a, b)) return false;
  }
  struct bitmat fixed = bitmat_copy(e->arena, bounds->must);
  bitmat_closure(fixed);
  EACH (a, fences) {
    struct bitset row = bitmat_row_set(fixed, a);
    EACH (b, fences)
      if (bitset_has(row, b)) return false;
  }
  return true;
}

static const struct closure *closure_of(struct encoder *e, cat_node node) {
  if (e->closures[node]) return e->closures[node];
  const struct bounds *r = &e->graph.bounds.data[graph_expr(&e->graph, node)->a];
  struct closure *c = e->closures[node] = ARENA_NEW(e->arena, struct closure);
  c->last = find_gateways(e, inverse_of(e, r->may), inverse_of(e, r->must));
  c->first = find_gateways(e, r->may, r->must);
  c->by_fences = closed_by_fences(e, node);
  return c;
}

static lit delayed(struct encoder *e, cat_node node, uint32_t a, uint32_t b) {
  unsigned needs = 0;
  lit known = recall(e, key_of(node, a, b), &needs);
  if (known) return known;
  lit out = sat_variable(e->sat);
  remember(e, key_of(node, a, b), out, NEED_IF);
  VEC_PUSH(e->arena, &e->pending, (struct pending){node, a, b, out});
  return out;
}

/* r+ at (a, b), needed IF only. Paths are shortened at both ends to the events where they can branch: with r = po | s,
 * a whole thread between two synchronizing events is one node of the closure. Those events must happen. */
static lit closure_pair(struct encoder *e, cat_node node, uint32_t a, uint32_t b) {
  const struct closure *c = closure_of(e, node);
  uint32_t from = a, to = b;
  lit way;
  for (;;) {
    if (!may_pair(e, node, a, b)) return LIT_FALSE;
    if (must_pair(e, node, a, b)) break;
    if (c->last[b] != NO_EVENT && c->last[b] != a) b = c->last[b];
    else if (c->first[a] != NO_EVENT && c->first[a] != b) a = c->first[a];
    else break;
  }
  struct bitset fences = e->skeleton->sets[CAT_SET_SC];
  bool ordered = c->by_fences && bitset_has(fences, a) && bitset_has(fences, b);
  if (must_pair(e, node, a, b)) way = LIT_TRUE;
  else if (ordered) way = a == b ? LIT_FALSE : encode_builtin(e, CAT_REL_SC_ORDER, a, b, NEED_IF);
  else way = delayed(e, node, a, b);
  lit happen[] = {way, encode_happens(e, from, a, to), encode_happens(e, from, b, to)};
  return gates_and(&e->gates, happen, 3, NEED_IF);
}

/* (a, b) holds if r goes from a to b, or from a to some c that happens and reaches b. */
static void define_closure(struct encoder *e, const struct pending *p) {
  cat_node r = graph_expr(&e->graph, p->node)->a;
  struct bitset next = bitmat_row_set(e->graph.bounds.data[r].may, p->a);
  EACH (c, next) {
    lit step = LIT_FALSE, rest = LIT_TRUE, happens = LIT_TRUE;
    if (c != p->b) {
      rest = closure_pair(e, p->node, c, p->b);
      happens = encode_happens(e, p->a, c, p->b);
    }
    if (rest != LIT_FALSE) step = encoder_pair(e, r, p->a, c, NEED_IF);
    if (step != LIT_FALSE) sat_clause(e->sat, (lit[]){-step, -happens, -rest, p->out}, 4);
  }
  encode_along_chains(e, p->node, p->a, p->b);
}

void encoder_define_pairs(struct encoder *e) {
  for (uint32_t done = 1; e->pending.len; done++) {
    if (done % 64 == 0 && encoder_is_late(e)) return;
    struct pending p = e->pending.data[--e->pending.len];
    const struct cat_expr *x = graph_expr(&e->graph, p.node);
    if (x->op == CAT_PLUS) {
      define_closure(e, &p);
    } else {
      lit body = x->is_set ? encode_member(e, x->body, p.a, NEED_IF) : encoder_pair(e, x->body, p.a, p.b, NEED_IF);
      sat_clause2(e->sat, -body, p.out);
    }
  }
  encode_fence_cycles(e);
}

/* A pair of a closure or recursive variable: one-sided if that is enough, else by its exact unfolding. */
static lit fixpoint_pair(struct encoder *e, cat_node node, uint32_t a, uint32_t b, unsigned need) {
  if (need & NEED_ONLY_IF || e->exact[node] != CAT_NO_NODE) {
    cat_node exact = encode_exact(e, node);
    return exact == CAT_NO_NODE ? LIT_FALSE : encoder_pair(e, exact, a, b, need);
  }
  return graph_expr(&e->graph, node)->op == CAT_PLUS ? closure_pair(e, node, a, b) : delayed(e, node, a, b);
}

/* ---- Operators ---- */

/* With many events a row of the inverse, which is read in order, is much faster than a column. */
enum { MANY_EVENTS = 128 };

static struct bitset coming_from(struct encoder *e, cat_node node, uint32_t event) {
  struct bitmat may = e->graph.bounds.data[node].may;
  for (uint32_t i = e->inverses.len; i <= node; i++) VEC_PUSH(e->arena, &e->inverses, (struct bitmat){0});
  if (!e->inverses.data[node].words) e->inverses.data[node] = inverse_of(e, may);
  return bitmat_row_set(e->inverses.data[node], event);
}

uint32_t encode_between(struct encoder *e, cat_node first, uint32_t a, cat_node second, uint32_t c, uint32_t from) {
  struct bitset out = bitmat_row_set(e->graph.bounds.data[first].may, a);
  if (out.n >= MANY_EVENTS) return bitset_next_both(out, coming_from(e, second, c), from);
  for (from = bitset_next(out, from); from < out.n && !may_pair(e, second, from, c); from = bitset_next(out, from + 1))
    ;
  return from;
}

static lit sequence_pair(struct encoder *e, const struct cat_expr *x, uint32_t a, uint32_t c, unsigned need) {
  VEC(struct three) ways = {0};
  ENCODE_BETWEEN(b, e, x->a, a, x->b, c) {
    lit first = encoder_pair(e, x->a, a, b, need), second = encoder_pair(e, x->b, b, c, need);
    VEC_PUSH(e->arena, &ways, (struct three){{first, second, encode_happens(e, a, b, c)}});
  }
  lit pair = gates_or_of_ands(&e->gates, ways.data, ways.len, need);
  if (ways.len > 1 && need & NEED_IF) encode_step_along(e, x->a, x->b, a, c, pair);
  return pair;
}

/* A literal: some event is related to `event`: for domain from it, for range to it. */
static lit some_pair(struct encoder *e, const struct cat_expr *x, uint32_t event, unsigned need) {
  VEC(lit) ways = {0};
  for (uint32_t other = 0; other < e->skeleton->n; other++) {
    uint32_t a = x->op == CAT_DOMAIN ? event : other, b = x->op == CAT_DOMAIN ? other : event;
    lit pair = encoder_pair(e, x->a, a, b, need);
    if (pair != LIT_FALSE) VEC_PUSH(e->arena, &ways, gates_and2(&e->gates, pair, e->exec[other], need));
  }
  return gates_or(&e->gates, ways.data, ways.len, need);
}

/* A literal: the pair is in a relation, or the event a in a set. */
static lit holds(struct encoder *e, cat_node node, uint32_t a, uint32_t b, unsigned need) {
  return graph_expr(&e->graph, node)->is_set ? encode_member(e, node, a, need) : encoder_pair(e, node, a, b, need);
}

static lit derive(struct encoder *e, const struct cat_expr *x, uint32_t a, uint32_t b, unsigned need) {
  struct gates *g = &e->gates;
  switch (x->op) {
    case CAT_BUILTIN: return encode_builtin(e, x->builtin, a, b, need);
    case CAT_UNION: return gates_or2(g, holds(e, x->a, a, b, need), holds(e, x->b, a, b, need), need);
    case CAT_INTER: return gates_and2(g, holds(e, x->a, a, b, need), holds(e, x->b, a, b, need), need);
    case CAT_DIFF: return gates_and2(g, holds(e, x->a, a, b, need), -holds(e, x->b, a, b, need_flip(need)), need);
    case CAT_COMPL: return -holds(e, x->a, a, b, need_flip(need));
    case CAT_SEQ: return sequence_pair(e, x, a, b, need);
    case CAT_INVERSE: return encoder_pair(e, x->a, b, a, need);
    case CAT_PRODUCT: return gates_and2(g, encode_member(e, x->a, a, need), encode_member(e, x->b, b, need), need);
    case CAT_IDENTITY: return a == b ? encode_member(e, x->a, a, need) : LIT_FALSE;
    case CAT_DOMAIN:
    case CAT_RANGE: return some_pair(e, x, a, need);
    case CAT_EMPTY:
    case CAT_PLUS:
    case CAT_REC: break;
  }
  BUG("operator %d is not derived from its operands", (int)x->op);
}

static lit remembered(struct encoder *e, cat_node node, uint32_t a, uint32_t b, unsigned need) {
  struct cat_expr x = *graph_expr(&e->graph, node); /* a copy: the graph may grow meanwhile */
  unsigned made = 0;
  lit known = recall(e, key_of(node, a, b), &made);
  if (known && (made & need) == need) return known;
  need |= made; /* a literal for both halves serves all its users; a literal for one half may be another one */
  if (sat_is_full(e->sat) && encoder_is_late(e)) return LIT_FALSE;
  lit out = derive(e, &x, a, b, need);
  remember(e, key_of(node, a, b), out, need);
  return out;
}

/* A pair of a node. */
struct pair_of_node {
  cat_node node;
  uint32_t a, b;
};

/* Replaces a pair of a composition with one possible middle event by the one step that the bounds leave open. */
static bool open_step(struct encoder *e, const struct cat_expr *x, struct pair_of_node *p) {
  uint32_t between = encode_between(e, x->a, p->a, x->b, p->b, 0);
  bool one = encode_between(e, x->a, p->a, x->b, p->b, between + 1) >= e->skeleton->n;
  if (!one || !bitset_has(e->skeleton->always, between)) return false;
  bool first = must_pair(e, x->a, p->a, between), second = must_pair(e, x->b, between, p->b);
  if (first) *p = (struct pair_of_node){x->b, between, p->b};
  else if (second) *p = (struct pair_of_node){x->a, p->a, between};
  return first || second;
}

/* Replaces a pair by a pair of one operand if the bounds settle the other operand: most pairs reduce to another one in
 * this way, and are remembered only once. False: both operands are open. */
static bool come_down(struct encoder *e, struct pair_of_node *p) {
  const struct cat_expr *x = graph_expr(&e->graph, p->node);
  bool none = x->op == CAT_UNION || x->op == CAT_DIFF, all = x->op == CAT_INTER;
  if (x->op == CAT_SEQ) return open_step(e, x, p);
  if ((none && !may_pair(e, x->b, p->a, p->b)) || (all && must_pair(e, x->b, p->a, p->b))) p->node = x->a;
  else if ((x->op == CAT_UNION && !may_pair(e, x->a, p->a, p->b)) || (all && must_pair(e, x->a, p->a, p->b)))
    p->node = x->b;
  else return false;
  return true;
}

lit encoder_pair(struct encoder *e, cat_node node, uint32_t a, uint32_t b, unsigned need) {
  if (!may_pair(e, node, a, b)) return LIT_FALSE;
  if (must_pair(e, node, a, b)) return LIT_TRUE;
  struct pair_of_node p = {node, a, b};
  while (come_down(e, &p)) {
  }
  const struct cat_expr *x = graph_expr(&e->graph, p.node);
  if (x->op == CAT_PLUS || x->op == CAT_REC) return fixpoint_pair(e, p.node, p.a, p.b, need);
  if (x->op == CAT_BUILTIN && x->builtin == CAT_REL_SC_ORDER) return encode_fence_order(e, p.a, p.b);
  return remembered(e, p.node, p.a, p.b, need);
}

lit encode_member(struct encoder *e, cat_node node, uint32_t a, unsigned need) {
  const struct bounds *bounds = &e->graph.bounds.data[node];
  if (!bitset_has(bounds->may_set, a)) return LIT_FALSE;
  if (bitset_has(bounds->must_set, a)) return LIT_TRUE;
  if (graph_expr(&e->graph, node)->op != CAT_REC) return remembered(e, node, a, a, need);
  if (!(need & NEED_ONLY_IF) && e->exact[node] == CAT_NO_NODE) return delayed(e, node, a, a);
  cat_node exact = encode_exact(e, node);
  return exact == CAT_NO_NODE ? LIT_FALSE : encode_member(e, exact, a, need);
}
