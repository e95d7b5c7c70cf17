/* Shapes of launches: random ones, and variants of the shapes with the best scores. */
#pragma once
#include <cerrno>

#include "host.cuh"

enum stride_kind { stride_tight, stride_sector, stride_line, stride_two_lines, stride_kinds };

/* Drawn at random for each launch. */
struct shape {
  uint32_t log_lanes, log_groups, log_slots;
  uint32_t stride; /* the distance between the copies of a location */
  bool together;   /* all locations of an instance are adjacent */
  bool scatter;    /* the instances are permuted, separately for each location */
  bool permute;
  uint32_t delay_kind, delay, preload, stress, spare_shared;
  uint32_t lead; /* ticks by which the device begins before the host */
};

/* With this much shared memory a multiprocessor runs only one block, so that an allocation of tensor memory never waits
 * for another block. */
enum { one_block = 120 << 10 };

static uint32_t round_up(uint32_t n, uint32_t to) { return (n + to - 1) / to * to; }

static uint32_t stride_of(const shape &s, uint32_t size) {
  static const uint32_t least[stride_kinds] = {1, 32, 128, 256};
  uint32_t step = least[s.stride];
  if (step > 1) return round_up(size, step);
  uint32_t power = 4;
  while (power < size) power *= 2;
  return power > 16 ? round_up(size, 16) : power;
}

/* In the constant bank there is no space between copies. */
static uint32_t constant_stride(const object &o) { return round_up(o.size, 4); }

enum { most_constants = 4 }; /* objects of a test in the constant bank */

/* The number of instances per launch for which there is memory. */
static uint64_t room(const worker &w, const test &t, const shape &s) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < t.object_count; i++)
    bytes += s.together ? round_up(t.objects[i].size, 16) : stride_of(s, t.objects[i].size);
  bytes += 256;
  uint64_t fits = (t.textures ? w.texels * 4 : t.hosts ? (uint64_t)host_bytes : (uint64_t)arena_bytes) / bytes;
  for (uint32_t i = 0; i < t.object_count; i++) {
    uint64_t constant = constant_bytes / most_constants / constant_stride(t.objects[i]);
    if (t.objects[i].home == in_constants && constant < fits) fits = constant;
  }
  uint64_t results = (t.hosts ? host_results_bytes : w.results_size) / 8 / (t.result_count ? t.result_count : 1);
  if (t.hosts && results > most_host_instances) results = most_host_instances;
  return fits < results ? fits : results;
}

static uint32_t draw_log(random_numbers &r, uint32_t low, uint32_t high) { return low + r.below(high - low + 1); }

/* Reduces the shape to the available memory. */
static void fit(worker &w, const test &t, shape *s) {
  while (t.hosts && s->log_groups && ((4 * word_apart * (1 + t.blocks)) << s->log_groups) > words_bytes)
    s->log_groups--;
  while (s->log_slots && ((size_t)t.shared_size << (s->log_slots + s->log_lanes)) > 160 << 10) s->log_slots--;
  while (!t.barriers && s->log_lanes > (t.narrow ? 0u : 5u) &&
         ((size_t)t.shared_size << (s->log_slots + s->log_lanes)) > 160 << 10)
    s->log_lanes--;
  while (s->log_groups && ((uint64_t)1 << (s->log_groups + s->log_slots + s->log_lanes)) > most_instances)
    s->log_groups--;
  while (s->log_groups && ((uint64_t)1 << (s->log_groups + s->log_slots + s->log_lanes)) > room(w, t, *s))
    s->log_groups--;
}

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
  if (t.hosts) {
    s.log_lanes = s.log_lanes > 6 ? 6 : s.log_lanes; /* a host plays one instance after another */
    s.log_slots = draw_log(r, 0, 2);
    s.log_groups = draw_log(r, 5, 8);
    for (uint32_t i = 0; i < t.object_count; i++) /* its pages may move to and fro */
      if (t.objects[i].home == is_managed) s.log_groups = 4, s.log_slots = 0;
    s.lead = r.one_in(3) ? 0 : r.below(16000);
  }
  if (t.map_bytes) s.together = false; /* tensor maps are aligned to 64 bytes */
  fit(w, t, &s);
  return s;
}

static void arrange(worker &w, const test &t, const shape &s, launch *l) {
  uint64_t instances = (uint64_t)1 << (s.log_groups + s.log_slots + s.log_lanes), at = 0, constant = 0;
  uint32_t side = 0;
  random_numbers &r = w.random;
  for (uint32_t i = 0; i < t.object_count; i++) side += round_up(t.objects[i].size, 16);
  uint32_t multiplier = s.scatter ? r.next() | 1 : 1, flip = s.scatter ? r.next() : 0;
  for (uint32_t i = 0; i < t.object_count; i++) {
    placement *p = &l->place[i];
    *p = {at, s.together ? side : stride_of(s, t.objects[i].size), multiplier, flip};
    if (s.scatter && !s.together) p->multiplier = r.next() | 1, p->flip = r.next();
    if (t.objects[i].home == is_mapped) p->region += (uint64_t)(w.mapped - w.views[0]);
    if (t.objects[i].home == is_managed) p->region += (uint64_t)(w.managed - w.views[0]);
    if (t.gpus > 1 && r.one_in(2)) p->region += w.arena_size; /* on the other GPU */
    if (t.objects[i].home == in_constants) {                  /* an offset from the arena, like all regions */
      p->region = (uint64_t)(w.constants - w.views[0]) + constant;
      p->stride = constant_stride(t.objects[i]);
      constant += p->stride * instances;
    }
    at += s.together ? round_up(t.objects[i].size, 16) : (p->stride * instances + 255) / 256 * 256;
  }
}

static launch make_launch(worker &w, const test &t, const shape &s) {
  launch l = {};
  for (int i = 0; i < max_aliases; i++) l.arena[i] = w.views[i];
  arrange(w, t, s, &l);
  memcpy(l.map, w.map, sizeof l.map);
  l.map_address = w.map_address;
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
  l.texture = w.texture;
  l.array_texture = w.array_texture;
  l.surface = w.surface;
  l.constant_memory = (uint64_t)w.constants;
  w.meetings++;
  if (!t.hosts) return l;
  l.results = w.host_results;
  l.unfinished = (uint8_t *)w.host_results + host_results_bytes;
  l.meet = {w.ready, w.ready + word_apart * l.groups, w.meetings};
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
  for (uint32_t i = 0; i < t.object_count; i++)
    if (t.objects[i].home == in_array) f.arrays |= 1u << i;
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

/* Starts grid `grid` of the launch on GPU `gpu`. */
static void start(worker &w, const test &t, const shape &s, launch l, uint32_t gpu, uint32_t grid) {
  l.part = gpu + grid;
  if (!t.hosts) l.meet = {w.arrived[gpu], w.arrived[t.gpus - 1 - gpu], w.meetings};
  if (t.gpus > 1) must(cudaSetDevice(w.gpus[gpu]), "the device");
  uint32_t blocks = l.groups * t.blocks;
  if (s.stress) blocks += round_up(1 + (uint32_t)w.device.multiProcessorCount / 4, t.cluster_size);
  cudaLaunchConfig_t config = {};
  config.gridDim = blocks;
  config.blockDim = t.threads << l.log_lanes;
  size_t shared = (size_t)t.shared_size << (s.log_slots + s.log_lanes);
  if (t.capability == 100) shared = shared > one_block ? shared : one_block;
  config.dynamicSmemBytes = shared + s.spare_shared < 200 << 10 ? shared + s.spare_shared : shared;
  cudaLaunchAttribute attributes[2];
  config.attrs = attributes;
  if (t.cluster_size > 1) {
    attributes[config.numAttrs].id = cudaLaunchAttributeClusterDimension;
    attributes[config.numAttrs++].val.clusterDim = {t.cluster_size, 1, 1};
  }
  if (grid && !t.follows) {
    attributes[config.numAttrs].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[config.numAttrs++].val.programmaticStreamSerializationAllowed = 1;
  }
  void *arguments[] = {(void *)&l};
  must(cudaLaunchKernelExC(&config, t.kernel, arguments), "starting a kernel");
}

static cudaError_t finish_peer(worker &w) {
  must(cudaSetDevice(w.gpus[1]), "the device");
  cudaError_t status = cudaDeviceSynchronize();
  must(cudaSetDevice(w.gpus[0]), "the device");
  return status;
}

/* ---- scoring shapes */

enum { kept = 6 };

struct favourites {
  struct {
    shape s;
    double score;
  } best[kept];
  uint32_t count;
};

/* Rare outcomes weigh more: the weight of an outcome is one divided by its instances so far. */
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

/* Chooses a shape with a high score, with one change, or a new shape. */
static shape choose_shape(worker &w, const test &t, favourites *f) {
  if (!f->count || w.random.one_in(2)) return draw(w, t);
  uint32_t at = w.random.below(f->count);
  f->best[at].score *= 0.9; /* a rare outcome may have become frequent */
  shape s = f->best[at].s, other = draw(w, t);
  switch (w.random.below(t.hosts ? 7 : 6)) {
    case 0: s.delay = other.delay; break;
    case 1: s.preload = other.preload; break;
    case 2: s.stress = other.stress; break;
    case 3: s.permute = other.permute; break;
    case 4: s.spare_shared = other.spare_shared; break;
    case 5: s.lead = other.lead; break;
    default: break;
  }
  return s;
}

#define SHAPE_FORMAT                                                                                                   \
  "{\"lanes\":%u,\"groups\":%u,\"slots\":%u,\"stride\":%u,\"together\":%d,\"scatter\":%d,\"permute\":%d,"              \
  "\"delay\":[%u,%u],\"preload\":%u,\"stress\":%u,\"spare\":%u,\"lead\":%u}"

static void tell_shape(const shape &s, char *out, size_t size) {
  snprintf(out, size, SHAPE_FORMAT, 1u << s.log_lanes, 1u << s.log_groups, 1u << s.log_slots, s.stride, s.together,
           s.scatter, s.permute, s.delay_kind, s.delay, s.preload, s.stress, s.spare_shared, s.lead);
}

static uint32_t log_of(uint32_t power) {
  uint32_t log = 0;
  while (log < 31 && 2u << log <= power) log++;
  return log;
}

/* False if the text is not a shape that `draw` could have made. */
static bool read_shape(worker &w, const test &t, const char *text, shape *s) {
  uint32_t lanes, groups, slots;
  int together, scatter, permute;
  *s = {};
  if (sscanf(text, SHAPE_FORMAT, &lanes, &groups, &slots, &s->stride, &together, &scatter, &permute, &s->delay_kind,
             &s->delay, &s->preload, &s->stress, &s->spare_shared, &s->lead) < 12)
    return false; /* older results have no lead */
  shape other = draw(w, t); /* for the lanes and slots that the test needs */
  bool fixed = t.barriers || t.narrow || t.single;
  s->log_lanes = fixed ? other.log_lanes : log_of(lanes);
  s->log_groups = log_of(groups);
  s->log_slots = fixed ? other.log_slots : log_of(slots);
  s->together = together && !t.map_bytes, s->scatter = scatter, s->permute = permute;
  bool right = s->stride < stride_kinds && s->delay_kind < delay_kinds && s->log_lanes >= (t.narrow ? 0u : 5u) &&
               (t.threads << s->log_lanes) <= 1024 && s->log_groups <= 12 && s->log_slots <= 5;
  right &= !t.hosts || (s->log_lanes <= 6 && s->log_slots <= 2 && s->log_groups <= 8);
  fit(w, t, s);
  return right;
}

static void tell_best(const favourites &f, char *out, size_t size) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < f.count; i++)
    if (f.best[i].score > f.best[best].score) best = i;
  if (f.count) tell_shape(f.best[best].s, out, size);
}

static const double recalled_score = 1; /* above any launch's score: recalled shapes are preferred until it decays */

/* Begins with the shapes that an earlier run found best for this test. */
static void recall(worker &w, const test &t, favourites *f) {
  const char *hash = strstr(t.json, "\"hash\":\"");
  FILE *file = w.o->shapes && hash ? fopen(w.o->shapes, "r") : NULL;
  char *line = NULL;
  size_t size = 0;
  if (w.o->shapes && !file) fail(w.o->shapes, strerror(errno));
  std::string key(hash ? hash : "", hash ? strcspn(hash + 8, "\"") + 9 : 0);
  while (file && getline(&line, &size, file) >= 0) {
    const char *text = strstr(line, key.c_str()) ? strstr(line, "\"shape\":{") : NULL;
    shape s;
    if (text && read_shape(w, t, text + strlen("\"shape\":"), &s)) keep(f, s, recalled_score);
  }
  free(line);
  if (file) fclose(file);
}
