#include "out/build_json.h"

void put_origin(struct json object, struct span span) {
  const struct source_origin *origin = span.source ? source_origin(span.source, span.begin) : NULL;
  if (!origin) return;
  struct json source = put_object(object, "source");
  PUT(source, J_TEXT("file", origin->file), J_NUMBER("line", origin->line));
  if (origin->outer) PUT(source, J_TEXT("into", origin->outer), J_NUMBER("into-line", origin->outer_line));
}

struct json put_place(struct json object, const struct program *program, uint32_t thread, uint32_t instr) {
  bool initial = thread == NO_THREAD;
  struct text text = {.arena = object.arena};
  out_instr(program, thread, instr, &text);
  struct span span = initial ? (struct span){0} : program->threads[thread].instrs[instr].span;
  struct position at = {0};
  if (span.source) at = source_position(span.source, span.begin);
  put(object, "thread", initial ? json_null() : json_integer(program->threads[thread].number));
  put(object, "line", span.source ? json_integer(at.line) : json_null());
  put(object, "column", span.source ? json_integer(at.column) : json_null());
  put_text(object, "text", text_str(&text));
  put_origin(object, span);
  uint32_t all, iteration = initial ? 0 : instr_turn(program, thread, instr, &all);
  if (iteration) put(object, "turn", json_integer(iteration));
  if (iteration && !program->test->prefix) put(object, "turns", json_integer(all));
  uint32_t stage, stages = initial ? 0 : instr_stage(program, thread, instr, &stage);
  if (stages) PUT(object, J_NUMBER("stage", stage), J_NUMBER("stages", stages));
  return object;
}

void put_role(struct json place, const struct program *program, uint32_t thread) {
  const struct thread *t = thread == NO_THREAD ? NULL : &program->threads[thread];
  bool grids = false, gpus = false;
  if (!t || !t->of_kernel) return;
  if (t->host) {
    put_bool(place, "host", true);
    return;
  }
  PUT(place, J_NUMBER("tid", t->special.tid), J_NUMBER("block", t->special.cta), J_NUMBER("stands-for", t->represents));
  ARRAY_EACH (other, program->threads, program->thread_count) {
    grids = grids || (!other->host && other->grid != t->grid);
    gpus = gpus || (!other->host && other->gpu != t->gpu);
  }
  if (grids) put_number(place, "grid", t->grid);
  if (gpus) put_number(place, "gpu", t->gpu);
}

static const struct source *quoted_source(const struct quotes *quotes, const char *file) {
  for (uint32_t i = 0; quotes && i < quotes->len; i++)
    if (strcmp(quotes->data[i].file, file) == 0) return &quotes->data[i].text;
  return NULL;
}

static void put_quote(struct json at, const struct source *source, uint32_t line) {
  enum { LONGEST = 300 };
  size_t length;
  const char *text = source && !source->hidden ? source_line_text(source, line, &length) : NULL;
  if (text && length <= LONGEST) put_text(at, "quote", arena_strndup(at.arena, text, length));
}

void put_at(struct json place, const struct program *program, struct span span, const struct quotes *quotes) {
  const struct source_place *near = source_near(span);
  if (!span.source || (!near && span.source == program->source)) return;
  struct position in_text = source_position(span.source, span.begin);
  uint32_t line = near ? near->line : in_text.line, column = near ? near->column : in_text.column;
  const struct source *source = near ? quoted_source(quotes, near->file) : span.source;
  bool named = near && span.source->line_count && strcmp(base_file_name(span.source->name), near->file) == 0;
  struct json at = put_object(place, "at");
  put_text(at, "file", source ? source->name : named ? span.source->name : near->file);
  put_number(at, "line", line);
  if (column) put_number(at, "column", column);
  put_bool(at, "compiled", near == NULL);
  put_quote(at, source, line);
}

/* Extends a value to a JSON number. False if it does not fit. */
static bool fits_number(const struct observable *o, value_t value, value_t *wide) {
  value &= value_mask(o->type.width);
  *wide = o->type.kind == TYPE_SIGNED ? value_sext(value, o->type.width) : value;
  return *wide <= INT64_MAX || *wide >= ~(value_t)INT64_MAX;
}

void add_value(const struct observable *o, value_t value, struct text *out) {
  value_t wide;
  const char *quote = fits_number(o, value, &wide) ? "" : "\"";
  text_add(out, quote);
  text_value(out, value, o->type.width, o->type.kind == TYPE_SIGNED);
  text_add(out, quote);
}

void put_value(struct json object, const struct observable *o, value_t value) {
  value_t wide;
  if (fits_number(o, value, &wide)) {
    put(object, o->name, json_integer((json_int_t)wide));
    return;
  }
  struct text digits = {.arena = object.arena};
  text_value(&digits, value, o->type.width, o->type.kind == TYPE_SIGNED);
  put_text(object, o->name, text_str(&digits));
}

struct json json_begin(struct arena *arena, const struct program *program, const char *model) {
  struct json object = json_new(arena);
  struct span span = span_typed(program->span);
  PUT(object, J_NUMBER("format", 1), J_TEXT("test", program->name),
      J_TEXT("file", program->source ? program->source->name : NULL));
  put(object, "line", span.source ? json_integer(source_position(span.source, span.begin).line) : json_null());
  put_text(object, "model", model);
  return object;
}
