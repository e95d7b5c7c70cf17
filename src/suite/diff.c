/* `ptxlit diff`: prints the changes from one run to another. */

#include "base/hash.h"
#include "base/input.h"
#include "suite/record.h"
#include "suite/suite.h"

/* The results of both runs for one name. */
struct compared {
  char *key; /* see key_of */
  json_t *a; /* the result in A; NULL: none */
  bool in_b;
};

struct diff {
  struct arena arena;
  struct hash_index index;
  VEC(struct compared) results;
  uint64_t compared, changed, outcomes, only_a, only_b;
  double ms_a, ms_b;
  bool wrong;
};

/* The key of a result: for an error of a file, which has no test name, its place. */
static char *key_of(const struct record *record, struct arena *arena) {
  if (!record->test) return arena_printf(arena, "%s:%lld\t", record->file, record->line);
  return arena_printf(arena, "%s\t%s", record->test, record->model ? record->model : "");
}

static void print_name(const char *key) {
  const char *tab = strchr(key, '\t');
  text_say(stdout, "%s %.*s", tab[1] ? "Test" : "File", (int)(tab - key), key);
  if (tab[1]) text_say(stdout, " under %s", tab + 1);
}

static void complain_twice(struct diff *diff, const struct record *record, const struct run_file *file) {
  text_say(stderr, "%s:%llu: error: a second result of '%s'\n", file->path, (unsigned long long)file->number,
           record->test ? record->test : record->file);
  diff->wrong = true;
}

/* The values of both runs for a key. */
static struct compared *find(struct diff *diff, const struct record *record) {
  char *key = key_of(record, &diff->arena);
  uint64_t hash = hash_bytes(key, strlen(key));
  HASH_EACH (i, &diff->index, hash)
    if (strcmp(diff->results.data[i].key, key) == 0) return &diff->results.data[i];
  VEC_PUSH(&diff->arena, &diff->results, (struct compared){.key = key});
  hash_add(&diff->arena, &diff->index, hash, diff->results.len - 1);
  return &diff->results.data[diff->results.len - 1];
}

static void take_a(void *state, struct record *record, const struct run_file *file) {
  struct compared *both = find(state, record);
  if (both->a) complain_twice(state, record, file);
  else both->a = json_incref(record->json);
}

/* ---- one result */

static bool has_state(const json_t *outcomes, const json_t *state) {
  return SOME_BELOW(i, json_array_size(outcomes),
                    json_equal(json_object_get(json_array_get(outcomes, i), "state"), state));
}

/* Counts, and with `print` prints, the outcomes in `from` that `in` lacks. `from` is of the result `of`. */
static uint64_t print_missing(const json_t *of, const json_t *from, const json_t *in, const char *sign, bool print) {
  uint64_t count = 0;
  for (size_t i = 0; i < json_array_size(from); i++) {
    const json_t *state = json_object_get(json_array_get(from, i), "state");
    struct arena arena;
    struct text text = {.arena = &arena};
    if (has_state(in, state)) continue;
    count++;
    if (!print) continue;
    arena_init(&arena, NULL);
    told_state(of, state, &text);
    text_say(stdout, "  %s %s\n", sign, text_str(&text));
    arena_release(&arena);
  }
  return count;
}

/* Compares outcomes only if both runs listed all of them. */
static bool outcomes_differ(const json_t *a, const json_t *b, bool print) {
  const json_t *x = json_object_get(a, "outcomes"), *y = json_object_get(b, "outcomes");
  bool listed = json_is_array(x) && json_is_array(y) && json_is_integer(json_object_get(a, "positive")) &&
                json_is_integer(json_object_get(b, "positive"));
  if (!listed || json_equal(x, y)) return false;
  uint64_t lost = print_missing(a, x, y, "lost", print), gained = print_missing(b, y, x, "new ", print);
  return lost + gained > 0;
}

static void print_verdict(const struct record *record) {
  if (record->verdict) text_say(stdout, "%s %s", record->verdict, record->observation ? record->observation : "-");
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

static void take_b(void *state, struct record *b, const struct run_file *file) {
  struct diff *diff = state;
  struct compared *both = find(diff, b);
  struct record a;
  if (both->in_b) {
    complain_twice(diff, b, file);
  } else if (!both->a) {
    print_name(both->key);
    printf(": only in B: ");
    print_verdict(b);
    putchar('\n');
    diff->only_b++;
  } else if (record_from_json(json_incref(both->a), &a)) {
    compare(diff, &a, b, both->key);
    record_release(&a);
  }
  both->in_b = true;
}

enum ptxlit_status suite_diff(const char *a, const char *b, double timeout) {
  struct diff diff = {0};
  arena_init(&diff.arena, NULL);
  if (!run_file_each(a, input_open(a, base_deadline(timeout), false), take_a, &diff)) diff.wrong = true;
  if (!run_file_each(b, input_open(b, base_deadline(timeout), false), take_b, &diff)) diff.wrong = true;
  VEC_EACH (both, &diff.results) {
    json_decref(both->a);
    if (both->in_b || diff.wrong) continue;
    print_name(both->key);
    puts(": only in A");
    diff.only_a++;
  }
  if (!diff.wrong)
    printf("%llu result%s compared: %llu other verdict%s, %llu with other outcomes; %llu only in A, %llu only in B; "
           "%.2f s -> %.2f s\n",
           (unsigned long long)diff.compared, diff.compared == 1 ? "" : "s", (unsigned long long)diff.changed,
           diff.changed == 1 ? "" : "s", (unsigned long long)diff.outcomes, (unsigned long long)diff.only_a,
           (unsigned long long)diff.only_b, diff.ms_a / 1000.0, diff.ms_b / 1000.0);
  arena_release(&diff.arena);
  if (diff.wrong) return PTXLIT_BAD_INPUT;
  return diff.changed + diff.outcomes + diff.only_a + diff.only_b ? PTXLIT_UNMET : PTXLIT_OK;
}
