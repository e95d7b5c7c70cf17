#include "laws.h"

#include <stdio.h>
#include <string.h>

#include "changes.h"

/* Every outcome of the left model is one of the right. */
static const struct {
  int strong, weak;
} inclusions[] = {{SC, TSO}, {TSO, PTX_60}, {TSO, COHERENCE}, {PTX_60, PTX_75}, {PTX_75, PTX}};

/* Axioms that follow from the others: without them the outcomes are the same. */
static const struct {
  int model;
  const char *axiom;
} implied[] = {
    {PTX, "SC-per-Location-8.10.5"}, {PTX_75, "SC-per-Location-8.10.5"}, {PTX, "Fence-SC-8.10.2"},
    {PTX, "Time-8.9.1.1"},           {PTX_75, "Fence-SC-8.10.2"},        {PTX_60, "Fence-SC-8.10.2"},
};

/* ---- comparing */

static bool decided(const struct result *r) {
  return (r->verdict == VERDICT_ALLOWED || r->verdict == VERDICT_FORBIDDEN) && r->complete;
}

/* True if as many iterations of loops were looked at for `r` as for the other result. */
static bool reaches(const struct result *r, const struct result *other) {
  return !r->bounded || r->bound_settled || (other->bounded && !other->bound_settled && other->bound <= r->bound);
}

static bool has_outcome(const struct result *r, const value_t *values) {
  for (uint32_t i = 0; i < r->outcomes.len; i++)
    if (outcome_order(r->program, outcomes_at(&r->outcomes, i).values, values) == 0) return true;
  return false;
}

/* Whether `a` has an outcome that `b` has not. */
static bool extra_outcome(const struct result *a, const struct result *b, struct outcome *extra) {
  for (uint32_t i = 0; i < a->outcomes.len; i++) {
    *extra = outcomes_at(&a->outcomes, i);
    if (!has_outcome(b, extra->values)) return true;
  }
  return false;
}

struct row *laws_row(struct bench *b, const char *law, bool equality) {
  for (uint32_t i = 0; i < b->rows.len; i++)
    if (strcmp(b->rows.data[i].law, law) == 0) return &b->rows.data[i];
  struct row row = {.law = arena_printf(&b->arena, "%s", law), .equality = equality};
  VEC_PUSH(&b->arena, &b->rows, row);
  return &b->rows.data[b->rows.len - 1];
}

static void print_outcome(const struct result *r, const struct outcome *outcome, struct arena *arena) {
  struct text text = {.arena = arena};
  for (uint32_t i = 0; i < r->program->observed_count; i++) {
    text_printf(&text, " %s=", r->program->observables[i].name);
    text_value(&text, outcome->values[i], r->program->observables[i].type.width, false);
    text_char(&text, ';');
  }
  printf("%s\n", text_str(&text));
}

static void complain(struct bench *b, struct arena *arena, const struct result *strong, const struct result *weak,
                     const char *law, const char *what) {
  b->broke = true;
  if (b->shrinking) return;
  struct outcome extra;
  printf("FAIL %s: %s%s%s\n", strong->program->name, law, *what ? ": " : "", what);
  printf("  %s is %s, %s is %s\n", strong->model->name, verdict_name(strong->verdict), weak->model->name,
         verdict_name(weak->verdict));
  if (extra_outcome(strong, weak, &extra)) {
    printf("  only on the left:");
    print_outcome(strong, &extra, arena);
  }
  if (extra_outcome(weak, strong, &extra)) {
    printf("  only on the right:");
    print_outcome(weak, &extra, arena);
  }
}

struct law {
  const char *name;
  bool equality;
  bool undefined_too; /* a program undefined on the left is so on the right */
};

/* The outcomes of `strong` must be among those of `weak`. `what` was done to the test, if anything. */
static void compare(struct bench *b, struct arena *arena, struct law law, const struct result *strong,
                    const struct result *weak, const char *what) {
  if (b->only && strcmp(b->only, law.name) != 0) return;
  struct row *row = laws_row(b, law.name, law.equality);
  if (law.undefined_too && strong->verdict == VERDICT_UNDEFINED) {
    bool kept = weak->verdict == VERDICT_UNDEFINED || weak->verdict == VERDICT_UNKNOWN;
    if (!kept) row->broken++, complain(b, arena, strong, weak, law.name, what);
    return;
  }
  bool comparable = reaches(weak, strong) && (!law.equality || reaches(strong, weak));
  if (!decided(strong) || !decided(weak) || !comparable) {
    b->open++;
    return;
  }
  row->compared++;
  struct outcome extra;
  bool more = extra_outcome(weak, strong, &extra);
  if (extra_outcome(strong, weak, &extra) || (more && law.equality)) {
    row->broken++;
    complain(b, arena, strong, weak, law.name, what);
  }
  if (!more) return;
  row->strict_count++;
  if (!row->strict) row->strict = arena_printf(&b->arena, "%s", strong->program->name);
}

/* ---- the laws of one test */

static struct result run(const struct subject *s, const struct program *program, const struct model *model) {
  struct check_options options = {
      .shape = {.unroll = s->unroll}, .timeout = s->bench->lab.timeout, .work = s->bench->work};
  struct result result = {0};
  check(s->arena, program, model, &options, &result);
  return result;
}

static const struct model *model_of(const struct subject *s, int m) { return s->bench->lab.models.data[m]; }

/* ldmatrix or stmatrix of several lanes, which are one operation under ptx alone (B10). */
static bool has_rows_of_lanes(const struct program *program) {
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t i = 0; i < program->threads[t].instr_count; i++) {
      const struct instr *in = &program->threads[t].instrs[i];
      if (in->kind == INSTR_BARRIER && in->barrier->kind == BARRIER_LANES && in->barrier->action == BARRIER_ARRIVE)
        return true;
    }
  return false;
}

static void laws_between_models(struct subject *s) {
  const bool rows = has_rows_of_lanes(s->program);
  for (size_t i = 0; i < ARRAY_LEN(inclusions); i++) {
    int strong = inclusions[i].strong, weak = inclusions[i].weak;
    if (rows && weak == PTX) continue;
    const char *name = arena_printf(s->arena, "%s is within %s", model_of(s, strong)->name, model_of(s, weak)->name);
    compare(s->bench, s->arena, (struct law){.name = name}, &s->base[strong], &s->base[weak], "");
  }
  if (change_is_plain(s->program))
    compare(s->bench, s->arena,
            (struct law){.name = "ptx-6.0 is ptx-7.5 without proxies and aliases", .equality = true}, &s->base[PTX_60],
            &s->base[PTX_75], "");
}

/* What the file promises of silent updates it promises with all of its axioms: without Total-Coherence, an atomic that
 * writes back what it read may be the last write. */
static struct model *model_without(struct arena *arena, const struct model *model, uint32_t axiom) {
  struct model *weaker = ARENA_NEW(arena, struct model);
  *weaker = *model;
  weaker->ignores_silent_updates = false;
  weaker->axioms.data = ARENA_ARRAY(arena, struct cat_axiom, model->axioms.len);
  weaker->axioms.len = 0;
  for (uint32_t i = 0; i < model->axioms.len; i++)
    if (i != axiom) weaker->axioms.data[weaker->axioms.len++] = model->axioms.data[i];
  return weaker;
}

static bool is_implied(int m, const char *axiom) {
  for (size_t i = 0; i < ARRAY_LEN(implied); i++)
    if (implied[i].model == m && strcmp(implied[i].axiom, axiom) == 0) return true;
  return false;
}

/* A comparison with a side that is not decided says nothing: the other side is then not looked for.
 *
 * Dropping an axiom never removes an outcome. On a generated test brute force must say the same of the rest. */
static void law_of_axiom(struct subject *s, int m, uint32_t axiom) {
  const struct model *model = model_of(s, m);
  const char *axiom_name = model->axioms.data[axiom].name;
  bool same = is_implied(m, axiom_name);
  const char *name = arena_printf(s->arena, same ? "%s is %s without %s" : "%s is within %s without %s", model->name,
                                  model->name, axiom_name);
  const struct model *weaker = model_without(s->arena, model, axiom);
  bool counts = decided(&s->base[m]) || s->base[m].verdict == VERDICT_UNDEFINED;
  struct result weak = counts ? run(s, s->program, weaker) : s->base[m];
  compare(s->bench, s->arena, (struct law){.name = name, .equality = same, .undefined_too = true}, &s->base[m], &weak,
          "");
  if (s->all || s->choice % 4 != 0) return;
  const char *twice = arena_printf(s->arena, "brute force agrees on %s less an axiom", model->name);
  if (s->bench->only && strcmp(s->bench->only, twice) != 0) return;
  struct text why = {.arena = s->arena};
  struct row *row = laws_row(s->bench, twice, true);
  enum agreement agreement =
      lab_compare(&s->bench->lab, s->arena, s->program, weaker, (struct lab_plan){.unroll = s->unroll}, &why);
  row->compared += agreement == AGREE;
  if (agreement != DISAGREE) return;
  row->broken++;
  s->bench->broke = true;
  if (!s->bench->shrinking) printf("FAIL %s: %s, %s\n%s", s->program->name, twice, axiom_name, text_str(&why));
}

static void laws_of_axioms(struct subject *s) {
  for (int m = 0; m < MODELS; m++) {
    const struct model *model = model_of(s, m);
    uint32_t count = 0, wanted;
    for (uint32_t i = 0; i < model->axioms.len; i++) count += model->axioms.data[i].role == CAT_AXIOM;
    wanted = (uint32_t)(s->choice % count);
    for (uint32_t i = 0, at = 0; i < model->axioms.len; i++) {
      if (model->axioms.data[i].role != CAT_AXIOM) continue;
      const struct arena_mark mark = arena_mark(s->arena);
      if (s->all || at == wanted) law_of_axiom(s, m, i);
      arena_rewind(s->arena, mark);
      at++;
    }
  }
}

typedef const struct program *change(struct arena *arena, const struct program *program, uint32_t number,
                                     struct text *what);

static void laws_of_change(struct subject *s, change *apply, const char *law) {
  struct text what = {.arena = s->arena};
  uint32_t count = 0;
  const struct program *changed;
  while (apply(s->arena, s->program, count, &what)) count++;
  for (uint32_t i = 0; i < count; i++) {
    if (!s->all && i != s->choice % count) continue;
    const struct arena_mark mark = arena_mark(s->arena);
    text_init(&what, s->arena);
    changed = apply(s->arena, s->program, i, &what);
    for (int m = 0; m < MODELS; m++) {
      struct result strong = decided(&s->base[m]) ? run(s, changed, model_of(s, m)) : s->base[m];
      /* Places and scopes mean nothing there; to tso, one semantics does: that of fence.sc. */
      bool same = m == SC || m == COHERENCE || (m == TSO && apply == change_bring_nearer);
      const char *name = arena_printf(s->arena, same ? "%s means nothing to %s" : "%s adds no outcome to %s", law,
                                      model_of(s, m)->name);
      compare(s->bench, s->arena, (struct law){.name = name, .equality = same}, &strong, &s->base[m], text_str(&what));
    }
    arena_rewind(s->arena, mark);
  }
}

void laws_try(struct subject *s) {
  for (int m = 0; m < MODELS; m++)
    if (!s->base[m].program) s->base[m] = run(s, s->program, model_of(s, m));
  laws_between_models(s);
  laws_of_axioms(s);
  laws_of_change(s, change_strengthen, "a stronger instruction");
  laws_of_change(s, change_bring_nearer, "a nearer thread");
}
