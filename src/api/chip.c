#include "out/explain.h"
#include "api/session.h"

/* ---- programs for a GPU */

/* The JSON members that describe a test in results and in the manifest, without braces. */
static const char *test_members(struct ptxlit *s, size_t index) {
  struct input_test *test = session_test(s, index);
  struct json object = json_new(&s->input);
  struct text line = {.arena = &s->session};
  PUT(object, J_TEXT("test", test->program->name), J_TEXT("hash", session_test_hash(s, test)),
      J_TEXT("file", test->program->source->name),
      J_NUMBER("line", source_position(test->program->source, test->program->span.begin).line),
      J_TEXT("text", session_test_text(s, test)));
  json_write(object, &line);
  return arena_strndup(&s->session, line.data + 1, line.len - strlen("{}\n"));
}

enum ptxlit_status ptxlit_gpu_add(struct ptxlit *session, size_t test, const char **reason) {
  *reason = NULL;
  SESSION_WORK(session, "translating", test, NO_MODEL, 1);
  const struct program *program = session_test(session, test)->program;
  struct chip_plan plan;
  struct text code = {.arena = &session->session}, row = {.arena = &session->session};
  chip_plan(&session->input, program, &plan);
  struct gpu_test added = {.number = session->gpu_tests.len, .cpp = program->cuda && !plan.reason};
  added.capability = plan.reason ? 0 : plan.capability;
  added.members = test_members(session, test);
  chip_code(&session->input, program, &plan, added.number, &code);
  chip_row(program, &plan, added.number, added.members, &row);
  added.code = text_str(&code);
  added.row = text_str(&row);
  if (plan.reason) added.left_out = arena_strdup(&session->session, plan.reason);
  VEC_PUSH(&session->session, &session->gpu_tests, added);
  *reason = added.left_out;
  return PTXLIT_OK;
}

size_t ptxlit_gpu_count(const struct ptxlit *session) { return session->gpu_tests.len; }

/* The files of tests that only devices of one capability run. */
static const struct {
  unsigned capability;
  const char *part, *file;
} specific[] = {{90, "sm_90a", "sm_90a.cu"}, {100, "sm_100a", "sm_100a.cu"}};

/* The text of a part: the tests from `begin` to `end` that are for this capability. */
static const char *part_text(struct ptxlit *s, const char *part, uint32_t begin, uint32_t end, unsigned capability) {
  struct text out = {.arena = &s->session}, rows = {.arena = &s->session};
  bool cpp = false;
  uint32_t count = 0;
  for (uint32_t i = begin; i < end; i++) cpp |= s->gpu_tests.data[i].cpp;
  text_printf(&out, "%s#include \"chip.cuh\"\n\nnamespace {\n\nusing namespace chip;\n\n",
              cpp ? "#include <cuda/atomic>\n\n" : "");
  for (uint32_t i = begin; i < end; i++) {
    if (s->gpu_tests.data[i].capability != capability) continue;
    text_add(&out, s->gpu_tests.data[i].code);
    text_add(&rows, s->gpu_tests.data[i].row);
    count++;
  }
  text_printf(&out, "const test tests[] = {\n%s%s};\n\n}  // namespace\n\n", text_str(&rows), count ? "" : "  {}\n");
  text_printf(&out, "extern const chip_part %s;\nconst chip_part %s = {tests, %u};\n", part, part, count);
  return text_str(&out);
}

static bool any_for(const struct ptxlit *s, unsigned capability) {
  return SOME_BELOW(i, s->gpu_tests.len, s->gpu_tests.data[i].capability == capability);
}

static const char *parts_text(struct ptxlit *s, uint32_t parts) {
  struct text out = {.arena = &s->session}, list = {.arena = &s->session};
  uint32_t count = parts;
  text_add(&out, "#include \"chip.cuh\"\n\n");
  for (uint32_t i = 0; i < parts; i++) {
    text_printf(&out, "extern const chip_part part_%u;\n", i);
    text_printf(&list, "%s&part_%u", i ? ", " : "", i);
  }
  for (size_t i = 0; i < ARRAY_LEN(specific); i++) {
    if (!any_for(s, specific[i].capability)) continue;
    text_printf(&out, "extern const chip_part %s;\n", specific[i].part);
    text_printf(&list, ", &%s", specific[i].part);
    count++;
  }
  text_printf(&out, "\nconst chip_part *const chip_parts[] = {%s};\n", text_str(&list));
  text_printf(&out, "const size_t chip_part_count = %u;\n", count);
  return text_str(&out);
}

static const char *manifest_text(struct ptxlit *s) {
  struct text out = {.arena = &s->session};
  VEC_EACH (test, &s->gpu_tests) {
    text_printf(&out, "{\"format\":1,%s,\"left_out\":", test->members);
    if (test->left_out) chip_literal(test->left_out, &out);
    else text_add(&out, "null");
    text_add(&out, "}\n");
  }
  return text_str(&out);
}

static const struct ptxlit_file *all_files(struct ptxlit *s, uint32_t parts, size_t *count) {
  uint32_t tests = s->gpu_tests.len;
  size_t next = 0;
  struct ptxlit_file *all =
      ARENA_ARRAY(&s->session, struct ptxlit_file, parts + chip_file_count + 2 + ARRAY_LEN(specific));
  all[next++] = (struct ptxlit_file){"manifest.jsonl", manifest_text(s)};
  for (uint32_t i = 0; i < parts; i++) {
    uint32_t begin = (uint32_t)((uint64_t)tests * i / parts), end = (uint32_t)((uint64_t)tests * (i + 1) / parts);
    const char *name = arena_printf(&s->session, "part_%u", i);
    all[next++] = (struct ptxlit_file){arena_printf(&s->session, "part%u.cu", i), part_text(s, name, begin, end, 0)};
  }
  for (size_t i = 0; i < ARRAY_LEN(specific); i++)
    if (any_for(s, specific[i].capability))
      all[next++] =
          (struct ptxlit_file){specific[i].file, part_text(s, specific[i].part, 0, tests, specific[i].capability)};
  all[next++] = (struct ptxlit_file){"parts.cu", parts_text(s, parts)};
  for (size_t i = 0; i < chip_file_count; i++)
    all[next++] = (struct ptxlit_file){chip_files[i].name, chip_files[i].text};
  *count = next;
  return all;
}

enum ptxlit_status ptxlit_gpu_program(struct ptxlit *session, unsigned parts, const struct ptxlit_file **files,
                                      size_t *count) {
  REQUIRE(session->gpu_tests.len > 0 && parts > 0);
  session_begin(session);
  SESSION_GUARD(session, PTXLIT_NO_VERDICT);
  *files = all_files(session, parts < session->gpu_tests.len ? parts : session->gpu_tests.len, count);
  return PTXLIT_OK;
}

/* ---- Outcomes seen on GPUs */

enum ptxlit_status ptxlit_read_results(struct ptxlit *session, const char *path) {
  session_begin_reading(session, path);
  SESSION_GUARD(session, PTXLIT_NO_VERDICT);
  const struct source *source = session_read(session, &session->latest, path);
  bool right = source && seen_read(&session->session, &session->diags, source, &session->sightings);
  session_end_limit(session);
  return right ? PTXLIT_OK : PTXLIT_BAD_INPUT;
}

size_t ptxlit_seen_count(const struct ptxlit *session) { return session->sightings.tests.len; }

const struct seen_test *session_seen(struct ptxlit *s, size_t test) {
  if (!s->sightings.tests.len) return NULL;
  const struct seen_test *seen = seen_find(&s->sightings, session_test_hash(s, session_test(s, test)));
  return seen && !seen->left_out ? seen : NULL;
}

void session_note_seen(struct ptxlit *s, size_t test, struct scene *scene) {
  const struct seen_test *seen = session_seen(s, test);
  if (!seen || !scene->outcome || !*scene->outcome) return;
  const char *phrase = judge_phrase(&s->input, seen, seen_count(seen, scene->outcome));
  scene->caption = arena_printf(&s->input, "%s; its outcome was %s", scene->caption, phrase);
}

/* Reads the test whose text is stored in the results, as the session's input. */
static enum ptxlit_status read_seen(struct ptxlit *s, const struct seen_test *seen) {
  struct ptxlit_options options = s->options, own = options;
  own.same_names = true;
  own.dat3m_dialect = own.all_state = own.implicit_locations = false;
  s->options = own;
  s->reads_results = true;
  enum ptxlit_status status = ptxlit_read_text(s, seen->name, seen->text, strlen(seen->text));
  s->reads_results = false;
  s->options = options;
  if (status == PTXLIT_OK && ptxlit_test_count(s) != 1) return PTXLIT_BAD_INPUT;
  return status;
}

static void fill_seen(const struct judged *judged, struct ptxlit_seen *facts) {
  facts->contradicts = judged_contradicts(judged);
  facts->forbidden = judged->forbidden;
  facts->met = judged->met;
  facts->open = judged->open;
  for (uint32_t i = 0; i < judged->seen->machines.len; i++) facts->seconds += judged->seen->machines.data[i].seconds;
}

static out_observation *const observed[] = {[PTXLIT_TEXT] = out_observed,
                                            [PTXLIT_JSON] = out_observed_json,
                                            [PTXLIT_QUIET] = out_observed_line,
                                            [PTXLIT_SUMMARY] = out_observed_line,
                                            [PTXLIT_LOG] = out_observed_log};

static enum ptxlit_status judge_test(struct ptxlit *s, const struct seen_test *seen, const struct model *model,
                                     enum ptxlit_format format, struct ptxlit_seen *facts, const char **text) {
  struct input_test *test = session_test(s, 0);
  struct check_options options = session_check_options(s);
  struct program *whole = ARENA_NEW(&s->input, struct program); /* without the filter: GPUs show all outcomes */
  struct result result = {0};
  struct judged judged;
  struct text out = {.arena = &s->input};
  if (strcmp(session_test_hash(s, test), seen->hash) != 0) {
    diag_report(&s->diags, DIAG_WRONG_RESULTS, test->program->span,
                "the results for '%s' are those of a different test: their hash is not that of the text beside it",
                seen->name);
    return PTXLIT_BAD_INPUT;
  }
  *whole = *test->program;
  whole->filter = NULL;
  options.races = options.verdict_only = false;
  check(&s->input, whole, model, &options, &result);
  judge_seen(&s->input, test->program, &result, seen, &judged);
  fill_seen(&judged, facts);
  observed[format](test->program, &judged, &out);
  *text = text_tame(&out);
  if (facts->contradicts) return PTXLIT_UNMET;
  return judged.open ? PTXLIT_NO_VERDICT : PTXLIT_OK;
}

enum ptxlit_status ptxlit_observe(struct ptxlit *session, size_t seen, size_t model, enum ptxlit_format format,
                                  struct ptxlit_seen *facts, const char **text) {
  REQUIRE(seen < session->sightings.tests.len && model < session->models.len);
  const struct seen_test *of = &session->sightings.tests.data[seen];
  *text = NULL;
  *facts = (struct ptxlit_seen){.test = of->name, .hash = of->hash, .left_out = of->left_out, .runs = of->runs};
  enum ptxlit_status status = read_seen(session, of);
  if (status != PTXLIT_OK) return status;
  SESSION_WORK(session, "judging", 0, model, 0);
  return judge_test(session, of, session->models.data[model].model, format, facts, text);
}
