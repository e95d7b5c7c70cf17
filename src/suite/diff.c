/* `ptxlit diff`: what changed from one run to another. */
#include <string.h>

#include "suite/run_file.h"
#include "suite/suite.h"

struct diff {
  json_t *a;    /* test, a tab and the model -> result; those met in B are taken out */
  json_t *both; /* the keys met in B */
  uint64_t compared, changed, outcomes, only_a, only_b;
  double ms_a, ms_b;
  const char *b_path;
  bool wrong;
};

/* An error of a file has no name, but a place. */
static char *key_of(const struct record *record, struct arena *arena) {
  if (!record->test) return arena_printf(arena, "%s:%lld\t", record->file, record->line);
  return arena_printf(arena, "%s\t%s", record->test, record->model ? record->model : "");
}

static void print_name(const char *key) {
  const char *tab = strchr(key, '\t');
  printf("%.*s", (int)(tab - key), key);
  if (tab[1]) printf(" under %s", tab + 1);
}

static void read_a(struct diff *diff, const char *path) {
  struct run_file file;
  struct record record;
  bool open = run_file_open(&file, path);
  while (open && run_file_next(&file, &record)) {
    struct arena arena;
    arena_init(&arena, NULL);
    char *key = key_of(&record, &arena);
    if (json_object_get(diff->a, key)) {
      fprintf(stderr, "%s:%llu: error: a second result of '%s'\n", path, (unsigned long long)file.number,
              record.test ? record.test : record.file);
      diff->wrong = true;
    } else {
      member_put(diff->a, key, json_incref(record.json));
    }
    record_release(&record);
    arena_release(&arena);
  }
  if (file.failed) diff->wrong = true;
  run_file_warn_if_cut(&file);
  run_file_close(&file);
}

/* ---- one result */

static bool has_state(const json_t *outcomes, const json_t *state) {
  for (size_t i = 0; i < json_array_size(outcomes); i++)
    if (json_equal(json_object_get(json_array_get(outcomes, i), "state"), state)) return true;
  return false;
}

/* `of`: the result that `from` is of. */
static uint64_t print_missing(const json_t *of, const json_t *from, const json_t *in, const char *sign, bool print) {
  uint64_t count = 0;
  for (size_t i = 0; i < json_array_size(from); i++) {
    const json_t *state = json_object_get(json_array_get(from, i), "state");
    struct arena arena;
    struct text text;
    if (has_state(in, state)) continue;
    count++;
    if (!print) continue;
    arena_init(&arena, NULL);
    text_init(&text, &arena);
    record_state(of, state, &text);
    printf("  %s %s\n", sign, text_str(&text));
    arena_release(&arena);
  }
  return count;
}

/* Outcomes are compared where both runs listed them all. */
static bool outcomes_differ(const json_t *a, const json_t *b, bool print) {
  const json_t *x = json_object_get(a, "outcomes"), *y = json_object_get(b, "outcomes");
  bool listed = json_is_array(x) && json_is_array(y) && json_is_integer(json_object_get(a, "positive")) &&
                json_is_integer(json_object_get(b, "positive"));
  if (!listed || json_equal(x, y)) return false;
  uint64_t lost = print_missing(a, x, y, "lost", print), gained = print_missing(b, y, x, "new ", print);
  return lost + gained > 0;
}

static void print_verdict(const struct record *record) {
  if (record->verdict) printf("%s %s", record->verdict, record->observation ? record->observation : "-");
  else printf("error");
}

static bool verdict_differs(const struct record *a, const struct record *b) {
  const char *x = a->verdict ? a->verdict : "error", *y = b->verdict ? b->verdict : "error";
  return strcmp(x, y) != 0 || strcmp(record_found(a), record_found(b)) != 0;
}

static bool text_differs(const json_t *a, const json_t *b) {
  const json_t *x = json_object_get(a, "hash"), *y = json_object_get(b, "hash");
  return x && y && !json_equal(x, y);
}

static void print_timing(const struct record *a, const struct record *b, const char *key) {
  double more = b->ms - a->ms, less = -more;
  bool slower = more > 100 && b->ms > 2 * a->ms, faster = less > 100 && a->ms > 2 * b->ms;
  if (!slower && !faster) return;
  print_name(key);
  printf(": %s: %.0f ms -> %.0f ms\n", slower ? "slower" : "faster", a->ms, b->ms);
}

static void compare(struct diff *diff, const struct record *a, const struct record *b, const char *key) {
  bool verdict = verdict_differs(a, b), outcomes = outcomes_differ(a->json, b->json, false);
  diff->compared++;
  diff->changed += verdict;
  diff->outcomes += outcomes;
  diff->ms_a += a->ms;
  diff->ms_b += b->ms;
  if (verdict || outcomes) {
    print_name(key);
    printf(": ");
    print_verdict(a);
    if (verdict) printf(" -> ");
    if (verdict) print_verdict(b);
    puts(text_differs(a->json, b->json) ? " (the test itself has changed)" : "");
    outcomes_differ(a->json, b->json, true);
  }
  print_timing(a, b, key);
}

static void take_b(struct diff *diff, struct record *b, uint64_t line) {
  struct arena arena;
  struct record a;
  arena_init(&arena, NULL);
  char *key = key_of(b, &arena);
  json_t *before = json_object_get(diff->a, key);
  if (json_object_get(diff->both, key)) {
    fprintf(stderr, "%s:%llu: error: a second result of '%s'\n", diff->b_path, (unsigned long long)line,
            b->test ? b->test : b->file);
    diff->wrong = true;
  } else if (!before) {
    print_name(key);
    printf(": only in B: ");
    print_verdict(b);
    putchar('\n');
    diff->only_b++;
  } else if (record_from_json(json_incref(before), &a)) {
    compare(diff, &a, b, key);
    record_release(&a);
  }
  member_put(diff->both, key, json_true());
  json_object_del(diff->a, key);
  arena_release(&arena);
}

static void read_b(struct diff *diff) {
  struct run_file file;
  struct record record;
  bool open = run_file_open(&file, diff->b_path);
  while (open && run_file_next(&file, &record)) {
    take_b(diff, &record, file.number);
    record_release(&record);
  }
  if (file.failed) diff->wrong = true;
  run_file_warn_if_cut(&file);
  run_file_close(&file);
}

enum ptxlit_status suite_diff(const char *a, const char *b) {
  struct diff diff = {.a = must_json(json_object()), .both = must_json(json_object()), .b_path = b};
  const char *key;
  json_t *value;
  read_a(&diff, a);
  read_b(&diff);
  json_object_foreach(diff.a, key, value) {
    print_name(key);
    puts(": only in A");
    diff.only_a++;
  }
  printf("%llu result%s compared: %llu other verdict%s, %llu with other outcomes; %llu only in A, %llu only in B; "
         "%.2f s -> %.2f s\n",
         (unsigned long long)diff.compared, diff.compared == 1 ? "" : "s", (unsigned long long)diff.changed,
         diff.changed == 1 ? "" : "s", (unsigned long long)diff.outcomes, (unsigned long long)diff.only_a,
         (unsigned long long)diff.only_b, diff.ms_a / 1000.0, diff.ms_b / 1000.0);
  json_decref(diff.a);
  json_decref(diff.both);
  if (diff.wrong) return PTXLIT_BAD_INPUT;
  return diff.changed + diff.outcomes + diff.only_a + diff.only_b ? PTXLIT_UNMET : PTXLIT_OK;
}
