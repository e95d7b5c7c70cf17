/* Threads of the host: one on each of several cores for each column, beside a launch.
 *
 * A team has a thread for each column; team k plays groups k, k + teams, ... of a launch. Before a group, its blocks
 * and its team wait for each other, so that both begin together up to the time that a word takes from one to the other.
 */
#pragma once
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "shapes.cuh"

enum { spare_cores = 2, most_teams = 16 };

static const double patience_of_hosts = 10; /* seconds, after which the device has stopped the kernel */

static const double ticks_of_a_clock = 2; /* of the host's clock, about, for one of the device's */

/* A place where the threads of a team meet; each line has one. */
struct alignas(128) team {
  std::atomic<uint32_t> came;
};

struct crew {
  const test *t;
  launch l; /* the one that is played */
  uint32_t teams, lead;
  std::atomic<uint32_t> begun{0}, ended{0};
  std::atomic<bool> stop{false};
  std::vector<team> meetings;
  std::vector<std::thread> threads;
};

static void wait_ticks(uint64_t ticks) {
  for (uint64_t begin = host_clock(); host_clock() - begin < ticks;) host_pause();
}

/* Waits for a word of the device's: before it, the initial values may not be set yet. */
static void wait_for(const uint32_t *word, uint32_t value) {
  const double begin = now();
  for (uint32_t i = 1; host_load<uint32_t, __ATOMIC_ACQUIRE>((uint64_t)word) != value; i++) {
    host_pause();
    if (i % 4096 == 0 && now() - begin > patience_of_hosts) return;
  }
}

static void meet_team(crew &c, uint32_t k, uint32_t *meetings) {
  uint32_t all = ++*meetings * c.t->hosts;
  std::atomic<uint32_t> &came = c.meetings[k].came;
  came.fetch_add(1);
  while ((int32_t)(came.load() - all) < 0) host_pause();
}

static void preload(const crew &c, const memory &m) {
  for (uint32_t o = 0; o < c.t->object_count && c.l.preload; o++)
    if (c.t->objects[o].home != in_arena && mix(m.instance ^ c.l.seed ^ o * 77) % c.l.preload == 0)
      host_load<uint8_t, __ATOMIC_RELAXED>(m.global(o, 0));
}

static void play_group(crew &c, uint32_t group, uint32_t k, uint32_t column, uint32_t *meetings) {
  const launch &l = c.l;
  uint32_t size = l.slots << l.log_lanes, who = mix(l.seed ^ mix(group * 1031 + column));
  memory m = {&l, 0, 0};
  for (uint32_t i = 0; i < size; i++) m.instance = group * size + i, preload(c, m);
  meet_team(c, k, meetings);
  for (uint32_t b = 0; b < c.t->blocks; b++)
    wait_for(l.meet.others + word_apart * (group * c.t->blocks + b), l.meet.number);
  if (column == 0) host_store<uint32_t, __ATOMIC_RELEASE>((uint64_t)(l.meet.mine + word_apart * group), l.meet.number);
  meet_team(c, k, meetings);
  wait_ticks(c.lead);
  if (l.delay_kind != delay_none) wait_ticks(who % (uint64_t)(ticks_of_a_clock * l.delay + 1));
  uint32_t flip = l.permute ? who & ((1u << l.log_lanes) - 1) & 31 : 0;
  for (uint32_t i = 0; i < size; i++) {
    m.instance = group * size + (i ^ flip);
    c.t->play_host(column, m);
  }
}

/* One thread of the host, for all launches. */
static void serve(crew &c, uint32_t k, uint32_t column, int core) {
  cpu_set_t cores;
  uint32_t launches = 0, meetings = 0;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  pthread_setaffinity_np(pthread_self(), sizeof cores, &cores); /* if it fails, the thread may move */
  for (;;) {
    while (c.begun.load() == launches && !c.stop.load()) host_pause();
    if (c.stop.load()) return;
    launches++;
    for (uint32_t g = k; g < c.l.groups; g += c.teams) play_group(c, g, k, column, &meetings);
    c.ended.fetch_add(1);
  }
}

static void hire(crew &c, const test &t) {
  cpu_set_t allowed;
  std::vector<int> cores;
  c.t = &t;
  if (!t.hosts) return;
  sched_getaffinity(0, sizeof allowed, &allowed);
  for (int i = 0; i < CPU_SETSIZE; i++)
    if (CPU_ISSET(i, &allowed)) cores.push_back(i);
  uint32_t count = (uint32_t)cores.size(), free = count > spare_cores ? count - spare_cores : 1;
  c.teams = std::min(std::max(free / t.hosts, 1u), (uint32_t)most_teams);
  c.meetings = std::vector<team>(c.teams);
  for (uint32_t k = 0; k < c.teams; k++)
    for (uint32_t column = 0; column < t.hosts; column++)
      c.threads.emplace_back(serve, std::ref(c), k, column, cores[(count - 1 - (k * t.hosts + column) % count)]);
}

static void play_hosts(crew &c, const shape &s, const launch &l) {
  if (!c.teams) return;
  c.l = l;
  c.lead = s.lead;
  c.begun.fetch_add(1);
}

/* Waits for the threads of the host to end the launch. */
static void join_hosts(crew &c) {
  if (!c.teams) return;
  while (c.ended.load() < c.threads.size()) host_pause();
  c.ended.store(0);
}

static void dismiss(crew &c) {
  c.stop.store(true);
  for (std::thread &thread : c.threads) thread.join();
}

/* Memory of the host that the device reaches too, at the same addresses. Managed memory stays with the host until an
 * atomic of the device moves it. */
static void open_hosts(worker &w, const test &t) {
  bool managed = false;
  for (uint32_t i = 0; i < t.object_count; i++) managed |= t.objects[i].home == is_managed;
  if (t.hosts && !w.mapped) {
    must(cudaMallocHost(&w.mapped, host_bytes), "cudaMallocHost");
    must(cudaMallocHost(&w.host_results, host_results_bytes + most_host_instances), "cudaMallocHost");
    must(cudaMallocHost(&w.ready, words_bytes), "cudaMallocHost");
    memset(w.mapped, 0, host_bytes);
    memset(w.ready, 0, words_bytes);
  }
  if (!managed || w.managed) return;
  must(cudaMallocManaged(&w.managed, host_bytes), "cudaMallocManaged");
  cudaMemLocation host = {cudaMemLocationTypeHost, 0}, device = {cudaMemLocationTypeDevice, w.o->device};
  must(cudaMemAdvise(w.managed, host_bytes, cudaMemAdviseSetPreferredLocation, host), "cudaMemAdvise");
  must(cudaMemAdvise(w.managed, host_bytes, cudaMemAdviseSetAccessedBy, device), "cudaMemAdvise");
  memset(w.managed, 0, host_bytes);
}

static const char *no_host(const worker &w, const test &t) {
  int native = 0, managed = 0;
  must(cudaDeviceGetAttribute(&native, cudaDevAttrHostNativeAtomicSupported, w.o->device), "the device");
  must(cudaDeviceGetAttribute(&managed, cudaDevAttrConcurrentManagedAccess, w.o->device), "the device");
  if (!t.hosts) return NULL;
  if (t.isa != this_isa) return t.isa == isa_x86_64 ? "it needs a host of x86-64" : "it needs a host of AArch64";
  if (t.native && !native) return "it needs a link by which atomics of devices are atomic for the host";
  for (uint32_t i = 0; i < t.object_count; i++)
    if (t.objects[i].home == is_managed && !managed) return "it needs managed memory that both access at once";
  return NULL;
}
