/* Models: reading, and if that succeeds, both engines on a small fixed test under the model, which must agree. */
#include <string.h>

#include "../diff/lab.h"
#include "fuzz.h"

static const char fixed_test[] = "PTX fixed\n{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
                                 " st.weak x, 1 | st.relaxed.gpu y, 1 ;\n"
                                 " fence.sc.gpu | atom.add.acq_rel.gpu.u32 r1, x, 1 ;\n ld r0, y | ld r0, x ;\n"
                                 "exists (0:r0=0 /\\ 1:r0=0)\n";

static void evaluate(const struct lab *lab, struct arena *arena, const struct model *model, size_t size) {
  struct text why, dump;
  text_init(&why, arena);
  text_init(&dump, arena);
  model_dump(model, &dump);
  const struct program *program = lab_read(arena, "fixed.litmus", fixed_test, sizeof fixed_test - 1, true, &why);
  struct lab_plan plan = {.executions = size & 1, .verdicts = size & 2, .termination = size & 4};
  if (!program || lab_compare(lab, arena, program, model, plan, &why) == DISAGREE) BUG("%s", text_str(&why));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct lab lab;
  struct arena arena;
  struct text why = {.arena = &arena};
  jmp_buf oom;
  arena_init(&arena, &oom);
  if (setjmp(oom)) BUG("out of memory");
  if (!lab_open(&lab, "models", "", 0.3, &why)) BUG("%s", text_str(&why));
  fuzz_begin();
  struct source source = source_from_text("fuzz.cat", arena_strndup(&arena, (const char *)data, size), size);
  const struct model *model = lab_read_model(&lab, &arena, &source, &why);
  if (model) evaluate(&lab, &arena, model, size);
  if (!model && !why.len) BUG("a model is rejected without a message");
  fuzz_end();
  lab_close(&lab);
  arena_release(&arena);
  return 0;
}
