/* Grammar of an nvlitmus test, one row of its table filled in (docs/semantics.md T2). */
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
  struct nv_instrs instrs;
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
    %empty { $$ = (struct nv_instrs){0}; }
  | instrs ';' { $$ = $1; }
  | instrs instr ';' {
      struct nv_instr *node = ARENA_NEW(parse->base.arena, struct nv_instr);
      node->instr = $2;
      $$ = $1;
      LIST_ADD($$, node);
      $$.count++;
    }
  | instrs error ';' { $$ = $1; if (parse->base.stopped) YYABORT; }
  ;

instr:
    body { $$ = $1; }
  | body EQ number { $$ = $1; nv_assume(parse, $1->operands, $3, span_join(@2, @3)); }
  ;

body:
    WORD qualifiers operands { $$ = litmus_instr_new(&parse->base, $1, $2, $3.first, @$); }
  ;

%include words.rules

operand:
    number { $$ = litmus_operand_number(&parse->base, LITMUS_NUMBER, $1, @$); }
  | WORD { $$ = litmus_operand_ref(&parse->base, LITMUS_NAME, litmus_ref_plain(&parse->base, $1), @$); }
  | '[' WORD ']' { $$ = litmus_operand_ref(&parse->base, LITMUS_BRACKET, litmus_ref_plain(&parse->base, $2), @$); }
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
    cond OR cond { $$ = litmus_cond_join(&parse->base, LITMUS_OR, $1, $3, @$); }
  | cond AND cond { $$ = litmus_cond_join(&parse->base, LITMUS_AND, $1, $3, @$); }
  | NOT cond { $$ = litmus_cond_not(&parse->base, $2, @$); }
  | '(' cond ')' { $$ = $2; $$->closed = true; $$->span = @$; }
  | term EQ term { $$ = litmus_cond_compare(&parse->base, $1, LITMUS_EQ, $3, @$); }
  | term NE term { $$ = litmus_cond_compare(&parse->base, $1, LITMUS_NE, $3, @$); }
  ;

term:
    number { $$ = litmus_term_number(&parse->base, $1, @$); }
  | WORD { $$ = litmus_term_ref(&parse->base, LITMUS_TERM_REF, litmus_ref_plain(&parse->base, $1), @$); }
  ;

%%

static void report(struct litmus_parse *parse, struct span span, const char *found, const char **expected, int count) {
  const char *end = strcmp(found, "the end of the file") == 0 ? "the test ends here" : NULL;
  litmus_note_open(parse, litmus_unexpected(parse, span, end, expected, count));
}
REPORT_SYNTAX(report)
