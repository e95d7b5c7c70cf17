/* Random tests with columns of a host beside those of devices: flags, fences and updates on both sides, launches. */
#include "gen.h"

#define ORDERS "relaxed", "acquire", "release", "acq_rel", "seq_cst"

static void add_host_access(struct gen *g) {
  const char *at = plain_location(g), *known = g->regs[g->thread] && chance(g, 30)
                                                   ? arena_printf(g->arena, "r%u", below(g, g->regs[g->thread]))
                                                   : arena_printf(g->arena, "%u", 1 + below(g, 3));
  const char *guard = g->sketch->unroll && g->regs[g->thread] && chance(g, 30)
                          ? arena_printf(g->arena, "if (r%u %s %u) ", below(g, g->regs[g->thread]),
                                         PICK(g, "==", "!="), below(g, 2))
                          : "";
  switch (g->writes ? WEIGHTED(g, 3, 3, 3, 3, 2, 1) : WEIGHTED(g, 1, 1)) {
  case 0: put(g, "%sr%u = %s", guard, new_reg(g), at); break;
  case 1: put(g, "%sr%u = %s.load(%s)", guard, new_reg(g), at, PICK(g, "relaxed", "acquire", "seq_cst")); break;
  case 2: put(g, "%s%s = %s", guard, at, known), g->writes--; break;
  case 3: put(g, "%s%s.store(%s, %s)", guard, at, known, PICK(g, "relaxed", "release", "seq_cst")), g->writes--; break;
  case 4:
    put(g, "%sr%u = %s.%s(%s, %s)", guard, new_reg(g), at, PICK(g, "exchange", "fetch_add", "fetch_or"), known,
        PICK(g, ORDERS));
    g->writes--;
    break;
  default:
    put(g, "%s%s.compare_exchange(%u, %s, %s)", guard, at, below(g, 2), known, PICK(g, ORDERS));
    g->writes--;
  }
  g->budget--;
}

static void add_host_fence(struct gen *g, bool arm) {
  if (g->sc_fences && chance(g, 60)) put(g, "atomic_thread_fence(%s)", PICK(g, "acquire", "release", "seq_cst"));
  else if (arm) put(g, "dmb(%s)", PICK(g, "ish", "ishld", "ishst", "sy"));
  else put(g, "%s()", PICK(g, "_mm_mfence", "_mm_sfence", "_mm_lfence"));
  g->sc_fences -= g->sc_fences > 0;
}

/* A grid that the first host launches, and perhaps waits for. */
static void add_launch(struct gen *g, bool ends) {
  put(g, "%s 0", ends ? "sync" : "launch");
}

static void fill_thread(struct gen *g, uint32_t accesses, bool arm) {
  bool host = g->sketch->threads[g->thread].host;
  for (uint32_t i = 0; i < accesses && g->budget; i++) {
    if (i && chance(g, 45)) {
      if (host) add_host_fence(g, arm);
      else add_fence(g);
    }
    if (host) add_host_access(g);
    else add_access(g);
  }
}

void fill_hosts(struct gen *g) {
  struct sketch *s = g->sketch;
  bool arm = chance(g, 60), pcie = chance(g, 30), launches = chance(g, 25), any = false;
  s->unroll = chance(g, 50); /* with branches */
  s->thread_count = 2 + WEIGHTED(g, 5, 4, 1);
  s->head = arena_printf(g->arena, "Host=%s\nLink=%s\n", arm ? "aarch64" : "x86-64", pcie ? "pcie" : "c2c");
  g->locations = 1 + WEIGHTED(g, 2, 6, 1);
  for (uint32_t i = 0; i < g->locations; i++) put_init(g, "%s$%u=0", PICK(g, "", "", "mapped ", "managed "), i);
  for (uint32_t t = 0; t < s->thread_count; t++) {
    bool host = t == 0 || chance(g, 40);
    s->threads[t] = (struct sketch_thread){.host = host, .gpu = below(g, 2), .cta = below(g, 2)};
    any |= !host;
  }
  for (g->thread = 0; g->thread < s->thread_count; g->thread++) {
    bool first = g->thread == 0 && any && launches;
    fill_thread(g, 1 + below(g, 2), arm);
    if (first) add_launch(g, false);
    if (first && chance(g, 50)) add_launch(g, true);
    fill_thread(g, below(g, 3), arm);
  }
  add_condition(g);
}
