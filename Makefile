# SPDX-License-Identifier: Apache-2.0
#
# Every command of this project. Each installs what it needs first (scripts/setup), on Debian 13 Swift, too.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory --no-builtin-rules

# For a toolchain that was unpacked to /opt/swift and never put into PATH.
export PATH := $(PATH):/opt/swift/usr/bin
# Tests and documents show what other programs print in English.
export LC_ALL := C.UTF-8

# SwiftPM compares with recursive dependencies: scripts/check/arrows, in make lint, finds the rest.
# BUILD_FLAGS and PROGRAMS are for debian/rules.
BUILD := swift build --explicit-target-dependency-import-check error $(BUILD_FLAGS)
# Runs the tests that were built before, and reports the failed ones and the number of passed ones; with V=1 every test.
# Four at a time (Swift 6.3): otherwise a test that awaits resumes behind all that have not begun, after minutes on a busy machine.
WIDTH := --experimental-maximum-parallelization-width
TEST = swift test --skip-build --disable-xctest $(if $(V),,--quiet) $(if $(findstring $(WIDTH),$(shell swift test --help-hidden)),$(WIDTH) 4)
# The directory of the clone may have a space in its name, and $(dir) would split it.
BUILT := .build/debug
DEBUG := $(CURDIR)/$(BUILT)/brightnessd
RELEASE := $(CURDIR)/.build/release/brightnessd
# With Swift's runtime inside, and every address bound at the start, before anybody can write there; without the hashes
# of each module's compilation and the names of cached modules, which depend on the directory. The rest is for size:
# functions that nobody calls are left out, equal ones are one, relocations are packed (glibc 2.36), and nothing is
# exported, since no library looks for anything there.
STATIC := -c release --static-swift-stdlib -Xlinker -z -Xlinker now \
	-Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs \
	-Xswiftc -use-ld=lld -Xswiftc -Xfrontend -Xswiftc -function-sections \
	-Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic -Xlinker --icf=all
TSAN := --sanitize=thread --scratch-path .build/tsan
ASAN := --sanitize=address --scratch-path .build/asan
# Not leaks: a process ends while tasks of Swift still wait for something, and tests do not tidy up. Valgrind looks for what
# is lost with a connection (make hardening).
ASAN_OPTIONS := detect_leaks=0
TSAN_MUTEX := $(CURDIR)/.build/tsan/libmutex.so
SIMULATE := -c release -Xswiftc -enable-testing --scratch-path .build/simulate
PYTHON := .venv/bin/python
# Four workers for each processor, at most twelve, since tests wait most of the time; one that has nothing left takes tests from another.
SIDE_BY_SIDE = --numprocesses $(shell count=$$(nproc); echo $$((count < 3 ? 4 * count : 12))) --dist worksteal
SWIFT_FILES := Package.swift Sources Tests $(addprefix Benchmarks/,Package.swift Sources Tests \
	HummingbirdPeer/Package.swift HummingbirdPeer/Sources)
ASSETS := Sources/WebAssets/Files
# Where Package.swift searches for them.
BUNDLE := .build/bundle
# A page in TypeScript, which sees brightness.d.ts only.
PAGE_TYPES := --noEmit --strict --target es2022 --module es2022 --moduleResolution node --lib es2022,dom,dom.iterable
# The pages' JavaScript has its types in JSDoc; nothing is compiled.
TYPES := $(PAGE_TYPES) --allowJs --checkJs --noImplicitAny false
PYTHON_FILES = $(shell git ls-files 'Tests/*.py'; grep -rl '^\#!.*python3' scripts)
SHELL_FILES = .ci/run $(wildcard Examples/*.sh debian/*.postinst debian/*.postrm debian/tests/main-job) $(shell grep -rlE '^\#!.*(bash|/sh)$$' scripts)

# The arguments from the command line that have a default, as in: make check SINCE=HEAD~3
SINCE ?= HEAD
IMAGE ?= brightnessd
PROGRAMS ?= brightnessd brightness-ddc brightness
# The Debian suite and architecture of this machine, and those to make or try packages for. Packages for another architecture are built
# with Debian 13's own Swift.
HERE := $(shell . /etc/os-release && echo $${VERSION_CODENAME-})
MACHINE := $(shell dpkg --print-architecture 2>/dev/null)
ARCH ?= $(MACHINE)
SUITE ?= $(if $(filter $(MACHINE),$(ARCH)),$(HERE),trixie)
# The programs that setup installs for them.
EMULATE := $(if $(filter $(MACHINE),$(ARCH)),,emulate)
# Keeps when the slow command ran last, and whether it passed, in scripts/runs.tsv. Not of a part, as by ARGS="-k name".
SYSTEM = $(if $(filter $(SUITE)/$(ARCH),$(HERE)/$(MACHINE)),, SUITE=$(SUITE) ARCH=$(ARCH))
KEPT = $(if $(QUICK)$(filter-out --%,$(ARGS)),,scripts/timed --keep '$@$(SYSTEM)')
# The suites that have a Swift of their own.
SUITE_SWIFT := $(if $(filter trixie,$(SUITE)),yes,no)

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: build ## build, then serve on http://127.0.0.1:8787 until Ctrl-C; ARGS="serve --help" lists the options
	@printf '\nBuilt. Open the address in the line "serving at" for the dashboard.\n\n' >&2
	@exec "$(RELEASE)" $(ARGS)

.PHONY: build
build: ## the daemon, its helper and the client, optimized, with Swift's runtime inside: .build/release/brightnessd
	@scripts/setup run
	@$(MAKE) $(BUNDLE)
	set -x; for program in $(PROGRAMS); do $(BUILD) $(STATIC) --product $$program; done

# A page in one request a kind. Names stay as they are, so a browser's tools can show the bundle without a source map.
$(BUNDLE): $(wildcard $(addprefix $(ASSETS)/,*.js */*.js *.css))
	esbuild --bundle --format=esm --target=es2022 --minify-whitespace --minify-syntax --log-level=warning \
		--outbase=$(ASSETS) --outdir=$@ $(addprefix $(ASSETS)/,brightness.js dashboard/dashboard.js dashboard.css)
	touch $@

.PHONY: test
test: ## unit tests, then end-to-end tests of the optimized programs by sockets, curl and a browser; V=1 names every test
	@scripts/setup test
	@if SETUP_PACKAGES=no scripts/setup develop 2>/dev/null; then $(MAKE) unit-test; \
	else echo 'make test: leaving out the unit tests, the simulation and the tests of the benchmarks, which need Swift 6.2'; fi
	scripts/timed 'release build' $(MAKE) build PROGRAMS='$(PROGRAMS) WebSocketEcho'
	BRIGHTNESSD_BINARY="$(RELEASE)" scripts/timed 'end-to-end tests' \
		$(PYTHON) -m pytest $(SIDE_BY_SIDE) --durations=10 Tests/EndToEnd $(ARGS)
	@scripts/timed --print

.PHONY: check
check: ## what to run while working: format, words, unit tests, 500 stories, and the end-to-end folders that differ from SINCE=HEAD
	@scripts/setup develop test
	swift format lint --strict --parallel --recursive --configuration .swift-format $(SWIFT_FILES)
	$(PYTHON) scripts/check/arrows
	$(PYTHON) scripts/check/text
	$(PYTHON) scripts/weigh
	scripts/timed 'build' $(BUILD) --build-tests
	scripts/timed 'unit tests' $(TEST) --skip '^SimulationTests\.'
	SIMULATION_FIRST=0 SIMULATION_SEEDS=500 scripts/timed 'stories' $(TEST) --filter '^SimulationTests\.'
	folders=$$(git diff --name-only $(SINCE) -- Tests/EndToEnd | awk -F / 'NF > 3 && $$3 != "support" && $$3 != "hardening" { print $$1 "/" $$2 "/" $$3 }' | sort -u); \
		[[ -z $$folders ]] || BRIGHTNESSD_BINARY="$(DEBUG)" scripts/timed 'end-to-end tests' $(PYTHON) -m pytest $(SIDE_BY_SIDE) $$folders
	@scripts/timed --print

.PHONY: unit-test
ifeq ($(ARCH),$(MACHINE))
unit-test: ## the unit tests, the simulation's stories and the tests of the benchmarks; ARCH=arm64 by emulation (needs root)
	@scripts/setup develop
	scripts/timed 'build' $(BUILD) --build-tests
	scripts/timed 'unit tests' $(TEST) --skip '^SimulationTests\.'
	scripts/timed 'stories' $(TEST) --filter '^SimulationTests\.'
	scripts/timed 'build of the benchmarks' swift build --package-path Benchmarks --build-tests
	scripts/timed 'tests of the benchmarks' $(TEST) --package-path Benchmarks
else
unit-test:
	@scripts/setup try $(EMULATE)
	scripts/try/emulate $(ARCH)
	SUITE_SWIFT=yes scripts/try/in-suite sid scripts/try/cross-test $(ARCH) $(ARGS)
endif

.PHONY: lint
lint: ## format, imports between targets, linkage, openapi.yaml, types of the JavaScript, shell scripts, documents and their words
	@scripts/setup lint
	swift format lint --strict --parallel --recursive --configuration .swift-format $(SWIFT_FILES)
	shellcheck --external-sources $(SHELL_FILES)
	$(PYTHON) scripts/check/arrows
	$(PYTHON) -m openapi_spec_validator openapi.yaml
	$(PYTHON) scripts/check/openapi
	$(PYTHON) scripts/document/openapi --check
	scripts/document/types --check
	tsc $(PAGE_TYPES) Tests/Types/page.ts
	tsc $(TYPES) $(ASSETS)/brightness.js $(ASSETS)/dashboard/dashboard.js $(ASSETS)/dashboard/early.js $(ASSETS)/docs.js
	$(BUILD) --build-tests
	scripts/check/linkage $(BUILT)/brightnessd $(BUILT)/brightness-ddc $(BUILT)/brightness
	$(BUILT)/brightness completions bash | shellcheck packaging/completions/brightness.bash -
	scripts/document/options --check $(BUILT)/
	scripts/document/manual --check
	scripts/document/problems --check $(BUILT)/ProblemReference
	$(PYTHON) scripts/check/reference "$(DEBUG)"
	scripts/check/documents
	$(PYTHON) scripts/check/text
	PYTHONPYCACHEPREFIX=.build/pycache $(PYTHON) -m py_compile $(PYTHON_FILES)
	$(PYTHON) scripts/weigh
	scripts/timed --check

.PHONY: document
document: ## write openapi.json, brightness.d.ts, and the reference and manual pages from the programs' own options and problems
	@scripts/setup lint
	$(BUILD) --product brightnessd
	$(BUILD) --product brightness
	$(BUILD) --product ProblemReference
	$(PYTHON) scripts/document/openapi
	scripts/document/types
	scripts/document/options $(BUILT)/
	scripts/document/problems $(BUILT)/ProblemReference
	scripts/document/manual

.PHONY: format
format: ## format the Swift files in place
	@scripts/setup develop
	swift format --in-place --parallel --recursive --configuration .swift-format $(SWIFT_FILES)

.PHONY: golden
golden: ## write Tests/EndToEnd/golden/surfaces: what leaves the daemon on a scripted day, which make test compares
	@scripts/setup test
	$(BUILD) --product brightnessd
	GOLDEN=write BRIGHTNESSD_BINARY="$(DEBUG)" $(PYTHON) -B -m pytest -q Tests/EndToEnd/golden

.PHONY: soak
soak: ## COUNT=200000 clients that connect, read one event and leave; no memory or descriptor may remain
	@scripts/setup test
	$(BUILD) --product brightnessd
	BRIGHTNESSD_BINARY="$(DEBUG)" BRIGHTNESSD_SOAK=$(or $(COUNT),200000) $(PYTHON) -B -m pytest Tests/EndToEnd/lifecycle/test_soak.py $(ARGS)

.PHONY: hardening
hardening: ## slow tests: generated requests, slow clients, kills, valgrind, DNS rebinding, SOAK_MINUTES=30 of churn; about an hour
	@scripts/setup hardening
	$(BUILD) --product brightnessd
	$(MAKE) build PROGRAMS=brightnessd
	BRIGHTNESSD_BINARY="$(DEBUG)" BRIGHTNESSD_RELEASE="$(RELEASE)" $(KEPT) $(PYTHON) -B -m pytest -s Tests/EndToEnd/hardening $(ARGS)

.PHONY: kernel-test
kernel-test: build ## tests on Debian's kernel in QEMU: backlights, hotkeys, a light sensor, a television, keys, a wrong clock, suspend, power cuts
	@scripts/setup kernel
	BRIGHTNESSD_BINARY="$(RELEASE)" $(KEPT) $(PYTHON) -B -m pytest Tests/Kernel $(ARGS)

.PHONY: fleet
fleet: build ## COUNT=200 daemons and DISPLAYS=10000 simulated ones at a broker: a boost of all, a gateway, a broker that dies
	@scripts/setup test
	swift build --package-path Benchmarks -c release --product mqtt-minimal
	BRIGHTNESSD_PEER=Benchmarks/.build/release/mqtt-minimal BRIGHTNESSD_BINARY="$(RELEASE)" BRIGHTNESSD_FLEET=$(or $(COUNT),200) BRIGHTNESSD_BUILDING=$(or $(DISPLAYS),10000) \
		BRIGHTNESSD_FLAPS=50 BRIGHTNESSD_AWAY=30 \
		$(PYTHON) -B -m pytest -s Tests/EndToEnd/mqtt -k 'fleet or building or served_while or silent or round_trip' $(ARGS)

.PHONY: fuzz
fuzz: ## fuzz every input parser with libFuzzer, FUZZ_MINUTES=10 each; ARGS="words mqtt" for some
	@scripts/setup develop
	$(KEPT) scripts/check/fuzz $(ARGS)

.PHONY: sanitize
sanitize: ## every unit test under the Thread Sanitizer, and again under the Address Sanitizer
	@scripts/setup sanitize
	$(BUILD) $(TSAN) --build-tests
	clang -O1 -Wall -Wextra -Werror -fPIC -shared -D_GNU_SOURCE -o "$(TSAN_MUTEX)" Tests/Tools/mutex.c
	LD_PRELOAD=$(TSAN_MUTEX) TSAN_OPTIONS=halt_on_error=1 \
		$(TEST) $(TSAN) --skip '^SimulationTests\.' $(ARGS)
	$(BUILD) $(ASAN) --build-tests
	ASAN_OPTIONS=$(ASAN_OPTIONS) $(KEPT) $(TEST) $(ASAN) --skip '^SimulationTests\.' $(ARGS)

.PHONY: simulate
simulate: ## random stories with crashes, compared with a model; SEEDS=1000000 FIRST=0, or SEED=123 to replay one
	@scripts/setup develop
	$(BUILD) $(SIMULATE) --build-tests
	$(if $(SEED),SIMULATION_SEED=$(SEED),SIMULATION_FIRST=$(or $(FIRST),0) SIMULATION_SEEDS=$(or $(SEEDS),100000)) \
		$(TEST) $(SIMULATE) --filter '^SimulationTests\.'

.PHONY: explore
explore: ## every state of one display that can be reached in EXPLORE_MINUTES=10, breadth first, compared with the same model
	@scripts/setup develop
	$(BUILD) $(SIMULATE) --build-tests
	EXPLORE_MINUTES=$(or $(EXPLORE_MINUTES),10) $(KEPT) $(TEST) $(SIMULATE) --filter '^SimulationTests\.ExplorationTests'

.PHONY: bench
bench: build ## measure next to other servers, in one run; QUICK=1 takes about two minutes; ARGS=--publish writes the result into docs
	@scripts/setup bench
	swift build --package-path Benchmarks -c release
	swift build --package-path Benchmarks/HummingbirdPeer -c release
	$(KEPT) Benchmarks/.build/release/bench $(if $(QUICK),--quick) $(ARGS)

.PHONY: instructions
instructions: ## count the instructions of frequent work by callgrind; fails above Benchmarks/instructions.json + 5 %; ARGS=--write
	@scripts/setup instructions
	$(BUILD) $(STATIC) --product brightnessd
	$(KEPT) $(PYTHON) scripts/check/instructions $(ARGS) "$(RELEASE)"

.PHONY: screenshots
screenshots: ## the pictures in docs/images
	@scripts/setup test
	$(BUILD) --product brightnessd
	BRIGHTNESSD_BINARY="$(DEBUG)" $(PYTHON) -B Tests/EndToEnd/screenshots.py

# Debian 12's buildah does not see that a stage needs one that a default argument names.
IMAGE_FLAGS := --build-arg PROGRAMS=build
# For another architecture the image gets the programs that make deb ARCH=... cross-built, whose suite is the image's.
ifneq ($(ARCH),$(MACHINE))
UNPACK := scripts/setup $(EMULATE) && scripts/package/unpack-programs $(ARCH)
IMAGE_FLAGS := --platform linux/$(ARCH) --build-arg PROGRAMS=unpacked
endif

# docker without BuildKit runs the stage `unpacked` of every image, which copies .build/image.
.PHONY: image
image: ## the container image, with docker, podman or buildah; ARCH=arm64 after make deb ARCH=arm64
	@$(UNPACK)
	@mkdir -p .build/image
	@for engine in docker podman buildah; do \
		if "$$engine" info >/dev/null 2>&1; then set -x; exec "$$engine" build $(IMAGE_FLAGS) --build-arg SOURCE_DATE_EPOCH="$$(git log -1 --format=%ct)" --build-arg REVISION="$$(git rev-parse HEAD)" --tag $(IMAGE) .; fi; \
	done; echo 'make image needs docker (running), podman or buildah; on Debian: sudo apt-get install podman' >&2; exit 1

.PHONY: try-image
try-image: ## build and run the image with buildah, on base images made from Debian and this toolchain; ARCH as above; needs root
	@scripts/setup try $(EMULATE)
	$(UNPACK)
	$(KEPT) scripts/try/image $(ARCH)

.PHONY: deb
ifeq ($(SUITE)/$(ARCH),$(HERE)/$(MACHINE))
deb: ## the Debian packages, in .build/deb; SUITE=trixie for another suite, ARCH=arm64 for another architecture (needs root)
	scripts/package/build-deb
else
deb:
	@scripts/setup try
	SUITE_SWIFT=$(SUITE_SWIFT) scripts/try/in-suite $(SUITE) scripts/package/build-deb $(ARCH)
	rm -rf .build/deb && cp -r .build/suites/$(SUITE)$(if $(filter yes,$(SUITE_SWIFT)),-swift)/tree/.build/deb .build/deb
endif

.PHONY: reproduce
reproduce: ## two builds of the packages in two directories, as two users, must give the same bytes; SUITE=trixie; needs root
ifeq ($(SUITE),$(HERE))
	@scripts/setup deb reproduce
	$(KEPT) scripts/check/reproduce
else
	@scripts/setup try
	SUITE_SWIFT=$(SUITE_SWIFT) scripts/try/in-suite $(SUITE) make reproduce
endif

.PHONY: release
release: ## everything of a release of this commit, in dist; ARGS="packages-bookworm-amd64 tar" for some steps; APT_KEY signs; needs root
	@scripts/setup try repository
	scripts/release $(ARGS)

.PHONY: try-release
try-release: ## check dist, install and upgrade from its archive, run README's commands and its tar file; SUITE=trixie, ARCH=arm64 as above; needs root
	@scripts/setup try repository $(EMULATE)
	$(KEPT) scripts/try/release $(SUITE) $(ARCH)

.PHONY: try-deb
try-deb: ## install, use, remove and purge those packages in a newly made Debian; SUITE=trixie, ARCH=arm64 as above; needs root
	@scripts/setup try $(if $(EMULATE),emulate test)
	$(KEPT) scripts/try/deb $(SUITE) $(ARCH)

.PHONY: try-kiosk
try-kiosk: ## boot a Debian with systemd in QEMU and install, use, upgrade, crash and remove those packages there; ARCH as above; needs root
	@scripts/setup try kernel $(EMULATE)
	$(KEPT) scripts/try/kiosk $(SUITE) $(ARCH) $(ARGS)

.PHONY: try-compositor
try-compositor: build ## brightness provide switches an output of sway in a newly made Debian 13; needs root
	@scripts/setup test try
	BRIGHTNESSD_BINARY="$(RELEASE)" $(KEPT) scripts/try/compositor

.PHONY: try-home-assistant
try-home-assistant: build ## a real Home Assistant in a newly made Debian 13 uses the daemon as an ESPHome device; needs root
	@scripts/setup test try
	BRIGHTNESSD_BINARY="$(RELEASE)" $(KEPT) scripts/try/home-assistant $(ARGS)

.PHONY: try-run
try-run: ## README's "Run it" in a newly made Debian 13 without a toolchain, with a stopwatch; needs root
	@scripts/setup try
	$(KEPT) scripts/try/run

.PHONY: try-suite
try-suite: ## make test in a newly made Debian, with its libraries: SUITE=trixie; needs root
	@scripts/setup try
	$(KEPT) scripts/try/in-suite $(SUITE) make test ARGS="$(ARGS)"

.PHONY: clean
clean: ## remove the builds and .venv; installed Debian packages stay
	rm -rf .build dist Benchmarks/.build Benchmarks/HummingbirdPeer/.build .venv
