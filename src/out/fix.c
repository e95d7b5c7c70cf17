#include "out/build_json.h"
#include "out/explain.h"

/* ---- Text ---- */

static unsigned line_of(const struct program *program, uint32_t thread, uint32_t instr) {
  const struct thread *t = &program->threads[thread];
  struct span span = instr < t->instr_count ? t->instrs[instr].span : t->span;
  return span.source ? source_position(span.source, span.begin).line : 0;
}

/* True if the line has another instruction of the thread, as in .test files, with a thread on one line. */
static bool is_ambiguous(const struct program *program, uint32_t thread, uint32_t instr) {
  const struct thread *t = &program->threads[thread];
  return SOME_BELOW(i, t->instr_count,
                    t->instrs[i].span.begin != t->instrs[instr].span.begin &&
                        line_of(program, thread, i) == line_of(program, thread, instr));
}

/* "after line 12"; "before line 10" for the start of a thread, "below line 8" if the thread is empty. */
static void add_gap(const struct program *program, uint32_t thread, uint32_t instr, struct text *out) {
  const struct thread *t = &program->threads[thread];
  bool start = instr == FIX_AT_START, empty = !t->instr_count || t->instrs[0].span.begin == t->span.begin;
  text_printf(out, "%s line %u",
              !start  ? "after"
              : empty ? "below"
                      : "before",
              line_of(program, thread, start ? 0 : instr));
  if (start || !is_ambiguous(program, thread, instr)) return;
  text_add(out, ", '");
  out_instr(program, thread, instr, out);
  text_char(out, '\'');
}

/* For a kernel: the line of the module, the same for all threads. */
static void add_module_line(const struct program *program, const struct fix_change *c, struct text *out) {
  span_tell_near(program->threads[c->thread].instrs[c->instr].span, out);
  if (c->kind == FIX_MOVE) {
    text_printf(out, "  move %s to after ", c->before);
    span_tell_near(program->threads[c->thread].instrs[c->target].span, out);
    text_add(out, ", '");
    out_instr(program, c->thread, c->target, out);
    text_add(out, "'\n");
    return;
  }
  if (c->kind == FIX_ADD) {
    text_printf(out, ", %s '", c->ahead ? "before" : "after");
    out_instr(program, c->thread, c->instr, out);
    text_printf(out, "'  add %s\n", c->after);
    return;
  }
  text_printf(out, "  %s", c->before);
  if (c->kind != FIX_KEEP) text_printf(out, "  ->  %s", c->after ? c->after : "nothing");
  if (c->remark) text_printf(out, "  (%s)", c->remark);
  text_char(out, '\n');
}

static unsigned place_line(const struct kernel_place *place) {
  return source_position(place->at.source, place->at.begin).line;
}

static bool comes_first(const struct kernel_place *a, const struct kernel_place *b) {
  return place_line(a) < place_line(b);
}

/* "before line 54, 58", the first few. */
static void add_places(const struct kernel_places *places, struct text *out) {
  enum { FEW = 16 };
  struct kernel_places sorted = {0};
  VEC_EACH (place, places) VEC_PUSH(out->arena, &sorted, *place);
  VEC_SORT(&sorted, comes_first);
  for (uint32_t i = 0; i < sorted.len && i < FEW; i++) {
    const struct kernel_place *place = &sorted.data[i];
    bool again = i && place[-1].ahead == place->ahead;
    text_printf(out, "%s%s%u", i ? ", " : " ",
                again          ? ""
                : place->ahead ? "before line "
                               : "after line ",
                place_line(place));
  }
  if (sorted.len > FEW) text_printf(out, " and %u more", sorted.len - FEW);
}

/* A condition that is to go, or to begin later. */
static void add_guard(const struct fix_change *c, struct text *out) {
  const struct kernel_place *places = c->places->data;
  text_printf(out, "%s, also those that the condition before it keeps from it", c->source);
  if (c->places->len > 1)
    text_printf(out, ": the condition begins behind it  (PTX: the jump on line %u goes behind line %u",
                place_line(&places[0]), place_line(&places[1]));
  else text_printf(out, "  (PTX: without the jump on line %u", place_line(&places[0]));
  text_add(out, ")\n");
}

/* A statement of the source, and the same in the compiled module. */
static void add_statement(const struct fix_change *c, struct text *out) {
  if (c->kind == FIX_DROP) {
    add_guard(c, out);
    return;
  }
  text_printf(out, "add %s  (PTX: %s", c->source, c->after);
  add_places(c->places, out);
  text_add(out, ")\n");
}

static void add_line(const struct program *program, const struct fix_change *c, struct text *out) {
  if (c->source) {
    add_statement(c, out);
    return;
  }
  if (c->thread != NO_THREAD && program->threads[c->thread].of_kernel && c->instr != FIX_AT_START) {
    add_module_line(program, c, out);
    return;
  }
  if (c->kind == FIX_DECLARE) {
    text_printf(out, "line %u  %s  ->  %s\n", source_position(c->span.source, c->span.begin).line, c->before, c->after);
    return;
  }
  if (c->kind == FIX_ADD) {
    text_printf(out, "P%u ", program->threads[c->thread].number);
    add_gap(program, c->thread, c->instr, out);
    text_printf(out, "  add %s\n", c->after);
    return;
  }
  out_place(program, c->thread, c->instr, out);
  if (c->kind == FIX_MOVE) {
    text_printf(out, "  move %s to ", c->before);
    add_gap(program, c->thread, c->target, out);
  } else if (c->kind == FIX_DROP) {
    text_printf(out, "  drop %s", c->before);
  } else {
    text_printf(out, "  %s%s%s", c->before, c->after ? "  ->  " : "", c->after ? c->after : "");
  }
  if (c->remark) text_printf(out, "  (%s)", c->remark);
  text_char(out, '\n');
}

static const char *done_by_one(enum fix_goal goal) {
  static const char *const words[] = {"forbids it",         "makes it defined", "removes every race",
                                      "makes it terminate", "makes it safe",    "makes it sequential"};
  return words[goal];
}

static void add_title(const struct fixes *x, struct text *out) {
  const char *does = done_by_one(x->goal);
  const struct fix_way *first = &x->ways.data[0], *last = &x->ways.data[x->ways.len - 1];
  bool statements = first->changes.len && first->changes.data[0].source;
  bool sizes = first->size != last->size, alike = first->alike && !last->alike, bad = first->bad != last->bad;
  if (x->only_minimal) text_printf(out, "This %s, and each change is needed:\n", does);
  else if (x->ways.len == 1) text_printf(out, "This %s:\n", does);
  else if (statements) text_printf(out, "Each of these %s, those nearest to the finding first:\n", does);
  else if (bad) text_printf(out, "Each of these %s, first those that also forbid %s:\n", does, x->claim);
  else if (alike) text_printf(out, "Each of these %s, first those that change all columns with the same code:\n", does);
  else
    text_printf(out, "Each of these %s%s:\n", does,
                sizes ? "; those with the fewest changes come first, and among equally many the weakest"
                      : ", the weakest first");
}

static void add_way(const struct fixes *x, const struct fix_way *way, uint32_t number, struct text *out) {
  for (uint32_t k = 0; k < way->changes.len; k++) {
    if (k) text_add(out, "      ");
    else text_printf(out, "  %2u. ", number);
    add_line(x->result->program, &way->changes.data[k], out);
  }
  if (x->goal == FIX_RACES && way->bad) text_printf(out, "      then %s is still allowed\n", x->claim);
  else if (x->goal != FIX_FORBID && !fix_keeps_safe(x->goal))
    text_printf(out, "      then %s is %s\n", x->claim, verdict_name(way->verdict));
}

/* True if two fixes add the same instructions to the same threads, and differ only in the places. */
static bool differ_in_places(const struct fix_way *a, const struct fix_way *b) {
  if (a->changes.len != b->changes.len || a->bad != b->bad || a->verdict != b->verdict) return false;
  for (uint32_t i = 0; i < a->changes.len; i++) {
    const struct fix_change *c = &a->changes.data[i], *d = &b->changes.data[i];
    bool same = c->kind == d->kind && c->thread == d->thread && (c->kind == FIX_ADD || c->instr == d->instr);
    if (!same || c->kind == FIX_MOVE || !c->after || !d->after || strcmp(c->after, d->after) != 0) return false;
  }
  return true;
}

/* Adds up to `most` fixes, and counts fixes that differ from an earlier one only in places; most == 0: adds all. */
static void add_ways(const struct fixes *x, uint32_t most, struct text *out) {
  uint32_t shown = 0, elsewhere = 0;
  add_title(x, out);
  for (uint32_t i = 0; i < x->ways.len; i++) {
    bool again = false;
    for (uint32_t k = 0; most && k < i && !again; k++) again = differ_in_places(&x->ways.data[k], &x->ways.data[i]);
    elsewhere += again;
    if (!again && (!most || shown < most)) add_way(x, &x->ways.data[i], ++shown, out);
  }
  uint32_t left = x->ways.len - shown - elsewhere;
  if (left) text_printf(out, "and %u more (--ways 0 shows all)\n", left + elsewhere);
  else if (elsewhere)
    text_printf(out, "and %u more with the same new instructions at other lines (--ways 0 shows all)\n", elsewhere);
}

static void add_list(const struct fixes *x, const struct fix_change *list, uint32_t count, const char *title,
                     struct text *out) {
  if (count && title) text_printf(out, "%s\n", title);
  for (uint32_t i = 0; i < count; i++) {
    text_add(out, "  ");
    add_line(x->result->program, &list[i], out);
  }
}

/* Of a launch: for each barrier and fence, if it is needed. */
static void add_needed(const struct fixes *x, struct text *out) {
  add_list(x, x->needed.data, x->needed.len, "Needed, with the finding that its removal makes:", out);
  add_list(x, x->alone.data, x->alone.len, "Not needed, each alone:", out);
  if (x->alone.len > 1)
    add_list(x, x->together.changes.data, x->together.changes.len, "Not needed, all together:", out);
  add_list(x, x->untried.data, x->untried.len, "Not known:", out);
  if (!x->needed.len && !x->alone.len && !x->untried.len) text_add(out, "It has no barriers or fences.\n");
}

static void add_weaker(const struct fixes *x, struct text *out) {
  if (x->launch && x->goal == FIX_SAFE) {
    add_needed(x, out);
    return;
  }
  if (!x->alone.len) text_add(out, x->limit ? "Found nothing that can be weaker.\n" : "Nothing can be weaker.\n");
  add_list(x, x->alone.data, x->alone.len, "Each of these alone can be weaker:", out);
  if (x->alone.len > 1) add_list(x, x->together.changes.data, x->together.changes.len, "All of these at once:", out);
  add_list(x, x->needed.data, x->needed.len, "Cannot be weaker:", out);
  add_list(x, x->untried.data, x->untried.len, "Not tried:", out);
}

static void add_none(const struct fixes *x, struct text *out) {
  bool kernel = x->result->program->threads[0].of_kernel;
  if (x->launch) {
    text_printf(out, "No change that fix tries %s.\n", done_by_one(x->goal));
    return;
  }
  text_printf(out, "No change that fix tries %s", done_by_one(x->goal));
  if (x->interleaving) text_add(out, ": an interleaving of the threads reaches the state.\n");
  else text_add(out, ", not even all stronger words and fences together with one of the others.\n");
  text_printf(out, "It tries other strengths, scopes, waits and counts, fences, moves and new barriers%s.\n",
              kernel ? " beside the instructions that the check needs; not other places in the module" : "");
}

static void add_reason(const char *what, const struct result *result, struct text *out) {
  text_printf(out, "%s: ", what);
  out_reason(result, out);
  text_char(out, '\n');
}

static void add_not_needed(const struct fixes *x, struct text *out) {
  if (x->weaken && x->goal == FIX_SAFE)
    text_add(out, "It is not safe, so --weaken has nothing to do: ptxlit fix without it looks for repairs.\n");
  else if (x->weaken)
    text_add(out, "The state is allowed, so --weaken has nothing to do: ptxlit fix without it finds changes that "
                  "forbid the state.\n");
  else
    text_printf(out, "There is nothing to fix: ptxlit fix --weaken%s finds instructions that could be weaker.\n",
                x->goal == FIX_RACES ? " --races" : "");
}

static void add_claim(const struct fixes *x, struct text *out) {
  const struct result *result = x->result;
  text_printf(out, "Test %s: ", result->program->name);
  if (x->goal == FIX_RACES && x->outcome != FIX_UNDECIDED && x->outcome != FIX_NO_RACES) {
    if (x->races) text_printf(out, "%u %s", x->races, x->races == 1 ? "pair races" : "pairs race");
    else text_add(out, "there is no race");
  } else if (fix_keeps_safe(x->goal)) {
    text_add(out, verdict_name(result->verdict));
    if (x->goal == FIX_TURNS) text_add(out, ", but not sequential,");
  } else {
    text_printf(out, "%s is %s", x->claim, verdict_name(result->verdict));
  }
  text_printf(out, " under %s", result->model->name);
  if (x->filter) text_printf(out, ", where %s", x->filter);
  text_add(out, "\n\n");
  if (x->goal == FIX_DEFINE) add_reason("Undefined", result, out);
  if (x->goal == FIX_END) text_add(out, "Threads wait for ever.\n");
}

/* For forall, the search, unlike the verdict, concerns the negation of the predicate. */
static void add_head(const struct fixes *x, struct text *out) {
  const struct result *result = x->result;
  bool forall = result->program->quantifier == LITMUS_FORALL;
  bool decided = result->verdict == VERDICT_ALLOWED || result->verdict == VERDICT_FORBIDDEN;
  if (!forall || !decided || x->goal != FIX_FORBID) {
    add_claim(x, out);
    return;
  }
  text_printf(out, "Test %s: %s is %s under %s", result->program->name, x->claim,
              result->negative ? "allowed" : "forbidden", result->model->name);
  text_printf(out, "%s%s\n\n", x->filter ? ", where " : "", x->filter ? x->filter : "");
}

/* The number of versions of a launch that were checked, and their kinds if no repair was found. */
static void add_tried(const struct fixes *x, struct text *out) {
  if (x->outcome != FIX_FOUND && x->outcome != FIX_NONE && x->outcome != FIX_NOT_FOUND) return;
  text_printf(out, "%llu changed version%s of the module %s checked", (unsigned long long)x->tried,
              x->tried == 1 ? "" : "s", x->tried == 1 ? "was" : "were");
  if (x->outcome == FIX_FOUND) {
    bool host = false; /* its changes are checked on columns */
    ARRAY_EACH (t, x->result->program->threads, x->result->program->thread_count) host |= t->host != HOST_NONE;
    text_add(out, host ? ".\n"
                  : x->smaller_run
                      ? ", on fewer blocks and threads first, and each\nrepair was proved on the whole launch.\n"
                      : ", and each repair was proved on the whole launch.\n");
    return;
  }
  text_printf(out,
              ": wider scopes, other counts and\nmasks, barriers removed, moved and without .aligned; %sother "
              "strengths, waits,\nbarriers, fences and moves at each instruction that the check needs.\n",
              x->lines ? "barriers, fences and\nwaits before each line of the source; " : "");
}

/* A change that ends the first finding, where another one is left that no change ends. */
static void add_step(const struct fixes *x, struct text *out) {
  text_add(out, "The first finding ends with this, from which the search went on:\n");
  add_list(x, x->step.changes.data, x->step.changes.len, NULL, out);
  text_printf(out, "What is left then: %s.\n", x->remains);
}

void out_fixes(const struct fixes *x, uint32_t most, struct text *out) {
  add_head(x, out);
  switch (x->outcome) {
    case FIX_UNDECIDED: add_reason("No verdict to start from", x->result, out); break;
    case FIX_NOT_NEEDED: add_not_needed(x, out); break;
    case FIX_VACUOUS:
      text_add(out, "No execution ends that way, even without the axioms: no change of strength can help.\n");
      break;
    case FIX_NO_RACES: text_printf(out, "The model %s does not define races.\n", x->result->model->name); break;
    case FIX_FOUND:
      if (x->weaken) add_weaker(x, out);
      else add_ways(x, most, out);
      break;
    case FIX_NONE:
      if (x->weaken) add_weaker(x, out);
      else add_none(x, out);
      break;
    case FIX_NOT_FOUND:
      if (x->weaken) add_weaker(x, out);
      else text_printf(out, "No set of changes was found that %s.\n", done_by_one(x->goal));
      break;
  }
  if (x->result->program->uses_multimem)
    text_add(out, "This assumes that multimem replicas are independent and unordered among themselves (8.2.3).\n");
  if (x->launch && !x->weaken) add_tried(x, out);
  if (x->remains && !x->ways.len) add_step(x, out);
  if (x->advice)
    text_printf(out, "%s: %s.\n", x->ways.len ? "If that is not enough" : "It may need other code", x->advice);
  if (x->limit) text_printf(out, "Not every %sset was tried: %s.\n", x->smaller ? "smaller " : "", x->limit);
  text_char(out, '\n');
}

static const char *why_none(const struct fixes *x) {
  if (x->outcome == FIX_NONE) return "no change that fix knows makes the test safe";
  if (x->outcome == FIX_UNDECIDED) return "the verdict of fix is unknown";
  return x->limit ? x->limit : "no single change makes the test safe";
}

void out_cure(const struct fixes *x, struct text *out) {
  text_printf(out, "Cure %s ", x->result->program->name);
  if (!x->ways.len) {
    text_printf(out, "not found: %s; ptxlit fix tells more\n", why_none(x));
    return;
  }
  text_add(out, "(proved by fix): ");
  for (uint32_t k = 0; k < x->ways.data[0].changes.len; k++) {
    if (k) text_add(out, "  and: ");
    add_line(x->result->program, &x->ways.data[0].changes.data[k], out);
  }
}

/* ---- JSON ---- */

static void put_declared(struct json list, const struct fix_change *c) {
  struct json object = put_object(list, NULL);
  struct position at = source_position(c->span.source, c->span.begin);
  PUT(object, J_TEXT("kind", "declare"), J_TEXT("thread", NULL), J_NUMBER("line", at.line),
      J_NUMBER("column", at.column), J_TEXT("text", c->before), J_TEXT("after", c->after), J_TEXT("remark", NULL));
}

static void put_statement(struct json list, const struct fix_change *c) {
  struct json object = put_object(list, NULL);
  const struct kernel_place *first = &c->places->data[0];
  struct position at = source_position(first->at.source, first->at.begin);
  bool moves = c->kind == FIX_DROP && c->places->len > 1;
  const char *kind = moves ? "move-after" : c->kind == FIX_DROP ? "drop" : first->ahead ? "add-before" : "add-after";
  PUT(object, J_TEXT("kind", kind), J_TEXT("thread", NULL), J_NUMBER("line", at.line), J_NUMBER("column", at.column),
      J_TEXT("text", NULL), J_TEXT("after", c->after), J_TEXT("source", c->source), J_TEXT("remark", NULL));
  if (moves) put_number(object, "to", place_line(&c->places->data[1]));
}

static void put_change(struct json list, const struct program *program, const struct fix_change *c) {
  static const char *const kinds[] = {[FIX_REPLACE] = "replace",
                                      [FIX_KEEP] = "keep",
                                      [FIX_ADD] = "add-after",
                                      [FIX_MOVE] = "move-after",
                                      [FIX_DROP] = "drop"};
  if (c->kind == FIX_DECLARE) {
    put_declared(list, c);
    return;
  }
  if (c->source) {
    put_statement(list, c);
    return;
  }
  bool start = c->ahead || (c->kind == FIX_ADD ? c->instr : c->kind == FIX_MOVE ? c->target : 0) == FIX_AT_START;
  bool empty = !program->threads[c->thread].instr_count;
  struct json object = put_object(list, NULL);
  put_text(object, "kind", !start ? kinds[c->kind] : c->kind == FIX_ADD ? "add-before" : "move-before");
  if (start && empty) put_number(object, "thread", program->threads[c->thread].number);
  else put_place(object, program, c->thread, c->instr == FIX_AT_START ? 0 : c->instr);
  if (c->kind == FIX_MOVE) put_number(object, "to", line_of(program, c->thread, start ? 0 : c->target));
  PUT(object, J_TEXT("after", c->after), J_TEXT("remark", c->remark));
}

static void put_changes(struct json to, const char *key, const struct program *program, const struct fix_change *list,
                        uint32_t count) {
  struct json array = put_array(to, key);
  for (uint32_t i = 0; i < count; i++) put_change(array, program, &list[i]);
}

static void put_ways(struct json object, const struct fixes *x, uint32_t most) {
  uint32_t shown = most && most < x->ways.len ? most : x->ways.len;
  struct json ways = put_array(object, "ways");
  for (uint32_t i = 0; i < shown; i++)
    put_changes(ways, NULL, x->result->program, x->ways.data[i].changes.data, x->ways.data[i].changes.len);
  struct json verdicts = put_array(object, "verdicts");
  for (uint32_t i = 0; i < shown; i++) put_text(verdicts, NULL, verdict_name(x->ways.data[i].verdict));
  put_number(object, "found", x->ways.len);
}

void out_fixes_json(const struct fixes *x, uint32_t most, struct text *out) {
  static const char *const outcomes[] = {
      [FIX_FOUND] = "found", [FIX_NOT_NEEDED] = "not-needed", [FIX_VACUOUS] = "vacuous",    [FIX_NO_RACES] = "no-races",
      [FIX_NONE] = "none",   [FIX_NOT_FOUND] = "not-found",   [FIX_UNDECIDED] = "undecided"};
  static const char *const goals[] = {[FIX_FORBID] = "forbid", [FIX_DEFINE] = "define", [FIX_RACES] = "races",
                                      [FIX_END] = "end",       [FIX_SAFE] = "safe",     [FIX_TURNS] = "turns"};
  const struct program *program = x->result->program;
  struct json object = json_begin(out->arena, program, x->result->model->name);
  PUT(object, J_TEXT("goal", goals[x->goal]), J_TEXT("forbids", x->claim), J_TEXT("filter", x->filter),
      J_TEXT("verdict", verdict_name(x->result->verdict)),
      J_TEXT("reason", x->result->reason ? x->result->reason->text : NULL),
      J_TEXT("reason_id", x->result->reason ? x->result->reason->name : NULL), J_TEXT("outcome", outcomes[x->outcome]),
      J_BOOL("weaken", x->weaken));
  put_ways(object, x, most);
  put_changes(object, "alone", program, x->alone.data, x->alone.len);
  put_changes(object, "together", program, x->together.changes.data, x->together.changes.len);
  put_changes(object, "needed", program, x->needed.data, x->needed.len);
  put_changes(object, "untried", program, x->untried.data, x->untried.len);
  put_changes(object, "step", program, x->step.changes.data, x->step.changes.len);
  PUT(object, J_TEXT("remains", x->remains), J_TEXT("advice", x->advice));
  PUT(object, J_BOOL("smallest", !x->only_minimal && !x->smaller), J_BOOL("interleaving", x->interleaving),
      J_TEXT("limit", x->limit), J_NUMBER("tried", x->tried));
  json_write(object, out);
}

void put_cure(struct json to, const struct fixes *x) {
  struct json object = put_object(to, "cure");
  const struct fix_way *way = x->ways.len ? &x->ways.data[0] : NULL;
  put_changes(object, "changes", x->result->program, way ? way->changes.data : NULL, way ? way->changes.len : 0);
  put_text(object, "not_found", way ? NULL : why_none(x));
}
