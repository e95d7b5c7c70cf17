/* Rewrites wmma as instructions that can be executed on constants. wmma.load: each lane loads the whole matrix, since
 * PTX does not specify the lane of an element. wmma.store: each lane stores as many elements as it has. Fragments, and
 * results of arithmetic on them, are unknown (docs/semantics.md K7). Source: PTX ISA 9.4, 9.7.16.4 "wmma.load",
 * "wmma.store". */
#include "kernel/wmma.h"

/* Lines of elements that are adjacent in memory. */
struct fragment {
  uint32_t lines, length, bits;
  const char *space;
};

static bool read_fragment(const struct litmus_instr *from, struct fragment *out) {
  static const struct {
    const char *name;
    uint32_t bits;
  } types[] = {{".f16", 16}, {".bf16", 16}, {".tf32", 32}, {".f32", 32}, {".f64", 64}, {".s32", 32},
               {".u8", 8},   {".s8", 8},    {".u4", 4},    {".s4", 4},   {".b1", 1}};
  unsigned m = 0, n = 0, k = 0;
  char of = 0;
  bool column = false;
  *out = (struct fragment){.space = ""};
  LIST_EACH (word, from->qualifiers.first) {
    if (strlen(word->text) == 2 && strchr("abcd", word->text[1])) of = word->text[1];
    column = column || strcmp(word->text, ".col") == 0;
    if (strcmp(word->text, ".global") == 0 || base_begins(word->text, ".shared")) out->space = word->text;
    if (!m && sscanf(word->text, ".m%un%uk%u", &m, &n, &k) != 3) m = 0;
    for (size_t i = 0; i < ARRAY_LEN(types); i++)
      if (strcmp(types[i].name, word->text) == 0) out->bits = types[i].bits;
  }
  uint32_t rows = of == 'b' ? k : m, columns = of == 'a' ? k : n;
  out->lines = column ? columns : rows;
  out->length = column ? rows : columns;
  return of && out->lines && out->lines <= 256 && out->length <= 256 && out->bits && out->length * out->bits % 64 == 0;
}

static void put_slice(struct text *out, struct span span) {
  text_printf(out, "%.*s", (int)(span.end - span.begin), span.source->text + span.begin);
}

/* The address at an offset from the matrix, which %wmma_t has in bits. */
static void put_address(struct text *out, const struct litmus_operand *place, bool narrow) {
  const char *base = place->u.ref.name, *percent = place->u.ref.percent ? "%" : "";
  text_printf(out, "shr.u32 %%wmma_t, %%wmma_t, 3;\n");
  if (narrow) text_printf(out, "add.u32 %%wmma_p, %s%s, %%wmma_t;\n", percent, base);
  else text_printf(out, "cvt.u64.u32 %%wmma_w, %%wmma_t;\nadd.u64 %%wmma_p, %s%s, %%wmma_w;\n", percent, base);
}

static void put_guard(struct text *out, const struct litmus_instr *from) {
  if (from->guard) text_printf(out, "@%s%s ", from->guard_negated ? "!" : "", from->guard->text);
}

static void put_loads(struct text *out, const struct litmus_instr *from, const struct fragment *f, const char *stride,
                      bool narrow) {
  const struct litmus_operand *place = from->operands->next;
  uint32_t bytes = f->length * f->bits / 8, each = bytes % 16 ? 8 : 16;
  for (uint32_t i = 0; i < f->lines; i++) {
    text_printf(out, "mul.lo.u32 %%wmma_t, %s, %u;\n", stride, i * f->bits);
    put_address(out, place, narrow);
    for (uint32_t at = 0; at < bytes; at += each) {
      put_guard(out, from);
      text_printf(out, "ld%s.%s, [%%wmma_p+%lld];\n", f->space,
                  each == 8 ? "v2.b32 {%wmma_v0, %wmma_v1}" : "v4.b32 {%wmma_v0, %wmma_v1, %wmma_v2, %wmma_v3}",
                  (long long)place->u.ref.offset + at);
    }
  }
  put_guard(out, from);
  text_printf(out, WMMA_ARITHMETIC " ");
  put_slice(out, from->operands->span);
  text_printf(out, ", {%%wmma_v0};\n");
}

static void put_stores(struct text *out, const struct litmus_instr *from, const struct fragment *f, const char *stride,
                       bool narrow) {
  enum { LANES = 32 };
  uint32_t elements = f->lines * f->length / LANES, bytes = elements * f->bits / 8, size = f->bits == 64 ? 8 : 4;
  const struct litmus_operand *place = from->operands, *value = place->next->u.items;
  text_printf(out, "mov.u32 %%wmma_l, %%laneid;\nmul.lo.u32 %%wmma_l, %%wmma_l, %u;\n", elements);
  text_printf(out, "rem.u32 %%wmma_c, %%wmma_l, %u;\ndiv.u32 %%wmma_l, %%wmma_l, %u;\n", f->length, f->length);
  text_printf(out, "mul.lo.u32 %%wmma_t, %%wmma_l, %s;\nadd.u32 %%wmma_t, %%wmma_t, %%wmma_c;\n", stride);
  text_printf(out, "mul.lo.u32 %%wmma_t, %%wmma_t, %u;\n", f->bits);
  put_address(out, place, narrow);
  for (uint32_t at = 0; at < bytes && value; at += size, value = value->next) {
    put_guard(out, from);
    text_printf(out, "st%s.b%u [%%wmma_p+%lld], ", f->space, 8 * size, (long long)place->u.ref.offset + at);
    put_slice(out, value->span);
    text_printf(out, ";\n");
  }
  put_guard(out, from);
  text_printf(out, WMMA_ARITHMETIC " {%%wmma_v0}, {%%wmma_v0};\n");
}

const struct module_function *wmma_as_words(struct expansion *x, const struct litmus_instr *from, bool narrow) {
  struct fragment f;
  const struct litmus_operand *first = from->operands, *second = first ? first->next : NULL;
  bool load = strcmp(from->qualifiers.first->text, ".load") == 0;
  if (!second || (load ? second : first)->kind != LITMUS_BRACKET || !read_fragment(from, &f)) return NULL;
  if (!load && second->kind != LITMUS_VECTOR) return NULL;
  struct text stride = {.arena = x->parse.arena}, out = {.arena = x->parse.arena};
  if (second->next) put_slice(&stride, second->next->span);
  else text_printf(&stride, "%u", f.length);
  text_printf(&out, ".version 8.0\n.target sm_90\n.address_size 64\n.func wmma()\n{\n"
                    ".reg .b32 %%wmma_t, %%wmma_l, %%wmma_c;\n.reg .b32 %%wmma_v<4>;\n.reg .b64 %%wmma_w;\n"
                    ".reg .b%u %%wmma_p;\n", narrow ? 32 : 64);
  (load ? put_loads : put_stores)(&out, from, &f, text_str(&stride), narrow);
  text_printf(&out, "}\n");
  struct source *source = ARENA_NEW(x->parse.arena, struct source);
  const char *text = text_str(&out);
  *source = source_from_text("wmma", text, strlen(text));
  const struct module *module = module_parse(x->parse.arena, x->parse.names, x->parse.diags, source);
  REQUIRE(module);
  return module->functions.first;
}
