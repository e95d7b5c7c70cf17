/* The device side of a program that runs litmus tests on a GPU, and the description of a test for the host side.
 *
 * An instance is one copy of a test with memory of its own. A launch runs very many instances. A group of blocks plays
 * the CTAs of a test: in slot k, block b plays CTA b + k (modulo their number), for as many instances as it has lanes.
 * So every block plays every role, and the threads of an instance run together by chance, without synchronization.
 *
 * Addresses in registers and memory are those of the model, small numbers that are the same in every instance. An
 * access through a register translates the address, so that all instances have the same outcomes.
 */
#pragma once
#include <cstddef>
#include <cstdint>

namespace chip {

/* landing_clocks: a thread's wait after asynchronous operations, before another block may get its shared memory. */
enum { landing_clocks = 16000, meeting_clocks = 1 << 20 };

/* A block's wait for the host; the distance of words that lie in lines of their own. */
enum { hosts_clocks = 1 << 27, word_apart = 32 };

enum { max_objects = 32, max_aliases = 4, max_words = 32, table_size = 2048, warp_size = 32 };

/* The place of an object in global memory: for instance i at region + ((i * multiplier) ^ flip) * stride. The
 * multiplier is odd and the number of instances a power of two, so that this is a permutation. */
struct placement {
  uint64_t region;
  uint32_t stride, multiplier, flip;
};

enum delay_kind { delay_none, delay_by_block, delay_by_warp, delay_by_thread, delay_kinds };

/* For tests on two GPUs: both run the same launch, each plays its own roles, and the other GPU writes `arrived`. Beside
 * hosts: a word for each group, which the host writes, and one for each block, which the block writes. */
struct meeting {
  uint32_t *mine, *others;
  uint32_t number;
};

struct launch {
  char *arena[max_aliases]; /* the same memory, mapped once for each virtual alias */
  placement place[max_objects];
  uint64_t *results;   /* final values of registers and shared memory: [slot][instance] */
  uint8_t *unfinished; /* instances that ran out of steps */
  uint32_t last;       /* the number of instances minus one */
  uint32_t log_lanes;  /* log2 of the instances in a slot of a block */
  uint32_t slots, groups;
  uint32_t steps;             /* backward jumps that a thread may make */
  uint32_t delay_kind, delay; /* in clocks */
  uint32_t preload;           /* reads every n-th object into the L1 cache first; 0: none */
  uint32_t permute;           /* lanes play different instances in different roles */
  uint32_t seed;
  uint32_t stress;       /* iterations of the blocks that do nothing but stress the caches */
  char *scratch;         /* the memory that these blocks access */
  uint32_t scratch_last; /* the number of its lines of 128 bytes minus one */
  uint32_t part;         /* the index of this launch, if the test has several: its GPU or its grid */
  meeting meet;
  uint64_t texture;                /* words of the arena as texels */
  uint64_t array_texture, surface; /* of the array, if a test needs one */
  uint64_t constant_memory;        /* as a global address */
  uint64_t map[16];                /* a tensor map without its address */
  uint32_t map_address;            /* the index of the address in the map */
};

/* The form in which a value is printed. */
enum value_kind { value_unsigned, value_signed, value_bits };

struct observable {
  const char *name;
  uint8_t kind, width;
  bool global;             /* an element of an object in global memory, else a result */
  uint32_t object, offset; /* global */
  uint32_t result;         /* if not global: the first of its results; 128 bits take two */
};

struct initial {
  uint32_t object, offset, bytes; /* bytes 0: an mbarrier object with count `low`; 128: a tensor map of object `low` */
  uint64_t low, high;
};

/* The arena; the constant bank, which all instances of a module share; an array that no address reaches; a tensor map
 * in the arena; pinned memory of the host; managed memory. */
enum object_home { in_arena, in_constants, in_array, is_map, is_mapped, is_managed };

struct object {
  uint32_t size; /* bytes */
  object_home home;
};

enum { constant_bytes = 32768, array_columns = 32768, all_columns = 512 };

static __constant__ __align__(256) char constants[constant_bytes];

enum host_isa { isa_none, isa_x86_64, isa_aarch64 };

struct memory;

/* The description of a test for the host. */
struct test {
  const char *name;
  const char *json;      /* the JSON members that identify the test in its result */
  const char *left_out;  /* why the test cannot be run; NULL: it can be run, and the other members are set */
  const object *objects; /* in global memory */
  uint32_t object_count, alias_count;
  const initial *initials;
  uint32_t initial_count;
  const observable *observables;
  uint32_t observable_count, result_count;
  uint32_t blocks, cluster_size; /* of a group */
  uint32_t threads;              /* of a block, per lane; with `narrow` 32 times as many */
  bool narrow;                   /* threads of the test share warps only as the test says */
  bool barriers;                 /* the test has barriers: one slot, and the lanes of one warp */
  bool single;                   /* one instance in a block */
  bool stops;                    /* some execution of the test may wait for ever */
  bool textures;                 /* the arena is read through a texture */
  bool follows;                  /* each grid begins after the previous one ends, else as soon as that one permits */
  uint32_t shared_size;          /* bytes per instance */
  uint32_t gpus;                 /* 1 or 2 */
  uint32_t grids;                /* launched one after another */
  const void *kernel;
  const void *constants; /* the constant bank of the test's module; NULL: it needs none */
  uint32_t map_bytes;    /* bytes of the location of each tensor map; 0: the test has no map */
  uint32_t capability;   /* 10 times the capability of the only devices that run it; 0: any */
  uint32_t hosts;        /* threads of the host */
  host_isa isa;          /* which they need */
  bool native;           /* atomics of the device must be atomic for the host */
  void (*play_host)(uint32_t number, const memory &m);
};

__host__ __device__ __forceinline__ uint32_t mix(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

extern __shared__ __align__(128) char block_memory[];

/* The columns of tensor memory that the harness allocates for locations. */
static __shared__ uint32_t tensor_columns;

/* The memory of one instance, as a thread of the test addresses it. */
struct memory {
  const launch *l;
  uint32_t instance, seat; /* seat: the index of the instance in this block */

  __host__ __device__ __forceinline__ uint64_t global(uint32_t object, uint32_t alias) const {
    const placement &p = l->place[object];
    uint64_t index = ((instance * p.multiplier) ^ p.flip) & l->last;
    return (uint64_t)l->arena[alias] + p.region + index * p.stride;
  }
  /* Addresses of shared memory: generic, in the shared window, and both in another CTA of the cluster. */
  __device__ __forceinline__ uint64_t shared_generic(uint32_t size, uint32_t offset) const {
    return (uint64_t)(block_memory + (size_t)seat * size + offset);
  }
  __device__ __forceinline__ uint64_t shared(uint32_t size, uint32_t offset) const {
    return __cvta_generic_to_shared(block_memory + (size_t)seat * size + offset);
  }
  __device__ __forceinline__ uint64_t remote_generic(uint32_t size, uint32_t offset, uint32_t rank) const {
    uint64_t there;
    asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(shared_generic(size, offset)), "r"(rank));
    return there;
  }
  __device__ __forceinline__ uint64_t remote(uint32_t size, uint32_t offset, uint32_t rank) const {
    uint64_t there;
    asm("mapa.shared::cluster.u64 %0, %1, %2;" : "=l"(there) : "l"(shared(size, offset)), "r"(rank));
    return there;
  }
  /* The tensor memory address of lane 0 and a column of the block's locations. */
  __device__ __forceinline__ uint64_t columns(uint32_t offset) const { return tensor_columns + offset; }
  __host__ __device__ __forceinline__ void result(uint32_t number, uint64_t value) const {
    l->results[(size_t)number * (l->last + 1) + instance] = value;
  }
  __host__ __device__ __forceinline__ void gave_up(uint32_t yes) const {
    if (yes) l->unfinished[instance] = 1;
  }
};

__device__ __forceinline__ void wait_clocks(uint32_t clocks) {
  long long begin = clock64();
  while (clock64() - begin < clocks) continue;
}

__device__ __forceinline__ void delay(const launch &l, uint32_t slot) {
  if (l.delay_kind == delay_none) return;
  uint32_t who = l.delay_kind == delay_by_block  ? 0
                 : l.delay_kind == delay_by_warp ? threadIdx.x / warp_size + 1
                                                 : threadIdx.x + 1;
  wait_clocks(mix(l.seed ^ mix(blockIdx.x * 1031 + who) ^ slot * 0x9e3779b9u) % (l.delay + 1));
}

/* Stresses the caches for l.stress iterations. */
static __device__ void disturb(const launch &l) {
  uint32_t at = mix(l.seed ^ (blockIdx.x * blockDim.x + threadIdx.x));
  for (uint32_t i = 0; i < l.stress; i++) {
    volatile uint32_t *word = (volatile uint32_t *)(l.scratch + (size_t)(at & l.scratch_last) * 128);
    if (at & 0x10000) *word = i;
    else (void)*word;
    at = mix(at + i);
  }
}

/* Finds the role of this thread in a slot of its block; false if it has none. */
template <class T>
__device__ __forceinline__ bool take_role(const launch &l, uint32_t slot, uint32_t *role, memory *m) {
  constexpr uint32_t blocks = T::clusters * T::cluster_size;
  uint32_t group = blockIdx.x / blocks, block = blockIdx.x % blocks;
  uint32_t home = block / T::cluster_size, rank = block % T::cluster_size;
  uint32_t warp = threadIdx.x / warp_size;
  uint32_t lane = T::narrow ? warp / T::warps : threadIdx.x & ((1u << l.log_lanes) - 1);
  uint32_t seat = T::narrow ? warp % T::warps * warp_size + threadIdx.x % warp_size : threadIdx.x >> l.log_lanes;
  uint32_t cluster = (home + slot) % T::clusters;
  int found = T::role(cluster, rank, seat);
  if (found < 0 || (T::gpus * T::grids > 1 && T::part(cluster) != l.part)) return false;
  *role = (uint32_t)found;
  if (!T::narrow && l.permute) lane = (lane * (2 * *role + 1) + 7 * *role) & ((1u << l.log_lanes) - 1);
  *m = {&l, ((group * l.slots + slot) << l.log_lanes) | lane, (slot << l.log_lanes) | lane};
  return true;
}

__device__ __forceinline__ void open_map(uint64_t map, bool read) {
  asm volatile("fence.proxy.tensormap::generic.acquire.sys [%0], 128;" ::"l"(map) : "memory");
  if (read) asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

template <class T> __device__ __forceinline__ void play_slot(const launch &l, uint32_t slot) {
  uint32_t role;
  memory m;
  if (!take_role<T>(l, slot, &role, &m)) return;
  if (l.preload)
    for (uint32_t o = 0, n = T::objects; o < n; o++)
      if (mix(l.seed ^ mix(threadIdx.x / warp_size + o * 77 + blockIdx.x * 8191)) % l.preload == 0)
        asm volatile("{ .reg .b16 t; ld.global.ca.u8 t, [%0]; }" ::"l"(m.global(o, 0)) : "memory");
  if constexpr (T::maps) T::open_maps(m, l.preload);
  delay(l, slot);
  T::play(role, m);
}

__device__ __forceinline__ void meet_cluster() {
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
}

/* Makes two GPUs begin together, unless the other GPU is too late. */
__device__ __forceinline__ void meet_gpus(const launch &l) {
  if (threadIdx.x == 0) {
    volatile uint32_t *mine = l.meet.mine, *others = l.meet.others;
    if (blockIdx.x == 0) *others = l.meet.number;
    long long begin = clock64();
    while (*mine != l.meet.number && clock64() - begin < meeting_clocks) continue;
  }
  __syncthreads();
}

/* Makes the blocks of a group and its threads of the host begin together, unless the host is too late. */
__device__ __forceinline__ void meet_hosts(const launch &l, uint32_t group) {
  if (threadIdx.x == 0) {
    volatile uint32_t *ready = l.meet.mine + word_apart * group, *came = l.meet.others + word_apart * blockIdx.x;
    *came = l.meet.number;
    long long begin = clock64();
    while (*ready != l.meet.number && clock64() - begin < hosts_clocks) continue;
  }
  __syncthreads();
}

/* One warp allocates and frees; with group 2, one warp of each CTA of the pair. */
template <uint32_t group> __device__ __forceinline__ void allocate_columns(uint32_t count) {
  uint32_t at = (uint32_t)__cvta_generic_to_shared(&tensor_columns);
  if (threadIdx.x < warp_size && group == 1)
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(at), "r"(count) : "memory");
  if (threadIdx.x < warp_size && group == 2)
    asm volatile("tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(at), "r"(count) : "memory");
  __syncthreads();
}

template <uint32_t group> __device__ __forceinline__ void free_columns(uint32_t count) {
  __syncthreads();
  if (threadIdx.x < warp_size && group == 2)
    asm volatile("tcgen05.dealloc.cta_group::2.sync.aligned.b32 %0, %1;" ::"r"(tensor_columns), "r"(count) : "memory");
  if (threadIdx.x < warp_size && group == 1)
    asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(tensor_columns), "r"(count) : "memory");
}

/* Sets tensor memory to 0, in the lanes that the block's warps can access. */
template <uint32_t group> __device__ __forceinline__ void clear_columns() {
  allocate_columns<group>(all_columns);
  for (uint32_t column = 0; column < all_columns && threadIdx.x < 4 * warp_size; column += 4)
    asm volatile("tcgen05.st.sync.aligned.32x32b.x4.b32 [%0], {%1, %1, %1, %1};" ::"r"(
                     tensor_columns + column + (threadIdx.x / warp_size << 21)),
                 "r"(0));
  asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory");
  free_columns<group>(all_columns);
}

template <class T> __global__ void play(const __grid_constant__ launch l) {
  if (blockIdx.x >= l.groups * T::clusters * T::cluster_size) {
    disturb(l);
    return;
  }
  if (T::gpus > 1) meet_gpus(l);
  if (T::hosts) meet_hosts(l, blockIdx.x / (T::clusters * T::cluster_size));
  if constexpr (T::group > 0) clear_columns<T::group>();
  if constexpr (T::columns > 0) allocate_columns<T::group>(T::columns);
  if (T::shared_size) {
    T::prepare(l);
    if (T::async) asm volatile("fence.mbarrier_init.release.cluster; fence.proxy.async;" ::: "memory");
    __syncthreads();
  }
  if (T::remote) meet_cluster();
  for (uint32_t slot = 0; slot < l.slots; slot++) play_slot<T>(l, slot);
  if constexpr (T::columns > 0) free_columns<T::group>(T::columns);
  if (!T::remote) return;
  meet_cluster(); /* no block may end earlier, because its shared memory would be freed */
  uint32_t role;
  memory m;
  for (uint32_t slot = 0; slot < l.slots; slot++)
    if (take_role<T>(l, slot, &role, &m)) T::finish(role, m);
}

/* Sets the initial values of shared memory, for every instance of the block. */
template <class T> __device__ void prepare_shared(const launch &l, const initial *initials, uint32_t count) {
  uint32_t seats = l.slots << l.log_lanes;
  for (uint32_t i = threadIdx.x; i < seats * T::shared_size / 4; i += blockDim.x) ((uint32_t *)block_memory)[i] = 0;
  __syncthreads();
  for (uint32_t seat = threadIdx.x; seat < seats; seat += blockDim.x)
    for (uint32_t i = 0; i < count; i++) {
      char *at = block_memory + (size_t)seat * T::shared_size + initials[i].offset;
      if (!initials[i].bytes)
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"l"(__cvta_generic_to_shared(at)),
                     "r"((uint32_t)initials[i].low)
                     : "memory");
      for (uint32_t b = 0; b < initials[i].bytes; b++) {
        uint64_t half = b < 8 ? initials[i].low : initials[i].high;
        at[b] = (char)(half >> 8 * (b % 8));
      }
    }
}

/* True for the last thread of an instance in its CTA; `counter` is the offset of the count. */
__device__ __forceinline__ bool last_of(const memory &m, uint32_t size, uint32_t counter, uint32_t threads) {
  __threadfence_block();
  uint32_t *count = (uint32_t *)(block_memory + (size_t)m.seat * size + counter);
  return atomicAdd(count, 1) == threads - 1;
}

/* The description of a test on the host, from its struct of device code. */
template <class T> constexpr const void *kernel_of() { return (const void *)play<T>; }

/* ---- instructions of a host, those of ptxlit's src/litmus/host.def */

#if defined(__x86_64__)
constexpr host_isa this_isa = isa_x86_64;
static inline void host_pause() { asm volatile("pause" ::: "memory"); }
static inline uint64_t host_clock() { return __builtin_ia32_rdtsc(); }
#elif defined(__aarch64__)
constexpr host_isa this_isa = isa_aarch64;
static inline void host_pause() { asm volatile("yield" ::: "memory"); }
static inline uint64_t host_clock() {
  uint64_t ticks;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
}
#else
constexpr host_isa this_isa = isa_none;
static inline void host_pause() {}
static inline uint64_t host_clock() { return 0; }
#endif

enum host_fence_kind { fence_full, fence_loads, fence_stores };

template <host_fence_kind kind> static inline void host_fence() {
#if defined(__x86_64__)
  if (kind == fence_full) asm volatile("mfence" ::: "memory");
#elif defined(__aarch64__)
  if (kind == fence_full) asm volatile("dmb ish" ::: "memory");
  if (kind == fence_loads) asm volatile("dmb ishld" ::: "memory");
  if (kind == fence_stores) asm volatile("dmb ishst" ::: "memory");
#endif
}

template <class T, int order> static inline T host_load(uint64_t at) {
  return __atomic_load_n((volatile T *)at, order);
}

template <class T, int order> static inline void host_store(uint64_t at, T value) {
  __atomic_store_n((volatile T *)at, value, order);
}

template <class T, int order> static inline T host_exch(uint64_t at, T value) {
  return __atomic_exchange_n((volatile T *)at, value, order);
}

template <class T, int order> static inline T host_cas(uint64_t at, T old, T value) {
  constexpr int failure = order == __ATOMIC_ACQ_REL   ? __ATOMIC_ACQUIRE
                          : order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED
                                                      : order;
  __atomic_compare_exchange_n((volatile T *)at, &old, value, false, order, failure);
  return old;
}

#define HOST_UPDATE(word)                                                                                              \
  template <class T, int order> static inline T host_##word(uint64_t at, T value) {                                    \
    return __atomic_fetch_##word((volatile T *)at, value, order);                                                      \
  }
HOST_UPDATE(add)
HOST_UPDATE(sub)
HOST_UPDATE(and)
HOST_UPDATE(or)
HOST_UPDATE(xor)

#define HOST_CHOICE(word, than)                                                                                        \
  template <class T, int order> static inline T host_##word(uint64_t at, T value) {                                    \
    for (T old = host_load<T, __ATOMIC_RELAXED>(at);;) {                                                               \
      T found = host_cas<T, order>(at, old, old than value ? old : value);                                             \
      if (found == old) return old;                                                                                    \
      old = found;                                                                                                     \
    }                                                                                                                  \
  }
HOST_CHOICE(min, <)
HOST_CHOICE(max, >)

} // namespace chip

/* One for each file of tests. */
struct chip_part {
  const chip::test *tests;
  size_t count;
};

extern const chip_part *const chip_parts[];
extern const size_t chip_part_count;
