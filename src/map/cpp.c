/* Evaluates scoped RC11 (models/cuda.cat) on drafts with bit rows; an exchange is one event, and so is a barrier. */
#include "map/world.h"

static relation identity(node_set nodes) { return relation_from(nodes) & DIAGONAL; }
static relation maybe(relation r) { return r | DIAGONAL; }

/* ---- Strengths ---- */

struct map_strengths world_strengths(const struct map_world *w) {
  struct map_strengths s = {0};
  node_set reach[SCOPE_SYS + 1] = {0};
  relation within = 0;
  for (uint32_t i = 0; i < w->count; i++) {
    const struct draft_event *e = w->nodes[i].event;
    node_set bit = (node_set)(1u << i) & w->present;
    bool both = e->sem == SEM_ACQ_REL || e->sem == SEM_SC;
    if (e->sem == SEM_SC) s.sc |= bit;
    if (e->sem != SEM_WEAK && draft_accesses(e)) s.atomic |= bit;
    if (e->sem == SEM_RELEASE || both) s.releases |= bit & (w->writes | w->fences);
    if (e->sem == SEM_ACQUIRE || both) s.acquires |= bit & (w->reads | w->fences);
    reach[e->scope] |= bit;
  }
  /* a's scope contains b's thread, and b's scope a's */
  for (uint32_t scope = 0; scope <= SCOPE_SYS; scope++)
    if (reach[scope]) within |= w->near[scope] & relation_from(reach[scope]);
  for (uint32_t scope = 0; scope <= SCOPE_SYS; scope++)
    if (reach[scope]) s.inclusive |= within & w->near[scope] & relation_to(reach[scope]);
  return s;
}

relation world_conflicts(const struct map_world *w, const struct map_strengths *s) {
  return w->loc & relation_from(w->writes) & ~s->inclusive;
}

/* ---- The axioms ---- */

relation world_happens_before(const struct map_world *w, const struct map_strengths *s, const struct map_execution *x,
                              bool old_sequences) {
  if (!s->releases || !s->acquires || !x->rf) return w->before; /* nothing synchronizes */
  relation observed = s->inclusive & x->rf, heads = identity(w->writes & s->atomic);
  if (old_sequences) heads |= w->sb & w->loc & relation_from(w->writes) & relation_to(w->writes & s->atomic);
  relation updates = relation_closure(relation_sequence(observed, identity(w->reads & w->writes)));
  relation released = relation_from(s->releases) & maybe(relation_from(w->fences) & w->sb);
  relation acquired = maybe(w->sb & relation_to(w->fences)) & relation_to(s->acquires);
  relation sw = relation_sequence(relation_sequence(released, heads), maybe(updates));
  sw = relation_sequence(relation_sequence(sw, observed & relation_to(s->atomic)), acquired);
  return relation_closure(w->before | (s->inclusive & sw));
}

bool world_relate(const struct map_world *w, struct map_execution *x) {
  x->eco = relation_closure(x->rf | x->co | x->rb);
  return relation_is_irreflexive(relation_sequence(w->before, maybe(x->eco)));
}

bool world_is_consistent(const struct map_world *w, const struct map_strengths *s, const struct map_execution *x,
                         bool old_sequences) {
  node_set sc_fences = s->sc & w->fences;
  relation hb = world_happens_before(w, s, x, old_sequences), eco = x->eco;
  if (hb != w->before && !relation_is_irreflexive(relation_sequence(hb, maybe(eco)))) return false;
  if (!(s->sc & (s->sc - 1))) return true; /* a single seq_cst event adds no order to coherence */
  relation other = w->sb & ~w->loc;
  relation scb =
      w->sb | relation_sequence(relation_sequence(other, hb | w->meets), other) | (hb & w->loc) | x->co | x->rb;
  relation begins = identity(s->sc) | (relation_from(sc_fences) & maybe(hb));
  relation ends = identity(s->sc) | (maybe(hb) & relation_to(sc_fences));
  relation psc = relation_sequence(relation_sequence(begins, scb), ends);
  psc |= (hb | relation_sequence(relation_sequence(hb, eco), hb)) & relation_from(sc_fences) & relation_to(sc_fences);
  return relation_is_acyclic(psc & s->inclusive);
}
