/* Random kernels whose threads do alike things to words that constants name, with some barriers and guards missing:
 * each as a test with `threads grouped` and as one with all threads. grouped-run compares the verdicts.
 *
 *   random-grouped SEED FIRST COUNT DIRECTORY
 *
 * Writes grouped.ptx, N-grouped.litmus and N-all.litmus. */
#include <stdbool.h>

#include "module.h"

enum { WORDS = 64, STATEMENTS = 8, REGS = 3 };

static unsigned label; /* the next free one */

/* The size of a launch, and what its kernel uses. */
struct launch {
  unsigned blocks, threads;
  bool shared, both, set; /* both: global words too; set: shared words are written before all else */
  bool cluster;           /* the blocks are one cluster, and reach each other's words */
  bool twice;             /* two grids at once */
};

/* %i = an index that constants decide, of one of the forms. */
static void print_index(const struct launch *l) {
  unsigned k = choose(8);
  switch (choose(9)) {
    case 0: line("mad.lo.u32 %%i, %%b, %u, %%t", l->threads); break;
    case 1: line("shr.u32 %%i, %%t, 1"); break;
    case 2: line("rem.u32 %%i, %%t, %u", 1 + choose(l->threads)); break;
    case 3: line("xor.b32 %%i, %%t, %u", k); break;
    case 4: line("sub.u32 %%i, %u, %%t", l->threads - 1 + choose(2)); break;
    case 5: line("add.u32 %%i, %%t, %u", choose(3)); break;
    case 6: line("mov.u32 %%i, %u", choose(l->threads + 1)); break;
    case 7: line("mad.lo.u32 %%i, %%b, %u, %%t", choose(2) ? l->threads : choose(l->threads)); break;
    case 8: line("mul.lo.u32 %%i, %%t, %u", 1 + choose(3)), line("rem.u32 %%i, %%i, %u", 1 + l->threads); break;
  }
  line("and.b32 %%i, %%i, %d", WORDS - 1);
}

/* %a = the address of a word, or of the first of two; returns its space. One address in 12 depends on a loaded value,
 * one in three in a cluster is of the other block. */
static const char *print_address(const struct launch *l, bool pair) {
  bool shared = l->shared && (!l->both || choose(2));
  print_index(l);
  if (pair) line("and.b32 %%i, %%i, %d", WORDS - 2);
  if (!choose(12)) line("and.b32 %%q, %%v%u, 1", choose(REGS)), line("xor.b32 %%i, %%i, %%q");
  line("mul.lo.u32 %%o, %%i, 4");
  if (!choose(60)) line("add.u32 %%o, %%o, %u", choose(2) ? 2 : 64 * choose(5));
  line("cvt.u64.u32 %%a, %%o");
  line("add.u64 %%a, %%a, %%%s", shared ? "s" : "g");
  if (!shared || !l->cluster || choose(3)) return shared ? ".shared" : ".global";
  line("cvta.shared.u64 %%a, %%a");
  line("xor.b32 %%q, %%b, 1");
  line("mapa.u64 %%a, %%a, %%q");
  return "";
}

static void print_access(const struct launch *l) {
  unsigned kind = choose(12), v = choose(REGS);
  const char *space = print_address(l, kind > 9), *scope = choose(3) ? "gpu" : "cta";
  switch (kind) {
    case 0:
    case 1:
    case 2: line("ld%s.u32 %%v%u, [%%a]", space, v); break;
    case 3:
    case 4: line("st%s.u32 [%%a], %%t", space); break;
    case 5: line("st%s.u32 [%%a], %%v%u", space, v); break;
    case 6: line("red.relaxed.%s%s.add.u32 [%%a], 1", scope, space); break;
    case 7: line("st.relaxed.gpu%s.u32 [%%a], %u", space, choose(2)); break;
    case 8: line("ld.relaxed.%s%s.u32 %%v%u, [%%a]", scope, space, v); break;
    case 9: line("atom.relaxed.%s%s.add.u32 %%v%u, [%%a], 1", scope, space, v); break;
    case 10: line("ld%s.v2.u32 {%%v0, %%v1}, [%%a]", space); break;
    case 11: line("st%s.v2.u32 [%%a], {%%t, %%v%u}", space, v); break;
  }
}

static void print_guard(const struct launch *l) {
  unsigned k = choose(l->threads);
  switch (choose(4)) {
    case 0: line("setp.ne.u32 %%p, %%t, %u", k); break;
    case 1: line("setp.ge.u32 %%p, %%t, %u", k); break;
    case 2: line("and.b32 %%q, %%t, 1"), line("setp.ne.u32 %%p, %%q, %u", choose(2)); break;
    case 3: line("setp.eq.u32 %%p, %%v%u, %u", choose(REGS), choose(2)); break;
  }
}

static void print_barrier(const struct launch *l) {
  unsigned lanes = l->threads < 32 ? l->threads : 32;
  if (l->cluster && choose(2)) line("barrier.cluster.arrive"), line("barrier.cluster.wait");
  else if (l->threads <= 32 && !choose(3)) line("bar.warp.sync %u", lanes == 32 ? UINT32_MAX : (1u << lanes) - 1);
  else line("barrier.sync %u", choose(8) ? 0 : 1);
}

static void print_statement(const struct launch *l, bool outer) {
  if (choose(3)) print_barrier(l);
  if (outer && choose(8) == 0) {
    unsigned top = label++;
    line("mov.u32 %%n, 0");
    fprintf(module, "L%u:\n", top);
    print_statement(l, false);
    if (choose(2)) print_statement(l, false);
    line("add.u32 %%n, %%n, 1");
    line("setp.lt.u32 %%p, %%n, 2");
    line("@%%p bra L%u", top);
  } else if (choose(3) == 0) {
    unsigned end = label++;
    print_guard(l);
    if (choose(12) == 0) {
      line("@%%p bra END");
    } else {
      line("@%%p bra L%u", end);
      print_access(l);
      if (!choose(12)) print_barrier(l);
      if (choose(2)) print_access(l);
      fprintf(module, "L%u:\n", end);
    }
  } else {
    print_access(l);
  }
}

static struct launch print_kernel(unsigned long number) {
  static const unsigned sizes[] = {2, 3, 4, 4, 6, 8, 12, 16, 40};
  struct launch l = {.blocks = 1 + !choose(3), .threads = sizes[choose(sizeof sizes / sizeof *sizes)]};
  if (l.threads == 40) l.blocks = 1;
  l.shared = choose(3) != 0, l.both = choose(3) == 0, l.set = choose(3) != 0;
  l.cluster = l.blocks == 2 && choose(2), l.twice = choose(12) == 0;
  fprintf(module, ".visible .entry k%lu(.param .u64 global)\n{\n\t.shared .align 16 .b32 words[%d];\n", number, WORDS);
  fprintf(module, "\t.reg .pred %%p;\n\t.reg .b32 %%t, %%b, %%i, %%o, %%q, %%n, %%v<%d>;\n", REGS);
  fprintf(module, "\t.reg .b64 %%a, %%s, %%g;\n");
  line("ld.param.u64 %%g, [global]");
  line("mov.u64 %%s, words");
  line("mov.u32 %%t, %%tid.x");
  line("mov.u32 %%b, %%ctaid.x");
  for (unsigned i = 0; i < REGS; i++) line("mov.u32 %%v%u, %u", i, i);
  if (l.shared && l.set) {
    line("mul.wide.u32 %%a, %%t, 4"), line("add.u64 %%a, %%a, %%s");
    for (unsigned k = 0; k <= l.threads; k += l.threads) line("st.shared.u32 [%%a+%u], 0", 4 * k);
    line("barrier.sync 0");
  }
  if (l.cluster) line("barrier.cluster.arrive"), line("barrier.cluster.wait");
  for (unsigned left = 2 + choose(STATEMENTS - 2); left; left--) print_statement(&l, true);
  fprintf(module, "END:\n");
  if (l.cluster) line("barrier.cluster.arrive"), line("barrier.cluster.wait");
  line("ret");
  fprintf(module, "}\n");
  return l;
}

static void print_test(const char *directory, unsigned long number, const struct launch *l, const char *word) {
  char name[64];
  snprintf(name, sizeof name, "%lu-%s.litmus", number, word);
  FILE *f = create(directory, name);
  fprintf(f, "PTX %lu-%s\n{ .u32 global[%d]; }\n", number, word, WORDS);
  for (unsigned grid = 0; grid <= l->twice; grid++) {
    fprintf(f, "kernel \"grouped.ptx\" k%lu(global) grid %u block %u", number, l->blocks, l->threads);
    if (l->cluster) fprintf(f, " cluster 2");
    fprintf(f, " threads%s", *word == 'g' ? " grouped" : "");
    for (unsigned b = 0; b < l->blocks && *word == 'a'; b++)
      for (unsigned t = 0; t < l->threads; t++) fprintf(f, " %u,%u", b, t);
    fprintf(f, "\n");
  }
  fprintf(f, "safe\n");
  fclose(f);
}

int main(int argc, char **argv) {
  const struct arguments arguments = begin(argc, argv, "grouped.ptx");
  for (unsigned long number = arguments.first; number < arguments.end; number++) {
    begin_kernel(&arguments, number);
    struct launch l = print_kernel(number);
    print_test(arguments.directory, number, &l, "grouped");
    print_test(arguments.directory, number, &l, "all");
  }
  return fclose(module) == 0 ? 0 : 2;
}
