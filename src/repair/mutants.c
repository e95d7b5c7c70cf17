#include "repair/mutants.h"

#include "repair/fix_search.h"

struct mutation {
  struct arena *arena;
  const struct fix_input *input;
  mutant_visitor *visit;
  void *state;
  uint32_t made;
  const struct reason *undecided; /* the reason for the first undecided verdict */
};

/* Judges a program. False if it is undefined or unknown. */
static bool judge(struct mutation *m, const struct program *program, enum observation *observation) {
  const struct fix_trial judged = fix_check(m->arena, m->input, program);
  if (judged.verdict == VERDICT_UNKNOWN && !m->undecided) m->undecided = judged.why;
  *observation = judged.observation;
  return judged.decided;
}

/* True if the observation means that the outcome of the condition is forbidden. */
static bool is_forbidden(const struct program *program, enum observation observation) {
  return observation == (program->quantifier == QUANTIFIER_FORALL ? OBSERVATION_ALWAYS : OBSERVATION_NEVER);
}

/* Makes a line of the head. */
static struct litmus_key *new_key(struct arena *arena, const char *key, const char *value, struct litmus_key *next) {
  struct litmus_key *made = ARENA_MAKE(arena, struct litmus_key, .key = key, .value = value, .next = next);
  return made;
}

/* Gives the mutant its name, "MP~3", and its description. */
static const struct litmus_test *christen(struct mutation *m, const struct litmus_test *mutant, const char *kind,
                                          enum observation observation) {
  struct litmus_test *named = ARENA_NEW(m->arena, struct litmus_test);
  const char *expected = arena_printf(m->arena, "%s:%s", m->input->model->name, observation_name(observation));
  *named = *mutant;
  named->name = arena_printf(m->arena, "%s~%u", m->input->test->name, ++m->made);
  named->docs = NULL;
  named->keys = new_key(m->arena, "Mutant", kind, new_key(m->arena, "Expect", expected, NULL));
  return named;
}

/* For an edit that weakens the semantics of an instruction: true if no other semantics lies between the new and the
 * current one. */
static bool is_one_step(const struct instr *instr, const struct site *site, const struct edit *a) {
  if (a->sem == instr->sem || (a->scope != instr->scope && a->sem != SEM_WEAK)) return false;
  VEC_EACH (b, &site->variants) {
    bool sideways = a->sem == SEM_ACQUIRE && b->sem == SEM_RELEASE;
    bool between = b->kind == EDIT_STRENGTH && b->scope == instr->scope && b->sem > a->sem && b->sem < instr->sem;
    if (between && !sideways) return false;
  }
  return true;
}

/* The kind of mistake in the mutant; NULL: more than one step away, or of another kind. */
static const char *kind_of(const struct program *program, const struct site *site, const struct edit *edit) {
  const struct instr *instr = &program->threads[edit->thread].instrs[edit->instr];
  if (edit->kind == EDIT_DROP || edit->kind == EDIT_DROP_BARRIER) return "out";
  if (edit->kind == EDIT_WORD) return "qualifier";
  return edit->kind == EDIT_STRENGTH && is_one_step(instr, site, edit) ? "qualifier" : NULL;
}

static bool try_edit(struct mutation *m, const char *kind, const struct edit *edit) {
  enum observation observation;
  const struct litmus_test *test;
  const struct program *program = fix_lower(m->arena, m->input, edit, 1, &test);
  if (!program || !judge(m, program, &observation) || is_forbidden(program, observation)) return true;
  return m->visit(m->state, christen(m, test, kind, observation));
}

/* Tries narrower scopes, even scopes that reach no other thread, which a mistake might use. */
static bool try_scopes(struct mutation *m) {
  const struct program *program = m->input->program;
  EDITS_EACH (t, n, program) {
    const struct instr *instr = &program->threads[t].instrs[n];
    bool has_scope = instr_is_access(instr) || instr->kind == INSTR_FENCE || instr->kind == INSTR_MBARRIER;
    if (!has_scope || instr->scope <= SCOPE_CTA || instr->is_volatile || instr->is_mmio) continue;
    struct edit edit = {.kind = EDIT_STRENGTH, .thread = t, .instr = n, .sem = instr->sem};
    edit.scope = (enum scope)(instr->scope - 1);
    if (!try_edit(m, "scope", &edit)) return false;
  }
  return true;
}

static bool try_site(struct mutation *m, const struct site *site) {
  for (uint32_t k = 0; k < site->variants.len; k++) {
    const char *kind = kind_of(m->input->program, site, &site->variants.data[k]);
    if (kind && !try_edit(m, kind, &site->variants.data[k])) return false;
  }
  return true;
}

const struct reason *mutants_visit(struct arena *arena, const struct fix_input *input, mutant_visitor *visit,
                                   void *state) {
  struct mutation m = {arena, input, visit, state, 0, NULL};
  struct sites sites;
  enum observation observation;
  if (!judge(&m, input->program, &observation)) return m.undecided;
  if (!is_forbidden(input->program, observation)) return NULL;
  edits_weaker(arena, input->test, input->program, &sites);
  for (uint32_t i = 0; i < sites.list.len; i++)
    if (!try_site(&m, &sites.list.data[i])) return m.undecided;
  try_scopes(&m);
  return m.undecided;
}
