/* Finding, loading and listing models. */
#include <ctype.h>
#include <dirent.h>
#include <sys/stat.h>

#include "api/session.h"

#ifndef PTXLIT_DATADIR
#error "PTXLIT_DATADIR must name the directory that holds models/ after installation"
#endif

static const char installed_dir[] = PTXLIT_DATADIR "/models";
static const char ending[] = ".cat";

static bool has_ending(const char *name) {
  size_t length = strlen(name);
  return length > strlen(ending) && strcmp(name + length - strlen(ending), ending) == 0;
}

/* The directory part of a path, with its slash; "" if there is none. */
static const char *directory_of(struct arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? arena_strndup(arena, path, (size_t)(slash + 1 - path)) : "";
}

/* Adds the installed directory once, after all others. */
static void close_dirs(struct ptxlit *s) {
  if (s->dirs.len && s->dirs.data[s->dirs.len - 1] == installed_dir) return;
  VEC_PUSH(&s->session, &s->dirs, installed_dir);
}

enum ptxlit_status ptxlit_add_model_dir(struct ptxlit *session, const char *path) {
  REQUIRE(!session->models.len);
  session_begin(session);
  SESSION_GUARD(session, PTXLIT_NO_VERDICT);
  VEC_PUSH(&session->session, &session->dirs, arena_strdup(&session->session, path));
  session->known = NULL;
  session->model_names.len = 0;
  return PTXLIT_OK;
}

enum ptxlit_status ptxlit_add_test_dir(struct ptxlit *session, const char *path) {
  session_begin(session);
  SESSION_GUARD(session, PTXLIT_NO_VERDICT);
  bool elsewhere = path && session->options.untrusted && input_leads_out(path);
  const char *real = path && !elsewhere ? input_real(&session->session, path) : NULL;
  session->tests_found = session->tests_found || !path;
  if (real) VEC_PUSH(&session->session, &session->test_dirs, real);
  return PTXLIT_OK;
}

/* ---- opening */

struct opener {
  struct ptxlit *s;
  struct input_bounds bounds; /* the directory of the model, and the directories of models */
  VEC(const char *) beside;   /* directories of the files read for this model, with their slashes */
};

/* Opens a file if it exists and can be read; `bounds` (or NULL): the bounds of the file that includes it. */
static const struct source *try_file(struct ptxlit *s, const char *path, const struct input_bounds *bounds) {
  struct source source;
  if (session_open(s, &s->session, path, bounds, &source) != SOURCE_OK) return NULL;
  struct source *kept = ARENA_COPY(&s->session, &source);
  return kept;
}

static const struct source *try_dirs(struct ptxlit *s, const char *name, const struct input_bounds *bounds) {
  for (uint32_t i = 0; i < s->dirs.len; i++) {
    const struct source *source = try_file(s, arena_printf(&s->session, "%s/%s", s->dirs.data[i], name), bounds);
    if (source) return source;
  }
  return NULL;
}

static const struct source *open_include(void *state, const char *name) {
  struct opener *opener = state;
  struct ptxlit *s = opener->s;
  const struct source *source = NULL;
  bool ours = strcmp(name, "stdlib.cat") == 0; /* another tool's stdlib.cat does not fit */
  if (name[0] == '/') return try_file(s, name, &opener->bounds);
  for (uint32_t i = 0; !source && !ours && i < opener->beside.len; i++) {
    source = try_file(s, arena_printf(&s->session, "%s%s", opener->beside.data[i], name), &opener->bounds);
    if (!source && errno != ENOENT) return NULL;
  }
  if (!source) source = try_dirs(s, name, &opener->bounds);
  if (source) VEC_PUSH(&s->session, &opener->beside, directory_of(&s->session, source->name));
  return source;
}

/* A model may include files from its own directory and from the directories of models. */
static struct input_bounds bounds_of(struct ptxlit *s, const struct source *model) {
  struct arena *arena = &s->session;
  const char **dirs = ARENA_ARRAY(arena, const char *, s->dirs.len + 2), *of = input_real(arena, model->name);
  struct input_bounds bounds = {dirs, 0, s->options.untrusted};
  const char *dir = directory_of(arena, of ? of : model->name); /* the file of a held text may not exist yet */
  if (!of) dir = input_real(arena, *dir ? dir : ".");
  if (dir) dirs[bounds.count++] = dir;
  for (uint32_t i = 0; i < s->dirs.len; i++) {
    const char *real = input_real(arena, s->dirs.data[i]);
    if (real) dirs[bounds.count++] = real;
  }
  return bounds;
}

static struct model *read_model(struct ptxlit *s, struct diags *diags, const struct source *source,
                                const char *readings) {
  struct opener opener = {.s = s, .bounds = bounds_of(s, source)};
  VEC_PUSH(&s->session, &opener.beside, directory_of(&s->session, source->name));
  return model_read(&s->session, diags, source, readings, open_include, &opener);
}

/* ---- listing */

struct available {
  const char *name, *path, *title;
  const struct model *model; /* NULL: not loaded, or loading failed */
};

VEC_NAMED(listing, struct available);

static int by_name(const void *a, const void *b) {
  return strcmp(((const struct available *)a)->name, ((const struct available *)b)->name);
}

static bool listed(const struct listing *listing, const char *name) {
  return SOME_BELOW(i, listing->len, strcmp(listing->data[i].name, name) == 0);
}

/* The entry names are copied into the listing before the directory is closed; if memory runs out in between, the
 * directory stays open, which costs a descriptor and nothing else. */
static void list_dir(struct ptxlit *s, struct arena *arena, const char *dir, struct listing *out) {
  DIR *stream = opendir(dir);
  if (!stream && errno == ENOMEM) arena_out_of_memory(arena);
  if (!stream) return;
  for (struct dirent *entry; (entry = readdir(stream));) {
    if (!has_ending(entry->d_name)) continue;
    const char *name = arena_strndup(arena, entry->d_name, strlen(entry->d_name) - strlen(ending));
    const char *path = arena_printf(&s->session, "%s/%s", dir, entry->d_name);
    if (input_is_special(path) || listed(out, name)) continue;
    VEC_PUSH(arena, out, (struct available){.name = name, .path = path});
  }
  closedir(stream);
}

static struct listing list_all(struct ptxlit *s, struct arena *arena) {
  struct listing listing = {0};
  for (uint32_t i = 0; i < s->dirs.len; i++) list_dir(s, arena, s->dirs.data[i], &listing);
  list_dir(s, arena, installed_dir, &listing);
  if (listing.len) qsort(listing.data, listing.len, sizeof listing.data[0], by_name);
  return listing;
}

static bool includes(const struct model *model, const char *path) {
  return SOME(for (uint32_t i = 1; i < model->sources.len; i++), strcmp(model->sources.data[i]->name, path) == 0);
}

static bool has_axiom(const struct model *model) {
  return SOME_BELOW(i, model->axioms.len, model->axioms.data[i].role == CAT_AXIOM);
}

/* True for a file that is only a building block of models: one that another file includes, such as stdlib.cat, or one
 * without axioms. */
static bool is_part(const struct listing *listing, const struct available *item) {
  for (uint32_t i = 0; i < listing->len; i++) {
    const struct model *other = listing->data[i].model;
    if (other && other != item->model && includes(other, item->path)) return true;
  }
  return item->model && !has_axiom(item->model);
}

static void load_all(struct ptxlit *s, struct listing *listing) {
  VEC_EACH (item, listing) {
    struct diags diags;
    diags_init(&diags, &s->latest);
    const struct source *source = try_file(s, item->path, NULL);
    item->model = source ? read_model(s, &diags, source, NULL) : NULL;
    const char *title = item->model ? item->model->title : "(has errors)";
    item->title = title ? arena_strdup(&s->latest, title) : "";
  }
}

/* The names and titles of the files that are models, in `latest`. The memory for loading them is freed. */
static struct listing list_named(struct ptxlit *s) {
  struct arena_mark before = arena_mark(&s->session);
  struct listing all = list_all(s, &s->latest), named = {0};
  load_all(s, &all);
  for (uint32_t i = 0; i < all.len; i++)
    if (!is_part(&all, &all.data[i])) VEC_PUSH(&s->latest, &named, all.data[i]);
  for (uint32_t i = 0; i < named.len; i++) named.data[i].path = NULL, named.data[i].model = NULL;
  arena_rewind(&s->session, before);
  return named;
}

const char *ptxlit_list_models(struct ptxlit *session) {
  session_begin(session);
  SESSION_GUARD(session, NULL);
  struct listing listing = list_named(session);
  struct text text = {.arena = &session->latest};
  for (uint32_t i = 0; i < listing.len; i++)
    text_printf(&text, "%s\t%s\n", listing.data[i].name, listing.data[i].title);
  return text_tame(&text);
}

/* ---- using */

/* Finds and caches the names of all models, because it has to load all models. */
static void find_names(struct ptxlit *s) {
  if (s->model_names.len) return;
  struct listing listing = list_named(s);
  for (uint32_t i = 0; i < listing.len; i++)
    VEC_PUSH(&s->session, &s->model_names, arena_strdup(&s->session, listing.data[i].name));
}

/* The model whose name is most similar to this one, ignoring case, or else a model whose name contains this one; NULL
 * if there is neither. */
static const char *nearest_model(struct ptxlit *s, const char *name) {
  char *small = arena_strdup(&s->latest, name);
  for (char *c = small; *c; c++) *c = (char)tolower((unsigned char)*c);
  find_names(s);
  const char *near = nearest_word(small, s->model_names.data, s->model_names.len);
  for (uint32_t i = 0; i < s->model_names.len && !near && strlen(small) >= 3; i++)
    if (strstr(s->model_names.data[i], small)) near = s->model_names.data[i];
  return near;
}

static void report_unknown(struct ptxlit *s, const char *name) {
  struct diagnostic *d = diag_report(&s->diags, DIAG_UNKNOWN_MODEL, (struct span){0}, "no model named '%s'", name);
  const char *near = nearest_model(s, name);
  if (near) {
    diag_hint(&s->diags, d, "did you mean '%s'?", near);
    return;
  }
  struct text dirs = {.arena = &s->latest};
  for (uint32_t i = 0; i < s->dirs.len; i++) text_printf(&dirs, "%s%s", i ? ", " : "", s->dirs.data[i]);
  diag_hint(&s->diags, d, "--list-models shows those in %s; to name a file, write '/' or '.cat' in its name",
            text_str(&dirs));
}

/* The start of the readings in "ptx+G26=complete", or NULL. */
static const char *find_readings(const char *name_or_file) {
  const char *slash = strrchr(name_or_file, '/');
  for (const char *at = strchr(slash ? slash : name_or_file, '+'); at; at = strchr(at + 1, '+')) {
    size_t length = strcspn(at + 1, "+");
    if (memchr(at + 1, '=', length)) return at + 1;
  }
  return NULL;
}

/* Checks only the name before the readings, because the readings are unknown until the model is loaded. If no directory
 * of models exists, every name passes. */
bool session_knows_model(struct ptxlit *s, const char *name, const char **near) {
  const char *readings = find_readings(name);
  *near = NULL;
  if (SOME_BELOW(i, s->models.len, strcmp(s->models.data[i].model->name, name) == 0)) return true;
  if (readings) name = arena_strndup(&s->session, name, (size_t)(readings - name) - 1);
  if (!s->known) {
    struct listing *listing = ARENA_NEW(&s->session, struct listing);
    *listing = list_all(s, &s->session);
    s->known = listing;
  }
  if (!s->known->len || listed(s->known, name)) return true;
  *near = nearest_model(s, name);
  return false;
}

bool ptxlit_knows_model(struct ptxlit *session, const char *name, const char **near) {
  session_begin(session);
  *near = NULL;
  SESSION_GUARD(session, true);
  return session_knows_model(session, name, near);
}

static bool is_file_name(const char *name) { return strchr(name, '/') || has_ending(name); }

static const struct source *find_model(struct ptxlit *s, const char *name) {
  if (is_file_name(name)) return session_read(s, &s->session, name);
  const struct source *source = try_dirs(s, arena_printf(&s->session, "%s%s", name, ending), NULL);
  if (!source) report_unknown(s, name);
  return source;
}

static const struct model *find_loaded(const struct ptxlit *s, const char *name) {
  for (uint32_t i = 0; i < s->known_models.len; i++)
    if (strcmp(s->known_models.data[i].asked, name) == 0) return s->known_models.data[i].model;
  return NULL;
}

static const char *keep(struct ptxlit *s, const char *text) { return text ? arena_strdup(&s->session, text) : NULL; }

/* The names of the models that include a file: "rc11-scoped or rc11-scoped-17"; "" if there is none. The memory for
 * loading them is freed. */
static const char *models_with(struct ptxlit *s, const char *path) {
  struct arena_mark before = arena_mark(&s->session);
  struct listing all = list_all(s, &s->latest);
  struct text names = {.arena = &s->latest};
  load_all(s, &all);
  VEC_EACH (item, &all)
    if (item->model && strcmp(item->path, path) != 0 && includes(item->model, path))
      text_printf(&names, "%s%s", names.len ? " or " : "", item->name);
  arena_rewind(&s->session, before);
  return text_str(&names);
}

/* Reads a model that the user named. Instead of the errors of a part of models it reports that it is one. */
static const struct model *read_named(struct ptxlit *s, const char *name, const struct source *source,
                                      const char *readings) {
  struct diags own;
  diags_init(&own, &s->latest);
  const struct model *model = read_model(s, &own, source, readings);
  bool part = !is_file_name(name) && (!model || !has_axiom(model));
  const char *whole = part ? models_with(s, source->name) : "";
  if (*whole)
    diag_report(&s->diags, DIAG_UNKNOWN_MODEL, (struct span){0},
                "'%s' is a part of other models, and not a model" HINT "use %s", name, whole);
  else diags_add(&s->diags, &own);
  return *whole ? NULL : model;
}

const struct model *session_model(struct ptxlit *s, const char *name_or_file) {
  const struct model *model = find_loaded(s, name_or_file);
  if (model) return model;
  const char *readings = find_readings(name_or_file);
  size_t length = readings ? (size_t)(readings - name_or_file) - 1 : strlen(name_or_file);
  close_dirs(s);
  const char *name = arena_strndup(&s->session, name_or_file, length);
  const struct source *source = find_model(s, name);
  if (source) model = read_named(s, name, source, keep(s, readings));
  struct loaded loaded = {.asked = arena_strdup(&s->session, name_or_file), .model = model};
  if (model) VEC_PUSH(&s->session, &s->known_models, loaded);
  return model;
}

static bool is_made_of(const struct model *model, const struct stat *file) {
  struct stat other;
  return SOME_BELOW(i, model->sources.len,
                    stat(model->sources.data[i]->name, &other) == 0 && other.st_dev == file->st_dev &&
                        other.st_ino == file->st_ino);
}

bool ptxlit_reads_model(const struct ptxlit *session, const char *path) {
  struct stat file;
  if (stat(path, &file) != 0) return false;
  return SOME_BELOW(i, session->known_models.len, is_made_of(session->known_models.data[i].model, &file));
}

static enum ptxlit_status use(struct ptxlit *s, const char *name_or_file, const char *for_cuda) {
  session_begin_reading(s, name_or_file);
  s->work.what = "reading the model";
  SESSION_GUARD(s, PTXLIT_NO_VERDICT);
  const struct model *model = session_model(s, name_or_file);
  session_end_limit(s);
  if (!model) return PTXLIT_BAD_INPUT;
  struct loaded loaded = {.asked = arena_strdup(&s->session, name_or_file), .model = model, .other = keep(s, for_cuda)};
  VEC_PUSH(&s->session, &s->models, loaded);
  return PTXLIT_OK;
}

enum ptxlit_status ptxlit_use_model(struct ptxlit *session, const char *name_or_file) {
  return use(session, name_or_file, NULL);
}

enum ptxlit_status ptxlit_use_models(struct ptxlit *session, const char *for_ptx, const char *for_cuda) {
  REQUIRE(!session->tests.len);
  return use(session, for_ptx, for_cuda);
}

bool session_choose(struct ptxlit *s, bool cuda) {
  VEC_EACH (l, &s->models) {
    if (!l->other || cuda == l->cuda) continue;
    const struct model *model = session_model(s, l->other);
    if (!model) return false;
    const char *before = l->asked;
    l->model = model, l->asked = l->other, l->other = before, l->cuda = cuda;
  }
  return true;
}

static bool fit_languages(struct ptxlit *s) {
  bool two = SOME_BELOW(i, s->models.len, s->models.data[i].other);
  if (!two) return true;
  bool cuda = session_test(s, 0)->program->cuda; /* all tests of an input are in one language */
  for (uint32_t i = 0; i < s->models.len; i++) s->models.data[i].met[cuda] = true;
  return session_choose(s, cuda);
}

/* All tests of an input have hosts, or none: rows of a table share their columns. */
static void fit_hosts(struct ptxlit *s) {
  bool hosts = session_test(s, 0)->program->host;
  VEC_EACH (l, &s->models) {
    const struct model *plain = l->model->without ? l->model->without : l->model;
    l->model = hosts ? model_with_hosts(&s->session, plain) : plain;
  }
}

bool session_fit_models(struct ptxlit *s) {
  if (!fit_languages(s)) return false;
  fit_hosts(s);
  return true;
}

enum ptxlit_status ptxlit_choose_models(struct ptxlit *s, bool for_cuda) {
  session_begin_reading(s, "");
  SESSION_GUARD(s, PTXLIT_NO_VERDICT);
  bool chosen = session_choose(s, for_cuda);
  session_end_limit(s);
  return chosen ? PTXLIT_OK : PTXLIT_BAD_INPUT;
}

size_t ptxlit_model_count(const struct ptxlit *session) { return session->models.len; }

const char *ptxlit_model_name(const struct ptxlit *session, size_t model) {
  REQUIRE(model < session->models.len);
  return session->models.data[model].model->name;
}
