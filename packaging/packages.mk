# Packages, and the slides of the lessons. From the root of the tree: make -f packaging/packages.mk deb

.PHONY: deb
deb: ## make Debian packages of tool, library and Python module in build/deb; packaging/deb --try tries them
	@.ci/setup deb
	@packaging/deb

.PHONY: npm
npm: ## make the npm package, the tool as WebAssembly for node, in build/npm
	@.ci/setup playground
	@$(MAKE) --no-print-directory -f web/wasm.mk wasm
	@packaging/npm/make build/npm build/wasm
	@echo "The package is build/npm: npm pack ./build/npm"

.PHONY: slides
slides: ## print the slides of the lessons, build/playground/slides.pdf (Chromium)
	@$(MAKE) --no-print-directory playground
	@chromium --headless=new --no-sandbox --disable-gpu --no-pdf-header-footer --user-data-dir=build/chromium \
		--print-to-pdf=build/playground/slides.pdf file://$(CURDIR)/build/playground/slides.html 2>/dev/null
	@echo "The slides are build/playground/slides.pdf"
