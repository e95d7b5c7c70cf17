/* The memory of kernels that run on constants: cells, rounds, few values, and the histories of shared memory, with the
 * values by hand. */

#include "unit.h"

#include "kernel/memory.h"

enum { READER = 0, WRITER = 1, OTHER = 2 };

/* A memory with eight bytes of global memory, and eight of shared memory of CTA 0. */
static struct room {
  struct memory memory;
  struct region *global, *shared;
  uint32_t step;
} room;

static int set_up(void **state) {
  open_arena(state);
  room.memory = (struct memory){.arena = &arena};
  room.step = 0;
  room.global = memory_add(&room.memory, "x", SPACE_GLOBAL, 0, 8);
  room.shared = memory_add(&room.memory, NULL, SPACE_SHARED, PEERS_BASE, 8);
  return 0;
}

static enum cell read(uint32_t at, uint32_t bytes, uint32_t epoch, value_t *value) {
  return memory_read(&room.memory, room.global, at, bytes, epoch, value);
}

static void write(uint32_t at, uint32_t bytes, uint32_t epoch, value_t value) {
  memory_write(&room.memory, room.global, at, bytes, epoch, &value);
}

TEST(bytes_are_known_one_by_one) {
  value_t value;
  memory_set(room.global, 0, 0x01020304, 4);
  memory_begin(&room.memory);
  assert_int_equal(read(0, 4, 0, &value), CELL_KNOWN);
  assert_int_equal(value, 0x01020304);
  assert_int_equal(read(1, 2, 0, &value), CELL_KNOWN);
  assert_int_equal(value, 0x0203);                     /* little-endian */
  assert_int_equal(read(2, 4, 0, &value), CELL_BLANK); /* two of the bytes have no value yet */
  write(4, 2, 0, 0x0a0b);
  assert_int_equal(read(3, 3, 0, &value), CELL_KNOWN);
  assert_int_equal(value, 0x0a0b01);
}

TEST(a_second_value_opens_a_byte_in_a_new_round) {
  value_t value;
  memory_set(room.global, 0, 5, 4);
  memory_begin(&room.memory);
  write(0, 4, 0, 5); /* the same value */
  assert_int_equal(read(0, 4, 0, &value), CELL_KNOWN);
  assert_true(memory_settled(&room.memory));
  write(0, 4, 0, 7); /* 5 was read, and may have been 7 */
  assert_int_equal(read(0, 1, 0, &value), CELL_OPEN);
  assert_int_equal(read(1, 3, 0, &value), CELL_KNOWN); /* only the lowest bytes of 5 and 7 differ */
  assert_false(memory_settled(&room.memory));
  memory_begin(&room.memory);
  assert_int_equal(read(0, 4, 0, &value), CELL_OPEN); /* open from the start */
  write(0, 4, 0, 7);
  assert_true(memory_settled(&room.memory));
}

TEST(an_unread_byte_needs_no_new_round) {
  memory_set(room.global, 0, 5, 4);
  memory_begin(&room.memory);
  write(0, 4, 0, 7);
  assert_true(memory_settled(&room.memory));
}

TEST(few_values_are_all_of_them) {
  struct few few;
  memory_set(room.global, 0, 0x0105, 2);
  memory_begin(&room.memory);
  write(0, 1, 0, 6);
  write(1, 1, 0, 2);
  assert_true(memory_few(room.global, 0, 2, &few)); /* bytes 5 or 6, and 1 or 2 */
  assert_int_equal(few.count, 4);
  uint64_t seen = 0;
  for (uint32_t i = 0; i < few.count; i++) seen |= (uint64_t)1 << ((few.values[i] >> 8) * 8 + (few.values[i] & 7));
  assert_int_equal(seen, 1u << 13 | 1u << 14 | 1u << 21 | 1u << 22);
  write(0, 1, 0, 7);
  assert_false(memory_few(room.global, 0, 2, &few)); /* six */
  assert_false(memory_few(room.global, 4, 1, &few)); /* without an initial value there may be any */
  memory_lose(&room.memory, room.global);
  assert_false(memory_few(room.global, 1, 1, &few));
}

TEST(a_lost_write_opens_the_region) {
  value_t value;
  memory_set(room.global, 0, 0, 8);
  memory_begin(&room.memory);
  memory_lose(&room.memory, room.global);
  for (uint32_t k = 0; k < 8; k++) assert_int_equal(read(k, 1, 0, &value), CELL_OPEN);
  write(0, 1, 0, 3); /* it may be overwritten at once */
  assert_int_equal(read(0, 1, 0, &value), CELL_OPEN);
}

/* Memory without a value is 0 there, so that a reader may be early, unless a barrier is between. */
TEST(a_cautious_reader_is_after_a_barrier) {
  value_t value;
  room.memory.cautious = true;
  memory_begin(&room.memory);
  write(0, 4, 0, 9);
  assert_int_equal(read(0, 4, 1, &value), CELL_KNOWN);
  assert_int_equal(value, 9);
  assert_int_equal(read(0, 4, 0, &value), CELL_OPEN);
  assert_false(memory_settled(&room.memory)); /* the first read took it for known */
}

TEST(each_cta_has_its_own_shared_memory) {
  struct region *second = memory_add(&room.memory, NULL, SPACE_SHARED, PEERS_BASE + SHARED_WINDOW, 8);
  assert_ptr_equal(memory_find(&room.memory, SHARED_BASE + 4, 0, 0), room.shared);
  assert_ptr_equal(memory_find(&room.memory, SHARED_BASE + 4, 1, 40), second);
  assert_ptr_equal(memory_find(&room.memory, PEERS_BASE + SHARED_WINDOW, 0, 0), second); /* that of a peer */
  assert_null(memory_find(&room.memory, SHARED_BASE + 8, 0, 0));
  assert_ptr_equal(memory_find(&room.memory, room.global->base + 7, 1, 0), room.global);
  assert_null(memory_find(&room.memory, room.global->base + 8, 1, 0));
  memory_add_local(&room.memory, 3, 4);
  assert_int_equal(memory_find(&room.memory, LOCAL_BASE, 0, 3)->owner, 3);
  assert_null(memory_find(&room.memory, LOCAL_BASE + 4, 0, 3));
  assert_null(memory_find(&room.memory, LOCAL_BASE, 0, 2));
}

/* ---- Histories of shared memory ---- */

/* Both rounds of a history do the same: the second assumes what the first found. */
typedef void turn(void);

static void two_rounds(turn *do_turn) {
  for (int round = 0; round < 2; round++) {
    memory_begin(&room.memory);
    room.step = 0;
    do_turn();
  }
}

static const struct wrote *note(uint32_t thread, uint32_t epoch, value_t value, const struct wrote *before, bool sum) {
  struct wrote wrote = {.region = room.shared,
                        .bytes = 4,
                        .epoch = epoch,
                        .thread = thread,
                        .step = ++room.step,
                        .how = sum ? WROTE_SUM : WROTE_VALUE,
                        .value = value,
                        .before = before};
  return history_note(&room.memory, wrote);
}

static bool recall(uint32_t thread, uint32_t epoch, const struct wrote *before, uint32_t bytes, value_t *value) {
  struct wrote wrote = {
      .region = room.shared, .bytes = bytes, .epoch = epoch, .thread = thread, .step = ++room.step, .before = before};
  return history_recall(&room.memory, &wrote, value);
}

/* A thread writes, and passes a barrier. */
static void write_and_pass(void) {
  const struct wrote *first = note(WRITER, 0, 3, NULL, false), *last = note(WRITER, 0, 0x104, first, false);
  history_pass(&room.memory, WRITER, 0, last);
}

TEST(a_barrier_orders_a_write) {
  value_t value;
  two_rounds(write_and_pass);
  assert_true(recall(READER, 1, NULL, 4, &value));
  assert_int_equal(value, 0x104); /* the last one of the thread */
  assert_true(recall(READER, 1, NULL, 1, &value));
  assert_int_equal(value, 4);
  assert_false(recall(READER, 0, NULL, 4, &value)); /* no barrier between */
}

/* One round is enough if no thread asks in it what the writes of the round before left. */
TEST(one_round_is_enough_if_nothing_is_recalled) {
  value_t value;
  memory_begin(&room.memory);
  write_and_pass();
  assert_true(memory_settled(&room.memory));
  memory_begin(&room.memory);
  write_and_pass();
  recall(READER, 1, NULL, 4, &value);
  assert_false(memory_settled(&room.memory)); /* the steps differ from those of the round before */
}

/* The writer of the word ends without the barrier. */
static void write_and_end(void) { history_end(&room.memory, WRITER, 0, note(WRITER, 0, 3, NULL, false)); }

TEST(an_end_orders_nothing) {
  value_t value;
  two_rounds(write_and_end);
  assert_true(history_may_end(&room.memory, WRITER, 0));
  assert_false(recall(READER, 1, NULL, 4, &value));
}

/* Two threads add after a barrier behind the write of one. */
static void add_twice(void) {
  const struct wrote *w = note(WRITER, 0, 10, NULL, false);
  history_pass(&room.memory, WRITER, 0, w);
  history_pass(&room.memory, OTHER, 0, NULL);
  w = note(WRITER, 1, 2, w, true);
  history_pass(&room.memory, WRITER, 1, w);
  history_pass(&room.memory, OTHER, 1, note(OTHER, 1, 5, NULL, true));
}

TEST(additions_count_in_any_order) {
  value_t value;
  two_rounds(add_twice);
  assert_true(recall(READER, 2, NULL, 4, &value));
  assert_int_equal(value, 17);
  assert_false(recall(READER, 1, NULL, 4, &value)); /* in the middle of the additions */
}

/* Both write the word in one epoch. */
static void write_both(void) {
  history_pass(&room.memory, WRITER, 0, note(WRITER, 0, 1, NULL, false));
  history_pass(&room.memory, OTHER, 0, note(OTHER, 0, 2, NULL, false));
}

TEST(two_writers_leave_no_value) {
  value_t value;
  two_rounds(write_both);
  assert_false(recall(READER, 1, NULL, 4, &value));
}

/* Two paths of the writer leave different low bytes before they pass the barrier. */
static void write_on_two_paths(void) {
  history_pass(&room.memory, WRITER, 0, note(WRITER, 0, 0x101, NULL, false));
  history_pass(&room.memory, WRITER, 0, note(WRITER, 0, 0x102, NULL, false));
}

TEST(paths_part_the_bytes_in_which_they_differ) {
  value_t value;
  two_rounds(write_on_two_paths);
  assert_true(memory_byte(room.shared, 0)->parted);
  assert_false(memory_byte(room.shared, 1)->parted);
  assert_false(recall(READER, 1, NULL, 4, &value));
}

TEST(a_thread_reads_what_it_wrote) {
  value_t value;
  two_rounds(write_and_pass);
  const struct wrote *own = note(READER, 1, 8, NULL, false);
  assert_true(recall(READER, 1, own, 4, &value));
  assert_int_equal(value, 8);
  assert_true(recall(READER, 1, NULL, 4, &value)); /* on another path of the thread */
  assert_int_equal(value, 0x104);
}

TEST(writes_settle_when_they_are_those_assumed) {
  memory_begin(&room.memory);
  write_and_pass();
  assert_false(history_settled(&room.memory, room.shared)); /* nothing was assumed */
  memory_begin(&room.memory);
  room.step = 0;
  write_and_pass();
  assert_true(history_settled(&room.memory, room.shared));
  note(OTHER, 0, 1, NULL, false);
  assert_false(history_settled(&room.memory, room.shared));
  assert_true(history_settled(&room.memory, room.global)); /* without a history */
}

/* The writer passes a barrier, and writes a word of global memory. */
static void pass_and_write(void) {
  struct wrote wrote = {
      .region = room.global, .bytes = 4, .epoch = 1, .thread = WRITER, .how = WROTE_VALUE, .value = 7};
  wrote.step = ++room.step;
  history_pass(&room.memory, WRITER, 0, NULL);
  history_pass(&room.memory, WRITER, 1, history_note(&room.memory, wrote));
}

/* A read by a thread of a CTA, after so many barriers. */
static struct wrote read_of(uint32_t cta, uint32_t epoch) {
  return (struct wrote){.region = room.global, .bytes = 4, .epoch = epoch, .thread = READER, .cta = cta};
}

/* The second round follows a word that one CTA writes; two more begin anew. */
TEST(words_of_one_cta_have_a_history) {
  value_t value;
  memory_set(room.global, 0, 5, 4);
  const struct wrote early = read_of(0, 0), late = read_of(0, 2), other = read_of(1, 2);
  for (int round = 0; round < 2; round++) {
    memory_begin(&room.memory);
    pass_and_write();
    history_want(&room.memory, &other); /* other CTAs are not ordered */
    assert_false(room.memory.again);
    history_want(&room.memory, &late);
    assert_int_equal(room.global->followed, round == 1);
    assert_false(memory_settled(&room.memory));
  }
  two_rounds(pass_and_write);
  assert_true(history_recall(&room.memory, &early, &value));
  assert_int_equal(value, 5);
  assert_true(history_recall(&room.memory, &late, &value));
  assert_int_equal(value, 7);
  assert_false(history_recall(&room.memory, &other, &value));
}

/* Two names of one object have the same bytes, and no history. */
TEST(views_share_their_bytes) {
  value_t value;
  struct region *view = memory_add(&room.memory, "y", SPACE_GLOBAL, 0, 8);
  memory_join(room.global, view);
  memory_set(room.global, 0, 5, 4);
  memory_begin(&room.memory);
  assert_ptr_equal(memory_find(&room.memory, view->base + 4, 0, 0), view);
  assert_int_equal(memory_read(&room.memory, view, 0, 4, 0, &value), CELL_KNOWN);
  assert_int_equal(value, 5);
  write(0, 4, 0, 6);
  assert_int_equal(memory_read(&room.memory, view, 0, 4, 0, &value), CELL_OPEN);
  memory_follow(&room.memory, view);
  assert_false(view->followed);
}

int main(void) { return run_each(set_up, close_arena); }
