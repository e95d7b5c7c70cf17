/* Decides if a test can run on a GPU, and places its threads and its memory. */
#include "chip/emit.h"

enum {
  WARP_LANES = 32,
  MOST_CTAS_OF_A_CLUSTER = 8,
  MOST_THREADS = 1024,
  SHARED_LIMIT = 4096,
  OBJECT_LIMIT = 4096,
  MOST_GPUS = 2,
  MOST_CONSTANTS = 4,
  MOST_OF_A_BOX = 256
};

struct planning {
  struct arena *arena;
  const struct program *program;
  struct chip_plan *plan;
  bool blocks_meet; /* threads synchronize at barriers of a CTA or cluster */
};

/* Refuses the test, unless it was refused before. */
static void refuse(struct planning *p, const char *reason) {
  if (!p->plan->reason) p->plan->reason = reason;
}

/* ---- threads */

static uint32_t cta_count(const struct program *program) {
  uint32_t count = 0;
  for (uint32_t t = 0; t < program->thread_count; t++)
    if (program->threads[t].cta_id >= count) count = program->threads[t].cta_id + 1;
  return count;
}

/* The number of the thread's GPU and cluster among those of devices: each host has one of its own, which none plays. */
static void place_on_device(const struct program *program, const struct thread *thread, uint32_t *gpu,
                            uint32_t *cluster) {
  *gpu = thread->gpu_id;
  *cluster = thread->cluster_id;
  ARRAY_EACH (other, program->threads, program->thread_count) {
    *gpu -= other->host && other->gpu_id < thread->gpu_id;
    *cluster -= other->host && other->cluster_id < thread->cluster_id;
  }
}

static void place_ctas(struct planning *p) {
  const struct program *program = p->program;
  struct chip_plan *plan = p->plan;
  uint32_t ctas = cta_count(program);
  bool *known = ARENA_ARRAY(p->arena, bool, ctas);
  uint32_t *sizes = ARENA_ARRAY(p->arena, uint32_t, ctas);
  plan->ranks = ARENA_ARRAY(p->arena, uint32_t, ctas);
  ARRAY_EACH (thread, program->threads, program->thread_count) {
    uint32_t gpu, cluster;
    if (thread->host) continue;
    place_on_device(program, thread, &gpu, &cluster);
    if (gpu >= MOST_GPUS) refuse(p, "it needs more than two GPUs");
    if (thread->represents) refuse(p, "a thread of it represents others");
    if (gpu && program->host) refuse(p, "a host runs beside one GPU only");
    if (gpu >= plan->gpus) plan->gpus = gpu + 1;
    if (known[thread->cta_id]) continue;
    known[thread->cta_id] = true;
    plan->ranks[thread->cta_id] = sizes[cluster]++;
    if (cluster >= plan->clusters) plan->clusters = cluster + 1;
  }
  if (!plan->clusters) refuse(p, "no thread of it is on a GPU");
  for (uint32_t i = 0; i < plan->clusters; i++)
    if (sizes[i] > plan->cluster_size) plan->cluster_size = sizes[i];
  if (plan->cluster_size > MOST_CTAS_OF_A_CLUSTER) refuse(p, "a cluster has more CTAs than some devices support");
}

/* The number of each warp in its CTA. Threads of one warp have one CTA; warps are numbered in the order of their first
 * threads. */
static uint32_t *number_warps(struct planning *p) {
  const struct program *program = p->program;
  uint32_t *numbers = ARENA_ARRAY(p->arena, uint32_t, program->thread_count);
  uint32_t *known = ARENA_ARRAY(p->arena, uint32_t, program->thread_count), warps = 0;
  ARRAY_EACH (thread, program->threads, program->thread_count) {
    if (thread->warp_id < warps) continue;
    warps = thread->warp_id + 1;
    numbers[thread->warp_id] = known[thread->cta_id]++;
  }
  return numbers;
}

static void seat_threads(struct planning *p) {
  const struct program *program = p->program;
  struct chip_plan *plan = p->plan;
  uint32_t *warps = number_warps(p), *seats = ARENA_ARRAY(p->arena, uint32_t, program->thread_count);
  plan->roles = ARENA_ARRAY(p->arena, struct chip_role, program->thread_count);
  for (uint32_t t = 0; t < program->thread_count; t++) {
    const struct thread *thread = &program->threads[t];
    struct chip_role *role = &plan->roles[t];
    if (thread->host) continue;
    uint32_t warp = warps[thread->warp_id], seat = seats[thread->cta_id]++;
    place_on_device(program, thread, &role->gpu, &role->cluster);
    role->rank = plan->ranks[thread->cta_id];
    role->grid = plan->grids > 1 ? thread->grid : 0;
    role->seat = plan->lanes ? warp * plan->lanes : plan->narrow ? warp * WARP_LANES + thread->lane : seat;
    if (warp >= plan->warps) plan->warps = warp + 1;
    if (role->seat >= plan->seats) plan->seats = role->seat + 1;
  }
  if (plan->lanes) plan->warps *= plan->lanes / WARP_LANES;
  if (plan->narrow) plan->seats = plan->warps * WARP_LANES;
  if ((plan->narrow ? plan->seats : plan->seats * WARP_LANES) > MOST_THREADS)
    refuse(p, "a CTA has more warps than a block can have");
}

/* ---- instructions */

static bool has_control_flow(const struct thread *thread) {
  return SOME(ARRAY_EACH (instr, thread->instrs, thread->instr_count),
              instr->guard.present || instr->kind == INSTR_BRANCH || instr->kind == INSTR_EXIT);
}

/* True if two copies of the test that run in different lanes of one warp may reach an instruction at different times;
 * aligned barriers do not allow that. */
static bool diverges(const struct thread *thread) {
  bool loops =
      SOME_BELOW(i, thread->instr_count,
                 thread->instrs[i].kind == INSTR_MBARRIER && thread->instrs[i].mbarrier->action == MBARRIER_WAIT);
  return loops || has_control_flow(thread);
}

/* True if every path through the thread reaches the instruction exactly once. */
static bool always_comes_to(const struct thread *thread, uint32_t index) {
  for (uint32_t i = 0; i < thread->instr_count; i++) {
    const struct instr *instr = &thread->instrs[i];
    bool jumps = instr->kind == INSTR_BRANCH, leaves = instr->kind == INSTR_EXIT && i < index;
    if (leaves || (jumps && (i < index) != (instr->target <= index))) return false;
  }
  return !thread->instrs[index].guard.present;
}

static void meet_barrier(struct planning *p, const struct thread *thread, const struct instr *instr) {
  const struct barrier *barrier = instr->barrier;
  struct chip_plan *plan = p->plan;
  bool of_cluster = barrier->kind == BARRIER_CLUSTER;
  bool passed_by = of_cluster ? !always_comes_to(thread, (uint32_t)(instr - thread->instrs)) : diverges(thread);
  bool varies = passed_by || barrier->id.kind == OPERAND_REG || barrier->count.kind == OPERAND_REG;
  const char *opcode = instr->ast->opcode.text;
  plan->stops = plan->barriers = true;
  if (strcmp(opcode, "ldmatrix") == 0 || strcmp(opcode, "stmatrix") == 0)
    refuse(p, "ldmatrix and stmatrix need all lanes at one instruction, but each thread has its own code");
  if (barrier->kind == BARRIER_LANES && type_is_float(instr->type))
    refuse(p, "redux of floating-point values needs a later architecture than sm_90");
  if (barrier->kind == BARRIER_WARP || barrier->kind == BARRIER_LANES) {
    if (barrier->id.kind == OPERAND_REG) refuse(p, "a register as a mask of lanes is not supported");
    plan->narrow = true;
    return;
  }
  p->blocks_meet = true;
  if (!varies && barrier->action != BARRIER_RED) return;
  plan->narrow = plan->single = true;
}

/* Textures and surfaces have texels of 32 bits; constants have the types of ld.const. */
static void meet_proxy(struct planning *p, const struct instr *instr) {
  if (instr->proxy == PROXY_GENERIC) return;
  if (!emit_has_image(instr->proxy)) refuse(p, "a GPU has no such proxy");
  bool texel = instr->elements == 1 && instr->type.width == 32 && instr->space == SPACE_GENERIC;
  p->plan->textures |= instr->proxy == PROXY_TEXTURE;
  if (instr->proxy != PROXY_CONSTANT && !texel) refuse(p, "texels must have 32 bits");
  if (instr->proxy == PROXY_CONSTANT && (instr->elements > 1 || instr->type.width > 64))
    refuse(p, "constants must have at most 64 bits");
  if (instr->kind == INSTR_ATOM || instr->kind == INSTR_RED)
    refuse(p, "atomics through other proxies are not supported");
}

static void meet_access(struct planning *p, const struct instr *instr) {
  meet_proxy(p, instr);
  if (instr->is_mmio && instr->sem != SEM_RELAXED)
    refuse(p, "mmio with semantics other than relaxed needs PTX ISA 9.4");
  if (instr->space == SPACE_LOCAL || instr->space == SPACE_PARAM || instr->space == SPACE_CONST)
    refuse(p, "only global and shared memory is supported");
  if (instr->elements * instr->type.width > 128 && !(instr->kind == INSTR_ATOM || instr->kind == INSTR_RED))
    refuse(p, "accesses of 256 bits need a later architecture than sm_90");
  bool adds = (instr->kind == INSTR_ATOM || instr->kind == INSTR_RED) && instr->alu == ALU_ADD;
  if (adds && instr->type.kind == TYPE_FLOAT && instr->type.width == 32 && instr->arith.flush == FLUSH_NEVER &&
      instr->space != SPACE_SHARED)
    refuse(p, "add.noftz.f32 needs PTX ISA 9.4");
}

static void meet_alu(struct planning *p, const struct instr *instr) {
  if (instr->alu == ALU_ACTIVEMASK) refuse(p, "activemask is not supported");
  bool carries = instr->alu == ALU_ADD_CARRY || instr->alu == ALU_SUB_BORROW || instr->alu == ALU_CARRY ||
                 instr->alu == ALU_BORROW;
  if (carries) refuse(p, "the carry flag is not supported: it is in no register of the test");
  if (instr->ast->call && !emit_has_words(instr)) refuse(p, "arithmetic functions of CUDA C++ are not supported");
  if (instr->packed && instr->type.kind == TYPE_FLOAT && instr->type.width == 32)
    refuse(p, "f32x2 needs a later architecture than sm_90");
  bool wide = instr->type.width == 128, whole = instr->alu == ALU_MOV || instr->alu == ALU_AND ||
                                                instr->alu == ALU_OR || instr->alu == ALU_XOR ||
                                                instr->alu == ALU_NOT || instr->alu == ALU_SHL || instr->alu == ALU_SHR;
  if (wide && !whole) refuse(p, "arithmetic on 128 bits is not supported");
}

/* Refuses instructions that cpp.c cannot write in C++. */
static void meet_cpp(struct planning *p, const struct instr *instr) {
  bool access = instr->kind == INSTR_LOAD || instr->kind == INSTR_STORE || instr->kind == INSTR_ATOM;
  if (access && instr->addr.base.kind != OPERAND_IMM) refuse(p, "addresses in registers are not supported in C++");
  if (access && (type_is_float(instr->type) || instr->type.width > 64))
    refuse(p, "in C++ only integers of up to 64 bits are supported");
  if (instr->scope == SCOPE_CLUSTER) refuse(p, "libcu++ has no scope of a cluster");
}

static void meet_proxy_fence(struct planning *p, const struct instr *instr) {
  if (instr->one_way == ONE_WAY_RELEASE_READS)
    refuse(p, "a fence with .sync_restrict::shared::cluster::read needs PTX ISA 9.4");
  bool restricted = instr->proxy == PROXY_GENERIC && instr->one_way;
  bool map = instr->proxy == PROXY_TENSORMAP;
  if (restricted || map || instr->proxy == PROXY_ALIAS || instr->proxy == PROXY_ASYNC) return;
  if (instr->proxy == PROXY_TMEM) {
    if (instr->guard.present) refuse(p, "a guard on tcgen05.fence or tcgen05.wait is not supported");
    return;
  }
  refuse(p, "PTX has no fence for this proxy");
}

static void meet_async(struct planning *p, const struct instr *instr) {
  const struct async *async = instr->async;
  p->plan->async = p->plan->barriers = true;
  const char *refusal = async_row(async->action)->refusal;
  if (refusal) refuse(p, refusal);
  if (async->action == ASYNC_MMA || async_row(async->action)->tensor) {
    refusal = chip_refuse_tensor(p->program, instr);
    if (refusal) refuse(p, refusal);
    return;
  }
  if (async->replicas) refuse(p, "copies to multimem addresses are not supported");
  bool map = async->from_map || async->to_map, one = async->ctas.kind == OPERAND_NONE && !async->paired;
  if (map && (async->reduces || !one)) refuse(p, "a copy through a tensor map must be for one CTA");
  if (async->from_runs.list || async->to_runs.list) refuse(p, "boxes of tensor maps and .cp_mask are not supported");
  if (map && !litmus_has_word(&instr->ast->qualifiers, ".1d"))
    refuse(p, "only tensor maps of one dimension are supported");
  if (async->action == ASYNC_STORE && !async->has_object)
    refuse(p, "st.async.release and red.async.release need a later architecture than sm_90");
  if (async->action == ASYNC_COPY && async->bytes.kind != OPERAND_IMM)
    refuse(p, "cp.async takes a constant number of bytes");
  if (async->action == ASYNC_BULK && litmus_has_word(&instr->ast->qualifiers, ".relaxed"))
    refuse(p, "cp.async.bulk with semantics needs PTX ISA 9.4");
}

static void meet_group(struct planning *p, const struct instr *instr) {
  const struct group *group = instr->group;
  p->plan->async = p->plan->barriers = true;
  if (group->waits && group->left.kind != OPERAND_IMM) refuse(p, "wait_group takes a constant");
}

/* No default: a new kind of instruction must be allowed or refused on a GPU here. */
static void meet_instr(struct planning *p, const struct thread *thread, const struct instr *instr) {
  for (uint32_t i = 0; i < MAX_VECTOR; i++)
    if (instr->src[i].kind == OPERAND_CLOCK) refuse(p, "the value of a clock is not supported");
  if (p->program->cuda || thread->host) meet_cpp(p, instr);
  p->plan->native |= !thread->host && !p->program->pcie && (instr->kind == INSTR_ATOM || instr->kind == INSTR_RED);
  switch (instr->kind) {
    case INSTR_ALU: meet_alu(p, instr); return;
    case INSTR_LOAD:
    case INSTR_STORE:
    case INSTR_ATOM:
    case INSTR_RED: meet_access(p, instr); return;
    case INSTR_PROXY_FENCE: meet_proxy_fence(p, instr); return;
    case INSTR_BARRIER: meet_barrier(p, thread, instr); return;
    case INSTR_MBARRIER: p->plan->async = p->plan->stops = p->plan->barriers = true; return;
    case INSTR_ASYNC: meet_async(p, instr); return;
    case INSTR_GROUP: meet_group(p, instr); return;
    case INSTR_MULTIMEM: refuse(p, "multimem needs a multicast object, which the program does not create"); return;
    case INSTR_UNSUPPORTED: refuse(p, instr->unsupported->text); return;
    case INSTR_HOST_LAUNCH:
    case INSTR_HOST_SYNC: refuse(p, "hosts run beside one launch and start none"); return;
    case INSTR_GRID_LAUNCH: /* without other grids, no thread waits for it */
    case INSTR_GRID_WAIT:
    case INSTR_FENCE:
    case INSTR_BRANCH:
    case INSTR_NOTHING:
    case INSTR_TRAP:
    case INSTR_EXIT: return;
  }
  BUG("no such kind of instruction: %d", (int)instr->kind);
}

/* ---- memory */

uint32_t chip_object_at(const struct program *program, value_t address) {
  ARRAY_EACH (view, program->views, program->view_count)
    if (address >= view->vaddr && address <= view->vaddr + program->objects[view->object].size) return view->object;
  return program->object_count;
}

/* True if all accesses to the object are through surfaces and textures; one through a register may be to any object. */
static bool in_array(const struct program *program, uint32_t object) {
  for (uint32_t t = 0; t < program->thread_count; t++)
    ARRAY_EACH (instr, program->threads[t].instrs, program->threads[t].instr_count) {
      bool accesses = instr_is_access(instr) || instr->kind == INSTR_ASYNC;
      bool image = instr->proxy == PROXY_SURFACE || instr->proxy == PROXY_TEXTURE;
      uint32_t at = accesses ? chip_object_of(program, &instr->addr.base) : object;
      if (accesses && !image && (at == object || at == program->object_count)) return false;
    }
  return program->objects[object].space == SPACE_GLOBAL;
}

/* Places an object that is accessed through a surface or the constant proxy in an array or in the constant bank. */
static void find_homes(struct planning *p) {
  const struct program *program = p->program;
  p->plan->homes = ARENA_ARRAY(p->arena, enum chip_home, program->object_count);
  for (uint32_t i = 0; i < program->object_count && program->host; i++) {
    enum host_memory memory = program->objects[i].memory;
    p->plan->homes[i] = memory == MEMORY_MANAGED ? CHIP_MANAGED : memory == MEMORY_DEVICE ? CHIP_ARENA : CHIP_MAPPED;
  }
  for (uint32_t t = 0; t < program->thread_count; t++)
    ARRAY_EACH (instr, program->threads[t].instrs, program->threads[t].instr_count) {
      if (instr->kind != INSTR_LOAD && instr->kind != INSTR_STORE) continue;
      uint32_t object = chip_object_of(program, &instr->addr.base);
      if (instr->proxy != PROXY_GENERIC && object == program->object_count)
        refuse(p, "addresses in registers are not supported for this proxy");
      if (instr->proxy == PROXY_CONSTANT && !p->plan->reason) p->plan->homes[object] = CHIP_CONSTANT;
      if (instr->proxy != PROXY_SURFACE) continue;
      if (!p->plan->reason && in_array(program, object)) p->plan->homes[object] = CHIP_ARRAY;
      else refuse(p, "a CUDA surface cannot share memory with a location");
    }
}

static void check_homes(struct planning *p) {
  uint32_t constants = 0;
  bool other = p->plan->textures;
  for (uint32_t i = 0; i < p->program->object_count; i++) {
    enum chip_home home = p->plan->homes[i];
    constants += home == CHIP_CONSTANT;
    other |= home == CHIP_CONSTANT || home == CHIP_ARRAY || home == CHIP_MAP;
  }
  if (constants > MOST_CONSTANTS) refuse(p, "it has too many locations in the constant bank");
  if (other && p->plan->gpus > 1) refuse(p, "textures, surfaces and constants are supported on one GPU only");
  if (other && p->program->host) refuse(p, "beside hosts, a GPU has no textures and surfaces");
  if (p->plan->alias_count > 1 && p->program->host) refuse(p, "memory of hosts has no aliases");
}

uint32_t chip_first_of(const struct program *program, uint32_t object) {
  return FIND_BELOW(i, object, object_same_location(&program->objects[i], &program->objects[object]));
}

/* The shared memory of a copy through a tensor map is aligned to 128 bytes. */
static uint32_t shared_unit(const struct program *program) {
  for (uint32_t i = 0; i < program->object_count; i++)
    if (program->objects[i].is_tensormap) return 128;
  return 16;
}

static void place_objects(struct planning *p) {
  const struct program *program = p->program;
  struct chip_plan *plan = p->plan;
  uint32_t shared = 0, columns = 0, unit = shared_unit(program);
  plan->objects = ARENA_ARRAY(p->arena, uint32_t, program->object_count);
  find_homes(p);
  for (uint32_t i = 0; i < program->object_count; i++) {
    const struct object *object = &program->objects[i];
    uint32_t *offset = &plan->objects[i];
    if (object->size > OBJECT_LIMIT && !object->is_cells)
      refuse(p, "it is too large for the many copies that a run makes");
    if (object->space == SPACE_GLOBAL) {
      *offset = plan->global_count++;
    } else if (object->space == SPACE_SHARED) {
      uint32_t first = chip_first_of(program, i);
      *offset = first < i ? plan->objects[first] : shared;
      shared += first < i ? 0 : (chip_shared_bytes(plan, program, i) + unit - 1) / unit * unit;
    } else if (object->space == SPACE_TMEM) {
      uint32_t first = chip_first_of(program, i);
      *offset = first < i ? plan->objects[first] : columns;
      columns += first < i || object->is_cells ? 0 : CHIP_OBJECT_COLUMNS;
    } else {
      refuse(p, "only global and shared memory is supported");
    }
  }
  if (plan->global_count > CHIP_MAX_OBJECTS) refuse(p, "it has too many locations");
  if (!shared) return;
  plan->counter = shared;
  plan->shared_size = shared + unit;
  plan->remote = plan->cluster_size > 1;
  if (shared > SHARED_LIMIT) refuse(p, "it has too much shared memory");
}

static void number_views(struct planning *p) {
  const struct program *program = p->program;
  uint32_t *counts = ARENA_ARRAY(p->arena, uint32_t, program->object_count);
  p->plan->aliases = ARENA_ARRAY(p->arena, uint32_t, program->view_count);
  p->plan->alias_count = 1;
  for (uint32_t i = 0; i < program->view_count; i++) {
    const struct view *view = &program->views[i];
    uint32_t *alias = &p->plan->aliases[i];
    *alias = counts[view->object]++;
    if (*alias && program->objects[view->object].space != SPACE_GLOBAL)
      refuse(p, "only global memory can be mapped at several addresses");
    if (*alias >= p->plan->alias_count) p->plan->alias_count = *alias + 1;
  }
  if (p->plan->alias_count > CHIP_MAX_ALIASES) refuse(p, "a location has too many aliases");
}

/* ---- tensor maps */

/* The host gives all tensor maps of a test equal fields; tensormap.replace then changes the address of one. */
static void find_maps(struct planning *p) {
  const struct program *program = p->program;
  struct chip_plan *plan = p->plan;
  for (uint32_t i = 0; i < program->object_count; i++) {
    const struct object *map = &program->objects[i];
    if (!map->is_tensormap) continue;
    uint32_t bytes = program->objects[chip_object_at(program, map->init[0])].size;
    if (map->space != SPACE_GLOBAL) refuse(p, "tensor maps in shared memory are not supported");
    if (plan->map_bytes && plan->map_bytes != bytes) refuse(p, "a test's tensor maps must have one size");
    if (bytes % 16 || bytes > MOST_OF_A_BOX)
      refuse(p, "a tensor map must be of a multiple of 16 bytes, and of at most 256");
    plan->homes[i] = CHIP_MAP;
    plan->map_bytes = bytes;
    plan->capability = plan->group ? 100 : 90;
  }
  for (uint32_t i = 0; i < program->observed_count && plan->map_bytes; i++)
    if (!program->observables[i].is_reg && program->objects[program->observables[i].object].is_tensormap)
      refuse(p, "observing a tensor map itself is not supported");
  if (plan->map_bytes && plan->gpus > 1) refuse(p, "tensor maps are supported on one GPU only");
}

/* ---- Observables */

static void number_results(struct planning *p) {
  const struct program *program = p->program;
  struct chip_plan *plan = p->plan;
  uint32_t words = 0;
  plan->results = ARENA_ARRAY(p->arena, uint32_t, program->observed_count);
  for (uint32_t i = 0; i < program->observed_count; i++) {
    const struct observable *o = &program->observables[i];
    uint32_t size = o->type.width > 64 ? 2 : 1;
    bool global = !o->is_reg && program->objects[o->object].space == SPACE_GLOBAL;
    plan->results[i] = global ? CHIP_NO_PLACE : plan->result_count;
    if (!global) plan->result_count += size;
    words += size;
  }
  if (words > CHIP_MAX_VALUES) refuse(p, "the test observes too many values");
}

/* If threads access shared memory of other CTAs, no CTA may end before all threads have finished. This needs one more
 * cluster barrier, so the test's own cluster barriers must not depend on ended threads or on lanes without a thread. */
static void check_remote(struct planning *p) {
  const struct chip_plan *plan = p->plan;
  uint32_t seats = plan->clusters * plan->cluster_size * plan->seats;
  bool full = plan->lanes && p->program->thread_count * plan->lanes == seats;
  ARRAY_EACH (thread, p->program->threads, p->program->thread_count)
    for (uint32_t i = 0; i < thread->instr_count; i++) {
      const struct instr *instr = &thread->instrs[i];
      bool of_cluster = instr->kind == INSTR_BARRIER && instr->barrier->kind == BARRIER_CLUSTER;
      if (of_cluster && ((plan->narrow && !full) || !always_comes_to(thread, i)))
        refuse(p, "a conditional cluster barrier is not supported with shared memory of other CTAs");
    }
}

/* True if two threads share a warp. */
static bool shares_warp(const struct program *program) {
  uint32_t warps = 0;
  for (uint32_t t = 0; t < program->thread_count; t++) {
    if (program->threads[t].warp_id < warps) return true;
    warps = program->threads[t].warp_id + 1;
  }
  return false;
}

/* Refuses aligned barriers in warps with several threads: all lanes would have to execute the same instruction, but
 * each thread has its own code. */
static void check_aligned(struct planning *p) {
  const struct program *program = p->program;
  const struct thread *before = NULL;
  ARRAY_EACH (thread, program->threads, program->thread_count) {
    bool found = false;
    for (uint32_t i = 0; i < thread->instr_count && !found; i++) {
      const struct instr *instr = &thread->instrs[i];
      found = instr->kind == INSTR_BARRIER && instr->barrier->kind == BARRIER_CTA && instr->barrier->aligned;
    }
    if (found && before && before->warp_id == thread->warp_id)
      refuse(p, "an aligned barrier needs all lanes of a warp at one instruction, but each thread has its own code");
    if (found) before = thread;
  }
}

/* In a test that uses tensor cores, each thread is run by one or four whole warps, which run no other thread. */
static void plan_tensor(struct planning *p) {
  struct chip_plan *plan = p->plan;
  const char *reason = chip_plan_tensor(p->arena, p->program, plan);
  if (!plan->lanes) return;
  plan->narrow = plan->single = plan->barriers = true;
  if (reason) refuse(p, reason);
  if (shares_warp(p->program)) refuse(p, "with tensor cores, no two threads may be in one warp");
  for (uint32_t t = 0; t < p->program->thread_count && plan->lanes > WARP_LANES; t++)
    if (has_control_flow(&p->program->threads[t])) refuse(p, "branches and guards are not supported with wgmma");
}

/* Finds the grids of one stream: each depends on the previous one, or follows it. */
static void find_grids(struct planning *p) {
  const struct program *program = p->program;
  for (uint32_t i = 0; i < program->launch_count; i++) {
    const struct launch *launch = &program->launches[i];
    p->plan->follows |= launch->follows;
    p->plan->grids = i + 2;
    if (launch->other != i || launch->grid != i + 1 || launch->follows != program->launches[0].follows)
      refuse(p, "the grids do not form a chain");
  }
  if (!program->launch_count) return;
  if (program->host) refuse(p, "hosts run beside one launch and start none");
  p->plan->narrow = p->plan->single = p->plan->barriers = true; /* one thread's launch_dependents counts for its CTA */
  for (uint32_t t = 0; t < program->thread_count; t++)
    if (program->threads[t].gpu_id || program->threads[t].grid >= p->plan->grids)
      refuse(p, "only grids of one stream are supported");
}

void chip_plan(struct arena *arena, const struct program *program, struct chip_plan *plan) {
  struct planning p = {arena, program, plan, false};
  *plan = (struct chip_plan){.narrow = shares_warp(program), .gpus = 1, .grids = 1};
  for (uint32_t t = 0; t < program->thread_count; t++) plan->hosts += program->threads[t].host != HOST_NONE;
  if (program_asks_safety(program)) refuse(&p, "no run can show that a test is safe");
  plan_tensor(&p);
  find_grids(&p);
  place_ctas(&p);
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t i = 0; i < program->threads[t].instr_count; i++)
      meet_instr(&p, &program->threads[t], &program->threads[t].instrs[i]);
  if (plan->narrow && p.blocks_meet) plan->single = true;
  if (plan->narrow) check_aligned(&p);
  seat_threads(&p);
  place_objects(&p);
  find_maps(&p);
  number_views(&p);
  number_results(&p);
  if (plan->remote) check_remote(&p);
  check_homes(&p);
}
