/* An execution told whole, as text and as JSON. */
#include <string.h>

#include "out/build_json.h"
#include "out/explain.h"
#include "out/out.h"

static const char *label(struct arena *arena, const struct program *program, const struct explain_line *line) {
  struct text text;
  text_init(&text, arena);
  out_place(program, line->thread, line->instr, &text);
  text_add(&text, "  ");
  out_instr(program, line->thread, line->instr, &text);
  return text_str(&text);
}

enum { MOST_COLUMNS = 60 };

void out_history(const struct program *program, const struct explain_history *history, unsigned indent,
                 struct text *out) {
  size_t width = 0;
  for (uint32_t i = 0; i < history->lines.len; i++) {
    size_t length = strlen(label(out->arena, program, &history->lines.data[i]));
    if (length > width) width = length < MOST_COLUMNS ? length : MOST_COLUMNS;
  }
  for (uint32_t i = 0; i < history->lines.len; i++) {
    const struct explain_line *line = &history->lines.data[i];
    const char *text = label(out->arena, program, line);
    size_t length = strlen(text);
    text_printf(out, "%*s%s", (int)indent, "", text);
    if (*line->what) text_printf(out, "%*s   %s", length < width ? (int)(width - length) : 0, "", line->what);
    text_char(out, '\n');
  }
  if (history->more) text_printf(out, "%*sand %u more\n", (int)indent, "", history->more);
  for (uint32_t i = 0; i < history->orders.len; i++)
    text_printf(out, "%*s%s\n", (int)indent, "", history->orders.data[i]);
  if (*history->state) text_printf(out, "%*sit ends with %s\n", (int)indent, "", history->state);
}

json_t *json_history(struct json_build *b, const struct program *program, const struct explain_history *history) {
  if (!history) return json_null();
  json_t *object = json_object(), *lines = json_array(), *orders = json_array();
  for (uint32_t i = 0; i < history->lines.len; i++) {
    const struct explain_line *line = &history->lines.data[i];
    json_t *item = json_object();
    json_put_place(b, item, program, line->thread, line->instr);
    json_put_text(b, item, "effect", *line->what ? line->what : NULL);
    json_push(b, lines, item);
  }
  for (uint32_t i = 0; i < history->orders.len; i++) json_push_text(b, orders, history->orders.data[i]);
  json_put_bool(b, object, "interleaving", history->interleaved);
  json_put(b, object, "steps", lines);
  json_put_number(b, object, "more", history->more);
  json_put(b, object, "orders", orders);
  json_put_text(b, object, "state", *history->state ? history->state : NULL);
  return object;
}
