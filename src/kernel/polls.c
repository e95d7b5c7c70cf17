/* Polls in a straight line, as libcu++'s atomic::wait has sixteen (docs/semantics.md K12): a load, a comparison that
 * only the branch behind it uses, and the same again where the branch does not leave. They become one poll.
 *
 * No outcome is lost: an execution without the polls that failed, but for the last one, is consistent where the whole
 * is. A load that acquires nothing, of a value that only a branch depends on, brings no order but its own, so that none
 * of the axioms gains a pair. None is gained: where one poll fails, so do any number in its place that return the same
 * write, each with the same order. For that reason they race with the same writes as well. A load that acquires may
 * race less than the one before it: those stay. */
#include "kernel/columns.h"

struct poll {
  struct remnant *load, *test;
};

struct polling {
  struct arena *arena;
  const struct runner *runner;
  uint32_t *uses; /* by register: the instructions of the body that name it */
};

static const struct instr *instr_of(const struct polling *p, const struct remnant *left) {
  return &p->runner->run->body.thread->instrs[left->end - 1];
}

static void count_uses(struct polling *p) {
  const struct thread *thread = p->runner->run->body.thread;
  p->uses = ARENA_ARRAY(p->arena, uint32_t, thread->reg_count);
  ARRAY_EACH (in, thread->instrs, thread->instr_count) {
    uint32_t sources[MAX_SOURCES], count = instr_sources(in, sources);
    for (uint32_t k = 0; k < count; k++) p->uses[sources[k]]++;
    for (uint32_t k = 0; k < instr_result_count(in); k++)
      if (instr_result(in, k) != NO_REG) p->uses[instr_result(in, k)]++;
  }
}

/* True if one instruction writes the register, one reads it, and no condition names it. */
static bool is_passed_on(const struct polling *p, uint32_t reg) {
  return reg != NO_REG && p->uses[reg] == 2 && !(p->runner->run->observed && p->runner->run->observed[reg]);
}

static bool is_plain_load(const struct polling *p, const struct remnant *left) {
  if (left->begin == left->end || left->instr->guard || left->instr->refused) return false;
  const struct instr *in = instr_of(p, left);
  bool orders = (in->sem != SEM_WEAK && in->sem != SEM_RELAXED) || in->is_mmio || in->proxy != PROXY_GENERIC;
  return in->kind == INSTR_LOAD && !orders && in->dst[1] == NO_REG && is_passed_on(p, instr_result(in, 0));
}

static bool is_of(const struct polling *p, const struct litmus_operand *operand, uint32_t reg) {
  return operand->kind == LITMUS_NAME && operand->u.ref.percent &&
         body_register(&p->runner->run->body, operand->u.ref.name) == reg;
}

/* setp P, A, B, where A or B is the register loaded. */
static bool is_test(const struct polling *p, const struct remnant *left, uint32_t loaded) {
  if (left->begin == left->end || left->instr->guard || left->instr->refused) return false;
  const struct litmus_operand *to = left->instr->operands;
  if (strcmp(left->instr->opcode.text, "setp") != 0 || !to->next || !to->next->next) return false;
  if (to->next->next->next) return false;
  const struct instr *in = instr_of(p, left);
  bool one = in->dst[1] == NO_REG && is_passed_on(p, instr_result(in, 0)) && is_of(p, to, instr_result(in, 0));
  return one && is_of(p, to->next, loaded) != is_of(p, to->next->next, loaded);
}

/* The poll at the end of a block. `alone`: it is all that the block does. */
static bool find_poll(const struct polling *p, const struct block *b, bool alone, struct poll *out) {
  uint32_t count = 0;
  *out = (struct poll){0};
  for (uint32_t k = 0; k < b->code.len; k++)
    if (b->code.data[k].instr) out->load = out->test, out->test = &b->code.data[k], count++;
  if (!b->guard || count < 2 || (alone && count > 2) || !is_plain_load(p, out->load)) return false;
  if (!is_test(p, out->test, instr_result(instr_of(p, out->load), 0))) return false;
  return p->runner->run->body.thread->instrs[b->split].guard.reg == instr_result(instr_of(p, out->test), 0);
}

/* The text of a poll, without the names of the registers that it passes on. */
static const char *text_of(const struct polling *p, const struct poll *poll) {
  struct text text = {.arena = p->arena};
  struct litmus_instr load = *poll->load->instr, test = *poll->test->instr;
  struct litmus_operand first = *test.operands->next, second = *first.next;
  uint32_t loaded = instr_result(instr_of(p, poll->load), 0);
  struct litmus_operand *place = is_of(p, &first, loaded) ? &first : &second;
  load.operands = load.operands->next;
  first.next = &second;
  test.operands = &first;
  place->u.ref.name = "";
  litmus_print_instr(&load, &text);
  litmus_print_instr(&test, &text);
  return text_str(&text);
}

/* The block that follows behind empty blocks. */
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

/* True if the way on from `b`, of its two, leads to the same poll, with the same way out. */
static bool is_repeated(const struct polling *p, const struct block *b, const struct poll *poll, unsigned on) {
  uint32_t to = behind(p->runner, b->next[on]);
  struct poll next;
  if (to == NO_BLOCK || b->next[0] == b->next[1]) return false;
  const struct block *c = &p->runner->blocks.data[to];
  if (c == b || c->next[!on] != b->next[!on] || c->negated != b->negated || !find_poll(p, c, true, &next)) return false;
  return strcmp(text_of(p, poll), text_of(p, &next)) == 0;
}

static void merge_poll(const struct polling *p, struct block *b) {
  struct poll poll;
  if (!find_poll(p, b, false, &poll)) return;
  for (unsigned on = 0; on < 2; on++) {
    if (!is_repeated(p, b, &poll, on)) continue;
    poll.load->instr = poll.test->instr = NULL;
    b->next[0] = b->next[on];
    b->next[1] = NO_BLOCK;
    b->guard = NULL;
    return;
  }
}

void polls_merge(struct launching *l) {
  EACH_COLUMN (r, l) {
    struct polling p = {.arena = l->memory.arena, .runner = r};
    count_uses(&p);
    for (uint32_t b = 0; b < r->blocks.len; b++) merge_poll(&p, &r->blocks.data[b]);
  }
}
