#include "changes.h"

static const char *const sem_names[] = {"weak", "relaxed", "acquire", "release", "acq_rel", "sc"};
static const char *const scope_names[] = {"", ".cta", ".cluster", ".gpu", ".sys"};

/* A copy in which thread `t` may be changed. */
static struct program *copy_for(struct arena *arena, const struct program *program, uint32_t t) {
  struct program *copy = ARENA_NEW(arena, struct program);
  struct thread *threads = ARENA_ARRAY(arena, struct thread, program->thread_count);
  struct instr *instrs = ARENA_ARRAY(arena, struct instr, program->threads[t].instr_count + 1);
  for (uint32_t i = 0; i < program->thread_count; i++) threads[i] = program->threads[i];
  for (uint32_t i = 0; i < program->threads[t].instr_count; i++) instrs[i] = program->threads[t].instrs[i];
  threads[t].instrs = instrs;
  *copy = *program;
  copy->threads = threads;
  return copy;
}

/* The semantics next above, in way `which`; the same where there is none. (A red has no acquire, 8.11.1.) */
static enum sem stronger_sem(const struct instr *i, uint32_t which) {
  bool plain = i->proxy == PROXY_GENERIC && !i->is_volatile && !i->is_mmio;
  if (i->sem == SEM_WEAK) return plain && (i->kind == INSTR_LOAD || i->kind == INSTR_STORE) ? SEM_RELAXED : SEM_WEAK;
  if (i->is_volatile || i->is_mmio) return i->sem;
  switch (i->kind) {
    case INSTR_LOAD: return i->sem == SEM_RELAXED ? SEM_ACQUIRE : i->sem;
    case INSTR_STORE:
    case INSTR_RED: return i->sem == SEM_RELAXED ? SEM_RELEASE : i->sem;
    case INSTR_ATOM:
      if (i->sem == SEM_RELAXED) return which ? SEM_RELEASE : SEM_ACQUIRE;
      return SEM_ACQ_REL;
    case INSTR_FENCE: return i->sem == SEM_ACQUIRE || i->sem == SEM_RELEASE ? SEM_ACQ_REL : SEM_SC;
    default: return i->sem;
  }
}

static bool has_scope(const struct instr *i) {
  bool kind = i->kind == INSTR_LOAD || i->kind == INSTR_STORE || i->kind == INSTR_ATOM || i->kind == INSTR_RED ||
              i->kind == INSTR_FENCE || i->kind == INSTR_MULTIMEM;
  return kind && !i->is_volatile && !i->is_mmio && i->scope != SCOPE_NONE && i->scope != SCOPE_SYS;
}

/* Ways 0 and 1 change the semantics, way 2 the scope. False when this way changes nothing, or nothing else than way 0.
 */
static bool strengthen(struct instr *i, uint32_t way) {
  if (way == 2) {
    if (!has_scope(i)) return false;
    i->scope++;
    return true;
  }
  enum sem stronger = stronger_sem(i, way);
  if (stronger == i->sem || (way == 1 && stronger == stronger_sem(i, 0))) return false;
  if (i->sem == SEM_WEAK) i->scope = SCOPE_CTA;
  i->sem = stronger;
  return true;
}

const struct program *change_strengthen(struct arena *arena, const struct program *program, uint32_t number,
                                        struct text *what) {
  uint32_t count = 0;
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t i = 0; i < program->threads[t].instr_count; i++)
      for (uint32_t way = 0; way < 3; way++) {
        struct instr instr = program->threads[t].instrs[i];
        if (!strengthen(&instr, way) || count++ != number) continue;
        struct program *copy = copy_for(arena, program, t);
        copy->threads[t].instrs[i] = instr;
        text_printf(what, "P%u, instruction %u of it made %s%s", program->threads[t].number, i + 1,
                    sem_names[instr.sem], scope_names[instr.scope]);
        return copy;
      }
  return NULL;
}

static bool place_matters(const struct program *program) {
  for (uint32_t i = 0; i < program->object_count; i++) {
    enum space space = program->objects[i].space;
    if (space == SPACE_SHARED || space == SPACE_LOCAL || space == SPACE_PARAM) return true;
  }
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t i = 0; i < program->threads[t].instr_count; i++)
      if (program->threads[t].instrs[i].kind == INSTR_BARRIER) return true;
  return false;
}

/* How much of their places two threads share: 3 a CTA, 2 a cluster, 1 a gpu. */
static int nearness(const struct thread *a, const struct thread *b) {
  if (a->cta_id == b->cta_id) return 3;
  if (a->cluster_id == b->cluster_id) return 2;
  return a->gpu_id == b->gpu_id;
}

/* True if thread `t`, moved into the CTA of thread 0, comes nearer to it, and moves away from no other thread. */
static bool comes_nearer(const struct program *program, uint32_t t) {
  const struct thread *first = &program->threads[0], *thread = &program->threads[t];
  for (uint32_t u = 0; u < program->thread_count; u++)
    if (u != t && nearness(thread, &program->threads[u]) > nearness(first, &program->threads[u])) return false;
  return nearness(first, thread) < 3;
}

const struct program *change_bring_nearer(struct arena *arena, const struct program *program, uint32_t number,
                                          struct text *what) {
  const struct thread *first = &program->threads[0];
  if (place_matters(program)) return NULL;
  for (uint32_t t = 1, count = 0; t < program->thread_count; t++) {
    if (!comes_nearer(program, t) || count++ != number) continue;
    struct program *copy = copy_for(arena, program, t);
    struct thread *thread = &copy->threads[t];
    thread->gpu = first->gpu, thread->cluster = first->cluster, thread->cta = first->cta;
    thread->gpu_id = first->gpu_id, thread->cluster_id = first->cluster_id, thread->cta_id = first->cta_id;
    text_printf(what, "P%u brought into the CTA of P%u", thread->number, first->number);
    return copy;
  }
  return NULL;
}

bool change_is_plain(const struct program *program) {
  if (program->uses_multimem || program->view_count != program->object_count) return false;
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t i = 0; i < program->threads[t].instr_count; i++) {
      const struct instr *instr = &program->threads[t].instrs[i];
      if (instr->kind != INSTR_PROXY_FENCE && instr->proxy != PROXY_GENERIC) return false;
    }
  return true;
}
