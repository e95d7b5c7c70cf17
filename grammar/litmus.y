/* Grammar of a litmus test: the PTX flavour of herd's format (docs/semantics.md T1). */
%define lr.default-reduction accepting
%param {void *scanner}
%parse-param {struct litmus_parse *parse}

%code requires {
#include "litmus/cuda.h"
}

%code {
#define PARSE struct litmus_parse
#define BASE parse
#include "litmus/parser.h"

#define ASK(how, what, where)                                                                                          \
  (parse->test->quantifier = (how), parse->test->condition = (what), parse->test->condition_span = (where))
}

%initial-action { @$ = (struct span){parse->source, 0, 0}; }

%union {
  struct litmus_word *word;
  struct litmus_words words;
  struct litmus_number number;
  struct litmus_ref *ref;
  struct litmus_operand *operand;
  struct litmus_operands operands;
  struct litmus_instr *instr;
  struct litmus_cell *cell;
  struct litmus_cells cells;
  struct litmus_rows rows;
  struct litmus_level *level;
  struct litmus_levels levels;
  struct litmus_pair *pair;
  struct litmus_pairs pairs;
  struct litmus_thread *thread;
  struct litmus_threads threads;
  struct litmus_value *value;
  struct litmus_values values;
  struct litmus_entry *entry;
  struct litmus_map *map;
  struct litmus_entries entries;
  struct litmus_term *term;
  struct litmus_terms terms;
  struct litmus_cond *cond;
  enum compare compare;
  enum litmus_quantifier quantifier;
  struct litmus_branch branch;
  struct litmus_reference reference;
  bool flag;
}

%token TITLE "'PTX' and a name" CUDA "'CUDA' and a name" STATE "a state"
%token IF "'if'" ELSE "'else'" WHILE "'while'" DO "'do'" GOTO "'goto'"
%token CELL "a statement"
%token <word> HOST "'host'"
%token HOSTS "'host {'"
%token <word> TEXT "a quoted text" STRING "a file in quotes" WORD "a name" DOTTED "a qualifier"
%token <number> NUMBER "a number"
%token EXISTS "'exists'" FORALL "'forall'" SAFE "'safe'" IN_TURNS "'in-turns'"
%token FILTER "'filter'" LOCATIONS "'locations'" ALIASES "'aliases'"
%token AND "'/\\'" OR "'\\/'" EQ "'=='" NE "'!='" LE "'<='" GE "'>='"
%token BAR "'|' between two results"
%token YYEOF 0 "the end of the file"

%left OR
%left AND
%precedence '~'

%type <words> texts labels qualifiers qualifiers1 type_words names
%type <number> number
%type <ref> name place owned
%type <operand> operand
%type <operands> operands operand_list
%type <instr> instr plain
%type <cell> cell statement_cell statement simple
%type <branch> branch
%type <reference> reference
%type <ref> object
%type <operand> argument
%type <operands> arguments
%type <cells> cells statement_cells
%type <rows> rows statement_rows host_cells
%type <level> level
%type <levels> levels
%type <pair> pair
%type <pairs> pairs
%type <thread> thread
%type <threads> threads
%type <value> value kernel_argument field
%type <values> values arguments_of_kernel fields
%type <map> dimensions
%type <entry> entry declared atomic
%type <entries> entries
%type <term> term location
%type <terms> location_list
%type <cond> cond state
%type <quantifier> quantifier
%type <compare> compare

%%

test:
    TITLE texts '{' block body locations filter final { parse->test->docs = $2.first; }
  | CUDA texts '{' block cuda_body locations filter final { parse->test->docs = $2.first; }
  | STATE state { parse->test->condition = $2; }
  ;

/* A state alone: an outcome as ptxlit prints it, or a condition */

state:
    cond
  | state ';'
  | state ';' cond { $$ = litmus_cond_join(parse, LITMUS_AND, $1, $3, @$); }
  ;

body:
    columns rows { litmus_spread_columns(parse); litmus_cuda_unblock(parse); }
  | kernels { parse->lost = parse->errors > 0; }
  ;

cuda_body:
    columns statement_rows {
      litmus_spread_columns(parse);
      litmus_cuda_finish(parse);
      parse->lost |= parse->errors > 0; /* litmus_cuda_finish may have found wrong labels */
    }
  ;

texts:
    %empty { $$ = (struct litmus_words){0}; }
  | texts TEXT { $$ = litmus_words_add($1, $2); }
  ;

/* The init block */

block:
    entries '}' { parse->test->entries = $1.first; }
  | entries entry '}' { LIST_ADD($1, $2); parse->test->entries = $1.first; }
  | entries error '}' { parse->lost = true; }
  ;

entries:
    %empty { $$ = (struct litmus_entries){0}; }
  | entries ';' { $$ = $1; }
  | entries entry ';' { $$ = $1; LIST_ADD($$, $2); }
  | entries error ';' { $$ = $1; parse->lost = true; if (parse->stopped) YYABORT; }
  ;

entry:
    declared { $$ = $1; }
  | declared '=' value { $$ = $1; $$->values = $3; $$->span = @$; }
  | declared '=' '{' values '}' { $$ = $1; $$->values = $4.first; $$->braces = true; $$->span = @$; }
  | declared '=' '{' values ',' DOTTED ',' dimensions '}' {
      $$ = $1;
      $$->values = $4.first;
      $$->braces = true;
      $$->span = @$;
      $$->map = $8;
      $$->map->type = *$6;
    }
  | qualifiers type_words NUMBER { $$ = litmus_at_new(parse, $2, false, $3, @$); }
  | qualifiers type_words '+' NUMBER { $$ = litmus_at_new(parse, $2, true, $4, @$); }
  | qualifiers type_words NUMBER type_words NUMBER { $$ = litmus_launch_new(parse, $2, $3, $4, $5, @$); }
  | atomic '{' value '}' { $$ = $1; $$->values = $3; $$->span = @$; }
  | declared ALIASES WORD { $$ = $1; $$->alias_of = $3; $$->span = @$; }
  | declared '@' WORD ALIASES WORD { $$ = $1; $$->alias_kind = $3; $$->alias_of = $5; $$->span = @$; }
  ;

/* dims 192 128, box 64 64 */
dimensions:
    WORD number { $$ = ARENA_NEW(parse->arena, struct litmus_map); litmus_map_size(parse, $$, $1, $2); }
  | dimensions number { $$ = $1; litmus_map_size(parse, $$, NULL, $2); }
  | dimensions ',' WORD number { $$ = $1; litmus_map_size(parse, $$, $3, $4); }
  ;

declared:
    atomic { $$ = $1; }
  | qualifiers type_words { $$ = litmus_declared_new(parse, $1, $2, false, @$); }
  | qualifiers type_words '[' ']' { $$ = litmus_declared_new(parse, $1, $2, true, @$); }
  | qualifiers type_words '[' NUMBER ']' {
      $$ = litmus_declared_new(parse, $1, $2, true, @$);
      $$->has_count = true;
      $$->count = litmus_small(parse, $4, UINT32_MAX, "the number of elements");
    }
  | qualifiers type_words ':' WORD {
      struct litmus_word *owner = litmus_words_last(&$2);
      $$ = litmus_entry_new(parse, $1, $2, litmus_ref_owned(parse, owner, NULL, $4), @$);
    }
  | qualifiers type_words NUMBER ':' WORD {
      $$ = litmus_entry_new(parse, $1, $2, litmus_ref_numbered(parse, $3, $5), @$);
    }
  | qualifiers NUMBER ':' WORD {
      $$ = litmus_entry_new(parse, $1, (struct litmus_words){0}, litmus_ref_numbered(parse, $2, $4), @$);
    }
  ;

/* cuda::atomic<int, cuda::thread_scope_device> x */
atomic:
    qualifiers WORD '<' type_words '>' object {
      $$ = litmus_cuda_atomic(parse, $1, &(struct litmus_reference){$2, $4, NULL, $6}, @$);
    }
  | qualifiers WORD '<' type_words ',' WORD '>' object {
      $$ = litmus_cuda_atomic(parse, $1, &(struct litmus_reference){$2, $4, $6, $8}, @$);
    }
  ;

%list type_words WORD
%list values value ','

value:
    number { $$ = NEW(value, .number = $1, .span = @1); }
  | place { $$ = NEW(value, .is_address = true, .ref = *$1, .span = @1); }
  | '&' place { $$ = NEW(value, .is_address = true, .ref = *$2, .span = @$); }
  ;

/* Kernels in place of columns */

kernels:
    kernel_line
  | kernels kernel_line
  | host_block
  | kernels host_block
  | kernels WORD { litmus_kernel_flag(parse, $2); }
  | kernels ';'
  ;

/* A thread of the host beside kernels. The scanner says where a statement begins: CELL. */
host_block:
    HOSTS host_cells '}' { litmus_kernel_host(parse, $2, @$); }
  ;

host_cells:
    %empty { $$ = (struct litmus_rows){0}; }
  | host_cells ';' { $$ = $1; }
  | host_cells CELL labels statement {
      $$ = $1;
      $4->labels = $3.first;
      litmus_host_row(parse, &$$, litmus_host_cell($4), @4);
    }
  ;

%list arguments_of_kernel kernel_argument ','

kernel_argument:
    value { $$ = $1; }
  | '{' fields '}' { $$ = NEW(value, .fields = $2.first, .span = @$); }
  ;

%list fields field ','

field:
    value { $$ = $1; }
  | DOTTED value { $$ = $2; $$->type = $1; }
  ;

kernel_line:
    WORD STRING WORD '(' ')' { litmus_kernel_add(parse, $1, $2, $3, NULL, @$); }
  | WORD STRING WORD '(' arguments_of_kernel ')' { litmus_kernel_add(parse, $1, $2, $3, $5.first, @$); }
  | WORD STRING STRING '(' ')' { litmus_kernel_add(parse, $1, $2, $3, NULL, @$); }
  | WORD STRING STRING '(' arguments_of_kernel ')' { litmus_kernel_add(parse, $1, $2, $3, $5.first, @$); }
  | WORD NUMBER { litmus_kernel_size(parse, $1, (struct litmus_number[]){$2}, 1, @$); }
  | WORD NUMBER ':' { litmus_kernel_gpu(parse, $1, $2, @$); }
  | WORD NUMBER NUMBER { litmus_kernel_size(parse, $1, (struct litmus_number[]){$2, $3}, 2, @$); }
  | WORD NUMBER NUMBER NUMBER { litmus_kernel_size(parse, $1, (struct litmus_number[]){$2, $3, $4}, 3, @$); }
  | WORD pairs { litmus_kernel_threads(parse, $1, $2.first, @$); }
  ;

%list pairs pair

pair:
    NUMBER ',' NUMBER { $$ = litmus_threads_new(parse, $1, $3, NULL, @$); }
  | NUMBER ',' NUMBER '-' NUMBER { $$ = litmus_threads_new(parse, $1, $3, &$5, @$); }
  ;

/* The columns */

%list threads thread '|'

thread:
    names { $$ = litmus_thread_new(parse, $1, NULL, false, @$); }
  | names '@' HOST { $$ = litmus_thread_new(parse, $1, litmus_level_of(parse, $3, 0), true, @$); }
  | names '@' HOST NUMBER { $$ = litmus_thread_new(parse, $1, litmus_level_new(parse, $3, $4), true, @$); }
  | names '@' HOST ',' levels {
      struct litmus_level *host = litmus_level_of(parse, $3, 0);
      host->next = $5.first;
      $$ = litmus_thread_new(parse, $1, host, true, @$);
    }
  | names '@' levels { $$ = litmus_thread_new(parse, $1, $3.first, true, @$); }
  ;

%list names WORD ','

levels:
    level { $$ = (struct litmus_levels){$1, $1}; }
  | levels level { $$ = $1; LIST_ADD($$, $2); }
  | levels ',' level { $$ = $1; LIST_ADD($$, $3); }
  ;

level:
    WORD NUMBER { $$ = litmus_level_new(parse, $1, $2); }
  | level NUMBER {
      struct litmus_level *last = $1;
      while (last->others) last = last->others;
      $$ = $1;
      last->others = litmus_level_new(parse, &$1->key, $2);
    }
  ;

/* Stored at once, because an error in the rows may end the parse. */
columns:
    threads ';' {
      parse->test->threads = $1.first;
      for (struct litmus_thread *t = $1.first; t; t = t->next) parse->test->thread_count++;
    }
  ;

rows:
    %empty { $$ = (struct litmus_rows){0}; }
  | rows cells ';' { $$ = $1; litmus_test_row(parse, &$$, $2, @2); }
  | rows error ';' { $$ = $1; parse->lost = true; if (parse->stopped) YYABORT; }
  ;

cells:
    cell { $$ = (struct litmus_cells){$1, $1, 1}; }
  | cells '|' cell { $$ = $1; LIST_ADD($$, $3); $$.count++; }
  ;

cell:
    labels { $$ = NEW(cell, .labels = $1.first, .span = @$); }
  | labels instr { $$ = NEW(cell, .labels = $1.first, .instr = $2, .span = @$); }
  | labels IF '(' branch ')' instr {
      $$ = litmus_cuda_if(parse, &$4, NEW(cell, .instr = $6, .span = @6), @$);
      $$->labels = $1.first;
      $$->instr->cuda = false; /* a jump of PTX tests */
    }
  | CELL labels { $$ = NEW(cell, .labels = $2.first, .span = @$); }
  | CELL labels statement { $$ = litmus_host_cell($3); $$->labels = $2.first; }
  ;

labels:
    %empty { $$ = (struct litmus_words){0}; }
  | labels WORD ':' { $$ = litmus_words_add($1, $2); }
  ;

plain:
    WORD qualifiers '(' ')' { $$ = litmus_instr_new(parse, $1, $2, NULL, @$); $$->call = true; }
  | WORD '=' WORD qualifiers '(' ')' {
      $$ = litmus_instr_new(parse, $3, $4, NULL, @$);
      litmus_instr_assign(parse, $$, $1);
    }
  | WORD '=' WORD qualifiers '(' operand_list ')' {
      $$ = litmus_instr_new(parse, $3, $4, $6.first, @$);
      litmus_instr_assign(parse, $$, $1);
    }
  ;

/* Columns of CUDA C++ */

statement_rows:
    %empty { $$ = (struct litmus_rows){0}; }
  | statement_rows statement_cells ';' { $$ = $1; litmus_test_row(parse, &$$, $2, @2); }
  | statement_rows error ';' { $$ = $1; parse->lost = true; if (parse->stopped) YYABORT; }
  ;

statement_cells:
    statement_cell { $$ = (struct litmus_cells){$1, $1, 1}; }
  | statement_cells '|' statement_cell { $$ = $1; LIST_ADD($$, $3); $$.count++; }
  ;

statement_cell:
    labels { $$ = NEW(cell, .labels = $1.first, .span = @$); }
  | labels statement { $$ = $2; $$->labels = $1.first; }
  ;

statement:
    simple { $$ = $1; }
  | IF '(' branch ')' simple { $$ = litmus_cuda_if(parse, &$3, $5, @$); }
  | IF '(' branch ')' GOTO WORD { $$ = litmus_cuda_goto(parse, &$3, $6, @$); }
  | IF '(' branch ')' '{' { $$ = litmus_cuda_block(parse, LITMUS_BLOCK_IF, &$3, @$); }
  | WHILE '(' branch ')' '{' { $$ = litmus_cuda_block(parse, LITMUS_BLOCK_WHILE, &$3, @$); }
  | DO '{' { $$ = litmus_cuda_block(parse, LITMUS_BLOCK_DO, NULL, @$); }
  | '}' { $$ = litmus_cuda_block(parse, LITMUS_BLOCK_END, NULL, @$); }
  | '}' ELSE '{' { $$ = litmus_cuda_block(parse, LITMUS_BLOCK_ELSE, NULL, @$); }
  | '}' WHILE '(' branch ')' { $$ = litmus_cuda_block(parse, LITMUS_BLOCK_UNTIL, &$4, @$); }
  | GOTO WORD { $$ = litmus_cuda_goto(parse, NULL, $2, @$); }
  ;

simple:
    object '=' argument { $$ = litmus_cuda_assign(parse, $1, $3, 0, NULL, @$); }
  | object '=' argument '+' argument { $$ = litmus_cuda_assign(parse, $1, $3, '+', $5, @$); }
  | object '=' argument '-' argument { $$ = litmus_cuda_assign(parse, $1, $3, '-', $5, @$); }
  | object '=' argument '&' argument { $$ = litmus_cuda_assign(parse, $1, $3, '&', $5, @$); }
  | object '=' object DOTTED '(' arguments ')' { $$ = litmus_cuda_call(parse, $1, $3, $4, $6.first, @$); }
  | object '=' reference DOTTED '(' arguments ')' { $$ = litmus_cuda_refer(parse, $1, &$3, $4, $6.first, @$); }
  | reference DOTTED '(' arguments ')' { $$ = litmus_cuda_refer(parse, NULL, &$1, $2, $4.first, @$); }
  | object '=' WORD '(' arguments ')' { $$ = litmus_cuda_call(parse, $1, NULL, $3, $5.first, @$); }
  | object DOTTED '(' arguments ')' { $$ = litmus_cuda_call(parse, NULL, $1, $2, $4.first, @$); }
  | WORD '(' arguments ')' { $$ = litmus_cuda_call(parse, NULL, NULL, $1, $3.first, @$); }
  | WORD NUMBER { $$ = litmus_host_grid(parse, $1, $2, @$); }
  ;

branch:
    argument compare argument { $$ = (struct litmus_branch){$2, $1, $3}; }
  ;

/* cuda::atomic_ref<int, cuda::thread_scope_device>(x) */
reference:
    WORD '<' type_words '>' '(' object ')' { $$ = (struct litmus_reference){$1, $3, NULL, $6}; }
  | WORD '<' type_words ',' WORD '>' '(' object ')' { $$ = (struct litmus_reference){$1, $3, $5, $8}; }
  ;

arguments:
    %empty { $$ = (struct litmus_operands){0}; }
  | argument { $$ = (struct litmus_operands){$1, $1}; }
  | arguments ',' argument { $$ = $1; LIST_ADD($$, $3); }
  ;

argument:
    number { $$ = NEW(operand, .kind = LITMUS_NUMBER, .u.number = $1, .span = @$); }
  | object { $$ = litmus_cuda_name(parse, $1); }
  ;

object:
    WORD { $$ = KEPT(litmus_ref_plain(parse, $1)); }
  | WORD '[' NUMBER ']' { $$ = litmus_ref_element(parse, KEPT(litmus_ref_plain(parse, $1)), $3, @$); }
  ;

%include words.rules
%include instructions.rules

place:
    name { $$ = $1; }
  | name '+' number { $$ = $1; litmus_ref_offset(parse, $$, $3, false); }
  | name '-' NUMBER { $$ = $1; litmus_ref_offset(parse, $$, $3, true); }
  | name '[' NUMBER ']' { $$ = litmus_ref_element(parse, $1, $3, @$); }
  ;

name:
    WORD { $$ = KEPT(litmus_ref_plain(parse, $1)); }
  | owned { $$ = $1; }
  ;

owned:
    WORD ':' WORD { $$ = KEPT(litmus_ref_owned(parse, $1, NULL, $3)); }
  | WORD DOTTED ':' WORD { $$ = KEPT(litmus_ref_owned(parse, $1, $2, $4)); }
  | NUMBER ':' WORD { $$ = KEPT(litmus_ref_numbered(parse, $1, $3)); }
  | WORD '(' pair ')' ':' WORD { $$ = KEPT(litmus_ref_placed(parse, $1, $3, $6)); }
  ;

/* The condition */

locations:
    %empty
  | LOCATIONS '[' location_list ']' { parse->test->locations = $3.first; }
  | LOCATIONS '[' location_list location ']' { LIST_ADD($3, $4); parse->test->locations = $3.first; }
  | LOCATIONS '[' error ']' { if (parse->stopped) YYABORT; }
  ;

location_list:
    %empty { $$ = (struct litmus_terms){0}; }
  | location_list ';' { $$ = $1; }
  | location_list location ';' { $$ = $1; LIST_ADD($$, $2); }
  ;

location:
    place { $$ = NEW(term, .kind = LITMUS_TERM_REF, .ref = *$1, .span = @$); }
  ;

filter:
    %empty
  | FILTER cond { parse->test->filter = $2; }
  | FILTER error { if (parse->stopped) YYABORT; }
  ;

final:
    quantifier cond { ASK($1, $2, @$); }
  | SAFE { ASK(LITMUS_SAFE, NULL, @$); }
  | IN_TURNS { ASK(LITMUS_IN_TURNS, NULL, @$); }
  | quantifier error
  ;

quantifier:
    EXISTS { $$ = LITMUS_EXISTS; }
  | '~' EXISTS { $$ = LITMUS_NOT_EXISTS; }
  | FORALL { $$ = LITMUS_FORALL; }
  ;

cond:
    cond OR cond { $$ = litmus_cond_join(parse, LITMUS_OR, $1, $3, @$); }
  | cond AND cond { $$ = litmus_cond_join(parse, LITMUS_AND, $1, $3, @$); }
  | '~' cond { $$ = NEW(cond, .kind = LITMUS_NOT, .parts = $2, .part_count = 1, .span = @$); }
  | '(' cond ')' { $$ = $2; $$->closed = true; $$->span = @$; }
  | term compare term { $$ = NEW(cond, .kind = LITMUS_COMPARE, .a = $1, .compare = $2, .b = $3, .span = @$); }
  ;

compare:
    '=' { $$ = COMPARE_EQ; }
  | EQ { $$ = COMPARE_EQ; }
  | NE { $$ = COMPARE_NE; }
  | '<' { $$ = COMPARE_LT; }
  | LE { $$ = COMPARE_LE; }
  | '>' { $$ = COMPARE_GT; }
  | GE { $$ = COMPARE_GE; }
  ;

term:
    number { $$ = NEW(term, .kind = LITMUS_TERM_NUMBER, .number = $1, .span = @$); }
  | place { $$ = NEW(term, .kind = LITMUS_TERM_REF, .ref = *$1, .span = @$); }
  | '[' place ']' { $$ = NEW(term, .kind = LITMUS_TERM_CONTENT, .ref = *$2, .span = @$); }
  | '&' place { $$ = NEW(term, .kind = LITMUS_TERM_ADDRESS, .ref = *$2, .span = @$); }
  ;

%%

REPORT_SYNTAX(litmus_report_syntax)
