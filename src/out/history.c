/* An execution told whole, as text and as JSON. */

#include "out/build_json.h"
#include "out/explain.h"
#include "out/out.h"

enum { MOST_COLUMNS = 60 };

void out_history(const struct program *program, const struct explain_history *history, unsigned indent,
                 struct text *out) {
  size_t width = 0;
  for (uint32_t i = 0; i < history->lines.len; i++) {
    const struct explain_line *line = &history->lines.data[i];
    size_t length = strlen(out_label(out->arena, program, line->thread, line->instr));
    if (length > width) width = length < MOST_COLUMNS ? length : MOST_COLUMNS;
  }
  for (uint32_t i = 0; i < history->lines.len; i++) {
    const struct explain_line *line = &history->lines.data[i];
    const char *text = out_label(out->arena, program, line->thread, line->instr);
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

void out_execution(const struct program *program, const struct explain_history *history, struct text *out) {
  if (!history) return;
  text_printf(out, "      in this execution%s:\n",
              history->interleaved ? ", step by step" : ", thread by thread (no interleaving gives it)");
  out_history(program, history, 8, out);
}

void put_history(struct json to, const struct program *program, const struct explain_history *history) {
  if (!history) put_null(to, "execution");
  if (!history) return;
  struct json object = put_object(to, "execution");
  put_bool(object, "interleaving", history->interleaved);
  struct json lines = put_array(object, "steps");
  for (uint32_t i = 0; i < history->lines.len; i++) {
    const struct explain_line *line = &history->lines.data[i];
    struct json item = put_object(lines, NULL);
    put_place(item, program, line->thread, line->instr);
    put_text_or_null(item, "effect", line->what);
  }
  put_number(object, "more", history->more);
  struct json orders = put_array(object, "orders");
  for (uint32_t i = 0; i < history->orders.len; i++) put_text(orders, NULL, history->orders.data[i]);
  put_text_or_null(object, "state", history->state);
}
