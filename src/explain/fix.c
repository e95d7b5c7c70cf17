#include "explain/fix.h"

#include <setjmp.h>
#include <string.h>

#include "explain/edits.h"
#include "explain/explain.h"
#include "explain/words.h"
#include "sat/sat.h"

struct search_fix {
  struct arena *arena, scratch; /* scratch: of one check */
  const struct fix_input *input;
  struct fixes *out;
  struct sites sites;
  double deadline;
  uint32_t races; /* of the test as it is */
};

/* ---- Checking one version ---- */

struct judged {
  bool decided, bad; /* bad: what the test asks about can happen */
  uint32_t races;
};

static struct judged judge_result(const struct result *r) {
  struct judged j = {.decided = r->verdict == VERDICT_ALLOWED || r->verdict == VERDICT_FORBIDDEN};
  bool forall = r->program->quantifier == QUANTIFIER_FORALL;
  j.bad = forall ? r->negative > 0 : r->positive > 0;
  for (uint32_t i = 0; i < r->raised.len; i++)
    j.races += r->raised.data[i].pair_count ? r->raised.data[i].pair_count : 1;
  return j;
}

static struct check_options quick(const struct search_fix *f, bool races) {
  return (struct check_options){.verdict_only = true,
                                .races = races,
                                .unroll = f->input->options->unroll,
                                .barrier_users = f->input->options->barrier_users,
                                .timeout = f->deadline > sat_now() ? f->deadline - sat_now() : 0.001};
}

/* Lowers and checks the test with these edits. */
static struct judged try_edits(struct search_fix *f, const struct edit *edits, uint32_t count, bool races) {
  struct judged judged = {0};
  struct diags diags;
  struct result result;
  struct check_options options = quick(f, races);
  diags_init(&diags, &f->scratch);
  const struct litmus_test *test =
      edits_apply(&f->scratch, f->input->names, f->input->test, f->input->program, edits, count);
  const struct program *program = test ? lower(&f->scratch, f->input->names, &diags, test, f->input->lowering) : NULL;
  if (program) {
    check(&f->scratch, program, f->input->model, &options, &result);
    judged = judge_result(&result);
    f->out->tried++;
  }
  arena_release(&f->scratch);
  return judged;
}

static bool forbids(struct search_fix *f, const struct edit *edits, uint32_t count) {
  struct judged judged = try_edits(f, edits, count, false);
  return judged.decided && !judged.bad;
}

static bool out_of_time(struct search_fix *f) {
  if (sat_now() < f->deadline) return false;
  f->out->limit = "the time limit was reached";
  return true;
}

/* ---- Telling ---- */

static struct fix_change change_of(struct search_fix *f, const struct edit *edit) {
  static const enum fix_change_kind kinds[] = {
      [EDIT_STRENGTH] = FIX_REPLACE, [EDIT_ADD] = FIX_ADD, [EDIT_MOVE] = FIX_MOVE, [EDIT_DROP] = FIX_DROP};
  struct fix_change change = {
      .kind = kinds[edit->kind], .thread = edit->thread, .instr = edit->instr, .target = edit->target};
  if (edit->kind != EDIT_ADD) change.before = words_instr(f->arena, f->input->program, edit->thread, edit->instr);
  if (edit->kind != EDIT_DROP) change.after = edits_text(f->arena, f->input->test, f->input->program, edit);
  return change;
}

static bool same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

/* Other edits may come to the same changes. */
static bool same_way(const struct fix_way *a, const struct fix_way *b) {
  if (a->changes.len != b->changes.len) return false;
  for (uint32_t i = 0; i < a->changes.len; i++) {
    const struct fix_change *c = &a->changes.data[i], *d = &b->changes.data[i];
    bool place = c->kind == d->kind && c->thread == d->thread && c->instr == d->instr && c->target == d->target;
    if (!place || !same_text(c->after, d->after)) return false;
  }
  return true;
}

static void add_way(struct search_fix *f, const struct edit *edits, uint32_t count) {
  struct fix_way way = {0};
  for (uint32_t i = 0; i < count; i++) {
    VEC_PUSH(f->arena, &way.changes, change_of(f, &edits[i]));
    way.cost += edits[i].cost;
  }
  for (uint32_t i = 0; i < f->out->ways.len; i++)
    if (same_way(&f->out->ways.data[i], &way)) return;
  VEC_PUSH(f->arena, &f->out->ways, way);
  for (uint32_t i = f->out->ways.len - 1; i && f->out->ways.data[i - 1].cost > way.cost; i--) {
    f->out->ways.data[i] = f->out->ways.data[i - 1];
    f->out->ways.data[i - 1] = way;
  }
}

/* ---- Sets of sites ----
 *
 * A set of sites is tried with the strongest variant of each first: where that does not forbid it, no weaker one does.
 * Where it does, the variants are tried from the weakest up, and those that are pointwise stronger than one found are
 * left out. */

struct choice {
  uint32_t sites[FIX_CHANGES], picks[FIX_CHANGES];
  uint32_t count;
};

struct found_picks {
  VEC(struct choice) list;
};

static void edits_of(const struct search_fix *f, const struct choice *choice, struct edit *out) {
  for (uint32_t i = 0; i < choice->count; i++)
    out[i] = f->sites.list.data[choice->sites[i]].variants.data[choice->picks[i]];
}

static bool weaker_edit(const struct edit *a, const struct edit *b) {
  bool other_kind = a->sem == SEM_ACQUIRE && b->sem == SEM_RELEASE;
  return a->sem <= b->sem && a->scope <= b->scope && !other_kind;
}

static bool is_dominated(const struct search_fix *f, const struct found_picks *found, const struct choice *choice) {
  struct edit now[FIX_CHANGES], other[FIX_CHANGES];
  edits_of(f, choice, now);
  for (uint32_t k = 0; k < found->list.len; k++) {
    bool all = true;
    edits_of(f, &found->list.data[k], other);
    for (uint32_t i = 0; i < choice->count && all; i++) all = weaker_edit(&other[i], &now[i]);
    if (all) return true;
  }
  return false;
}

/* The next combination of variants, the last site fastest; variants are sorted from weak to strong, so a combination
 * comes after those that it is pointwise stronger than. */
static bool next_picks(const struct search_fix *f, struct choice *choice) {
  for (uint32_t i = choice->count; i-- > 0;) {
    if (++choice->picks[i] < f->sites.list.data[choice->sites[i]].variants.len) return true;
    choice->picks[i] = 0;
  }
  return false;
}

static void try_variants(struct search_fix *f, struct choice choice) {
  struct found_picks found = {0};
  struct edit edits[FIX_CHANGES];
  for (uint32_t i = 0; i < choice.count; i++) choice.picks[i] = 0;
  do {
    if (out_of_time(f)) return;
    if (is_dominated(f, &found, &choice)) continue;
    edits_of(f, &choice, edits);
    if (!forbids(f, edits, choice.count)) continue;
    VEC_PUSH(f->arena, &found.list, choice);
    add_way(f, edits, choice.count);
  } while (next_picks(f, &choice));
}

static bool strongest_forbids(struct search_fix *f, struct choice *choice) {
  struct edit edits[FIX_CHANGES];
  for (uint32_t i = 0; i < choice->count; i++) choice->picks[i] = f->sites.list.data[choice->sites[i]].variants.len - 1;
  edits_of(f, choice, edits);
  return forbids(f, edits, choice->count);
}

/* One instruction is not moved twice, nor changed and moved; a late fence needs another one in its gap, and no fence is
 * added there twice. */
static bool conflicts(const struct search_fix *f, const struct choice *choice, uint32_t site) {
  const struct edit *edit = &f->sites.list.data[site].variants.data[0];
  bool alone = edit->late;
  for (uint32_t i = 0; i < choice->count; i++) {
    const struct edit *other = &f->sites.list.data[choice->sites[i]].variants.data[0];
    bool gap = edit->kind == EDIT_ADD && other->kind == EDIT_ADD && edit->thread == other->thread &&
               edit->instr == other->instr;
    if (gap) alone = false;
    if (gap && edit->is_proxy == other->is_proxy && edit->proxy == other->proxy) return true;
    bool one = edit->thread == other->thread && edit->instr == other->instr;
    if (one && edit->kind != EDIT_ADD && other->kind != EDIT_ADD) return true;
  }
  return alone;
}

static void try_sets(struct search_fix *f, struct choice *choice, uint32_t from, uint32_t left) {
  if (!left) {
    if (strongest_forbids(f, choice)) try_variants(f, *choice);
    return;
  }
  for (uint32_t i = from; i + left <= f->sites.list.len && !out_of_time(f); i++) {
    if (conflicts(f, choice, i)) continue;
    choice->sites[choice->count++] = i;
    try_sets(f, choice, i + 1, left - 1);
    choice->count--;
  }
}

/* Every site at its strongest, fences not moved. */
static bool everything_forbids(struct search_fix *f) {
  VEC(struct edit) all = {0};
  for (uint32_t i = 0; i < f->sites.list.len; i++) {
    const struct site *site = &f->sites.list.data[i];
    if (site->variants.data[0].kind != EDIT_MOVE) VEC_PUSH(f->arena, &all, site->variants.data[site->variants.len - 1]);
  }
  return all.len && forbids(f, all.data, all.len);
}

/* The weakest variant of a site that will do, the other edits being as they are. */
static void weaken_one(struct search_fix *f, const struct site *site, struct edit *edits, uint32_t at, uint32_t count) {
  struct edit strongest = edits[at];
  for (uint32_t k = 0; k + 1 < site->variants.len; k++) {
    edits[at] = site->variants.data[k];
    if (forbids(f, edits, count)) return;
  }
  edits[at] = strongest;
}

/* No small set was found: from everything at its strongest, leaves out what can be left out, and weakens the rest. */
static void leave_out(struct search_fix *f) {
  uint32_t count = 0, sites = f->sites.list.len;
  struct edit *edits = ARENA_ARRAY(f->arena, struct edit, sites), *fewer = ARENA_ARRAY(f->arena, struct edit, sites);
  const struct site **from = ARENA_ARRAY(f->arena, const struct site *, sites);
  for (uint32_t i = 0; i < sites; i++) {
    const struct site *site = &f->sites.list.data[i];
    if (site->variants.data[0].kind == EDIT_MOVE) continue;
    from[count] = site;
    edits[count++] = site->variants.data[site->variants.len - 1];
  }
  /* Accesses first: a fence often does for several of them. */
  for (int fences = 0; fences < 2; fences++)
    for (uint32_t i = 0; i < count;) {
      if ((edits[i].kind == EDIT_ADD) != (fences == 1)) {
        i++;
        continue;
      }
      for (uint32_t k = 0; k < count; k++)
        if (k != i) fewer[k < i ? k : k - 1] = edits[k];
      if (out_of_time(f)) return;
      if (!forbids(f, fewer, count - 1)) {
        i++;
        continue;
      }
      count--;
      for (uint32_t k = i; k < count; k++) edits[k] = edits[k + 1], from[k] = from[k + 1];
    }
  for (uint32_t i = 0; i < count && !out_of_time(f); i++) weaken_one(f, from[i], edits, i, count);
  add_way(f, edits, count);
  f->out->only_minimal = true;
}

static bool is_interleaving(struct search_fix *f) {
  struct explanation explanation;
  struct result result;
  explain(f->arena, f->input->program, f->input->model, f->input->options, &result, &explanation);
  return explanation.interleaved;
}

static void search_ways(struct search_fix *f) {
  struct fixes *out = f->out;
  edits_stronger(f->arena, f->input->program, &f->sites);
  bool moves = false, possible = everything_forbids(f);
  for (uint32_t i = 0; i < f->sites.list.len; i++) moves |= f->sites.list.data[i].variants.data[0].kind == EDIT_MOVE;
  if (!possible && !moves) {
    out->outcome = FIX_NONE;
    out->interleaving = is_interleaving(f);
    return;
  }
  uint32_t most = possible ? FIX_CHANGES : 1; /* only a move can help where no strength does */
  for (uint32_t size = 1; size <= most && size <= f->sites.list.len && !out->ways.len && !out->limit; size++) {
    struct choice choice = {0};
    try_sets(f, &choice, 0, size);
  }
  if (possible && !out->ways.len) {
    const char *limit = out->limit;
    f->deadline = sat_now() + FIX_SECONDS;
    leave_out(f);
    out->limit = limit ? limit : "only those of up to 4 changes were";
  }
  out->outcome = out->ways.len ? FIX_FOUND : possible ? FIX_NOT_FOUND : FIX_NONE;
  if (out->outcome == FIX_NONE) out->interleaving = is_interleaving(f);
}

/* ---- Weakening ---- */

enum kept { KEPT, KEPT_RACY, LOST };

/* What comes of these edits: the verdict stays, it stays with a new race, or it is lost. */
static enum kept keeps(struct search_fix *f, const struct edit *edits, uint32_t count) {
  struct judged judged = try_edits(f, edits, count, true);
  if (!judged.decided || judged.bad) return LOST;
  return judged.races <= f->races ? KEPT : KEPT_RACY;
}

static void note_needed(struct search_fix *f, const struct edit *edit, bool racy) {
  struct fix_change change = {.kind = FIX_REPLACE, .thread = edit->thread, .instr = edit->instr};
  change.before = words_instr(f->arena, f->input->program, edit->thread, edit->instr);
  if (racy) change.remark = "the verdict would stay, but a data race be added";
  VEC_PUSH(f->arena, &f->out->needed, change);
}

/* The weakest variants come first: the first that keeps the verdict is told. */
static void search_weaker(struct search_fix *f) {
  struct edit *kept = NULL;
  uint32_t kept_count = 0;
  edits_weaker(f->arena, f->input->program, &f->sites);
  kept = ARENA_ARRAY(f->arena, struct edit, f->sites.list.len + 1);
  for (uint32_t i = 0; i < f->sites.list.len; i++) {
    const struct site *site = &f->sites.list.data[i];
    const struct edit *alone = NULL, *more = NULL;
    bool racy = false;
    for (uint32_t k = 0; k < site->variants.len && !alone && !out_of_time(f); k++) {
      enum kept kept_alone = keeps(f, &site->variants.data[k], 1);
      if (kept_alone == KEPT) alone = &site->variants.data[k];
      racy = racy || kept_alone == KEPT_RACY;
    }
    for (uint32_t k = 0; k < site->variants.len && !more && alone && !out_of_time(f); k++) {
      kept[kept_count] = site->variants.data[k];
      if (keeps(f, kept, kept_count + 1) == KEPT) more = &site->variants.data[k];
    }
    if (alone) VEC_PUSH(f->arena, &f->out->alone, change_of(f, alone));
    else if (!f->out->limit) note_needed(f, &site->variants.data[0], racy);
    if (!more) continue;
    kept_count++;
    VEC_PUSH(f->arena, &f->out->together.changes, change_of(f, more));
  }
  f->out->outcome = f->out->alone.len ? FIX_FOUND : FIX_NONE;
}

/* ---- Both ---- */

static void run(struct search_fix *f, bool weaken) {
  struct result *result = ARENA_NEW(f->arena, struct result);
  struct check_options options = quick(f, weaken);
  check(f->arena, f->input->program, f->input->model, &options, result);
  struct judged judged = judge_result(result);
  const char *text = f->input->program->condition_text, *open = strchr(text, '(');
  f->out->result = result;
  f->out->claim = open ? arena_strndup(f->arena, open + 1, strlen(open + 1) - 1) : text;
  if (result->program->quantifier == QUANTIFIER_FORALL) f->out->claim = arena_printf(f->arena, "~(%s)", f->out->claim);
  f->races = judged.races;
  if (!judged.decided) f->out->outcome = FIX_UNDECIDED;
  else if (judged.bad == weaken) f->out->outcome = FIX_NOT_NEEDED;
  else if (weaken) search_weaker(f);
  else search_ways(f);
}

/* The scratch arena goes with the search, also when memory runs out. */
static void guarded(struct arena *arena, const struct fix_input *input, struct fixes *out, bool weaken) {
  struct search_fix *volatile f = ARENA_NEW(arena, struct search_fix);
  jmp_buf *volatile outer = arena->oom;
  jmp_buf here;
  *out = (struct fixes){0};
  *f = (struct search_fix){.arena = arena, .input = input, .out = out};
  f->deadline = sat_now() + (input->options->timeout > 0 ? input->options->timeout : FIX_SECONDS);
  if (outer) {
    if (setjmp(here)) {
      arena_release(&f->scratch);
      arena->oom = outer;
      longjmp(*outer, 1);
    }
    arena->oom = &here;
  }
  arena_init(&f->scratch, arena->oom);
  run(f, weaken);
  arena_release(&f->scratch);
  arena->oom = outer;
}

void fix_find(struct arena *arena, const struct fix_input *input, struct fixes *out) {
  guarded(arena, input, out, false);
}

void fix_weaken(struct arena *arena, const struct fix_input *input, struct fixes *out) {
  guarded(arena, input, out, true);
}
