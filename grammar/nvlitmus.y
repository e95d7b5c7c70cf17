/* Grammar of an nvlitmus test into which one row of its table has been substituted (docs/semantics.md T2). */
%param {void *scanner}
%parse-param {struct nv_parse *parse}

%code requires {
#include "nvlitmus/build.h"
}

%code {
#define PARSE struct nv_parse
#define BASE (&parse->base)
#include "litmus/parser.h"
}

%initial-action { @$ = (struct span){parse->base.source, 0, 0}; }

%union {
  struct litmus_word *word;
  struct litmus_words words;
  struct litmus_number number;
  struct litmus_operand *operand;
  struct litmus_operands operands;
  struct litmus_cells instrs;
  struct litmus_instr *instr;
  struct litmus_term *term;
  struct litmus_cond *cond;
  enum nv_kind kind;
  bool flag;
}

%token <word> WORD "a name" DOTTED "a qualifier"
%token <number> NUMBER "a number"
%token PHYSICALLY "'physically'" VIRTUALLY "'virtually'" ALIASES "'aliases'"
%token PERMIT "'permit'" CHECK "'check'" ASSERT "'assert'" AS "'as'" NOT "'not'"
%token EQ "'=='" NE "'!='" AND "'&&'" OR "'||'"
%token YYEOF 0 "the end of the file"

%left OR
%left AND
%precedence NOT

%type <words> qualifiers qualifiers1
%type <number> number
%type <operand> operand
%type <operands> operands operand_list
%type <instr> instr body
%type <instrs> instrs
%type <term> term
%type <cond> cond
%type <kind> kind
%type <flag> alias

%%

test: declarations threads { parse->above_right = !parse->base.errors; } commands ;

declarations: %empty | declarations declaration ;

declaration:
    DOTTED WORD ';' { nv_add_location(parse, $1, $2, NULL, false, @$); }
  | DOTTED WORD alias ALIASES WORD ';' { nv_add_location(parse, $1, $2, $5, $3, @$); }
  | DOTTED error ';' { if (parse->base.stopped) YYABORT; }
  ;

alias:
    PHYSICALLY { $$ = true; }
  | VIRTUALLY { $$ = false; }
  ;

threads: thread | threads thread ;

thread:
    WORD DOTTED DOTTED '{' instrs '}' { nv_add_thread(parse, $1, $2, $3, $5, span_join(@1, @3)); }
  ;

instrs:
    %empty { $$ = (struct litmus_cells){0}; }
  | instrs ';' { $$ = $1; }
  | instrs instr ';' { $$ = $1; LIST_ADD($$, NEW(cell, .instr = $2, .span = $2->span)); $$.count++; }
  | instrs error ';' { $$ = $1; if (parse->base.stopped) YYABORT; }
  ;

instr:
    body { $$ = $1; }
  | body EQ number { $$ = $1; nv_assume(parse, $1->operands, $3, span_join(@2, @3)); }
  ;

body:
    WORD qualifiers operands { $$ = litmus_instr_new(BASE, $1, $2, $3.first, @$); }
  ;

%include words.rules

operand:
    number { $$ = NEW(operand, .kind = LITMUS_NUMBER, .u.number = $1, .span = @$); }
  | WORD { $$ = litmus_name_new(BASE, $1); }
  | '[' WORD ']' { $$ = NEW(operand, .kind = LITMUS_BRACKET, .u.ref = litmus_ref_plain(BASE, $2), .span = @$); }
  ;

commands: %empty | commands command ;

command:
    kind '(' cond ')' AS WORD ';' { nv_add_command(parse, $1, $3, $6, @$); }
  | kind error ';' { if (parse->base.stopped) YYABORT; }
  ;

kind:
    PERMIT { $$ = NV_PERMIT; }
  | CHECK { $$ = NV_CHECK; }
  | ASSERT { $$ = NV_ASSERT; }
  ;

cond:
    cond OR cond { $$ = litmus_cond_join(BASE, LITMUS_OR, $1, $3, @$); }
  | cond AND cond { $$ = litmus_cond_join(BASE, LITMUS_AND, $1, $3, @$); }
  | NOT cond { $$ = NEW(cond, .kind = LITMUS_NOT, .parts = $2, .part_count = 1, .span = @$); }
  | '(' cond ')' { $$ = $2; $$->closed = true; $$->span = @$; }
  | term EQ term { $$ = NEW(cond, .kind = LITMUS_COMPARE, .compare = COMPARE_EQ, .a = $1, .b = $3, .span = @$); }
  | term NE term { $$ = NEW(cond, .kind = LITMUS_COMPARE, .compare = COMPARE_NE, .a = $1, .b = $3, .span = @$); }
  ;

term:
    number { $$ = NEW(term, .kind = LITMUS_TERM_NUMBER, .number = $1, .span = @$); }
  | WORD { $$ = NEW(term, .kind = LITMUS_TERM_REF, .ref = litmus_ref_plain(BASE, $1), .span = @$); }
  ;

%%

static void report(struct litmus_parse *parse, struct span span, const char *found, const char **expected, int count) {
  const char *end = strcmp(found, "the end of the file") == 0 ? "the test ends here" : NULL;
  litmus_note_open(parse, litmus_unexpected(parse, span, end, expected, count));
}
REPORT_SYNTAX(report)
