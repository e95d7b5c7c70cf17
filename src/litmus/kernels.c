/* Parses the lines of a test that place kernels (docs/semantics.md T6). */

#include "litmus/cuda.h"

static void no_line(struct litmus_parse *parse, const struct litmus_word *keyword) {
  static const char *const words[] = {"kernel", "grid", "block", "cluster", "shared", "threads", "cooperative", "gpu"};
  static const char *const forms[] = {"kernel \"file.ptx\" entry(x, 1)",
                                      "grid 2",
                                      "block 16 8",
                                      "cluster 2",
                                      "shared 1024",
                                      "threads 0,0 0,1-31",
                                      "cooperative",
                                      "gpu 1:"};
  const char *near = nearest_word(keyword->text, words, ARRAY_LEN(words));
  for (size_t i = 0; i < ARRAY_LEN(words); i++) {
    if (strcmp(words[i], keyword->text) != 0) continue;
    litmus_error(parse, DIAG_SYNTAX, keyword->span, "'%s' is not written like this" HINT "write it as in: %s", words[i],
                 forms[i]);
    return;
  }
  struct diagnostic *d =
      litmus_error(parse, DIAG_SYNTAX, keyword->span, "'%s' does not begin a line about kernels", keyword->text);
  if (near) diag_hint(parse->diags, d, "did you mean '%s'?", near);
  else
    diag_hint(parse->diags, d,
              "these lines begin with kernel, and after it grid, block, cluster, shared, threads or cooperative; gpu "
              "1: comes before kernel");
}

/* The kernel to which a line with sizes or threads belongs. */
static struct litmus_kernel *latest(struct litmus_parse *parse, const struct litmus_word *keyword) {
  if (parse->last_kernel && !parse->last_kernel->host) return parse->last_kernel;
  litmus_error(parse, DIAG_SYNTAX, keyword->span,
               "'%s' before the first kernel" HINT "first say which: kernel \"file.ptx\" entry(x, 1)", keyword->text);
  return NULL;
}

void litmus_kernel_add(struct litmus_parse *parse, const struct litmus_word *keyword, const struct litmus_word *file,
                       const struct litmus_word *entry, struct litmus_value *args, struct span span) {
  if (strcmp(keyword->text, "kernel") != 0) no_line(parse, keyword);
  struct litmus_kernel *kernel = NODE(kernel, .file = *file, .entry = *entry, .args = args, .span = span);
  kernel->gpu = parse->has_gpu ? parse->gpu : 0;
  parse->has_gpu = false;
  if (parse->last_kernel) parse->last_kernel->next = kernel;
  else parse->test->kernels = kernel;
  parse->last_kernel = kernel;
}

void litmus_host_row(struct litmus_parse *parse, struct litmus_rows *rows, struct litmus_cell *cell, struct span span) {
  struct litmus_row *row = NODE(row, .cells = cell, .count = 1, .span = span);
  LIST_ADD(*rows, row);
}

void litmus_kernel_host(struct litmus_parse *parse, struct litmus_rows rows, struct span span) {
  static const struct litmus_extent one = {.x = 1, .y = 1, .z = 1};
  struct litmus_test *whole = parse->test, own = *whole;
  struct litmus_thread thread = {.span = span};
  own.threads = &thread;
  own.thread_count = 1;
  own.rows = rows.first;
  parse->test = &own;
  litmus_cuda_unblock(parse);
  parse->test = whole;
  struct litmus_kernel *host = NODE(kernel, .host = true, .rows = own.rows, .grid = one, .block = one, .span = span);
  host->file = host->entry = *litmus_word_of(parse, "host", span);
  host->gpu = LITMUS_HOST_GPU + parse->hosts_beside++;
  if (parse->last_kernel) parse->last_kernel->next = host;
  else parse->test->kernels = host;
  parse->last_kernel = host;
}

static void twice(struct litmus_parse *parse, const struct litmus_word *keyword) {
  litmus_error(parse, DIAG_SYNTAX, keyword->span, "'%s' is given twice for this kernel", keyword->text);
}

static void set_shared(struct litmus_parse *parse, struct litmus_kernel *kernel, const struct litmus_word *keyword,
                       struct litmus_number number, struct span span) {
  if (kernel->shared) twice(parse, keyword);
  if (!number.value) litmus_error(parse, DIAG_NUMBER_RANGE, span, "shared memory of 0 bytes: leave it out");
  kernel->shared = litmus_small(parse, number, 1000000, keyword->text);
}

static struct litmus_extent *extent_of(struct litmus_kernel *kernel, const char *keyword) {
  return strcmp(keyword, "grid") == 0      ? &kernel->grid
         : strcmp(keyword, "block") == 0   ? &kernel->block
         : strcmp(keyword, "cluster") == 0 ? &kernel->cluster
                                           : NULL;
}

void litmus_kernel_size(struct litmus_parse *parse, const struct litmus_word *keyword,
                        const struct litmus_number *numbers, unsigned count, struct span span) {
  struct litmus_kernel *kernel = latest(parse, keyword);
  if (!kernel) return;
  struct litmus_extent *size = extent_of(kernel, keyword->text);
  bool shared = strcmp(keyword->text, "shared") == 0 && count == 1;
  if (shared) set_shared(parse, kernel, keyword, numbers[0], span);
  if (!size && !shared) no_line(parse, keyword);
  if (!size) return;
  if (size->x) twice(parse, keyword);
  uint32_t sizes[3] = {1, 1, 1};
  uint64_t volume = 1;
  bool none = false;
  for (unsigned i = 0; i < count; i++) {
    none = none || !numbers[i].value;
    sizes[i] = litmus_small(parse, numbers[i], INT32_MAX, keyword->text);
    volume = volume > INT32_MAX ? volume : volume * sizes[i];
  }
  *size = (struct litmus_extent){sizes[0], sizes[1], sizes[2], span};
  if (none) litmus_error(parse, DIAG_NUMBER_RANGE, span, "a %s of 0 has no threads", keyword->text);
  /* CUDA C++ Programming Guide 13.0, "Compute Capabilities"; clusters above 8 are not portable. */
  uint64_t most = size == &kernel->block ? 1024 : size == &kernel->cluster ? 16 : INT32_MAX;
  if (volume > most)
    litmus_error(parse, DIAG_NUMBER_RANGE, span, "a %s has at most %llu %s", keyword->text, (unsigned long long)most,
                 size == &kernel->block ? "threads" : "blocks");
}

struct litmus_pair *litmus_threads_new(struct litmus_parse *parse, struct litmus_number block,
                                       struct litmus_number first, const struct litmus_number *last, struct span span) {
  struct litmus_pair *pair = NODE(pair, .block = litmus_small(parse, block, 1000000, "a block"), .span = span);
  pair->thread = litmus_small(parse, first, 1000000, "a thread");
  pair->last = last ? litmus_small(parse, *last, 1000000, "a thread") : pair->thread;
  return pair;
}

void litmus_kernel_flag(struct litmus_parse *parse, const struct litmus_word *word) {
  struct litmus_kernel *kernel = latest(parse, word);
  bool threads = strcmp(word->text, "threads") == 0, grouped = strcmp(word->text, "grouped") == 0;
  if (!kernel) return;
  if (grouped && parse->says_threads) kernel->grouped = true;
  else if (strcmp(word->text, "cooperative") == 0) kernel->cooperative = true;
  else if (!threads) no_line(parse, word);
  parse->says_threads = threads;
}

void litmus_kernel_gpu(struct litmus_parse *parse, const struct litmus_word *keyword, struct litmus_number number,
                       struct span span) {
  (void)span;
  if (strcmp(keyword->text, "gpu") != 0) no_line(parse, keyword);
  parse->has_gpu = true;
  parse->gpu = litmus_small(parse, number, 1000000, "a gpu");
}

void litmus_kernel_threads(struct litmus_parse *parse, const struct litmus_word *keyword, struct litmus_pair *threads,
                           struct span span) {
  struct litmus_kernel *kernel = latest(parse, keyword);
  if (!kernel) return;
  if (extent_of(kernel, keyword->text)) {
    litmus_error(parse, DIAG_SYNTAX, span, "'%s' takes numbers, not a pair of them" HINT "without a comma: '%s %u %u'",
                 keyword->text, keyword->text, threads->block, threads->thread);
    return;
  }
  if (strcmp(keyword->text, "threads") != 0) {
    no_line(parse, keyword);
    return;
  }
  if (kernel->threads) twice(parse, keyword);
  kernel->threads = threads;
}

/* ---- tensor maps, and addresses of locations */

void litmus_map_size(struct litmus_parse *parse, struct litmus_map *map, const struct litmus_word *keyword,
                     struct litmus_number number) {
  if (keyword) parse->list = keyword;
  enum litmus_map_list list = 0;
  while (list < MAP_LISTS && strcmp(parse->list->text, litmus_map_word(list)) != 0) list++;
  bool corner = list == MAP_LOWER || list == MAP_UPPER;
  if (list == MAP_LISTS)
    litmus_error(parse, DIAG_SYNTAX, parse->list->span,
                 "a tensor map has dims, box, strides and steps, not '%s'" HINT
                 "or for im2col dims, lower, upper, channels, pixels, strides and steps",
                 parse->list->text);
  else if (map->of[list].count == MOST_DIMENSIONS || (number.negative && !corner) || number.value > (value_t)1 << 40)
    litmus_error(parse, DIAG_NUMBER_RANGE, number.span, "a tensor has at most %d dimensions, of at most 2^40",
                 (int)MOST_DIMENSIONS);
  else {
    int64_t size = (int64_t)number.value;
    map->of[list].list[map->of[list].count++] = number.negative ? -size : size;
  }
}

const char *litmus_map_word(enum litmus_map_list list) {
  static const char *const words[] = {
#define ROW(id, word) word,
      LITMUS_MAP_LISTS(ROW)
#undef ROW
  };
  return words[list];
}

struct litmus_entry *litmus_at_new(struct litmus_parse *parse, struct litmus_words words, bool based,
                                   struct litmus_number offset, struct span span) {
  const struct litmus_word *base = based ? litmus_words_last(&words) : NULL;
  if (!words.first) words.first = words.last = (struct litmus_word *)(uintptr_t)base;
  const struct litmus_word *name = words.first, *at = name->next;
  struct litmus_entry *entry =
      litmus_entry_new(parse, (struct litmus_words){0}, (struct litmus_words){0}, litmus_ref_plain(parse, name), span);
  entry->at = ARENA_NEW(parse->arena, struct litmus_at);
  entry->at->offset = (uint64_t)offset.value;
  entry->at->base = base ? base->text : NULL;
  if (!at || strcmp(at->text, "at") != 0)
    litmus_error(parse, DIAG_SYNTAX, span,
                 "an entry cannot begin with '%s'" HINT "for example: x at 0x700000000; or y at x+4096;", name->text);
  return entry;
}
