/* Runs litmus tests on a GPU and writes the outcomes, one line of JSON per test: see README.
 *
 * The first process only watches. A child does the work, so that a test which hangs or destroys the context affects no
 * other: the child is killed, and another continues with the next test.
 */
#include <fcntl.h>
#include <fnmatch.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <cerrno>

#include "count.cuh"
#include "hosts.cuh"
#include "memory.cuh"
#include "results.cuh"
#include "shapes.cuh"

/* ---- one test */

/* True if the device stopped a kernel; any other error is a fault of this program or of the machine. */
static bool is_fault(cudaError_t status) {
  return status == cudaErrorIllegalInstruction || status == cudaErrorIllegalAddress ||
         status == cudaErrorMisalignedAddress || status == cudaErrorInvalidAddressSpace ||
         status == cudaErrorInvalidPc || status == cudaErrorHardwareStackError || status == cudaErrorLaunchFailure;
}

static void must_run(worker &w, cudaError_t status, const test &t) {
  if (is_fault(status)) w.shared->fault = true;
  must(status, t.name);
}

static table *new_table() {
  table *t = (table *)calloc(1, sizeof *t);
  if (!t) fail("memory", strerror(errno));
  memset(t->key, 0xff, sizeof t->key);
  return t;
}

static bool same_keys(const table &a, const table &b) { return memcmp(a.key, b.key, sizeof a.key) == 0; }

/* Writes the outcomes so far to memory that outlives this process. The values of an outcome never change. */
static void take_counts(worker &w, const test &t, table *now) {
  progress *p = w.shared;
  const size_t tail = offsetof(table, unfinished);
  must_run(w, cudaMemcpy(now, w.seen, offsetof(table, value), cudaMemcpyDeviceToHost), t);
  must_run(w, cudaMemcpy((char *)now + tail, (char *)w.seen + tail, sizeof *now - tail, cudaMemcpyDeviceToHost), t);
  if (now->overflow) fail(t.name, "more outcomes than the table has room for");
  if (!same_keys(*now, p->seen))
    must_run(w, cudaMemcpy(p->seen.value, w.seen->value, sizeof now->value, cudaMemcpyDeviceToHost), t);
  memcpy(p->seen.key, now->key, sizeof now->key);
  memcpy(p->seen.count, now->count, sizeof now->count);
  p->seen.unfinished = now->unfinished;
}

static void begin_test(worker &w, const test &t, const table &empty) {
  progress *p = w.shared;
  for (uint32_t g = t.gpus; g-- > 0;) { /* the first device comes last, so that it stays current */
    must(cudaSetDevice(w.gpus[g]), "the device");
    must(cudaFuncSetAttribute(t.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10), "shared memory");
  }
  prepare_memory(w, t);
  open_hosts(w, t);
  must(cudaMemcpy(w.seen, &empty, sizeof empty, cudaMemcpyHostToDevice), "cudaMemcpy");
  p->seen = empty;
  p->runs = 0;
  p->seconds = 0;
  p->shape[0] = '\0';
}

static void run_test(worker &w, const test &t) {
  table *before = new_table(), *after = new_table();
  facts f = give_facts(w, t);
  favourites favourites = {};
  crew hosts;
  recall(w, t, &favourites);
  begin_test(w, t, *before);
  hire(hosts, t);
  double begin = now();
  uint32_t blocks = 8 * (uint32_t)w.device.multiProcessorCount;
  do {
    shape s = choose_shape(w, t, &favourites);
    launch l = make_launch(w, t, s);
    set<<<blocks, 256>>>(l, f, t.object_count);
    if (t.gpus > 1) must_run(w, cudaDeviceSynchronize(), t);
    for (uint32_t g = t.gpus; g-- > 0;)
      for (uint32_t grid = 0; grid < t.grids; grid++) start(w, t, s, l, g, grid);
    play_hosts(hosts, s, l);
    join_hosts(hosts);
    if (t.gpus > 1) must_run(w, finish_peer(w), t);
    if (t.grids > 1) must_run(w, cudaDeviceSynchronize(), t); /* the last grid may end before the first */
    count<<<blocks, 256>>>(l, f, w.seen);
    must_run(w, cudaGetLastError(), t);
    take_counts(w, t, after);
    keep(&favourites, s, score(*before, *after, (double)l.last + 1));
    *before = *after;
    w.shared->runs += (unsigned long long)l.last + 1;
    w.shared->seconds = now() - begin;
  } while (w.shared->seconds < w.o->seconds);
  dismiss(hosts);
  tell_best(favourites, w.shared->shape, sizeof w.shared->shape);
  free(before);
  free(after);
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
  must(cudaSetDevice(o.device), "the device");
  tell_device(w);
  for (const test *t : tests) w.wants_peer |= t->gpus > 1;
  open_memory(w);
  for (uint32_t i = from; i < tests.size(); i++) {
    const test &t = *tests[i];
    shared->test = i;
    const char *reason = t.left_out ? t.left_out : t.gpus > w.gpu_count ? w.no_peer : NULL;
    if (!reason && t.capability && (uint32_t)(10 * w.device.major + w.device.minor) != t.capability)
      reason = t.capability == 90 ? "it needs a GPU of compute capability 9.0"
                                  : "it needs a GPU of compute capability 10.0";
    if (!reason) reason = no_host(w, t);
    if (reason) {
      write_all(out, left_out(t, reason));
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

/* Waits for the child. True if the child has finished the list of tests. */
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
  int status = 0;
  for (uint32_t from = 0; from < tests.size();) {
    int pipes[2];
    shared->working = shared->fault = false;
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
    if (done) return status;
    if (!shared->working) return 3; /* the child has printed the reason */
    if (hung || shared->fault) write_all(out, result(*tests[shared->test], *shared, o, hung ? "hang" : "fault"));
    else status = 3; /* the child has printed the reason; the test has no result */
    from = shared->test + 1;
  }
  return status;
}

static int usage(const char *name) {
  fprintf(stderr,
          "usage: %s [-s SECONDS] [-p SECONDS] [-r SEED] [-d DEVICE] [-b FILE] [-o FILE] [-l] [NAME ...]\n"
          "  -s  for each test (1)      -p  without a sign of life before a test is given up (20)\n"
          "  -r  where shapes of launches begin (1)      -d  which GPU (0)      -o  where results are added (stdout)\n"
          "  -b  results of an earlier run, from whose best launches this one goes on\n"
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
  while ((c = getopt(argc, argv, "s:p:r:d:b:o:l")) >= 0) {
    if (c == 's') o.seconds = atof(optarg);
    else if (c == 'p') o.patience = atof(optarg);
    else if (c == 'r') o.seed = strtoull(optarg, NULL, 10);
    else if (c == 'd') o.device = atoi(optarg);
    else if (c == 'b') o.shapes = optarg;
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
