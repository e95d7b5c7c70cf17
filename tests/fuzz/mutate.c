/* Damaged inputs: shipped tests and models with random edits, through the whole pipeline in one process.
 *
 *   mutate [--seed N] [--count N] --save FILE INPUT...
 *
 * INPUT is a .litmus or .cat file. Nothing is expected of the answers: the process must simply live. Each damaged input
 * is saved to FILE.litmus or FILE.cat before it is tried, so that after a crash, an internal error or a time-out (10
 * seconds each) the culprit lies there. The same seed makes the same edits.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../diff/lab.h"
#include "../options.h"

enum { LONGEST = 20000, SECONDS_EACH = 100 };

VEC_NAMED(inputs, struct source);

struct fuzzer {
  struct rng rng;
  struct lab lab;
  const struct inputs *inputs;
  const struct program *fixed; /* the test on which damaged models are tried */
  const char *save;
  uint64_t rejected, accepted;
};

/* A piece of some input, mostly whole words, to put into another. */
static struct text piece(struct fuzzer *f, struct arena *arena) {
  const struct source *from = &f->inputs->data[rng_below(&f->rng, f->inputs->len)];
  struct text text = {.arena = arena};
  if (from->length == 0) return text;
  size_t begin = rng_below(&f->rng, (uint32_t)from->length);
  size_t length = 1 + rng_below(&f->rng, 24);
  while (begin > 0 && strchr(" \n", from->text[begin - 1]) == NULL) begin--;
  if (length > from->length - begin) length = from->length - begin;
  text_add_slice(&text, from->text + begin, length);
  return text;
}

/* `text` with one edit at a random place: bytes dropped, a piece of some input put in, bytes doubled or changed. */
static struct text edit(struct fuzzer *f, struct arena *arena, struct text text) {
  static const char odd[] = "\0\xff\"(){}[];:|=~*+-^0@%,.\n\t<>";
  struct text out = {.arena = arena};
  size_t at = rng_below(&f->rng, (uint32_t)text.len + 1), rest = text.len - at;
  size_t length = rest ? rng_below(&f->rng, rest < 12 ? (uint32_t)rest : 12) : 0;
  const char *data = text_str(&text);
  text_add_slice(&out, data, at);
  switch (rng_below(&f->rng, 5)) {
  case 0: break; /* drop */
  case 1: {
    struct text more = piece(f, arena);
    text_add_slice(&out, text_str(&more), more.len);
    break;
  }
  case 2:
    for (uint32_t times = 2 + rng_below(&f->rng, 6); times; times--) text_add_slice(&out, data + at, length);
    break;
  case 3:
    text_char(&out, odd[rng_below(&f->rng, sizeof odd - 1)]);
    length = 0;
    break;
  default:
    text_printf(&out, "%u", rng_below(&f->rng, 2) ? rng_below(&f->rng, 20) : (uint32_t)rng_next(&f->rng));
  }
  text_add_slice(&out, data + at + length, rest - length);
  return out;
}

static void save(const struct fuzzer *f, const char *ending, const struct text *text, struct arena *arena) {
  const char *path = arena_printf(arena, "%s.%s", f->save, ending);
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(text_str(text), 1, text->len, file) != text->len || fclose(file) != 0) {
    perror(path);
    exit(2);
  }
}

static void try_program(struct fuzzer *f, struct arena *arena, const struct program *program,
                        const struct model *model) {
  struct check_options options = {.engine = ENGINE_SAT, .verdict_only = true, .timeout = 1};
  struct result result = {0};
  check(arena, program, model, &options, &result);
  f->accepted++;
}

static void try_litmus(struct fuzzer *f, struct arena *arena, const struct text *text) {
  struct text why = {.arena = arena};
  const struct program *program = lab_read(arena, "damaged.litmus", text_str(text), text->len, true, &why);
  if (program)
    try_program(f, arena, program, f->lab.models.data[rng_below(&f->rng, f->lab.models.len)]);
  else
    f->rejected++;
}

static void try_cat(struct fuzzer *f, struct arena *arena, const struct text *text) {
  struct text why = {.arena = arena};
  struct source source = source_from_text("damaged.cat", text_str(text), text->len);
  const struct model *model = lab_read_model(&f->lab, arena, &source, &why);
  if (model)
    try_program(f, arena, f->fixed, model);
  else
    f->rejected++;
}

static void fuzz_once(struct fuzzer *f) {
  struct arena arena;
  arena_init(&arena, NULL);
  const struct source *from = &f->inputs->data[rng_below(&f->rng, f->inputs->len)];
  struct text text = {.arena = &arena};
  text_add_slice(&text, from->text, from->length < LONGEST ? from->length : LONGEST);
  for (uint32_t edits = 1 + rng_below(&f->rng, 4); edits; edits--) text = edit(f, &arena, text);
  bool cat = strstr(from->name, ".cat") != NULL;
  save(f, cat ? "cat" : "litmus", &text, &arena);
  alarm(SECONDS_EACH);
  if (cat)
    try_cat(f, &arena, &text);
  else
    try_litmus(f, &arena, &text);
  alarm(0);
  arena_release(&arena);
}

static const char fixed_test[] = "PTX fixed\n{ x=0; y=0; }\n P0@cta 0 | P1@cta 1 ;\n"
                                 " st.weak x, 1 | st.relaxed.gpu y, 1 ;\n"
                                 " fence.sc.gpu | atom.add.acq_rel.gpu.u32 r1, x, 1 ;\n ld r0, y | ld r0, x ;\n"
                                 "exists (0:r0=0 /\\ 1:r0=0)\n";

static bool prepare(struct fuzzer *f, struct arena *arena) {
  struct text why = {.arena = arena};
  bool ready = lab_open(&f->lab, "models", "ptx,ptx-7.5,ptx-6.0,sc,tso,coherence", 1, &why);
  if (ready) f->fixed = lab_read(arena, "fixed.litmus", fixed_test, sizeof fixed_test - 1, true, &why);
  if (!ready || !f->fixed) fputs(text_str(&why), stderr);
  return ready && f->fixed;
}

int main(int argc, char **argv) {
  struct arena arena;
  arena_init(&arena, NULL);
  struct inputs inputs = {0};
  struct fuzzer f = {.inputs = &inputs};
  uint64_t count = 1000;
  const struct test_option options[] = {
      {"--seed", .number = &f.rng.state}, {"--count", .number = &count}, {"--save", .text = &f.save}, {0}};
  for (int i = test_options_read(options, argc, argv); i < argc; i++) {
    struct source source;
    if (source_read(&arena, argv[i], false, &source) == SOURCE_OK) VEC_PUSH(&arena, &inputs, source);
    else fprintf(stderr, "mutate: cannot read %s\n", argv[i]);
  }
  if (!f.save || !inputs.len || !prepare(&f, &arena)) {
    fprintf(stderr, "usage: mutate [--seed N] [--count N] --save FILE INPUT...\n");
    return 2;
  }
  for (uint64_t i = 0; i < count; i++) fuzz_once(&f);
  lab_close(&f.lab);
  arena_release(&arena);
  printf("%llu rejected, %llu checked; %llu passed, 0 failed\n", (unsigned long long)f.rejected,
         (unsigned long long)f.accepted, (unsigned long long)count);
  return 0;
}
