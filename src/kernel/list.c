/* A module given in place of a test: its kernels, and how to ask about them. */
#include <string.h>

#include "kernel/kernel.h"

bool kernel_is_module(const struct source *source) {
  const char *dot = strrchr(source->name, '.');
  return dot && (strcmp(dot, ".ptx") == 0 || strcmp(dot, ".cu") == 0);
}

/* k(p0, p1), by the name in the source. */
static void add_call(struct intern *names, const struct module_function *f, struct text *out) {
  uint32_t count = 0;
  text_printf(out, "%s(", module_source_name(names, f->name.text));
  for (const struct module_variable *p = f->params; p; p = p->next)
    text_printf(out, "%sp%u", count ? ", " : "", count), count++;
  text_add(out, ")");
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
  bool any = false;
  for (const struct module_function *f = module ? module->functions.first : NULL; f; f = f->next) {
    if (!f->is_entry || !f->has_body) continue;
    if (any) text_add(&hint, ", or ");
    add_call(names, f, &hint);
    any = true;
  }
  if (!any) text_add(&hint, is_ptx ? "k(x), but this module has no kernel" : "k(x)");
  text_add(&hint, " grid 2 block 1");
  diag_hint(diags, d, "%s", text_str(&hint));
}
