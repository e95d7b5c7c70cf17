/* The grammar of the cat language, as far as a model is a fixed graph of operators.
 *
 * Precedence follows herd7, and Dat3M where herd7 refuses: loosest first | ++ ; \ & ~ and, tightest, the product and
 * the postfix operators, which stand on one level and group to the left: `a * b+` is `(a * b)+`, `~a * b` is
 * `~(a * b)`. A star is the product when an operand follows it, else the closure.
 */
%require "3.8"
%define api.pure full
%define api.prefix {cat_}
%define api.location.type {struct span}
%define api.token.prefix {TOK_CAT_}
%define parse.lac full
%define parse.error custom
%expect 0
%locations
%param { struct cat_reader *reader } { void *scanner }

%code requires {
#include "cat/ast.h"
}

%union {
  const char *name;
  struct cat_ast *ast;
  struct { struct cat_ast_list *first, *last; } asts;
  struct { struct cat_param *first, *last; } params;
  struct cat_binding *binding;
  struct { struct cat_binding *first, *last; } bindings;
  struct { struct cat_statement *first, *last; } statements;
  enum cat_test test;
  enum cat_role role;
}

%code {
int cat_lex(CAT_STYPE *value, CAT_LTYPE *place, void *scanner);

static void cat_error(struct span *place, struct cat_reader *reader, void *scanner, const char *message);

#define YYLLOC_DEFAULT(current, rhs, n)                                                                                \
  ((current) = (n) ? (struct span){YYRHSLOC(rhs, 1).source, YYRHSLOC(rhs, 1).begin, YYRHSLOC(rhs, n).end}              \
                   : (struct span){YYRHSLOC(rhs, 0).source, YYRHSLOC(rhs, 0).end, YYRHSLOC(rhs, 0).end})

/* The parser's stack never grows: nothing of it is left behind when memory runs out elsewhere. */
#define YYINITDEPTH 3000
#define YYMAXDEPTH 3000

/* The scanner takes only its own argument. */
#define cat_lex(value, place, reader, scanner) cat_lex(value, place, scanner)

static struct cat_statement *statement(struct cat_reader *reader, enum cat_statement_kind kind, struct span span);
static struct cat_binding *binding(struct cat_reader *reader, const char *name, struct span span,
                                   const struct cat_ast *body);
static struct cat_ast_list *element(struct cat_reader *reader, const struct cat_ast *ast);
static struct cat_param *param(struct cat_reader *reader, const char *name, struct span span);
static const char *slice(struct cat_reader *reader, struct span span);
static void refuse_construct(struct cat_reader *reader, struct span span, const char *what, const char *hint);
static bool is_total_co(const char *name, const struct cat_ast *from);

/* The place of a statement whose first part may be empty, and then stands where the last one ended. */
static struct span after_empty(struct span part, struct span next, struct span all) {
  return (struct span){all.source, part.begin == part.end ? next.begin : part.begin, all.end};
}

#define APPEND(list, item)                                                                                             \
  do {                                                                                                                 \
    (list).last->next = (item);                                                                                        \
    (list).last = (item);                                                                                              \
  } while (0)
}

%initial-action { @$ = (struct span){reader->source, 0, 0}; }

%token END_OF_FILE 0 "the end of the file"
%token <name> NAME "a name" STRING "a string"
%token LET "'let'" REC "'rec'" AND "'and'" IN "'in'" AS "'as'" FLAG "'flag'" UNDEFINED_UNLESS "'undefined_unless'"
%token ACYCLIC "'acyclic'" IRREFLEXIVE "'irreflexive'" EMPTY "'empty'" INCLUDE "'include'" SHOW "'show'"
%token IGNORES_READS "'ignores_initial_reads'" IGNORES_UPDATES "'ignores_silent_updates'" LANGUAGE "'language'"
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
%type <asts> args
%type <params> params params_or_none
%type <name> opt_name name_or_all
%type <binding> binding
%type <bindings> bindings
%type <statements> statements statement shows show listed
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
| statements[list] statement            {
                                          $$ = $list;
                                          if (!$$.first) $$ = $statement;
                                          else {
                                            $$.last->next = $statement.first;
                                            $$.last = $statement.last;
                                          }
                                        }

statement:
  LET bindings opt_in                   {
                                          $$.first = $$.last = statement(reader, CAT_STATEMENT_LET, @$);
                                          $$.first->bindings = $bindings.first;
                                        }
| LET REC bindings opt_in               {
                                          $$.first = $$.last = statement(reader, CAT_STATEMENT_LET, @$);
                                          $$.first->bindings = $bindings.first;
                                          $$.first->rec = true;
                                        }
| role test exp opt_name                {
                                          $$.first = $$.last = statement(reader, CAT_STATEMENT_TEST,
                                                                         after_empty(@role, @test, @$));
                                          $$.first->role = $role;
                                          $$.first->test = $test;
                                          $$.first->ast = $exp;
                                          $$.first->name = $opt_name;
                                        }
| role NOT_TEST test exp opt_name       {
                                          $$.first = $$.last = statement(reader, CAT_STATEMENT_TEST,
                                                                         after_empty(@role, @NOT_TEST, @$));
                                          $$.first->role = $role;
                                          $$.first->test = $test;
                                          $$.first->negated = true;
                                          $$.first->ast = $exp;
                                          $$.first->name = $opt_name;
                                        }
| INCLUDE STRING                        {
                                          $$.first = $$.last = statement(reader, CAT_STATEMENT_INCLUDE, @STRING);
                                          $$.first->name = $STRING;
                                        }
| SHOW shows                            { $$ = $shows; }
| UNSHOW listed                         { $$ = $listed; }
| LANGUAGE listed                       {
                                          $$ = $listed;
                                          for (struct cat_statement *s = $$.first; s; s = s->next)
                                            s->kind = CAT_STATEMENT_LANGUAGE;
                                        }
| IGNORES_READS                         { $$.first = $$.last = statement(reader, CAT_STATEMENT_IGNORES_READS, @$); }
| IGNORES_UPDATES                       { $$.first = $$.last = statement(reader, CAT_STATEMENT_IGNORES_UPDATES, @$); }
| WITH NAME FROM base                   {
                                          if (!is_total_co($NAME, $base)) {
                                            refuse_construct(reader, @$, "'with ... from'",
                                                             "include \"cos.cat\" makes co total");
                                            YYABORT;
                                          }
                                          $$.first = $$.last = statement(reader, CAT_STATEMENT_INCLUDE, @$);
                                          $$.first->name = "cos.cat";
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

shows:
  show
| shows[list] COMMA show                { $$ = $list; APPEND($$, $show.first); }

show:
  base opt_name                         {
                                          $$.first = $$.last = statement(reader, CAT_STATEMENT_SHOW, @base);
                                          $$.first->ast = $base;
                                          $$.first->name = $opt_name ? $opt_name : slice(reader, @base);
                                        }

listed:
  NAME                                  {
                                          $$.first = $$.last = statement(reader, CAT_STATEMENT_UNSHOW, @NAME);
                                          $$.first->name = $NAME;
                                        }
| listed[list] COMMA NAME               {
                                          struct cat_statement *more = statement(reader, CAT_STATEMENT_UNSHOW, @NAME);
                                          more->name = $NAME;
                                          $$ = $list;
                                          APPEND($$, more);
                                        }

bindings:
  binding                               { $$.first = $$.last = $binding; }
| bindings[list] AND binding            { $$ = $list; APPEND($$, $binding); }

binding:
  NAME EQUAL exp                        { $$ = binding(reader, $NAME, @NAME, $exp); }
| NAME name_or_all EQUAL exp            {
                                          $$ = binding(reader, $NAME, @NAME, $exp);
                                          $$->is_function = true;
                                          $$->params = param(reader, $name_or_all, @name_or_all);
                                        }
| NAME LPAR params_or_none RPAR EQUAL exp  {
                                          $$ = binding(reader, $NAME, @NAME, $exp);
                                          $$->is_function = true;
                                          $$->params = $params_or_none.first;
                                        }
| LPAR params_or_none RPAR EQUAL exp    {
                                          $$ = NULL;
                                          refuse_construct(reader, span_join(@1, @3), "a tuple",
                                                           "define the names one by one");
                                          YYABORT;
                                        }

name_or_all:
  NAME
| ALL                                   { $$ = NULL; }

params_or_none:
  %empty                                { $$.first = $$.last = NULL; }
| params

params:
  name_or_all                           { $$.first = $$.last = param(reader, $name_or_all, @$); }
| params[list] COMMA name_or_all        {
                                          struct cat_param *more = param(reader, $name_or_all, @name_or_all);
                                          $$ = $list;
                                          APPEND($$, more);
                                        }

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
| call[f] argument                      { $$ = cat_ast_apply(reader, @$, $f, element(reader, $argument)); }
| call[f] LPAR args RPAR                { $$ = cat_ast_apply(reader, @$, $f, $args.first); }
| call[f] LPAR RPAR                     { $$ = cat_ast_apply(reader, @$, $f, NULL); }

argument:
  NAME                                  { $$ = cat_ast_leaf(reader, CAT_AST_NAME, @$, $NAME); }
| simple

args:
  exp                                   { $$.first = $$.last = element(reader, $exp); }
| args[list] COMMA exp                  {
                                          struct cat_ast_list *more = element(reader, $exp);
                                          $$ = $list;
                                          APPEND($$, more);
                                        }

%%

static struct cat_statement *statement(struct cat_reader *reader, enum cat_statement_kind kind, struct span span) {
  struct cat_statement *s = ARENA_NEW(reader->arena, struct cat_statement);
  s->kind = kind;
  s->span = span;
  return s;
}

static struct cat_binding *binding(struct cat_reader *reader, const char *name, struct span span,
                                   const struct cat_ast *body) {
  struct cat_binding *b = ARENA_NEW(reader->arena, struct cat_binding);
  b->name = name;
  b->span = span;
  b->body = body;
  return b;
}

static struct cat_ast_list *element(struct cat_reader *reader, const struct cat_ast *ast) {
  struct cat_ast_list *list = ARENA_NEW(reader->arena, struct cat_ast_list);
  list->ast = ast;
  return list;
}

static struct cat_param *param(struct cat_reader *reader, const char *name, struct span span) {
  struct cat_param *p = ARENA_NEW(reader->arena, struct cat_param);
  p->name = name;
  p->span = span;
  return p;
}

static const char *slice(struct cat_reader *reader, struct span span) {
  return arena_strndup(reader->arena, reader->source->text + span.begin, span.end - span.begin);
}

static void refuse_construct(struct cat_reader *reader, struct span span, const char *what, const char *hint) {
  diag_report(reader->diags, DIAG_CAT_UNSUPPORTED, span, "%s is not supported in a model" HINT "%s", what, hint);
}

/* `with co from generate_cos(co0)`: how herd's older models ask for every total coherence order. Ours is cos.cat. */
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
  text_add_slice(message, reader->source->text + place.begin, length > 40 ? 40 : length);
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

static int yyreport_syntax_error(const yypcontext_t *context, struct cat_reader *reader, void *scanner) {
  (void)scanner;
  struct span place = *yypcontext_location(context);
  struct text message = {.arena = reader->arena};
  found_text(&message, reader, place, yypcontext_token(context));
  yysymbol_kind_t expected[YYNTOKENS];
  int count = yypcontext_expected_tokens(context, expected, YYNTOKENS);
  expected_text(&message, expected, count);
  diag_report(reader->diags, DIAG_SYNTAX, place, "%s", text_str(&message));
  return 0;
}

/* Called only when the stack is full. */
static void cat_error(struct span *place, struct cat_reader *reader, void *scanner, const char *message) {
  (void)scanner;
  (void)message;
  diag_report(reader->diags, DIAG_TOO_DEEP, *place, "nested too deeply");
}
