/* Declarations that all parts of the host program share. */
#pragma once
#include <cuda.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "chip.cuh"

using namespace chip;

/* The outcomes seen of a test. */

struct table {
  unsigned long long key[table_size], count[table_size]; /* key no_key: a free slot */
  uint64_t value[table_size][max_words];
  unsigned long long unfinished;
  uint32_t overflow;
};

static const unsigned long long no_key = ~0ull;

struct progress {
  volatile uint32_t test; /* the test that the child is running */
  volatile bool working;  /* the child is running the test */
  volatile bool fault;    /* the device stopped the test's kernel */
  bool known;             /* the members about the device, below, are set */
  char device[256], driver[64], cuda[32], capability[16];
  double seconds;
  unsigned long long runs;
  char shape[512];
  table seen; /* the outcomes up to the last launch that ended */
};

struct options {
  double seconds = 1;   /* for each test */
  double patience = 20; /* seconds without progress */
  uint64_t seed = 1;
  int device = 0;
  const char *out = "-";
  const char *shapes = NULL; /* earlier results, whose shapes are tried first */
  std::vector<const char *> only;
};

static double now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

[[noreturn]] static void fail(const char *what, const char *why) {
  fprintf(stderr, "error: %s: %s\n", what, why);
  _exit(3);
}

static void must(cudaError_t status, const char *what) {
  if (status != cudaSuccess) fail(what, cudaGetErrorString(status));
}

struct random_numbers {
  uint64_t state;
  uint32_t next() {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (uint32_t)(state >> 32);
  }
  uint32_t below(uint32_t n) { return next() % n; }
  bool one_in(uint32_t n) { return below(n) == 0; }
};

enum {
  max_gpus = 2,
  arena_bytes = 1 << 30,
  results_bytes = 1 << 28,
  most_instances = 1 << 22,
  scratch_lines = 1 << 16,
  host_bytes = 1 << 26,
  most_host_instances = 1 << 17,
  host_results_bytes = 8 * 16 * most_host_instances,
  words_bytes = 1 << 20 /* of the words by which blocks and hosts meet */
};

/* The state of the child process. */
struct worker {
  const options *o;
  progress *shared;
  random_numbers random;
  cudaDeviceProp device;
  int gpus[max_gpus]; /* devices; the first one initialises memory and counts outcomes */
  uint32_t gpu_count; /* the number of devices found */
  bool wants_peer;
  const char *no_peer; /* why there is only one device */
  uint32_t *arrived[max_gpus], meetings;
  char *views[max_aliases];
  size_t texels;
  cudaTextureObject_t texture, array_texture;
  cudaSurfaceObject_t surface;
  char *constants; /* the constant bank of the current test's module */
  uint64_t map[16];
  uint32_t map_address; /* the index of the address in a tensor map */
  size_t arena_size, results_size;
  uint64_t *results;
  uint8_t *unfinished;
  char *scratch;
  table *seen;
  char *mapped, *managed; /* memory of the host and of both, for tests with hosts; NULL: none is needed yet */
  uint64_t *host_results;
  uint32_t *ready;
  void *facts_memory;
  size_t facts_size;
};
