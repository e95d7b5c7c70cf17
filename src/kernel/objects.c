/* Makes the locations of a test from the columns' accesses (docs/semantics.md K1): shared memory is split at the bytes
 * that no access crosses; eight bytes that only operations on mbarrier objects name are one object. */

#include "kernel/columns.h"
#include "ptx/isa.h"

/* Bytes that belong together, of the shared memory of a kernel. */
struct stretch {
  uint32_t at, end, unit; /* unit: the largest size of elements that all accesses have and begin at a multiple of */
  bool mbarrier, other;
  const char *name;
};

struct stretches {
  struct launching *launch;
  const struct kernel_run *run;
  VEC(struct stretch) list;
};

static struct arena *arena_of(const struct launching *l) { return l->x->parse.arena; }

/* ---- shared memory */

static bool is_of(const struct stretches *s, const struct region *region) {
  return region->space == SPACE_SHARED && s->launch->ctas.data[region->owner].run == s->run;
}

static uint32_t unit_of(uint32_t at, uint32_t bytes) {
  uint32_t unit = 16;
  while (unit > 1 && (at % unit || bytes % unit)) unit /= 2;
  return unit;
}

static const struct shared_variable *variable_at(const struct stretches *s, uint32_t at) {
  const struct shared_variable *found = NULL;
  VEC_EACH (v, &s->launch->shared)
    if (v->run == s->run && v->at <= at && at < v->at + v->bytes) found = v;
  return found;
}

/* An access at an unknown address may reach any byte of a variable. */
static void widen(const struct stretches *s, struct stretch *stretch) {
  const struct shared_variable *v = variable_at(s, stretch->at);
  uint32_t end = v ? v->at + v->bytes : s->run->shared_bytes;
  stretch->at = v ? v->at : 0;
  if (end > stretch->end) stretch->end = end;
  stretch->unit = unit_of(stretch->at, stretch->end - stretch->at);
}

static void add_stretch(struct stretches *s, const struct touch *touch) {
  if (!is_of(s, touch->region) || (touch->pointer && !touch->joins) || !touch->bytes) return;
  struct stretch new = {.at = touch->at, .end = touch->at + touch->bytes, .unit = unit_of(touch->at, touch->bytes)};
  if (touch->bytes <= 16 && touch->at % touch->bytes) new.at -= touch->at % 16; /* it stays so, and others aligned */
  new.mbarrier = touch->mbarrier;
  new.other = !touch->mbarrier;
  if (touch->region->whole && !touch->mbarrier) widen(s, &new);
  uint32_t kept = 0;
  VEC_EACH (old, &s->list) {
    if (old->end <= new.at || new.end <= old->at) {
      s->list.data[kept++] = *old;
      continue;
    }
    new.at = old->at < new.at ? old->at : new.at;
    new.end = old->end > new.end ? old->end : new.end;
    new.unit = old->unit < new.unit ? old->unit : new.unit;
    new.mbarrier |= old->mbarrier;
    new.other |= old->other;
  }
  s->list.len = kept;
  VEC_PUSH(arena_of(s->launch), &s->list, new);
}

static bool comes_before(const struct stretch *a, const struct stretch *b) { return a->at < b->at; }

static struct litmus_entry *declared(const struct launching *l, const char *name) {
  return LIST_FIND(entry, l->x->parse.test->entries,
                   !entry->at && entry->ref.owner == LITMUS_OWNER_NONE && entry->ref.name == name);
}

static bool is_declared(const struct launching *l, const char *name) { return declared(l, name) != NULL; }

static const char *unused_name(struct launching *l, const char *name) {
  name = intern(l->x->parse.names, name);
  while (is_declared(l, name)) name = intern(l->x->parse.names, arena_printf(arena_of(l), "%s_", name));
  return name;
}

/* True if a location that the test declares, or that another kernel has, is the variable: of its name and size. */
static bool is_same(const struct stretches *s, const struct stretch *stretch, const char *name) {
  const struct litmus_entry *entry = declared(s->launch, name);
  if (!entry || !SOME(LIST_EACH (word, entry->qualifiers.first), strcmp(word->text, ".shared") == 0)) return false;
  VEC_EACH (other, &s->list)
    if (other->name == name) return false; /* another function's variable of this name */
  uint32_t bytes = isa_bytes_among(&entry->qualifiers) * (entry->has_count ? entry->count : 1);
  return isa_type_among(&entry->qualifiers) == PTX_TYPES || bytes == stretch->end - stretch->at;
}

static const char *source_name(const struct stretches *s, const struct shared_variable *v) {
  const char *name = module_source_name(s->launch->x->parse.names, v->variable->name.text);
  return name[0] == '%' ? arena_printf(arena_of(s->launch), "$%s", name + 1) : name;
}

/* True if the stretch is the whole variable, or all of it that is accessed. */
static bool is_named_whole(const struct stretches *s, const struct stretch *stretch, const struct shared_variable *v) {
  return stretch->at == v->at && (stretch->end == v->at + v->bytes || s->list.len == 1);
}

/* The variable's name for the whole variable; otherwise the name with the offset of the byte. */
static const char *stretch_name(struct stretches *s, const struct stretch *stretch) {
  const struct shared_variable *v = variable_at(s, stretch->at);
  struct launching *l = s->launch;
  if (!v) return unused_name(l, arena_printf(arena_of(l), "shared_%u", stretch->at));
  const char *name = source_name(s, v);
  bool whole = stretch->at == v->at && stretch->end == v->at + v->bytes;
  if (whole && is_same(s, stretch, intern(l->x->parse.names, name))) return intern(l->x->parse.names, name);
  if (is_named_whole(s, stretch, v)) return unused_name(l, name);
  return unused_name(l, arena_printf(arena_of(l), "%s_%u", name, stretch->at - v->at));
}

static void append(struct launching *l, struct litmus_entry *entry) {
  struct litmus_entry **end = &l->x->parse.test->entries;
  while (*end) end = &(*end)->next;
  *end = entry;
}

static const char *const units[] = {[1] = ".b8", [2] = ".b16", [4] = ".b32", [8] = ".b64", [16] = ".b128"};

/* Marks the bytes that threads without a column write as given (K5). */
static void add_given(const struct stretches *s, const struct stretch *stretch, struct litmus_entry *entry) {
  struct launching *l = s->launch;
  VEC_VALUES (region, &l->memory.regions) {
    if (region->space != SPACE_SHARED || l->ctas.data[region->owner].run != s->run) continue;
    for (uint32_t k = stretch->at, end; k < stretch->end; k = end) {
      for (end = k; end < stretch->end && memory_byte(region, end)->represented && !memory_byte(region, end)->exact;
           end++) {
      }
      if (end == k) {
        end++;
        continue;
      }
      struct litmus_given *given =
          ARENA_MAKE(arena_of(l), struct litmus_given, .cta = l->ctas.data[region->owner].number, .next = entry->given);
      given->gpu = l->ctas.data[region->owner].gpu;
      given->begin = k - stretch->at, given->end = end - stretch->at;
      entry->given = given;
    }
  }
}

static void add_shared(struct stretches *s, struct stretch *stretch) {
  struct launching *l = s->launch;
  const struct shared_variable *v = variable_at(s, stretch->at);
  struct span span = v ? v->variable->span : s->run->kernel->span;
  stretch->name = stretch_name(s, stretch);
  struct litmus_words qualifiers = {0}, types = {0};
  bool object = stretch->mbarrier && !stretch->other && stretch->end - stretch->at == 8;
  if (object) types = litmus_words_add(types, litmus_word_of(&l->x->parse, "mbarrier", span));
  else qualifiers = litmus_words_add(qualifiers, litmus_word_of(&l->x->parse, ".shared", span));
  uint32_t unit = stretch->unit > 8 ? 8 : stretch->unit, count = (stretch->end - stretch->at) / unit;
  if (!object) qualifiers = litmus_words_add(qualifiers, litmus_word_of(&l->x->parse, units[unit], span));
  struct litmus_ref ref = {.name = stretch->name, .span = span};
  struct litmus_entry *entry = declared(l, stretch->name);
  bool own = !entry;
  if (own) entry = litmus_entry_new(&l->x->parse, qualifiers, types, ref, span);
  entry->place = stretch->at;
  if (v && !is_named_whole(s, stretch, v)) entry->whole = source_name(s, v), entry->part = stretch->at - v->at;
  if (!own && (entry->qualifiers.first || entry->types.first)) {
    if (entry->unset) add_given(s, stretch, entry); /* of another launch, whose CTAs have their own */
    return;
  }
  entry->qualifiers = qualifiers;
  entry->types = types;
  entry->is_array = entry->has_count = !object && (count > 1 || (v && v->variable->is_array));
  entry->count = count;
  entry->unset = own && !object;
  if (entry->unset) add_given(s, stretch, entry);
  if (own) append(l, entry);
}

/* An address that no access of the test reaches is a number. */
static void make_number(const struct naming *name) {
  name->operand->kind = LITMUS_NUMBER;
  name->operand->u.number = (struct litmus_number){.value = name->address, .span = name->operand->span};
}

static void name_shared(const struct stretches *s, const struct runner *r, const struct naming *name) {
  const struct stretch *found = NULL;
  for (uint32_t i = 0; i < s->list.len; i++)
    if (s->list.data[i].at <= name->at && name->at < s->list.data[i].end) found = &s->list.data[i];
  if (!found) {
    make_number(name);
    return;
  }
  bool tensor = name->operand->kind == LITMUS_TENSOR;
  struct litmus_ref *ref = tensor ? &name->operand->u.tensor.ref : &name->operand->u.ref;
  ref->name = found->name;
  ref->offset = (int64_t)name->at - found->at;
  if (name->region->owner == r->cta) return;
  ref->owner = LITMUS_OWNER_CTA;
  ref->cta = s->launch->ctas.data[name->region->owner].number;
  ref->gpu = s->launch->ctas.data[name->region->owner].gpu;
  ref->has_gpu = true;
}

/* ---- The names in a condition */

static bool term_names(const struct litmus_term *term, const char *name) {
  return term && term->kind != LITMUS_TERM_NUMBER && term->ref.name == name;
}

static bool cond_names(const struct litmus_cond *cond, const char *name) {
  if (!cond) return false;
  return SOME(LIST_EACH (part, cond->parts), cond_names(part, name)) ||
         (cond->kind == LITMUS_COMPARE && (term_names(cond->a, name) || term_names(cond->b, name)));
}

static bool is_asked_about(const struct launching *l, const char *name) {
  const struct litmus_test *test = l->x->parse.test;
  return SOME(LIST_EACH (term, test->locations), term_names(term, name)) || cond_names(test->condition, name) ||
         cond_names(test->filter, name);
}

/* True if some access may reach any byte of the variable, which has no object. */
static bool is_reached(const struct stretches *s, const struct shared_variable *v) {
  const struct launching *l = s->launch;
  bool whole = false;
  for (uint32_t i = 0; i < s->list.len; i++)
    if (s->list.data[i].mbarrier && s->list.data[i].at < v->at + v->bytes && v->at < s->list.data[i].end) return false;
  VEC_VALUES (region, &l->memory.regions)
    whole = whole || (region->whole && region->space == SPACE_SHARED && l->ctas.data[region->owner].run == s->run);
  return whole;
}

/* Keeps a variable whole if the test asks about it, if the init block declares it, or if an access to it is at an
 * unknown address. */
static void keep_whole(struct stretches *s) {
  struct launching *l = s->launch;
  VEC_EACH (v, &l->shared) {
    const char *name = module_source_name(l->x->parse.names, v->variable->name.text);
    bool asked = is_asked_about(l, name) || is_asked_about(l, v->variable->name.text) || is_declared(l, name);
    if (v->run != s->run || (!asked && !is_reached(s, v))) continue;
    struct region region = {.space = SPACE_SHARED, .owner = s->run->first_cta};
    struct touch all = {.region = &region, .at = v->at, .bytes = v->bytes};
    add_stretch(s, &all);
  }
}

static void add_stretches(struct launching *l, const struct kernel_run *run) {
  struct stretches s = {.launch = l, .run = run};
  EACH_COLUMN (r, l)
    VEC_EACH (touch, &r->touches) add_stretch(&s, touch);
  keep_whole(&s);
  VEC_SORT(&s.list, comes_before);
  for (uint32_t i = 0; i < s.list.len; i++) add_shared(&s, &s.list.data[i]);
  EACH_COLUMN (r, l)
    VEC_EACH (name, &r->names)
      if (is_of(&s, name->region)) name_shared(&s, r, name);
}

/* ---- global memory */

static bool is_touched(struct launching *l, const struct region *region) {
  EACH_COLUMN (r, l) {
    VEC_EACH (touch, &r->touches)
      if (touch->region == region) return true;
    VEC_EACH (name, &r->names)
      if (name->region == region) return true;
  }
  return region->whole;
}

/* The location that an initial value is the address of. NULL: it is none, or one that no column accesses. */
static const struct region *pointed(struct launching *l, const struct litmus_value *value) {
  if (!value->is_address || value->mask) return NULL;
  for (uint32_t i = 0; i < l->variables.len; i++) {
    const struct region *region = l->variables.data[i].region;
    if (l->variables.data[i].variable->name.text != value->ref.name) continue;
    return is_declared(l, region->name) || is_touched(l, region) ? region : NULL;
  }
  return NULL;
}

/* The initial values of a variable: addresses of functions and of what no column accesses are numbers. */
static struct litmus_value *values_of(struct launching *l, const struct region *region,
                                      const struct module_variable *v) {
  struct litmus_value *first = NULL, **end = &first;
  uint32_t size = isa_bytes_among(&v->words), at = 0;
  for (const struct litmus_value *value = v->values; value; value = value->next, at += size) {
    const struct region *to = pointed(l, value);
    struct litmus_value *copy = *end = ARENA_COPY(arena_of(l), value);
    copy->next = NULL;
    end = &copy->next;
    if (to) copy->ref.name = to->name;
    if (to || !value->is_address) continue;
    copy->is_address = false;
    copy->number = (struct litmus_number){.span = value->span};
    for (uint32_t k = 0; k < size && at + k < region->size; k++)
      copy->number.value |= (value_t)memory_byte(region, at + k)->initial << (8 * k);
  }
  return first;
}

/* Variables of modules, and the workspace of a cooperative launch, in the order of memory. */
static void add_global(struct launching *l, const struct region *region) {
  struct span span = l->x->parse.test->kernels->span;
  const struct module_variable *v = NULL;
  for (uint32_t i = 0; i < l->variables.len; i++)
    if (l->variables.data[i].region == region) v = l->variables.data[i].variable;
  struct litmus_words qualifiers = {0};
  const char *space = region->space == SPACE_CONST ? ".const" : ".global";
  enum ptx_type declared = v ? isa_type_among(&v->words) : PTX_TYPES, type = declared == PTX_TYPES ? PTX_B32 : declared;
  qualifiers = litmus_words_add(qualifiers, litmus_word_of(&l->x->parse, space, span));
  qualifiers = litmus_words_add(qualifiers, litmus_word_of(&l->x->parse, isa_type_spelling(type), span));
  struct litmus_ref ref = {.name = region->name, .span = span};
  struct litmus_entry *entry = litmus_entry_new(&l->x->parse, qualifiers, (struct litmus_words){0}, ref, span);
  entry->is_array = entry->has_count = v ? v->is_array : true;
  entry->count = region->size / type_bytes(isa_type(type));
  entry->zeroed = true;
  entry->values = v ? values_of(l, region, v) : NULL;
  entry->braces = entry->values && entry->is_array;
  append(l, entry);
}

static void drop_places(struct litmus_test *test) {
  struct litmus_entry **at = &test->entries;
  while (*at) {
    if ((*at)->at) *at = (*at)->next;
    else at = &(*at)->next;
  }
}

/* A location that grew has the bytes that columns access, unless an access at an unknown address may reach all. */
static void set_lengths(struct launching *l) {
  enum { MARGIN = 1 << 16 }; /* of an array without a length, for addresses that are not known */
  VEC_VALUES (region, &l->memory.regions) {
    struct litmus_entry *entry = region->most ? declared(l, region->name) : NULL;
    if (!entry || (region->whole && entry->has_count)) continue;
    uint32_t end = launch_least_bytes(l, region), item = launch_item_bytes(l, region);
    if (region->whole && region->reach > end) end = region->reach;
    EACH_COLUMN (r, l) {
      VEC_EACH (touch, &r->touches)
        if (touch->region == region && touch->at + touch->bytes > end) end = touch->at + touch->bytes;
      VEC_EACH (name, &r->names)
        if (name->region == region && name->at > end) end = name->at;
    }
    entry->has_count = true;
    entry->count = (end + item - 1) / item + (region->whole ? (uint32_t)MARGIN : 0);
  }
}

void objects_name(struct launching *l) {
  drop_places(l->x->parse.test);
  set_lengths(l);
  VEC_VALUES (region, &l->memory.regions) {
    bool global = region->space == SPACE_GLOBAL || region->space == SPACE_CONST;
    if (global && region->name && !is_declared(l, region->name) && is_touched(l, region)) add_global(l, region);
  }
  for (uint32_t k = 0; k < l->runs.len; k++) add_stretches(l, l->runs.data[k]);
  EACH_COLUMN (r, l)
    VEC_EACH (name, &r->names) {
      if (name->region->space == SPACE_SHARED) continue;
      name->operand->u.ref.name = name->region->name;
      name->operand->u.ref.offset = name->at;
    }
}
