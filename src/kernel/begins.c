/* The values that a thread begins with: those of special registers, and addresses of variables and parameters. */
#include "kernel/launch.h"

static struct litmus_extent cluster_of(const struct litmus_kernel *k) {
  return k->cluster.x ? k->cluster : (struct litmus_extent){.x = 1, .y = 1, .z = 1};
}

static struct litmus_extent place_in(struct litmus_extent extent, uint32_t index) {
  return (struct litmus_extent){
      .x = index % extent.x, .y = index / extent.x % extent.y, .z = index / extent.x / extent.y};
}

uint32_t begins_rank(const struct litmus_kernel *k, uint32_t block) {
  const struct litmus_extent cluster = cluster_of(k), at = place_in(k->grid, block);
  return at.x % cluster.x + cluster.x * (at.y % cluster.y + cluster.y * (at.z % cluster.z));
}

/* Special registers, as modules read them: S(name, value), D(name, extent) for one with three dimensions. */
#define DIMENSIONS(D)                                                                                                  \
  D("tid", tid)                                                                                                        \
  D("ntid", k->block)                                                                                                  \
  D("ctaid", at)                                                                                                       \
  D("nctaid", k->grid)                                                                                                 \
  D("clusterid", place_in(clusters, number))                                                                           \
  D("nclusterid", clusters) D("cluster_ctaid", place_in(cluster, rank)) D("cluster_nctaid", cluster)
#define SPECIALS(S)                                                                                                    \
  S("cluster_ctarank", rank)                                                                                           \
  S("cluster_nctarank", litmus_volume(cluster))                                                                        \
  S("laneid", lane)                                                                                                    \
  S("warpid", thread / WARP_LANES)                                                                                     \
  S("nwarpid", (litmus_volume(k->block) + WARP_LANES - 1) / WARP_LANES)                                                \
  S("gridid", 0)                                                                                                       \
  S("lanemask_eq", bit)                                                                                                \
  S("lanemask_lt", bit - 1)                                                                                            \
  S("lanemask_le", bit | (bit - 1))                                                                                    \
  S("lanemask_ge", ~(bit - 1))                                                                                         \
  S("lanemask_gt", ~(bit - 1) & ~bit)                                                                                  \
  S("is_explicit_cluster", k->cluster.x != 0)                                                                          \
  S("dynamic_smem_size", k->shared)                                                                                    \
  S("total_smem_size", run->shared_bytes)                                                                              \
  S("envreg1", run->workspace >> 32)                                                                                   \
  S("envreg2", (uint32_t)run->workspace)

static const char *const special_names[] = {
#define D(name, extent) "$" name "$x", "$" name "$y", "$" name "$z",
#define S(name, value) "$" name,
    DIMENSIONS(D) SPECIALS(S)
#undef D
#undef S
};

uint32_t begins_of(const struct kernel_run *run, uint32_t block, uint32_t thread, struct given_value *out) {
  const struct litmus_kernel *k = run->kernel;
  const struct litmus_extent cluster = cluster_of(k), at = place_in(k->grid, block), tid = place_in(k->block, thread);
  const struct litmus_extent clusters = {
      .x = k->grid.x / cluster.x, .y = k->grid.y / cluster.y, .z = k->grid.z / cluster.z};
  const uint32_t number = at.x / cluster.x + clusters.x * (at.y / cluster.y + clusters.y * (at.z / cluster.z));
  const uint32_t lane = thread % WARP_LANES, bit = 1u << lane;
  const uint32_t rank = begins_rank(k, block);
  const uint64_t values[] = {
#define D(name, extent) (extent).x, (extent).y, (extent).z,
#define S(name, value) (value),
      DIMENSIONS(D) SPECIALS(S)
#undef D
#undef S
  };
  uint32_t count = 0;
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    if (run->specials[i] != NO_REG) out[count++] = (struct given_value){run->specials[i], values[i]};
  VEC_EACH (given, &run->givens)
    if (given->reg != NO_REG) out[count++] = (struct given_value){given->reg, given->value};
  return count;
}

static uint32_t register_named(const struct launching *l, const struct kernel_run *run, const char *name) {
  return body_register(&run->body, intern(l->x->parse.names, name));
}

/* Finds the registers that have values when a thread begins. */
void begins_find(const struct launching *l, struct kernel_run *run) {
  const uint32_t count = sizeof special_names / sizeof *special_names;
  run->specials = ARENA_ARRAY(l->x->parse.arena, uint32_t, count);
  for (uint32_t i = 0; i < count; i++) run->specials[i] = register_named(l, run, special_names[i]);
  VEC_EACH (given, &run->givens) given->reg = register_named(l, run, given->name);
  run->begins = ARENA_ARRAY(l->x->parse.arena, struct given_value, count + run->givens.len);
}
