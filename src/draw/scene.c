#include "draw/scene.h"

#include "draw/parts.h"
#include "explain/explain.h"
#include "explain/words.h"
#include "rel/cycle.h"

struct scene_builder {
  struct arena *arena;
  const struct pick *pick;
  struct scene *scene;
  uint32_t *node_of; /* by event; NO_NODE: not drawn */
  struct focus focus;
  uint32_t letters, rows_left_out, threads_left_out;
  struct text stuck; /* the threads that wait or spin for ever */
};

static const struct event *event_at(const struct scene_builder *b, uint32_t e) {
  return skeleton_event(b->pick->skeleton, e);
}

/* ---- Nodes ---- */

/* The text of an instruction. If it comes from a module, which the test does not show, also its line there and its
 * stage. */
static const char *written(struct scene_builder *b, uint32_t e) {
  const struct event *event = event_at(b, e);
  const struct instr *instr = event_instr(b->pick->skeleton, e);
  struct text text = {.arena = b->arena};
  instr_print(instr, &text);
  bool module = instr->span.source && instr->span.source != b->pick->skeleton->program->source;
  if (module) text_add(&text, " // ");
  if (module) span_tell_line(instr->span, &text);
  uint32_t stage, stages = instr_stage(b->pick->skeleton->program, event->thread, event->instr, &stage);
  if (module && stages) text_printf(&text, ", stage %u of %u", stage, stages);
  return text_str(&text);
}

/* "reads s" and the like, for a node of an asynchronous operation, which is next to its issuing instruction. */
static const char *spawned_text(struct scene_builder *b, uint32_t e) {
  const struct event *event = event_at(b, e);
  if (event->kind == EVENT_SIGNAL)
    return arena_printf(
        b->arena, "signals %s",
        b->pick->skeleton->program->objects[b->pick->skeleton->mbarriers.data[event->use->object].object].name);
  const char *name = words_location(b->arena, b->pick->execution, e), *through = strstr(name, " (");
  if (event->spawn.in_cells && strchr(name, '['))
    name = strchr(name, '[') + 1, through = strchr(name, ']'); /* the column */
  return arena_printf(b->arena, "%s %.*s",
                      event->is_rmw               ? "reduces"
                      : event->kind == EVENT_READ ? "reads"
                                                  : "writes",
                      (int)(through ? through - name : (long)strlen(name)), name);
}

static bool same_node(const struct event *before, uint32_t before_index, const struct event *e) {
  if (before->instr != e->instr || before->operation != e->operation || before->home != e->home) return false;
  if (e->is_rmw && e->partner == before_index) return true;
  if (!event_is_memory(e)) return before->kind == EVENT_ARRIVE && e->kind == EVENT_WAIT;
  return e->element > before->element;
}

static const char *letters(struct scene_builder *b, uint32_t index) {
  char one[] = {(char)('a' + index % 26), '\0'};
  return index < 26 ? arena_strdup(b->arena, one) : arena_printf(b->arena, "%s%u", one, index / 26);
}

/* True if the event happens, or is a wait at which a thread is stuck (such a wait does not happen). */
static bool is_drawn(const struct scene_builder *b, uint32_t e) {
  const struct skeleton *s = b->pick->skeleton;
  if (bitset_has(b->pick->execution->exec, e)) return true;
  return SOME(for (uint32_t i = 0; b->pick->stuck && i < s->ends.len; i++),
              s->ends.data[i].wait == e && b->pick->execution->terms[s->ends.data[i].when]);
}

static bool push_node(struct scene_builder *b, uint32_t row, struct scene_node node) {
  struct scene_column *column = &b->scene->columns.data[node.column];
  if (row >= SCENE_MAX_ROWS) return false;
  node.row = row;
  column->at[row] = b->scene->nodes.len;
  column->rows = row + 1;
  VEC_PUSH(b->arena, &b->scene->nodes, node);
  return true;
}

/* Adds a node in the next free row of a column or, for an asynchronous operation, in the row of its issue; false if
 * there is no space. */
static bool add_node(struct scene_builder *b, uint32_t c, uint32_t e) {
  struct scene_column *column = &b->scene->columns.data[c];
  uint32_t issue = column->spawned ? b->node_of[event_at(b, e)->operation->issue] : NO_NODE;
  uint32_t row = issue != NO_NODE && b->scene->nodes.data[issue].row > column->rows ? b->scene->nodes.data[issue].row
                                                                                    : column->rows;
  const char *text = column->spawned                      ? spawned_text(b, e)
                     : event_at(b, e)->kind == EVENT_EXIT ? "the end of the CTA"
                                                          : written(b, e);
  return push_node(
      b, row,
      (struct scene_node){.column = c, .text = text, .effect = "", .letter = letters(b, b->letters++), .issue = issue});
}

/* Adds one node for the instructions that the focus leaves out between two others. */
static void add_gap(struct scene_builder *b, uint32_t c, uint32_t count) {
  const char *text = arena_printf(b->arena, "... %u other instruction%s", count, count == 1 ? "" : "s");
  const char *letter = arena_printf(b->arena, "gap%u", b->scene->nodes.len);
  if (!count || b->scene->columns.data[c].spawned) return;
  push_node(
      b, b->scene->columns.data[c].rows,
      (struct scene_node){.column = c, .text = text, .effect = "", .letter = letter, .gap = true, .issue = NO_NODE});
}

static bool is_in_column(const struct scene_builder *b, const struct scene_column *column, uint32_t e) {
  const struct skeleton *s = b->pick->skeleton;
  const struct event *event = event_at(b, e);
  if (column->tensor) return scene_tensor_cta(s, event) == s->program->threads[column->thread].cta_id;
  return event->thread == column->thread && event->spawned == column->spawned && !scene_in_tensor(event);
}

static uint32_t row_of_issue(const struct scene_builder *b, uint32_t e) {
  uint32_t issue = b->node_of[event_at(b, e)->operation->issue];
  return issue == NO_NODE ? SCENE_MAX_ROWS : b->scene->nodes.data[issue].row;
}

/* The events of a column in order; a column of tensor memory has the accesses of several threads, in the rows of their
 * instructions. */
static uint32_t events_of(const struct scene_builder *b, const struct scene_column *column, uint32_t *out) {
  uint32_t count = 0;
  for (uint32_t e = 0; e < b->pick->skeleton->first_init; e++) {
    if (!is_in_column(b, column, e) || !is_drawn(b, e)) continue;
    uint32_t at = count++;
    for (; column->tensor && at > 0 && row_of_issue(b, out[at - 1]) > row_of_issue(b, e); at--) out[at] = out[at - 1];
    out[at] = e;
  }
  return count;
}

static void add_column(struct scene_builder *b, uint32_t c) {
  struct scene_column *column = &b->scene->columns.data[c];
  uint32_t *events = ARENA_ARRAY(b->arena, uint32_t, b->pick->skeleton->n), before = NO_EVENT;
  column->at = ARENA_ARRAY(b->arena, uint32_t, SCENE_MAX_ROWS);
  for (uint32_t r = 0; r < SCENE_MAX_ROWS; r++) column->at[r] = NO_NODE;
  uint32_t skipped = 0;
  for (uint32_t i = 0, count = events_of(b, column, events); i < count; i++) {
    uint32_t e = events[i];
    bool fresh = before == NO_EVENT || !same_node(event_at(b, before), before, event_at(b, e));
    before = e;
    if (b->focus.events && !b->focus.events[e]) {
      skipped += fresh;
      continue;
    }
    add_gap(b, c, skipped);
    skipped = 0;
    if (!fresh || add_node(b, c, e)) b->node_of[e] = b->scene->nodes.len - 1;
    else b->rows_left_out++;
  }
  add_gap(b, c, skipped);
}

/* ---- The values that a node read and wrote ---- */

static void add_value(struct scene_builder *b, struct text *text, uint32_t e) {
  const struct execution *x = b->pick->execution;
  value_tell(x->skeleton->program, execution_value_type(x, e), x->values[e], text);
}

static bool reads_initial(const struct scene_builder *b, uint32_t e) {
  const struct skeleton *s = b->pick->skeleton;
  bool initial = false;
  for (uint32_t w = 0; w < s->n; w++) {
    if (!bitmat_has(b->pick->execution->rf, w, e)) continue;
    if (w < s->first_init) return false;
    initial = true;
  }
  return initial;
}

/* True if the text of the instruction shows the value that it stores, so that the effect need not. */
static bool shows_value(const struct scene_builder *b, uint32_t e) {
  const struct instr *instr = event_instr(b->pick->skeleton, e);
  return instr->kind == INSTR_STORE && instr->src[event_at(b, e)->element].kind == OPERAND_IMM;
}

/* Independent of the locale. */
static bool is_name_part(char c) {
  return c == '_' || c == '$' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* True if the instruction names the location; without an owner, a name belongs to the thread or its CTA. */
static bool names(const char *text, const char *name) {
  size_t length = strlen(name);
  for (const char *at = text; (at = strstr(at, name)); at++)
    if ((at == text || (!is_name_part(at[-1]) && at[-1] != ':')) && !is_name_part(at[length])) return true;
  return false;
}

/* The name of the location that an event accesses; NULL if the instruction names it. */
static const char *place_name(struct scene_builder *b, uint32_t node, uint32_t e) {
  if (event_at(b, e)->spawn.in_cells) return NULL;
  const char *name = words_location(b->arena, b->pick->execution, e), *through = strstr(name, " (");
  if (through) name = arena_strndup(b->arena, through + 2, strlen(through) - 3);
  const char *text = b->scene->nodes.data[node].text, *owner = strchr(name, ':');
  const char *array = arena_strndup(b->arena, name, strcspn(name, "["));
  return names(text, array) || (owner && names(text, array + (owner + 1 - name))) ? NULL : name;
}

static void add_places(struct scene_builder *b, struct text *text, uint32_t node, enum event_kind kind) {
  const char *before = NULL;
  for (uint32_t e = 0; e < b->pick->skeleton->first_init; e++) {
    if (b->node_of[e] != node || event_at(b, e)->kind != kind) continue;
    const char *name = place_name(b, node, e);
    if (!name || (before && strcmp(before, name) == 0)) continue;
    text_printf(text, "%s%s", before ? ", " : kind == EVENT_READ ? " from " : " to ", name);
    before = name;
  }
}

/* Adds "reads 1, 0 from x"; nothing if the text already shows this. */
static void add_kind(struct scene_builder *b, struct text *text, uint32_t node, enum event_kind kind) {
  const struct skeleton *s = b->pick->skeleton;
  bool first = true, initial = kind == EVENT_READ;
  for (uint32_t e = 0; e < s->first_init; e++) {
    if (b->node_of[e] != node || event_at(b, e)->kind != kind) continue;
    if (kind == EVENT_WRITE && shows_value(b, e) && !place_name(b, node, e)) continue;
    text_add(text, !first ? ", " : !text->len ? "" : "; ");
    if (first) text_add(text, kind == EVENT_WRITE ? "writes " : "reads ");
    add_value(b, text, e);
    initial = initial && reads_initial(b, e);
    first = false;
  }
  if (!first && initial) text_add(text, " (initial)");
  if (!first) add_places(b, text, node, kind);
}

static bool write_failed(const struct scene_builder *b, uint32_t node) {
  bool failed = false;
  for (uint32_t e = 0; e < b->pick->skeleton->first_init; e++)
    if (b->node_of[e] == node && event_at(b, e)->kind == EVENT_READ && event_at(b, e)->is_rmw)
      failed = !bitset_has(b->pick->execution->exec, event_at(b, e)->partner);
  return failed;
}

static void add_effects(struct scene_builder *b, uint32_t node) {
  struct text text = {.arena = b->arena};
  add_kind(b, &text, node, EVENT_READ);
  add_kind(b, &text, node, EVENT_WRITE);
  if (write_failed(b, node)) text_add(&text, "; no write");
  b->scene->nodes.data[node].effect = text_str(&text);
}

/* The node at which a thread is stuck: the wait, or the last node of the repeated iteration. */
static uint32_t stuck_at(const struct scene_builder *b, const struct ending *ending) {
  uint32_t node = ending->wait != NO_PARTNER ? b->node_of[ending->wait] : NO_NODE;
  uint32_t first = ending->kind == ENDING_LASSO ? ending->laps[ending->lap_count - 1].first_event : ending->first_event;
  for (uint32_t e = first; ending->wait == NO_PARTNER && e < ending->end_event; e++)
    if (b->node_of[e] != NO_NODE) node = b->node_of[e];
  return node;
}

static void mark_stuck(struct scene_builder *b) {
  const struct skeleton *s = b->pick->skeleton;
  for (uint32_t i = 0; b->pick->stuck && i < s->ends.len; i++) {
    const struct ending *ending = &s->ends.data[i];
    uint32_t at = b->pick->execution->terms[ending->when] ? stuck_at(b, ending) : NO_NODE;
    if (at == NO_NODE) continue;
    struct scene_node *node = &b->scene->nodes.data[at];
    bool spins = ending->kind == ENDING_SPIN && !skeleton_waits_for_columns(s, ending);
    bool repeats = ending->kind == ENDING_LASSO;
    const char *words = spins ? "spins for ever" : repeats ? "repeats for ever" : "waits for ever";
    node->effect = *node->effect ? arena_printf(b->arena, "%s; %s", node->effect, words) : words;
    node->stuck = true;
    text_add(&b->stuck, b->stuck.len ? ", " : "");
    thread_tell(&s->program->threads[ending->thread], &b->stuck);
    text_printf(&b->stuck, " %s for ever", spins ? "spins" : repeats ? "repeats" : "waits");
  }
}

static void add_nodes(struct scene_builder *b) {
  for (uint32_t e = 0; e < b->pick->skeleton->n; e++) b->node_of[e] = NO_NODE;
  for (uint32_t i = 0; i < 2 * b->scene->columns.len; i++) { /* tensor memory last: any thread may access it */
    uint32_t c = i % b->scene->columns.len;
    if (b->scene->columns.data[c].tensor == (i >= b->scene->columns.len)) add_column(b, c);
  }
  for (uint32_t i = 0; i < b->scene->nodes.len; i++) add_effects(b, i);
  mark_stuck(b);
}

/* ---- Edges ---- */

static struct scene_edge *find_edge(struct scene_builder *b, uint32_t from, uint32_t to, const char *name) {
  return VEC_FIND(edge, &b->scene->edges, edge->from == from && edge->to == to && strcmp(edge->name, name) == 0);
}

static void add_edge(struct scene_builder *b, uint32_t from, uint32_t to, const char *name, bool on_cycle) {
  if (from == NO_NODE || to == NO_NODE || from == to) return;
  struct scene_edge *edge = find_edge(b, from, to, name);
  if (edge) edge->on_cycle |= on_cycle;
  else VEC_PUSH(b->arena, &b->scene->edges, (struct scene_edge){from, to, name, NULL, on_cycle, false});
}

/* Merges two opposite edges, such as those of a barrier, into one with two heads. */
static void merge_opposite(struct scene_builder *b) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < b->scene->edges.len; i++) {
    struct scene_edge edge = b->scene->edges.data[i], *other = NULL;
    for (uint32_t k = 0; k < kept && !other; k++) {
      struct scene_edge *before = &b->scene->edges.data[k];
      bool opposite = before->from == edge.to && before->to == edge.from && strcmp(before->name, edge.name) == 0;
      if (opposite && !before->on_cycle && !edge.on_cycle) other = before;
    }
    if (other) other->both = true;
    else b->scene->edges.data[kept++] = edge;
  }
  b->scene->edges.len = kept;
}

static void add_po(struct scene_builder *b) {
  for (uint32_t i = 0; i + 1 < b->scene->nodes.len; i++)
    if (b->scene->nodes.data[i].column == b->scene->nodes.data[i + 1].column &&
        !b->scene->columns.data[b->scene->nodes.data[i].column].spawned)
      add_edge(b, i, i + 1, "po", false);
}

/* The transitive reduction of a relation; for fr, only the pairs with the next writes. */
static struct bitmat reduced(struct scene_builder *b, const char *name, struct bitmat full) {
  struct bitmat twice = bitmat_new(b->arena, full.n), left = bitmat_copy(b->arena, full);
  bool fr = strcmp(name, "fr") == 0;
  bitmat_compose(twice, full, fr ? b->pick->execution->co : full);
  if (!fr) {
    struct bitmat more = bitmat_copy(b->arena, twice);
    bitmat_minus(more, full);
    if (!bitmat_empty(more)) return left; /* not transitive */
  }
  for (uint32_t i = 0; i < full.n; i++)
    if (bitmat_has(full, i, i)) return left;
  bitmat_minus(left, twice);
  return left;
}

/* `across`: leaves out pairs within a thread, which program order already shows. */
static void add_relation(struct scene_builder *b, const char *name, struct bitmat full, bool across) {
  struct bitmat pairs = reduced(b, name, full);
  for (uint32_t x = 0; x < pairs.n; x++) {
    struct bitset row = bitmat_row_set(pairs, x);
    EACH (y, row)
      if (!across || event_at(b, x)->thread != event_at(b, y)->thread)
        add_edge(b, b->node_of[x], b->node_of[y], name, false);
  }
}

/* ---- Relations by name ---- */

static cat_node node_named(const struct model *model, const char *name) {
  for (uint32_t i = 0; i < model->shows.len; i++)
    if (strcmp(model->shows.data[i].name, name) == 0) return model->shows.data[i].node;
  return model_node_named(model, name);
}

enum scene_name scene_name(const struct model *model, const char *name) {
  cat_node node = node_named(model, name);
  if (node != CAT_NO_NODE) return model->nodes.data[node].is_set ? SCENE_SET : SCENE_RELATION;
  enum cat_builtin builtin = builtin_find(name);
  return builtin == CAT_BUILTIN_COUNT ? SCENE_UNKNOWN : builtin_is_set(builtin) ? SCENE_SET : SCENE_RELATION;
}

void scene_names(struct arena *arena, const struct model *model, const char *const **names, size_t *count) {
  VEC(const char *) list = {0};
  for (int i = CAT_REL_FIRST + 1; i < CAT_BUILTIN_COUNT; i++) VEC_PUSH(arena, &list, builtin_name((enum cat_builtin)i));
  for (uint32_t i = 0; i < model->shows.len; i++) VEC_PUSH(arena, &list, model->shows.data[i].name);
  for (cat_node i = 0; i < model->nodes.len; i++)
    if (model->nodes.data[i].name && !model->nodes.data[i].is_set) VEC_PUSH(arena, &list, model->nodes.data[i].name);
  *names = list.data;
  *count = list.len;
}

/* The pairs of a predefined relation, even if the model does not use it. */
static struct bitmat builtin_pairs(struct scene_builder *b, enum cat_builtin builtin) {
  const struct execution *x = b->pick->execution;
  cat_node node = model_builtin(b->pick->model, builtin);
  if (node != CAT_NO_NODE) return eval_relation(b->pick->eval, node);
  return execution_relation(x, builtin);
}

static void add_named(struct scene_builder *b, const char *name, bool asked) {
  cat_node node = node_named(b->pick->model, name);
  enum cat_builtin builtin = builtin_find(name);
  bool across = !asked && (builtin == CAT_REL_BAR || builtin == CAT_REL_FR);
  if (strcmp(name, "po") == 0) add_po(b);
  else if (node != CAT_NO_NODE && !b->pick->model->nodes.data[node].is_set)
    add_relation(b, name, eval_relation(b->pick->eval, node), across);
  else if (builtin != CAT_BUILTIN_COUNT && !builtin_is_set(builtin))
    add_relation(b, name, builtin_pairs(b, builtin), across);
  else REQUIRE(!asked);
}

/* True if a relation of the table is drawn by default. */
static bool is_due(const struct model *model, const struct scene_style *style) {
  enum cat_builtin builtin = builtin_find(style->name);
  switch (style->when) {
    case DRAWN_ALWAYS: return true;
    case DRAWN_USED:
      return (builtin == CAT_BUILTIN_COUNT ? node_named(model, style->name) : model_builtin(model, builtin)) !=
             CAT_NO_NODE;
    case DRAWN_MBAR: return node_named(model, "mbar") != CAT_NO_NODE;
    case DRAWN_ASKED:
    case DRAWN_SPARE: return false;
  }
  BUG("no such time %d", (int)style->when);
}

/* True if `other`, of the same operation, makes `edge` redundant: the first edge to its accesses and the last edge from
 * them suffice. */
static bool tells_for(const struct scene_builder *b, const struct scene_edge *other, const struct scene_edge *edge) {
  const struct scene_node *nodes = b->scene->nodes.data;
  const struct scene_node *from = &nodes[edge->from], *to = &nodes[edge->to];
  if (strcmp(other->name, edge->name) != 0) return false;
  if (other->to == edge->to && from->issue != NO_NODE && nodes[other->from].issue == from->issue)
    return other->from > edge->from;
  return other->from == edge->from && to->issue != NO_NODE && nodes[other->to].issue == to->issue &&
         other->to < edge->to;
}

/* For relations of asynchronous operations, keeps only one edge for each operation. */
static void bundle(struct scene_builder *b, uint32_t first) {
  struct scene_edge *edges = b->scene->edges.data;
  uint32_t count = b->scene->edges.len;
  bool *told = ARENA_ARRAY(b->arena, bool, count);
  for (uint32_t i = first; i < count; i++)
    for (uint32_t k = first; k < count && !told[i]; k++) told[i] = tells_for(b, &edges[k], &edges[i]);
  VEC_KEEP(edge, &b->scene->edges, !told[edge - edges]);
}

static void add_default(struct scene_builder *b) {
  size_t count;
  const struct scene_style *styles = scene_styles(&count);
  for (size_t i = 0; i < count; i++) {
    uint32_t first = b->scene->edges.len;
    if (!is_due(b->pick->model, &styles[i])) continue;
    add_named(b, styles[i].name, false);
    if (styles[i].when == DRAWN_MBAR) bundle(b, first);
  }
}

/* ---- The violation ---- */

static void mark_node(struct scene_builder *b, uint32_t node) {
  if (node != NO_NODE) b->scene->nodes.data[node].on_cycle = true;
}

static const char *letter_of(const struct scene_builder *b, uint32_t event) {
  uint32_t node = b->node_of[event];
  return node != NO_NODE                          ? b->scene->nodes.data[node].letter
         : event >= b->pick->skeleton->first_init ? "(initial)"
                                                  : "(left out)";
}

/* Adds po edges along all nodes from `from` to `to`. */
static void mark_po(struct scene_builder *b, uint32_t from, uint32_t to) {
  if (from == NO_NODE || to == NO_NODE) return;
  for (uint32_t i = from; i < to; i++) add_edge(b, i, i + 1, "po", true);
}

/* For a pair of a relation without a name ("overlapping and not ordered"), marks only the two nodes. */
static void add_step(struct scene_builder *b, const char *name, uint32_t from, uint32_t to) {
  mark_node(b, from);
  mark_node(b, to);
  if (!name) return;
  if (strcmp(name, "po") == 0) mark_po(b, from, to);
  else add_edge(b, from, to, name, true);
}

/* Draws each step in bold, and describes the path by the letters of the nodes. */
static void add_path(struct scene_builder *b, const struct violation *violation) {
  struct base_path path = cycle_flatten(b->arena, violation->path);
  struct text text = {.arena = b->arena};
  text_printf(&text, "%s:", b->pick->model->axioms.data[violation->axiom].name);
  for (uint32_t i = 0; i < path.len; i++) {
    const struct base_edge *edge = &path.data[i];
    const char *name = model_node_name(b->pick->model, edge->leaf->node);
    add_step(b, name, b->node_of[edge->against ? edge->to : edge->from],
             b->node_of[edge->against ? edge->from : edge->to]);
    if (i == 0) text_printf(&text, " %s", letter_of(b, edge->from));
    if (!name) text_printf(&text, " and %s", letter_of(b, edge->to));
    else text_printf(&text, edge->against ? " <-%s- %s" : " -%s-> %s", name, letter_of(b, edge->to));
  }
  b->scene->cycle = text_str(&text);
}

/* Adds the violation of the first broken axiom of the model. */
static void add_violation(struct scene_builder *b) {
  const struct pick *pick = b->pick;
  if (!pick->violated_count || pick->skeleton->n > CYCLE_MAX_EVENTS) return;
  uint32_t axiom = 0;
  while (!pick->violated[axiom]) axiom++;
  struct cycles *cycles = cycle_new(b->arena, pick->model, pick->skeleton->n);
  struct violation violation;
  cycle_execution(cycles, pick->eval);
  cycle_find(cycles, axiom, &violation);
  if (violation.is_pair) add_path(b, &violation);
}

/* ---- The cycle that shows that no interleaving gives the allowed execution ---- */

static uint32_t told_event(const struct explanation *told, uint32_t number) { return told->events.data[number].event; }

/* Adds the cycle of program order and communication, and its first step that the model does not order. */
static void add_told(struct scene_builder *b) {
  const struct explanation *told = b->pick->told;
  bool shown = told && (told->kind == EXPLAIN_ALLOWED || program_asks_safety(told->result->program));
  if (!shown || !told->steps.len || told->closing) return;
  struct text text = {.arena = b->arena};
  text_printf(&text, "no interleaving: %s", letter_of(b, told_event(told, told->steps.data[0].from)));
  VEC_EACH (step, &told->steps) {
    uint32_t from = told_event(told, step->from), to = told_event(told, step->to);
    add_step(b, step->relation, b->node_of[from], b->node_of[to]);
    text_printf(&text, " -%s-> %s", step->relation, letter_of(b, to));
  }
  b->scene->cycle = text_str(&text);
  if (!told->missing.len) return;
  const struct explain_missing *link = &told->missing.data[0];
  const char *from = letter_of(b, told_event(told, link->from)), *to = letter_of(b, told_event(told, link->to));
  const char *where = link->from == link->to ? arena_printf(b->arena, "missing at %s", from)
                                             : arena_printf(b->arena, "no order from %s to %s", from, to);
  b->scene->missing = arena_printf(b->arena, "%s: %s", where, link->cure ? link->cure : link->text);
}

/* ---- The rule that an undefined test breaks ---- */

static void add_race(struct scene_builder *b, uint32_t x, uint32_t y) {
  mark_node(b, b->node_of[x]);
  mark_node(b, b->node_of[y]);
  if (x < y) add_edge(b, b->node_of[x], b->node_of[y], "race", true);
}

static void add_undefined(struct scene_builder *b) {
  const struct pick *pick = b->pick;
  for (int i = 0; i < 2; i++)
    if (pick->misuse_events[i] != NO_EVENT) mark_node(b, b->node_of[pick->misuse_events[i]]);
  for (uint32_t e = 0; pick->shows_why && pick->hazard.source && e < pick->skeleton->first_init; e++)
    if (event_instr(pick->skeleton, e)->span.begin == pick->hazard.begin) mark_node(b, b->node_of[e]);
  if (pick->clause == NO_CLAUSE) return;
  cat_node node = pick->model->axioms.data[pick->clause].node;
  if (pick->model->nodes.data[node].is_set) return;
  struct bitmat pairs = eval_relation(pick->eval, node);
  for (uint32_t x = 0; x < pairs.n; x++)
    for (uint32_t y = 0; y < pairs.n; y++)
      if (bitmat_has(pairs, x, y)) add_race(b, x < y ? x : y, x < y ? y : x);
}

/* ---- Words ---- */

static const char *outcome_text(struct scene_builder *b) {
  struct text text = {.arena = b->arena};
  state_print(b->pick->skeleton->program, b->pick->finals, " ", ";", true, &text);
  return text_str(&text);
}

static const char *undefined_text(struct scene_builder *b) {
  const struct pick *pick = b->pick;
  const struct span *at = &pick->hazard;
  struct text line = {.arena = b->arena};
  if (at->source) text_add(&line, " (");
  span_tell_line(*at, &line);
  if (at->source) text_char(&line, ')');
  if (pick->kind)
    return arena_printf(b->arena, "unsafe, %s: %s%s, as in this execution", pick->kind, pick->undefined,
                        text_str(&line));
  return arena_printf(b->arena, "%s: %s%s%s", pick->open ? "unknown" : "undefined", pick->undefined, text_str(&line),
                      pick->shows_why ? ", as in this execution" : "; this execution promises nothing");
}

static const char *caption_text(struct scene_builder *b) {
  const struct pick *pick = b->pick;
  const char *condition = pick->skeleton->program->condition_text;
  enum litmus_quantifier quantifier = pick->skeleton->program->quantifier;
  bool forall = quantifier == LITMUS_FORALL, safe = program_asks_safety(pick->skeleton->program);
  const char *relation = pick->satisfies != forall ? "satisfies" : "violates";
  if (pick->undefined) return undefined_text(b);
  if (b->stuck.len)
    return arena_printf(b->arena, "%s execution that never ends: %s", safe ? "unsafe, hang: an" : "an allowed",
                        text_str(&b->stuck));
  if (!pick->violated_count && safe)
    return pick->told ? "an allowed execution that no interleaving gives" : "an allowed execution";
  if (!pick->violated_count)
    return arena_printf(b->arena, "an allowed execution that %s the predicate of: %s", relation, condition);
  struct text text = {.arena = b->arena};
  text_add(&text, "forbidden: this execution breaks");
  uint32_t named = 0;
  for (uint32_t i = 0; i < pick->model->axioms.len; i++)
    if (pick->violated[i])
      text_printf(&text, "%s %s", named++ ? (named == pick->violated_count ? " and" : ",") : "",
                  pick->model->axioms.data[i].name);
  return text_str(&text);
}

static const char *left_out_text(struct scene_builder *b) {
  uint32_t shown = 0, all = b->pick->skeleton->program->thread_count;
  VEC_EACH (c, &b->scene->columns) shown += !c->spawned;
  if (b->focus.threads && shown < all)
    return arena_printf(b->arena, "... %u other thread%s; --pick witness draws the whole execution", all - shown,
                        all - shown == 1 ? "" : "s");
  if (!b->threads_left_out && !b->rows_left_out) return NULL;
  struct text text = {.arena = b->arena};
  text_add(&text, "too large to draw:");
  if (b->threads_left_out)
    text_printf(&text, " %u of %u threads", b->threads_left_out, b->pick->skeleton->program->thread_count);
  if (b->rows_left_out) text_printf(&text, "%s %u instructions", b->threads_left_out ? " and" : "", b->rows_left_out);
  text_add(&text, " are left out");
  return text_str(&text);
}

struct scene *scene_build(struct arena *arena, const struct pick *pick, const struct scene_choice *choice) {
  struct scene *scene = ARENA_NEW(arena, struct scene);
  struct scene_builder b = {
      .arena = arena, .pick = pick, .scene = scene, .node_of = ARENA_ARRAY(arena, uint32_t, pick->skeleton->n)};
  text_init(&b.stuck, arena);
  scene->program = pick->skeleton->program;
  scene->allowed = !pick->violated_count;
  scene->satisfies = pick->satisfies;
  scene->focused = scene_focus(arena, pick, &b.focus);
  if (!scene->focused) b.focus = (struct focus){0};
  b.threads_left_out = scene_columns(arena, pick->execution, &b.focus, scene);
  add_nodes(&b);
  for (uint32_t i = 0; choice && i < choice->count; i++) add_named(&b, choice->names[i], true);
  if (!choice) add_default(&b);
  add_violation(&b);
  add_told(&b);
  add_undefined(&b);
  merge_opposite(&b);
  theme_dress(scene);
  steps_number(arena, pick, b.node_of, scene);
  scene->title = arena_printf(arena, "%s under %s", scene->program->name, pick->model->name);
  scene->caption = caption_text(&b);
  scene->outcome = b.stuck.len ? "" : outcome_text(&b);
  scene->left_out = left_out_text(&b);
  scene_objects(arena, pick, b.node_of, scene);
  return scene;
}
