/* Refuses tests that the model is silent about, in every engine: those in another language, and those with operations
 * that no relation of the model mentions. */
#include "exec/skeleton.h"

static void refuse(struct skeleton *s, enum reason_id id, const char *text, struct span place) {
  s->refusal = reason_with(s->arena, id, text);
  s->refusal_place = place;
}

static bool is_about_another_language(struct skeleton *s, const struct model *model) {
  if (model->language != (s->program->cuda ? ABOUT_PTX : ABOUT_CUDA)) return false;
  refuse(s, REASON_OTHER_LANGUAGE,
         s->program->cuda ? "the model is about PTX, but the test is in CUDA C++: use another, such as rc11-scoped"
                          : "the model is about CUDA C++, but the test is in PTX: use another, such as ptx",
         s->program->span);
  return true;
}

/* The relation that a model must mention to judge a program with the instruction; NULL: none. */
static const char *needs_of(const struct instr *in, enum cat_builtin *needed) {
  switch (in->kind) {
    case INSTR_ASYNC:
      *needed = async_row(in->async->action)->tensor ? CAT_REL_PIPELINE : CAT_REL_SPAWN;
      return *needed == CAT_REL_PIPELINE ? "tensor memory" : "asynchronous operations";
    case INSTR_MBARRIER: *needed = CAT_REL_PHASE; return "mbarrier objects";
    case INSTR_GROUP: *needed = CAT_REL_SPAWN; return "asynchronous operations";
    case INSTR_GRID_LAUNCH:
    case INSTR_GRID_WAIT: *needed = CAT_REL_ENDED; return "dependent grids";
    case INSTR_HOST_LAUNCH:
    case INSTR_HOST_SYNC: *needed = CAT_REL_API; return "launches by a host";
    case INSTR_PROXY_FENCE:
      *needed = in->proxy == PROXY_TMEM                     ? CAT_REL_PIPELINE
                : in->proxy == PROXY_GENERIC && in->one_way ? CAT_SET_RESTRICTED_RELEASE
                                                            : CAT_REL_COVERS;
      if (in->one_way == ONE_WAY_INIT) *needed = CAT_SET_INIT_FENCE;
      return in->one_way || in->proxy == PROXY_ASYNC ? "this fence" : NULL;
    case INSTR_ALU:
    case INSTR_LOAD:
    case INSTR_STORE:
    case INSTR_ATOM:
    case INSTR_RED:
    case INSTR_FENCE:
    case INSTR_BRANCH:
    case INSTR_EXIT:
    case INSTR_TRAP:
    case INSTR_BARRIER:
    case INSTR_MULTIMEM:
    case INSTR_NOTHING:
    case INSTR_UNSUPPORTED: return NULL;
  }
  BUG("instruction of kind %d", (int)in->kind);
}

/* Refuses an instruction that needs a relation which the model does not mention. */
static bool meets_silence(struct skeleton *s, const struct model *model, const struct instr *in) {
  enum cat_builtin needed = CAT_REL_ID;
  const char *what = needs_of(in, &needed);
  if (!what && s->program->launch_count) what = "dependent grids", needed = CAT_REL_ENDED;
  if (!what || model_builtin(model, needed) != CAT_NO_NODE) return false;
  refuse(s, REASON_MODEL_SILENT, arena_printf(s->arena, "the model does not define %s", what), in->span);
  return true;
}

/* A model with scopes must say what a host is; one without, such as tso, takes its threads as others. */
static bool knows_no_host(struct skeleton *s, const struct model *model) {
  bool scoped = model_builtin(model, CAT_REL_INCL) != CAT_NO_NODE || model_builtin(model, CAT_REL_SR) != CAT_NO_NODE;
  if (!s->program->host || !scoped || model_builtin(model, CAT_SET_X86) != CAT_NO_NODE) return false;
  refuse(s, REASON_MODEL_SILENT, "the model has scopes and says nothing about hosts", s->program->span);
  return true;
}

void skeleton_refuse_model(struct skeleton *s, const struct model *model) {
  if (is_about_another_language(s, model) || knows_no_host(s, model) || s->refusal) return;
  for (uint32_t t = 0; t < s->program->thread_count; t++)
    for (uint32_t i = 0; i < s->program->threads[t].instr_count; i++)
      if (meets_silence(s, model, &s->program->threads[t].instrs[i])) return;
}
