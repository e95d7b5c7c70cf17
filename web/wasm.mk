# The whole tool as WebAssembly: build/wasm/ptxlit.js and .wasm. `make playground` runs this; it needs emscripten, and
# fetches the sources of the three libraries from Debian's archive once (web/sources).

WASM := build/wasm
SOURCES := $(WASM)/sources
LIB := $(WASM)/lib
EMFLAGS := -O2 -DNDEBUG

# Calls clang directly, as emcc and em++ would, because these Python programs take as long as most compilations; they
# only link.
LLVM = $(shell em-config LLVM_ROOT)
COMPILE := $(LLVM)/clang $(shell emcc --cflags)
COMPILE_CXX := $(LLVM)/clang++ $(shell em++ --cflags -fexceptions)

# Where Debian keeps the modules that emscripten uses; a node from elsewhere does not look there.
export NODE_PATH := /usr/share/nodejs

# Each fifth source of CaDiCaL in one object: the headers take most of the time of a compilation. Its sources define
# two names twice, in files that are apart so.
CADICAL_SOURCES = $(filter-out %/cadical.cpp %/mobical.cpp,$(sort $(wildcard $(SOURCES)/cadical/src/*.cpp)))
JANSSON_SOURCES = $(wildcard $(SOURCES)/jansson/src/*.c)
OBJECTS = $(patsubst %,$(LIB)/cadical-%.o,0 1 2 3 4) $(JANSSON_SOURCES:$(SOURCES)/%.c=$(LIB)/%.o) \
	$(LIB)/libmd/src/sha2.o $(LIB)/libmd/src/sha256hl.o $(LIB)/absent.o

# Exceptions: what CaDiCaL throws when memory runs out. MAXIMUM_MEMORY is --memory's default on small machines.
LINK := -O1 -fexceptions -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=2GB -sTOTAL_STACK=4MB -sMODULARIZE=1 \
	-sEXPORT_NAME=ptxlit -sEXPORTED_RUNTIME_METHODS=FS,callMain,ENV -sINVOKE_RUN=0 -sFORCE_FILESYSTEM=1 \
	-sENVIRONMENT=web,worker,node -sERROR_ON_UNDEFINED_SYMBOLS=1 -sTEXTDECODER=1 -sWASM_BIGINT=0

# The results of jansson's configure.
JANSSON_CONFIG := -DHAVE_STDINT_H=1 -DHAVE_SYS_TIME_H=1 -DHAVE_SYS_TYPES_H=1 -DHAVE_GETTIMEOFDAY=1 \
	-DHAVE_ATOMIC_BUILTINS=1 -DINITIAL_HASHTABLE_ORDER=3

OUT := build/playground

.PHONY: playground
playground: wasm
	@rm -rf $(OUT)
	node web/bundle.js $(OUT) $(WASM)
	@echo "The playground is $(OUT)/index.html"

.PHONY: wasm
wasm: $(LIB)/libsolver.a
	@$(MAKE) --no-print-directory VARIANT=wasm CC='$(COMPILE)' CXX='$(COMPILE_CXX)' LINKER=emcc AR=emar \
		TOOL=$(WASM)/ptxlit.js TOOL_LIBS='$(LIB)/libsolver.a $(LINK)' $(WASM)/ptxlit.js

$(SOURCES)/done: web/sources
	web/sources $(SOURCES) cadical jansson libmd
	@touch $@

$(LIB)/libsolver.a: $(SOURCES)/done web/absent.c
	@$(MAKE) --no-print-directory -f web/wasm.mk libraries

.PHONY: libraries
libraries: $(OBJECTS)
	emar rcs $(LIB)/libsolver.a $(OBJECTS)

$(LIB)/absent.o: web/absent.c
	@mkdir -p $(@D)
	$(COMPILE) $(EMFLAGS) -c -o $@ $<

$(LIB)/cadical-%.o: $(SOURCES)/done
	@mkdir -p $(@D)
	@printf '#include "../../../%s"\n' $(CADICAL_SOURCES) | awk 'NR % 5 == $*' >$(@:.o=.cpp)
	$(COMPILE_CXX) -std=c++11 $(EMFLAGS) -fexceptions -DNBUILD -DQUIET -c -o $@ $(@:.o=.cpp)

$(LIB)/jansson/%.o: $(SOURCES)/jansson/%.c
	@mkdir -p $(@D)
	@: >$(LIB)/jansson/jansson_private_config.h
	$(COMPILE) $(EMFLAGS) -I$(SOURCES)/jansson/android -I$(LIB)/jansson $(JANSSON_CONFIG) -c -o $@ $<

$(LIB)/libmd/%.o: $(SOURCES)/libmd/%.c
	@mkdir -p $(@D)
	@: >$(LIB)/libmd/config.h
	$(COMPILE) $(EMFLAGS) -I$(SOURCES)/libmd/include -I$(LIB)/libmd -include unistd.h -c -o $@ $<
