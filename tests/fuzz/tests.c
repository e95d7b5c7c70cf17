#include "tests.h"

#include <string.h>

bool fuzz_read(struct ptxlit *session, const char *name, const uint8_t *data, size_t size,
               const struct ptxlit_options *options) {
  ptxlit_set_options(session, options);
  bool read = ptxlit_read_text(session, name, (const char *)data, size) == PTXLIT_OK;
  const char *messages = ptxlit_messages(session, size & 1);
  if (!read && !*messages) BUG("an input is rejected without a message");
  return read;
}

static size_t count_of(const char *text, const char *part) {
  size_t count = 0;
  for (const char *at = strstr(text, part); at; at = strstr(at + 1, part)) count++;
  return count;
}

/* True if both texts are one but for comments, which say how a loop was cut. */
static bool is_one_test(const char *a, const char *b) {
  for (;; a++, b++) {
    if (strncmp(a, " (*", 3) == 0) a = strstr(a, "*)") + 2;
    if (strncmp(b, " (*", 3) == 0) b = strstr(b, "*)") + 2;
    if (*a != *b || !*a) return *a == *b;
  }
}

static void read_printed(const char *printed, const struct ptxlit_options *options) {
  struct ptxlit *again = fuzz_session("");
  ptxlit_set_options(again, options);
  bool read = ptxlit_read_text(again, "printed.litmus", printed, strlen(printed)) == PTXLIT_OK;
  const char *messages = ptxlit_messages(again, false);
  /* A qualifier that is not known is an opaque value in a module, newer than the tool (K3), and an error in columns. */
  bool newer = !read && count_of(messages, ": error: ") == count_of(messages, "[unknown-qualifier]");
  if (!read && !newer) BUG("what is printed cannot be read:\n%s\n%s", printed, messages);
  const char *twice = newer ? printed : ptxlit_dump(again, 0, 0, PTXLIT_DUMP_AST);
  if (!is_one_test(printed, twice)) BUG("printed again it is another test:\n%s\n%s", printed, twice);
  ptxlit_free(again);
}

void fuzz_round_trip(struct ptxlit *session, const struct ptxlit_options *given) {
  struct ptxlit_options options = *given;
  options.timeout = 0; /* which is wall time: it may pass on a busy machine */
  ptxlit_set_options(session, &options);
  for (size_t test = 0; test < ptxlit_test_count(session) && test < 4; test++) {
    const char *printed = ptxlit_dump(session, test, 0, PTXLIT_DUMP_AST);
    const char *messages = ptxlit_messages(session, false);
    if (!printed && !strstr(messages, "the time limit")) BUG("a test cannot be printed: %s", messages);
    if (printed) read_printed(printed, &options); /* else its kernel was read under the limit given */
  }
  ptxlit_set_options(session, given);
}
