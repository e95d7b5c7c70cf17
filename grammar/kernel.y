/* Grammar of a PTX module (PTX ISA 9.4, chapters 4, 5, 7 and 11). */
%param {void *scanner}
%parse-param {struct kernel_parse *parse}

%code requires {
#include "kernel/build.h"
}

%code {
#define PARSE struct kernel_parse
#define BASE (&parse->base)
#include "litmus/parser.h"
#include "ptx/isa.h"
#define MAKE(type, ...) ARENA_MAKE(BASE->arena, struct type, __VA_ARGS__)
static struct module_variable *variable_new(struct kernel_parse *parse, const struct litmus_word *name,
                                            struct span span);
static struct module_variable *with_words(struct kernel_parse *parse, struct module_variable *variable,
                                          const struct module_variable *words);
static struct module_items items_of(struct kernel_parse *parse, struct module_variable *words,
                                    struct module_variables declared, struct span span);
static struct module_numbers with_number(struct kernel_parse *parse, struct module_numbers numbers,
                                         struct litmus_number number);
static uint32_t alignment(struct kernel_parse *parse, struct litmus_number number);
static void join(struct module_items *to, struct module_items more);
static struct module_items one_item(struct module_item *item);
static void add_dimension(struct kernel_parse *parse, struct module_variable *variable, bool known,
                          struct litmus_number number);
static bool is_old(struct litmus_number version);
}

%initial-action { @$ = (struct span){parse->base.source, 0, 0}; }

%union {
  struct litmus_word *word;
  struct litmus_words words;
  struct litmus_number number;
  struct litmus_ref *ref;
  struct litmus_operand *operand;
  struct litmus_operands operands;
  struct litmus_instr *instr;
  struct litmus_value *value;
  struct litmus_values values;
  struct module_variable *variable;
  struct module_variables variables;
  struct module_items items;
  struct module_attributes attributes;
  struct module_numbers product;
  struct module_function *function;
}

%token VERSION "'.version'" TARGET "'.target'" ADDRESS_SIZE "'.address_size'" ENTRY "'.entry'" FUNC "'.func'"
%token ALIGN "'.align'" PRAGMA "'.pragma'" ATTRIBUTE "'.attribute'" PROTOTYPE "'.callprototype'" ALIAS "'.alias'"
%token STRING "a quoted text" BAR "'|'"
%token <word> WORD "a name" DOTTED "a word with a dot"
%token <number> NUMBER "a number"
%token YYEOF 0 "the end of the file"

%type <words> qualifiers qualifiers1 names
%type <attributes> attributes
%type <product> numbers
%type <number> number
%type <ref> place generic
%type <operand> operand
%type <operands> operands operand_list
%type <instr> instr plain
%type <value> value
%type <values> values
%type <variable> words declarator declared param
%type <variables> declarators params param_list
%type <items> statements statement block variables
%type <function> function head

%%

module:
    %empty
  | module VERSION NUMBER { parse->module->narrow = is_old($3); }
  | module TARGET names
  | module ADDRESS_SIZE NUMBER { parse->module->narrow = $3.value == 32; }
  | module PRAGMA STRING ';'
  | module ALIAS ';'
  | module ';'
  | module variables {
      for (struct module_item *item = $2.first; item; item = item->next)
        if (item->kind == MODULE_VARIABLE) LIST_ADD(parse->module->variables, item->variable);
    }
  | module function { LIST_ADD(parse->module->functions, $2); }
  | module error ';' { if (parse->base.stopped) YYABORT; }
  ;

%list names WORD ','

/* Functions */

function:
    head attributes ';' { $$ = $1; $$->attributes = $2; }
  | head attributes block {
      $$ = $1;
      $$->attributes = $2;
      $$->has_body = true;
      $$->items = $3.first;
    }
  ;

head:
    linkage ENTRY WORD params {
      $$ = MAKE(module_function, .name = *$3, .is_entry = true, .params = $4.first, .span = @3);
    }
  | linkage FUNC WORD params {
      $$ = MAKE(module_function, .name = *$3, .params = $4.first, .span = @3);
    }
  | linkage FUNC '(' ')' WORD params { $$ = MAKE(module_function, .name = *$5, .params = $6.first, .span = @5); }
  | linkage FUNC '(' param_list ')' WORD params {
      $$ = MAKE(module_function, .name = *$6, .results = $4.first, .params = $7.first, .span = @6);
    }
  ;

/* .visible .extern .weak */
linkage:
    %empty
  | words
  ;

attributes:
    %empty { $$ = (struct module_attributes){0}; }
  | attributes DOTTED { $$ = kernel_attribute(parse, $1, $2, (struct module_numbers){0}); }
  | attributes DOTTED numbers { $$ = kernel_attribute(parse, $1, $2, $3); }
  ;

numbers:
    NUMBER { $$ = with_number(parse, (struct module_numbers){.product = 1}, $1); }
  | numbers ',' NUMBER { $$ = with_number(parse, $1, $3); }
  ;

params:
    %empty { $$ = (struct module_variables){0}; }
  | '(' ')' { $$ = (struct module_variables){0}; }
  | '(' param_list ')' { $$ = $2; }
  ;

%list param_list param ','

param:
    words declared { $$ = with_words(parse, $2, $1); $$->span = @$; }
  ;

/* Declarations */

variables:
    words declarators ';' { $$ = items_of(parse, $1, $2, @$); }
  ;

words:
    DOTTED { $$ = variable_new(parse, NULL, @$); $$->words = litmus_words_add($$->words, $1); }
  | words DOTTED { $$ = $1; $$->words = litmus_words_add($$->words, $2); }
  | words ALIGN NUMBER { $$ = $1; $$->align = alignment(parse, $3); }
  | words ATTRIBUTE '(' attribute_list ')' { $$ = $1; }
  ;

attribute_list:
    attribute
  | attribute_list ',' attribute
  ;

attribute:
    DOTTED
  | DOTTED '(' numbers ')'
  ;

%list declarators declarator ','

declarator:
    declared { $$ = $1; }
  | declared '=' value { $$ = $1; $$->values = $3; }
  | declared '=' '{' values '}' { $$ = $1; $$->values = $4.first; }
  ;

declared:
    WORD { $$ = variable_new(parse, $1, @$); }
  | WORD '<' NUMBER '>' {
      $$ = variable_new(parse, $1, @$);
      $$->has_range = true;
      $$->range = litmus_small(BASE, $3, 1000000, "the number of registers");
    }
  | declared '[' ']' { $$ = $1; add_dimension(parse, $$, false, (struct litmus_number){0}); }
  | declared '[' NUMBER ']' { $$ = $1; add_dimension(parse, $$, true, $3); }
  ;

values:
    value { $$ = (struct litmus_values){$1, $1}; }
  | '{' values '}' { $$ = $2; }
  | values ',' value { $$ = $1; LIST_ADD($$, $3); }
  | values ',' '{' values '}' { $$ = $1; $$.last->next = $4.first; $$.last = $4.last; }
  ;

value:
    number { $$ = NEW(value, .number = $1, .span = @1); }
  | place { $$ = NEW(value, .is_address = true, .ref = *$1, .span = @1); }
  | generic { $$ = NEW(value, .is_address = true, .ref = *$1, .span = @1); }
  | NUMBER '(' place ')' { $$ = NEW(value, .is_address = true, .ref = *$3, .mask = $1.value, .span = @$); }
  | NUMBER '(' generic ')' { $$ = NEW(value, .is_address = true, .ref = *$3, .mask = $1.value, .span = @$); }
  ;

/* generic(x)+8 */
generic:
    WORD '(' place ')' { $$ = $3; }
  | generic '+' number { $$ = $1; litmus_ref_offset(BASE, $$, $3, false); }
  | generic '-' NUMBER { $$ = $1; litmus_ref_offset(BASE, $$, $3, true); }
  ;

/* Bodies */

block:
    '{' statements '}' {
      $$ = one_item(kernel_item(parse, MODULE_OPEN, @1));
      join(&$$, $2);
      join(&$$, one_item(kernel_item(parse, MODULE_CLOSE, @3)));
    }
  ;

statements:
    %empty { $$ = (struct module_items){0}; }
  | statements statement { $$ = $1; join(&$$, $2); }
  | statements error ';' { $$ = $1; if (parse->base.stopped) YYABORT; }
  ;

statement:
    ';' { $$ = (struct module_items){0}; }
  | variables { $$ = $1; }
  | block { $$ = $1; }
  | PRAGMA STRING ';' { $$ = (struct module_items){0}; }
  | PROTOTYPE ';' { $$ = (struct module_items){0}; }
  | WORD ':' { $$ = one_item(kernel_item(parse, MODULE_LABEL, @1)); $$.first->label = $1; }
  | instr ';' { $$ = one_item(kernel_item(parse, MODULE_INSTR, @1)); $$.first->instr = $1; }
  ;

%include words.rules
%include instructions.rules

operand:
    '(' ')' { $$ = NEW(operand, .kind = LITMUS_LIST, .span = @$); }
  ;

place:
    WORD { $$ = KEPT(litmus_ref_plain(BASE, $1)); }
  | place '+' number { $$ = $1; litmus_ref_offset(BASE, $$, $3, false); }
  | place '-' NUMBER { $$ = $1; litmus_ref_offset(BASE, $$, $3, true); }
  | WORD '[' NUMBER ']' {
      $$ = litmus_ref_element(BASE, KEPT(litmus_ref_plain(BASE, $1)), $3, @$);
    }
  ;

%%

static struct module_variable *variable_new(struct kernel_parse *parse, const struct litmus_word *name,
                                            struct span span) {
  const struct litmus_word none = {.text = "", .span = span};
  return MAKE(module_variable, .span = span, .count = 1, .name = name ? *name : none);
}

/* PTX ISA 9.4, 5.2 and 5.3: every variable, register and parameter has a type, perhaps an opaque one. */
static struct module_variable *with_words(struct kernel_parse *parse, struct module_variable *variable,
                                          const struct module_variable *words) {
  static const char *const opaque[] = {".texref", ".samplerref", ".surfref"};
  bool typed = isa_type_among(&words->words) != PTX_TYPES;
  ARRAY_EACH (word, opaque, ARRAY_LEN(opaque)) typed = typed || litmus_has_word(&words->words, *word);
  if (!typed)
    litmus_error(BASE, DIAG_WRONG_TYPE, variable->name.span, "'%.40s' is declared without a type of PTX, such as .u32",
                 variable->name.text);
  variable->words = words->words;
  variable->align = words->align;
  return variable;
}

/* "The alignment is a power of two": PTX ISA 9.4, 11.4. */
static uint32_t alignment(struct kernel_parse *parse, struct litmus_number number) {
  uint32_t bytes = litmus_small(BASE, number, 65536, "an alignment");
  if (!bytes || bytes & (bytes - 1))
    litmus_error(BASE, DIAG_NUMBER_RANGE, number.span, "the alignment %u is not a power of two", bytes);
  return bytes && !(bytes & (bytes - 1)) ? bytes : 1;
}

static void add_dimension(struct kernel_parse *parse, struct module_variable *variable, bool known,
                          struct litmus_number number) {
  const uint64_t most = (uint64_t)1 << 40; /* no GPU has this memory */
  uint64_t size = known && number.value <= most && !number.negative ? (uint64_t)number.value : 0;
  variable->has_count = known && (!variable->is_array || variable->has_count);
  variable->is_array = true;
  if (known && (number.negative || number.value > most || (size && variable->count > most / size)))
    litmus_error(BASE, DIAG_NUMBER_RANGE, number.span, "the array has more than 2^40 elements");
  else variable->count *= known ? size : 1;
}

/* `.branchtargets a, b;` and `.calltargets f, g;` look like declarations. */
static struct module_items items_of(struct kernel_parse *parse, struct module_variable *words,
                                    struct module_variables declared, struct span span) {
  struct module_items items = {0};
  const char *first = words->words.first->text;
  if (strcmp(first, ".branchtargets") == 0 || strcmp(first, ".calltargets") == 0) {
    struct module_item *item = kernel_item(parse, MODULE_TARGETS, span);
    struct litmus_words targets = {0};
    for (struct module_variable *v = declared.first; v; v = v->next) targets = litmus_words_add(targets, &v->name);
    item->label = targets.first;
    return one_item(item);
  }
  for (struct module_variable *v = declared.first, *next; v; v = next) {
    struct module_item *item = kernel_item(parse, MODULE_VARIABLE, v->span);
    next = v->next;
    v->next = NULL;
    item->variable = with_words(parse, v, words);
    LIST_ADD(items, item);
  }
  return items;
}

static struct module_numbers with_number(struct kernel_parse *parse, struct module_numbers numbers,
                                         struct litmus_number number) {
  uint32_t value = litmus_small(BASE, number, 1 << 20, "a limit");
  if (numbers.count < 3) numbers.first[numbers.count++] = value;
  numbers.product *= value;
  return numbers;
}

/* Before PTX ISA 2.3 there was no .address_size, and addresses had 32 bits (11.1.3). */
static bool is_old(struct litmus_number version) { return version.text && strtod(version.text, NULL) < 2.3; }

static void join(struct module_items *to, struct module_items more) {
  if (!more.first) return;
  if (to->last) to->last->next = more.first;
  else to->first = more.first;
  to->last = more.last;
}

static struct module_items one_item(struct module_item *item) { return (struct module_items){item, item}; }

static void report(struct litmus_parse *parse, struct span span, const char *found, const char **expected, int count) {
  bool end = strcmp(found, "the end of the file") == 0;
  struct span open = litmus_open(parse);
  if (end && open.source) litmus_fatal(parse, DIAG_UNCLOSED, open, "this bracket is never closed");
  else litmus_unexpected(parse, span, end ? "the file ends here" : NULL, expected, count);
}
REPORT_SYNTAX(report)
