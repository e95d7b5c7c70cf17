/* A module given in place of a test: its kernels, and how to ask about them. */
#include <string.h>

#include "kernel/kernel.h"

bool kernel_is_module(const struct source *source) {
  const char *dot = strrchr(source->name, '.');
  return dot && (strcmp(dot, ".ptx") == 0 || strcmp(dot, ".cu") == 0);
}

static const char *type_of(const struct module_variable *v) {
  const char *type = "";
  for (const struct litmus_word *word = v->words.first; word; word = word->next) type = word->text;
  return type;
}

/* k(p0, p1), by the name in the source where no other kernel has that; `typed`: with the types behind it. */
static void add_call(struct intern *names, const struct module *module, const struct module_function *f, bool typed,
                     struct text *out) {
  uint32_t count = 0;
  bool many;
  const char *name = module_source_name(names, f->name.text);
  text_printf(out, "%s(", module_find(names, module, name, &many) == f ? name : f->name.text);
  for (const struct module_variable *p = f->params; p; p = p->next)
    text_printf(out, "%sp%u", count ? ", " : "", count), count++;
  text_add(out, ")");
  for (const struct module_variable *p = f->params; p && typed; p = p->next) {
    text_printf(out, "%s%s", p == f->params ? ": " : ", ", type_of(p));
    if (p->is_array) text_printf(out, "[%u]", p->count);
  }
}

static const struct module_function *next_kernel(const struct module_function *f) {
  while (f && (!f->is_entry || !f->has_body)) f = f->next;
  return f;
}

void kernel_list(struct arena *arena, struct intern *names, struct diags *diags, const struct source *source) {
  const char *file = base_file_name(source->name), *dot = strrchr(file, '.');
  bool is_ptx = strcmp(dot, ".ptx") == 0;
  const struct module *module = is_ptx ? module_parse(arena, names, diags, source) : NULL;
  if (is_ptx && !module) return;
  struct diagnostic *d = diag_report(diags, DIAG_NO_TEST, (struct span){source, 0, 0}, "a kernel alone is no test");
  struct text hint = {.arena = arena};
  text_printf(&hint, "a test says which threads run it and what to ask: after the init block stands kernel \"%s\" ",
              file);
  const struct module_function *first = next_kernel(module ? module->functions.first : NULL);
  if (first) add_call(names, module, first, false, &hint);
  else text_add(&hint, is_ptx ? "k(x), but this module has no kernel" : "k(x)");
  text_add(&hint, " grid 2 block 1");
  if (first && next_kernel(first->next)) {
    text_add(&hint, "; its kernels:");
    for (const struct module_function *f = first; f; f = next_kernel(f->next)) {
      text_add(&hint, f == first ? " " : "; ");
      add_call(names, module, f, true, &hint);
    }
  }
  d->hint = text_str(&hint); /* names whole, however long: they are to be copied */
}
