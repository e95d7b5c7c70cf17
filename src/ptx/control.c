#include "ptx/lowering.h"
#include "ptx/uses.h"

/* Labels */

bool lower_add_label(struct lowering *l, uint32_t thread, const struct litmus_word *word) {
  struct lower_thread *of = &l->threads[thread];
  uint32_t known = name_map_get(&of->label_names, word->text);
  if (known != NO_NAME)
    return diag_beside(diag_report(l->diags, DIAG_REDECLARED, word->span, "label '%s' is declared twice in P%u",
                                   word->text, l->program->threads[thread].number),
                       of->labels.data[known].span, "first declared here");
  name_map_put(l->arena, &of->label_names, word->text, of->labels.len);
  VEC_PUSH(l->arena, &of->labels, (struct label){.name = word->text, .span = word->span});
  return true;
}

void lower_place_label(struct lowering *l, uint32_t thread, const struct litmus_word *word) {
  struct lower_thread *of = &l->threads[thread];
  of->labels.data[name_map_get(&of->label_names, word->text)].at = of->code.len;
}

static void hint_label(struct lowering *l, struct diagnostic *d, uint32_t thread, const char *name) {
  const struct lower_thread *of = &l->threads[thread];
  for (uint32_t t = 0; t < l->program->thread_count; t++) {
    uint32_t label = name_map_get(&l->threads[t].label_names, name);
    if (label == NO_NAME) continue;
    diag_beside(d, l->threads[t].labels.data[label].span,
                arena_printf(l->arena, "P%u has it", l->program->threads[t].number));
    diag_hint(l->diags, d, "a thread jumps only within its own column");
    return;
  }
  if (of->labels.len > 1000) return;
  const char **names = ARENA_ARRAY(l->arena, const char *, of->labels.len);
  for (uint32_t i = 0; i < of->labels.len; i++) names[i] = of->labels.data[i].name;
  const char *nearest = nearest_word(name, names, of->labels.len);
  if (nearest) diag_hint(l->diags, d, "did you mean '%s'?", nearest);
  else diag_hint(l->diags, d, "write the label before an instruction or alone in a cell: %s:", name);
}

/* Until the end of the lowering, the target of a branch is the number of its label. */
static bool find_label(struct lowering *l, struct lower_instr *in, unsigned index) {
  const struct litmus_operand *operand = lower_operand_at(in, index);
  const struct litmus_ref *ref = &operand->u.ref;
  if (operand->kind != LITMUS_NAME || ref->owner != LITMUS_OWNER_NONE || ref->has_index || ref->offset)
    return diag_refuse(l->diags, DIAG_WRONG_OPERAND, operand->span, "'%s' needs a label to jump to", in->row->opcode);
  in->out->target = name_map_get(&l->threads[in->thread].label_names, ref->name);
  if (in->out->target != NO_NAME) return true;
  struct diagnostic *d = diag_report(l->diags, DIAG_UNKNOWN_LABEL, operand->span, "thread P%u has no label '%s'",
                                     l->program->threads[in->thread].number, ref->name);
  hint_label(l, d, in->thread, ref->name);
  return false;
}

/* Predicates */

void lower_use_predicate(struct lowering *l, uint32_t thread, uint32_t reg, struct span span) {
  lower_read_reg(l, thread, reg);
  VEC_PUSH(l->arena, &l->threads[thread].predicates, (struct predicate_use){reg, span});
}

void lower_guard(struct lowering *l, struct lower_instr *in) {
  const struct litmus_word *word = in->ast->guard;
  const char *name = intern(l->names, word->text + (word->text[0] == '%'));
  in->out->guard.present = true;
  in->out->guard.negated = in->ast->guard_negated;
  in->out->guard.reg = lower_reg(l, in->thread, name, word->span);
  lower_use_predicate(l, in->thread, in->out->guard.reg, word->span);
}

void lower_use_number(struct lowering *l, uint32_t thread, uint32_t reg, struct span span) {
  VEC_PUSH(l->arena, &l->threads[thread].numbers, (struct predicate_use){reg, span});
}

/* A predicate is not a number, but a register that the init block declares may be used as either. */
static void check_number(struct lowering *l, uint32_t thread, const struct predicate_use *use) {
  struct reg *reg = &l->threads[thread].regs.data[use->reg];
  struct reg_use *state = &l->threads[thread].states.data[use->reg];
  if (reg->hidden || state->faulty || !state->written || state->number || reg->type.kind != TYPE_PRED) return;
  diag_report(l->diags, DIAG_WRONG_PREDICATE, use->span,
              "'%s' is a predicate, not a number" HINT "selp makes a number of it, such as selp.u32 r0, 1, 0, %s",
              reg->name, reg->name);
  state->faulty = true;
}

static void report_number(struct lowering *l, const struct reg *reg, struct span span) {
  diag_report(l->diags, DIAG_WRONG_PREDICATE, span,
              "'%s' holds a number, not a predicate" HINT "compare it first, such as setp.ne.u32 p0, %s, 0", reg->name,
              reg->name);
}

static void report_unwritten(struct lowering *l, const struct reg *reg, struct span span) {
  diag_report(l->diags, DIAG_WRONG_PREDICATE, span,
              "nothing writes the predicate '%s'" HINT "setp writes one, such as setp.eq.u32 %s, r0, 0", reg->name,
              reg->name);
}

/* A predicate must be written by setp and the like, or set to 0 or 1 by the init block. */
static void check_predicate(struct lowering *l, uint32_t thread, const struct predicate_use *use) {
  struct reg *reg = &l->threads[thread].regs.data[use->reg];
  struct reg_use *state = &l->threads[thread].states.data[use->reg];
  if (reg->hidden || state->faulty) return;
  bool number = state->number || (state->typed && reg->type.kind != TYPE_PRED) || (reg->has_init && reg->init > 1);
  bool unwritten = !state->written && !reg->has_init;
  if (number) report_number(l, reg, use->span);
  if (unwritten) report_unwritten(l, reg, use->span);
  state->faulty = number || unwritten;
  if (state->faulty || state->written) return;
  state->typed = true;
  reg->type = isa_type(PTX_PRED);
}

/* Jumps */

bool lower_jump(struct lowering *l, struct lower_instr *in) {
  in->out->kind = INSTR_BRANCH;
  return lower_operand_count(l, in, 1, 1) && find_label(l, in, 0);
}

/* `beq a, b, L` compares signed numbers into a hidden predicate. */
bool lower_compare_jump(struct lowering *l, struct lower_instr *in) {
  in->out->kind = INSTR_BRANCH;
  if (!lower_operand_count(l, in, 3, 3) || !find_label(l, in, 2)) return false;
  if (in->ast->guard)
    return diag_refuse(l->diags, DIAG_WRONG_PREDICATE, in->ast->guard->span,
                       "'%s' jumps by its own comparison and takes no predicate" HINT
                       "write setp, and bra under a predicate",
                       in->row->opcode);
  struct instr setp = lower_alu(in, ALU_SETP, isa_type(PTX_S32));
  setp.arith.compare = (enum compare)in->row->detail;
  for (unsigned i = 0; i < 2; i++)
    if (lower_operand_width(l, in, i) == 64) setp.type = isa_type(PTX_S64);
  for (unsigned i = 0; i < 2; i++)
    if (!lower_src(l, in, lower_operand_at(in, i), setp.type, &setp.src[i])) return false;
  in->out->guard.present = true;
  in->out->guard.reg = setp.dst[0] = lower_hidden_reg(l, in, isa_type(PTX_PRED));
  lower_emit(l, in, setp);
  return true;
}

bool lower_exit(struct lowering *l, struct lower_instr *in) {
  in->out->kind = INSTR_EXIT;
  return lower_operand_count(l, in, 0, 0);
}

/* Reports a loop that no path leaves: a reachable backward jump from which the end cannot be reached. Where the
 * question is safety alone, it is an answer, and no mistake in the text. */
static void check_loops(struct lowering *l, const struct thread *thread, const struct flow *flow) {
  if (!l->test->condition) return;
  struct bitset entered = bitset_new(l->arena, flow->count + 1), leaving = bitset_new(l->arena, flow->count + 1);
  bitset_add(entered, 0);
  flow_follow(flow, entered);
  bitset_add(leaving, flow->count);
  flow_trace(flow, leaving, FLOW_NONE);
  for (uint32_t i = 0; i < flow->count; i++) {
    const struct instr *instr = &thread->instrs[i];
    if (flow->next[i][1] > i || !bitset_has(entered, i) || bitset_has(leaving, i)) continue;
    struct diagnostic *d = diag_report(l->diags, DIAG_ENDLESS_LOOP, instr->span,
                                       "this loop has no exit: P%u never ends once it is here", thread->number);
    if (instr->target < i) diag_beside(d, thread->instrs[instr->target].span, "the loop begins here");
    diag_hint(l->diags, d, "put a predicate on a jump, such as @p0 bra, or jump out of the loop");
    return;
  }
}

static bool is_cluster(const struct instr *instr, enum barrier_action action) {
  return instr->kind == INSTR_BARRIER && instr->barrier->kind == BARRIER_CLUSTER && instr->barrier->action == action;
}

static void check_waits(struct lowering *l, const struct thread *thread, const struct flow *flow) {
  struct bitset arrived = bitset_new(l->arena, flow->count + 1);
  for (uint32_t i = 0; i < flow->count; i++)
    if (is_cluster(&thread->instrs[i], BARRIER_ARRIVE)) bitset_add(arrived, i);
  flow_follow(flow, arrived);
  for (uint32_t i = 0; i < flow->count; i++)
    if (is_cluster(&thread->instrs[i], BARRIER_WAIT) && !bitset_has(arrived, i))
      diag_report(l->diags, DIAG_CLUSTER_WAIT, thread->instrs[i].span,
                  "this thread waits at the barrier of its cluster, but never arrives before" HINT
                  "put barrier.cluster.arrive before it");
}

static void resolve_labels(const struct lower_thread *of) {
  for (uint32_t i = 0; i < of->code.len; i++)
    if (of->code.data[i].kind == INSTR_BRANCH && of->code.data[i].target != NO_NAME)
      of->code.data[i].target = of->labels.data[of->code.data[i].target].at;
}

static bool same_text(struct span a, struct span b) {
  uint32_t length = a.end - a.begin;
  if (!a.source || !b.source) return a.source == b.source;
  return b.end - b.begin == length && memcmp(a.source->text + a.begin, b.source->text + b.begin, length) == 0;
}

static bool same_code(const struct thread *a, const struct thread *b) {
  bool same = a->instr_count == b->instr_count;
  for (uint32_t i = 0; i < a->instr_count && same; i++)
    same = same_text(a->instrs[i].span, b->instrs[i].span) && a->instrs[i].target == b->instrs[i].target;
  return same;
}

static void find_body(struct thread *threads, uint32_t thread) {
  threads[thread].body = 0;
  while (!same_code(&threads[threads[thread].body], &threads[thread])) threads[thread].body++;
}

static bool leads_to_trap(const struct thread *thread, uint32_t at) {
  for (uint32_t steps = 0; at < thread->instr_count && steps < thread->instr_count; steps++) {
    const struct instr *in = &thread->instrs[at];
    bool jumps = in->kind == INSTR_BRANCH;
    if (in->kind == INSTR_TRAP || (jumps && in->guard.present)) return in->kind == INSTR_TRAP && !in->guard.present;
    if (!jumps && in->kind != INSTR_ALU && in->kind != INSTR_NOTHING) return false;
    at = jumps ? in->target : at + 1;
  }
  return false;
}

static void find_traps(struct thread *thread) {
  for (uint32_t i = 0; i < thread->instr_count; i++) {
    struct instr *in = &thread->instrs[i];
    if (!in->guard.present || (in->kind != INSTR_TRAP && in->kind != INSTR_BRANCH)) continue;
    bool taken = in->kind == INSTR_TRAP || leads_to_trap(thread, in->target);
    bool passed = in->kind == INSTR_BRANCH && leads_to_trap(thread, i + 1);
    in->trap = taken == passed ? TRAP_NOWHERE : taken ? TRAP_TAKEN : TRAP_PASSED;
  }
}

void lower_control(struct lowering *l) {
  bool right = l->diags->errors == l->errors_before;
  for (uint32_t t = 0; t < l->program->thread_count; t++) {
    struct lower_thread *of = &l->threads[t];
    struct thread *thread = &l->program->threads[t];
    for (uint32_t i = 0; i < of->predicates.len; i++) check_predicate(l, t, &of->predicates.data[i]);
    for (uint32_t i = 0; i < of->numbers.len; i++) check_number(l, t, &of->numbers.data[i]);
    resolve_labels(of);
    thread->instrs = of->code.data;
    thread->instr_count = of->code.len;
    find_traps(thread);
    find_body(l->program->threads, t);
    if (!right) continue; /* a faulty instruction may be the missing jump or arrival */
    const struct flow flow = thread_flow(l->arena, thread);
    check_loops(l, thread, &flow);
    check_waits(l, thread, &flow);
  }
}
