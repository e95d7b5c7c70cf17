/* Writes a test in a part: a struct of device code, and tables for the host. */
#include "chip/chip.h"

struct part {
  struct arena *arena;
  const struct program *program;
  const struct chip_plan *plan;
  uint32_t number;
  struct text *out;
};

void chip_literal(const char *text, struct text *out) {
  text_char(out, '"');
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') text_char(out, '\\');
    if (*text == '\n') text_add(out, "\\n");
    else if ((unsigned char)*text < ' ' || (unsigned char)*text > '~') text_printf(out, "\\%03o", (unsigned char)*text);
    else text_char(out, *text);
  }
  text_char(out, '"');
}

/* Replaces backslashes and hidden characters by '/': a backslash at the end would continue the comment on the next
 * line. */
void chip_comment(const char *text, struct text *out) {
  text_add(out, "// ");
  for (size_t length; *text; text += length) {
    if (text_is_hidden(text_character(text, &length)) || *text == '\\') text_char(out, '/');
    else text_add_slice(out, text, length);
  }
  text_char(out, '\n');
}

/* ---- device code */

static void add_roles(struct part *p) {
  const struct chip_plan *plan = p->plan;
  text_printf(p->out,
              "  static __device__ __forceinline__ int role(uint32_t cluster, uint32_t rank, uint32_t seat) {\n"
              "    switch ((cluster * cluster_size + rank) * seats + %s) {\n",
              plan->lanes ? arena_printf(p->arena, "seat / %u * %u", plan->lanes, plan->lanes) : "seat");
  for (uint32_t t = 0; t < p->program->thread_count; t++) {
    const struct chip_role *role = &plan->roles[t];
    if (p->program->threads[t].host) continue;
    text_printf(p->out, "      case %u: return %u;\n",
                (role->cluster * plan->cluster_size + role->rank) * plan->seats + role->seat, t);
  }
  text_add(p->out, "      default: return -1;\n    }\n  }\n");
}

/* Adds, for each cluster, the number of its launch: its GPU or its grid. */
static void add_launches(struct part *p) {
  uint32_t known = 0;
  text_add(p->out, "  static __device__ __forceinline__ uint32_t part(uint32_t cluster) {\n    switch (cluster) {\n");
  ARRAY_EACH (role, p->plan->roles, p->program->thread_count) {
    if (role->cluster < known) continue;
    known = role->cluster + 1;
    uint32_t part = role->gpu + role->grid; /* gpu or grid is 0 */
    if (part) text_printf(p->out, "      case %u: return %u;\n", role->cluster, part);
  }
  text_add(p->out, "      default: return 0;\n    }\n  }\n");
}

static bool is_shared(const struct part *p, uint32_t observed, uint32_t cta) {
  const struct observable *o = &p->program->observables[observed];
  if (o->is_reg) return false;
  const struct object *object = &p->program->objects[o->object];
  return object->space == SPACE_SHARED && object->owner == cta;
}

/* Adds code by which one thread of the CTA stores the final values of its shared memory. */
static void add_finals(struct part *p, uint32_t cta) {
  for (uint32_t i = 0; i < p->program->observed_count; i++) {
    const struct observable *o = &p->program->observables[i];
    if (!is_shared(p, i, cta)) continue;
    uint32_t bytes = type_bytes(o->type), offset = p->plan->objects[o->object] + o->element * bytes;
    for (uint32_t half = 0; half < (bytes > 8 ? 2u : 1u); half++)
      text_printf(p->out, "          m.result(%u, *(volatile uint%u_t *)m.shared_generic(shared_size, %u));\n",
                  p->plan->results[i] + half, bytes > 8 ? 64 : 8 * bytes, offset + 8 * half);
  }
}

static bool observes_shared(const struct part *p, uint32_t cta) {
  return SOME_BELOW(i, p->program->observed_count, is_shared(p, i, cta));
}

static void add_threads(struct part *p) {
  text_add(p->out,
           "  static __device__ __forceinline__ void play(uint32_t role, const memory &m) {\n    switch (role) {\n");
  for (uint32_t t = 0; t < p->program->thread_count; t++) {
    uint32_t cta = p->program->threads[t].cta_id;
    if (p->program->threads[t].host) continue;
    text_printf(p->out, "      case %u: {\n", t);
    chip_thread(p->arena, p->program, p->plan, t, p->out);
    if (!p->plan->remote && observes_shared(p, cta)) {
      text_printf(p->out, "        if (%slast_of(m, shared_size, %u, %u)) {\n",
                  p->plan->lanes ? arena_printf(p->arena, "threadIdx.x %% %u == 0 && ", p->plan->lanes) : "",
                  p->plan->counter,
                  COUNT(for (uint32_t i = 0; i < p->program->thread_count; i++), p->program->threads[i].cta_id == cta));
      add_finals(p, cta);
      text_add(p->out, "        }\n");
    }
    text_add(p->out, "        break;\n      }\n");
  }
  text_add(p->out, "    }\n  }\n");
}

/* The threads of the host, numbered among themselves. */
static void add_hosts(struct part *p) {
  uint32_t number = 0;
  text_add(p->out, "  static void play_host(uint32_t number, const memory &m) {\n    switch (number) {\n");
  for (uint32_t t = 0; t < p->program->thread_count; t++) {
    if (!p->program->threads[t].host) continue;
    text_printf(p->out, "      case %u: {\n", number++);
    chip_thread(p->arena, p->program, p->plan, t, p->out);
    text_add(p->out, "        break;\n      }\n");
  }
  text_add(p->out, "    }\n  }\n");
}

/* With remote accesses: after all threads have ended, the first thread of each CTA reads its shared memory. */
static void add_finish(struct part *p) {
  text_add(p->out, "  static __device__ __forceinline__ void finish(uint32_t role, const memory &m) {\n"
                   "    switch (role) {\n");
  for (uint32_t t = 0; t < p->program->thread_count && p->plan->remote; t++) {
    uint32_t cta = p->program->threads[t].cta_id;
    bool first = observes_shared(p, cta) && EVERY_BELOW(i, t, p->program->threads[i].cta_id != cta);
    if (!first) continue;
    text_printf(p->out, "      case %u:\n", t);
    add_finals(p, cta);
    text_add(p->out, "          break;\n");
  }
  text_add(p->out, "      default: break;\n    }\n  }\n");
}

static void add_prepare(struct part *p) {
  text_add(p->out, "  static __device__ __forceinline__ void prepare(const launch &l) {");
  if (p->plan->shared_size)
    text_printf(p->out, " prepare_shared<test_%u>(l, shared_%u, shared_count_%u); ", p->number, p->number, p->number);
  text_add(p->out, "}\n");
}

/* Acquires the writes of an earlier launch, and sometimes reads them before the test begins. */
static void add_maps(struct part *p) {
  text_add(p->out, "  static __device__ __forceinline__ void open_maps(const memory &m, bool read) {\n");
  for (uint32_t i = 0; i < p->program->object_count; i++)
    if (p->program->objects[i].is_tensormap)
      text_printf(p->out, "    open_map(m.global(%u, 0), read);\n", p->plan->objects[i]);
  text_add(p->out, "  }\n");
}

/* The number of columns is a power of 2. */
static uint32_t allocated(uint32_t columns) {
  uint32_t count = columns ? CHIP_OBJECT_COLUMNS : 0;
  while (count < columns) count *= 2;
  return count;
}

static void add_struct(struct part *p) {
  const struct chip_plan *plan = p->plan;
  text_printf(p->out, "struct test_%u {\n", p->number);
  text_printf(p->out,
              "  enum : uint32_t { clusters = %u, cluster_size = %u, warps = %u, seats = %u, objects = %u, "
              "shared_size = %u, gpus = %u, grids = %u, hosts = %u };\n",
              plan->clusters, plan->cluster_size, plan->warps, plan->seats, plan->global_count, plan->shared_size,
              plan->gpus, plan->grids, plan->hosts);
  text_printf(p->out, "  static constexpr bool narrow = %s, remote = %s, async = %s, maps = %s;\n",
              plan->narrow ? "true" : "false", plan->remote ? "true" : "false", plan->async ? "true" : "false",
              plan->map_bytes ? "true" : "false");
  text_printf(p->out, "  static constexpr uint32_t group = %u, columns = %u;\n", plan->group, allocated(plan->columns));
  add_roles(p);
  add_launches(p);
  add_prepare(p);
  if (plan->map_bytes) add_maps(p);
  add_threads(p);
  add_finish(p);
  if (plan->hosts) add_hosts(p);
  text_add(p->out, "};\n\n");
}

/* ---- tables */

static void add_initials(struct part *p, bool shared) {
  for (uint32_t i = 0; i < p->program->object_count; i++) {
    const struct object *object = &p->program->objects[i];
    uint32_t bytes = type_bytes(object->type), place = p->plan->objects[i];
    if ((object->space == SPACE_SHARED) != shared || (shared && chip_first_of(p->program, i) < i)) continue;
    if (object->is_tensormap) {
      text_printf(p->out, "  {%u, 0, 128, %u, 0},\n", place,
                  p->plan->objects[chip_object_at(p->program, object->init[0])]);
      continue;
    }
    if (object->expected) text_printf(p->out, "  {0, %u, 0, %u, 0},\n", place, object->expected);
    for (uint32_t k = 0; k < object->count; k++) {
      value_t value = object->init[k] & value_mask(8 * bytes);
      if (shared && value == 0) continue; /* shared memory starts as zeros */
      uint32_t rows = shared && p->plan->matrices[i] ? CHIP_MATRIX_ROWS : 1;
      for (uint32_t row = 0; row < rows; row++)
        text_printf(p->out, "  {%u, %u, %u, 0x%llxu, 0x%llxu},\n", shared ? 0 : place,
                    (shared ? place : 0) + k * bytes + row * 16, bytes, (unsigned long long)value,
                    (unsigned long long)(value >> 64));
    }
  }
}

static void add_memory(struct part *p) {
  static const char *const homes[] = {
      [CHIP_ARENA] = "in_arena", [CHIP_CONSTANT] = "in_constants", [CHIP_ARRAY] = "in_array",
      [CHIP_MAP] = "is_map",     [CHIP_MAPPED] = "is_mapped",      [CHIP_MANAGED] = "is_managed"};
  text_printf(p->out, "const object objects_%u[] = {", p->number);
  for (uint32_t i = 0; i < p->program->object_count; i++)
    if (p->program->objects[i].space == SPACE_GLOBAL)
      text_printf(p->out, "{%u, %s}, ", p->plan->homes[i] == CHIP_MAP ? 128 : p->program->objects[i].size,
                  homes[p->plan->homes[i]]);
  text_add(p->out, "{}};\n");
  text_printf(p->out, "const initial initials_%u[] = {\n", p->number);
  add_initials(p, false);
  text_add(p->out, "  {}};\n");
  if (!p->plan->shared_size) return;
  text_printf(p->out, "__device__ const initial shared_%u[] = {\n", p->number);
  add_initials(p, true);
  text_printf(p->out, "  {}};\nconstexpr uint32_t shared_count_%u = sizeof shared_%u / sizeof(initial) - 1;\n",
              p->number, p->number);
}

static void add_observables(struct part *p) {
  text_printf(p->out, "const observable observables_%u[] = {\n", p->number);
  for (uint32_t i = 0; i < p->program->observed_count; i++) {
    const struct observable *o = &p->program->observables[i];
    bool global = p->plan->results[i] == CHIP_NO_PLACE;
    const char *kind = type_is_float(o->type)        ? "value_bits"
                       : o->type.kind == TYPE_SIGNED ? "value_signed"
                                                     : "value_unsigned";
    text_add(p->out, "  {");
    chip_literal(o->name, p->out);
    text_printf(p->out, ", %s, %u, %s, %u, %u, %u},\n", kind, o->type.width, global ? "true" : "false",
                global ? p->plan->objects[o->object] : 0, global ? o->element * type_bytes(o->type) : 0,
                global ? 0 : p->plan->results[i]);
  }
  text_add(p->out, "  {}};\n\n");
}

void chip_code(struct arena *arena, const struct program *program, const struct chip_plan *plan, uint32_t number,
               struct text *out) {
  struct part p = {arena, program, plan, number, out};
  if (plan->reason) return;
  chip_comment(program->name, out);
  add_memory(&p);
  add_observables(&p);
  add_struct(&p);
}

void chip_row(const struct program *program, const struct chip_plan *plan, uint32_t number, const char *json,
              struct text *out) {
  static const char *const isas[HOST_ISAS] = {[HOST_X86] = "isa_x86_64", [HOST_A64] = "isa_aarch64"};
  text_add(out, "  {");
  chip_literal(program->name, out);
  text_add(out, ",\n   ");
  chip_literal(json, out);
  text_add(out, ",\n   ");
  if (plan->reason) {
    chip_literal(plan->reason, out);
    text_add(out, "},\n");
    return;
  }
  text_printf(out, "NULL, objects_%u, %u, %u, initials_%u, sizeof initials_%u / sizeof(initial) - 1,\n", number,
              plan->global_count, plan->alias_count, number, number);
  text_printf(out, "   observables_%u, %u, %u, %u, %u, %u, ", number, program->observed_count, plan->result_count,
              plan->clusters * plan->cluster_size, plan->cluster_size, plan->seats);
  const bool facts[] = {plan->narrow, plan->barriers, plan->single, plan->stops, plan->textures, plan->follows};
  for (size_t i = 0; i < ARRAY_LEN(facts); i++) text_add(out, facts[i] ? "true, " : "false, ");
  text_printf(out, "%u, %u, %u, kernel_of<test_%u>(), %s, %u, %u", plan->shared_size, plan->gpus, plan->grids, number,
              SOME_BELOW(i, program->object_count, plan->homes[i] == CHIP_CONSTANT) ? "constants" : "NULL",
              plan->map_bytes, plan->capability);
  if (plan->hosts)
    text_printf(out, ", %u, %s, %s, test_%u::play_host", plan->hosts, isas[program->host],
                plan->native ? "true" : "false", number);
  text_add(out, "},\n");
}
