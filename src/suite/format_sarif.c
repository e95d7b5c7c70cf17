/* The format sarif: SARIF 2.1.0, one run. A finding is a result at its place in the source; its rule is the clause or
 * the reason. A result that is not right for another reason has a rule of that name. */
#include "suite/report.h"

/* ---- Rules */

static void put_message(struct json to, const char *key, const char *text) {
  put_text(put_object(to, key), "text", text);
}

static void add_rule(struct report *report, const char *id, const json_t *finding, const char *says) {
  struct json rules = report->rules;
  if (!rules.value) rules = report->rules = json_new(&report->arena);
  if (json_object_get(rules.value, id)) return;
  const char *section = member_text(finding, "section"), *cure = member_text(finding, "cure");
  struct text help = {.arena = &report->arena};
  text_add(&help, says);
  if (*section) text_printf(&help, " (%s%s)", section[0] == 'C' ? "" : "PTX ISA ", section);
  if (*cure) text_printf(&help, "; %s", cure);
  struct json rule = put_object(rules, id);
  put_text(rule, "id", id);
  put_message(rule, "shortDescription", *member_text(finding, "kind") ? member_text(finding, "kind") : id);
  put_message(rule, "fullDescription", says);
  put_message(rule, "help", text_str(&help));
  if (*section) put_text(put_object(rule, "properties"), "section", section);
}

/* ---- Places */

/* A path as a URI: relative to the root of the sources if it is. */
static const char *uri_of(struct arena *arena, const char *path) {
  struct text uri = {.arena = arena};
  if (base_begins(path, "./")) path += 2;
  if (*path == '/') text_add(&uri, "file://");
  for (const unsigned char *c = (const unsigned char *)path; *c; c++) {
    bool plain =
        (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || strchr("/-_.~", *c);
    if (plain) text_char(&uri, (char)*c);
    else text_printf(&uri, "%%%02X", *c);
  }
  return text_str(&uri);
}

static void put_location(struct json list, const json_t *place, const char *file, const char *message) {
  struct json location = put_object(list, NULL), physical = put_object(location, "physicalLocation");
  if (*member_text(place, "file")) file = member_text(place, "file");
  put_text(put_object(physical, "artifactLocation"), "uri", uri_of(list.arena, file));
  if (member_number(place, "line") > 0) {
    struct json region = put_object(physical, "region");
    put_number(region, "startLine", (uint64_t)member_number(place, "line"));
    if (member_number(place, "column") > 0) put_number(region, "startColumn", (uint64_t)member_number(place, "column"));
    if (*member_text(place, "quote")) put_message(region, "snippet", member_text(place, "quote"));
  }
  if (message) put_message(location, "message", message);
}

/* ---- Results */

static struct json new_result(struct arena *arena, const char *rule, const char *level, const char *message) {
  struct json result = json_new(arena);
  PUT(result, J_TEXT("ruleId", rule), J_TEXT("level", level));
  put_message(result, "message", message);
  return result;
}

static void write_result(struct report *report, struct json result, struct text *out) {
  text_add(out, report->sarif_results++ ? ",\n" : "\n");
  struct text line = {.arena = out->arena};
  json_write(result, &line);
  text_add_slice(out, line.data, line.len ? line.len - 1 : 0);
}

static const char *prefix_of(const struct record *record, struct arena *arena) {
  return arena_printf(arena, "%s under %s: ", record->test ? record->test : "", record->model ? record->model : "");
}

static void add_finding(struct report *report, const struct record *record, const json_t *finding, struct text *out) {
  const char *kind = member_text(finding, "kind"), *clause = member_text(finding, "clause"),
             *rule = *clause ? clause : kind;
  const json_t *access, *place = told_place(finding, &access), *other;
  size_t i;
  struct text message = {.arena = out->arena};
  text_add(&message, prefix_of(record, out->arena));
  told_finding(finding, &message);
  add_rule(report, rule, finding, *member_text(finding, "rule") ? member_text(finding, "rule") : kind);
  struct json result = new_result(out->arena, rule, "error", text_str(&message));
  struct json list = put_array(result, "locations");
  put_location(list, place, record->file ? record->file : "", NULL);
  json_array_foreach(json_object_get(finding, "places"), i, other) {
    const json_t *at = json_object_get(other, "at");
    if (other == access || json_equal(other, access) || !(at || member_number(other, "line"))) continue;
    put_location(put_array(result, "relatedLocations"), at ? at : other, record->file ? record->file : "",
                 "the other access");
  }
  write_result(report, result, out);
}

static void sarif_begin(struct report *report, const json_t *run, struct text *out) {
  (void)report, (void)run;
  text_add(out, "{\"$schema\":\"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                "sarif-schema-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"results\":[");
}

static void sarif_add(struct report *report, const struct record *record, struct text *out) {
  static const char *const says[] = {[RESULT_PASS] = "a remark about a result",
                                     [RESULT_FAIL] = "the verdict of a test is not the expected one",
                                     [RESULT_UNKNOWN] = "ptxlit gives no verdict, and says why",
                                     [RESULT_NEW] = "a remark about a result for which nothing is expected",
                                     [RESULT_ERROR] = "a test or a model cannot be read"};
  const json_t *findings = json_object_get(record->json, "findings"), *finding;
  size_t i;
  bool right = record_is_right(record);
  if (right && !record->remarks) return;
  if (!right && record->result == RESULT_FAIL && json_array_size(findings)) {
    json_array_foreach(findings, i, finding) add_finding(report, record, finding, out);
    return;
  }
  struct text why = {.arena = out->arena};
  if (record->test) text_add(&why, prefix_of(record, out->arena));
  record_why(record, &why);
  const char *rule = right ? "remark" : result_name(record->result);
  add_rule(report, rule, NULL, says[record->result]);
  const char *level = right ? "note" : record->result == RESULT_UNKNOWN ? "warning" : "error";
  struct json result = new_result(out->arena, rule, level, text_str(&why));
  put_location(put_array(result, "locations"), record->json, record->file ? record->file : "", NULL);
  write_result(report, result, out);
}

static void sarif_end(struct report *report, const struct report_end *end, struct text *out) {
  struct json tool = json_new(out->arena), driver = put_object(tool, "driver"), rules;
  const char *id;
  json_t *rule;
  PUT(driver, J_TEXT("name", "ptxlit"), J_TEXT("version", ptxlit_version()));
  rules = put_array(driver, "rules");
  json_object_foreach(report->rules.value, id, rule) put(rules, NULL, json_incref(rule));
  text_add(out, "],\n\"tool\":");
  json_write(tool, out);
  text_printf(out, ",\"columnKind\":\"utf16CodeUnits\",\"invocations\":[{\"executionSuccessful\":%s}]}]}\n",
              end->not_run && !end->wanted ? "false" : "true");
}

const struct report_format format_sarif = {.begin = sarif_begin, .add = sarif_add, .end = sarif_end};
