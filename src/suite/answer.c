#include "suite/answer.h"

#include <string.h>

enum { TEXTS = 5 };

void result_answer_read(const char *bytes, struct result_answer *head, struct result_texts *texts) {
  const char **const to[TEXTS] = {&texts->name, &texts->found, &texts->failure, &texts->rendered, &texts->json};
  memcpy(head, bytes, sizeof *head);
  bytes += sizeof *head;
  for (size_t i = 0; i < TEXTS; i++) {
    *to[i] = bytes;
    bytes += strlen(bytes) + 1;
  }
}

void result_answer_write(const struct result_answer *head, const struct result_texts *texts, struct text *out) {
  const char *const from[TEXTS] = {texts->name, texts->found, texts->failure, texts->rendered, texts->json};
  text_add_slice(out, (const char *)head, sizeof *head);
  for (size_t i = 0; i < TEXTS; i++) text_add_slice(out, from[i], strlen(from[i]) + 1);
}
