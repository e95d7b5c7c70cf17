#include "out/build_json.h"
#include "out/explain.h"
#include "out/out.h"

/* ---- Text ---- */

static unsigned line_of(const struct program *program, uint32_t thread, uint32_t instr) {
  struct span span = program->threads[thread].instrs[instr].span;
  return span.source ? source_position(span.source, span.begin).line : 0;
}

static void add_line(const struct program *program, const struct fix_change *c, struct text *out) {
  switch (c->kind) {
    case FIX_ADD:
      text_printf(out, "P%u after line %u  add %s\n", program->threads[c->thread].number,
                  line_of(program, c->thread, c->instr), c->after);
      return;
    case FIX_MOVE:
      out_place(program, c->thread, c->instr, out);
      text_printf(out, "  move %s to after line %u\n", c->before, line_of(program, c->thread, c->target));
      return;
    case FIX_DROP:
      out_place(program, c->thread, c->instr, out);
      text_printf(out, "  drop %s\n", c->before);
      return;
    case FIX_REPLACE:
      out_place(program, c->thread, c->instr, out);
      text_printf(out, "  %s%s%s", c->before, c->after ? "  ->  " : "", c->after ? c->after : "");
      text_printf(out, "%s%s%s\n", c->remark ? "  (" : "", c->remark ? c->remark : "", c->remark ? ")" : "");
      return;
  }
  BUG("no kind %d", (int)c->kind);
}

static void add_ways(const struct fixes *x, struct text *out) {
  if (x->only_minimal) text_add(out, "This forbids it, and none of it can be left out:\n");
  else text_printf(out, x->ways.len == 1 ? "This forbids it:\n" : "Each of these forbids it, the weakest first:\n");
  for (uint32_t i = 0; i < x->ways.len && i < FIX_WAYS; i++)
    for (uint32_t k = 0; k < x->ways.data[i].changes.len; k++) {
      if (k) text_add(out, "      ");
      else text_printf(out, "  %2u. ", i + 1);
      add_line(x->result->program, &x->ways.data[i].changes.data[k], out);
    }
  if (x->ways.len > FIX_WAYS) text_printf(out, "and %u more that are as small\n", x->ways.len - FIX_WAYS);
}

static void add_list(const struct fixes *x, const struct fix_change *list, uint32_t count, const char *title,
                     struct text *out) {
  if (count) text_printf(out, "%s\n", title);
  for (uint32_t i = 0; i < count; i++) {
    text_add(out, "  ");
    add_line(x->result->program, &list[i], out);
  }
}

static void add_weaker(const struct fixes *x, struct text *out) {
  if (!x->alone.len) text_add(out, "Nothing can be weaker.\n");
  add_list(x, x->alone.data, x->alone.len, "Can be weaker, each by itself:", out);
  if (x->alone.len > 1) add_list(x, x->together.changes.data, x->together.changes.len, "All of these at once:", out);
  add_list(x, x->needed.data, x->needed.len, "Needed as it is:", out);
}

static void add_none(const struct fixes *x, struct text *out) {
  text_add(out, "No change of strength, scope or fences forbids it");
  text_add(out,
           x->interleaving ? ": an interleaving of the threads gives it.\n" : ", not even all of them together.\n");
}

void out_fixes(const struct fixes *x, bool weaken, struct text *out) {
  const struct result *result = x->result;
  bool forbidden = weaken ? x->outcome != FIX_NOT_NEEDED : x->outcome == FIX_NOT_NEEDED;
  const char *verdict = forbidden ? "forbidden" : "allowed";
  if (x->outcome == FIX_UNDECIDED) verdict = verdict_name(result->verdict);
  text_printf(out, "%s: %s is %s under %s\n\n", result->program->name, x->claim, verdict, result->model->name);
  if (x->outcome == FIX_UNDECIDED) {
    text_add(out, "Nothing to go by: ");
    out_reason(result, out);
    text_char(out, '\n');
  } else if (x->outcome == FIX_NOT_NEEDED) {
    text_add(out, weaken ? "There is nothing to keep: ptxlit fix without --weaken says what would forbid it.\n"
                         : "There is nothing to fix: ptxlit fix --weaken says what could be weaker.\n");
  } else if (weaken) {
    add_weaker(x, out);
  } else if (x->outcome == FIX_FOUND) {
    add_ways(x, out);
  } else if (x->outcome == FIX_NONE) {
    add_none(x, out);
  } else {
    text_add(out, "No set of changes was found that forbids it.\n");
  }
  if (x->limit) text_printf(out, "Not every smaller set was tried: %s.\n", x->limit);
  text_char(out, '\n');
}

/* ---- JSON ---- */

static json_t *change(struct json_build *b, const struct program *program, const struct fix_change *c) {
  static const char *const kinds[] = {
      [FIX_REPLACE] = "replace", [FIX_ADD] = "add-after", [FIX_MOVE] = "move-after", [FIX_DROP] = "drop"};
  json_t *object = json_object();
  json_put_text(b, object, "kind", kinds[c->kind]);
  json_put_place(b, object, program, c->thread, c->instr);
  if (c->kind == FIX_MOVE) {
    json_put_number(b, object, "to", line_of(program, c->thread, c->target));
  }
  json_put_text(b, object, "after", c->after);
  json_put_text(b, object, "remark", c->remark);
  return object;
}

static json_t *changes(struct json_build *b, const struct program *program, const struct fix_change *list,
                       uint32_t count) {
  json_t *array = json_array();
  for (uint32_t i = 0; i < count; i++) json_push(b, array, change(b, program, &list[i]));
  return array;
}

void out_fixes_json(const struct fixes *x, bool weaken, struct text *out) {
  static const char *const outcomes[] = {[FIX_FOUND] = "found",
                                         [FIX_NOT_NEEDED] = "not-needed",
                                         [FIX_NONE] = "none",
                                         [FIX_NOT_FOUND] = "not-found",
                                         [FIX_UNDECIDED] = "undecided"};
  struct json_build b = {.arena = out->arena};
  const struct program *program = x->result->program;
  json_t *object = json_begin(&b, program, x->result->model->name), *ways = json_array();
  json_put_text(&b, object, "forbids", x->claim);
  json_put_text(&b, object, "outcome", outcomes[x->outcome]);
  json_put_bool(&b, object, "weaken", weaken);
  for (uint32_t i = 0; i < x->ways.len; i++)
    json_push(&b, ways, changes(&b, program, x->ways.data[i].changes.data, x->ways.data[i].changes.len));
  json_put(&b, object, "ways", ways);
  json_put(&b, object, "alone", changes(&b, program, x->alone.data, x->alone.len));
  json_put(&b, object, "together", changes(&b, program, x->together.changes.data, x->together.changes.len));
  json_put(&b, object, "needed", changes(&b, program, x->needed.data, x->needed.len));
  json_put_bool(&b, object, "smallest", !x->only_minimal);
  json_put_bool(&b, object, "interleaving", x->interleaving);
  json_put_text(&b, object, "limit", x->limit);
  json_put_number(&b, object, "tried", x->tried);
  json_finish(&b, object, out);
}
