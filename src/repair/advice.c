/* Words for findings that no change of order repairs, because the code has to do something else. */
#include "explain/explain.h"
#include "repair/proposals.h"

/* ---- Findings */

/* True if the thread looks at a value of memory again and again. */
static bool polls(const struct waiting *w) { return w->kind != WAITING_AT_BARRIER && !w->at_object; }

/* One that polls waits for one that waits at a barrier. */
static bool is_circle(const struct search_fix *f) {
  VEC_EACH (w, &f->out->result->hang.waiting)
    VEC_EACH (other, &f->out->result->hang.waiting)
      if (polls(w) && other->thread == w->for_whom && other->kind == WAITING_AT_BARRIER) return true;
  return false;
}

static bool is_poll(const struct search_fix *f) { return SOME(VEC_EACH (w, &f->out->result->hang.waiting), polls(w)); }

static bool is_object(const struct search_fix *f) {
  return SOME(VEC_EACH (w, &f->out->result->hang.waiting), w->kind == WAITING_SPINS && w->at_object);
}

static bool is_any(const struct search_fix *f) { return f->out->result->findings.len; }

/* Both are strong, so that they are meant to meet. */
static bool is_mixed(const struct search_fix *f) {
  const struct safety_finding *first = &f->out->result->findings.data[0];
  return first->a.strong && first->b.strong && base_begins(first->clause, "Mixed-Size");
}

static bool is_in_flight(const struct search_fix *f) {
  return base_begins(f->out->result->findings.data[0].clause, "In-Flight") && fix_between(f).scope > SCOPE_CTA;
}

static bool is_one_store(const struct search_fix *f) {
  return cure_is_one_store(f->input->program, &f->out->result->findings.data[0]);
}

static bool is_far(const struct search_fix *f) { return fix_between(f).scope > SCOPE_CTA; }

static const struct advice {
  enum safety_kind kind;
  bool (*fits)(const struct search_fix *f);
  const char *text;
} advices[] = {
    {SAFETY_HANG, is_circle,
     "a thread has what others wait for, and waits for them at a barrier: take the barrier out of the part that only "
     "some execute at a time, or let it be for these alone, such as __syncwarp(mask)"},
    {SAFETY_HANG, is_object,
     "let those that arrive at the mbarrier object, or copy to it, do that as often as others wait for it, and count "
     "all of them"},
    {SAFETY_HANG, is_poll,
     "nobody writes the value that a thread waits for, or another thread writes over it before it was seen: let it "
     "only grow, such as the number of a round, so that one that looks late sees it too"},
    {SAFETY_HANG, is_any,
     "let the threads that are missing come there too, so take it out of the condition; or let it be for those alone "
     "that come"},
    {SAFETY_RACE, is_mixed,
     "the accesses have different sizes: let both access the same bytes, each flag in a word of its own"},
    {SAFETY_UNDEFINED, is_in_flight,
     "the thread that copies has to know that the other block does not use the memory any more: let those that use it "
     "arrive at an mbarrier object of that thread's block (mapa, mbarrier.arrive.shared::cluster), count them there, "
     "and wait for that before the copy"},
    {SAFETY_RACE, is_far,
     "nothing makes one of the two wait until the other has done its access: let it wait in a loop, with an acquire, "
     "for a value that the other sets with a release"},
    {SAFETY_RACE, is_one_store,
     "both threads execute this write: let one of them do it, under a condition on threadIdx or blockIdx, or give each "
     "a place of its own"},
};

const char *advice_find(const struct search_fix *f) {
  const struct result *r = f->out->result;
  ARRAY_EACH (a, advices, ARRAY_LEN(advices))
    if (r->findings.len && r->findings.data[0].kind == a->kind && a->fits(f)) return a->text;
  return NULL;
}
