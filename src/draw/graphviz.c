/* The only file that knows Graphviz's library. It is loaded at run time, so that the checker neither needs it nor pays
 * for its start; no header of it is needed, since this is all of its interface that is used. */
#include <dlfcn.h>
#include <string.h>

#include "draw/dot.h"

typedef struct gvc gvc;
typedef struct graph graph;

struct library {
  void *handle;
  gvc *(*context)(void);
  int (*layout)(gvc *, graph *, const char *engine);
  int (*render)(gvc *, graph *, const char *format, char **data, unsigned int *length);
  void (*free_data)(char *);
  int (*free_layout)(gvc *, graph *);
  int (*free_context)(gvc *);
  graph *(*read)(const char *text);
  int (*close)(graph *);
  int (*(*silence)(int (*)(char *)))(char *);
};

/* ISO C has no conversion from an object pointer to a function pointer; POSIX promises that this works. */
static bool load_symbol(void *handle, const char *name, void *function) {
  void *symbol = dlsym(handle, name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}

/* Graphviz 2.30 to 12 have this version of the interface. The library is never unloaded: its plugins do not allow
 * it. */
static bool load(struct library *l) {
  l->handle = dlopen("libgvc.so.6", RTLD_NOW | RTLD_GLOBAL);
  return l->handle && load_symbol(l->handle, "gvContext", &l->context) &&
         load_symbol(l->handle, "gvLayout", &l->layout) && load_symbol(l->handle, "gvRenderData", &l->render) &&
         load_symbol(l->handle, "gvFreeRenderData", &l->free_data) &&
         load_symbol(l->handle, "gvFreeLayout", &l->free_layout) &&
         load_symbol(l->handle, "gvFreeContext", &l->free_context) && load_symbol(l->handle, "agmemread", &l->read) &&
         load_symbol(l->handle, "agclose", &l->close) && load_symbol(l->handle, "agseterrf", &l->silence);
}

/* Graphviz warns on stderr of fonts and sizes; what matters shows in its return values. */
static int say_nothing(char *message) {
  (void)message;
  return 0;
}

static const char *render(struct arena *arena, const struct library *l, gvc *context, graph *g, const char *format,
                          const char **data, size_t *size) {
  char *result = NULL;
  unsigned int length = 0;
  if (l->layout(context, g, "nop2") != 0)
    return "Graphviz has no plugin for layouts of the neato family";
  if (l->render(context, g, format, &result, &length) != 0 || !result) {
    l->free_layout(context, g);
    return arena_printf(arena, "Graphviz has no plugin for '%s'", format);
  }
  *data = arena_strndup(arena, result, length);
  *size = length;
  l->free_data(result);
  l->free_layout(context, g);
  return NULL;
}

const char *graphviz_render(struct arena *arena, const char *dot, const char *format, const char **data, size_t *size) {
  struct library l = {0};
  const char *why = "Graphviz could not read our own graph";
  if (!load(&l)) return "Graphviz is not installed (libgvc.so.6)";
  l.silence(say_nothing);
  gvc *context = l.context();
  graph *g = context ? l.read(dot) : NULL;
  if (g) {
    why = render(arena, &l, context, g, format, data, size);
    l.close(g);
  }
  if (context) l.free_context(context);
  return why;
}
