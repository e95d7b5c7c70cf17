/* JUnit's XML: one testsuite, a testcase for each result. The counts stand in the head, so that it is written last. */
#include <libxml/xmlwriter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite/report.h"

static void must(int status) {
  if (status >= 0) return;
  fputs("ptxlit: error: out of memory\n", stderr);
  exit(3);
}

/* XML has no place for most control characters, not even escaped. */
static const char *legal(const char *text, struct arena *arena) {
  char *copy = arena_strdup(arena, text);
  for (char *c = copy; *c; c++)
    if ((unsigned char)*c < 0x20 && !strchr("\t\n\r", *c)) *c = '?';
  return copy;
}

static void attribute(xmlTextWriterPtr writer, const char *name, const char *value) {
  must(xmlTextWriterWriteAttribute(writer, BAD_CAST name, BAD_CAST value));
}

static void number(xmlTextWriterPtr writer, const char *name, uint64_t value) {
  must(xmlTextWriterWriteFormatAttribute(writer, BAD_CAST name, "%llu", (unsigned long long)value));
}

static void seconds(xmlTextWriterPtr writer, double value) {
  must(xmlTextWriterWriteFormatAttribute(writer, BAD_CAST "time", "%.3f", value));
}

struct junit {
  xmlBufferPtr buffer;
  xmlTextWriterPtr writer;
  size_t taken; /* bytes of the buffer */
};

static struct junit junit_new(void) {
  struct junit junit = {.buffer = xmlBufferCreate()};
  junit.writer = junit.buffer ? xmlNewTextWriterMemory(junit.buffer, 0) : NULL;
  if (!junit.writer) must(-1);
  must(xmlTextWriterSetIndent(junit.writer, 1));
  return junit;
}

/* What was written since. */
static void junit_take(struct junit *junit, struct text *out) {
  must(xmlTextWriterFlush(junit->writer));
  text_add(out, (const char *)xmlBufferContent(junit->buffer) + junit->taken);
  junit->taken = (size_t)xmlBufferLength(junit->buffer);
}

static void junit_free(struct junit *junit) {
  xmlFreeTextWriter(junit->writer);
  xmlBufferFree(junit->buffer);
}

static void add_problem(struct arena *arena, xmlTextWriterPtr writer, const struct record *record) {
  bool failure = record->result == RESULT_FAIL;
  struct text why;
  text_init(&why, arena);
  record_why(record, &why);
  must(xmlTextWriterStartElement(writer, BAD_CAST(failure ? "failure" : "error")));
  attribute(writer, "message", legal(text_str(&why), arena));
  attribute(writer, "type", result_name(record->result));
  if (record->error) must(xmlTextWriterWriteString(writer, BAD_CAST legal(record->error, arena)));
  must(xmlTextWriterEndElement(writer));
}

static void junit_add(const struct report *report, const struct record *record, struct text *out) {
  (void)report;
  struct junit junit = junit_new();
  struct arena *arena = out->arena;
  const char *test = record->test ? record->test : record->file;
  const char *name = record->model ? arena_printf(arena, "%s under %s", test, record->model) : test;
  must(xmlTextWriterStartElement(junit.writer, BAD_CAST "testcase"));
  attribute(junit.writer, "name", legal(name, arena));
  attribute(junit.writer, "classname", legal(record->file ? record->file : "", arena));
  seconds(junit.writer, record->ms / 1000.0);
  if (record->result == RESULT_NEW)
    must(xmlTextWriterWriteElement(
        junit.writer, BAD_CAST "system-out",
        BAD_CAST arena_printf(arena, "new: found %s, nothing is expected", record_found(record))));
  else if (record->result != RESULT_PASS) add_problem(arena, junit.writer, record);
  must(xmlTextWriterEndElement(junit.writer));
  junit_take(&junit, out);
  junit_free(&junit);
}

static void add_counts(const struct report *report, xmlTextWriterPtr writer) {
  number(writer, "tests", report->total);
  number(writer, "failures", report->counts[RESULT_FAIL]);
  number(writer, "errors", report->counts[RESULT_UNKNOWN] + report->counts[RESULT_ERROR]);
  seconds(writer, report->ms / 1000.0);
}

static void junit_end(struct report *report, const struct report_end *end, struct text *out) {
  struct junit junit = junit_new();
  xmlTextWriterPtr writer = junit.writer;
  must(xmlTextWriterStartDocument(writer, NULL, "UTF-8", NULL));
  must(xmlTextWriterStartElement(writer, BAD_CAST "testsuites"));
  add_counts(report, writer);
  must(xmlTextWriterStartElement(writer, BAD_CAST "testsuite"));
  attribute(writer, "name", "ptxlit");
  add_counts(report, writer);
  number(writer, "skipped", 0);
  must(xmlTextWriterWriteRaw(writer, BAD_CAST "\n"));
  junit_take(&junit, out);
  report_unspool(report);
  if (end->why) must(xmlTextWriterWriteElement(writer, BAD_CAST "system-err", BAD_CAST end->why));
  must(xmlTextWriterEndDocument(writer));
  junit_take(&junit, out);
  junit_free(&junit);
}

const struct report_format format_junit = {.add = junit_add, .end = junit_end, .head_last = true};
