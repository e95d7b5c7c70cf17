#include "encode/parts.h"

bool encoder_is_late(struct encoder *e) {
  if (base_is_late(e->deadline))
    e->refusal = reason_of_size(e->arena, REASON_TIME_LIMIT, "the time limit was reached while encoding",
                                e->skeleton->program, 0.5);
  if (sat_is_full(e->sat))
    e->refusal = reason_of_size(e->arena, REASON_TIME_LIMIT, "it takes too many clauses", e->skeleton->program, 0.5);
  return e->refusal != NULL;
}

/* Narrows the phases of steps on mbarrier objects, and so the order of operations: sound if no axiom is dropped. */
static void narrow_phases(struct encoder *e, const struct model *model, bool all_axioms) {
  struct graph graph;
  uint32_t axiom;
  bool *wanted = ARENA_ARRAY(e->arena, bool, model->nodes.len);
  const bool asked = all_axioms && e->skeleton->mbarriers.len && encode_does(e, TECHNIQUE_PHASES);
  const cat_node time = asked ? phases_time(model, &axiom) : CAT_NO_NODE;
  e->phase_axiom = NO_AXIOM;
  if (time == CAT_NO_NODE) return;
  wanted[time] = true;
  graph_init_for(&graph, e->arena, model, e->skeleton, wanted);
  const struct skeleton *narrow = phases_narrow(e->arena, &graph, time);
  if (narrow) e->skeleton = narrow, e->phase_axiom = axiom;
}

void encoder_init(struct encoder *e, struct arena *arena, struct sat *sat, const struct model *model,
                  const struct skeleton *skeleton, const struct slots *slots, bool all_axioms, double deadline) {
  *e = (struct encoder){.arena = arena,
                        .scratch = arena_scratch(arena),
                        .sat = sat,
                        .skeleton = skeleton,
                        .slots = slots,
                        .all_axioms = all_axioms && !skeleton->options.precise,
                        .deadline = deadline};
  sat_deadline(sat, deadline);
  gates_init(&e->gates, arena, sat);
  narrow_phases(e, model, all_axioms);
  graph_init(&e->graph, arena, model, e->skeleton);
  e->closures = ARENA_ARRAY(arena, struct closure *, model->nodes.len);
  e->exact = ARENA_ARRAY(arena, cat_node, model->nodes.len);
  for (cat_node i = 0; i < model->nodes.len; i++) e->exact[i] = CAT_NO_NODE;
  encode_memo_init(e);
  if (encode_does(e, TECHNIQUE_CHAINS)) encode_find_chains(e);
  encode_program(e);
  encode_chains(e);
  e->assumptions = ARENA_ARRAY(arena, lit, model->axioms.len);
  for (uint32_t i = 0; i < model->axioms.len; i++) {
    bool asked = model->axioms.data[i].role == CAT_AXIOM && !encoder_is_late(e); /* late: the program is encoded only in
                                                                                    part */
    e->assumptions[i] = asked ? encode_test(e, i, true) : LIT_TRUE;
  }
  encoder_define_pairs(e);
}

/* ---- Conditions ---- */

/* One side of a comparison at a width. */
static struct word side(struct encoder *e, const struct cond_term *term, unsigned width) {
  if (term->is_constant) return word_const(e->arena, term->constant, width);
  const struct observable *o = &e->skeleton->program->observables[term->observable];
  REQUIRE(term->observable < e->skeleton->program->observed_count);
  return word_resize(e->arena, e->finals[term->observable], width, o->type.kind == TYPE_SIGNED);
}

static lit compare_words(struct encoder *e, enum compare compare, struct word a, struct word b, bool is_signed) {
  switch (compare) {
    case COMPARE_EQ: return word_equal(&e->gates, a, b);
    case COMPARE_NE: return -word_equal(&e->gates, a, b);
    case COMPARE_LT: return word_less(&e->gates, a, b, is_signed);
    case COMPARE_LE: return -word_less(&e->gates, b, a, is_signed);
    case COMPARE_GT: return word_less(&e->gates, b, a, is_signed);
    case COMPARE_GE: return -word_less(&e->gates, a, b, is_signed);
  }
  BUG("comparison %d", (int)compare);
}

static lit compare_sides(struct encoder *e, const struct cond *cond) {
  const struct observable *all = e->skeleton->program->observables;
  unsigned width = 0;
  bool is_signed = true; /* two constants compare as signed numbers */
  const struct cond_term *terms[] = {&cond->a, &cond->b};
  for (unsigned i = 0; i < 2; i++) {
    if (terms[i]->is_constant) continue;
    struct type type = all[terms[i]->observable].type;
    bool type_signed = type.kind == TYPE_SIGNED;
    is_signed = type.width > width ? type_signed : type.width == width ? is_signed && type_signed : is_signed;
    if (type.width > width) width = type.width;
  }
  if (!width) width = 128;
  return compare_words(e, cond->compare, side(e, &cond->a, width), side(e, &cond->b, width), is_signed);
}

/* The parser limits the depth of conditions, so recursion is safe. */
lit encoder_condition(struct encoder *e, const struct cond *cond) {
  switch (cond->kind) {
    case COND_TRUE: return LIT_TRUE;
    case COND_NOT: return -encoder_condition(e, cond->left);
    case COND_AND:
      return gates_and2(&e->gates, encoder_condition(e, cond->left), encoder_condition(e, cond->right), NEED_BOTH);
    case COND_OR:
      return gates_or2(&e->gates, encoder_condition(e, cond->left), encoder_condition(e, cond->right), NEED_BOTH);
    case COND_COMPARE: return compare_sides(e, cond);
  }
  BUG("condition %d", (int)cond->kind);
}

/* ---- Reading a solution back ---- */

static void read_sources(const struct encoder *e, struct execution *x) {
  for (uint32_t i = 0; i < e->slots->count; i++) {
    struct bitset writers = e->skeleton->writers[e->slots->list[i].chunk];
    x->source[i] = NO_EVENT;
    EACH (w, writers)
      if (sat_value(e->sat, e->source[i][e->writer_index[w]])) x->source[i] = w;
  }
}

static void read_orders(const struct encoder *e, struct execution *x) {
  const struct skeleton *s = e->skeleton;
  struct bitset writers = s->sets[CAT_SET_WRITE];
  bitmat_clear(x->order);
  EACH (a, writers)
    EACH (b, writers) {
      lit order = e->order[(size_t)e->writer_index[a] * e->writer_count + e->writer_index[b]];
      if (order != LIT_FALSE && sat_value(e->sat, order)) bitmat_add(x->order, a, b);
    }
  encode_read_fences(e, x->sc);
}

static value_t word_value(const struct encoder *e, struct word word) {
  value_t value = 0;
  for (unsigned i = 0; i < word.width; i++)
    if (word.bits[i] != LIT_FALSE && sat_value(e->sat, word.bits[i])) value |= (value_t)1 << i;
  return value;
}

static void read_phases(const struct encoder *e, struct execution *x) {
  const struct skeleton *s = e->skeleton;
  for (term_id id = 0; id < s->terms.list.len && (s->go_threads.len || s->free.list.len); id++) {
    const struct term *t = term_get(&s->terms, id);
    if (t->op == TERM_GO && e->words[id].width) x->go[t->event] = sat_value(e->sat, e->words[id].bits[0]);
    if (t->op == TERM_FREE && e->words[id].width) x->free[t->event] = word_value(e, e->words[id]);
  }
  encode_read_turns(e, x->turn);
  EACH_THREAD_EVENT (a, ev, s) {
    x->pass[a] = e->pass[a] && sat_value(e->sat, e->pass[a]);
    if (ev->kind != EVENT_ARRIVE) continue;
    x->phase[a] = NO_PHASE;
    for (uint32_t k = 0; k < s->groups.data[ev->meeting.group].phases; k++)
      if (sat_value(e->sat, e->phase[a][k])) x->phase[a] = k;
  }
}

void encoder_witness(const struct encoder *e, struct execution *x, uint32_t *last) {
  read_sources(e, x);
  read_orders(e, x);
  read_phases(e, x);
  for (uint32_t c = 0; c < e->skeleton->chunk_count; c++) {
    struct bitset writers = e->skeleton->writers[c];
    last[c] = NO_EVENT;
    for (uint32_t w = bitset_next(writers, 0); w < writers.n && e->last[c]; w = bitset_next(writers, w + 1))
      if (sat_value(e->sat, e->last[c][e->writer_index[w]])) last[c] = w;
  }
}

value_t encoder_final(const struct encoder *e, uint32_t index) {
  return word_value(e, (struct word){e->finals[index].bits, e->lengths[index]});
}

void encoder_describe(const struct encoder *e, struct text *out) {
  const struct skeleton *s = e->skeleton;
  for (uint32_t i = 0; i < e->slots->count; i++) {
    struct bitset writers = s->writers[e->slots->list[i].chunk];
    EACH (w, writers)
      text_printf(out, "c %d rf e%u e%u chunk %u\n", e->source[i][e->writer_index[w]], w, e->slots->list[i].read,
                  e->slots->list[i].chunk);
  }
  for (uint32_t a = 0; a < s->first_init; a++)
    for (uint32_t b = 0; b < s->first_init; b++) {
      bool writes = skeleton_event(s, a)->kind == EVENT_WRITE && skeleton_event(s, b)->kind == EVENT_WRITE;
      lit order = writes ? e->order[(size_t)e->writer_index[a] * e->writer_count + e->writer_index[b]] : LIT_FALSE;
      if (order != LIT_FALSE) text_printf(out, "c %d co e%u e%u\n", order, a, b);
      if (a < b && bitmat_has(s->may[CAT_REL_SC_ORDER], a, b) && encoder_fence_choice(e, a, b))
        text_printf(out, "c %d sc e%u e%u\n", encoder_fence_choice(e, a, b), a, b);
    }
  const struct model *model = e->graph.model;
  for (uint32_t i = 0; i < model->axioms.len; i++)
    if (model->axioms.data[i].role == CAT_AXIOM)
      text_printf(out, "c %d assume for axiom %s\n", e->assumptions[i], model->axioms.data[i].name);
}
