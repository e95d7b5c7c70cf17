/* Requests to cancel the launch of a cluster (PTX ISA 9.4, 9.7.15.18), in a grid of two: each response says that the
 * other cluster is canceled, or that none is. A branch on query_cancel decides between the two, and so determines the
 * CTA in the response. */
#include "kernel/run.h"

enum { RESPONSE_BITS = 128 };

bool request_writes(const struct memory *m, const struct region *region, uint32_t at) {
  return SOME_BELOW(i, m->responses.len, m->responses.data[i].region == region && m->responses.data[i].at == at);
}

static void note(struct runner *r, uint64_t where) {
  struct memory *m = r->run->memory;
  struct response_place place;
  place.region = run_find(r, where, &place.at);
  if (!place.region || request_writes(m, place.region, place.at)) return;
  VEC_PUSH(m->arena, &m->responses, place);
  m->again = true;
}

/* The dimension that a query of the first CTA gives. */
static uint32_t dimension_of(const struct runner *r, const struct instr *in) {
  static const char *const dots[] = {".get_first_ctaid::x", ".get_first_ctaid::y", ".get_first_ctaid::z"};
  LIST_EACH (word, in->ast->qualifiers.first)
    for (uint32_t i = 0; i < ARRAY_LEN(dots); i++)
      if (strcmp(word->text, dots[i]) == 0) return i;
  const struct litmus_operand *item = in->ast->operands->u.items;
  uint32_t at = 0;
  for (; item && item->next; item = item->next, at++)
    if (item->kind == LITMUS_NAME && body_register(&r->run->body, item->u.ref.name) == in->dst[0]) break;
  return at;
}

/* The first CTA of the other cluster, of two. */
static uint32_t first_of_other(const struct runner *r, uint32_t dimension) {
  const struct litmus_kernel *k = r->run->kernel;
  const struct litmus_extent one = {.x = 1, .y = 1, .z = 1}, cluster = k->cluster.x ? k->cluster : one;
  uint32_t x = r->block % k->grid.x, y = r->block / k->grid.x % k->grid.y, z = r->block / k->grid.x / k->grid.y;
  const uint32_t own[] = {x / cluster.x, y / cluster.y, z / cluster.z}, size[] = {cluster.x, cluster.y, cluster.z};
  const uint32_t all[] = {k->grid.x, k->grid.y, k->grid.z};
  bool along = dimension < 3 && all[dimension] == 2 * size[dimension];
  return along ? (1 - own[dimension]) * size[dimension] : 0;
}

term_id request_answer(struct runner *r, const struct instr *in) {
  term_id response = walk_operand(r->walk, &in->src[0], RESPONSE_BITS);
  term_id yes = term_const(r->walk->terms, response_value(true), RESPONSE_BITS);
  return in->alu == ALU_IS_CANCELED ? term_eq(r->walk->terms, response, yes)
                                    : term_const(r->walk->terms, first_of_other(r, dimension_of(r, in)), 32);
}

/* Notes if the branch to `way` means that the other cluster is canceled. No later request of the path cancels it again,
 * so a loop that the branch to `other` leaves is unrolled. */
void request_take(struct runner *r, const struct progress_point *s, uint32_t other, struct progress_point *way) {
  term_id yes = term_const(r->walk->terms, response_value(true), RESPONSE_BITS);
  const struct body *body = &r->run->body;
  bool canceled = SOME(for (uint32_t i = 0; i < body->thread->reg_count && r->run->memory->responses.len; i++),
                       way->regs[i].value == yes && r->path.regs[i].value != yes);
  way->so_far.canceled |= canceled;
  for (uint32_t i = 0; i < body->loops.len && canceled; i++) {
    struct bitset has = body->loops.data[i].has;
    if (bitset_has(has, s->at) && !bitset_has(has, other)) way->decided[i] = true, way->polled[i] = false;
  }
}

static void touch_response(struct runner *r, uint64_t where, uint32_t bytes, const value_t *only) {
  run_put(r, where, bytes, only);
  if (!only) note(r, where);
}

/* try_cancel: a grid of one cluster has no other to cancel (9.7.15.18). In a grid of two, the other may be canceled.
 * With more clusters, the canceled ones and their order are unknown. */
void request_send(struct runner *r, const struct instr *in) {
  const struct async *a = in->async;
  uint64_t where, object;
  value_t none = response_value(false);
  bool every = a->ctas.kind != OPERAND_NONE;
  uint64_t grid = litmus_volume(r->run->kernel->grid);
  const value_t *only = grid == r->cluster_size ? &none : NULL;
  if (grid > 2 * r->cluster_size && !r->stopped) {
    r->stopped = (uint32_t)(in - r->run->body.thread->instrs) + 1;
    r->why = reason_get(REASON_REQUEST);
  }
  if (!run_address(r, &a->to, &where) || !run_address(r, &a->object, &object))
    run_touch_anywhere(r, TERM_FALSE, SPACE_SHARED, 0, true);
  else if (every)
    for (uint32_t i = 0; i < r->cluster_size; i++) {
      touch_response(r, run_in_cta(r, where, i), type_bytes(in->type), only);
      run_touch_object(r, run_in_cta(r, object, i));
    }
  else touch_response(r, where, type_bytes(in->type), only);
}
