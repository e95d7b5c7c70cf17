/* Edits for the targets whose input is a litmus test: what libFuzzer changes at random bytes is mostly no test any
 * more, so half of the edits here are of whole cells, rows and dots, with the words of the instruction table. */
#include <string.h>

#include "../diff/table.h"
#include "base/rng.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

struct edit {
  struct rng rng;
  uint8_t *data;
  size_t size, most;
};

struct piece {
  size_t begin, end;
};

static bool is_one_of(const struct edit *e, size_t at, const char *set) {
  return e->data[at] && strchr(set, (char)e->data[at]);
}

/* Between the separators around a random place; an empty piece when there is none. */
static struct piece pick_piece(struct edit *e, const char *separators) {
  size_t begin = e->size ? rng_below(&e->rng, (uint32_t)e->size) : 0;
  while (begin > 0 && !is_one_of(e, begin - 1, separators)) begin--;
  size_t end = begin;
  while (end < e->size && !is_one_of(e, end, separators)) end++;
  return (struct piece){begin, end};
}

/* Puts `length` bytes of `text`, which is not in the input, in the place of a piece, if there is room. */
static void replace(struct edit *e, struct piece at, const void *text, size_t length) {
  size_t rest = e->size - at.end, size = at.begin + length + rest;
  if (size > e->most) return;
  memmove(e->data + at.begin + length, e->data + at.end, rest);
  memcpy(e->data + at.begin, text, length);
  e->size = size;
}

enum { LONGEST = 512 };

/* One cell, row or line in the place of another, or beside it. */
static void copy_piece(struct edit *e, const char *separators, bool insert) {
  char text[LONGEST];
  struct piece from = pick_piece(e, separators), to = pick_piece(e, separators);
  size_t length = from.end - from.begin;
  if (length > LONGEST - 1) return;
  memcpy(text, e->data + from.begin, length);
  if (insert) {
    text[length++] = to.end < e->size ? (char)e->data[to.end] : '\n';
    to.end = to.begin;
  }
  replace(e, to, text, length);
}

/* Another word of the instruction table for the dots or the opcode at a random place. */
static void change_word(struct edit *e) {
  struct piece at = pick_piece(e, " .,[]|;\n");
  bool dot = at.begin > 0 && e->data[at.begin - 1] == '.';
  const char *word = dot ? table_word(rng_below(&e->rng, table_word_count()))->spelling + 1
                         : table_row(rng_below(&e->rng, table_opcode_count()))->opcode;
  replace(e, at, word, strlen(word));
}

/* One more dot after a word, or one less. */
static void change_dots(struct edit *e) {
  struct piece at = pick_piece(e, " .,[]|;\n");
  const char *word = table_word(rng_below(&e->rng, table_word_count()))->spelling;
  if (at.begin > 0 && e->data[at.begin - 1] == '.' && rng_below(&e->rng, 2)) {
    at.begin--;
    replace(e, at, "", 0);
  } else {
    at.begin = at.end;
    replace(e, at, word, strlen(word));
  }
}

static void change_number(struct edit *e) {
  static const char *const numbers[] = {"0", "1", "2", "3", "4", "8", "255", "-1", "65536", "4294967295", "0x80000000"};
  size_t at = e->size ? rng_below(&e->rng, (uint32_t)e->size) : 0;
  while (at < e->size && !(e->data[at] >= '0' && e->data[at] <= '9')) at++;
  size_t end = at;
  while (end < e->size && e->data[end] >= '0' && e->data[end] <= '9') end++;
  const char *number = numbers[rng_below(&e->rng, ARRAY_LEN(numbers))];
  if (at < end) replace(e, (struct piece){at, end}, number, strlen(number));
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  struct edit e = {{seed}, data, size, most};
  if (rng_below(&e.rng, 2)) return LLVMFuzzerMutate(data, size, most);
  for (uint32_t edits = 1 + rng_below(&e.rng, 3); edits; edits--) {
    switch (rng_below(&e.rng, 8)) {
    case 0: copy_piece(&e, "|;\n", false); break;
    case 1: copy_piece(&e, ";\n", true); break;
    case 2: copy_piece(&e, " ,[]{}|;\n", false); break;
    case 3: copy_piece(&e, "\n", false); break;
    case 4:
    case 5: change_word(&e); break;
    case 6: change_dots(&e); break;
    default: change_number(&e);
    }
  }
  return e.size;
}
