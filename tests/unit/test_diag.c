/* Places in source text and the rendering of diagnostics: carets under tabs, UTF-8, long lines, odd line ends. */

#include "unit.h"

#include "diag/diag.h"

static struct source text_source(const char *text) { return source_from_text("t.litmus", text, strlen(text)); }

/* The message for one syntax error at the `length` bytes of `at` in `text`. */
static const char *render_at(const char *text, const char *at, uint32_t length, bool colour) {
  struct source *source = ARENA_NEW(&arena, struct source);
  *source = text_source(text);
  const char *found = strstr(text, at);
  assert_non_null(found);
  uint32_t begin = (uint32_t)(found - text);
  struct diags diags;
  diags_init(&diags, &arena);
  diag_report(&diags, DIAG_SYNTAX, (struct span){source, begin, begin + length}, "bad '%s'", "word");
  struct text out = {.arena = &arena};
  diags_render(&diags, &out, colour);
  return text_str(&out);
}

static const char *render(const char *text, const char *at) { return render_at(text, at, (uint32_t)strlen(at), false); }

TEST(caret_stands_under_the_span) {
  assert_string_equal(render("one\ntwo bad three\nfour\n", "bad"), "t.litmus:2:5: error: bad 'word' [syntax]\n"
                                                                   "    two bad three\n"
                                                                   "        ^~~\n");
}

TEST(tabs_do_not_move_the_caret) {
  assert_string_equal(render("\ta\tbad\n", "bad"), "t.litmus:1:4: error: bad 'word' [syntax]\n"
                                                   "     a bad\n"
                                                   "       ^~~\n");
}

TEST(utf8_letters_take_one_column) {
  assert_string_equal(render("\xc3\xa9t\xc3\xa9 bad\n", "bad"), "t.litmus:1:7: error: bad 'word' [syntax]\n"
                                                                "    \xc3\xa9t\xc3\xa9 bad\n"
                                                                "        ^~~\n");
  assert_string_equal(render("x \xe2\x86\x92\xe2\x86\x92 y\n", "\xe2\x86\x92\xe2\x86\x92"),
                      "t.litmus:1:3: error: bad 'word' [syntax]\n"
                      "    x \xe2\x86\x92\xe2\x86\x92 y\n"
                      "      ^~\n");
}

TEST(carriage_returns_are_not_shown) {
  assert_string_equal(render("one\r\nbad\r\nthree\r\n", "bad"), "t.litmus:2:1: error: bad 'word' [syntax]\n"
                                                                "    bad\n"
                                                                "    ^~~\n");
}

TEST(last_line_needs_no_newline) {
  assert_string_equal(render("one\nbad", "bad"), "t.litmus:2:1: error: bad 'word' [syntax]\n"
                                                 "    bad\n"
                                                 "    ^~~\n");
}

TEST(an_empty_span_at_the_end_has_a_caret) {
  struct source source = text_source("one");
  struct diags diags;
  diags_init(&diags, &arena);
  diag_report(&diags, DIAG_SYNTAX, (struct span){&source, 3, 3}, "end");
  struct text out = {.arena = &arena};
  diags_render(&diags, &out, false);
  assert_string_equal(text_str(&out), "t.litmus:1:4: error: end [syntax]\n    one\n       ^\n");
}

TEST(a_span_over_several_lines_is_marked_on_the_first) {
  assert_string_equal(render("a bad\nend b\n", "bad\nend"), "t.litmus:1:3: error: bad 'word' [syntax]\n"
                                                            "    a bad\n"
                                                            "      ^~~\n");
}

TEST(control_bytes_are_replaced) {
  assert_string_equal(render("\033[2J bad\n", "bad"), "t.litmus:1:6: error: bad 'word' [syntax]\n"
                                                      "    ?[2J bad\n"
                                                      "         ^~~\n");
}

TEST(long_lines_are_cut_around_the_span) {
  char line[5001];
  memset(line, 'x', 5000);
  line[5000] = '\0';
  memcpy(line + 3000, "bad", 3);
  const char *shown = render(line, "bad");
  assert_non_null(strstr(shown, "t.litmus:1:3001: "));
  const char *source_line = strchr(shown, '\n') + 1, *caret_line = strchr(source_line, '\n') + 1;
  assert_true(caret_line - source_line < 200);
  assert_int_equal(strstr(source_line, "bad") - source_line, strchr(caret_line, '^') - caret_line);
}

TEST(a_record_without_a_place_names_the_tool) {
  struct diags diags;
  diags_init(&diags, &arena);
  diag_report(&diags, DIAG_UNREADABLE, (struct span){NULL, 0, 0}, "no");
  struct text out = {.arena = &arena};
  diags_render(&diags, &out, false);
  assert_string_equal(text_str(&out), "ptxlit: error: no [unreadable]\n");
}

TEST(second_place_and_hint_follow) {
  struct source source = text_source("x=0; x=1;");
  struct diags diags;
  diags_init(&diags, &arena);
  struct diagnostic *d = diag_report(&diags, DIAG_SYNTAX, (struct span){&source, 5, 6}, "'x' again");
  d->other = (struct span){&source, 0, 1};
  d->other_message = "first declared here";
  diag_hint(&diags, d, "rename %s", "one");
  struct text out = {.arena = &arena};
  diags_render(&diags, &out, false);
  assert_string_equal(text_str(&out), "t.litmus:1:6: error: 'x' again [syntax]\n"
                                      "    x=0; x=1;\n"
                                      "         ^\n"
                                      "t.litmus:1:1: note: first declared here\n"
                                      "    x=0; x=1;\n"
                                      "    ^\n"
                                      "    hint: rename one\n");
}

TEST(colour_only_when_asked) {
  assert_null(strchr(render_at("bad", "bad", 3, false), '\033'));
  assert_non_null(strchr(render_at("bad", "bad", 3, true), '\033'));
}

TEST(messages_past_the_cap_are_counted) {
  struct source source = text_source("x");
  struct diags diags;
  diags_init(&diags, &arena);
  for (int i = 0; i < DIAG_LIMIT + 5; i++) {
    struct diagnostic *d = diag_report(&diags, DIAG_SYNTAX, (struct span){&source, 0, 1}, "number %d", i);
    assert_non_null(d);
    diag_hint(&diags, d, "still safe to set");
  }
  assert_int_equal(diags.errors, DIAG_LIMIT + 5);
  assert_int_equal(diags.list.len, DIAG_LIMIT);
  struct text out = {.arena = &arena};
  diags_render(&diags, &out, false);
  assert_non_null(strstr(text_str(&out), "number 19"));
  assert_null(strstr(text_str(&out), "number 20"));
  assert_non_null(strstr(text_str(&out), "5 more"));
}

TEST(added_records_are_there_once) {
  struct source source = text_source("a b\n");
  struct span a = {&source, 0, 1}, b = {&source, 2, 3};
  struct diags all, more;
  diags_init(&all, &arena);
  diags_init(&more, &arena);
  diag_report(&all, DIAG_SYNTAX, a, "bad");
  diag_report(&more, DIAG_SYNTAX, a, "bad");
  diag_report(&more, DIAG_SYNTAX, b, "bad");
  diag_report(&more, DIAG_SYNTAX, a, "worse");
  diag_report(&more, DIAG_NEVER_WRITTEN, a, "bad");
  assert_int_equal(diags_add(&all, &more), 2);
  assert_int_equal(all.list.len, 4);
  assert_int_equal(all.errors, 3);
  assert_int_equal(all.warnings, 1);
  for (int i = 0; i < DIAG_LIMIT; i++) diag_report(&more, DIAG_SYNTAX, b, "number %d", i);
  assert_int_equal(diags_add(&all, &more), DIAG_LIMIT);
  assert_int_equal(all.list.len, DIAG_LIMIT);
  assert_int_equal(all.errors, 3 + DIAG_LIMIT);
}

TEST(positions_count_lines_and_bytes) {
  struct source source = text_source("ab\n\ncd");
  static const struct {
    uint32_t offset, line, column;
  } cases[] = {{0, 1, 1}, {1, 1, 2}, {2, 1, 3}, {3, 2, 1}, {4, 3, 1}, {5, 3, 2}, {6, 3, 3}};
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
    struct position at = source_position(&source, cases[i].offset);
    assert_int_equal(at.line, cases[i].line);
    assert_int_equal(at.column, cases[i].column);
  }
}

TEST(spans_join) {
  struct source source = text_source("abcdef"), other = text_source("x");
  struct span joined = span_join((struct span){&source, 4, 5}, (struct span){&source, 1, 2});
  assert_int_equal(joined.begin, 1);
  assert_int_equal(joined.end, 5);
  joined = span_join((struct span){NULL, 0, 0}, (struct span){&source, 1, 2});
  assert_ptr_equal(joined.source, &source);
  joined = span_join((struct span){&source, 1, 2}, (struct span){&other, 0, 1});
  assert_int_equal(joined.end, 2);
}

TEST(a_missing_file_is_unreadable) {
  struct source source;
  assert_int_equal(source_read(&arena, "no/such/file", false, &source), SOURCE_UNREADABLE);
  assert_string_equal(source.name, "no/such/file");
}

TEST(a_directory_is_unreadable) {
  struct source source;
  assert_int_equal(source_read(&arena, ".", false, &source), SOURCE_UNREADABLE);
}

TEST(nearest_word_suggests_only_what_is_close) {
  static const char *const words[] = {"acquire", "release", "relaxed", "weak"};
  assert_string_equal(nearest_word("aquire", words, 4), "acquire");
  assert_string_equal(nearest_word("relesed", words, 4), "release"); /* the first of two at one distance */
  assert_string_equal(nearest_word("weak", words, 4), "weak");
  assert_string_equal(nearest_word("waek", words, 4), "weak");
  assert_null(nearest_word(".wex", words, 4));
  assert_null(nearest_word("volatile", words, 4));
  assert_null(nearest_word("x", words, 4));
  assert_null(nearest_word("weak", words, 0));
}

TEST(every_code_has_a_name_of_its_own) {
  for (int a = 0; a < DIAG_COUNT; a++) {
    assert_true(strlen(diag_code_name((enum diag_code)a)) > 0);
    assert_true(strlen(diag_code_summary((enum diag_code)a)) > 0);
    for (int b = 0; b < a; b++)
      assert_string_not_equal(diag_code_name((enum diag_code)a), diag_code_name((enum diag_code)b));
  }
}

int main(void) { return run_each(open_arena, close_arena); }
