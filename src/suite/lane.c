#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "suite/lane.h"

#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

void *shared_memory(size_t size) {
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void shared_release(void *memory, size_t size) {
  if (memory) munmap(memory, size);
}

static void wake_other(int wake) {
  ssize_t written = write(wake, "", 1); /* when the pipe is full it is awake, or never will be */
  (void)written;
}

/* Waits for room and gives how much there is. */
static size_t wait_for_room(struct lane *lane, uint64_t put, int wake) {
  static const struct timespec moment = {.tv_nsec = 200000};
  size_t room;
  bool woken = false;
  while ((room = LANE_SIZE - (size_t)(put - atomic_load_explicit(&lane->taken, memory_order_acquire))) == 0) {
    if (!woken) wake_other(wake);
    woken = true;
    nanosleep(&moment, NULL);
  }
  return room;
}

void lane_put(struct lane *lane, int wake, const void *bytes, size_t length) {
  const char *from = bytes;
  uint64_t put = atomic_load_explicit(&lane->put, memory_order_relaxed);
  uint64_t used = put - atomic_load_explicit(&lane->taken, memory_order_relaxed);
  bool half = used < LANE_SIZE / 2 && used + length >= LANE_SIZE / 2;
  while (length) {
    size_t room = wait_for_room(lane, put, wake), at = (size_t)(put % LANE_SIZE), part = LANE_SIZE - at;
    if (part > room) part = room;
    if (part > length) part = length;
    memcpy(lane->data + at, from, part);
    put += part;
    from += part;
    length -= part;
    atomic_store_explicit(&lane->put, put, memory_order_release);
  }
  if (half) wake_other(wake);
}

size_t lane_ready(const struct lane *lane) {
  uint64_t taken = atomic_load_explicit(&lane->taken, memory_order_relaxed);
  return (size_t)(atomic_load_explicit(&lane->put, memory_order_acquire) - taken);
}

void lane_take(struct lane *lane, void *bytes, size_t length) {
  uint64_t taken = atomic_load_explicit(&lane->taken, memory_order_relaxed);
  char *to = bytes;
  while (length) {
    size_t at = (size_t)(taken % LANE_SIZE), part = LANE_SIZE - at < length ? LANE_SIZE - at : length;
    memcpy(to, lane->data + at, part);
    taken += part;
    to += part;
    length -= part;
  }
  atomic_store_explicit(&lane->taken, taken, memory_order_release);
}
