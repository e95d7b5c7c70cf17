#include "out/build_json.h"
#include "out/explain.h"

bool out_has_kernel(const struct program *program) {
  return SOME_BELOW(t, program->thread_count, program->threads[t].of_kernel);
}

bool out_is_launch(const struct result *result) {
  return out_has_kernel(result->program) && program_asks_safety(result->program);
}

const char *out_kind(enum litmus_quantifier quantifier) {
  switch (quantifier) {
    case LITMUS_EXISTS: return "Allowed";
    case LITMUS_NOT_EXISTS: return "Forbidden";
    case LITMUS_FORALL: return "Required";
    case LITMUS_SAFE: return "Safety";
    case LITMUS_IN_TURNS: return "Turns";
  }
  BUG("no quantifier %d", (int)quantifier);
}

void out_pass_list(const struct result *result, struct text *out) {
  if (result->complete && result->outcomes.len) text_pass_all(out);
}

void out_reason(const struct result *result, struct text *out) {
  REQUIRE(result->reason);
  const struct span place = span_typed(result->place);
  if (place.source) {
    struct position at = source_position(place.source, place.begin);
    text_printf(out, "%s:%u:%u: ", place.source->name, at.line, at.column);
  }
  text_add(out, result->reason->text);
}

void out_instr(const struct program *program, uint32_t thread, uint32_t instr, struct text *out) {
  if (thread == NO_THREAD) {
    text_add(out, "initial write");
    return;
  }
  REQUIRE(thread < program->thread_count && instr < program->threads[thread].instr_count);
  instr_print(&program->threads[thread].instrs[instr], out);
}

void out_role(const struct program *program, uint32_t thread, struct text *out) {
  const struct thread *t = &program->threads[thread];
  text_printf(out, "P%u is ", t->number);
  thread_tell(t, out);
  if (t->represents) text_printf(out, ", and represents %u more with the same instructions", t->represents);
}

/* ---- A whole execution */

enum { MOST_COLUMNS = 60 };

size_t out_event_width(const struct program *program, const struct explain_event *list, uint32_t count,
                       struct arena *arena) {
  size_t width = 0;
  for (uint32_t i = 0; i < count; i++) {
    size_t length = strlen(out_label(arena, program, list[i].thread, list[i].instr));
    if (length > width) width = length < MOST_COLUMNS ? length : MOST_COLUMNS;
  }
  return width;
}

void out_event(const struct program *program, const struct explain_event *e, size_t width, struct text *out) {
  const char *text = out_label(out->arena, program, e->thread, e->instr);
  const size_t length = strlen(text);
  text_add(out, text);
  if (*e->what) text_printf(out, "%*s   %s", length < width ? (int)(width - length) : 0, "", e->what);
  text_char(out, '\n');
}

void out_history(const struct program *program, const struct explain_history *history, unsigned indent,
                 struct text *out) {
  size_t width = out_event_width(program, history->lines.data, history->lines.len, out->arena);
  VEC_EACH (line, &history->lines) {
    text_printf(out, "%*s", (int)indent, "");
    out_event(program, line, width, out);
  }
  if (history->more) text_printf(out, "%*sand %u more instructions\n", (int)indent, "", history->more);
  VEC_EACH (order, &history->orders) text_printf(out, "%*s%s\n", (int)indent, "", *order);
  if (*history->state) text_printf(out, "%*sit ends with %s\n", (int)indent, "", history->state);
}

void out_execution(const struct program *program, const struct explain_history *history, struct text *out) {
  if (!history) return;
  text_printf(out, "      in this execution%s:\n",
              history->interleaved ? ", step by step" : ", listed thread by thread (no interleaving produces it)");
  out_history(program, history, 8, out);
}

void put_events(struct json to, const char *key, const struct program *program, const struct explain_event *list,
                uint32_t count) {
  struct json array = put_array(to, key);
  for (uint32_t i = 0; i < count; i++)
    PUT(put_place(put_object(array, NULL), program, list[i].thread, list[i].instr), J_SOME("effect", list[i].what));
}

void put_history(struct json to, const struct program *program, const struct explain_history *history) {
  if (!history) {
    put_null(to, "execution");
    return;
  }
  struct json object = put_object(to, "execution");
  put_bool(object, "interleaving", history->interleaved);
  put_events(object, "steps", program, history->lines.data, history->lines.len);
  put_number(object, "more", history->more);
  struct json orders = put_array(object, "orders");
  VEC_EACH (order, &history->orders) put_text(orders, NULL, *order);
  put_text_or_null(object, "state", history->state);
}
