/* The only file that knows Graphviz's library. It is loaded at run time, so that the checker neither needs it nor pays
 * for its start; no header of it is needed, since this is all of its interface that is used. */
#define _GNU_SOURCE /* dladdr */
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

/* libltdl's list of symbols that need no search. */
struct builtin {
  const char *name;
  void *address;
};

struct library {
  void *handle;
  gvc *(*context)(void);
  gvc *(*context_of)(const struct builtin *plugins, int search);
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
         load_symbol(l->handle, "gvContextPlugins", &l->context_of) && load_symbol(l->handle, "gvLayout", &l->layout) &&
         load_symbol(l->handle, "gvRenderData", &l->render) &&
         load_symbol(l->handle, "gvFreeRenderData", &l->free_data) &&
         load_symbol(l->handle, "gvFreeLayout", &l->free_layout) &&
         load_symbol(l->handle, "gvFreeContext", &l->free_context) && load_symbol(l->handle, "agmemread", &l->read) &&
         load_symbol(l->handle, "agclose", &l->close) && load_symbol(l->handle, "agseterrf", &l->silence);
}

/* Where Graphviz notices that an allocation failed it exits, and where it does not notice it crashes or leaves
 * something out of the picture. What is left to us is the error number, which nothing but that sets to this. */
static void demand_memory(struct arena *arena) {
  if (errno == ENOMEM) arena_out_of_memory(arena);
}

/* A plugin that lies where the library's plugins lie, beside it. */
static void *load_plugin(struct arena *arena, const struct library *l, const char *name) {
  Dl_info place;
  void *symbol = dlsym(l->handle, "gvContext");
  if (!symbol || !dladdr(symbol, &place) || !place.dli_fname) return NULL;
  const char *slash = strrchr(place.dli_fname, '/');
  int length = slash ? (int)(slash - place.dli_fname) : 0;
  const char *path = arena_printf(arena, "%.*s/graphviz/libgvplugin_%s.so.6", length, place.dli_fname, name);
  void *plugin = dlopen(path, RTLD_NOW);
  if (!plugin) demand_memory(arena);
  return plugin ? dlsym(plugin, arena_printf(arena, "gvplugin_%s_LTX_library", name)) : NULL;
}

/* For SVG the plugins without Pango do: they start ten times faster, measure text the same way everywhere, and leave
 * nothing behind. NULL when they are not where they should be. */
static gvc *plain_context(struct arena *arena, const struct library *l) {
  struct builtin *plugins = ARENA_ARRAY(arena, struct builtin, 3);
  plugins[0] = (struct builtin){"gvplugin_core_LTX_library", load_plugin(arena, l, "core")};
  plugins[1] = (struct builtin){"gvplugin_neato_layout_LTX_library", load_plugin(arena, l, "neato_layout")};
  return plugins[0].address && plugins[1].address ? l->context_of(plugins, 0) : NULL;
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
  gvc *plain = strcmp(format, "svg") == 0 ? plain_context(arena, &l) : NULL;
  gvc *context = plain ? plain : l.context();
  graph *g = context ? l.read(dot) : NULL;
  demand_memory(arena);
  if (!g) return "Graphviz could not read our own graph";
  const char *why = render(arena, &l, context, g, format, data, size);
  /* The Pango plugin of Graphviz 2.42 remembers the name of its last font by a pointer into the graph, and compares
   * the next one with it: a graph that it has seen must stay. */
  if (!plain) return why;
  l.free_layout(context, g);
  l.close(g);
  l.free_context(context);
  return why;
}
