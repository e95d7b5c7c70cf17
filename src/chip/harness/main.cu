/* Runs litmus tests on a GPU and writes what it saw, a line of JSON for each: see README.
 *
 * The process that was started only watches. A child does the work, so that a test which hangs, or which ends the
 * context, costs nothing but itself: the child is ended, and another goes on with the next test.
 */
#include <fcntl.h>
#include <fnmatch.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <cuda.h>

#include "chip.cuh"

using namespace chip;

/* ---- what was seen of a test: on the device, and between the two processes */

struct table {
  unsigned long long key[table_size], count[table_size]; /* key no_key: free */
  uint64_t value[table_size][max_words];
  unsigned long long unfinished;
  uint32_t overflow;
};

static const unsigned long long no_key = ~0ull;

struct progress {
  volatile uint32_t test;  /* what the child works on */
  volatile bool working;   /* in the middle of it */
  bool known;              /* the device is, below */
  char device[256], driver[64], cuda[32], capability[16];
  double seconds;
  unsigned long long runs;
  char shape[512];
  table seen; /* as of the last launch that came to an end */
};

struct options {
  double seconds = 1; /* for each test */
  double patience = 20; /* without a sign of life */
  uint64_t seed = 1;
  int device = 0;
  const char *out = "-";
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

/* ---- setting and counting, alike for all tests */

struct facts {
  const object *objects;
  const initial *initials;
  const observable *observables;
  uint32_t initial_count, observable_count, result_count, words, bits;
};

__device__ static char *place_of(const launch &l, uint32_t object, uint32_t instance) {
  const placement &p = l.place[object];
  return l.arena[0] + p.region + (uint64_t)(((instance * p.multiplier) ^ p.flip) & l.last) * p.stride;
}

__global__ static void set(const __grid_constant__ launch l, const __grid_constant__ facts f, uint32_t objects) {
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i <= l.last; i += gridDim.x * blockDim.x) {
    l.unfinished[i] = 0;
    for (uint32_t k = 0; k < f.initial_count; k++) {
      initial v = f.initials[k];
      char *at = place_of(l, v.object, i) + v.offset;
      if (v.object >= objects) continue; /* shared memory: the blocks do it */
      switch (v.bytes) {
        case 1: *(uint8_t *)at = (uint8_t)v.low; break;
        case 2: *(uint16_t *)at = (uint16_t)v.low; break;
        case 4: *(uint32_t *)at = (uint32_t)v.low; break;
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

/* Values of up to 63 bits in all are their own key; others have a hash. */
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
        uint64_t v = o.global ? load_bits(place_of(l, o.object, i) + o.offset + 8 * half, o.width)
                              : l.results[(size_t)(o.result + half) * (l.last + 1) + i];
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

/* ---- launches */

enum stride_kind { stride_tight, stride_sector, stride_line, stride_two_lines, stride_kinds };

/* Drawn for each launch. */
struct shape {
  uint32_t log_lanes, log_groups, log_slots;
  uint32_t stride; /* between the copies of a location */
  bool together;   /* all locations of an instance side by side */
  bool scatter;    /* instances permuted, for each location by itself */
  bool permute;
  uint32_t delay_kind, delay, preload, stress, spare_shared;
};

struct worker {
  const options *o;
  progress *shared;
  random_numbers random;
  cudaDeviceProp device;
  char *arena;
  char *views[max_aliases];
  size_t arena_size, results_size;
  uint64_t *results;
  uint8_t *unfinished;
  char *scratch;
  table *seen;
  void *facts_memory;
  size_t facts_size;
};

enum { arena_bytes = 1 << 30, results_bytes = 1 << 28, most_instances = 1 << 22, scratch_lines = 1 << 16 };

static uint32_t round_up(uint32_t n, uint32_t to) { return (n + to - 1) / to * to; }

static uint32_t stride_of(const shape &s, uint32_t size) {
  static const uint32_t least[stride_kinds] = {1, 32, 128, 256};
  uint32_t step = least[s.stride];
  if (step > 1) return round_up(size, step);
  uint32_t power = 4;
  while (power < size) power *= 2;
  return power > 16 ? round_up(size, 16) : power;
}

/* How many of a launch's instances there is memory for. */
static uint64_t room(const worker &w, const test &t, const shape &s) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < t.object_count; i++) bytes += s.together ? round_up(t.objects[i].size, 16) : stride_of(s, t.objects[i].size);
  bytes += 256;
  uint64_t fits = arena_bytes / bytes;
  uint64_t results = w.results_size / 8 / (t.result_count ? t.result_count : 1);
  return fits < results ? fits : results;
}

static uint32_t draw_log(random_numbers &r, uint32_t low, uint32_t high) { return low + r.below(high - low + 1); }

static shape draw(worker &w, const test &t) {
  random_numbers &r = w.random;
  shape s = {};
  uint32_t most_lanes = 0;
  while ((t.threads << (most_lanes + 1)) <= (t.narrow ? 512u : 1024u)) most_lanes++;
  if (t.narrow) s.log_lanes = t.single ? 0 : draw_log(r, 0, most_lanes);
  else s.log_lanes = t.barriers ? 5 : draw_log(r, 5, most_lanes > 8 ? 8 : most_lanes < 5 ? 5 : most_lanes);
  s.log_groups = r.one_in(8) ? draw_log(r, 0, 6) : draw_log(r, 7, 12);
  s.log_slots = t.barriers ? 0 : draw_log(r, 0, 5);
  s.stride = r.below(stride_kinds);
  s.together = r.one_in(4);
  s.scatter = r.one_in(2);
  s.permute = r.one_in(2);
  s.delay_kind = r.below(delay_kinds);
  s.delay = r.one_in(2) ? r.below(200) : r.below(4000);
  s.preload = r.one_in(2) ? 0 : 1 + r.below(3);
  s.stress = r.one_in(3) ? 1 + r.below(2000) : 0;
  s.spare_shared = r.one_in(4) ? r.below(100) << 10 : 0;
  while (s.log_slots && ((size_t)t.shared_size << (s.log_slots + s.log_lanes)) > 160 << 10) s.log_slots--;
  while (!t.barriers && s.log_lanes > (t.narrow ? 0u : 5u) && ((size_t)t.shared_size << (s.log_slots + s.log_lanes)) > 160 << 10)
    s.log_lanes--;
  while (s.log_groups && ((uint64_t)1 << (s.log_groups + s.log_slots + s.log_lanes)) > most_instances) s.log_groups--;
  while (s.log_groups && ((uint64_t)1 << (s.log_groups + s.log_slots + s.log_lanes)) > room(w, t, s)) s.log_groups--;
  return s;
}

static void arrange(worker &w, const test &t, const shape &s, launch *l) {
  uint64_t instances = (uint64_t)1 << (s.log_groups + s.log_slots + s.log_lanes), at = 0;
  uint32_t side = 0;
  random_numbers &r = w.random;
  for (uint32_t i = 0; i < t.object_count; i++) side += round_up(t.objects[i].size, 16);
  uint32_t multiplier = s.scatter ? r.next() | 1 : 1, flip = s.scatter ? r.next() : 0;
  for (uint32_t i = 0; i < t.object_count; i++) {
    placement *p = &l->place[i];
    *p = {at, s.together ? side : stride_of(s, t.objects[i].size), multiplier, flip};
    if (s.scatter && !s.together) p->multiplier = r.next() | 1, p->flip = r.next();
    at += s.together ? round_up(t.objects[i].size, 16) : (p->stride * instances + 255) / 256 * 256;
  }
}

static launch make_launch(worker &w, const test &t, const shape &s) {
  launch l = {};
  for (int i = 0; i < max_aliases; i++) l.arena[i] = w.views[i];
  arrange(w, t, s, &l);
  l.results = w.results;
  l.unfinished = w.unfinished;
  l.last = (1u << (s.log_groups + s.log_slots + s.log_lanes)) - 1;
  l.log_lanes = s.log_lanes;
  l.slots = 1u << s.log_slots;
  l.groups = 1u << s.log_groups;
  l.steps = 2000;
  l.delay_kind = s.delay_kind;
  l.delay = s.delay;
  l.preload = s.preload;
  l.permute = s.permute;
  l.seed = w.random.next();
  l.stress = s.stress;
  l.scratch = w.scratch;
  l.scratch_last = scratch_lines - 1;
  return l;
}

static facts give_facts(worker &w, const test &t) {
  facts f = {};
  f.initial_count = t.initial_count;
  f.observable_count = t.observable_count;
  f.result_count = t.result_count;
  for (uint32_t i = 0; i < t.observable_count; i++) {
    f.bits += t.observables[i].width;
    f.words += t.observables[i].width > 64 ? 2 : 1;
  }
  size_t a = sizeof(initial) * t.initial_count, b = sizeof(observable) * t.observable_count;
  if (f.words > max_words) fail(t.name, "too many values are observed");
  if (a + b > w.facts_size) {
    if (w.facts_memory) must(cudaFree(w.facts_memory), "cudaFree");
    must(cudaMalloc(&w.facts_memory, a + b), "cudaMalloc");
    w.facts_size = a + b;
  }
  char *at = (char *)w.facts_memory;
  if (b) must(cudaMemcpy(at, t.observables, b, cudaMemcpyHostToDevice), "cudaMemcpy");
  if (a) must(cudaMemcpy(at + b, t.initials, a, cudaMemcpyHostToDevice), "cudaMemcpy");
  f.observables = (const observable *)at;
  f.initials = (const initial *)(at + b);
  return f;
}

static void start(worker &w, const test &t, const shape &s, const launch &l) {
  uint32_t blocks = l.groups * t.blocks;
  if (s.stress) blocks += round_up(1 + (uint32_t)w.device.multiProcessorCount / 4, t.cluster_size);
  cudaLaunchConfig_t config = {};
  config.gridDim = blocks;
  config.blockDim = t.threads << l.log_lanes;
  size_t shared = (size_t)t.shared_size << (s.log_slots + s.log_lanes);
  config.dynamicSmemBytes = shared + s.spare_shared < 200 << 10 ? shared + s.spare_shared : shared;
  cudaLaunchAttribute cluster[1];
  cluster[0].id = cudaLaunchAttributeClusterDimension;
  cluster[0].val.clusterDim = {t.cluster_size, 1, 1};
  config.attrs = cluster;
  config.numAttrs = t.cluster_size > 1 ? 1 : 0;
  void *arguments[] = {(void *)&l};
  must(cudaLaunchKernelExC(&config, t.kernel, arguments), "starting a kernel");
}

/* ---- which shapes show most */

enum { kept = 6 };

struct favourites {
  struct {
    shape s;
    double score;
  } best[kept];
  uint32_t count;
};

/* Rare outcomes weigh more: each has the weight one, shared by all its instances so far. */
static double score(const table &before, const table &after, double instances) {
  double sum = 0;
  for (uint32_t i = 0; i < table_size; i++) {
    if (after.key[i] == no_key || after.count[i] == 0) continue;
    unsigned long long old = before.key[i] == no_key ? 0 : before.count[i];
    sum += (double)(after.count[i] - old) / (double)after.count[i];
  }
  return sum / instances;
}

static void keep(favourites *f, const shape &s, double score) {
  uint32_t at = f->count < kept ? f->count++ : 0;
  if (f->count == kept && at == 0) {
    for (uint32_t i = 1; i < kept; i++)
      if (f->best[i].score < f->best[at].score) at = i;
    if (f->best[at].score >= score) return;
  }
  f->best[at].s = s;
  f->best[at].score = score;
}

/* One that showed much, changed in one thing; or a new one. */
static shape choose(worker &w, const test &t, favourites *f) {
  if (!f->count || w.random.one_in(2)) return draw(w, t);
  uint32_t at = w.random.below(f->count);
  f->best[at].score *= 0.9; /* what was rare may be so no more */
  shape s = f->best[at].s, other = draw(w, t);
  switch (w.random.below(6)) {
    case 0: s.delay = other.delay; break;
    case 1: s.preload = other.preload; break;
    case 2: s.stress = other.stress; break;
    case 3: s.permute = other.permute; break;
    case 4: s.spare_shared = other.spare_shared; break;
    default: break;
  }
  return s;
}

static void tell_shape(const shape &s, char *out, size_t size) {
  snprintf(out, size,
           "{\"lanes\":%u,\"groups\":%u,\"slots\":%u,\"stride\":%u,\"together\":%d,\"scatter\":%d,\"permute\":%d,"
           "\"delay\":[%u,%u],\"preload\":%u,\"stress\":%u,\"spare\":%u}",
           1u << s.log_lanes, 1u << s.log_groups, 1u << s.log_slots, s.stride, s.together, s.scatter, s.permute,
           s.delay_kind, s.delay, s.preload, s.stress, s.spare_shared);
}

/* ---- one test */

static void run_test(worker &w, const test &t) {
  static table before, after;
  facts f = give_facts(w, t);
  favourites favourites = {};
  progress *p = w.shared;
  must(cudaFuncSetAttribute(t.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10), "shared memory");
  memset(&before, 0, sizeof before);
  memset(before.key, 0xff, sizeof before.key);
  must(cudaMemcpy(w.seen, &before, sizeof before, cudaMemcpyHostToDevice), "cudaMemcpy");
  p->seen = before;
  p->runs = 0;
  p->shape[0] = '\0';
  double begin = now();
  uint32_t blocks = 8 * (uint32_t)w.device.multiProcessorCount;
  do {
    shape s = choose(w, t, &favourites);
    launch l = make_launch(w, t, s);
    set<<<blocks, 256>>>(l, f, t.object_count);
    start(w, t, s, l);
    count<<<blocks, 256>>>(l, f, w.seen);
    must(cudaGetLastError(), "starting a kernel");
    must(cudaMemcpy(&after, w.seen, offsetof(table, value), cudaMemcpyDeviceToHost), t.name);
    must(cudaMemcpy(&after.unfinished, &w.seen->unfinished, sizeof after - offsetof(table, unfinished), cudaMemcpyDeviceToHost), t.name);
    if (after.overflow) fail(t.name, "more outcomes than the table has room for");
    keep(&favourites, s, score(before, after, (double)l.last + 1));
    before = after;
    p->runs += (unsigned long long)l.last + 1;
    p->seconds = now() - begin;
  } while (p->seconds < w.o->seconds);
  must(cudaMemcpy(&p->seen, w.seen, sizeof p->seen, cudaMemcpyDeviceToHost), t.name);
  uint32_t best = 0;
  for (uint32_t i = 1; i < favourites.count; i++)
    if (favourites.best[i].score > favourites.best[best].score) best = i;
  tell_shape(favourites.best[best].s, p->shape, sizeof p->shape);
}

/* ---- results as JSON */

static void add_value(std::string *out, const observable &o, const uint64_t *words) {
  unsigned __int128 v = words[0];
  char text[64];
  if (o.width > 64) v |= (unsigned __int128)words[1] << 64;
  if (o.kind == value_bits) {
    snprintf(text, sizeof text, "0x%0*llx", o.width / 4, (unsigned long long)words[0]);
    *out += text;
    return;
  }
  bool negative = o.kind == value_signed && (v >> (o.width - 1) & 1);
  if (negative) v = (o.width == 128 ? 0 : (unsigned __int128)1 << o.width) - v;
  char *at = text + sizeof text;
  *--at = '\0';
  do *--at = (char)('0' + (int)(v % 10)), v /= 10;
  while (v);
  if (negative) *--at = '-';
  *out += at;
}

static std::string state_of(const test &t, const uint64_t *words) {
  std::string out;
  for (uint32_t i = 0, w = 0; i < t.observable_count; i++) {
    out += out.empty() ? "" : " ";
    out += t.observables[i].name;
    out += "=";
    add_value(&out, t.observables[i], words + w);
    out += ";";
    w += t.observables[i].width > 64 ? 2 : 1;
  }
  return out;
}

static std::string number(unsigned long long n) { return std::to_string(n); }

static std::string quoted(const char *text) {
  std::string out = "\"";
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') out += '\\';
    out += (unsigned char)*text < ' ' ? ' ' : *text;
  }
  return out + "\"";
}

#ifndef CHIP_FLAGS
#define CHIP_FLAGS ""
#endif

static std::string machine(const progress &p) {
  std::string out = ",\"device\":" + quoted(p.device) + ",\"capability\":" + quoted(p.capability);
  out += ",\"driver\":" + quoted(p.driver) + ",\"cuda\":" + quoted(p.cuda) + ",\"compiler\":\"nvcc ";
  out += number(__CUDACC_VER_MAJOR__) + "." + number(__CUDACC_VER_MINOR__) + "." + number(__CUDACC_VER_BUILD__);
  return out + "\",\"flags\":" + quoted(CHIP_FLAGS);
}

static std::string result(const test &t, const progress &p, const options &o, const char *ended) {
  std::string out = std::string("{\"format\":1,") + t.json + machine(p);
  char seconds[32];
  snprintf(seconds, sizeof seconds, "%.3f", p.seconds);
  out += ",\"seed\":" + number(o.seed) + ",\"runs\":" + number(p.runs) + ",\"seconds\":" + seconds;
  out += ",\"unfinished\":" + number(p.seen.unfinished) + ",\"ended\":" + quoted(ended) + ",\"outcomes\":[";
  bool any = false;
  for (uint32_t i = 0; i < table_size; i++) {
    if (p.seen.key[i] == no_key || p.seen.count[i] == 0) continue;
    out += any ? ",{" : "{";
    out += "\"state\":" + quoted(state_of(t, p.seen.value[i]).c_str()) + ",\"count\":" + number(p.seen.count[i]) + "}";
    any = true;
  }
  out += "]";
  if (p.shape[0]) out += std::string(",\"shape\":") + p.shape;
  return out + "}\n";
}

static std::string left_out(const test &t) {
  return std::string("{\"format\":1,") + t.json + ",\"left_out\":" + quoted(t.left_out) + "}\n";
}

static void write_all(int fd, const std::string &text) {
  for (size_t at = 0; at < text.size();) {
    ssize_t n = write(fd, text.data() + at, text.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("writing the results", strerror(errno));
    at += (size_t)n;
  }
}

/* ---- the child */

static void driver_version(char *out, size_t size) {
  FILE *file = fopen("/sys/module/nvidia/version", "r");
  snprintf(out, size, "unknown");
  if (!file) return;
  if (fgets(out, (int)size, file)) out[strcspn(out, "\n")] = '\0';
  fclose(file);
}

static void tell_device(worker &w) {
  progress *p = w.shared;
  int cuda = 0;
  must(cudaGetDeviceProperties(&w.device, w.o->device), "the device");
  must(cudaDriverGetVersion(&cuda), "the driver");
  snprintf(p->device, sizeof p->device, "%s", w.device.name);
  snprintf(p->capability, sizeof p->capability, "%d.%d", w.device.major, w.device.minor);
  snprintf(p->cuda, sizeof p->cuda, "%d.%d", cuda / 1000, cuda % 1000 / 10);
  driver_version(p->driver, sizeof p->driver);
  p->known = true;
}

template <class F> static F driver_function(const char *name) {
  void *function = NULL;
  cudaDriverEntryPointQueryResult found;
  must(cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &found), name);
  if (!function) fail(name, "not in this driver");
  return (F)function;
}

static void must_driver(CUresult status, const char *what) {
  if (status != CUDA_SUCCESS) fail(what, "the driver refuses");
}

/* One allocation, mapped several times: virtual aliases. */
static void map_arena(worker &w) {
  auto granularity = driver_function<decltype(&cuMemGetAllocationGranularity)>("cuMemGetAllocationGranularity");
  auto create = driver_function<decltype(&cuMemCreate)>("cuMemCreate");
  auto reserve = driver_function<decltype(&cuMemAddressReserve)>("cuMemAddressReserve");
  auto map = driver_function<decltype(&cuMemMap)>("cuMemMap");
  auto allow = driver_function<decltype(&cuMemSetAccess)>("cuMemSetAccess");
  CUmemAllocationProp kind = {};
  kind.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  kind.location = {CU_MEM_LOCATION_TYPE_DEVICE, w.o->device};
  size_t unit = 0;
  must_driver(granularity(&unit, &kind, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED), "cuMemGetAllocationGranularity");
  w.arena_size = ((size_t)arena_bytes + (64 << 20) + unit - 1) / unit * unit;
  CUmemGenericAllocationHandle handle;
  must_driver(create(&handle, w.arena_size, &kind, 0), "cuMemCreate");
  CUmemAccessDesc access = {kind.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  for (int i = 0; i < max_aliases; i++) {
    CUdeviceptr at;
    must_driver(reserve(&at, w.arena_size, 0, 0, 0), "cuMemAddressReserve");
    must_driver(map(at, w.arena_size, 0, handle, 0), "cuMemMap");
    must_driver(allow(at, w.arena_size, &access, 1), "cuMemSetAccess");
    w.views[i] = (char *)at;
  }
}

static void open_device(worker &w) {
  must(cudaSetDevice(w.o->device), "the device");
  tell_device(w);
  map_arena(w);
  w.results_size = results_bytes;
  must(cudaMalloc(&w.results, w.results_size), "cudaMalloc");
  must(cudaMalloc(&w.unfinished, most_instances), "cudaMalloc");
  must(cudaMalloc(&w.scratch, (size_t)scratch_lines * 128), "cudaMalloc");
  must(cudaMalloc(&w.seen, sizeof *w.seen), "cudaMalloc");
}

static bool wanted(const options &o, const test &t) {
  if (o.only.empty()) return true;
  for (const char *pattern : o.only)
    if (fnmatch(pattern, t.name, 0) == 0) return true;
  return false;
}

static std::vector<const test *> all_tests(const options &o) {
  std::vector<const test *> tests;
  for (size_t p = 0; p < chip_part_count; p++)
    for (size_t i = 0; i < chip_parts[p]->count; i++)
      if (wanted(o, chip_parts[p]->tests[i])) tests.push_back(&chip_parts[p]->tests[i]);
  return tests;
}

[[noreturn]] static void work(const options &o, progress *shared, const std::vector<const test *> &tests, uint32_t from,
                              int out, int alive) {
  worker w = {};
  w.o = &o;
  w.shared = shared;
  open_device(w);
  for (uint32_t i = from; i < tests.size(); i++) {
    const test &t = *tests[i];
    shared->test = i;
    if (t.left_out) {
      write_all(out, left_out(t));
      continue;
    }
    w.random.state = (o.seed + 1) * 0x9e3779b97f4a7c15ull ^ (uint64_t)i * 0xd1b54a32d192ed03ull | 1;
    for (int k = 0; k < 8; k++) w.random.next();
    shared->working = true;
    run_test(w, t);
    shared->working = false;
    write_all(out, result(t, *shared, o, "done"));
    write_all(alive, ".");
  }
  _exit(0);
}

/* ---- the parent */

/* Waits for the child. True when it has come to the end of the list. */
static bool watch(const options &o, pid_t child, int alive, bool *hung) {
  char byte[64];
  *hung = false;
  for (;;) {
    pollfd wait = {alive, POLLIN, 0};
    int ready = poll(&wait, 1, (int)(1000 * (o.seconds + o.patience)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready > 0 && read(alive, byte, sizeof byte) > 0) continue;
    *hung = ready == 0;
    break;
  }
  int status;
  if (*hung) kill(child, SIGKILL);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return !*hung && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int supervise(const options &o, const std::vector<const test *> &tests, int out) {
  progress *shared = (progress *)mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) fail("memory", strerror(errno));
  for (uint32_t from = 0; from < tests.size();) {
    int pipes[2];
    shared->working = false;
    if (pipe(pipes)) fail("pipe", strerror(errno));
    pid_t child = fork();
    if (child < 0) fail("fork", strerror(errno));
    if (child == 0) {
      close(pipes[0]);
      work(o, shared, tests, from, out, pipes[1]);
    }
    close(pipes[1]);
    bool hung, done = watch(o, child, pipes[0], &hung);
    close(pipes[0]);
    if (done) return 0;
    if (!shared->working) return 3; /* it said why */
    shared->seen.overflow = 0;
    write_all(out, result(*tests[shared->test], *shared, o, hung ? "hang" : "fault"));
    from = shared->test + 1;
  }
  return 0;
}

static int usage(const char *name) {
  fprintf(stderr,
          "usage: %s [-s SECONDS] [-p SECONDS] [-r SEED] [-d DEVICE] [-o FILE] [-l] [NAME ...]\n"
          "  -s  for each test (1)      -p  without a sign of life before a test is given up (20)\n"
          "  -r  where shapes of launches begin (1)      -d  which GPU (0)      -o  where results are added (stdout)\n"
          "  -l  list the tests and why some are left out      NAME  only these tests; * and ? stand for others\n",
          name);
  return 2;
}

static int list_tests(const std::vector<const test *> &tests) {
  for (const test *t : tests) printf("%s%s%s\n", t->name, t->left_out ? ": " : "", t->left_out ? t->left_out : "");
  return 0;
}

int main(int argc, char **argv) {
  options o;
  bool list = false;
  int c;
  while ((c = getopt(argc, argv, "s:p:r:d:o:l")) >= 0) {
    if (c == 's') o.seconds = atof(optarg);
    else if (c == 'p') o.patience = atof(optarg);
    else if (c == 'r') o.seed = strtoull(optarg, NULL, 10);
    else if (c == 'd') o.device = atoi(optarg);
    else if (c == 'o') o.out = optarg;
    else if (c == 'l') list = true;
    else return usage(argv[0]);
  }
  for (int i = optind; i < argc; i++) o.only.push_back(argv[i]);
  std::vector<const test *> tests = all_tests(o);
  if (tests.empty()) fail("the tests", "none has such a name");
  if (list) return list_tests(tests);
  int out = strcmp(o.out, "-") == 0 ? 1 : open(o.out, O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (out < 0) fail(o.out, strerror(errno));
  return supervise(o, tests, out);
}
