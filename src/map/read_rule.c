/* Reads rules: two sequences of instructions with an arrow between them. */

#include "map/rules.h"

struct rule_reader {
  struct arena *arena;
  struct diags *diags;
  struct span span;
  struct map_rule *rule;
  struct map_steps *side;
};

static bool refuse(const struct rule_reader *r, const char *hint, const char *message) {
  struct diagnostic *d = diag_report(r->diags, DIAG_MAP_TABLE, r->span, "%s", message);
  if (hint) diag_hint(r->diags, d, "%s", hint);
  return false;
}

static const char step_hint[] = "ld.acquire.S r1, a; st.weak a, v1; atom.acq_rel.S r1, a, v1; atom.relaxed.S.add r1, "
                                "a, 0; fence.sc.S; on the right mov r2, r1 too, and nothing alone";

static bool wrong_step(const struct rule_reader *r, const char *words) {
  return refuse(r, step_hint, arena_printf(r->arena, "'%s' is not an instruction of a rule", words));
}

/* The number of a name such as r1 that begins with `letter`; the name of a location is a single letter. */
static uint8_t named(const char *word, char letter) {
  bool right = word[0] == letter && word[1] > '0' && word[1] <= '0' + RULE_NAMES && !word[2];
  return right ? (uint8_t)(word[1] - '1') : RULE_NONE;
}
static uint8_t place_named(const char *word) {
  return word[0] >= 'a' && word[0] < 'a' + RULE_NAMES && !word[1] ? (uint8_t)(word[0] - 'a') : RULE_NONE;
}

/* Reads the opcode with its semantics and scope. */
static bool take_opcode(const char *at, struct map_step *step) {
  uint8_t scope = SCOPE_NONE;
  if (!map_take_opcode(&at, &step->kind, &step->sem)) return false;
  if (step->sem != SEM_WEAK && !word_starts(&at, ".S") && !word_scope(&at, &scope)) return false;
  step->scope = (enum scope)scope;
  step->adds_nothing = step->kind == DRAFT_UPDATE && word_starts(&at, ".add");
  return !*at;
}

static bool take_move(struct rule_reader *r, const char *to, const char *from) {
  uint8_t reg = named(to, 'r');
  struct map_move move = {named(from, 'r'), named(from, 'v')};
  if (reg == RULE_NONE || r->side != &r->rule->right || (move.reg == RULE_NONE) == (move.value == RULE_NONE))
    return false;
  r->rule->moves[reg] = move;
  return true;
}

/* Reads an instruction between two semicolons. */
static bool take_step(struct rule_reader *r, const char *words) {
  char opcode[40] = "", operand[3][8] = {"", "", ""}, rest[2] = "";
  struct map_step step = {.place = RULE_NONE, .reg = RULE_NONE, .value = RULE_NONE};
  int operands =
      sscanf(words, " %39[^ ,] %7[^ ,] , %7[^ ,] , %7[^ ,] %1s", opcode, operand[0], operand[1], operand[2], rest);
  if (strcmp(opcode, "mov") == 0)
    return (operands == 3 && take_move(r, operand[0], operand[1])) || wrong_step(r, words);
  if (strcmp(opcode, "nothing") == 0 && operands == 1 && r->side == &r->rule->right) return true;
  bool right = take_opcode(opcode, &step), gives = step.kind == DRAFT_READ || step.kind == DRAFT_UPDATE,
       writes = step.kind == DRAFT_WRITE || step.kind == DRAFT_UPDATE;
  right = right && operands == 1 + (step.kind == DRAFT_FENCE ? 0 : 1 + gives + writes);
  if (right && gives) right = (step.reg = named(operand[0], 'r')) != RULE_NONE;
  if (right && step.kind != DRAFT_FENCE) right = (step.place = place_named(operand[gives])) != RULE_NONE;
  if (right && step.adds_nothing) right = strcmp(operand[2], "0") == 0;
  else if (right && writes) right = (step.value = named(operand[gives + 1], 'v')) != RULE_NONE;
  if (!right || r->side->count == RULE_STEPS) return wrong_step(r, words);
  r->side->steps[r->side->count++] = step;
  return true;
}

static bool take_side(struct rule_reader *r, const char *text) {
  for (const char *at = text;; at++) {
    size_t length = strcspn(at, ";"), blanks = strspn(at, " \t");
    if (blanks > length) blanks = length;
    size_t end = length;
    while (end > blanks && strchr(" \t\r", at[end - 1])) end--;
    if (!take_step(r, arena_strndup(r->arena, at + blanks, end - blanks))) return false;
    at += length;
    if (!*at) return true;
  }
}

/* ---- Both sides must give the same registers ---- */

/* The registers that a side sets and the values that it writes, as masks; false if one occurs twice, because the rule
 * would be ambiguous. */
static bool take_names(const struct map_steps *side, uint32_t *registers, uint32_t *values) {
  bool once = true;
  *registers = *values = 0;
  ARRAY_EACH (s, side->steps, side->count) {
    uint32_t r = s->reg == RULE_NONE ? 0 : 1u << s->reg, v = s->value == RULE_NONE ? 0 : 1u << s->value;
    once = once && !(*registers & r) && !(*values & v);
    *registers |= r, *values |= v;
  }
  return once;
}

/* The step of the side that writes the value (for RULE_NONE, the step that adds nothing), or NULL. */
static const struct map_step *writer(const struct map_steps *side, uint8_t value) {
  return ARRAY_FIND(e, side->steps, side->count, value == RULE_NONE ? e->adds_nothing : e->value == value);
}

/* True if the left side has each location and each written value of the right side. */
static bool has_places(const struct map_rule *rule) {
  uint32_t adding = COUNT(for (uint32_t i = 0; i < rule->left.count; i++), rule->left.steps[i].adds_nothing);
  ARRAY_EACH (s, rule->right.steps, rule->right.count) {
    bool found = s->place == RULE_NONE || SOME_BELOW(k, rule->left.count, rule->left.steps[k].place == s->place);
    const struct map_step *from = s->value != RULE_NONE || s->adds_nothing ? writer(&rule->left, s->value) : s;
    if (!found || !from || from->place != s->place) return false;
  }
  return adding <= 1;
}

static bool fits(struct rule_reader *r) {
  const struct map_rule *rule = r->rule;
  uint32_t left, right, values, written;
  bool once = take_names(&rule->left, &left, &values);
  if (!take_names(&rule->right, &right, &written) || !once)
    return refuse(r, NULL, "write a register and a value once on each side of a rule");
  if (written & ~values)
    return refuse(r, NULL, "the right side of a rule writes a location that its left side does not");
  if (!has_places(rule))
    return refuse(r, "an atom.add of 0, of which a rule has one at most, counts as a write",
                  "the right side of a rule accesses a location as its left side does not");
  for (uint32_t reg = 0; reg < RULE_NAMES; reg++) {
    struct map_move move = rule->moves[reg];
    bool moved = move.reg != RULE_NONE || move.value != RULE_NONE, given = right >> reg & 1;
    bool from =
        (move.reg == RULE_NONE || right >> move.reg & 1) && (move.value == RULE_NONE || values >> move.value & 1);
    if (!from || moved + given > 1 || (left >> reg & 1) != (uint32_t)(moved + given))
      return refuse(r, "a register that the left side sets needs a value: mov r2, r1",
                    arena_printf(r->arena, "r%u is not the same on both sides of the rule", reg + 1));
  }
  if (!rule->left.count) return refuse(r, NULL, "the left side of a rule has an instruction");
  return true;
}

bool map_read_rule(struct arena *arena, struct diags *diags, struct span span, struct map_rule *out) {
  struct rule_reader r = {arena, diags, span, out, &out->left};
  const char *text = arena_strndup(arena, span.source->text + span.begin, span.end - span.begin);
  const char *arrow = strstr(text, "->"), *place = strstr(arrow, " in cta");
  *out = (struct map_rule){.text = text};
  for (uint32_t i = 0; i < RULE_NAMES; i++) out->moves[i] = (struct map_move){RULE_NONE, RULE_NONE};
  out->one_cta = place && strspn(place + strlen(" in cta"), " \t\r") == strlen(place + strlen(" in cta"));
  if (!take_side(&r, arena_strndup(arena, text, (size_t)(arrow - text)))) return false;
  r.side = &out->right;
  size_t length = out->one_cta ? (size_t)(place - arrow - 2) : strlen(arrow + 2);
  return take_side(&r, arena_strndup(arena, arrow + 2, length)) && fits(&r);
}
