/* Sets the initial values, and counts the outcomes, for all tests. */
#pragma once
#include "host.cuh"

struct facts {
  const object *objects;
  const initial *initials;
  const observable *observables;
  uint32_t initial_count, observable_count, result_count, words, bits;
  uint32_t arrays; /* one bit for each object in the array */
};

__device__ static char *object_memory(const launch &l, uint32_t object, uint32_t instance) {
  const placement &p = l.place[object];
  return l.arena[0] + p.region + (uint64_t)(((instance * p.multiplier) ^ p.flip) & l.last) * p.stride;
}

/* The texel of a word of an object in the array: the index that corresponds to the word's address in the arena. */
__device__ static uint32_t texel_of(const launch &l, const char *at) { return (uint32_t)((at - l.arena[0]) / 4); }

__device__ static void set_texel(const launch &l, char *at, uint32_t value) {
  uint32_t n = texel_of(l, at);
  asm volatile("sust.b.2d.b32.trap [%0, {%1, %2}], {%3};" ::"l"(l.surface), "r"(n % array_columns * 4),
               "r"(n / array_columns), "r"(value)
               : "memory");
}

__device__ static uint32_t get_texel(const launch &l, const char *at) {
  uint32_t n = texel_of(l, at);
  uint32_t value;
  asm volatile("suld.b.2d.b32.trap {%0}, [%1, {%2, %3}];"
               : "=r"(value)
               : "l"(l.surface), "r"(n % array_columns * 4), "r"(n / array_columns)
               : "memory");
  return value;
}

__global__ static void set(const __grid_constant__ launch l, const __grid_constant__ facts f, uint32_t objects) {
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i <= l.last; i += gridDim.x * blockDim.x) {
    l.unfinished[i] = 0;
    for (uint32_t k = 0; k < f.initial_count; k++) {
      initial v = f.initials[k];
      char *at = object_memory(l, v.object, i) + v.offset;
      if (v.object >= objects) continue; /* shared memory, which the blocks initialise */
      if (f.arrays >> v.object & 1) {
        set_texel(l, at, (uint32_t)v.low);
        continue;
      }
      switch (v.bytes) {
        case 1: *(uint8_t *)at = (uint8_t)v.low; break;
        case 2: *(uint16_t *)at = (uint16_t)v.low; break;
        case 4: *(uint32_t *)at = (uint32_t)v.low; break;
        case 128:
          for (uint32_t word = 0; word < 16; word++) ((uint64_t *)at)[word] = l.map[word];
          *(uint64_t *)(at + l.map_address) = (uint64_t)object_memory(l, (uint32_t)v.low, i);
          break;
        case 16: ((uint64_t *)at)[1] = v.high; /* and the other half */
        default: *(uint64_t *)at = v.low; break;
      }
    }
  }
}

__device__ static uint64_t load_bits(const char *at, uint32_t width) {
  switch (width) {
    case 8: return *(const uint8_t *)at;
    case 16: return *(const uint16_t *)at;
    case 32: return *(const uint32_t *)at;
    default: return *(const uint64_t *)at;
  }
}

__device__ static void count_key(table *t, unsigned long long key, unsigned long long times, const uint64_t *words,
                                 uint32_t n) {
  uint32_t at = (uint32_t)((key * 0x9e3779b97f4a7c15ull) >> 40) % table_size;
  for (uint32_t i = 0; i < table_size; i++, at = (at + 1) % table_size) {
    unsigned long long old = *(volatile unsigned long long *)&t->key[at];
    if (old == no_key) {
      old = atomicCAS(&t->key[at], no_key, key);
      if (old == no_key)
        for (uint32_t w = 0; w < n; w++) t->value[at][w] = words[w];
      if (old == no_key) old = key;
    }
    if (old != key) continue;
    atomicAdd(&t->count[at], times);
    return;
  }
  t->overflow = 1;
}

__device__ static uint64_t observe(const launch &l, const facts &f, const observable &o, uint32_t i, uint32_t half) {
  if (!o.global) return l.results[(size_t)(o.result + half) * (l.last + 1) + i];
  const char *at = object_memory(l, o.object, i) + o.offset + 8 * half;
  return f.arrays >> o.object & 1 ? get_texel(l, at) : load_bits(at, o.width);
}

/* Values with a total of at most 63 bits are their own key; others are hashed. */
__global__ static void count(const __grid_constant__ launch l, const __grid_constant__ facts f, table *t) {
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i <= l.last; i += gridDim.x * blockDim.x) {
    if (l.unfinished[i]) {
      atomicAdd(&t->unfinished, 1);
      continue;
    }
    uint64_t words[max_words], key = 0;
    uint32_t n = 0, shift = 0;
    for (uint32_t k = 0; k < f.observable_count; k++) {
      observable o = f.observables[k];
      for (uint32_t half = 0; half < (o.width > 64 ? 2 : 1); half++) {
        uint64_t v = observe(l, f, o, i, half);
        if (o.width < 64) v &= (1ull << o.width) - 1;
        if (f.bits <= 63) key |= v << shift;
        else key = (key ^ v ^ key >> 29) * 0xbf58476d1ce4e5b9ull, key ^= key >> 32;
        shift += o.width;
        words[n++] = v;
      }
    }
    if (f.bits > 63) key &= ~(1ull << 63);
    uint32_t alike = __match_any_sync(__activemask(), key);
    if (threadIdx.x % 32 == (uint32_t)__ffs((int)alike) - 1) count_key(t, key, __popc(alike), words, n);
  }
}
