/* Second opinions on a result: gives another solver the formulas that must be unsatisfiable; records its answers. */
#include "sat/sat.h"
#include "api/session.h"

static const struct full_result *whole(const struct ptxlit_result *result) {
  REQUIRE(result);
  return (const struct full_result *)result;
}

_Static_assert(sizeof(struct ptxlit_claim) == sizeof(struct claim) &&
                   offsetof(struct ptxlit_claim, dimacs) == offsetof(struct claim, dimacs) &&
                   offsetof(struct ptxlit_claim, size) == offsetof(struct claim, size),
               "the public claim is the internal one");

size_t ptxlit_claims(const struct ptxlit_result *result, const struct ptxlit_claim **claims) {
  *claims = (const struct ptxlit_claim *)whole(result)->result.claims.data;
  return whole(result)->result.claims.len;
}

enum ptxlit_answer ptxlit_prove(const char *dimacs, double timeout) {
  switch (sat_prove(dimacs, base_deadline(timeout))) {
    case SAT_YES: return PTXLIT_SATISFIABLE;
    case SAT_NO: return PTXLIT_UNSATISFIABLE;
    case SAT_UNKNOWN: break;
  }
  return PTXLIT_NO_ANSWER;
}

const char *ptxlit_difference(const struct ptxlit_result *a, const struct ptxlit_result *b) {
  return result_difference(&whole(a)->result, &whole(b)->result);
}

enum ptxlit_status ptxlit_certify(struct ptxlit *session, const struct ptxlit_result *result,
                                  const struct ptxlit_certificate *certificate) {
  SESSION_GUARD(session, PTXLIT_NO_VERDICT);
  struct full_result *full = (struct full_result *)(uintptr_t)whole(result);
  struct certificate *copy = ARENA_NEW(&session->input, struct certificate);
  const char *problem = certificate->problem, *solver = certificate->solver;
  *copy = (struct certificate){
      .certified = certificate->certified,
      .problem = problem ? arena_printf(&session->input, "%s", problem) : NULL,
      .solver = solver ? arena_printf(&session->input, "%s", solver) : NULL,
      .prover = sat_signature(),
      .agreed = certificate->agreed,
      .proved = certificate->proved,
      .candidates = certificate->candidates,
  };
  full->finding.certificate = copy;
  return PTXLIT_OK;
}
