/* Grammar of an nvlitmus test, one row of its table filled in (docs/semantics.md T2). */
%require "3.8"
%define api.pure full
%define api.prefix {nvlitmus_parse_}
%define api.location.type {struct span}
%define api.token.prefix {NVLITMUS_TOKEN_}
%define parse.lac full
%define parse.error custom
%expect 0
%locations
%lex-param {void *scanner}
%parse-param {void *scanner} {struct nv_parse *parse}

%code requires {
#include "nvlitmus/build.h"

#define NVLITMUS_STYPE NVLITMUS_PARSE_STYPE
#define NVLITMUS_LTYPE NVLITMUS_PARSE_LTYPE
}

%code {
int nvlitmus_lex_lex(NVLITMUS_PARSE_STYPE *value, struct span *span, void *scanner);
#define nvlitmus_parse_lex nvlitmus_lex_lex

/* As in the grammar of litmus tests: full size from the start, so that nothing is allocated. */
#define YYINITDEPTH 2000
#define YYMAXDEPTH 2001

#define YYLLOC_DEFAULT(current, rhs, count) ((current) = litmus_rule_span((rhs), (count)))

static void nvlitmus_parse_error(struct span *span, void *scanner, struct nv_parse *parse, const char *message);
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

%type <words> qualifiers
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

qualifiers:
    %empty { $$ = (struct litmus_words){0}; }
  | qualifiers DOTTED { $$ = litmus_words_add($1, $2); }
  ;

operands:
    %empty { $$ = (struct litmus_operands){0}; }
  | operand_list { $$ = $1; }
  ;

operand_list:
    operand { $$ = (struct litmus_operands){$1, $1}; }
  | operand_list ',' operand { $$ = $1; LIST_ADD($$, $3); }
  ;

operand:
    number { $$ = litmus_operand_number(&parse->base, LITMUS_NUMBER, $1, @$); }
  | WORD { $$ = litmus_operand_ref(&parse->base, LITMUS_NAME, litmus_ref_plain(&parse->base, $1), @$); }
  | '[' WORD ']' { $$ = litmus_operand_ref(&parse->base, LITMUS_BRACKET, litmus_ref_plain(&parse->base, $2), @$); }
  ;

number:
    NUMBER { $$ = $1; }
  | '-' NUMBER { $$ = $2; $$.negative = true; $$.span = @$; }
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

/* bison itself calls this only when its stack is full. */
static void nvlitmus_parse_error(struct span *span, void *scanner, struct nv_parse *parse, const char *message) {
  (void)scanner;
  (void)message;
  if (!parse->base.stopped) litmus_fatal(&parse->base, DIAG_TOO_DEEP, *span, "the text is nested too deeply here");
}

static int yyreport_syntax_error(const yypcontext_t *context, void *scanner, struct nv_parse *parse) {
  (void)scanner;
  if (parse->base.stopped) return 0;
  yysymbol_kind_t expected[YYNTOKENS];
  const char *names[YYNTOKENS];
  int count = yypcontext_expected_tokens(context, expected, YYNTOKENS);
  for (int i = 0; i < count; i++) names[i] = yysymbol_name(expected[i]);
  const char *end = yypcontext_token(context) == YYSYMBOL_YYEOF ? "the test ends here" : NULL;
  litmus_note_open(&parse->base,
                   litmus_unexpected(&parse->base, *yypcontext_location(context), end, names, count));
  return 0;
}
