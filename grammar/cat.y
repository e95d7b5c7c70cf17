/* The grammar of the part of the cat language in which a model is a fixed graph of operators.
 *
 * Precedence follows herd7, and Dat3M for expressions that herd7 rejects: loosest first | ++ ; \ & ~ and, tightest, the
 * product and the postfix operators, which share one level and associate to the left: `a * b+` is `(a * b)+`, `~a * b`
 * is `~(a * b)`. A star is the product if an operand follows it, else the closure.
 */
%param {void *scanner}
%parse-param {struct cat_reader *reader}

%code requires {
#include "cat/ast.h"
}

%union {
  const char *name;
  struct cat_ast *ast;
  struct cat_ast_list *arg;
  struct { struct cat_ast_list *first, *last; } asts;
  struct { struct cat_param *first, *last; } params;
  struct cat_binding *binding;
  struct { struct cat_binding *first, *last; } bindings;
  struct { struct cat_statement *first, *last; } statements;
  struct cat_statement *statement;
  struct cat_param *param;
  enum cat_test test;
  enum cat_role role;
}

%code {
#define PARSE struct cat_reader
#define parse reader
#define BASE (&reader->base)
#define YYINITDEPTH 3000
#define YYMAXDEPTH 3000
#define TOO_DEEP "nested too deeply"
#include "litmus/parser.h"

/* Concatenates two lists of statements, of which the second is not empty. */
#define JOIN(list, more)                                                                                               \
  do {                                                                                                                 \
    LIST_ADD(list, (more).first);                                                                                      \
    (list).last = (more).last;                                                                                         \
  } while (0)
#define MAKE(type, ...) ARENA_MAKE(BASE->arena, struct type, __VA_ARGS__)
static const char *slice(struct cat_reader *reader, struct span span);
static void refuse_construct(struct cat_reader *reader, struct span span, const char *what, const char *hint);
static bool is_total_co(const char *name, const struct cat_ast *from);
}

%initial-action { @$ = (struct span){reader->base.source, 0, 0}; }

%token END_OF_FILE 0 "the end of the file"
%token <name> NAME "a name" STRING "a string"
%token LET "'let'" REC "'rec'" AND "'and'" IN "'in'" AS "'as'" FLAG "'flag'" UNDEFINED_UNLESS "'undefined_unless'"
%token ACYCLIC "'acyclic'" IRREFLEXIVE "'irreflexive'" EMPTY "'empty'" INCLUDE "'include'" SHOW "'show'"
%token IGNORES_UPDATES "'ignores_silent_updates'" LANGUAGE "'language'"
%token UNSHOW "'unshow'" BEGIN "'begin'" END "'end'" TRY "'try'" WITH "'with'" FROM "'from'" IF "'if'"
%token THEN "'then'" ELSE "'else'"
%token NOT_TEST "'~' before a test"
%token LPAR "'('" RPAR "')'" LBRACKET "'['" RBRACKET "']'" LBRACE "'{'" RBRACE "'}'" COMMA "','" EQUAL "'='"
%token ZERO "'0'" ALL "'_'"
%token BAR "'|'" ADD "'++'" SEMICOLON "';'" BACKSLASH "'\\'" AND_SIGN "'&'" TILDE "'~'" STAR "'*'" PLUS "'+'"
%token QUESTION "'?'" INVERSE "'^-1'" CLOSURE "'^*'"

%left BAR
%left ADD
%left SEMICOLON
%left BACKSLASH
%left AND_SIGN
%precedence TILDE
%left STAR PLUS QUESTION INVERSE CLOSURE

%type <ast> exp base simple call argument
%type <arg> arg
%type <asts> args
%type <params> params params_or_none
%type <name> opt_name
%type <param> param
%type <binding> binding
%type <bindings> bindings
%type <statements> statements shows listed
%type <statement> statement claim show name
%type <test> test
%type <role> role

%%

file:
  header statements                     { reader->file->statements = $statements.first; }

header:
  %empty
| names                                 { reader->file->title = slice(reader, @names); }
| STRING                                { reader->file->title = $STRING; }
| names STRING                          { reader->file->title = $STRING; }

names:
  NAME                                  { reader->file->word = $NAME; reader->file->word_span = @NAME; }
| names NAME

statements:
  %empty                                { $$.first = $$.last = NULL; }
| statements statement                  { $$ = $1; LIST_ADD($$, $2); }
| statements SHOW shows                 { $$ = $1; JOIN($$, $3); }
| statements UNSHOW listed              { $$ = $1; JOIN($$, $3); }
| statements LANGUAGE listed            {
                                          for (struct cat_statement *s = $3.first; s; s = s->next)
                                            s->kind = CAT_STATEMENT_LANGUAGE;
                                          $$ = $1;
                                          JOIN($$, $3);
                                        }

statement:
  LET bindings opt_in                   {
                                          $$ = MAKE(cat_statement, .kind = CAT_STATEMENT_LET, .span = @$,
                                                    .bindings = $bindings.first);
                                        }
| LET REC bindings opt_in               {
                                          $$ = MAKE(cat_statement, .kind = CAT_STATEMENT_LET, .span = @$,
                                                    .bindings = $bindings.first, .rec = true);
                                        }
| role claim exp opt_name               {
                                          $$ = $claim;
                                          $$->span = @$;
                                          $$->role = $role;
                                          $$->ast = $exp;
                                          $$->name = $opt_name;
                                        }
| INCLUDE STRING                        {
                                          $$ = MAKE(cat_statement, .kind = CAT_STATEMENT_INCLUDE, .span = @STRING,
                                                    .name = $STRING);
                                        }
| IGNORES_UPDATES                       { $$ = MAKE(cat_statement, .kind = CAT_STATEMENT_IGNORES_UPDATES, .span = @$); }
| WITH NAME FROM base                   {
                                          if (!is_total_co($NAME, $base)) {
                                            refuse_construct(reader, @$, "'with ... from'",
                                                             "include \"cos.cat\" makes co total");
                                            YYABORT;
                                          }
                                          $$ = MAKE(cat_statement, .kind = CAT_STATEMENT_INCLUDE, .span = @$,
                                                    .name = "cos.cat");
                                        }

claim:
  test                                  { $$ = MAKE(cat_statement, .kind = CAT_STATEMENT_TEST, .test = $test); }
| NOT_TEST test                         {
                                          $$ = MAKE(cat_statement, .kind = CAT_STATEMENT_TEST, .test = $test,
                                                    .negated = true);
                                        }

opt_in:
  %empty
| IN

role:
  %empty                                { $$ = CAT_AXIOM; }
| FLAG                                  { $$ = CAT_FLAG; }
| UNDEFINED_UNLESS                      { $$ = CAT_UNDEFINED; }

test:
  ACYCLIC                               { $$ = CAT_ACYCLIC; }
| IRREFLEXIVE                           { $$ = CAT_IRREFLEXIVE; }
| EMPTY                                 { $$ = CAT_IS_EMPTY; }

opt_name:
  %empty                                { $$ = NULL; }
| AS NAME                               { $$ = $NAME; }

%list shows show COMMA

show:
  base opt_name                         {
                                          $$ = MAKE(cat_statement, .kind = CAT_STATEMENT_SHOW, .span = @base,
                                                    .ast = $base, .name = $opt_name ? $opt_name : slice(reader, @base));
                                        }

%list listed name COMMA

name:
  NAME                                  {
                                          $$ = MAKE(cat_statement, .kind = CAT_STATEMENT_UNSHOW, .span = @NAME,
                                                    .name = $NAME);
                                        }

%list bindings binding AND

binding:
  NAME EQUAL exp                        {
                                          $$ = MAKE(cat_binding, .name = $NAME, .span = @NAME, .body = $exp);
                                        }
| NAME param EQUAL exp                  {
                                          $$ = MAKE(cat_binding, .name = $NAME, .span = @NAME, .body = $exp,
                                                    .is_function = true, .params = $param);
                                        }
| NAME LPAR params_or_none RPAR EQUAL exp  {
                                          $$ = MAKE(cat_binding, .name = $NAME, .span = @NAME, .body = $exp,
                                                    .is_function = true, .params = $params_or_none.first);
                                        }
| LPAR params_or_none RPAR EQUAL exp    {
                                          $$ = NULL;
                                          refuse_construct(reader, span_join(@1, @3), "a tuple",
                                                           "define the names one by one");
                                          YYABORT;
                                        }

param:
  NAME                                  { $$ = MAKE(cat_param, .name = $NAME, .span = @$); }
| ALL                                   { $$ = MAKE(cat_param, .name = NULL, .span = @$); }

params_or_none:
  %empty                                { $$.first = $$.last = NULL; }
| params

%list params param COMMA

exp:
  base
| LET bindings IN exp[body]             { $$ = cat_ast_let(reader, @$, $bindings.first, false, $body); }
| LET REC bindings IN exp[body]         { $$ = cat_ast_let(reader, @$, $bindings.first, true, $body); }
| TRY exp[first] WITH exp[other]        { $$ = cat_ast_node(reader, CAT_AST_TRY, @$, $first, $other); }
| IF STRING THEN exp[a] ELSE exp[b]     {
                                          struct cat_ast *choice = cat_ast_node(reader, CAT_AST_IF, @$, $a, $b);
                                          choice->name = $STRING;
                                          $$ = choice;
                                        }

base:
  simple
| LPAR exp RPAR                         { $$ = $exp; $$->span = @$; }
| call
| base[a] BAR base[b]                   { $$ = cat_ast_node(reader, CAT_AST_UNION, @$, $a, $b); }
| base[a] ADD base[b]                   { $$ = cat_ast_node(reader, CAT_AST_ADD, @$, $a, $b); }
| base[a] SEMICOLON base[b]             { $$ = cat_ast_node(reader, CAT_AST_SEQ, @$, $a, $b); }
| base[a] BACKSLASH base[b]             { $$ = cat_ast_node(reader, CAT_AST_DIFF, @$, $a, $b); }
| base[a] AND_SIGN base[b]              { $$ = cat_ast_node(reader, CAT_AST_INTER, @$, $a, $b); }
| base[a] STAR base[b]                  { $$ = cat_ast_node(reader, CAT_AST_PRODUCT, @$, $a, $b); }
| TILDE base[a]                         { $$ = cat_ast_node(reader, CAT_AST_COMPL, @$, $a, NULL); }
| base[a] STAR                          { $$ = cat_ast_node(reader, CAT_AST_STAR, @$, $a, NULL); }
| base[a] CLOSURE                       { $$ = cat_ast_node(reader, CAT_AST_STAR, @$, $a, NULL); }
| base[a] PLUS                          { $$ = cat_ast_node(reader, CAT_AST_PLUS, @$, $a, NULL); }
| base[a] QUESTION                      { $$ = cat_ast_node(reader, CAT_AST_OPTION, @$, $a, NULL); }
| base[a] INVERSE                       { $$ = cat_ast_node(reader, CAT_AST_INVERSE, @$, $a, NULL); }

simple:
  ZERO                                  { $$ = cat_ast_leaf(reader, CAT_AST_ZERO, @$, NULL); }
| LBRACE RBRACE                         { $$ = cat_ast_leaf(reader, CAT_AST_ZERO, @$, NULL); }
| ALL                                   { $$ = cat_ast_leaf(reader, CAT_AST_ALL, @$, NULL); }
| LBRACKET exp RBRACKET                 { $$ = cat_ast_node(reader, CAT_AST_IDENTITY, @$, $exp, NULL); }
| BEGIN exp END                         { $$ = $exp; $$->span = @$; }

call:
  NAME                                  { $$ = cat_ast_leaf(reader, CAT_AST_NAME, @$, $NAME); }
| call[f] argument                      { $$ = cat_ast_apply(reader, @$, $f, MAKE(cat_ast_list, .ast = $argument)); }
| call[f] LPAR args RPAR                { $$ = cat_ast_apply(reader, @$, $f, $args.first); }
| call[f] LPAR RPAR                     { $$ = cat_ast_apply(reader, @$, $f, NULL); }

argument:
  NAME                                  { $$ = cat_ast_leaf(reader, CAT_AST_NAME, @$, $NAME); }
| simple

%list args arg COMMA

arg:
  exp                                   { $$ = MAKE(cat_ast_list, .ast = $exp); }

%%

static const char *slice(struct cat_reader *reader, struct span span) {
  return arena_strndup(BASE->arena, BASE->source->text + span.begin, span.end - span.begin);
}

static void refuse_construct(struct cat_reader *reader, struct span span, const char *what, const char *hint) {
  diag_report(BASE->diags, DIAG_CAT_UNSUPPORTED, span, "%s is not supported in a model" HINT "%s", what, hint);
}

/* `with co from generate_cos(co0)`: in herd's older models, this requests all total coherence orders; here, `include
 * "cos.cat"` does. */
static bool is_total_co(const char *name, const struct cat_ast *from) {
  if (strcmp(name, "co") || from->kind != CAT_AST_APPLY || from->left->kind != CAT_AST_NAME) return false;
  if (strcmp(from->left->name, "generate_cos") || !from->args || from->args->next) return false;
  const struct cat_ast *arg = from->args->ast;
  return arg->kind == CAT_AST_NAME && !strcmp(arg->name, "co0");
}

static void found_text(struct text *message, struct cat_reader *reader, struct span place, yysymbol_kind_t token) {
  if (token == YYSYMBOL_YYEOF || place.begin == place.end) {
    text_add(message, "unexpected end of the file");
    return;
  }
  uint32_t length = place.end - place.begin;
  text_add(message, "unexpected '");
  text_add_slice(message, BASE->source->text + place.begin, length > 40 ? 40 : length);
  text_add(message, length > 40 ? "...'" : "'");
}

static bool expects(const yysymbol_kind_t *expected, int count, yysymbol_kind_t token) {
  for (int i = 0; i < count; i++)
    if (expected[i] == token) return true;
  return false;
}

static void add_expected(struct text *message, const char *what, const char **before) {
  text_add(message, *before);
  text_add(message, what);
  *before = " or ";
}

/* A few tokens are listed by name; more are described by the construct that they begin. */
static void expected_text(struct text *message, const yysymbol_kind_t *expected, int count) {
  enum { LISTED = 3 };
  const char *before = ", expected ";
  if (count <= LISTED) {
    for (int i = 0; i < count; i++) add_expected(message, yysymbol_name(expected[i]), &before);
    return;
  }
  static const yysymbol_kind_t closing[] = {YYSYMBOL_RPAR, YYSYMBOL_RBRACKET, YYSYMBOL_IN, YYSYMBOL_END};
  if (expects(expected, count, YYSYMBOL_BAR)) add_expected(message, "an operator", &before);
  if (expects(expected, count, YYSYMBOL_LBRACKET) && expects(expected, count, YYSYMBOL_TILDE))
    add_expected(message, "an expression", &before);
  if (expects(expected, count, YYSYMBOL_INCLUDE)) {
    add_expected(message, "a statement", &before);
    return;
  }
  for (size_t i = 0; i < ARRAY_LEN(closing); i++)
    if (expects(expected, count, closing[i])) add_expected(message, yysymbol_name(closing[i]), &before);
}

static int yyreport_syntax_error(const yypcontext_t *context, void *scanner, struct cat_reader *reader) {
  (void)scanner;
  if (BASE->stopped) return 0;
  struct span place = *yypcontext_location(context);
  struct text message = {.arena = BASE->arena};
  found_text(&message, reader, place, yypcontext_token(context));
  yysymbol_kind_t expected[YYNTOKENS];
  int count = yypcontext_expected_tokens(context, expected, YYNTOKENS);
  expected_text(&message, expected, count);
  diag_report(BASE->diags, DIAG_SYNTAX, place, "%s", text_str(&message));
  return 0;
}
