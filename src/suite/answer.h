/* What a worker answers: records one after another, each a struct answer and the bytes that it announces. */
#ifndef PTXLIT_SUITE_ANSWER_H
#define PTXLIT_SUITE_ANSWER_H

#include "base/text.h"
#include "suite/names.h"
#include "suite/record.h"

enum answer_kind { ANSWER_FILE, ANSWER_MESSAGE, ANSWER_TEST, ANSWER_RESULT, ANSWER_DONE };

struct answer {
  uint32_t kind;   /* enum answer_kind */
  uint32_t number; /* of the file, or of the test */
  uint32_t line;   /* of the test */
  uint64_t size;   /* of the bytes that follow, the last of which is NUL when there are any */
};

enum { NO_MODEL = -1, NO_ENTRY = -1 };

/* A result that is judged and written in the format of the report, so that it need only be counted and passed on. It
 * stands in front of its texts: the name ("" for an error of a file), what was found, a line for the summary ("" when
 * there is nothing to say), the text of the report, and the result itself in JSON as it was before it was judged; each
 * ends with a NUL. */
struct result_answer {
  double ms;
  uint32_t result; /* enum suite_result */
  int32_t model;   /* its number, or NO_MODEL */
  int32_t entry;   /* the expectation used (wanted.h), or NO_ENTRY */
  uint32_t line, remarks;
  char digest[NAME_DIGEST]; /* of the name */
  struct stored stored;     /* belongs into the text of the report */
};

struct result_texts {
  const char *name, *found, *failure, *rendered, *json;
};

/* Takes an answer apart whose bytes are at `bytes`. */
void result_answer_read(const char *bytes, struct result_answer *head, struct result_texts *texts);
/* Adds the bytes of one to `out`. */
void result_answer_write(const struct result_answer *head, const struct result_texts *texts, struct text *out);

#endif
