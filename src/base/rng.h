/* A small seeded generator (splitmix64): the same seed gives the same sequence on every machine. */
#pragma once

#include <stdint.h>

struct rng {
  uint64_t state;
};

static inline uint64_t rng_next(struct rng *rng) {
  uint64_t z = (rng->state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* A number in [0, bound); bound > 0. */
static inline uint32_t rng_below(struct rng *rng, uint32_t bound) { return (uint32_t)(rng_next(rng) % bound); }
