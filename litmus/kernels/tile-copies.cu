// A persistent kernel whose tiles are drawn from a counter: a warp draws them into a ring of slots, another one copies a
// tile through a tensor map, at coordinates that the number decides, and a third one reads it.
struct alignas(64) map { char bytes[128]; };
typedef unsigned long long object;
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ void init(object *bar, int count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(bar)), "r"(count) : "memory");
}

__device__ void arrive(object *bar) {
  asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" ::"r"(at(bar)) : "memory");
}

__device__ void wait(object *bar, int parity) {
  asm volatile("{ .reg .pred p; AGAIN: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra AGAIN; }" ::"r"(at(bar)),
               "r"(parity) : "memory");
}

__device__ void copy(void *to, const map *from, object *bar, int x, int y) {
  asm volatile("{ .reg .b64 t; mbarrier.arrive.expect_tx.shared.b64 t, [%0], 256; }" ::"r"(at(bar)) : "memory");
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
               ::"r"(at(to)), "l"(from), "r"(at(bar)), "r"(x), "r"(y) : "memory");
}

struct shared {
  alignas(128) float stage[3][64];
  object full[3], empty[3], drawn[2], read[2];
  int slot[2];
};

struct ring {
  int place = 0, parity = 0;
  __device__ void next(int size) {
    if (++place == size) place = 0, parity ^= 1;
  }
};

template <bool slots, bool fences> __device__ void tiles(const map &from, float *out, int *counter, int columns, int count) {
  __shared__ shared s;
  ring slot, stage;
  if (threadIdx.x == 0) {
    for (int i = 0; i < 3; i++) init(&s.full[i], 1), init(&s.empty[i], 1);
    for (int i = 0; i < 2; i++) init(&s.drawn[i], 1), init(&s.read[i], 2);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int tile = 0; tile < count; slot.next(2)) {
      if (slots) wait(&s.read[slot.place], slot.parity ^ 1);
      s.slot[slot.place] = tile = atomicAdd(counter, 1);
      arrive(&s.drawn[slot.place]);
    }
  } else if (threadIdx.x % 32 == 0) {
    bool copies = threadIdx.x == 32;
#pragma unroll 1
    for (;;) {
      wait(&s.drawn[slot.place], slot.parity);
      int tile = s.slot[slot.place];
      arrive(&s.read[slot.place]);
      slot.next(2);
      if (tile >= count) break;
      if (copies) {
        wait(&s.empty[stage.place], stage.parity ^ 1);
        copy(s.stage[stage.place], &from, &s.full[stage.place], tile % columns * 8, tile / columns * 8);
      } else {
        wait(&s.full[stage.place], stage.parity);
        out[tile] = s.stage[stage.place][9];
        if (fences) asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        arrive(&s.empty[stage.place]);
      }
      stage.next(3);
    }
  }
}

__global__ void tile_copies(const __grid_constant__ map from, float *out, int *counter, int columns, int count) {
  tiles<true, false>(from, out, counter, columns, count);
}

// With more than three tiles, a stage is used again: its reader has a proxy fence.
__global__ void tile_copies_fenced(const __grid_constant__ map from, float *out, int *counter, int columns, int count) {
  tiles<true, true>(from, out, counter, columns, count);
}

// A slot is filled again before both warps have read it.
__global__ void tile_copies_slot_soon(const __grid_constant__ map from, float *out, int *counter, int columns, int count) {
  tiles<false, false>(from, out, counter, columns, count);
}
