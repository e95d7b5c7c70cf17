#include <jansson.h>
#include <string.h>

#include "session.h"

/* ---- programs for a GPU */

/* What results and the manifest say about a test, without braces. NULL when memory ran out. */
static const char *test_members(struct ptxlit *s, size_t index) {
  struct input_test *test = &s->tests.data[index];
  struct position at = source_position(test->program->source, test->program->span.begin);
  const char *text = session_test_text(s, test);
  json_t *object = json_object();
  int failed = json_object_set_new(object, "test", json_string(test->program->name));
  failed |= json_object_set_new(object, "hash", json_string(session_test_hash(s, test)));
  failed |= json_object_set_new(object, "file", json_string(test->program->source->name));
  failed |= json_object_set_new(object, "line", json_integer(at.line));
  failed |= json_object_set_new(object, "text", json_string(text));
  char *dump = failed ? NULL : json_dumps(object, JSON_COMPACT);
  json_decref(object);
  if (!dump) arena_out_of_memory(&s->session);
  const char *members = arena_strndup(&s->session, dump + 1, strlen(dump) - 2);
  free(dump);
  return members;
}

enum ptxlit_status ptxlit_gpu_add(struct ptxlit *session, size_t test, const char **reason) {
  REQUIRE(test < session->tests.len);
  *reason = NULL;
  session_begin_work(session, "translating", test, NULL, 1);
  SESSION_WORK_GUARD(session);
  const struct program *program = session->tests.data[test].program;
  struct chip_plan plan;
  struct text code, row;
  text_init(&code, &session->session);
  text_init(&row, &session->session);
  chip_plan(&session->input, program, &plan);
  struct gpu_test added = {.number = session->gpu_tests.len};
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

static const char *part_text(struct ptxlit *s, uint32_t part, uint32_t begin, uint32_t end) {
  struct text out;
  text_init(&out, &s->session);
  text_add(&out, "#include \"chip.cuh\"\n\nnamespace {\n\nusing namespace chip;\n\n");
  for (uint32_t i = begin; i < end; i++) text_add(&out, s->gpu_tests.data[i].code);
  text_add(&out, "const test tests[] = {\n");
  for (uint32_t i = begin; i < end; i++) text_add(&out, s->gpu_tests.data[i].row);
  text_printf(&out, "};\n\n}  // namespace\n\nextern const chip_part part_%u;\nconst chip_part part_%u = {tests, %u};\n",
              part, part, end - begin);
  return text_str(&out);
}

static const char *parts_text(struct ptxlit *s, uint32_t parts) {
  struct text out;
  text_init(&out, &s->session);
  text_add(&out, "#include \"chip.cuh\"\n\n");
  for (uint32_t i = 0; i < parts; i++) text_printf(&out, "extern const chip_part part_%u;\n", i);
  text_add(&out, "\nconst chip_part *const chip_parts[] = {");
  for (uint32_t i = 0; i < parts; i++) text_printf(&out, "%s&part_%u", i ? ", " : "", i);
  text_printf(&out, "};\nconst size_t chip_part_count = %u;\n", parts);
  return text_str(&out);
}

static const char *manifest_text(struct ptxlit *s) {
  struct text out;
  text_init(&out, &s->session);
  for (uint32_t i = 0; i < s->gpu_tests.len; i++) {
    const struct gpu_test *test = &s->gpu_tests.data[i];
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
  struct ptxlit_file *all = ARENA_ARRAY(&s->session, struct ptxlit_file, parts + chip_file_count + 2);
  for (uint32_t i = 0; i < parts; i++) {
    uint32_t begin = (uint32_t)((uint64_t)tests * i / parts), end = (uint32_t)((uint64_t)tests * (i + 1) / parts);
    all[next++] = (struct ptxlit_file){arena_printf(&s->session, "part%u.cu", i), part_text(s, i, begin, end)};
  }
  all[next++] = (struct ptxlit_file){"parts.cu", parts_text(s, parts)};
  all[next++] = (struct ptxlit_file){"manifest.jsonl", manifest_text(s)};
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
