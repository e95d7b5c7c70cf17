/* Merges polls in straight-line code, of which libcu++'s atomic::wait has sixteen (docs/semantics.md K12): a load,
 * arithmetic on its value that only the following branch uses, and the same sequence again if the branch does not
 * leave. They become one poll, or two if they acquire.
 *
 * No outcome is lost: without all failed polls except the last one, a consistent execution stays consistent, because a
 * load of a value that only a branch depends on adds no order except its own, and that of its acquire. No outcome is
 * gained: a failed poll can be replaced by any number of failed polls that read from the same write, each with the same
 * order. For that reason polls that acquire nothing race with the same writes as well. An acquiring poll may race less
 * than the poll before it, so two of them stay: a race or a fault has one poll at most, and an execution needs only
 * that poll and the last one. */
#include "kernel/columns.h"

enum { MOST_TESTS = 4 };

struct poll {
  struct remnant *load, *tests[MOST_TESTS]; /* in order; the last one decides the branch */
  uint32_t count;                           /* of tests */
};

struct polling {
  struct arena *arena;
  const struct runner *runner;
  const uint32_t *uses;
};

static const struct instr *instr_of(const struct polling *p, const struct remnant *left) {
  return &p->runner->run->body.thread->instrs[left->end - 1];
}

uint32_t *polls_uses(struct arena *arena, const struct runner *r) {
  const struct thread *thread = r->run->body.thread;
  uint32_t *uses = ARENA_ARRAY(arena, uint32_t, thread->reg_count);
  ARRAY_EACH (in, thread->instrs, thread->instr_count) {
    EACH_READ (reg, in) uses[reg]++;
    EACH_WRITTEN (reg, in) uses[reg]++;
  }
  return uses;
}

bool polls_passes_on(const struct runner *r, const uint32_t *uses, uint32_t reg) {
  return reg != NO_REG && uses[reg] == 2 && !(r->run->observed && r->run->observed[reg]);
}

static bool acquires(const struct polling *p, const struct poll *poll) {
  return instr_of(p, poll->load)->sem == SEM_ACQUIRE;
}

/* True if the instruction only writes one register, which is passed on. */
static bool is_simple(const struct polling *p, const struct remnant *left, enum instr_kind kind) {
  if (left->begin == left->end || left->instr->guard || left->instr->refused || !left->instr->operands) return false;
  const struct instr *in = instr_of(p, left);
  return in->kind == kind && in->dst[1] == NO_REG && polls_passes_on(p->runner, p->uses, instr_result(in, 0));
}

static bool is_load(const struct polling *p, const struct remnant *left) {
  if (!is_simple(p, left, INSTR_LOAD)) return false;
  const struct instr *in = instr_of(p, left);
  bool known = in->sem == SEM_WEAK || in->sem == SEM_RELAXED || in->sem == SEM_ACQUIRE;
  return known && !in->is_mmio && in->proxy == PROXY_GENERIC;
}

static bool is_of(const struct polling *p, const struct litmus_operand *operand, uint32_t reg) {
  return operand->kind == LITMUS_NAME && operand->u.ref.percent &&
         body_register(&p->runner->run->body, operand->u.ref.name) == reg;
}

/* True for arithmetic that uses the register once and has no list as an operand. */
static bool is_test(const struct polling *p, const struct remnant *left, uint32_t reg) {
  uint32_t uses = 0;
  if (!is_simple(p, left, INSTR_ALU) || !is_of(p, left->instr->operands, instr_result(instr_of(p, left), 0)))
    return false;
  for (const struct litmus_operand *operand = left->instr->operands->next; operand; operand = operand->next) {
    if (operand->kind != LITMUS_NAME && operand->kind != LITMUS_NUMBER) return false;
    uses += is_of(p, operand, reg);
  }
  return uses == 1;
}

/* The poll at the end of a block. `alone`: the block has nothing else. */
static bool find_poll(const struct polling *p, const struct block *b, bool alone, struct poll *out) {
  struct remnant *last[1 + MOST_TESTS];
  uint32_t count = 0, all = 0;
  for (uint32_t k = b->code.len; k-- > 0 && b->guard;) {
    struct remnant *left = &b->code.data[k];
    if (left->instr && all++ <= MOST_TESTS) last[count++] = left;
    if (left->instr && is_load(p, left) && !alone) break;
  }
  *out = (struct poll){0};
  if (count < 2 || all != count || !is_load(p, last[count - 1])) return false;
  out->load = last[count - 1];
  uint32_t reg = instr_result(instr_of(p, out->load), 0);
  for (uint32_t k = count - 1; k-- > 0;) {
    if (!is_test(p, last[k], reg)) return false;
    out->tests[out->count++] = last[k];
    reg = instr_result(instr_of(p, last[k]), 0);
  }
  return p->runner->run->body.thread->instrs[b->split].guard.reg == reg;
}

/* An instruction without the register that it writes, and without the name of one that it reads. */
static void add_text(const struct polling *p, struct text *text, const struct remnant *left, uint32_t reg) {
  struct litmus_instr instr = *left->instr;
  struct litmus_operand **end = &instr.operands;
  for (const struct litmus_operand *operand = left->instr->operands->next; operand; operand = operand->next) {
    *end = ARENA_NEW(p->arena, struct litmus_operand);
    **end = *operand;
    if (reg != NO_REG && is_of(p, operand, reg)) (*end)->u.ref.name = "";
    end = &(*end)->next;
  }
  litmus_print_instr(&instr, text);
}

/* The text of a poll, without the names of the registers that it passes on. */
static const char *text_of(const struct polling *p, const struct poll *poll) {
  struct text text = {.arena = p->arena};
  add_text(p, &text, poll->load, NO_REG);
  const struct remnant *before = poll->load;
  for (uint32_t k = 0; k < poll->count; k++) {
    add_text(p, &text, poll->tests[k], instr_result(instr_of(p, before), 0));
    before = poll->tests[k];
  }
  return text_str(&text);
}

/* The next block that is not empty. */
static uint32_t behind(const struct runner *r, uint32_t block) {
  for (uint32_t i = 0; i < r->blocks.len && block != NO_BLOCK; i++) {
    const struct block *b = &r->blocks.data[block];
    for (uint32_t k = 0; k < b->code.len; k++)
      if (b->code.data[k].instr) return block;
    if (b->guard) return block;
    block = b->next[0];
  }
  return block;
}

/* The block with the same poll and the same exit to which successor `on` of block `b` leads; or NULL. */
static const struct block *repeated(const struct polling *p, const struct block *b, const struct poll *poll,
                                    unsigned on) {
  uint32_t to = behind(p->runner, b->next[on]);
  struct poll next;
  if (to == NO_BLOCK || b->next[0] == b->next[1]) return NULL;
  const struct block *c = &p->runner->blocks.data[to];
  if (c == b || c->next[!on] != b->next[!on] || c->negated != b->negated || !find_poll(p, c, true, &next)) return NULL;
  return strcmp(text_of(p, poll), text_of(p, &next)) == 0 ? c : NULL;
}

static void merge_poll(const struct polling *p, struct block *b) {
  struct poll poll;
  if (!find_poll(p, b, false, &poll)) return;
  for (unsigned on = 0; on < 2; on++) {
    const struct block *next = repeated(p, b, &poll, on);
    if (!next || (acquires(p, &poll) && !repeated(p, next, &poll, on))) continue;
    poll.load->instr = NULL;
    for (uint32_t k = 0; k < poll.count; k++) poll.tests[k]->instr = NULL;
    b->next[0] = b->next[on];
    b->next[1] = NO_BLOCK;
    b->guard = NULL;
    return;
  }
}

void polls_merge(struct launching *l) {
  EACH_COLUMN (r, l) {
    struct polling p = {.arena = l->memory.arena, .runner = r, .uses = polls_uses(l->memory.arena, r)};
    for (uint32_t b = 0; b < r->blocks.len; b++) merge_poll(&p, &r->blocks.data[b]);
  }
}
