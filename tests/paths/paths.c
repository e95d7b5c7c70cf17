/* Random kernels whose threads take several paths, and their outcomes by an interpreter: run writes the kernels and
 * compares. A word of shared or global memory has one owner between two barriers, so nothing races, and what a thread
 * reads from a flag is the only free choice.
 *
 *   random-paths SEED FIRST COUNT DIRECTORY
 *
 * Writes paths.ptx, path-N.litmus and `expected`: a line for each test with its name and its states. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  THREADS = 2,
  REGS = 3,
  WORDS = 4,   /* of shared or global memory, in pairs of one owner */
  LOCALS = 2,  /* words of local memory */
  FLAGS = 3,   /* each is read by one thread, once, or in a loop */
  STATEMENTS = 64,
  STATES = 512,
  VALUES = 4,  /* a register holds 0 to 3 */
  TURNS = 9,   /* iterations of a loop that a flag ends: more than there are states of what it may change */
};

enum kind {
  LOAD,
  LOAD_PAIR, /* a register decides which of the two */
  STORE,
  STORE_PAIR,
  INCREMENT,
  LOAD_LOCAL,
  STORE_LOCAL,
  SET,
  ADD,
  IF_FLAG,
  IF_REG,
  TIMES,
  UNTIL, /* the flag is read as 1 */
  ELSE,
  END,
  BARRIER, /* from here on: all threads together */
  EXCHANGE,
  VOTE,
};

struct statement {
  enum kind kind;
  unsigned reg, from, word, value, flag, thread;
  unsigned partner; /* of IF, ELSE and loops: the ELSE or END; of END: the begin */
};

struct program {
  struct statement list[STATEMENTS];
  unsigned count, flags;
  const char *space; /* of the words */
  bool unset;        /* the words have no initial values, which counts as 0 */
};

static uint64_t seed;

static unsigned choose(unsigned count) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(seed >> 33) % count;
}

/* ---- making a program */

static struct statement *add(struct program *p, enum kind kind, unsigned thread) {
  struct statement *s = &p->list[p->count++];
  *s = (struct statement){.kind = kind, .thread = thread, .reg = choose(REGS), .from = choose(REGS),
                          .value = choose(VALUES)};
  return s;
}

/* Statements of one thread; `pair`: the two words of shared memory that it owns. */
static void add_some(struct program *p, unsigned thread, unsigned pair, unsigned depth) {
  for (unsigned left = 1 + choose(3); left && p->count < STATEMENTS - 16; left--) {
    enum kind kind = (enum kind)choose(depth ? IF_FLAG : ELSE);
    if (kind == TIMES || kind == UNTIL || kind == IF_FLAG || kind == IF_REG) {
      bool flag = kind == IF_FLAG || kind == UNTIL;
      if (flag && p->flags == FLAGS) continue;
      unsigned begin = p->count;
      struct statement *s = add(p, kind, thread);
      if (flag) s->flag = p->flags++;
      add_some(p, thread, pair, depth + 1);
      if (kind == IF_FLAG || kind == IF_REG) {
        p->list[begin].partner = p->count;
        begin = p->count;
        add(p, ELSE, thread);
        if (choose(2)) add_some(p, thread, pair, depth + 1);
      }
      p->list[begin].partner = p->count;
      add(p, END, thread)->partner = begin;
    } else {
      add(p, kind, thread)->word = 2 * pair + choose(2);
    }
  }
}

static struct program make(void) {
  struct program p = {.space = choose(3) ? "shared" : "global", .unset = !choose(3)};
  for (unsigned phase = 0, phases = 1 + choose(3); phase < phases; phase++) {
    unsigned first = choose(2);
    for (unsigned t = 0; t < THREADS; t++) add_some(&p, t, t ^ first, 0);
    add(&p, BARRIER, 0);
    if (!choose(3)) add(&p, choose(2) ? EXCHANGE : VOTE, 0);
  }
  return p;
}

/* ---- the interpreter: one execution for each sequence of choices */

struct choices {
  unsigned made[64], options[64], count, at;
};

static unsigned next_choice(struct choices *c, unsigned options) {
  if (c->at == c->count) c->made[c->count] = 0, c->options[c->count++] = options;
  return c->made[c->at++];
}

/* The next sequence. False: there is none. */
static bool advance(struct choices *c) {
  c->at = 0;
  while (c->count && ++c->made[c->count - 1] == c->options[c->count - 1]) c->count--;
  return c->count > 0;
}

struct memory {
  bool flags[FLAGS]; /* read as 1: every later read of it is 1 */
  unsigned words[WORDS], local[THREADS][LOCALS], regs[THREADS][REGS];
};

static void step(struct memory *m, const struct statement *s) {
  unsigned *reg = &m->regs[s->thread][s->reg], from = m->regs[s->thread][s->from];
  unsigned pair = (s->word & ~1u) + (from & 1);
  switch (s->kind) {
    case LOAD: *reg = m->words[s->word]; break;
    case LOAD_PAIR: *reg = m->words[pair]; break;
    case STORE: m->words[s->word] = s->value & 1 ? from : s->value; break;
    case STORE_PAIR: m->words[pair] = *reg; break;
    case INCREMENT: m->words[s->word] = (m->words[s->word] + 1) % VALUES; break;
    case LOAD_LOCAL: *reg = m->local[s->thread][s->word % LOCALS]; break;
    case STORE_LOCAL: m->local[s->thread][s->word % LOCALS] = s->value & 1 ? from : s->value; break;
    case SET: *reg = s->value; break;
    case ADD: *reg = (from + s->value) % VALUES; break;
    case IF_FLAG:
    case IF_REG:
    case TIMES:
    case UNTIL:
    case ELSE:
    case END:
    case BARRIER: break;
    case EXCHANGE:
      from = m->regs[0][s->from];
      m->regs[0][s->reg] = m->regs[1][s->from];
      m->regs[1][s->reg] = from;
      break;
    case VOTE:
      from = m->regs[0][s->from] == s->value || m->regs[1][s->from] == s->value;
      for (unsigned t = 0; t < THREADS; t++) m->regs[t][s->reg] = from;
      break;
  }
}

/* Runs the statements from `at` up to `end`. */
static void run(const struct program *p, struct memory *m, struct choices *c, unsigned at, unsigned end) {
  for (; at < end; at++) {
    const struct statement *s = &p->list[at];
    bool truth = s->kind == IF_REG && m->regs[s->thread][s->from] == s->value;
    unsigned turns = s->kind == TIMES ? 1 + s->value % 2 : 0;
    if (s->kind == IF_FLAG) truth = m->flags[s->flag] = m->flags[s->flag] || next_choice(c, 2);
    if (s->kind == UNTIL) turns = m->flags[s->flag] ? 1 : 1 + next_choice(c, TURNS);
    step(m, s);
    if (s->kind == IF_FLAG || s->kind == IF_REG) {
      unsigned middle = s->partner, last = p->list[middle].partner;
      run(p, m, c, truth ? at + 1 : middle + 1, truth ? middle : last);
      at = last;
    } else if (s->kind == TIMES || s->kind == UNTIL) {
      while (turns--) run(p, m, c, at + 1, s->partner);
      if (s->kind == UNTIL) m->flags[s->flag] = true;
      at = s->partner;
    }
  }
}

static void print_states(FILE *f, const struct program *p) {
  static char texts[STATES][64];
  unsigned count = 0;
  struct choices c = {.count = 0};
  do {
    struct memory m = {.words = {0}};
    char text[64];
    int length = 0;
    run(p, &m, &c, 0, p->count);
    for (unsigned t = 0; t < THREADS; t++)
      length += snprintf(text + length, sizeof text - (size_t)length, "%sout[%u]=%u;", t ? " " : "", t,
                         m.regs[t][0] + VALUES * m.regs[t][1] + VALUES * VALUES * m.regs[t][2]);
    unsigned k = 0;
    while (k < count && strcmp(texts[k], text) != 0) k++;
    if (k == count && count < STATES) strcpy(texts[count++], text);
  } while (advance(&c));
  for (unsigned k = 0; k < count; k++) fprintf(f, "\t%s", texts[k]);
  fprintf(f, "\n");
}

/* ---- the kernel */

static FILE *module;

__attribute__((format(printf, 1, 2))) static void line(const char *format, ...) {
  va_list list;
  va_start(list, format);
  fprintf(module, "\t");
  vfprintf(module, format, list);
  fprintf(module, ";\n");
  va_end(list);
}

static const char *stored(const struct statement *s, char out[16]) {
  snprintf(out, 16, s->value & 1 ? "%%v%u" : "%u", s->value & 1 ? s->from : s->value);
  return out;
}

static void read_flag(const struct statement *s) {
  line("ld.relaxed.sys.global.u32 %%r1, [%%rd2+%u]", 4 * s->flag);
  line("setp.eq.u32 %%p1, %%r1, 0");
}

static void pair_address(const struct statement *s) {
  line("and.b32 %%r2, %%v%u, 1", s->from);
  line("mad.wide.u32 %%rd4, %%r2, 4, %%rd3");
}

static void print_statement(const struct program *p, unsigned at) {
  const struct statement *s = &p->list[at];
  const struct statement *begin = s->kind == END ? &p->list[s->partner] : s;
  char text[16];
  unsigned pair = 4 * (s->word & ~1u);
  switch (s->kind) {
    case LOAD: line("ld.%s.u32 %%v%u, [%%rd3+%u]", p->space, s->reg, 4 * s->word); break;
    case LOAD_PAIR: pair_address(s), line("ld.%s.u32 %%v%u, [%%rd4+%u]", p->space, s->reg, pair); break;
    case STORE: line("st.%s.u32 [%%rd3+%u], %s", p->space, 4 * s->word, stored(s, text)); break;
    case STORE_PAIR: pair_address(s), line("st.%s.u32 [%%rd4+%u], %%v%u", p->space, pair, s->reg); break;
    case INCREMENT: line("atom.relaxed.cta.%s.inc.u32 %%r5, [%%rd3+%u], %d", p->space, 4 * s->word, VALUES - 1); break;
    case LOAD_LOCAL: line("ld.local.u32 %%v%u, [own+%u]", s->reg, 4 * (s->word % LOCALS)); break;
    case STORE_LOCAL: line("st.local.u32 [own+%u], %s", 4 * (s->word % LOCALS), stored(s, text)); break;
    case SET: line("mov.u32 %%v%u, %u", s->reg, s->value); break;
    case ADD:
      line("add.u32 %%v%u, %%v%u, %u", s->reg, s->from, s->value);
      line("and.b32 %%v%u, %%v%u, %d", s->reg, s->reg, VALUES - 1);
      break;
    case IF_FLAG: read_flag(s), line("@%%p1 bra L%u", s->partner); break;
    case IF_REG: line("setp.ne.u32 %%p1, %%v%u, %u", s->from, s->value), line("@%%p1 bra L%u", s->partner); break;
    case TIMES: line("mov.u32 %%n%u, 0", at), fprintf(module, "T%u:\n", at); break;
    case UNTIL: fprintf(module, "T%u:\n", at); break;
    case ELSE: line("bra L%u", s->partner), fprintf(module, "L%u:\n", at); break;
    case END:
      if (begin->kind == TIMES) {
        line("add.u32 %%n%u, %%n%u, 1", s->partner, s->partner);
        line("setp.lt.u32 %%p1, %%n%u, %u", s->partner, 1 + begin->value % 2);
        line("@%%p1 bra T%u", s->partner);
      } else if (begin->kind == UNTIL) {
        read_flag(begin);
        line("@%%p1 bra T%u", s->partner);
      } else {
        fprintf(module, "L%u:\n", at);
      }
      break;
    case BARRIER: line("barrier.sync 0"); break;
    case EXCHANGE: line("shfl.sync.bfly.b32 %%v%u, %%v%u, 1, 31, 3", s->reg, s->from); break;
    case VOTE:
      line("setp.eq.u32 %%p1, %%v%u, %u", s->from, s->value);
      line("vote.sync.any.pred %%p2, %%p1, 3");
      line("selp.u32 %%v%u, 1, 0, %%p2", s->reg);
      break;
  }
}

static void print_kernel(const struct program *p, unsigned long number) {
  fprintf(module, ".visible .entry path_%lu(.param .u64 out, .param .u64 flags, .param .u64 global)\n{\n", number);
  fprintf(module, "\t.shared .b32 words[%d];\n\t.local .b32 own[%d];\n\t.reg .pred %%p<3>;\n", WORDS, LOCALS);
  fprintf(module, "\t.reg .b32 %%r<7>, %%v<%d>, %%n<%d>;\n\t.reg .b64 %%rd<5>;\n", REGS, STATEMENTS);
  line("ld.param.u64 %%rd1, [out]");
  line("ld.param.u64 %%rd2, [flags]");
  if (strcmp(p->space, "shared") == 0) line("mov.u64 %%rd3, words");
  else line("ld.param.u64 %%rd3, [global]");
  line("mov.u32 %%r6, %%tid.x");
  for (unsigned i = 0; i < LOCALS; i++) line("st.local.u32 [own+%u], 0", 4 * i);
  for (unsigned i = 0; i < WORDS && !p->unset; i++)
    line("setp.eq.u32 %%p2, %%r6, %u", i % THREADS), line("@%%p2 st.%s.u32 [%%rd3+%u], 0", p->space, 4 * i);
  for (unsigned i = 0; i < REGS; i++) line("mov.u32 %%v%u, 0", i);
  line("barrier.sync 0"); /* not aligned: the threads are lanes of a warp */
  for (unsigned at = 0, part = 0; at < p->count; at++) {
    const struct statement *s = &p->list[at];
    bool first = s->kind < BARRIER && (!at || p->list[at - 1].kind >= BARRIER || p->list[at - 1].thread != s->thread);
    bool last = s->kind < BARRIER && (p->list[at + 1].kind >= BARRIER || p->list[at + 1].thread != s->thread);
    if (first) line("setp.ne.u32 %%p2, %%r6, %u", s->thread), line("@%%p2 bra S%u", ++part);
    print_statement(p, at);
    if (last) fprintf(module, "S%u:\n", part);
  }
  line("mad.lo.u32 %%v1, %%v2, %d, %%v1", VALUES);
  line("mad.lo.u32 %%v0, %%v1, %d, %%v0", VALUES);
  line("mad.wide.u32 %%rd4, %%r6, 4, %%rd1");
  line("st.global.u32 [%%rd4], %%v0");
  line("ret");
  fprintf(module, "}\n");
}

static FILE *create(const char *directory, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  FILE *file = fopen(path, "w");
  if (!file) perror(path), exit(2);
  return file;
}

static void print_test(const char *directory, unsigned long number) {
  char name[64];
  snprintf(name, sizeof name, "path-%lu.litmus", number);
  FILE *f = create(directory, name);
  fprintf(f, "PTX path-%lu\n{ out[%d]; flags[%d]={0}; global[%d]; }\n", number, THREADS, FLAGS, WORDS);
  fprintf(f, "kernel \"paths.ptx\" path_%lu(out, flags, global) grid 1 block %d\n", number, THREADS);
  fprintf(f, "kernel \"paths.ptx\" decide(flags) grid 1 block 1\nexists (");
  for (unsigned t = 0; t < THREADS; t++) fprintf(f, "%sout[%u]=99", t ? " \\/ " : "", t);
  fprintf(f, ")\n");
  fclose(f);
}

int main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: random-paths SEED FIRST COUNT DIRECTORY\n");
    return 2;
  }
  unsigned long start = strtoul(argv[1], NULL, 10), first = strtoul(argv[2], NULL, 10);
  unsigned long count = strtoul(argv[3], NULL, 10);
  FILE *expected = create(argv[4], "expected");
  module = create(argv[4], "paths.ptx");
  fprintf(module, ".version 8.3\n.target sm_90\n.address_size 64\n.visible .entry decide(.param .u64 flags)\n{\n");
  fprintf(module, "\t.reg .b64 %%rd<2>;\n");
  line("ld.param.u64 %%rd1, [flags]");
  for (unsigned i = 0; i < FLAGS; i++) line("st.relaxed.sys.global.u32 [%%rd1+%u], 1", 4 * i);
  line("ret");
  fprintf(module, "}\n");
  for (unsigned long number = first; number < first + count; number++) {
    seed = start * 1000003 + number;
    for (unsigned i = 0; i < 4; i++) choose(2);
    struct program p = make();
    print_kernel(&p, number);
    print_test(argv[4], number);
    fprintf(expected, "path-%lu", number);
    print_states(expected, &p);
  }
  return fclose(expected) == 0 && fclose(module) == 0 ? 0 : 2;
}
