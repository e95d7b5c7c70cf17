/* Changes of a kernel's body, made before any thread runs it: at an instruction of the module, or where control enters
 * a line of the source.
 *
 * A line of the source is entered by an instruction of it that accesses memory, waits or branches, if the last such
 * instruction before it is of another line. Compilers copy and unroll lines, so a line may be entered at many places of
 * a module; a thread that executes the line passes one of them, and the copies count as one instruction, as the
 * statement is one. Copies of a line `if (...) ...` may also follow one another. Instructions that only compute do not
 * count: compilers move them about. */
#include "kernel/run.h"

/* ---- Lines of the source */

struct source_frame {
  const char *file;
  uint32_t line;
};

/* The place of the source at this depth: 0: where the instruction was written, 1: where that was inlined, and so on.
 * False: the depth is beyond the kernel. */
static bool frame_at(const struct module *module, struct span span, uint32_t depth, struct source_frame *out) {
  const struct module_place *place = module_place_of(module, span.begin);
  for (; place && depth; depth--) place = module_outer_place(module, place);
  if (!place || span.source != module->source) return false;
  *out = (struct source_frame){module_file_named(module, place->file), place->line};
  return out->file && out->line;
}

static bool same_frame(const struct source_frame *a, const struct kernel_line *b) {
  return a->line == b->line && strcmp(a->file, b->file) == 0;
}

static bool is_at(const struct module *module, const struct kernel_line *line, struct span span) {
  struct source_frame frame;
  return SOME(for (uint32_t depth = 0; frame_at(module, span, depth, &frame); depth++), same_frame(&frame, line));
}

static bool counts(const struct body *b, uint32_t i) {
  const struct instr *in = &b->thread->instrs[i];
  bool jump = in->kind == INSTR_BRANCH && !in->guard.present;
  return in->kind != INSTR_ALU && in->kind != INSTR_EXIT && !jump && !body_is_param(b, in);
}

static void note_line(struct arena *arena, struct kernel_lines *out, const struct source_frame *frame,
                      const char *kernel) {
  VEC_EACH (line, out)
    if (same_frame(frame, line)) return;
  const struct kernel_line line = {frame->file, frame->line, strcmp(frame->file, kernel) == 0};
  VEC_PUSH(arena, out, line);
}

/* The file of the kernel into which the instruction was inlined. */
static const char *file_of_kernel(const struct module *module, struct span span) {
  struct source_frame frame = {0};
  for (uint32_t depth = 0; frame_at(module, span, depth, &frame); depth++) continue;
  return frame.file;
}

void kernel_note_lines(struct expansion *x, const struct module *module, const struct body *b) {
  struct source_frame frame;
  for (uint32_t i = 0; i < b->thread->instr_count; i++) {
    struct span span = b->thread->instrs[i].span;
    for (uint32_t depth = 0; counts(b, i) && frame_at(module, span, depth, &frame); depth++)
      note_line(x->parse.arena, x->options->lines, &frame, file_of_kernel(module, span));
  }
}

/* ---- The entries of a line */

/* The places of the instructions that counted last on the paths to a point: sets of these. */
enum { LAST_ELSEWHERE = 1, LAST_IN_LINE = 2 };

struct entering {
  const struct body *b;
  struct flow flow;
  bool *at;      /* by instruction: it is at the line */
  bool *written; /* it is written there */
  uint8_t *last; /* by instruction: before it */
  struct code_marks *out;
};

static uint8_t behind(const struct entering *e, uint32_t i) {
  return counts(e->b, i) ? e->at[i] ? LAST_IN_LINE : LAST_ELSEWHERE : e->last[i];
}

static void find_last(struct entering *e) {
  e->last[0] = LAST_ELSEWHERE;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < e->flow.count; i++)
      for (int k = 0; k < 2; k++) {
        uint32_t to = e->flow.next[i][k];
        if (to == FLOW_NONE || (e->last[to] | behind(e, i)) == e->last[to]) continue;
        e->last[to] |= behind(e, i);
        changed = true;
      }
  }
}

static void mark(struct arena *arena, struct entering *e, uint32_t i, bool ahead, bool turn) {
  const struct litmus_instr *ast = e->b->thread->instrs[i].ast;
  VEC_EACH (known, e->out)
    if (known->at == ast && known->ahead == ahead) return;
  VEC_PUSH(arena, e->out, ((struct code_mark){ast, ahead, turn}));
}

/* Marks the edges from outside to a point that is reached from inside too. False: no instruction fits on one. */
static bool mark_edges(struct arena *arena, struct entering *e, uint32_t to, bool *seen) {
  if (seen[to]) return true;
  seen[to] = true;
  for (uint32_t i = 0; i < e->flow.count; i++)
    for (int k = 0; k < 2; k++) {
      if (e->flow.next[i][k] != to || behind(e, i) == LAST_IN_LINE) continue;
      bool branch = e->b->thread->instrs[i].kind == INSTR_BRANCH, fork = flow_is_fork(&e->flow, i);
      if (behind(e, i) == (LAST_ELSEWHERE | LAST_IN_LINE)) {
        if (!mark_edges(arena, e, i, seen)) return false;
      } else if (branch && fork && k) {
        return false;
      } else {
        mark(arena, e, i, branch && !fork, false);
      }
    }
  return true;
}

/* True if the line is the head of a loop over other lines: it is entered again after them, where no statement before it
 * in the source would be. */
static bool heads_loop(struct arena *arena, const struct entering *e) {
  const struct cycle_list loops = flow_cycles(arena, &e->flow);
  VEC_EACH (loop, &loops) {
    bool leaves = false, others = false;
    EACH (i, loop->has) {
      const uint32_t *next = e->flow.next[i];
      bool fork = flow_is_fork(&e->flow, i) && !(bitset_has(loop->has, next[0]) && bitset_has(loop->has, next[1]));
      leaves = leaves || (e->at[i] && fork);
      others = others || (!e->at[i] && counts(e->b, i));
    }
    if (leaves && others) return true;
  }
  return false;
}

/* True for a condition that is written on the line itself, not in a function that it calls. */
static bool is_condition(const struct entering *e, uint32_t i) {
  return e->written[i] && counts(e->b, i) && e->b->thread->instrs[i].kind == INSTR_BRANCH;
}

/* The nodes that lead to one; `from`: one of them. */
static uint32_t count_before(const struct flow *flow, uint32_t node, uint32_t *from) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < flow->count; i++)
    for (int k = 0; k < 2; k++)
      if (flow->next[i][k] == node) *from = i, count++;
  return count;
}

/* True if a copy of the line begins with this condition: it is where the ways around the last copy join. */
static bool begins_copy(const struct entering *e, uint32_t i) {
  uint32_t from = i, count = 0;
  if (!is_condition(e, i) || e->last[i] != LAST_IN_LINE) return false;
  for (uint32_t at = i; (count = count_before(&e->flow, at, &from)) == 1 && !counts(e->b, from);) at = from;
  return count > 1;
}

bool kernel_find_entries(struct arena *arena, const struct module *module, const struct body *b,
                         const struct kernel_line *line, struct code_marks *out) {
  uint32_t count = b->thread->instr_count;
  struct entering e = {.b = b,
                       .flow = thread_flow(arena, b->thread),
                       .at = ARENA_ARRAY(arena, bool, count + 1),
                       .written = ARENA_ARRAY(arena, bool, count + 1),
                       .last = ARENA_ARRAY(arena, uint8_t, count + 1),
                       .out = out};
  bool *seen = ARENA_ARRAY(arena, bool, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    struct source_frame frame;
    e.at[i] = is_at(module, line, b->thread->instrs[i].span);
    e.written[i] = frame_at(module, b->thread->instrs[i].span, 0, &frame) && same_frame(&frame, line);
  }
  if (heads_loop(arena, &e)) return false;
  find_last(&e);
  bool conditions = true; /* all entries are */
  for (uint32_t i = 0; i < count; i++)
    conditions = conditions && (!e.at[i] || e.last[i] == LAST_IN_LINE || !counts(b, i) || is_condition(&e, i));
  for (uint32_t i = 0; i < count; i++) {
    if (!e.at[i] || !counts(b, i)) continue;
    if (e.last[i] == LAST_ELSEWHERE) mark(arena, &e, i, true, false);
    else if (conditions && begins_copy(&e, i)) mark(arena, &e, i, true, true);
    else if (e.last[i] == (LAST_ELSEWHERE | LAST_IN_LINE) && !mark_edges(arena, &e, i, seen)) return false;
  }
  return true;
}

static bool is_on(const struct litmus_instr *instr, struct span span) {
  return instr && instr->span.source == span.source && instr->span.begin == span.begin;
}

/* ---- The condition around an instruction */

/* True if all lanes of a warp may execute it because one does: it computes, reads or orders, or is for all of them. */
static bool is_harmless(const struct instr *in) {
  bool orders = in->kind == INSTR_FENCE || in->kind == INSTR_PROXY_FENCE || in->kind == INSTR_GROUP;
  bool computes = in->kind == INSTR_ALU || in->kind == INSTR_LOAD || in->kind == INSTR_NOTHING;
  return orders || computes || in->kind == INSTR_BARRIER || in->aligned;
}

/* Marks the jump over an instruction, and with `turn` the one behind which it goes instead: the last behind which more
 * than these follow, which only threads with the condition may execute. */
static void mark_guard(struct arena *arena, const struct body *b, uint32_t jump, uint32_t at, struct code_marks *out) {
  const struct instr *instrs = b->thread->instrs;
  uint32_t end = jump + 1, last = at;
  while (end < instrs[jump].target &&
         (end == at || is_on(instrs[end].ast, instrs[at].span) || is_harmless(&instrs[end]))) {
    if (instrs[end].kind == INSTR_BARRIER || instrs[end].aligned) last = end;
    end++;
  }
  if (end <= at) return;
  VEC_PUSH(arena, out, ((struct code_mark){instrs[jump].ast, false, false}));
  if (end < instrs[jump].target) VEC_PUSH(arena, out, ((struct code_mark){instrs[last].ast, false, true}));
}

void kernel_find_guard(struct arena *arena, const struct body *b, struct span at, struct code_marks *out) {
  const struct instr *instrs = b->thread->instrs;
  uint32_t i = FIND_BELOW(n, b->thread->instr_count, is_on(instrs[n].ast, at));
  for (uint32_t j = i; i < b->thread->instr_count && j-- > 0;) {
    if (instrs[j].kind != INSTR_BRANCH && is_harmless(&instrs[j])) continue;
    if (instrs[j].kind != INSTR_BRANCH || !instrs[j].guard.present || instrs[j].target <= i) return;
    mark_guard(arena, b, j, i, out);
    return;
  }
}

/* ---- Changes of the list of instructions */

/* The cells with more cells before or after those that `here` marks. */
struct splice {
  struct arena *arena;
  struct code out;
};

static void put_more(struct splice *s, const struct kernel_edit *edit, struct litmus_cell like,
                     struct litmus_word *labels) {
  for (uint32_t k = 0; k < edit->count; k++) {
    struct litmus_cell cell = {.labels = k ? NULL : labels, .instr = edit->instrs[k], .span = like.span};
    VEC_PUSH(s->arena, &s->out, cell);
  }
}

static bool has_mark(const struct code_marks *marks, const struct litmus_instr *instr, bool ahead) {
  return SOME(VEC_EACH (mark, marks), instr && mark->at == instr && mark->ahead == ahead);
}

/* The contact of a cell with an edit. */
struct contact {
  bool ahead, after, on;
};

static struct contact meet(const struct kernel_edit *edit, const struct code_marks *marks, const struct code *code,
                           uint32_t i) {
  const struct litmus_cell *cell = &code->data[i];
  struct span place = edit->kind == KERNEL_MOVE ? edit->to : edit->at;
  bool here = is_on(cell->instr, place), first = here && !(i && is_on(cell[-1].instr, place));
  bool last = here && !(i + 1 < code->len && is_on(cell[1].instr, place));
  switch (edit->kind) {
    case KERNEL_CHANGE: return (struct contact){.on = here};
    case KERNEL_BEFORE: return (struct contact){.ahead = first};
    case KERNEL_AFTER: return (struct contact){.after = last};
    case KERNEL_MOVE: return (struct contact){.after = last, .on = is_on(cell->instr, edit->at)};
    case KERNEL_AT_LINE:
      return (struct contact){has_mark(marks, cell->instr, true), has_mark(marks, cell->instr, false), false};
    case KERNEL_UNGUARD:
      return (struct contact){.on = marks->len && cell->instr == marks->data[0].at,
                              .after = marks->len > 1 && cell->instr == marks->data[1].at};
  }
  BUG("no kind %d of edits", (int)edit->kind);
}

/* The edit, for a move with the instructions that it moves. */
static struct kernel_edit whole(struct arena *arena, const struct kernel_edit *edit, const struct code_marks *marks,
                                const struct code *code) {
  struct kernel_edit out = *edit;
  const struct litmus_instr *jump = edit->kind == KERNEL_UNGUARD && marks->len ? marks->data[0].at : NULL;
  VEC(struct litmus_instr *) moved = {0};
  VEC_EACH (cell, code)
    if (jump ? cell->instr == jump : edit->kind == KERNEL_MOVE && is_on(cell->instr, edit->at))
      VEC_PUSH(arena, &moved, cell->instr);
  if (jump || edit->kind == KERNEL_MOVE) out.instrs = moved.data, out.count = moved.len;
  return out;
}

static void edit_one(struct arena *arena, const struct kernel_edit *given, const struct code_marks *marks,
                     struct code *code) {
  struct splice s = {.arena = arena};
  const struct kernel_edit edit = whole(arena, given, marks, code);
  for (uint32_t i = 0; i < code->len; i++) {
    struct litmus_cell cell = code->data[i];
    const struct contact at = meet(&edit, marks, code, i);
    if (at.ahead) put_more(&s, &edit, cell, cell.labels), cell.labels = NULL;
    if (at.on) cell.instr = edit.kind == KERNEL_CHANGE ? edit.change(arena, edit.changer, cell.instr) : NULL;
    if (cell.instr || cell.labels) VEC_PUSH(arena, &s.out, cell);
    if (at.after) put_more(&s, &edit, cell, NULL);
    *given->made = *given->made || at.ahead || at.after || at.on;
  }
  *code = s.out;
}

void kernel_edit_code(struct expansion *x, const struct code_marks *marks, struct code *code) {
  for (uint32_t k = 0; k < x->options->edit_count; k++)
    edit_one(x->parse.arena, &x->options->edits[k], &marks[k], code);
}
