/* Random kernels whose threads take several paths, and their outcomes by an interpreter: run writes the kernels and
 * compares. A word of shared or global memory has one owner between two barriers, so nothing races. What a thread reads
 * from a flag is a free choice, and so is a word that another thread published before its end, since an end orders
 * nothing (G42). A thread that may leave in a part accesses no other words there.
 *
 *   random-paths SEED FIRST COUNT DIRECTORY
 *
 * Writes paths.ptx, path-N.litmus and `expected`: a line for each test with its name and its states. */
#include <stdbool.h>
#include <string.h>

#include "module.h"

enum {
  THREADS = 2,
  REGS = 3,
  WORDS = 4,   /* of shared or global memory, in pairs of one owner */
  LOCALS = 2,  /* words of local memory */
  FLAGS = 4,   /* each is read by one thread, once, or in a loop */
  STATEMENTS = 64,
  STATES = 512,
  VALUES = 4,  /* a register holds 0 to 3 */
  TURNS = 9,   /* iterations of a loop that a flag ends: more than there are states of what it may change */
  PREDS = 2,   /* predicates that a statement sets, and others use */
  PATTERN = 0x55555555, /* a constant that is stored is a multiple: no byte of it is like another value's */
};

enum kind {
  LOAD,    /* of 1, 2 or 4 bytes */
  LOAD_PAIR, /* a register decides which of the two */
  STORE,
  STORE_PAIR,
  INCREMENT,
  ATOM,    /* atom or red */
  ADD_WIDE, /* red to both words of a pair as one */
  LOAD_VECTOR,
  LOAD_LOCAL,
  STORE_LOCAL,
  SET,
  ADD,
  COMPARE, /* sets a predicate */
  SELECT,
  PUBLISH,
  LOAD_LATE, /* the word that the other thread publishes */
  LOAD_FLAG, /* an unknown value in a register */
  IF_FLAG,
  IF_REG,
  TIMES,
  UNTIL, /* the flag is read as 1 */
  ELSE,
  END,
  LEAVE,
  BARRIER, /* from here on: all threads together */
  EXCHANGE,
  VOTE,
};

enum atomic {
  ATOMIC_ADD,
  ATOMIC_INC,
  ATOMIC_DEC,
  ATOMIC_MIN,
  ATOMIC_MAX,
  ATOMIC_AND,
  ATOMIC_OR,
  ATOMIC_XOR,
  ATOMIC_EXCH,
  ATOMIC_CAS,
  ATOMICS,
};

struct statement {
  enum kind kind;
  unsigned reg, from, word, value, flag, thread, phase;
  unsigned at, bytes, shift; /* LOAD, STORE: a part of the word; LOAD: the bits of it that the register gets */
  bool is_signed;            /* LOAD */
  enum atomic atomic;
  bool silent;               /* ATOM without a result */
  enum { ALWAYS, IF_EQUAL, IF_PREDICATE } guard; /* EQUAL: register `by` is `equals`; PREDICATE: number `by` */
  unsigned by, equals;
  unsigned partner; /* of IF, ELSE and loops: the ELSE or END; of END: the begin */
};

struct program {
  struct statement list[STATEMENTS];
  unsigned count, flags, phase;
  unsigned published[THREADS]; /* 1 more than the phase; 0: none */
  bool leaves;                 /* some thread may have left */
  const char *space; /* of the words */
  bool unset;        /* the words have no initial values, which counts as 0 */
};


/* ---- making a program */

static struct statement *add(struct program *p, enum kind kind, unsigned thread) {
  struct statement *s = &p->list[p->count++];
  *s = (struct statement){.kind = kind, .thread = thread, .reg = choose(REGS), .from = choose(REGS),
                          .value = choose(VALUES), .phase = p->phase, .bytes = 4};
  return s;
}

static void add_guard(struct statement *s) {
  if (choose(3)) return;
  s->guard = choose(3) ? IF_EQUAL : IF_PREDICATE;
  s->by = choose(s->guard == IF_EQUAL ? REGS : PREDS);
  s->equals = choose(VALUES);
}

/* A statement without others inside. */
static void add_one(struct program *p, enum kind kind, unsigned thread, unsigned pair) {
  if (kind == PUBLISH && p->published[thread] && p->published[thread] != p->phase + 1) return;
  if (kind == LOAD_LATE && (!p->published[1 - thread] || p->published[1 - thread] > p->phase)) return;
  if (kind == LOAD_FLAG && p->flags == FLAGS) return;
  struct statement *s = add(p, kind, thread);
  if (kind == LOAD_FLAG) s->flag = p->flags++;
  if (kind == PUBLISH) p->published[thread] = p->phase + 1;
  s->word = 2 * pair + choose(2);
  s->atomic = (enum atomic)choose(ATOMICS);
  s->silent = s->atomic < ATOMIC_EXCH && choose(2);
  if ((kind == LOAD || kind == STORE) && choose(2)) {
    s->bytes = 1 + choose(2);
    s->at = s->bytes * choose(4 / s->bytes);
  }
  s->is_signed = choose(2);
  s->shift = kind == LOAD ? 7 * choose(3) : 0;
  add_guard(s);
}

static bool is_of_words(enum kind kind) { return kind <= LOAD_VECTOR; }

/* `bare`: no statement accesses words. `until`: in a loop that a flag ends, where a word must come back to a value that
 * it had. */
struct limits {
  bool bare, until;
};

static bool is_excluded(enum kind kind, struct limits limits) {
  return (limits.bare && is_of_words(kind)) || (limits.until && (kind == ATOM || kind == ADD_WIDE));
}

/* Statements of one thread; `pair`: the two words of shared memory that it owns. */
static void add_some(struct program *p, unsigned thread, unsigned pair, unsigned depth, struct limits limits) {
  if (!depth && choose(2)) add_one(p, LOAD_FLAG, thread, pair);
  for (unsigned left = 1 + choose(depth ? 2 : 5); left && p->count < STATEMENTS - 16; left--) {
    enum kind kind = (enum kind)choose(depth ? IF_FLAG : ELSE);
    if (is_excluded(kind, limits)) continue;
    if (kind == TIMES || kind == UNTIL || kind == IF_FLAG || kind == IF_REG) {
      bool flag = kind == IF_FLAG || kind == UNTIL;
      if (flag && p->flags == FLAGS) continue;
      unsigned begin = p->count;
      struct statement *s = add(p, kind, thread);
      if (flag) s->flag = p->flags++;
      struct limits inside = {limits.bare, limits.until || kind == UNTIL};
      add_some(p, thread, pair, depth + 1, inside);
      if (kind == IF_FLAG || kind == IF_REG) {
        p->list[begin].partner = p->count;
        begin = p->count;
        add(p, ELSE, thread);
        if (choose(2)) add_some(p, thread, pair, depth + 1, inside);
      }
      p->list[begin].partner = p->count;
      add(p, END, thread)->partner = begin;
    } else {
      add_one(p, kind, thread, pair);
    }
  }
}

static struct program make(void) {
  struct program p = {.space = choose(3) ? "shared" : "global", .unset = !choose(3)};
  for (unsigned phase = 0, phases = 1 + choose(3); phase < phases; phase++) {
    unsigned first = choose(2);
    p.phase = phase;
    for (unsigned t = 0; t < THREADS; t++) {
      bool leaves = !choose(6);
      add_some(&p, t, t ^ first, 0, (struct limits){.bare = leaves});
      if (!leaves) continue;
      struct statement *s = add(&p, LEAVE, t);
      s->silent = choose(2);
      add_guard(s);
      p.leaves = true;
    }
    add(&p, BARRIER, 0);
    if (!p.leaves && !choose(3)) add(&p, choose(2) ? EXCHANGE : VOTE, 0);
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
  uint8_t words[4 * WORDS];
  unsigned local[THREADS][LOCALS], regs[THREADS][REGS];
  bool preds[THREADS][PREDS], published[THREADS], seen[THREADS], gone[THREADS];
  unsigned end[THREADS]; /* gone: the phase in which it left */
};

static uint32_t get(const struct memory *m, unsigned at, unsigned bytes) {
  uint32_t value = 0;
  for (unsigned i = 0; i < bytes; i++) value |= (uint32_t)m->words[at + i] << 8 * i;
  return value;
}

static void put(struct memory *m, unsigned at, unsigned bytes, uint32_t value) {
  for (unsigned i = 0; i < bytes; i++) m->words[at + i] = (uint8_t)(value >> 8 * i);
}

static bool holds(const struct memory *m, const struct statement *s) {
  if (s->guard == IF_EQUAL) return m->regs[s->thread][s->by] == s->equals;
  return s->guard == ALWAYS || m->preds[s->thread][s->by];
}

static uint32_t loaded(const struct memory *m, const struct statement *s) {
  uint32_t value = get(m, 4 * s->word + s->at, s->bytes), sign = 1u << (8 * s->bytes - 1);
  if (s->is_signed && s->bytes < 4 && value & sign) value |= ~(sign | (sign - 1));
  return value >> s->shift & (VALUES - 1);
}

static uint32_t updated(const struct statement *s, uint32_t old, uint32_t b) {
  switch (s->atomic) {
    case ATOMIC_ADD: return old + b;
    case ATOMIC_INC: return old >= b ? 0 : old + 1;
    case ATOMIC_DEC: return old == 0 || old > b ? b : old - 1;
    case ATOMIC_MIN: return old < b ? old : b;
    case ATOMIC_MAX: return old > b ? old : b;
    case ATOMIC_AND: return old & b;
    case ATOMIC_OR: return old | b;
    case ATOMIC_XOR: return old ^ b;
    case ATOMIC_EXCH: return b;
    case ATOMIC_CAS: return old == s->value ? b : old;
    case ATOMICS: break;
  }
  return 0;
}

/* The word that the other thread published in an earlier phase. */
static unsigned late(struct memory *m, struct choices *c, const struct statement *s, unsigned phase) {
  unsigned other = 1 - s->thread;
  if (!m->published[other]) return 0;
  bool open = m->gone[other] && m->end[other] == phase && !m->seen[other];
  m->seen[other] = m->seen[other] || !open || next_choice(c, 2);
  return m->seen[other];
}

static void step(const struct program *p, struct memory *m, struct choices *c, const struct statement *s) {
  unsigned *reg = &m->regs[s->thread][s->reg], from = m->regs[s->thread][s->from];
  unsigned pair = (s->word & ~1u) + (from & 1), word = 4 * s->word, brought = s->value & 1 ? from : s->value;
  uint32_t old = get(m, word, 4);
  if (s->kind < BARRIER && !holds(m, s)) return;
  switch (s->kind) {
    case LOAD: *reg = loaded(m, s); break;
    case LOAD_PAIR: *reg = get(m, 4 * pair, 4) % VALUES; break;
    case STORE: put(m, word + s->at, s->bytes, s->value & 1 ? from : s->value * PATTERN); break;
    case STORE_PAIR: put(m, 4 * pair, 4, *reg); break;
    case INCREMENT: put(m, word, 4, old >= VALUES - 1 ? 0 : old + 1); break;
    case ATOM:
      put(m, word, 4, updated(s, old, brought));
      if (!s->silent) *reg = old % VALUES;
      break;
    case ADD_WIDE:
      word = 4 * (s->word & ~1u);
      old = get(m, word, 4);
      put(m, word, 4, old + s->value);
      if (old + s->value < old) put(m, word + 4, 4, get(m, word + 4, 4) + 1);
      put(m, word + 4, 4, get(m, word + 4, 4) + s->value);
      break;
    case LOAD_VECTOR:
      word = 4 * (s->word & ~1u);
      *reg = get(m, word, 4) % VALUES;
      m->regs[s->thread][(s->reg + 1) % REGS] = get(m, word + 4, 4) % VALUES;
      break;
    case LOAD_LOCAL: *reg = m->local[s->thread][s->word % LOCALS]; break;
    case STORE_LOCAL: m->local[s->thread][s->word % LOCALS] = s->value & 1 ? from : s->value; break;
    case SET: *reg = s->value; break;
    case ADD: *reg = (from + s->value) % VALUES; break;
    case COMPARE: m->preds[s->thread][s->word % PREDS] = (from == s->value) == s->is_signed; break;
    case SELECT: *reg = m->preds[s->thread][s->value & 1] ? from : s->value; break;
    case PUBLISH: m->published[s->thread] = true; break;
    case LOAD_LATE: *reg = late(m, c, s, p->published[1 - s->thread] - 1); break;
    case LOAD_FLAG: *reg = m->flags[s->flag] = m->flags[s->flag] || next_choice(c, 2); break;
    case LEAVE:
      m->gone[s->thread] = true;
      m->end[s->thread] = s->phase;
      break;
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
    if (s->kind < BARRIER && m->gone[s->thread]) continue; /* it left at the end of a part: none of a later one runs */
    bool truth = s->kind == IF_REG && m->regs[s->thread][s->from] == s->value;
    unsigned turns = s->kind == TIMES ? 1 + s->value % 2 : 0;
    if (s->kind == IF_FLAG) truth = m->flags[s->flag] = m->flags[s->flag] || next_choice(c, 2);
    if (s->kind == UNTIL) turns = m->flags[s->flag] ? 1 : 1 + next_choice(c, TURNS);
    step(p, m, c, s);
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
    for (unsigned i = 0; i < THREADS * REGS; i++) m.regs[i / REGS][i % REGS] = 1 + i % REGS; /* not 0, as by default */
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


static const char *stored(const struct statement *s, char out[16]) {
  unsigned value = s->kind == STORE ? s->value * PATTERN >> (32 - 8 * s->bytes) : s->value;
  snprintf(out, 16, s->value & 1 ? "%%v%u" : "%u", s->value & 1 ? s->from : value);
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

/* A register keeps two bits of a value. */
static void cut(unsigned reg) { line("and.b32 %%v%u, %%v%u, %d", reg, reg, VALUES - 1); }

static void print_load(const struct program *p, const struct statement *s) {
  const char *sign = s->bytes < 4 && s->is_signed ? "s" : "u";
  line("ld.%s.%s%u %%v%u, [%%rd3+%u]", p->space, sign, 8 * s->bytes, s->reg, 4 * s->word + s->at);
  if (s->shift) line("shr.u32 %%v%u, %%v%u, %u", s->reg, s->reg, s->shift);
  cut(s->reg);
}

static void print_atom(const struct program *p, const struct statement *s) {
  static const char *const words[] = {"add.u32", "inc.u32", "dec.u32", "min.u32", "max.u32",
                                      "and.b32", "or.b32",  "xor.b32", "exch.b32", "cas.b32"};
  char text[16], compared[16] = "";
  stored(s, text);
  if (s->atomic == ATOMIC_CAS) snprintf(compared, sizeof compared, "%u, ", s->value);
  if (s->silent) {
    line("red.relaxed.cta.%s.%s [%%rd3+%u], %s", p->space, words[s->atomic], 4 * s->word, text);
    return;
  }
  line("atom.relaxed.cta.%s.%s %%v%u, [%%rd3+%u], %s%s", p->space, words[s->atomic], s->reg, 4 * s->word, compared,
       text);
  cut(s->reg);
}

/* The registers as one number, stored for the thread. */
static void print_result(void) {
  line("mad.lo.u32 %%v1, %%v2, %d, %%v1", VALUES);
  line("mad.lo.u32 %%v0, %%v1, %d, %%v0", VALUES);
  line("mad.wide.u32 %%rd4, %%r6, 4, %%rd1");
  line("st.global.u32 [%%rd4], %%v0");
}

static void print_leave(const struct statement *s, unsigned at) {
  const char *own = guard;
  if (s->silent && *own) {
    fprintf(module, "\t@!%sbra K%u;\n", own + 1, at);
    guard = "";
  }
  print_result();
  line("exit");
  if (s->silent && *own) fprintf(module, "K%u:\n", at);
}

static void print_plain(const struct program *p, unsigned at);

static void print_statement(const struct program *p, unsigned at) {
  static const char *const guards[] = {"@%p3 ", "@%p4 "};
  const struct statement *s = &p->list[at];
  if (s->guard == IF_EQUAL) line("setp.eq.u32 %%p5, %%v%u, %u", s->by, s->equals);
  if (s->guard == IF_EQUAL) guard = "@%p5 ";
  if (s->guard == IF_PREDICATE) guard = guards[s->by];
  print_plain(p, at);
  guard = "";
}

static void print_plain(const struct program *p, unsigned at) {
  const struct statement *s = &p->list[at];
  const struct statement *begin = s->kind == END ? &p->list[s->partner] : s;
  char text[16];
  unsigned pair = 4 * (s->word & ~1u);
  switch (s->kind) {
    case LOAD: print_load(p, s); break;
    case LOAD_PAIR:
      pair_address(s), line("ld.%s.u32 %%v%u, [%%rd4+%u]", p->space, s->reg, pair), cut(s->reg);
      break;
    case STORE:
      line("st.%s.u%u [%%rd3+%u], %s", p->space, 8 * s->bytes, 4 * s->word + s->at, stored(s, text));
      break;
    case STORE_PAIR: pair_address(s), line("st.%s.u32 [%%rd4+%u], %%v%u", p->space, pair, s->reg); break;
    case INCREMENT: line("atom.relaxed.cta.%s.inc.u32 %%r5, [%%rd3+%u], %d", p->space, 4 * s->word, VALUES - 1); break;
    case ATOM: print_atom(p, s); break;
    case ADD_WIDE:
      line("red.relaxed.cta.%s.add.u64 [%%rd3+%u], %llu", p->space, pair, s->value * 0x100000001ull);
      break;
    case LOAD_VECTOR:
      line("ld.%s.v2.u32 {%%v%u, %%v%u}, [%%rd3+%u]", p->space, s->reg, (s->reg + 1) % REGS, pair);
      cut(s->reg), cut((s->reg + 1) % REGS);
      break;
    case LOAD_LOCAL: line("ld.local.u32 %%v%u, [own+%u]", s->reg, 4 * (s->word % LOCALS)); break;
    case STORE_LOCAL: line("st.local.u32 [own+%u], %s", 4 * (s->word % LOCALS), stored(s, text)); break;
    case SET: line("mov.u32 %%v%u, %u", s->reg, s->value); break;
    case ADD:
      line("add.u32 %%v%u, %%v%u, %u", s->reg, s->from, s->value);
      line("and.b32 %%v%u, %%v%u, %d", s->reg, s->reg, VALUES - 1);
      break;
    case COMPARE:
      line("setp.%s.u32 %%p%u, %%v%u, %u", s->is_signed ? "eq" : "ne", 3 + s->word % PREDS, s->from, s->value);
      break;
    case SELECT: line("selp.u32 %%v%u, %%v%u, %u, %%p%u", s->reg, s->from, s->value, 3 + (s->value & 1)); break;
    case PUBLISH: line("st.relaxed.cta.%s.u32 [%%rd3+%u], 1", p->space, 4 * (WORDS + s->thread)); break;
    case LOAD_LATE:
      line("ld.relaxed.cta.%s.u32 %%v%u, [%%rd3+%u]", p->space, s->reg, 4 * (WORDS + 1 - s->thread));
      break;
    case LOAD_FLAG: line("ld.relaxed.sys.global.u32 %%v%u, [%%rd2+%u]", s->reg, 4 * s->flag); break;
    case LEAVE: print_leave(s, at); break;
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
  fprintf(module, "\t.shared .align 16 .b32 words[%d];\n\t.local .b32 own[%d];\n\t.reg .pred %%p<6>;\n",
          WORDS + THREADS, LOCALS);
  fprintf(module, "\t.reg .b32 %%r<7>, %%v<%d>, %%n<%d>;\n\t.reg .b64 %%rd<5>;\n", REGS, STATEMENTS);
  line("ld.param.u64 %%rd1, [out]");
  line("ld.param.u64 %%rd2, [flags]");
  if (strcmp(p->space, "shared") == 0) line("mov.u64 %%rd3, words");
  else line("ld.param.u64 %%rd3, [global]");
  line("mov.u32 %%r6, %%tid.x");
  for (unsigned i = 0; i < LOCALS; i++) line("st.local.u32 [own+%u], 0", 4 * i);
  for (unsigned i = 0; i < WORDS + THREADS && !p->unset; i++)
    line("setp.eq.u32 %%p2, %%r6, %u", i % THREADS), line("@%%p2 st.%s.u32 [%%rd3+%u], 0", p->space, 4 * i);
  for (unsigned i = 0; i < REGS; i++) line("mov.u32 %%v%u, %u", i, 1 + i);
  for (unsigned i = 0; i < PREDS; i++) line("setp.ne.u32 %%p%u, 0, 0", 3 + i);
  line("barrier.sync 0"); /* not aligned: the threads are lanes of a warp */
  for (unsigned at = 0, part = 0; at < p->count; at++) {
    const struct statement *s = &p->list[at];
    bool first = s->kind < BARRIER && (!at || p->list[at - 1].kind >= BARRIER || p->list[at - 1].thread != s->thread);
    bool last = s->kind < BARRIER && (p->list[at + 1].kind >= BARRIER || p->list[at + 1].thread != s->thread);
    if (first) line("setp.ne.u32 %%p2, %%r6, %u", s->thread), line("@%%p2 bra S%u", ++part);
    print_statement(p, at);
    if (last) fprintf(module, "S%u:\n", part);
  }
  print_result();
  line("ret");
  fprintf(module, "}\n");
}

static void print_test(const char *directory, unsigned long number) {
  char name[64];
  snprintf(name, sizeof name, "path-%lu.litmus", number);
  FILE *f = create(directory, name);
  fprintf(f, "PTX path-%lu\n{ out[%d]; flags[%d]={0}; global[%d]; }\n", number, THREADS, FLAGS,
          WORDS + THREADS);
  fprintf(f, "kernel \"paths.ptx\" path_%lu(out, flags, global) grid 1 block %d\n", number, THREADS);
  fprintf(f, "kernel \"paths.ptx\" decide(flags) grid 1 block 1\nexists (");
  for (unsigned t = 0; t < THREADS; t++) fprintf(f, "%sout[%u]=99", t ? " \\/ " : "", t);
  fprintf(f, ")\n");
  fclose(f);
}

int main(int argc, char **argv) {
  const struct arguments arguments = begin(argc, argv, "paths.ptx");
  FILE *expected = create(arguments.directory, "expected");
  fprintf(module, ".visible .entry decide(.param .u64 flags)\n{\n\t.reg .b64 %%rd<2>;\n");
  line("ld.param.u64 %%rd1, [flags]");
  for (unsigned i = 0; i < FLAGS; i++) line("st.relaxed.sys.global.u32 [%%rd1+%u], 1", 4 * i);
  line("ret");
  fprintf(module, "}\n");
  for (unsigned long number = arguments.first; number < arguments.end; number++) {
    begin_kernel(&arguments, number);
    struct program p = make();
    print_kernel(&p, number);
    print_test(arguments.directory, number);
    fprintf(expected, "path-%lu", number);
    print_states(expected, &p);
  }
  return fclose(expected) == 0 && fclose(module) == 0 ? 0 : 2;
}
