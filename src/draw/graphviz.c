/* The only file that knows Graphviz's library. It is loaded at run time, so that the checker neither needs it nor pays
 * for its start; no header of it is needed, since this is all of its interface that is used. */
#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "draw/dot.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ASAN /* as clang says it */
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(WITH_ASAN)
/* Graphviz forgets a few bytes of each label, and what it loads keeps caches; only that is not held against us. */
const char *__lsan_default_options(void);
const char *__lsan_default_options(void) { return "print_suppressions=0"; }
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
  return "leak:libgvc\nleak:libcgraph\nleak:libgvplugin\nleak:libfontconfig\nleak:libpango\nleak:libglib\n"
         "leak:libcairo";
}
#endif

typedef struct gvc gvc;
typedef struct graph graph;

struct library {
  void *handle;
  gvc *(*context)(void);
  int (*layout)(gvc *, graph *, const char *engine);
  int (*render)(gvc *, graph *, const char *format, char **data, unsigned int *length);
  void (*free_data)(char *);
  graph *(*read)(const char *text);
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
         load_symbol(l->handle, "gvFreeRenderData", &l->free_data) && load_symbol(l->handle, "agmemread", &l->read) &&
         load_symbol(l->handle, "agseterrf", &l->silence);
}

/* Where Graphviz notices that an allocation failed it exits, and where it does not notice it crashes or leaves
 * something out of the picture. What is left to us is the error number, which nothing but that sets to this. */
static void demand_memory(struct arena *arena) {
  if (errno == ENOMEM) arena_out_of_memory(arena);
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
  int laid_out = l->layout(context, g, "nop2");
  demand_memory(arena);
  if (laid_out != 0) return "Graphviz has no plugin for layouts of the neato family";
  int rendered = l->render(context, g, format, &result, &length);
  demand_memory(arena);
  if (rendered != 0 || !result) return arena_printf(arena, "Graphviz has no plugin for '%s'", format);
  *data = arena_strndup(arena, result, length);
  *size = length;
  l->free_data(result);
  return NULL;
}

const char *graphviz_render(struct arena *arena, const char *dot, const char *format, const char **data, size_t *size) {
  struct library l = {0};
  errno = 0;
  bool loaded = load(&l);
  demand_memory(arena);
  if (!loaded) return "Graphviz is not installed (libgvc.so.6)";
  l.silence(say_nothing);
  gvc *context = l.context();
  graph *g = context ? l.read(dot) : NULL;
  demand_memory(arena);
  if (!g) return "Graphviz could not read our own graph";
  /* The Pango plugin of Graphviz 2.42 remembers the name of its last font by a pointer into the graph, and compares
   * the next one with it: a graph that it has seen must stay. */
  return render(arena, &l, context, g, format, data, size);
}
