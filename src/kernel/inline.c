/* Flattens the body of a kernel into one list of instructions: renames the names of inner scopes, inlines calls, and
 * substitutes parameters. */

#include "kernel/wmma.h"
#include "ptx/isa.h"

enum { CALL_LIMIT = 64, INSTRUCTION_LIMIT = 1 << 20 };

struct call {
  const struct module_function *function;
  const struct call *outer;
  const char *end; /* the target label of ret; NULL in the kernel itself, in which ret ends the thread */
  uint32_t number; /* of this instance; 0: the kernel itself */
};

struct inliner {
  struct expansion *x;
  const struct module *module;
  struct names_in_scope scope;
  struct code *code;
  struct litmus_word *labels; /* before the next instruction */
  struct litmus_word *last_label;
  uint32_t number; /* instances of functions and inner scopes so far */
  bool wrong;
};

static struct arena *arena_of(const struct inliner *in) { return in->x->parse.arena; }

static const char *name_of(struct inliner *in, const char *text) { return intern(in->x->parse.names, text); }

static void report(struct inliner *in, enum diag_code code, struct span span, const char *what, const char *name) {
  if (in->x->parse.diags->list.len < DIAG_LIMIT) diag_report(in->x->parse.diags, code, span, "%s '%s'", what, name);
  in->wrong = true;
}

/* ---- Declarations */

/* Names of inner scopes and inlined functions get the number of their instance, and so do those that could be registers
 * of kernel_use_variable. */
static const char *apart(struct inliner *in, const char *name, uint32_t number) {
  const char *plain = name[0] == '%' ? name + 1 : name;
  bool reserved = base_begins(plain, KERNEL_ADDRESS_REGISTER) || base_begins(plain, KERNEL_PARAM_REGISTER);
  if (!number && !reserved) return name_of(in, plain);
  return name_of(in, arena_printf(arena_of(in), "%s$%u", plain, number));
}

static void declare(struct inliner *in, const struct module_variable *v, uint32_t number) {
  struct binding binding = {.kind = BINDING_VARIABLE, .variable = v};
  const char *name = v->name.text;
  if (litmus_has_word(&v->words, ".reg")) {
    bool vector = litmus_has_word(&v->words, ".v2") || litmus_has_word(&v->words, ".v4");
    binding.kind = vector ? BINDING_VECTOR : BINDING_REGISTER;
    binding.name = apart(in, name, number);
    for (uint32_t i = 0; v->has_range && i < v->range; i++) {
      const char *one = name_of(in, arena_printf(arena_of(in), "%s%u", name, i));
      binding.name = apart(in, one, number);
      scope_add(&in->scope, one, binding);
    }
    if (v->has_range) return;
  } else if (litmus_has_word(&v->words, ".param")) {
    binding.kind = BINDING_PASSED;
    binding.name = name_of(in, arena_printf(arena_of(in), "%s$%u", name, ++in->number));
  }
  scope_add(&in->scope, name, binding);
}

/* Declares the names of a scope, from its first item to its end: labels may be used before their place. */
static void declare_all(struct inliner *in, const struct module_item *item, uint32_t number) {
  uint32_t depth = 0;
  const struct module_item *before = NULL;
  for (; item && !(item->kind == MODULE_CLOSE && depth == 0); before = item, item = item->next) {
    if (item->kind == MODULE_OPEN) depth++;
    if (item->kind == MODULE_CLOSE) depth--;
    if (depth) continue;
    if (item->kind == MODULE_VARIABLE) declare(in, item->variable, number);
    struct binding label = {.kind = BINDING_LABEL};
    if (item->kind == MODULE_LABEL) {
      label.name = apart(in, item->label->text, number);
      scope_add(&in->scope, item->label->text, label);
    }
    if (item->kind == MODULE_TARGETS && before && before->kind == MODULE_LABEL)
      scope_add(&in->scope, before->label->text,
                (struct binding){.kind = BINDING_TARGETS, .name = before->label->text, .targets = item->label});
  }
}

/* ---- instructions */

static void put_label(struct inliner *in, const char *name, struct span span) {
  struct litmus_word *word = litmus_word_of(&in->x->parse, name, span);
  if (in->last_label) in->last_label->next = word;
  else in->labels = word;
  in->last_label = word;
}

static void put(struct inliner *in, struct litmus_instr *instr) {
  struct litmus_cell cell = {.labels = in->labels, .instr = instr, .span = instr->span};
  VEC_PUSH(arena_of(in), in->code, cell);
  in->labels = in->last_label = NULL;
}

static struct litmus_instr *new_instr(struct inliner *in, const char *text, struct litmus_operand *operands,
                                      const struct litmus_instr *like) {
  struct litmus_instr *instr = litmus_instr_of(&in->x->parse, text, operands, like->opcode.span);
  instr->span = like->span;
  return instr;
}

/* The register that holds the address of a variable or parameter when the thread begins. */
static void resolve_place(struct inliner *in, struct litmus_ref *ref, const struct module_variable *variable,
                          bool bracket) {
  ref->name = kernel_use_variable(in->x, in->module, variable, bracket ? 0 : ref->offset);
  if (!bracket) ref->offset = 0;
  ref->percent = true;
}

/* Resolves a name in the current scope. */
static void resolve_ref(struct inliner *in, struct litmus_ref *ref, bool bracket) {
  const char *name = ref->percent ? name_of(in, arena_printf(arena_of(in), "%%%s", ref->name)) : ref->name;
  const struct binding *binding = scope_find(&in->scope, name);
  if (strcmp(name, "_") == 0) return;
  if (!binding && ref->percent && isa_special(ref->name) != SPECIAL_NONE) return;
  if (!binding) {
    report(in, DIAG_UNKNOWN_REGISTER, ref->span, "the module declares no", name);
    return;
  }
  if (binding->kind == BINDING_VARIABLE) {
    resolve_place(in, ref, binding->variable, bracket);
    return;
  }
  if (binding->name) ref->name = binding->name;
  ref->percent = binding->kind == BINDING_REGISTER;
}

/* The arguments of a call have no address here (ptx/specials.c). */
static void resolve_value(struct inliner *in, struct litmus_ref *ref) {
  const struct binding *binding = ref->percent ? NULL : scope_find(&in->scope, ref->name);
  resolve_ref(in, ref, false);
  if (!binding || binding->kind != BINDING_PASSED) return;
  ref->name = name_of(in, "parameter_address");
  ref->percent = true;
}

/* ---- vectors: registers of several elements, v.x or v.r, and special registers (7.4.2 "vectors as operands", 10) */

static const char letters[] = "xyzw", colours[] = "rgba";

static struct litmus_operand *element_of(struct inliner *in, const struct binding *binding, unsigned i,
                                         struct span span) {
  const char *name = name_of(in, arena_printf(arena_of(in), "%s$%c", binding->name, letters[i]));
  return litmus_register_of(&in->x->parse, name, span);
}

static const struct binding *vector_named(struct inliner *in, const char *name) {
  const struct binding *binding = scope_find(&in->scope, name);
  return binding && binding->kind == BINDING_VECTOR ? binding : NULL;
}

/* The element of v.x. NULL: the operand is none of a vector that the module declares. */
static struct litmus_operand *resolve_element(struct inliner *in, const struct litmus_operand *operand) {
  const struct litmus_word *name = operand->u.words.first, *dot = name->next;
  const struct binding *binding = vector_named(in, name->text);
  const char *letter = binding && dot && strlen(dot->text) == 2 ? strchr(letters, dot->text[1]) : NULL;
  const char *colour = binding && dot && strlen(dot->text) == 2 ? strchr(colours, dot->text[1]) : NULL;
  if (!letter && !colour) return NULL;
  return element_of(in, binding, (unsigned)(letter ? letter - letters : colour - colours), operand->span);
}

/* %tid.x becomes the register %$tid$x, whose name can be read again. Special registers that no placement determines
 * stay. */
static struct litmus_operand *give_special(struct inliner *in, struct litmus_operand *operand) {
  struct text name = {.arena = arena_of(in)};
  bool plain = operand->kind == LITMUS_NAME && operand->u.ref.percent;
  if (operand->kind != LITMUS_SPECIAL && !plain) return operand;
  if (plain) text_add(&name, operand->u.ref.name);
  LIST_EACH (w, plain ? NULL : operand->u.words.first) text_add(&name, w->text);
  const char *text = text_str(&name) + (text_str(&name)[0] == '%');
  enum special special = isa_special(text);
  bool environment = strcmp(text, "envreg1") == 0 || strcmp(text, "envreg2") == 0;
  in->x->parse.test->workspace |= environment;
  if (special == SPECIAL_NONE || special == SPECIAL_CLOCK) return operand;
  if ((special == SPECIAL_OPEN || special == SPECIAL_NUMBERED) && !environment) return operand;
  char *given = arena_printf(arena_of(in), "$%s", text), *dot = strchr(given, '.');
  if (dot) *dot = '$';
  operand->kind = LITMUS_NAME;
  operand->u.ref = (struct litmus_ref){.name = kernel_give(in->x, given), .percent = true, .span = operand->span};
  return operand;
}

/* Element `i` of %tid and the like: the fourth is 0. */
static struct litmus_operand *special_element(struct inliner *in, const char *name, unsigned i, struct span span) {
  struct litmus_parse *parse = &in->x->parse;
  if (i == 3) return litmus_number_of(parse, 0, span);
  const char *dot = arena_printf(arena_of(in), ".%c", letters[i]);
  return give_special(
      in, litmus_special_new(parse, litmus_word_of(parse, name, span), litmus_word_of(parse, dot, span), span));
}

/* The elements of a vector that an operand names. NULL: it names none. */
static struct litmus_operand *resolve_vector(struct inliner *in, const struct litmus_operand *operand) {
  const struct litmus_ref *ref = &operand->u.ref;
  const char *name = ref->percent ? name_of(in, arena_printf(arena_of(in), "%%%s", ref->name)) : ref->name;
  const struct binding *binding = vector_named(in, name);
  bool special = ref->percent && !scope_find(&in->scope, name) && isa_special(ref->name) == SPECIAL_NONE &&
                 isa_special(arena_printf(arena_of(in), "%s.x", ref->name)) != SPECIAL_NONE;
  if (!binding && !special) return NULL;
  unsigned count = binding && litmus_has_word(&binding->variable->words, ".v2") ? 2 : 4;
  struct litmus_operand *vector = litmus_operand_new(&in->x->parse, LITMUS_VECTOR, operand->span);
  struct litmus_operand **end = &vector->u.items;
  for (unsigned i = 0; i < count; i++, end = &(*end)->next)
    *end = binding ? element_of(in, binding, i, operand->span) : special_element(in, name, i, operand->span);
  return vector;
}

static struct litmus_operand *resolve_operands(struct inliner *in, const struct litmus_operand *operands);

/* The register that an instruction before the present one computes from the operands. */
static struct litmus_operand *computed(struct inliner *in, const char *text, struct litmus_operand *from,
                                       struct span span) {
  const char *name = name_of(in, arena_printf(arena_of(in), "computed$%u", ++in->number));
  struct litmus_operand *to = litmus_register_of(&in->x->parse, name, span);
  put(in, litmus_instr_of(&in->x->parse, text, litmus_before(to, from), span));
  return litmus_register_of(&in->x->parse, name, span);
}

/* [16], an address that is a number. */
static void resolve_absolute(struct inliner *in, struct litmus_operand *copy) {
  struct litmus_operand *number = litmus_number_of(&in->x->parse, 0, copy->span);
  number->u.number = copy->u.number;
  copy->u.ref = computed(in, in->module->narrow ? "mov.b32" : "mov.b64", number, copy->span)->u.ref;
  copy->kind = LITMUS_BRACKET;
}

/* %r1+4 as a value. False: the operand is another one. */
static bool resolve_sum(struct inliner *in, struct litmus_operand *copy) {
  static const char *const sums[] = {[2] = "add.s16", [4] = "add.s32", [8] = "add.s64"};
  const struct litmus_ref *ref = &copy->u.ref;
  const char *name = ref->percent ? name_of(in, arena_printf(arena_of(in), "%%%s", ref->name)) : ref->name;
  const struct binding *binding = scope_find(&in->scope, name);
  uint32_t bytes = binding && binding->kind == BINDING_REGISTER ? isa_bytes_among(&binding->variable->words) : 0;
  int64_t offset = ref->offset;
  if (!offset || bytes < 2 || bytes > 8) return false;
  struct litmus_operand *number = litmus_number_of(&in->x->parse, (value_t)(offset < 0 ? -offset : offset), copy->span);
  struct litmus_operand *from = litmus_register_of(&in->x->parse, binding->name, copy->span);
  number->u.number.negative = offset < 0;
  from->next = number;
  copy->u.ref = computed(in, sums[bytes], from, copy->span)->u.ref;
  return true;
}

/* A function's name is its address. */
static const struct module_function *function_named(struct inliner *in, const struct litmus_operand *operand) {
  bool name = operand && operand->kind == LITMUS_NAME && !operand->u.ref.percent;
  const struct binding *binding = name ? scope_find(&in->scope, operand->u.ref.name) : NULL;
  return binding && binding->kind == BINDING_FUNCTION ? binding->function : NULL;
}

static struct litmus_operand *resolve_operand(struct inliner *in, const struct litmus_operand *operand) {
  const struct module_function *function = function_named(in, operand);
  if (function) return litmus_number_of(&in->x->parse, module_address(in->module, function), operand->span);
  struct litmus_operand *element = operand->kind == LITMUS_SPECIAL ? resolve_element(in, operand)
                                   : operand->kind == LITMUS_NAME  ? resolve_vector(in, operand)
                                                                   : NULL;
  if (element) return element;
  struct litmus_operand *copy = ARENA_COPY(arena_of(in), operand);
  copy->next = NULL;
  copy->more = resolve_operands(in, operand->more);
  switch (operand->kind) {
    case LITMUS_NAME:
      if (!resolve_sum(in, copy)) resolve_value(in, &copy->u.ref);
      break;
    case LITMUS_NEGATED: resolve_ref(in, &copy->u.ref, false); break;
    case LITMUS_BRACKET: resolve_ref(in, &copy->u.ref, true); break;
    case LITMUS_VECTOR:
    case LITMUS_PAIR:
    case LITMUS_LIST: copy->u.items = resolve_operands(in, operand->u.items); break;
    case LITMUS_TENSOR:
      resolve_ref(in, &copy->u.tensor.ref, true);
      copy->u.tensor.items = resolve_operands(in, operand->u.tensor.items);
      break;
    case LITMUS_ABSOLUTE: resolve_absolute(in, copy); break;
    case LITMUS_NUMBER:
    case LITMUS_SPECIAL: break;
  }
  return give_special(in, copy);
}

static struct litmus_operand *resolve_operands(struct inliner *in, const struct litmus_operand *operands) {
  struct litmus_operand *first = NULL, **end = &first;
  for (; operands; operands = operands->next) {
    *end = resolve_operand(in, operands);
    end = &(*end)->next;
  }
  return first;
}

static void resolve_guard(struct inliner *in, struct litmus_instr *instr, const struct litmus_instr *from) {
  if (!from->guard) return;
  struct litmus_ref ref = litmus_ref_plain(&in->x->parse, from->guard);
  resolve_ref(in, &ref, false);
  instr->guard = litmus_word_of(&in->x->parse, arena_printf(arena_of(in), "%%%s", ref.name), from->guard->span);
  instr->guard_negated = from->guard_negated;
}

/* Parameters of the kernel are memory: ld.param loads through an address, and cvta.param changes none. */
static void drop_param(struct inliner *in, struct litmus_instr *instr) {
  struct litmus_words words = {0};
  bool converts = strcmp(instr->opcode.text, "cvta") == 0, any = false;
  if (strcmp(instr->opcode.text, "ld") != 0 && !converts) return;
  LIST_EACH (word, instr->qualifiers.first) {
    bool param = base_begins(word->text, ".param");
    any = any || param;
    if (!param) words = litmus_words_add(words, litmus_word_of(&in->x->parse, word->text, word->span));
  }
  instr->qualifiers = words;
  if (converts && any) instr->opcode.text = name_of(in, "mov");
}

static struct litmus_instr *resolve_instr(struct inliner *in, const struct litmus_instr *from) {
  struct litmus_instr *instr = ARENA_COPY(arena_of(in), from);
  resolve_guard(in, instr, from);
  instr->operands = resolve_operands(in, from->operands);
  drop_param(in, instr);
  return instr;
}

/* ---- parameters */

/* The type among the qualifiers; "" if there is none. */
static const char *type_dot(const struct litmus_instr *instr) {
  enum ptx_type type = isa_type_among(&instr->qualifiers);
  return type == PTX_TYPES ? "" : isa_type_spelling(type);
}

/* The argument of a call that the bracket names, or NULL. */
static const struct binding *parameter(struct inliner *in, const struct litmus_operand *operand) {
  if (!operand || operand->kind != LITMUS_BRACKET || operand->u.ref.percent) return NULL;
  const struct binding *binding = scope_find(&in->scope, operand->u.ref.name);
  return binding && binding->kind == BINDING_PASSED ? binding : NULL;
}

/* Adds `to = from`. mov has no byte types, so bytes use cvt. */
static void put_move(struct inliner *in, const struct litmus_instr *like, const char *type, struct litmus_operand *to,
                     struct litmus_operand *from) {
  bool byte = strcmp(type, ".u8") == 0 || strcmp(type, ".b8") == 0, sign = strcmp(type, ".s8") == 0;
  const char *moves = byte ? "cvt.u16.u8" : sign ? "cvt.s16.s8" : arena_printf(arena_of(in), "mov%s", type);
  struct litmus_instr *move = new_instr(in, moves, litmus_before(to, litmus_before(from, NULL)), like);
  resolve_guard(in, move, like);
  put(in, move);
}

/* The name of the register that holds the argument's bytes at this offset. */
static const char *passed(struct inliner *in, const char *base, int64_t offset) {
  return name_of(in, arena_printf(arena_of(in), "%s$%lld", base, (long long)offset));
}

/* Replaces ld.param and st.param by moves. False for other instructions. */
static bool put_parameter(struct inliner *in, const struct litmus_instr *from) {
  bool load = strcmp(from->opcode.text, "ld") == 0, store = strcmp(from->opcode.text, "st") == 0;
  const struct litmus_operand *value = load && from->operands ? from->operands : NULL, *place;
  if (!load && !store) return false;
  place = load && value ? value->next : from->operands;
  if (store && place) value = place->next;
  const struct binding *found = parameter(in, place);
  if (!found || !value) return false;
  const struct binding binding = *found;
  uint32_t bytes = isa_bytes_among(&from->qualifiers);
  const struct litmus_operand *item = value->kind == LITMUS_VECTOR ? value->u.items : value;
  for (int64_t offset = place->u.ref.offset; item; item = item->next, offset += bytes) {
    struct litmus_operand *reg = resolve_operand(in, item);
    struct litmus_operand *part = litmus_register_of(&in->x->parse, passed(in, binding.name, offset), place->span);
    put_move(in, from, type_dot(from), load ? reg : part, load ? part : reg);
    if (value->kind != LITMUS_VECTOR) break;
  }
  return true;
}

/* ---- calls and jumps */

static void inline_items(struct inliner *in, const struct module_item *items, const struct call *call);

static const struct litmus_operand *call_part(const struct litmus_instr *instr, unsigned part) {
  const struct litmus_operand *o = instr->operands;
  bool results = o && o->kind == LITMUS_LIST;
  if (part == 0) return results ? o->u.items : NULL;
  if (results) o = o->next;
  if (part == 1) return o;
  o = o ? o->next : NULL;
  return o && o->kind == LITMUS_LIST ? o->u.items : NULL;
}

/* The replacements of a function's parameters in a call; registers passed directly get a copy. */
static void bind_all(struct inliner *in, const struct litmus_instr *like, const struct module_variable *formal,
                     const struct litmus_operand *actual, bool result) {
  for (; formal && actual; formal = formal->next, actual = actual->next) {
    const struct binding *found =
        actual->kind == LITMUS_NAME && !actual->u.ref.percent ? scope_find(&in->scope, actual->u.ref.name) : NULL;
    struct binding binding = found ? *found : (struct binding){0};
    if (!found || found->kind != BINDING_PASSED) {
      binding = (struct binding){.kind = BINDING_PASSED};
      binding.name = name_of(in, arena_printf(arena_of(in), "%s$%u", formal->name.text, ++in->number));
      struct litmus_operand *from = resolve_operand(in, actual);
      struct litmus_operand *to = litmus_register_of(&in->x->parse, passed(in, binding.name, 0), actual->span);
      if (!result) put_move(in, like, formal->words.last ? formal->words.last->text : ".b32", to, from);
    }
    scope_add(&in->scope, formal->name.text, binding);
  }
}

static bool runs_already(const struct call *call, const struct module_function *function) {
  for (; call; call = call->outer)
    if (call->function == function) return true;
  return false;
}

/* The functions that a call through a register may reach: those of the list that it names or, where it names a
 * prototype, those whose address the module takes. */
static bool may_reach(struct inliner *in, const struct litmus_instr *from, const struct module_function *function) {
  const struct litmus_operand *last = call_part(from, 1);
  while (last->next) last = last->next;
  const struct binding *list = last->kind == LITMUS_NAME ? scope_find(&in->scope, last->u.ref.name) : NULL;
  if (!list || list->kind != BINDING_TARGETS) return function->has_body && module_takes(in->module, function);
  LIST_EACH (target, list->targets)
    if (target->text == function->name.text) return function->has_body;
  return false;
}

/* A function that does not return ends the execution, as a failing assert does (K10). */
static bool ends_thread(const struct module_function *function) {
  return SOME(LIST_EACH (a, function->attributes.first), strcmp(a->name.text, ".noreturn") == 0) ||
         strcmp(function->name.text, "__assertfail") == 0;
}

/* Calls of functions without a body: printf has no effect on the memory of a test; other functions are unknown. */
static void put_outside(struct inliner *in, const struct litmus_instr *from, const struct module_function *function) {
  const struct litmus_operand *result = call_part(from, 0);
  if (function && strcmp(function->name.text, "vprintf") == 0) {
    const struct binding *binding = result ? scope_find(&in->scope, result->u.ref.name) : NULL;
    if (!binding || binding->kind != BINDING_PASSED) return;
    put_move(in, from, ".b32", litmus_register_of(&in->x->parse, passed(in, binding->name, 0), result->span),
             litmus_number_of(&in->x->parse, 0, result->span));
    return;
  }
  struct litmus_instr *instr = new_instr(in, function && ends_thread(function) ? "trap" : "call", NULL, from);
  resolve_guard(in, instr, from);
  put(in, instr);
}

static void put_jump(struct inliner *in, const struct litmus_instr *like, const char *label) {
  struct litmus_operand *to = litmus_register_of(&in->x->parse, label, like->span);
  struct litmus_instr *jump = new_instr(in, "bra", to, like);
  to->u.ref.percent = false;
  resolve_guard(in, jump, like);
  put(in, jump);
}

/* A call under a predicate jumps around it. */
static const char *skip_unless(struct inliner *in, const struct litmus_instr *from) {
  if (!from->guard) return NULL;
  const char *label = name_of(in, arena_printf(arena_of(in), "$skip$%u", ++in->number));
  struct litmus_instr inverse = *from;
  inverse.guard_negated = !from->guard_negated;
  put_jump(in, &inverse, label);
  return label;
}

static bool is_inlined(const struct inliner *in, const struct module_function *function, const struct call *outer) {
  return function && function->has_body && !runs_already(outer, function) && in->number <= INSTRUCTION_LIMIT;
}

/* Inlines a call without a guard. */
static void inline_function(struct inliner *in, const struct litmus_instr *from, const struct module_function *function,
                            const struct call *outer) {
  uint32_t number = ++in->number, depth = in->scope.list.len;
  bind_all(in, from, function->params, call_part(from, 2), false);
  bind_all(in, from, function->results, call_part(from, 0), true);
  struct call call = {function, outer, name_of(in, arena_printf(arena_of(in), "$end$%u", number)), number};
  inline_items(in, function->items, &call);
  put_label(in, call.end, from->span);
  scope_leave(&in->scope, depth);
}

/* Puts `setp.eq p, operand, number` and a branch to the label where it is true, or with `otherwise` false. */
static void put_compare(struct inliner *in, const struct litmus_instr *like, const struct litmus_operand *operand,
                        bool wide, value_t number, const char *label, bool otherwise) {
  struct litmus_instr jump = *like;
  const char *predicate = name_of(in, arena_printf(arena_of(in), "is$%u", ++in->number));
  struct litmus_operand *to = litmus_register_of(&in->x->parse, predicate, like->span);
  to->next = litmus_before(resolve_operand(in, operand), litmus_number_of(&in->x->parse, number, like->span));
  put(in, new_instr(in, wide ? "setp.eq.u64" : "setp.eq.u32", to, like));
  jump.guard = NULL;
  put_jump(in, &jump, label);
  struct litmus_instr *last = in->code->data[in->code->len - 1].instr;
  last->guard = litmus_word_of(&in->x->parse, arena_printf(arena_of(in), "%%%s", predicate), like->span);
  last->guard_negated = otherwise;
}

/* Replaces a call through a register by comparisons with the addresses of the functions that it may reach. */
static void inline_indirect(struct inliner *in, const struct litmus_instr *from, const struct call *outer) {
  const char *done = name_of(in, arena_printf(arena_of(in), "$called$%u", ++in->number));
  const struct litmus_operand *to = call_part(from, 1);
  for (const struct module_function *f = in->module->functions.first; f && to; f = f->next) {
    bool alike = LIST_LENGTH(f->params) == LIST_LENGTH(call_part(from, 2)) &&
                 LIST_LENGTH(f->results) == LIST_LENGTH(call_part(from, 0));
    if (!alike || !may_reach(in, from, f) || !is_inlined(in, f, outer)) continue;
    const char *next = name_of(in, arena_printf(arena_of(in), "$other$%u", ++in->number));
    put_compare(in, from, to, !in->module->narrow, module_address(in->module, f), next, true);
    inline_function(in, from, f, outer);
    put_jump(in, from, done);
    put_label(in, next, from->span);
  }
  put_outside(in, from, NULL);
  put_label(in, done, from->span);
}

static void inline_call(struct inliner *in, const struct litmus_instr *from, const struct call *outer) {
  const struct module_function *function = function_named(in, call_part(from, 1));
  if (function && !is_inlined(in, function, outer)) {
    put_outside(in, from, function);
    return;
  }
  const char *skip = skip_unless(in, from);
  struct litmus_instr plain = *from;
  plain.guard = NULL;
  if (function) inline_function(in, &plain, function, outer);
  else inline_indirect(in, &plain, outer);
  if (skip) put_label(in, skip, from->span);
}

/* Replaces brx.idx by a sequence of comparisons and branches. */
static void put_indirect(struct inliner *in, const struct litmus_instr *from) {
  const struct litmus_operand *index = from->operands, *list = index ? index->next : NULL;
  const struct binding *binding = list && list->kind == LITMUS_NAME ? scope_find(&in->scope, list->u.ref.name) : NULL;
  if (!binding || binding->kind != BINDING_TARGETS) {
    put(in, resolve_instr(in, from));
    return;
  }
  value_t at = 0;
  for (const struct litmus_word *target = binding->targets; target; target = target->next, at++) {
    const struct binding *label = scope_find(&in->scope, target->text);
    const char *name = label && label->kind == BINDING_LABEL ? label->name : target->text;
    put_compare(in, from, index, false, at, name, false);
  }
}

/* Replaces a move of vectors by moves of their elements, through registers of its own: both may name a register. */
static bool put_vector_move(struct inliner *in, const struct litmus_instr *from) {
  bool moves = strcmp(from->opcode.text, "mov") == 0 && from->operands && from->operands->next;
  if (!moves || !(litmus_has_word(&from->qualifiers, ".v2") || litmus_has_word(&from->qualifiers, ".v4"))) return false;
  struct litmus_operand *to = resolve_operand(in, from->operands), *value = resolve_operand(in, from->operands->next);
  if (to->kind != LITMUS_VECTOR || value->kind != LITMUS_VECTOR) return false;
  const char *kept = name_of(in, arena_printf(arena_of(in), "vector$%u", ++in->number));
  for (unsigned pass = 0; pass < 2; pass++) {
    const struct litmus_operand *target = to->u.items, *source = value->u.items;
    for (int64_t i = 0; target && source; target = target->next, source = source->next, i++) {
      bool sink = target->kind == LITMUS_NAME && strcmp(target->u.ref.name, "_") == 0;
      struct litmus_operand *copy = litmus_register_of(&in->x->parse, passed(in, kept, i), from->span);
      const struct litmus_operand *a = pass ? target : copy, *b = pass ? copy : source;
      struct litmus_operand *one = ARENA_COPY(arena_of(in), a), *other = ARENA_COPY(arena_of(in), b);
      one->next = other->next = NULL;
      if (!sink) put_move(in, from, type_dot(from), one, other);
    }
  }
  return true;
}

static bool is_narrow(struct inliner *in, const struct litmus_operand *place) {
  const char *name = arena_printf(arena_of(in), "%s%s", place->u.ref.percent ? "%" : "", place->u.ref.name);
  const struct binding *binding = scope_find(&in->scope, name_of(in, name));
  if (!binding || binding->kind != BINDING_REGISTER) return false;
  const struct litmus_words *words = &binding->variable->words;
  return litmus_has_word(words, ".b32") || litmus_has_word(words, ".u32") || litmus_has_word(words, ".s32");
}

/* Inlines wmma.load and wmma.store as accesses, and replaces wmma.mma by arithmetic. False for other instructions. */
static bool put_wmma(struct inliner *in, const struct litmus_instr *from) {
  const struct litmus_word *what = from->qualifiers.first;
  const struct litmus_operand *place = from->operands;
  if (strcmp(from->opcode.text, "wmma") != 0 || !what || !place) return false;
  if (!isa_has_form(in->x->parse.diags, from)) return true;
  if (strcmp(what->text, ".mma") == 0) {
    struct litmus_instr *instr = resolve_instr(in, from);
    const struct litmus_instr *like = litmus_instr_of(&in->x->parse, WMMA_ARITHMETIC, NULL, from->span);
    instr->opcode.text = like->opcode.text;
    instr->qualifiers = like->qualifiers;
    put(in, instr);
    return true;
  }
  if (place->kind != LITMUS_BRACKET) place = place->next;
  const struct module_function *function = place ? wmma_as_words(in->x, from, is_narrow(in, place)) : NULL;
  if (!function) return false;
  struct call call = {.number = ++in->number};
  uint32_t first = in->code->len;
  inline_items(in, function->items, &call);
  for (uint32_t i = first; i < in->code->len; i++) {
    struct litmus_cell *cell = &in->code->data[i];
    cell->span = cell->instr->span = from->span;
    cell->instr->part = true;
  }
  return true;
}

static void inline_instr(struct inliner *in, const struct litmus_instr *from, const struct call *call) {
  const char *opcode = from->opcode.text;
  if (put_parameter(in, from) || put_wmma(in, from) || put_vector_move(in, from)) return;
  if (strcmp(opcode, "call") == 0) inline_call(in, from, call);
  else if (strcmp(opcode, "brx") == 0) put_indirect(in, from);
  else if (strcmp(opcode, "ret") == 0 && call->end) put_jump(in, from, call->end);
  else put(in, resolve_instr(in, from));
}

/* The items of a function, its own braces included. */
static void inline_items(struct inliner *in, const struct module_item *items, const struct call *call) {
  VEC(uint32_t) depths = {0};
  for (const struct module_item *item = items; item && !in->wrong; item = item->next) {
    bool outer = depths.len == 0;
    switch (item->kind) {
      case MODULE_OPEN:
        VEC_PUSH(arena_of(in), &depths, in->scope.list.len);
        declare_all(in, item->next, outer ? call->number : ++in->number);
        break;
      case MODULE_CLOSE: scope_leave(&in->scope, depths.data[--depths.len]); break;
      case MODULE_LABEL: {
        const struct binding *label = scope_find(&in->scope, item->label->text);
        if (label && label->kind == BINDING_LABEL) put_label(in, label->name, item->span);
        break;
      }
      case MODULE_INSTR: inline_instr(in, item->instr, call); break;
      case MODULE_VARIABLE:
      case MODULE_TARGETS: break;
    }
  }
}

/* ---- the kernel */

static void declare_module(struct inliner *in) {
  LIST_EACH (v, in->module->variables.first) declare(in, v, 0);
  LIST_EACH (f, in->module->functions.first) {
    const struct binding *before = scope_find(&in->scope, f->name.text);
    if (before && (before->kind != BINDING_FUNCTION || before->function->has_body)) continue; /* declared before */
    scope_add(&in->scope, f->name.text,
              (struct binding){.kind = BINDING_FUNCTION, .name = f->name.text, .function = f});
  }
}

bool kernel_inline(struct expansion *x, const struct module *module, const struct module_function *entry,
                   struct code *out) {
  struct inliner in = {.x = x, .module = module, .code = out};
  struct call call = {.function = entry};
  in.scope.arena = x->parse.arena;
  declare_module(&in);
  LIST_EACH (p, entry->params)
    scope_add(&in.scope, p->name.text, (struct binding){.kind = BINDING_VARIABLE, .variable = p});
  inline_items(&in, entry->items, &call);
  if (in.labels) VEC_PUSH(x->parse.arena, out, (struct litmus_cell){.labels = in.labels, .span = entry->span});
  return !in.wrong;
}
