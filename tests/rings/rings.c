/* Random rings: a producer fills the stages of a ring in shared memory, consumers empty them, by mbarrier objects; with
 * one mistake or none. Each is written twice, as a module of PTX with a loop over its tiles and a test that names it,
 * and as columns in which all turns are written out: the answers must agree (tests/rings/run).
 *
 *   random-rings SEED FIRST COUNT DIRECTORY     ring-N.ptx, ring-N.litmus, ring-N-columns.litmus for each N
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum copy { COPY_BULK, COPY_SIGNALS, COPY_WAITS, COPY_CLUSTER, COPIES };

enum mistake {
  NO_MISTAKE,
  NO_EMPTY_WAIT,   /* the producer does not wait for the stage to be empty */
  NO_FULL_WAIT,    /* a consumer does not wait for it to be full */
  EMPTY_PARITY,    /* the wrong parity at these waits */
  FULL_PARITY,
  NO_FULL_ARRIVE,  /* nobody arrives at the full object, or says how many bytes come */
  WRONG_BYTES,     /* more bytes than come */
  NO_EMPTY_ARRIVE, /* a consumer does not give the stage back */
  EMPTY_COUNT,     /* an object expects one arrival too many */
  RELAXED_ARRIVE,  /* orders nothing */
  RELAXED_WAIT,
  NO_FENCE,        /* no proxy fence between the consumers' reads and the next bulk copy */
  NO_MEETING,      /* nobody waits for the objects to be initialised */
  NO_COPY_WAIT,    /* cp.async is not waited for; a copy out of a stage is not either */
  NO_LAST_MEETING, /* CTAs of a cluster do not meet before they end */
  MISTAKES
};

struct ring {
  enum copy copy;
  enum mistake mistake;
  unsigned stages, tiles, consumers, turn; /* turn: in which the mistake is made, or `tiles` for all */
  bool stores;                             /* the consumer copies the stage out instead of loading from it */
  bool counts;                             /* the module counts parities, in place of a division */
};

/* ---- Random numbers ---- */

static uint64_t state;

static unsigned below(unsigned limit) {
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (unsigned)((z ^ z >> 31) % limit);
}

static struct ring random_ring(uint64_t seed, uint64_t number) {
  state = seed * 0x100000001b3u + number;
  struct ring r = {.copy = (enum copy)below(COPIES), .stages = 1 + below(3), .tiles = 1 + below(4)};
  r.mistake = below(4) ? (enum mistake)(1 + below(MISTAKES - 1)) : NO_MISTAKE;
  r.consumers = r.copy == COPY_CLUSTER ? 1 : 1 + below(2);
  r.stores = r.consumers == 1 && below(4) == 0;
  r.turn = below(2) ? r.tiles : below(r.tiles);
  r.counts = below(2);
  return r;
}

/* ---- What both texts have ---- */

static bool bulk(const struct ring *r) { return r->copy == COPY_BULK || r->copy == COPY_CLUSTER; }
static bool far(const struct ring *r) { return r->copy == COPY_CLUSTER; }

/* Instructions of one turn, in which %s are: stages, objects and the parity, by name or by register. */
struct names {
  const char *stage, *full, *empty, *in, *out, *full_parity, *empty_parity;
  unsigned at; /* behind `in` and `out` */
};

struct lines {
  char text[64][200];
  unsigned count;
};

static void add(struct lines *l, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(l->text[l->count++], sizeof l->text[0], format, arguments);
  va_end(arguments);
}

static void wait_for(struct lines *l, const struct ring *r, const char *object, const char *parity, bool relaxed) {
  const char *dots = relaxed ? (far(r) ? ".relaxed.cluster" : ".relaxed.cta") : far(r) ? ".acquire.cluster" : "";
  add(l, "mbarrier.wait.parity%s.shared::cta.b64 [%s], %s", dots, object, parity);
}

static void copy_tile(struct lines *l, const struct ring *r, const struct names *n, bool wrong) {
  switch (r->copy) {
    case COPY_BULK:
      if (!(wrong && r->mistake == NO_FULL_ARRIVE))
        add(l, "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%s], %d", n->full,
            wrong && r->mistake == WRONG_BYTES ? 32 : 16);
      add(l, "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%s], [%s+%u], 16, [%s]", n->stage, n->in,
          n->at, n->full);
      break;
    case COPY_SIGNALS:
      add(l, "cp.async.cg.shared.global [%s], [%s+%u], 16", n->stage, n->in, n->at);
      if (!(wrong && r->mistake == NO_FULL_ARRIVE))
        add(l, "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%s]", n->full);
      break;
    case COPY_WAITS:
      add(l, "cp.async.cg.shared.global [%s], [%s+%u], 16", n->stage, n->in, n->at);
      add(l, "cp.async.commit_group");
      if (!(wrong && r->mistake == NO_COPY_WAIT)) add(l, "cp.async.wait_group 0");
      if (!(wrong && r->mistake == NO_FULL_ARRIVE))
        add(l, "mbarrier.arrive%s.shared::cta.b64 _, [%s]",
            wrong && r->mistake == RELAXED_ARRIVE ? ".relaxed.cta" : "", n->full);
      break;
    case COPY_CLUSTER:
      add(l, "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%s+%u], 16, [%s]", n->stage,
          n->in, n->at, n->full);
      break;
    case COPIES: break;
  }
}

static bool is_wrong(const struct ring *r, unsigned turn) { return r->turn == r->tiles || r->turn == turn; }

static void produce(struct lines *l, const struct ring *r, const struct names *n, bool wrong) {
  if (!(wrong && r->mistake == NO_EMPTY_WAIT)) wait_for(l, r, n->empty, n->empty_parity, false);
  copy_tile(l, r, n, wrong);
}

static void consume(struct lines *l, const struct ring *r, const struct names *n, unsigned consumer, bool wrong) {
  if (far(r) && !(wrong && r->mistake == NO_FULL_ARRIVE))
    add(l, "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%s], %d", n->full,
        wrong && r->mistake == WRONG_BYTES ? 32 : 16);
  if (!(wrong && r->mistake == NO_FULL_WAIT))
    wait_for(l, r, n->full, n->full_parity, wrong && r->mistake == RELAXED_WAIT);
  if (r->stores) {
    if (!bulk(r)) add(l, "fence.proxy.async");
    add(l, "cp.async.bulk.global.shared::cta.bulk_group [%s+%u], [%s], 16", n->out, n->at, n->stage);
    add(l, "cp.async.bulk.commit_group");
    if (!(wrong && r->mistake == NO_COPY_WAIT)) add(l, "cp.async.bulk.wait_group.read 0");
  } else {
    add(l, "ld.shared.u32 %%r30, [%s+%u]", n->stage, 4 * consumer);
    if (bulk(r) && !(wrong && r->mistake == NO_FENCE)) add(l, "fence.proxy.async");
    add(l, "st.global.u32 [%s+%u], %%r30", n->out, n->at + 4 * consumer);
  }
  if (wrong && r->mistake == NO_EMPTY_ARRIVE) return;
  bool relaxed = wrong && r->mistake == RELAXED_ARRIVE && r->copy != COPY_WAITS;
  if (far(r))
    add(l, "mbarrier.arrive.%s.cluster.shared::cluster.b64 _, [%s]", relaxed ? "relaxed" : "release", n->empty);
  else
    add(l, "mbarrier.arrive%s.shared::cta.b64 _, [%s]", relaxed ? ".relaxed.cta" : "", n->empty);
}

static unsigned empty_count(const struct ring *r) { return r->consumers + (r->mistake == EMPTY_COUNT); }

/* The parity that a wait asks for: of the phase that the turn of the stage waits for. */
static unsigned full_parity(const struct ring *r, unsigned turn, bool wrong) {
  return (turn / r->stages & 1) ^ (wrong && r->mistake == FULL_PARITY);
}
static unsigned empty_parity(const struct ring *r, unsigned turn, bool wrong) {
  return (turn / r->stages & 1) ^ 1 ^ (wrong && r->mistake == EMPTY_PARITY);
}

/* ---- Columns ---- */

static void meet(struct lines *l, const struct ring *r) {
  if (far(r)) {
    add(l, "barrier.cluster.arrive");
    add(l, "barrier.cluster.wait");
  } else {
    add(l, "bar.sync 0");
  }
}

static void column(struct lines *l, const struct ring *r, unsigned role) {
  if (role == 0 || far(r)) {
    for (unsigned s = 0; s < r->stages; s++) {
      add(l, "mbarrier.init.shared::cta.b64 [full%u], %u", s, 1);
      add(l, "mbarrier.init.shared::cta.b64 [empty%u], %u", s, empty_count(r));
    }
    if (far(r)) add(l, "fence.mbarrier_init.release.cluster");
  }
  if (r->mistake != NO_MEETING) meet(l, r);
  for (unsigned t = 0; t < r->tiles; t++) {
    char stage[24], full[24], empty[24], fp[4], ep[4];
    bool wrong = is_wrong(r, t);
    unsigned s = t % r->stages;
    snprintf(stage, sizeof stage, "%sstage%u", far(r) && role == 0 ? "cta1:" : "", s);
    snprintf(full, sizeof full, "%sfull%u", far(r) && role == 0 ? "cta1:" : "", s);
    snprintf(empty, sizeof empty, "%sempty%u", far(r) && role ? "cta0:" : "", s);
    snprintf(fp, sizeof fp, "%u", full_parity(r, t, wrong));
    snprintf(ep, sizeof ep, "%u", empty_parity(r, t, wrong));
    const struct names n = {stage, full, empty, "in", "out", fp, ep, 16 * t};
    if (role == 0) produce(l, r, &n, wrong);
    else consume(l, r, &n, role - 1, wrong);
  }
  if (far(r) && r->mistake != NO_LAST_MEETING) meet(l, r);
}

static void print_columns(FILE *f, const struct ring *r, unsigned long number) {
  static struct lines columns[3];
  unsigned count = 1 + r->consumers, rows = 0;
  fprintf(f, "PTX ring-%lu-columns\n{\n.b32 in[%u]; .b32 out[%u];\n", number, 4 * r->tiles, 4 * r->tiles);
  for (unsigned s = 0; s < r->stages; s++)
    fprintf(f, ".shared .b32 stage%u[4]; mbarrier full%u; mbarrier empty%u;\n", s, s, s);
  fprintf(f, "}\n");
  for (unsigned c = 0; c < count; c++) {
    columns[c].count = 0;
    column(&columns[c], r, c);
    if (columns[c].count > rows) rows = columns[c].count;
    fprintf(f, "%s P%u@cta %u,cluster 0,gpu 0", c ? "|" : "", c, far(r) ? c : 0);
  }
  fprintf(f, " ;\n");
  for (unsigned i = 0; i < rows; i++)
    for (unsigned c = 0; c < count; c++)
      fprintf(f, " %s%s", i < columns[c].count ? columns[c].text[i] : "", c + 1 < count ? " |" : " ;\n");
  fprintf(f, "safe\n");
}

/* ---- A module ---- */

/* mbarrier.wait is a loop around try_wait. */
static void print_line(FILE *f, const char *line, unsigned *label) {
  static const char waits[] = "mbarrier.wait";
  const char *operands = strchr(line, ' ');
  if (strncmp(line, waits, strlen(waits)) == 0) {
    int dots = (int)(operands - line - (ptrdiff_t)strlen(waits));
    fprintf(f, "$W%u:\n\tmbarrier.try_wait%.*s q,%s;\n\t@!q bra $W%u;\n", *label, dots, line + strlen(waits), operands,
            *label);
    ++*label;
  } else {
    fprintf(f, "\t%s;\n", line);
  }
}

static void print_lines(FILE *f, const struct lines *l, unsigned *label) {
  for (unsigned i = 0; i < l->count; i++) print_line(f, l->text[i], label);
}

static const struct names registers = {"%r10", "%r11", "%r12", "%rd3", "%rd4", "%r13", "%r14", 0};

/* The registers of a turn, %r5: stage, objects and parities. */
static void print_turn(FILE *f, const struct ring *r, unsigned role, bool wrong) {
  if (r->counts) {
    fprintf(f, "\tmov.b32 %%r6, %%r20;\n\tmov.b32 %%r7, %%r21;\n");
  } else {
    fprintf(f, "\trem.u32 %%r6, %%r5, %u;\n\tdiv.u32 %%r7, %%r5, %u;\n\tand.b32 %%r7, %%r7, 1;\n", r->stages,
            r->stages);
  }
  fprintf(f, "\tmov.u32 %%r8, tiles;\n\tmad.lo.u32 %%r10, %%r6, 16, %%r8;\n");
  fprintf(f, "\tmov.u32 %%r8, objects;\n\tmad.lo.u32 %%r11, %%r6, 16, %%r8;\n\tadd.u32 %%r12, %%r11, 8;\n");
  if (far(r) && role == 0)
    fprintf(f, "\tmapa.shared::cluster.u32 %%r10, %%r10, 1;\n\tmapa.shared::cluster.u32 %%r11, %%r11, 1;\n");
  if (far(r) && role) fprintf(f, "\tmapa.shared::cluster.u32 %%r12, %%r12, 0;\n");
  fprintf(f, "\txor.b32 %%r13, %%r7, %u;\n", wrong && r->mistake == FULL_PARITY);
  fprintf(f, "\txor.b32 %%r14, %%r7, %u;\n", !(wrong && r->mistake == EMPTY_PARITY));
  fprintf(f, "\tmul.wide.u32 %%rd5, %%r5, 16;\n\tadd.s64 %%rd3, %%rd1, %%rd5;\n\tadd.s64 %%rd4, %%rd2, %%rd5;\n");
}

static void print_body(FILE *f, const struct ring *r, unsigned role, bool wrong, unsigned *label) {
  struct lines l = {.count = 0};
  print_turn(f, r, role, wrong);
  if (role == 0) produce(&l, r, &registers, wrong);
  else consume(&l, r, &registers, role - 1, wrong);
  print_lines(f, &l, label);
}

static void print_loop(FILE *f, const struct ring *r, unsigned role, unsigned *label) {
  unsigned own = (*label)++;
  bool one = r->turn < r->tiles;
  fprintf(f, "\tmov.b32 %%r5, 0;\n\tmov.b32 %%r20, 0;\n\tmov.b32 %%r21, 0;\n$L%u:\n", own);
  if (one) fprintf(f, "\tsetp.eq.u32 p, %%r5, %u;\n\t@p bra $M%u;\n", r->turn, own);
  print_body(f, r, role, !one, label);
  if (one) {
    fprintf(f, "\tbra.uni $N%u;\n$M%u:\n", own, own);
    print_body(f, r, role, true, label);
    fprintf(f, "$N%u:\n", own);
  }
  fprintf(f, "\tadd.u32 %%r5, %%r5, 1;\n\tadd.u32 %%r20, %%r20, 1;\n\tsetp.eq.u32 p, %%r20, %u;\n", r->stages);
  fprintf(f, "\tselp.b32 %%r20, 0, %%r20, p;\n\tselp.b32 %%r22, 1, 0, p;\n\txor.b32 %%r21, %%r21, %%r22;\n");
  fprintf(f, "\tsetp.lt.u32 p, %%r5, %u;\n\t@p bra $L%u;\n", r->tiles, own);
}

static void print_module(FILE *f, const struct ring *r) {
  struct lines meeting = {.count = 0};
  unsigned label = 0;
  meet(&meeting, r);
  fprintf(f, ".version 8.6\n.target sm_90a\n.address_size 64\n\n"
             ".visible .entry ring(.param .u64 ring_param_0, .param .u64 ring_param_1)\n{\n");
  fprintf(f, "\t.reg .pred p, q;\n\t.reg .b32 %%r<40>;\n\t.reg .b64 %%rd<8>;\n");
  fprintf(f, "\t.shared .align 128 .b8 tiles[%u];\n", 16 * r->stages);
  fprintf(f, "\t.shared .align 8 .b8 objects[%u];\n\n", 16 * r->stages);
  fprintf(f, "\tld.param.u64 %%rd1, [ring_param_0];\n\tld.param.u64 %%rd2, [ring_param_1];\n");
  fprintf(f, "\tcvta.to.global.u64 %%rd1, %%rd1;\n\tcvta.to.global.u64 %%rd2, %%rd2;\n");
  fprintf(f, "\tmov.u32 %%r1, %%tid.x;\n\tmov.u32 %%r2, %%cluster_ctarank;\n");
  fprintf(f, "\tsetp.ne.u32 p, %%r1, 0;\n\t@p bra $INITIALISED;\n");
  for (unsigned s = 0; s < r->stages; s++)
    fprintf(f, "\tmbarrier.init.shared::cta.b64 [objects+%u], %u;\n\tmbarrier.init.shared::cta.b64 [objects+%u], %u;\n",
            16 * s, 1, 16 * s + 8, empty_count(r));
  if (far(r)) fprintf(f, "\tfence.mbarrier_init.release.cluster;\n");
  fprintf(f, "$INITIALISED:\n");
  if (r->mistake != NO_MEETING) print_lines(f, &meeting, &label);
  if (far(r)) fprintf(f, "\tsetp.ne.u32 p, %%r1, 0;\n\t@p bra $END;\n");
  for (unsigned role = 0; role <= r->consumers; role++) {
    fprintf(f, "\tsetp.ne.u32 p, %%%s, %u;\n\t@p bra $R%u;\n", far(r) ? "r2" : "r1", far(r) ? role : 32 * role, role);
    print_loop(f, r, role, &label);
    fprintf(f, "\tbra.uni $END;\n$R%u:\n", role);
  }
  fprintf(f, "$END:\n");
  if (far(r) && r->mistake != NO_LAST_MEETING) print_lines(f, &meeting, &label);
  fprintf(f, "\tret;\n}\n");
}

static void print_test(FILE *f, const struct ring *r, unsigned long number) {
  fprintf(f, "PTX ring-%lu\n{\nint in[%u] = {1};\nint out[%u];\n}\n", number, 4 * r->tiles, 4 * r->tiles);
  fprintf(f, "kernel \"ring-%lu.ptx\" ring(in, out)\n", number);
  if (far(r)) fprintf(f, "grid 2 block 1 cluster 2 threads grouped\nsafe\n");
  else fprintf(f, "grid 1 block %u threads grouped\nsafe\n", 32 * (1 + r->consumers));
}

/* ---- Files ---- */

static FILE *create(const char *directory, unsigned long number, const char *end) {
  char name[500];
  snprintf(name, sizeof name, "%s/ring-%lu%s", directory, number, end);
  FILE *f = fopen(name, "w");
  if (f) return f;
  perror(name);
  exit(2);
}

int main(int argc, char **argv) {
  if (argc != 5) return fputs("usage: random-rings SEED FIRST COUNT DIRECTORY\n", stderr), 2;
  unsigned long seed = strtoul(argv[1], NULL, 10), first = strtoul(argv[2], NULL, 10);
  unsigned long count = strtoul(argv[3], NULL, 10);
  for (unsigned long i = first; i < first + count; i++) {
    struct ring r = random_ring(seed, i);
    FILE *module = create(argv[4], i, ".ptx"), *test = create(argv[4], i, ".litmus");
    FILE *columns = create(argv[4], i, "-columns.litmus");
    print_module(module, &r);
    print_test(test, &r, i);
    print_columns(columns, &r, i);
    if (fclose(module) || fclose(test) || fclose(columns)) return perror(argv[4]), 2;
  }
  return 0;
}
