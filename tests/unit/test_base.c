/* Sets, relations, numbers as text, interned names, arenas and vectors. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/input.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/text.h"
#include "base/vec.h"

/* --- arenas and vectors */

TEST(arena_gives_zeroed_aligned_memory) {
  for (size_t size = 0; size < 300; size += 7) {
    unsigned char *memory = arena_alloc(&arena, size);
    assert_non_null(memory);
    assert_int_equal((uintptr_t)memory % _Alignof(max_align_t), 0);
    for (size_t i = 0; i < size; i++) assert_int_equal(memory[i], 0);
    memset(memory, 0xff, size);
  }
}

TEST(arena_gives_blocks_larger_than_its_own) {
  size_t size = 5u << 20;
  char *large = arena_alloc(&arena, size);
  large[0] = large[size - 1] = 'x';
  char *next = arena_alloc(&arena, 1);
  assert_true(next < large || next >= large + size);
}

TEST(arena_overflow_is_out_of_memory) {
  struct arena small;
  jmp_buf out;
  volatile bool left = false;
  if (setjmp(out) == 0) {
    arena_init(&small, &out);
    arena_calloc(&small, SIZE_MAX / 2, 4);
  } else {
    left = true;
  }
  assert_true(left);
  arena_release(&arena);
}

TEST(arena_copies_text) {
  assert_string_equal(arena_strndup(&arena, "abcdef", 3), "abc");
  assert_string_equal(arena_strdup(&arena, ""), "");
  assert_string_equal(arena_printf(&arena, "%d-%s", 7, "x"), "7-x");
}

TEST(vector_grows_and_keeps_its_elements) {
  VEC(uint32_t) numbers = {0};
  for (uint32_t i = 0; i < 1000; i++) VEC_PUSH(&arena, &numbers, i * i);
  assert_int_equal(numbers.len, 1000);
  for (uint32_t i = 0; i < 1000; i++) assert_int_equal(numbers.data[i], i * i);
}

/* --- sets */

TEST(set_operations) {
  struct bitset a = bitset_new(&arena, 130), b = bitset_new(&arena, 130);
  assert_true(bitset_empty(a));
  bitset_add(a, 0), bitset_add(a, 63), bitset_add(a, 64), bitset_add(a, 129);
  bitset_add(b, 64), bitset_add(b, 5);
  assert_int_equal(bitset_count(a), 4);
  assert_false(bitset_subset(b, a));
  struct bitset both = bitset_copy(&arena, a);
  bitset_and(both, b);
  assert_int_equal(bitset_count(both), 1);
  assert_true(bitset_has(both, 64));
  assert_true(bitset_subset(both, a) && bitset_subset(both, b));
  bitset_or(b, a);
  assert_int_equal(bitset_count(b), 5);
  bitset_minus(b, a);
  assert_int_equal(bitset_next(b, 0), 5);
  bitset_del(b, 5);
  assert_true(bitset_empty(b));
}

TEST(set_runs) {
  struct bitset s = bitset_new(&arena, 200);
  bitset_add_run(s, 60, 60);
  assert_true(bitset_empty(s));
  bitset_add_run(s, 60, 129);
  assert_int_equal(bitset_count(s), 69);
  assert_int_equal(bitset_next(s, 0), 60);
  assert_true(bitset_has(s, 128));
  assert_false(bitset_has(s, 129));
}

TEST(set_walk_visits_each_element_once) {
  struct bitset s = bitset_new(&arena, 200);
  for (uint32_t i = 3; i < 200; i += 49) bitset_add(s, i);
  uint32_t seen = 0;
  EACH (i, s) {
    assert_int_equal(i, 3 + 49 * seen);
    seen++;
  }
  assert_int_equal(seen, 5);
  assert_int_equal(bitset_next(s, 200), 200);
}

TEST(set_walk_sees_changes_ahead_and_can_be_left) {
  struct bitset s = bitset_new(&arena, 100);
  bitset_add(s, 10);
  bitset_add(s, 20);
  uint32_t sum = 0;
  EACH (i, s) {
    bitset_del(s, 20);
    if (i == 10) bitset_add(s, 70);
    if (i == 70) bitset_add(s, 3); /* behind: not seen any more */
    sum += i;
  }
  assert_int_equal(sum, 80);
  EACH_FROM (i, s, 11) {
    assert_int_equal(i, 70);
    sum = 0;
    break;
  }
  assert_int_equal(sum, 0);
}

TEST(full_set_has_no_element_past_its_size) {
  static const uint32_t sizes[] = {1, 63, 64, 65, 128, 130};
  for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
    struct bitset s = bitset_new(&arena, sizes[i]);
    bitset_fill(s);
    assert_int_equal(bitset_count(s), sizes[i]);
    struct bitmat m = bitmat_new(&arena, sizes[i]);
    bitmat_fill(m);
    assert_int_equal(bitmat_count(m), (uint64_t)sizes[i] * sizes[i]);
  }
}

TEST(empty_universe) {
  struct bitset s = bitset_new(&arena, 0);
  bitset_fill(s);
  assert_int_equal(bitset_count(s), 0);
  assert_int_equal(bitset_next(s, 0), 0);
  struct bitmat m = bitmat_new(&arena, 0);
  bitmat_fill(m), bitmat_closure(m);
  assert_true(bitmat_empty(m));
  assert_false(bitmat_cyclic(&arena, m));
}

/* --- relations, against the definitions written out pair by pair */

static struct bitmat random_relation(struct rng *rng, uint32_t n, uint32_t percent) {
  struct bitmat m = bitmat_new(&arena, n);
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = 0; b < n; b++)
      if (rng_below(rng, 100) < percent) bitmat_add(m, a, b);
  return m;
}

static bool composed(struct bitmat r, struct bitmat s, uint32_t a, uint32_t c) {
  for (uint32_t b = 0; b < r.n; b++)
    if (bitmat_has(r, a, b) && bitmat_has(s, b, c)) return true;
  return false;
}

TEST(compose_and_inverse_follow_their_definitions) {
  struct rng rng = {1};
  for (uint32_t n = 1; n < 90; n += 11) {
    struct bitmat r = random_relation(&rng, n, 10), s = random_relation(&rng, n, 10);
    struct bitmat rs = bitmat_new(&arena, n), inverse = bitmat_new(&arena, n);
    bitmat_fill(rs), bitmat_fill(inverse); /* what was there before must not show */
    bitmat_compose(rs, r, s);
    bitmat_inverse(inverse, r);
    for (uint32_t a = 0; a < n; a++)
      for (uint32_t b = 0; b < n; b++) {
        assert_int_equal(bitmat_has(rs, a, b), composed(r, s, a, b));
        assert_int_equal(bitmat_has(inverse, a, b), bitmat_has(r, b, a));
      }
  }
}

TEST(closure_is_the_least_transitive_relation) {
  struct rng rng = {2};
  for (uint32_t n = 1; n < 80; n += 13) {
    struct bitmat r = random_relation(&rng, n, 3);
    struct bitmat closure = bitmat_copy(&arena, r), powers = bitmat_copy(&arena, r), step = bitmat_new(&arena, n);
    bitmat_closure(closure);
    for (uint32_t i = 0; i < n; i++) { /* r | r;r | r;r;r ... */
      bitmat_compose(step, powers, r);
      bitmat_or(powers, step);
    }
    assert_true(bitmat_equal(closure, powers));
    bool cycle = false;
    for (uint32_t a = 0; a < n; a++) cycle |= bitmat_has(closure, a, a);
    assert_int_equal(bitmat_cyclic(&arena, r), cycle);
  }
}

TEST(a_loop_is_a_cycle_and_an_order_is_not) {
  struct bitmat m = bitmat_new(&arena, 70);
  for (uint32_t i = 0; i + 1 < 70; i++) bitmat_add(m, i, i + 1);
  assert_false(bitmat_cyclic(&arena, m));
  bitmat_add(m, 69, 0);
  assert_true(bitmat_cyclic(&arena, m));
  bitmat_clear(m);
  bitmat_add(m, 66, 66);
  assert_true(bitmat_cyclic(&arena, m));
}

TEST(relation_algebra) {
  struct rng rng = {3};
  struct bitmat r = random_relation(&rng, 67, 30), s = random_relation(&rng, 67, 30);
  struct bitmat both = bitmat_copy(&arena, r), only = bitmat_copy(&arena, r), either = bitmat_new(&arena, 67);
  bitmat_and(both, s);
  bitmat_minus(only, s);
  bitmat_set(either, both);
  bitmat_or(either, only);
  assert_true(bitmat_equal(either, r));
  bitmat_and(only, both);
  assert_true(bitmat_empty(only));
  assert_false(bitmat_equal(r, s));
  bitmat_del(r, 5, 5), bitmat_add(r, 5, 6);
  assert_false(bitmat_has(r, 5, 5));
  assert_true(bitset_has(bitmat_row_set(r, 5), 6));
}

/* --- numbers and text */

static const char *decimal(value_t value, unsigned width, bool is_signed) {
  struct text text = {.arena = &arena};
  text_value(&text, value, width, is_signed);
  return text_str(&text);
}

TEST(values_print_by_width_and_sign) {
  assert_string_equal(decimal(0, 32, false), "0");
  assert_string_equal(decimal(0xffffffffu, 32, false), "4294967295");
  assert_string_equal(decimal(0xffffffffu, 32, true), "-1");
  assert_string_equal(decimal(0x80000000u, 32, true), "-2147483648");
  assert_string_equal(decimal(0x180, 8, true), "-128");
  assert_string_equal(decimal(1, 1, false), "1");
  assert_string_equal(decimal(~(value_t)0, 128, false), "340282366920938463463374607431768211455");
  assert_string_equal(decimal((value_t)1 << 127, 128, true), "-170141183460469231731687303715884105728");
}

TEST(masks_and_sign_extension) {
  assert_true(value_mask(1) == 1);
  assert_true(value_mask(64) == UINT64_MAX);
  assert_true(value_mask(128) == ~(value_t)0);
  assert_true(value_sext(0xff, 8) == ~(value_t)0);
  assert_true(value_sext(0x7f, 8) == 0x7f);
  assert_true(value_sext(0x1ff, 8) == ~(value_t)0);
  assert_true(value_sext(5, 128) == 5);
}

TEST(text_grows_and_formats) {
  struct text text = {.arena = &arena};
  assert_string_equal(text_str(&text), "");
  for (int i = 0; i < 500; i++) text_printf(&text, "%d,", i);
  text_char(&text, '.');
  text_add_slice(&text, "endless", 3);
  text_add_slice(&text, NULL, 0); /* an empty slice has no place */
  assert_int_equal(text.len, 10 * 2 + 90 * 3 + 400 * 4 + 4);
  assert_string_equal(text_str(&text) + text.len - 8, "499,.end");
}

/* --- interned strings */

TEST(equal_texts_get_one_pointer) {
  struct intern table;
  intern_init(&table, &arena);
  char copy[] = "flag";
  const char *name = intern(&table, "flag");
  assert_ptr_equal(name, intern(&table, copy));
  assert_ptr_equal(name, intern_slice(&table, "flags", 4));
  assert_ptr_not_equal(name, intern(&table, "flags"));
  assert_ptr_not_equal(name, intern(&table, "fla"));
  assert_string_equal(intern(&table, ""), "");
}

TEST(index_finds_each_number_by_its_hash) {
  struct hash_index index = {0};
  HASH_EACH (i, &index, 7) fail();
  for (uint32_t i = 0; i < 1000; i++) hash_add(&arena, &index, hash_mix(0, i / 2), i);
  for (uint32_t i = 0; i < 1000; i++) {
    uint32_t found = 0;
    HASH_EACH (k, &index, hash_mix(0, i / 2)) {
      assert_int_equal(k / 2, i / 2);
      found += k == i;
    }
    assert_int_equal(found, 1);
  }
  HASH_EACH (i, &index, hash_mix(0, 500)) fail();
}

static bool hash_is_less(const uint64_t *a, const uint64_t *b) { return *a < *b; }

/* Hashes of pairs of small numbers serve as identities. */
TEST(pairs_of_small_numbers_have_hashes_of_their_own) {
  enum { NUMBERS = 64 };
  VEC(uint64_t) hashes = {0};
  for (uint64_t a = 0; a < NUMBERS; a++)
    for (uint64_t b = 0; b < NUMBERS; b++) VEC_PUSH(&arena, &hashes, hash_mix(a, b));
  VEC_SORT(&hashes, hash_is_less);
  for (uint32_t i = 1; i < hashes.len; i++) assert_true(hashes.data[i - 1] != hashes.data[i]);
}

TEST(equal_hashes_are_kept_apart) {
  struct hash_index index = {0};
  for (uint32_t i = 0; i < 40; i++) hash_add(&arena, &index, 5, i);
  uint64_t seen = 0;
  HASH_EACH (i, &index, 5) seen |= (uint64_t)1 << i;
  assert_true(seen == ((uint64_t)1 << 40) - 1);
  HASH_EACH (i, &index, 6) fail();
}

TEST(pointers_survive_growth) {
  struct intern table;
  intern_init(&table, &arena);
  const char *names[2000];
  for (int i = 0; i < 2000; i++) names[i] = intern(&table, arena_printf(&arena, "r%d", i));
  assert_int_equal(table.texts.len, 2000);
  for (int i = 0; i < 2000; i++) assert_ptr_equal(names[i], intern(&table, arena_printf(&arena, "r%d", i)));
  assert_int_equal(table.texts.len, 2000);
}

TEST(a_seed_gives_the_same_numbers_everywhere) {
  struct rng rng = {0};
  assert_true(rng_next(&rng) == 0xe220a8397b1dcdafu); /* splitmix64's published first output for seed 0 */
  assert_true(rng_next(&rng) == 0x6e789e6aa1b965f4u);
  for (int i = 0; i < 1000; i++) assert_true(rng_below(&rng, 7) < 7);
}

TEST(a_deadline_is_late_once_it_has_passed) {
  double past = base_now() - 1, later = base_deadline(100);
  assert_true(base_deadline(0) == 0);
  assert_false(base_is_late(0));
  assert_true(base_is_late(past));
  assert_false(base_is_late(later));
  assert_true(base_left(0) == 0);
  assert_true(base_left(past) > 0 && base_left(past) < 0.01);
  assert_true(base_sooner(past, later) == past && base_sooner(later, past) == past);
  assert_true(base_sooner(0, later) == later && base_sooner(later, 0) == later && base_sooner(0, 0) == 0);
  assert_true(base_left(later) > 50 && base_left(later) <= 100);
}

/* 0 -> 1 -> 2 -> 0 and the short cut 0 -> 2; 3 leads to itself, 4 nowhere. */
TEST(paths_are_shortest) {
  static const uint32_t pairs[][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 2}, {3, 3}};
  uint32_t path[6];
  struct bitmat m = bitmat_new(&arena, 5);
  for (size_t i = 0; i < ARRAY_LEN(pairs); i++) bitmat_add(m, pairs[i][0], pairs[i][1]);
  assert_int_equal(bitmat_path(&arena, m, 0, 2, path), 1);
  assert_int_equal(path[1], 2);
  assert_int_equal(bitmat_path(&arena, m, 1, 0, path), 2);
  assert_int_equal(path[0] + 10 * path[1] + 100 * path[2], 21);
  assert_int_equal(bitmat_path(&arena, m, 1, 1, path), 3);
  assert_int_equal(path[3], 1);
  assert_int_equal(bitmat_path(&arena, m, 3, 3, path), 1);
  assert_int_equal(bitmat_path(&arena, m, 4, 4, path), 0);
  assert_int_equal(bitmat_path(&arena, m, 0, 3, path), 0);
}

struct limited {
  struct arena *arena;
  enum arena_end end;
  int released;
};

static void note_release(void *object) { ++*(int *)object; }

static void work_in_arena(void *context) {
  struct limited *l = context;
  arena_own(l->arena, note_release, &l->released);
  if (l->end == ARENA_STARVED) arena_out_of_memory(l->arena);
  while (l->end == ARENA_LATE) arena_poll(l->arena);
}

TEST(work_ends_within_its_limits) {
  static const enum arena_end ends[] = {ARENA_DONE, ARENA_LATE, ARENA_STARVED};
  for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
    struct arena own;
    struct limited l = {&own, ends[i], 0};
    arena_init(&own, NULL);
    const char *kept = arena_strdup(&own, "kept");
    double deadline = ends[i] == ARENA_LATE ? base_deadline(0.01) : 0;
    assert_int_equal(arena_within(&own, deadline, work_in_arena, &l), ends[i]);
    assert_int_equal(l.released, ends[i] == ARENA_DONE ? 0 : 1);
    assert_string_equal(kept, "kept");
    assert_null(own.oom);
    arena_release(&own);
    assert_int_equal(l.released, 1);
  }
}

static void work_without_end(void *context) {
  for (struct arena *counting = context;;) arena_count(counting, 10);
}

static void work_a_little(void *context) { arena_count(context, 100); }

TEST(counted_work_ends_at_its_limit) {
  struct arena own;
  arena_init(&own, NULL);
  struct arena *scratch = arena_scratch(&own);
  arena_count(scratch, 5);
  arena_limit(scratch, 100);
  assert_int_equal(arena_within(scratch, 0, work_a_little, scratch), ARENA_DONE);
  assert_int_equal(arena_counted(&own), 105);
  assert_int_equal(arena_within(scratch, 0, work_without_end, scratch), ARENA_LATE);
  assert_int_equal(arena_counted(&own), 115);
  arena_limit(scratch, 0);
  assert_int_equal(arena_within(scratch, 0, work_a_little, scratch), ARENA_DONE);
  arena_release(&own);
}

static bool fewer_tens(const int *a, const int *b) { return *a / 10 < *b / 10; }

TEST(sorting_keeps_equals_in_order) {
  static const int given[] = {31, 12, 30, 11, 25}, sorted[] = {12, 11, 25, 31, 30};
  VEC(int) list = {0};
  for (size_t i = 0; i < ARRAY_LEN(given); i++) VEC_PUSH(&arena, &list, given[i]);
  VEC_SORT(&list, fewer_tens);
  assert_memory_equal(list.data, sorted, sizeof sorted);
}

static void write_file(const char *root, const char *path, const char *text) {
  char whole[256];
  snprintf(whole, sizeof whole, "%s%s", root, path);
  for (char *slash = strchr(whole + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    mkdir(whole, 0777);
    *slash = '/';
  }
  FILE *file = fopen(whole, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

TEST(a_control_group_has_less_memory) {
  char root[] = "/tmp/ptxlit-memory-XXXXXX", command[64];
  uint64_t all = memory_of_machine("");
  assert_non_null(mkdtemp(root));
  assert_true(all > 1 << 24 && memory_of_machine(root) >= all);
  write_file(root, "/proc/self/cgroup", "12:cpu,cpuacct:/a\n4:memory:/a/b\n0::/c/d\n");
  assert_true(memory_of_machine(root) >= all);
  write_file(root, "/sys/fs/cgroup/c/d/memory.max", "max\n");
  assert_true(memory_of_machine(root) >= all);
  write_file(root, "/sys/fs/cgroup/c/memory.max", "16777216\n"); /* the outer group's counts too */
  assert_int_equal(memory_of_machine(root), 16777216);
  write_file(root, "/sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "8388608\n");
  assert_int_equal(memory_of_machine(root), 8388608);
  write_file(root, "/sys/fs/cgroup/memory/memory.limit_in_bytes", "4194304\n");
  assert_int_equal(memory_of_machine(root), 4194304);
  snprintf(command, sizeof command, "rm -r %s", root);
  assert_int_equal(system(command), 0);
}

/* --- what strangers may write */

TEST(hidden_characters_are_shown_as_what_they_are) {
  static const char *const pairs[][2] = {
      {"a\xc2\x9b!", "a\\u{9b}!"},
      {"\xe2\x80\xae", "\\u{202e}"},
      {"\xe2\x81\xa9", "\\u{2069}"},
      {"\xd8\x9c", "\\u{61c}"},
      {"\xef\xbb\xbf", "\\u{feff}"},
      {"\xf3\xa0\x80\x81", "\\u{e0001}"},
      {"\x9b", "\\x9b"},
      {"\x1b", "\\x1b"},
      {"\xc3\xa9", "\xc3\xa9"},
      {"\xc2\xa0::x", "\xc2\xa0\\x3a:x"},
      {"\xe3\x80\x80 ::x", "\xe3\x80\x80 \\x3a:x"},
      {"a\xc2\xa0::x", "a\xc2\xa0::x"},
  };
  for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
    struct text visible = {.arena = &arena}, tame = {.arena = &arena};
    text_visible(&visible, pairs[i][0]);
    assert_string_equal(text_str(&visible), pairs[i][1]);
    text_add(&tame, pairs[i][0]);
    text_tame(&tame);
    assert_int_equal(tame.len, strlen(text_str(&tame)));
    for (size_t at = 0, length; at < tame.len; at += length)
      assert_false(text_is_hidden(text_character(text_str(&tame) + at, &length)));
  }
}

static const char *in_dir(const char *dir, const char *name) { return arena_printf(&arena, "%s/%s", dir, name); }

/* The directory "in" beside a file; links lead there and to a device. */
TEST(a_file_that_another_names_is_a_regular_one) {
  char dir[] = "/tmp/ptxlit-test-XXXXXX";
  assert_non_null(mkdtemp(dir));
  const char *inside = in_dir(dir, "in"), *out = in_dir(dir, "out"), *own = in_dir(dir, "in/own");
  const char *link = in_dir(dir, "in/link"), *pipe = in_dir(dir, "in/pipe");
  const char *dev = in_dir(dir, "in/dev");
  assert_int_equal(mkdir(inside, 0700), 0);
  for (int i = 0; i < 2; i++) {
    FILE *file = fopen(i ? out : own, "w");
    assert_non_null(file);
    fputs("text", file);
    fclose(file);
  }
  assert_int_equal(symlink("../out", link) | symlink("/dev/zero", dev) | mkfifo(pipe, 0600), 0);
  const char *real = input_real(&arena, inside);
  const struct {
    const char *path;
    bool within;
    int why[2]; /* with open and closed bounds; 0: it is read */
  } rows[] = {
      {own, true, {0, 0}},
      {link, false, {0, EXDEV}},
      {out, false, {0, EXDEV}},
      {in_dir(dir, "in/../out"), false, {0, EXDEV}},
      {pipe, true, {EMEDIUMTYPE, EMEDIUMTYPE}},
      {dev, false, {EMEDIUMTYPE, EXDEV}},
      {inside, true, {EMEDIUMTYPE, EMEDIUMTYPE}},
      {"/proc/self/environ", false, {EMEDIUMTYPE, EXDEV}},
      {in_dir(dir, "in/none"), true, {ENOENT, ENOENT}},
  };
  for (size_t i = 0; i < ARRAY_LEN(rows); i++)
    for (int closed = 0; closed < 2; closed++) {
      const struct input_bounds bounds = {&real, 1, closed};
      size_t length = 0;
      bool within = !rows[i].within;
      errno = 0;
      const char *text = input_read_named(&arena, rows[i].path, &bounds, 100, &length, &within);
      assert_int_equal(text ? 0 : errno, rows[i].why[closed]);
      if (!text) continue;
      assert_string_equal(text, "text");
      assert_int_equal(within, rows[i].within);
    }
  const char *const made[] = {own, link, pipe, dev, out};
  for (size_t i = 0; i < ARRAY_LEN(made); i++) unlink(made[i]);
  rmdir(inside);
  rmdir(dir);
}

int main(void) { return run_each(open_arena, close_arena); }
