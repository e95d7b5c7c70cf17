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
  unsigned long long key[table_size], count[table_size]; /* key no_key: free */
  uint64_t value[table_size][max_words];
  unsigned long long unfinished;
  uint32_t overflow;
};

static const unsigned long long no_key = ~0ull;

struct progress {
  volatile uint32_t test; /* the test that the child works on */
  volatile bool working;  /* in the middle of it */
  volatile bool fault;    /* the device stopped its kernel */
  bool known;             /* the device is, below */
  char device[256], driver[64], cuda[32], capability[16];
  double seconds;
  unsigned long long runs;
  char shape[512];
  table seen; /* as of the last launch that came to an end */
};

struct options {
  double seconds = 1;   /* for each test */
  double patience = 20; /* without a sign of life */
  uint64_t seed = 1;
  int device = 0;
  const char *out = "-";
  const char *shapes = NULL; /* results whose shapes come first */
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
  scratch_lines = 1 << 16
};

/* A child at work. */
struct worker {
  const options *o;
  progress *shared;
  random_numbers random;
  cudaDeviceProp device;
  int gpus[max_gpus]; /* devices; the first one sets and counts */
  uint32_t gpu_count; /* that there are */
  bool wants_peer;
  const char *no_peer; /* why there is only one */
  uint32_t *arrived[max_gpus], meetings;
  char *views[max_aliases];
  size_t texels;
  cudaTextureObject_t texture, array_texture;
  cudaSurfaceObject_t surface;
  char *constants; /* of the module of the present test */
  uint64_t map[16];
  uint32_t map_address; /* where in a tensor map the address stands */
  size_t arena_size, results_size;
  uint64_t *results;
  uint8_t *unfinished;
  char *scratch;
  table *seen;
  void *facts_memory;
  size_t facts_size;
};
