/* Prints the findings of an unsafe test: the places, the missing order, the advice and an execution. */

#include "out/build_json.h"
#include "out/explain.h"

static void add_waiting(const struct program *program, const struct hang *hang, struct text *out) {
  VEC_EACH (w, &hang->waiting) {
    out_access(program, w->thread, w->instr, out);
    out_point("it waits: ", w->state, out);
  }
}

static void add_places(const struct program *program, const struct safety_story *story, struct text *out) {
  const struct safety_finding *f = story->finding;
  bool same = f->thread_a == f->thread_b && f->instr_a == f->instr_b;
  if (story->hang) {
    add_waiting(program, story->hang, out);
  } else if (f->thread_a != NO_THREAD || f->thread_b != NO_THREAD) {
    out_access(program, f->thread_a, f->instr_a, out);
    if (!same) out_access(program, f->thread_b, f->instr_b, out);
  } else if (f->place.source) {
    text_add(out, "    ");
    span_tell_line(f->place, out);
    text_char(out, '\n');
  }
}

static void add_story(const struct program *program, const struct safety_story *story, struct text *out) {
  const struct safety_finding *f = story->finding;
  const struct explain_clause *clause = &story->clause;
  text_printf(out, "  %s", safety_name(f->kind));
  if (story->race) text_printf(out, " on %s", story->race->location);
  if (*f->clause) text_printf(out, ": %s", f->clause);
  if (f->text && !story->hang) text_printf(out, ": %s", f->text);
  if (f->pairs > 1) text_printf(out, " (%u pairs)", f->pairs);
  text_char(out, '\n');
  if (story->race && !story->missing) {
    out_race(program, story->race, out);
    return;
  }
  add_places(program, story, out);
  out_point("the rule: ", clause->says, out);
  out_point("why: ", story->missing, out);
  out_point("fix: ", story->cure, out);
  out_execution(program, story->history, out);
}

static void note_thread(bool *told, uint32_t thread) {
  if (thread != NO_THREAD) told[thread] = true;
}

/* Adds the roles of the threads of kernels in a finding. */
static void add_roles(const struct explanation *x, struct text *out) {
  const struct program *program = x->result->program;
  bool *told = ARENA_ARRAY(out->arena, bool, program->thread_count + 1), any = false;
  VEC_EACH (story, &x->stories) {
    note_thread(told, story->finding->thread_a);
    note_thread(told, story->finding->thread_b);
    for (uint32_t k = 0; story->hang && k < story->hang->waiting.len; k++)
      note_thread(told, story->hang->waiting.data[k].thread);
    for (uint32_t k = 0; story->history && k < story->history->lines.len; k++)
      note_thread(told, story->history->lines.data[k].thread);
    for (uint32_t k = 0; story->history && k < story->history->sources.len; k++)
      note_thread(told, story->history->sources.data[k]);
  }
  for (uint32_t t = 0; t < program->thread_count; t++) {
    if (!told[t] || !program->threads[t].of_kernel) continue;
    text_add(out, any ? "  " : "\n  ");
    out_role(program, t, out);
    text_char(out, '\n');
    any = true;
  }
}

void out_stories(const struct explanation *x, struct text *out) {
  for (uint32_t i = 0; i < x->stories.len; i++) add_story(x->result->program, &x->stories.data[i], out);
  add_roles(x, out);
  if (x->result->reason) {
    text_add(out, "\nOther findings are unknown: ");
    out_reason(x->result, out);
    text_char(out, '\n');
  }
  text_add(out, "\nptxlit fix looks for the cheapest change that makes it safe.\n");
}

/* ---- JSON ---- */

static void put_story(struct json list, const struct program *program, const struct safety_story *story) {
  struct json object = put_object(list, NULL), places = put_array(object, "places");
  const struct safety_finding *f = story->finding;
  const struct race *race = story->race;
  for (uint32_t i = 0; story->hang && i < story->hang->waiting.len; i++) {
    const struct waiting *w = &story->hang->waiting.data[i];
    struct json place = put_place(put_object(places, NULL), program, w->thread, w->instr);
    put_text(place, "state", w->state);
    put_role(place, program, w->thread);
  }
  bool pair = !story->hang && (f->thread_a != NO_THREAD || f->thread_b != NO_THREAD);
  const uint32_t threads[] = {f->thread_a, f->thread_b}, instrs[] = {f->instr_a, f->instr_b};
  for (size_t i = 0; pair && i < ARRAY_LEN(threads); i++)
    put_role(put_place(put_object(places, NULL), program, threads[i], instrs[i]), program, threads[i]);
  PUT(object, J_TEXT("kind", safety_name(f->kind)), J_TEXT("clause", f->clause),
      J_TEXT("location", race ? race->location : NULL), J_TEXT("rule", story->clause.says),
      J_TEXT("missing", story->missing), J_TEXT("cure", story->cure));
  put_not_ordered(object, race, false);
  put_text(object, "order", race ? race->order : NULL);
  put_history(object, program, story->history);
}

void put_stories(struct json to, const struct explanation *x) {
  struct json list = put_array(to, "findings");
  VEC_EACH (story, &x->stories) put_story(list, x->result->program, story);
}
