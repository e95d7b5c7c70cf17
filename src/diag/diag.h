/* Diagnostics as records: the library collects the errors of an input here, and the caller renders them.
 *
 * Library code never prints. A record has a code from codes.def (stable: its meaning never changes), a span, a message,
 * at most one related place ("declared here") and at most one hint. The list is capped; dropped records are counted,
 * and the rendering gives their number. */
#pragma once

#include "base/vec.h"
#include "diag/source.h"

enum severity { SEVERITY_ERROR, SEVERITY_WARNING };

enum diag_code {
#define DIAG(id, name, severity, summary) DIAG_##id,
#include "diag/codes.def"
#undef DIAG
  DIAG_COUNT
};

struct diagnostic {
  enum diag_code code;
  struct span span;
  const char *message;
  struct span other;         /* a related place; source == NULL: none */
  const char *other_message; /* the message for the related place: "first declared here" */
  const char *hint;          /* NULL: none */
  const char *lines;         /* lines to copy, shown below the hint; NULL: none */
};

enum { DIAG_LIMIT = 20 };

struct diags {
  struct arena *arena;
  VEC(struct diagnostic) list;
  uint32_t errors, warnings; /* the number of reports, kept or not */
  uint32_t repeated;         /* of these, reports of a record that is kept already */
};

void diags_init(struct diags *diags, struct arena *arena);

/* Separates the message from its hint in the format of a report. No scanner accepts this byte in a name. */
#define HINT "\x1e"

/* Adds a record and returns it, so that the caller can set `other`, or a hint that only some messages have. Lower case,
 * no full stop, names in single quotes. Past the cap it returns a record that is not kept. Never NULL. */
struct diagnostic *diag_report(struct diags *diags, enum diag_code code, struct span span, const char *format, ...)
    PRINTF_LIKE(4, 5);

/* As diag_report, but returns false, so that a check can end with `return diag_refuse(...)`. */
bool diag_refuse(struct diags *diags, enum diag_code code, struct span span, const char *format, ...) PRINTF_LIKE(4, 5);
/* Adds a related place; returns false. */
bool diag_beside(struct diagnostic *diagnostic, struct span other, const char *message);
/* As diag_report, with a va_list. */
struct diagnostic *diag_report_list(struct diags *diags, enum diag_code code, struct span span, const char *format,
                                    va_list args) PRINTF_LIKE(4, 0);

/* Adds the records of another list, except records with the same code, place and message as one of this list. Returns
 * the number of errors added. */
uint32_t diags_add(struct diags *diags, const struct diags *more);

/* Removes the records for which `drop` is true. */
void diags_drop(struct diags *diags, bool (*drop)(const struct diagnostic *record));

/* Sorts the records by place in the text; the sort is stable. */
void diags_sort(struct diags *diags);

/* Adds a hint; returns false. */
bool diag_hint(struct diags *diags, struct diagnostic *diagnostic, const char *format, ...) PRINTF_LIKE(3, 4);

const char *diag_code_name(enum diag_code code);
enum severity diag_code_severity(enum diag_code code);
const char *diag_code_summary(enum diag_code code);

/* Adds the records to `out`: `file:line:col: error: text [code]`, the source line, a caret under the span, the related
 * place, the hint. `colour`: with ANSI colours. */
void diags_render(const struct diags *diags, struct text *out, bool colour);

/* The candidate nearest to `word` by edit distance, or NULL if all need more edits than a third of the letters and
 * digits of `word`, rounded up. */
const char *nearest_word(const char *word, const char *const *candidates, size_t count);
