#include "result/outcomes.h"

#include <unistd.h>

enum { MOST_HELD = 16384, PAGE_ROWS = 1024 };

/* Rows of one length: a byte that is 1 if P holds, the executions, and the values, each with its type's bytes. */
struct outcome_file {
  struct arena *arena;
  const struct program *program;
  FILE *stream;
  uint32_t row_size;
  uint32_t written;      /* the number of rows in the file, which has whole pages */
  unsigned char *newest; /* the page that grows */
  uint32_t newest_rows;
  unsigned char *read; /* the page that was read last */
  uint32_t read_page;  /* its number; UINT32_MAX: none */
  value_t *values;     /* the values of the outcome that was returned last */
  bool full;           /* the file takes no more rows */
};

int values_order(const value_t *a, const value_t *b, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

int outcome_order(const struct program *program, const value_t *a, const value_t *b) {
  return values_order(a, b, program->observed_count);
}

static uint32_t value_size(const struct program *program, uint32_t observable) {
  return (program->observables[observable].type.width + 7u) / 8u;
}

/* ---- Rows ---- */

static void encode_row(const struct outcome_file *file, const struct outcome *outcome, unsigned char *to) {
  *to++ = outcome->satisfies;
  memcpy(to, &outcome->executions, sizeof outcome->executions);
  to += sizeof outcome->executions;
  for (uint32_t i = 0; i < file->program->observed_count; i++) {
    value_t value = outcome->values[i];
    for (uint32_t k = value_size(file->program, i); k; k--, value >>= 8) *to++ = (unsigned char)value;
  }
}

static struct outcome decode_row(const struct outcome_file *file, const unsigned char *from) {
  struct outcome outcome = {.values = file->values, .satisfies = *from++};
  memcpy(&outcome.executions, from, sizeof outcome.executions);
  from += sizeof outcome.executions;
  for (uint32_t i = 0; i < file->program->observed_count; i++) {
    uint32_t size = value_size(file->program, i);
    value_t value = 0;
    for (uint32_t k = size; k; k--) value = value << 8 | from[k - 1];
    file->values[i] = value;
    from += size;
  }
  return outcome;
}

/* ---- The file ---- */

static void close_file(void *object) {
  struct outcome_file *file = object;
  if (file->stream) fclose(file->stream);
  file->stream = NULL;
}

/* If no file can be made, the outcomes stay in memory. */
static void open_file(struct arena *arena, const struct program *program, struct outcomes *list) {
  struct outcome_file *file = list->file = ARENA_NEW(arena, struct outcome_file);
  *file = (struct outcome_file){.arena = arena, .program = program, .read_page = UINT32_MAX};
  file->row_size = 1 + sizeof(uint64_t);
  for (uint32_t i = 0; i < program->observed_count; i++) file->row_size += value_size(program, i);
  file->newest = arena_calloc(arena, PAGE_ROWS, file->row_size);
  file->read = arena_calloc(arena, PAGE_ROWS, file->row_size);
  file->values = ARENA_ARRAY(arena, value_t, program->observed_count);
  arena_own(arena, close_file, file);
  file->stream = tmpfile();
  file->full = !file->stream;
}

static off_t page_at(const struct outcome_file *file, uint32_t page) {
  return (off_t)page * PAGE_ROWS * (off_t)file->row_size;
}

static bool write_page(struct outcome_file *file) {
  const char *from = (const char *)file->newest;
  size_t left = (size_t)PAGE_ROWS * file->row_size;
  for (off_t at = page_at(file, file->written / PAGE_ROWS); left;) {
    ssize_t done = pwrite(fileno(file->stream), from, left, at);
    if (done <= 0) return false;
    from += done, at += done, left -= (size_t)done;
  }
  return true;
}

/* Outcomes that a file has lost are reported as out of memory. */
static void read_page(struct outcome_file *file, uint32_t page) {
  char *to = (char *)file->read;
  size_t left = (size_t)PAGE_ROWS * file->row_size;
  file->read_page = UINT32_MAX;
  for (off_t at = page_at(file, page); left;) {
    ssize_t done = pread(fileno(file->stream), to, left, at);
    if (done <= 0) arena_out_of_memory(file->arena);
    to += done, at += done, left -= (size_t)done;
  }
  file->read_page = page;
}

/* ---- The list ---- */

struct outcome outcome_copy(struct arena *arena, const struct program *program, struct outcome outcome) {
  value_t *values = ARENA_ARRAY(arena, value_t, program->observed_count);
  for (uint32_t i = 0; i < program->observed_count; i++) values[i] = outcome.values[i];
  outcome.values = values;
  return outcome;
}

/* A page that does not fit in the file stays in memory, as do all pages after it. */
static void end_file(struct arena *arena, struct outcomes *list) {
  struct outcome_file *file = list->file;
  file->full = true;
  for (uint32_t i = 0; i < file->newest_rows; i++) {
    struct outcome outcome = decode_row(file, file->newest + (size_t)i * file->row_size);
    VEC_PUSH(arena, &list->last, outcome_copy(arena, file->program, outcome));
  }
  file->newest_rows = 0;
}

static void add_to_file(struct arena *arena, struct outcomes *list, const struct outcome *outcome) {
  struct outcome_file *file = list->file;
  encode_row(file, outcome, file->newest + (size_t)file->newest_rows++ * file->row_size);
  if (file->newest_rows < PAGE_ROWS) return;
  if (write_page(file)) file->written += PAGE_ROWS, file->newest_rows = 0;
  else end_file(arena, list);
}

void outcomes_add(struct arena *arena, const struct program *program, struct outcomes *list, struct outcome outcome) {
  for (uint32_t i = 0; i < program->observed_count; i++)
    REQUIRE(!(outcome.values[i] & ~value_mask(8 * value_size(program, i))));
  list->len++;
  list->some[outcome.satisfies] = true;
  if (list->first.len < MOST_HELD) {
    VEC_PUSH(arena, &list->first, outcome_copy(arena, program, outcome));
    return;
  }
  if (!list->file) open_file(arena, program, list);
  if (list->file->full) VEC_PUSH(arena, &list->last, outcome_copy(arena, program, outcome));
  else add_to_file(arena, list, &outcome);
}

struct outcome outcomes_at(const struct outcomes *list, uint32_t index) {
  REQUIRE(index < list->len);
  if (index < list->first.len) return list->first.data[index];
  struct outcome_file *file = list->file;
  index -= list->first.len;
  if (index >= file->written + file->newest_rows) return list->last.data[index - file->written];
  uint32_t page = index / PAGE_ROWS, row = index % PAGE_ROWS;
  if (index < file->written && file->read_page != page) read_page(file, page);
  return decode_row(file, (index < file->written ? file->read : file->newest) + (size_t)row * file->row_size);
}
