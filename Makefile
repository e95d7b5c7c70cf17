# ptxlit: GNU make, out of tree in build/<variant>. `make help` lists the targets.

VARIANT ?= release
BUILD := build/$(VARIANT)
prefix ?= /usr/local
bindir ?= $(prefix)/bin
libdir ?= $(prefix)/lib
includedir ?= $(prefix)/include
datadir ?= $(prefix)/share
mandir ?= $(datadir)/man

CC ?= cc
FLEX ?= flex
BISON ?= bison
CFLAGS_release := -O2 -g
CFLAGS_asan := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
CFLAGS_debug := -O0 -g
WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wformat=2
CPPFLAGS := -std=c11 -D_POSIX_C_SOURCE=200809L -Isrc -I$(BUILD)/grammar -MMD -MP \
	-DPTXLIT_DATADIR='"$(datadir)/ptxlit"'
CFLAGS := $(CFLAGS_$(VARIANT)) $(WARNINGS)
LDLIBS := -ljansson -lcadical -lstdc++ -lm

LIB_SOURCES := $(filter-out $(wildcard src/cli/*.c),$(wildcard src/*.c src/*/*.c))
CLI_SOURCES := $(wildcard src/cli/*.c)
GRAMMARS := $(basename $(notdir $(wildcard grammar/*.y)))
GENERATED := $(foreach g,$(GRAMMARS),$(BUILD)/grammar/$(g)_parse.c $(BUILD)/grammar/$(g)_scan.c)
LIB_OBJECTS := $(LIB_SOURCES:%.c=$(BUILD)/%.o) $(GENERATED:.c=.o)
CLI_OBJECTS := $(CLI_SOURCES:%.c=$(BUILD)/%.o)
LIBRARY := $(BUILD)/libptxlit.a
TOOL := $(BUILD)/ptxlit

.PHONY: all
all: $(TOOL) ## build the tool

.SECONDARY:

$(TOOL): $(CLI_OBJECTS) $(LIBRARY)
	$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

$(LIBRARY): $(LIB_OBJECTS)
	@rm -f $@
	ar rcs $@ $^

$(BUILD)/%.o: %.c | $(GENERATED)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

# flex's output is not ours to keep free of conversions.
$(BUILD)/grammar/%_scan.o: $(BUILD)/grammar/%_scan.c
	$(CC) $(CPPFLAGS) $(CFLAGS) -Wno-conversion -Wno-sign-conversion -c -o $@ $<

$(BUILD)/grammar/%_parse.o: $(BUILD)/grammar/%_parse.c
	$(CC) $(CPPFLAGS) $(CFLAGS) -Wno-conversion -c -o $@ $<

$(BUILD)/grammar/%_parse.c: grammar/%.y
	@mkdir -p $(@D)
	$(BISON) -Wall -Werror -Wcounterexamples --header=$(@:.c=.h) -o $@ $<

$(BUILD)/grammar/%_scan.c: grammar/%.l $(BUILD)/grammar/%_parse.c
	@mkdir -p $(@D)
	$(FLEX) -o $@ $<

.PHONY: clean
clean: ## remove build/
	rm -rf build

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 16

-include $(LIB_OBJECTS:.o=.d) $(CLI_OBJECTS:.o=.d)
