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
CXX ?= c++
FLEX ?= flex
BISON ?= bison
# Fit for the shared library too; no other object takes the place of our own functions, so that they may be inlined.
# Lines for backtraces and profiles; variables, for a debugger, are in VARIANT=debug.
CFLAGS_release := -O2 -g1 -fPIC -fno-semantic-interposition
# gcc sees null formats where the sanitizers instrument va_list calls.
CFLAGS_asan := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer \
	-Wno-format-truncation
CFLAGS_debug := -O0 -g
# With clang, for libFuzzer. What ends the process without a report does so with one: tests/fuzz/fuzz.c.
# The check of function types needs the runtime of C++. Undefined behaviour traps, at the place that libFuzzer prints:
# its messages take as long to compile as all else.
CFLAGS_fuzz = $(FUZZ_CFLAGS) -gline-tables-only -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=function \
	-fsanitize-trap=undefined -fno-omit-frame-pointer -Wno-c2x-extensions
CPPFLAGS_fuzz := -D_Exit=fuzz_exit
# By emscripten, with what web/wasm.mk has built; flags of debugging would go into the module.
CFLAGS_wasm := -O2 -Wno-string-plus-int -Wno-shorten-64-to-32 -Wno-c2x-extensions
CPPFLAGS_wasm := $(patsubst %,-Ibuild/wasm/sources/%,cadical/src jansson/src jansson/android libmd/include)
CFLAGS_tsan := -O1 -g -fsanitize=thread
CFLAGS_cover := -O0 -g --coverage -include tests/cover-exit.h
WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wformat=2
# A switch over an enumeration without `default` is how code says that it needs a case for each.
WARNINGS += -Werror=switch
CPPFLAGS := -std=c11 -D_POSIX_C_SOURCE=200809L -Isrc -I$(BUILD)/grammar -I$(BUILD)/text \
	-MMD -MP $(CPPFLAGS_$(VARIANT))
CFLAGS := $(CFLAGS_$(VARIANT)) $(WARNINGS)
# Debian 12 has CaDiCaL 1.5.3 as a bare static library; a newer one may bring a pkg-config file.
CADICAL_LIBS = $(shell pkg-config --silence-errors --static --libs cadical 2>/dev/null || echo -lcadical)
LDLIBS = -ljansson $(CADICAL_LIBS) -lstdc++ -lm
# Of the tool: the compiler, but where web/wasm.mk says otherwise.
LINKER = $(CC)
# The tool alone needs digests (src/suite/run_head.c).
SUITE_LIBS = -lmd
# A shared libstdc++ takes a third of the time of a short run to load.
TOOL_LIBS = $(patsubst -lstdc++,$(or $(filter /%,$(shell $(CC) -print-file-name=libstdc++.a)),-lstdc++),$(LDLIBS)) \
	$(SUITE_LIBS) -static-libgcc

CLI_SOURCES := $(wildcard src/cli/*.c src/suite/*.c src/lsp/*.c)
LIB_SOURCES := $(filter-out $(CLI_SOURCES),$(wildcard src/*/*.c src/exec/async/*.c))
DIFF_SOURCES := $(wildcard tests/diff/*.c)
FUZZ_SOURCES := tests/fuzz/mutate.c
FUZZ_TARGETS := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
MUTATION_SOURCES := $(wildcard tests/mutation/*.c)
LAWS_SOURCES := $(wildcard tests/laws/*.c)
UNIT_SOURCES := $(wildcard tests/unit/*.c)
BENCH_SOURCES := $(wildcard bench/*.c)
GRAMMARS := $(basename $(notdir $(wildcard grammar/*.y)))
GENERATED := $(foreach g,$(GRAMMARS),$(BUILD)/grammar/$(g)_parse.c $(BUILD)/grammar/$(g)_scan.c)
# One file of C++, which catches what CaDiCaL throws: src/sat/guard.h.
LIB_OBJECTS := $(LIB_SOURCES:%.c=$(BUILD)/%.o) $(GENERATED:.c=.o) $(BUILD)/src/sat/guard.o
CLI_OBJECTS := $(CLI_SOURCES:%.c=$(BUILD)/%.o)
DIFF_OBJECTS := $(DIFF_SOURCES:%.c=$(BUILD)/%.o)
FUZZ_OBJECTS := $(FUZZ_SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/tests/diff/lab.o $(BUILD)/tests/diff/sketch.o
LAWS_OBJECTS := $(LAWS_SOURCES:%.c=$(BUILD)/%.o) $(filter-out %/differ.o,$(DIFF_OBJECTS))
CORPUS_SOURCES := $(wildcard tests/corpus/*.c)
CORPUS_OBJECTS := $(CORPUS_SOURCES:%.c=$(BUILD)/%.o) $(filter-out %/main.o,$(LAWS_OBJECTS))
LIBRARY := $(BUILD)/libptxlit.a
SHARED := $(BUILD)/libptxlit.so
TOOL := $(BUILD)/ptxlit
FAILING := $(BUILD)/tests/failing.so
SESSIONS := $(BUILD)/tests/sessions
CORPUS := $(BUILD)/tests/corpus-of-tests
TURNS := $(BUILD)/tests/turns-of-threads
RINGS := $(BUILD)/tests/random-rings
PATHS := $(BUILD)/tests/random-paths
GROUPED := $(BUILD)/tests/random-grouped
FORMS := $(BUILD)/tests/forms
DIFFER := $(BUILD)/tests/differ
COMMANDS := $(BUILD)/tests/commands
MUTATE := $(BUILD)/tests/mutate
MUTANTS := $(BUILD)/tests/mutants
SUITE_OBJECTS := $(filter $(BUILD)/src/suite/%,$(CLI_OBJECTS))
FUZZERS := $(FUZZ_TARGETS:%=$(BUILD)/tests/fuzz_%)
FUZZ_SHARED := $(addprefix $(BUILD)/,tests/fuzz/fuzz.o tests/fuzz/tests.o tests/diff/lab.o tests/diff/sketch.o)
LAWS := $(BUILD)/tests/laws-of-models
UNITS := $(UNIT_SOURCES:tests/unit/%.c=$(BUILD)/tests/%)
BENCHES := $(BENCH_SOURCES:bench/%.c=$(BUILD)/bench/%)

.PHONY: all
all: $(TOOL) ## build the tool

.SECONDARY:
.DELETE_ON_ERROR:

$(TOOL): $(CLI_OBJECTS) $(LIBRARY)
	$(LINKER) $(CFLAGS) -o $@ $(CLI_OBJECTS) $(LIBRARY) $(TOOL_LIBS)

$(LIBRARY): $(LIB_OBJECTS) $(BUILD)/objects
	@rm -f $@
	$(AR) rcs $@ $(LIB_OBJECTS)

# The number in the soname: raise it when a program that was linked before would no longer work (docs/CONTRIBUTING.md).
SOVERSION := 0
$(SHARED): $(LIB_OBJECTS) $(BUILD)/objects src/exports.map
	$(CC) $(CFLAGS) -shared -Wl,-soname,libptxlit.so.$(SOVERSION) -Wl,--version-script=src/exports.map -o $@ \
		$(LIB_OBJECTS) $(LDLIBS)

.PHONY: shared
shared: $(SHARED) ## build libptxlit.so, for python/ptxlit and other languages

# Only this needs the headers of CUDA and CUPTI; it links to neither.
CUDA_HOME ?= $(firstword $(CUDA_PATH) /usr/local/cuda)
RECORDER := $(BUILD)/libptxlit-record.so
RECORDER_FLAGS := -std=gnu11 -O2 -fPIC -fvisibility=hidden -Wall -Wextra -isystem $(CUDA_HOME)/include

.PHONY: record
record: $(RECORDER) ## build the library for ptxlit record (needs the headers of CUDA, in CUDA_HOME)

$(RECORDER): record/record.c
	@mkdir -p $(@D)
	@test -e $(CUDA_HOME)/include/cupti.h || \
		{ echo "make record needs $(CUDA_HOME)/include/cupti.h: set CUDA_HOME" >&2; exit 1; }
	$(CC) $(RECORDER_FLAGS) -shared -o $@ $< -ldl -lpthread

$(BUILD)/%.o: %.c $(BUILD)/flags | $(GENERATED)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

$(BUILD)/src/sat/guard.o: src/sat/guard.cc $(BUILD)/flags
	@mkdir -p $(@D)
	$(CXX) -std=c++11 -Isrc -MMD -MP $(CFLAGS_$(VARIANT)) -Wall -Wextra -c -o $@ $<

# There, every such switch needs one: `default` is no way around a case that was forgotten.
$(BUILD)/src/%.o: private CFLAGS += -Werror=switch-enum

# What CaDiCaL throws goes through this one.
$(BUILD)/src/sat/cadical.o: private CFLAGS += -fexceptions

# The only file that knows where things get installed; another prefix rebuilds it alone.
$(BUILD)/src/api/models.o: private CPPFLAGS += -DPTXLIT_DATADIR='"$(datadir)/ptxlit"'
$(BUILD)/src/api/models.o: $(BUILD)/datadir

# flex's output is not ours to keep free of conversions, nor of a function for fatal errors that is never called.
$(BUILD)/grammar/%_scan.o: $(BUILD)/grammar/%_scan.c $(BUILD)/flags
	$(CC) $(CPPFLAGS) $(CFLAGS) -Wno-conversion -Wno-sign-conversion -Wno-unused-function -c -o $@ $<

$(BUILD)/grammar/%_parse.o: $(BUILD)/grammar/%_parse.c $(BUILD)/flags
	$(CC) $(CPPFLAGS) $(CFLAGS) -Wno-conversion -c -o $@ $<

# The files that a program for a GPU has besides its tests, as literals of C.
HARNESS := $(sort $(wildcard src/chip/harness/*))
$(BUILD)/src/chip/files.o: $(BUILD)/text/chip/harness.h
$(BUILD)/text/chip/harness.h: $(HARNESS)
	@mkdir -p $(@D)
	@for file in $(HARNESS); do \
		echo "static const char $$(basename $$file | tr . _)[] ="; \
		sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/.*/"&\\n"/' $$file; \
		echo ';'; \
	done >$@

# One run makes both files: a pattern rule with two targets says so.
BISONFLAGS := --locations -Dapi.pure=full '-Dapi.location.type={struct span}' '-Dapi.token.prefix={TOKEN_}' \
	-Dparse.lac=full -Dparse.error=custom
$(BUILD)/grammar/%_parse.c $(BUILD)/grammar/%_parse.h: grammar/%.y $(wildcard grammar/*.rules) grammar/expand.awk
	@mkdir -p $(@D)
	@awk -v dir=$(<D)/ -f grammar/expand.awk $< >$(BUILD)/grammar/$*.y
	$(BISON) -Wall -Werror -Wcounterexamples $(BISONFLAGS) -Dapi.prefix={$*_parse_} \
		--header=$(BUILD)/grammar/$*_parse.h -o $(BUILD)/grammar/$*_parse.c $(BUILD)/grammar/$*.y

$(BUILD)/grammar/%_scan.c: grammar/%.l $(BUILD)/grammar/%_parse.h
	@mkdir -p $(@D)
	$(FLEX) --reentrant --bison-bridge --bison-locations --batch --8bit --nodefault --prefix=$*_parse_ -o $@ $<

# Texts that change only when what they record changes, so that other flags or a removed source lead to a new build.
$(BUILD)/flags: export RECORD = $(CC) $(CPPFLAGS) $(CFLAGS)
$(BUILD)/objects: export RECORD = $(LIB_OBJECTS)
$(BUILD)/datadir: export RECORD = $(datadir)
$(BUILD)/flags $(BUILD)/objects $(BUILD)/datadir: FORCE
	@mkdir -p $(@D)
	@echo "$$RECORD" | cmp -s - $@ || echo "$$RECORD" >$@

.PHONY: FORCE
FORCE:

# --- tests

# The directory is tests/unit in the tree and tests in the build: $(BUILD)/tests/test_base.
$(BUILD)/tests/test_%: $(BUILD)/tests/unit/test_%.o $(LIBRARY)
	$(CC) $(CFLAGS) -o $@ $(filter %.o,$^) $(LIBRARY) -lcmocka $(LDLIBS)
$(BUILD)/tests/test_draw: $(BUILD)/tests/corpus/audit.o

$(DIFFER): $(DIFF_OBJECTS) $(LIBRARY)
	$(CC) $(CFLAGS) -o $@ $(DIFF_OBJECTS) $(LIBRARY) $(LDLIBS)

$(MUTATE): $(FUZZ_OBJECTS) $(LIBRARY)
	$(CC) $(CFLAGS) -o $@ $(FUZZ_OBJECTS) $(LIBRARY) $(LDLIBS)

# Those whose input is a test have edits of their own.
$(addprefix $(BUILD)/tests/fuzz_,litmus check verbs): $(addprefix $(BUILD)/tests/,fuzz/mutator.o diff/table.o)

# The tool's code that reads reports and expectations is fuzzed too.
$(BUILD)/tests/fuzz_%: $(BUILD)/tests/fuzz/fuzz_%.o $(FUZZ_SHARED) $(SUITE_OBJECTS) $(LIBRARY)
	$(CC) $(CFLAGS) -fsanitize=fuzzer -o $@ $(filter %.o,$^) $(LIBRARY) $(LDLIBS) $(SUITE_LIBS)

$(MUTANTS): $(MUTATION_SOURCES:%.c=$(BUILD)/%.o) $(LIBRARY)
	$(CC) $(CFLAGS) -o $@ $(MUTATION_SOURCES:%.c=$(BUILD)/%.o) $(LIBRARY) $(LDLIBS)

# Loaded in front of the C library, to make allocations fail.
$(FAILING): tests/robust/failing.c
	@mkdir -p $(@D)
	$(CC) -std=c11 -O1 -g $(WARNINGS) -fPIC -shared -o $@ $< -ldl

$(SESSIONS): $(BUILD)/tests/robust/sessions.o $(LIBRARY)
	$(CC) $(CFLAGS) -o $@ $< $(LIBRARY) $(LDLIBS) -lpthread

$(CORPUS): $(CORPUS_OBJECTS) $(LIBRARY)
	$(CC) $(CFLAGS) -o $@ $(CORPUS_OBJECTS) $(LIBRARY) $(LDLIBS)

$(TURNS): $(BUILD)/tests/turns/turns.o $(BUILD)/tests/turns/explore.o $(LIBRARY)
	$(CC) $(CFLAGS) -o $@ $(filter %.o,$^) $(LIBRARY) $(LDLIBS)

$(RINGS): $(BUILD)/tests/rings/rings.o
$(PATHS): $(BUILD)/tests/paths/paths.o
$(GROUPED): $(BUILD)/tests/paths/grouped.o
$(RINGS) $(PATHS) $(GROUPED):
	$(CC) $(CFLAGS) -o $@ $<

$(COMMANDS): $(BUILD)/tests/fuzz/commands.o $(BUILD)/src/cli/options.o $(LIBRARY)
	$(CC) $(CFLAGS) -o $@ $(filter %.o,$^) $(LIBRARY) $(LDLIBS)

$(FORMS): $(BUILD)/tests/assembler/forms.o $(LIBRARY)
	$(CC) $(CFLAGS) -o $@ $< $(LIBRARY) $(LDLIBS)

$(LAWS): $(LAWS_OBJECTS) $(LIBRARY)
	$(CC) $(CFLAGS) -o $@ $(LAWS_OBJECTS) $(LIBRARY) $(LDLIBS)

$(BUILD)/bench/%: $(BUILD)/bench/%.o
	$(CC) $(CFLAGS) -o $@ $<

# Only that build makes code which a shared library can have.
OF_RELEASE := $(if $(filter release,$(VARIANT)),$(SHARED))

.PHONY: programs
programs: $(TOOL) $(DIFFER) $(LAWS) $(MUTATE) $(UNITS) $(FAILING) $(SESSIONS) $(CORPUS) ## build everything but fuzzers
programs: $(MUTANTS) $(TURNS) $(RINGS) $(PATHS) $(GROUPED) $(FORMS) $(COMMANDS) $(BENCHES) $(OF_RELEASE)

.PHONY: setup
setup: ## install what is missing to build and test (Debian; as root)
	@.ci/setup tests

# Under -j the jobs are shared; otherwise use every processor.
PARALLEL = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 2))
TEST_ENV = BUILD=$(BUILD) VARIANT=$(VARIANT) FUZZ_BUILD=$(FUZZ_BUILD)
FUZZ_ENV = $(TEST_ENV) FUZZ_SECONDS=$(FUZZ_SECONDS) FUZZ_JOBS=$(FUZZ_JOBS)

.PHONY: check
check: setup ## install what is missing, build, run the tests
	@+.ci/build 'tool and tests' $(BUILD)/build.log $(MAKE) --no-print-directory $(PARALLEL) programs
	@$(TEST_ENV) tests/check

.PHONY: check-all
check-all: ## make check, and then browsers, packages, bindings, fuzzing and more random tests: every test
	@rm -f $(BUILD)/check/suites
	@+$(MAKE) --no-print-directory check || test -f $(BUILD)/check/suites
	@+! tests/fuzz/run --able || .ci/build 'fuzz targets' $(BUILD)/build-fuzz.log \
		$(MAKE) --no-print-directory $(PARALLEL) fuzzers FUZZ_CFLAGS='$(FUZZ_SMOKE)'
	@$(TEST_ENV) tests/check --rest

.PHONY: asan
asan: ## run every test under the address and undefined-behaviour sanitizers
	@$(MAKE) --no-print-directory check-all VARIANT=asan

.PHONY: promote
promote: programs ## rewrite the expected outputs of tests/golden and show what changed
	@$(TEST_ENV) tests/golden/run --promote

.PHONY: conformance
conformance: $(TOOL) ## compare with the verdicts that others published (../shared/conformance)
	@$(TEST_ENV) tests/conformance/run

# How long, and where to begin: another seed each time unless one is given.
FUZZ_SECONDS ?= 60
FUZZ_SEED ?= $(shell date +%s)

# The fuzz targets: in a build of their own, by clang.
FUZZ_BUILD ?= build/fuzz
FUZZ_CC ?= clang
FUZZ_CFLAGS ?= -O1
# For the few hundred edits of check-all: compiled in a quarter of the time; the sanitizers see what is optimised away
# otherwise, and what comparisons tell libFuzzer takes more edits to be of use.
FUZZ_SMOKE := -O0 -fno-sanitize-coverage=trace-cmp
FUZZ_JOBS ?= $(shell nproc 2>/dev/null || echo 2)

.PHONY: fuzzers
fuzzers: ## build the fuzz targets (clang with libFuzzer)
	@$(MAKE) --no-print-directory VARIANT=fuzz CC=$(FUZZ_CC) CXX=$(FUZZ_CC)++ BUILD=$(FUZZ_BUILD) fuzz-programs

.PHONY: fuzz-programs
fuzz-programs: $(FUZZERS)

.PHONY: fuzz
fuzz: fuzzers $(TOOL) $(DIFFER) ## run every fuzz target for FUZZ_SECONDS, FUZZ_JOBS at a time: tests/README.md
	@$(FUZZ_ENV) tests/fuzz/run

.PHONY: $(FUZZ_TARGETS:%=fuzz-%)
$(FUZZ_TARGETS:%=fuzz-%): fuzz-%: fuzzers $(TOOL) $(DIFFER)
	@$(FUZZ_ENV) tests/fuzz/run $*

.PHONY: fuzz-semantics
fuzz-semantics: $(DIFFER) ## compare the two engines on random tests for FUZZ_SECONDS, FUZZ_JOBS at a time
	@$(FUZZ_ENV) FUZZ_SEED=$(FUZZ_SEED) tests/diff/run

.PHONY: certify
certify: $(TOOL) ## have proofs checked and a second SAT solver agree on every verdict of the shipped tests
	@$(TEST_ENV) tests/certify

.PHONY: mutation
mutation: $(TOOL) $(MUTANTS) ## break every model in every place and see which shipped test notices: docs/mutation.md
	@$(TEST_ENV) tests/mutation/run

.PHONY: robust
robust: $(TOOL) $(FAILING) ## the robustness tests that make check has no time for
	@$(TEST_ENV) tests/robust/run --slow

# The solver itself is not instrumented: what it shares between two of its instances would not show.
.PHONY: tsan
tsan: ## use sessions in several threads at a time under the thread sanitizer
	@$(MAKE) --no-print-directory $(PARALLEL) VARIANT=tsan build/tsan/tests/sessions
	@PTXLIT_MODELS=models build/tsan/tests/sessions

.PHONY: nightly
nightly: programs ## check proofs, mutants, laws and the two engines at length: NIGHTLY_SECONDS, NIGHTLY_SEED
	@$(TEST_ENV) tests/nightly

.PHONY: cover
cover: ## build for gcov, run the tests, and show which share of src/ they run; at least 90% (needs gcovr)
	@$(MAKE) --no-print-directory $(PARALLEL) programs VARIANT=cover
	@tests/cover

.PHONY: bench
bench: $(TOOL) $(BENCHES) ## measure speed and memory
	@$(TEST_ENV) bench/run

.PHONY: bench-peers
bench-peers: $(TOOL) $(BENCHES) ## herd7 and Dartagnan (DARTAGNAN) beside, where they are installed
	@$(TEST_ENV) bench/compare

.PHONY: bench-record
bench-record: $(TOOL) $(BENCHES) ## measure on a quiet machine, and write the tables of bench/README.md
	@$(TEST_ENV) bench/record

# --- installation

VERSION = $(shell sed -n 's/^\#define PTXLIT_VERSION "\(.*\)"/\1/p' src/ptxlit.h)
CMAKE_FILES = $(DESTDIR)$(libdir)/cmake/ptxlit
INSTALLED = $(DESTDIR)$(bindir) $(DESTDIR)$(libdir)/pkgconfig $(CMAKE_FILES) $(DESTDIR)$(includedir) \
	$(DESTDIR)$(mandir)/man1 \
	$(DESTDIR)$(datadir)/ptxlit/models/maps \
	$(DESTDIR)$(datadir)/ptxlit/hardware $(DESTDIR)$(datadir)/bash-completion/completions \
	$(DESTDIR)$(datadir)/zsh/site-functions $(DESTDIR)$(datadir)/fish/vendor_completions.d

# The manual page comes from the option table, through the tool.
$(BUILD)/ptxlit.1: $(TOOL)
	$(TOOL) --help=man >$@

.PHONY: man
man: $(BUILD)/ptxlit.1 ## make the manual page, and show it on a terminal
	@[ ! -t 1 ] && echo "man $<" || man $<

.PHONY: editors
editors: ## make the modes for Vim, Emacs and VS Code in build/editors
	@editors/make build/editors '$(CC)'

DOCS = $(DESTDIR)$(datadir)/doc/ptxlit

.PHONY: install
install: $(TOOL) $(SHARED) $(BUILD)/ptxlit.1 ## install under $(DESTDIR)$(prefix)
	install -d $(INSTALLED)
	install $(TOOL) $(DESTDIR)$(bindir)/ptxlit
	install -m 644 $(LIBRARY) $(DESTDIR)$(libdir)/libptxlit.a
	install -m 644 $(SHARED) $(DESTDIR)$(libdir)/libptxlit.so.$(VERSION)
	ln -sf libptxlit.so.$(VERSION) $(DESTDIR)$(libdir)/libptxlit.so.$(SOVERSION)
	ln -sf libptxlit.so.$(SOVERSION) $(DESTDIR)$(libdir)/libptxlit.so
	install -m 644 src/ptxlit.h $(DESTDIR)$(includedir)/ptxlit.h
	install -m 644 $(BUILD)/ptxlit.1 $(DESTDIR)$(mandir)/man1/ptxlit.1
	install -m 644 models/*.cat $(DESTDIR)$(datadir)/ptxlit/models
	install -m 644 models/maps/*.map $(DESTDIR)$(datadir)/ptxlit/models/maps
	install -m 644 tests/hardware/h200-shipped.jsonl $(DESTDIR)$(datadir)/ptxlit/hardware
	cd litmus && find . -name '*.litmus' -exec install -D -m 644 {} $(abspath $(DESTDIR)$(datadir))/ptxlit/litmus/{} \;
	find README.md docs -type f -exec install -D -m 644 {} $(DOCS)/{} \;
	ln -sfn ../../ptxlit/litmus $(DOCS)/litmus
	ln -sfn ../../ptxlit/models $(DOCS)/models
	editors/make $(DESTDIR)$(datadir)/ptxlit/editors '$(CC)'
	sed -e 's|@prefix@|$(prefix)|' -e 's|@libdir@|$(libdir)|' -e 's|@includedir@|$(includedir)|' \
		-e 's|@version@|$(VERSION)|' -e 's|@libs@|$(filter-out -ljansson,$(LDLIBS))|' ptxlit.pc.in \
		>$(DESTDIR)$(libdir)/pkgconfig/ptxlit.pc
	sed 's|@up@|$(shell realpath -m --relative-to=$(libdir)/cmake/ptxlit $(prefix))|' \
		packaging/cmake/ptxlit-config.cmake >$(CMAKE_FILES)/ptxlit-config.cmake
	sed 's|@version@|$(VERSION)|' packaging/cmake/ptxlit-config-version.cmake >$(CMAKE_FILES)/ptxlit-config-version.cmake
	$(TOOL) --help=bash >$(DESTDIR)$(datadir)/bash-completion/completions/ptxlit
	$(TOOL) --help=zsh >$(DESTDIR)$(datadir)/zsh/site-functions/_ptxlit
	$(TOOL) --help=fish >$(DESTDIR)$(datadir)/fish/vendor_completions.d/ptxlit.fish

# Where the linker finds the library of a flag -lNAME.
archive = $(shell $(CC) -print-file-name=lib$(1).a)

.PHONY: amalgam
amalgam: $(LIBRARY) ## put header, library with all it needs, models and an example program into build/amalgam
	@rm -rf build/amalgam && mkdir -p build/amalgam
	@cp -r src/ptxlit.h docs/examples/verdicts.c models build/amalgam
	@printf '%s\n' 'create build/amalgam/libptxlit.a' 'addlib $(LIBRARY)' 'addlib $(call archive,cadical)' \
		'addlib $(call archive,jansson)' save end | $(AR) -M
	@echo "build/amalgam is complete; the head of verdicts.c says how to compile it"

WHEEL = build/wheel/tree

.PHONY: wheel
wheel: $(LIBRARY) $(CLI_OBJECTS) ## make a Python wheel with library, tool and models inside, in build/wheel
	@rm -rf build/wheel && mkdir -p $(WHEEL)/ptxlit/bin
	@cp -r python/ptxlit python/pytest_ptxlit.py $(WHEEL) && cp -r models $(WHEEL)/ptxlit
	@$(CC) $(CFLAGS) -s -shared -Wl,-rpath,'$$ORIGIN' -Wl,--version-script=src/exports.map \
		-o $(WHEEL)/ptxlit/libptxlit.so $(LIB_OBJECTS) $(LDLIBS)
	@$(LINKER) $(CFLAGS) -s -Wl,-rpath,'$$ORIGIN/..' -o $(WHEEL)/ptxlit/bin/ptxlit $(CLI_OBJECTS) $(LIBRARY) $(TOOL_LIBS)
	@packaging/wheel $(WHEEL) build/wheel

.PHONY: playground
playground: ## build the playground, a static site for any browser, in build/playground
	@.ci/setup playground
	@$(MAKE) --no-print-directory $(PARALLEL) -f web/wasm.mk playground

.PHONY: demo
demo: ## install what is missing, build, and show one test under two models
	@.ci/setup
	@+.ci/build ptxlit $(BUILD)/build.log $(MAKE) --no-print-directory $(PARALLEL) $(TOOL)
	@PATH="$(abspath $(BUILD)):$$PATH" docs/demo

.PHONY: clean
clean: ## remove build/
	rm -rf build

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 16

-include $(patsubst %.o,%.d,$(LIB_OBJECTS) $(CLI_OBJECTS) $(DIFF_OBJECTS) $(FUZZ_OBJECTS) $(FUZZ_SHARED))
-include $(FUZZ_TARGETS:%=$(BUILD)/tests/fuzz/fuzz_%.d) $(BUILD)/tests/fuzz/mutator.d $(BUILD)/tests/fuzz/commands.d
-include $(MUTATION_SOURCES:%.c=$(BUILD)/%.d) $(LAWS_SOURCES:%.c=$(BUILD)/%.d)
-include $(BUILD)/tests/robust/sessions.d $(BUILD)/tests/assembler/forms.d
-include $(BUILD)/tests/turns/turns.d $(BUILD)/tests/turns/explore.d $(BUILD)/tests/rings/rings.d
-include $(BUILD)/tests/paths/paths.d $(BUILD)/tests/paths/grouped.d
-include $(UNIT_SOURCES:%.c=$(BUILD)/%.d) $(CORPUS_SOURCES:%.c=$(BUILD)/%.d) $(BENCH_SOURCES:%.c=$(BUILD)/%.d)
