# What a person types. `make` alone lists it; the work is in Package.swift and scripts/.

SHELL := /bin/sh
# From the PATH, else where the toolchain's archive is usually unpacked.
ifndef SWIFT
SWIFT := $(or $(shell command -v swift 2>/dev/null),$(wildcard /opt/swift/usr/bin/swift),swift)
endif
VENV := .build/venv
# Eight at a time: most of the tests' time is waiting for programs. Two processors are then two thirds busy.
PYTEST := $(VENV)/bin/python -m pytest -q -rs -n 8
VERSION := $(shell cat VERSION)

PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
PKGCONFIGDIR ?= $(LIBDIR)/pkgconfig
# Where the daemon looks, whatever the prefix.
CONFDIR := /etc/parallaxd
UNITDIR ?= $(PREFIX)/lib/systemd/system
SYSUSERSDIR ?= $(PREFIX)/lib/sysusers.d
UDEVRULESDIR ?= $(PREFIX)/lib/udev/rules.d
MANDIR ?= $(PREFIX)/share/man
DOCDIR ?= $(PREFIX)/share/doc/parallaxd
# Where `make build` leaves the binaries that `make install` takes.
RELEASE := .build/release
# And where `make run` and `make test` find theirs.
DEBUG := .build/debug

# The library for C: where it is built, and the name that programs are linked to.
LIB := .build/lib
SONAME := libparallax.so.0
LIB_SOURCES := $(wildcard lib/*.c)
LIB_OBJECTS := $(LIB_SOURCES:lib/%.c=$(LIB)/%.o)
HEADERS := include/parallax.h include/parallax_page.h
# What goes to DOCDIR: in folders as here, since they link to each other, and the drop-ins for the unit.
DOCS := README.md ARCHITECTURE.md CONTRIBUTING.md CHANGELOG.md LICENSE config/parallaxd.toml \
	$(wildcard config/scenes/*.toml) $(wildcard docs/*.md docs/*.svg) \
	docs/org.parallaxd.Motion.varlink $(HEADERS) $(wildcard examples/*)
DROP_INS := systemd/examples/network.conf systemd/examples/usb.conf
CFLAGS ?= -O2 -g
LIB_CFLAGS = -std=gnu11 -D_GNU_SOURCE -DPARALLAX_VERSION='"$(VERSION)"' -Iinclude -Wall -Wextra -Werror -fPIC \
	-fvisibility=hidden $(shell pkg-config --cflags jansson)

# Imports must follow the direction of Package.swift. The same flags everywhere, so that nothing is built twice.
# The toolchain's own linker: the other one fills a screen with warnings about the address sanitizer.
FLAGS := --explicit-target-dependency-import-check error -Xswiftc -use-ld=lld
BUILD := $(SWIFT) build $(FLAGS)
# What is installed does not look at run time whether two accesses to one object overlap, an eighth of an event's
# instructions; every test does. Its relocations are packed (glibc 2.36 and later reads them) and nothing is exported:
# 1.3 MB less on the disk, and at the start the loader makes less of it resident.
RELEASE_FLAGS := -c release --static-swift-stdlib -Xswiftc -enforce-exclusivity=unchecked -Xlinker --gc-sections \
	-Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic
TEST := $(SWIFT) test $(FLAGS)

export SWIFT

.DEFAULT_GOAL := help
# SwiftPM is parallel by itself, and of two that install packages one would find apt locked.
.NOTPARALLEL:
.PHONY: help deps test-deps build-deps build debug lib library run test rig check lint bans sanitize-thread \
	sanitize-address bench install uninstall clean docs-devices docs-plot docs-bias docs-tilt format

help: ## list the targets
	@echo 'parallaxd $(VERSION): content offsets from the gyroscope'
	@echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo '  make run TRACE=file     plays a recording; SECONDS=10 stops by itself;'
	@echo '                          MAPPING=… says which of its columns hold what'
	@echo '  make install PREFIX=/usr DESTDIR=/tmp/tree'
	@echo '                          also BINDIR, UNITDIR, MANDIR, DOCDIR, …'

deps: test-deps ## install what building and testing need, where it is missing

test-deps:
	@scripts/deps lib build test

build-deps:
	@scripts/deps lib build

build: build-deps lib ## build the release that `make install` takes
	$(BUILD) $(RELEASE_FLAGS)

debug:
	@scripts/deps build
	$(BUILD)

lib: ## build the client library for C, libparallax
	@scripts/deps lib
	@$(MAKE) --no-print-directory library
	@echo 'The client library is in $(LIB): $(SONAME) and libparallax.a; examples/README.md says how to link to it.'

library: $(LIB)/$(SONAME) $(LIB)/libparallax.a
	@:

$(LIB)/%.o: lib/%.c lib/internal.h $(HEADERS) VERSION Makefile
	@mkdir -p $(LIB)
	$(CC) $(CPPFLAGS) $(LIB_CFLAGS) $(CFLAGS) -c -o $@ $<

$(LIB)/$(SONAME): $(LIB_OBJECTS) lib/libparallax.map
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=lib/libparallax.map \
	  -Wl,-z,defs -o $@ $(LIB_OBJECTS) $(shell pkg-config --libs jansson)
	ln -sf $(SONAME) $(LIB)/libparallax.so

$(LIB)/libparallax.a: $(LIB_OBJECTS)
	rm -f $@
	$(AR) rcs $@ $(LIB_OBJECTS)

# What a person gives reaches the script as it was typed, whatever is in it.
unexport TRACE MAPPING SECONDS
run: export RUN_TRACE = $(value TRACE)
run: export RUN_MAPPING = $(value MAPPING)
run: export RUN_SECONDS = $(value SECONDS)
run: ## watch offsets move: from the gyroscope, or a demonstration
	@scripts/deps build
	@test -z "$$(find Package.swift Sources -newer '$(DEBUG)/parallaxd' -print -quit 2>&1)" || \
	  echo 'Building; the first time takes a minute or more.'
	@$(BUILD) --quiet
	@BIN='$(DEBUG)' exec scripts/run

test: test-deps lib ## run all tests
	$(BUILD) --build-tests
	$(TEST) --quiet --skip-build
	PARALLAXD_BIN='$(CURDIR)/$(DEBUG)' $(PYTEST) Tests/System
	@echo 'All tests passed.'

rig: test-deps build ## test the installed service in a machine of its own, with a kernel's gyroscopes
	@scripts/rig

check: test-deps lint bans sanitize-thread sanitize-address ## format, warnings, bans, tests with both sanitizers
	@echo 'All checks passed.'

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

bans:
	$(BUILD)
	scripts/check-bans $(DEBUG)
	scripts/check-rooms

# Quoted for the sanitizer, which takes a blank for the end of an option.
sanitize-address: export LSAN_OPTIONS := suppressions='$(CURDIR)/Tests/leaks.supp':print_suppressions=0

# Each sanitizer has its own build; the daemon that the system tests start is then the sanitized one.
sanitize-thread sanitize-address: sanitize-%: lib
	$(BUILD) --build-tests --sanitize=$* --scratch-path .build/$*
	$(TEST) --quiet --skip-build --sanitize=$* --scratch-path .build/$*
	PARALLAXD_SANITIZER=$* PARALLAXD_BIN='$(CURDIR)/.build/$*/debug' $(PYTEST) Tests/System

bench: build ## measure beside others, into docs/benchmarks.md; QUICK=1 just shows that it runs
	@scripts/deps build test bench
	PARALLAXD_BIN='$(CURDIR)/$(RELEASE)' $(VENV)/bin/python Tests/Bench/bench.py \
	  $(if $(QUICK),--quick --output .build/benchmarks-quick.md)

install: ## install what was built; builds and downloads nothing
	@for file in parallaxd parallaxctl; do \
	  test -x '$(RELEASE)'/$$file || \
	    { echo 'make install: nothing is built yet; run `make build` first, as yourself' >&2; exit 1; }; \
	done
	@test -e $(LIB)/$(SONAME) && test -e $(LIB)/libparallax.a || \
	  { echo 'make install: the library is not built yet; run `make lib` first, as yourself' >&2; exit 1; }
	install -D -s -m 755 '$(RELEASE)/parallaxd' '$(DESTDIR)$(BINDIR)/parallaxd'
	install -D -s -m 755 '$(RELEASE)/parallaxctl' '$(DESTDIR)$(BINDIR)/parallaxctl'
	install -D -s -m 644 $(LIB)/$(SONAME) '$(DESTDIR)$(LIBDIR)/$(SONAME)'
	ln -sf $(SONAME) '$(DESTDIR)$(LIBDIR)/libparallax.so'
	install -D -m 644 $(LIB)/libparallax.a '$(DESTDIR)$(LIBDIR)/libparallax.a'
	install -d '$(DESTDIR)$(INCLUDEDIR)' '$(DESTDIR)$(PKGCONFIGDIR)'
	install -m 644 $(HEADERS) '$(DESTDIR)$(INCLUDEDIR)'
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@INCLUDEDIR@|$(INCLUDEDIR)|; s|@VERSION@|$(VERSION)|' \
	  lib/parallax.pc.in > '$(DESTDIR)$(PKGCONFIGDIR)/parallax.pc'
	chmod 644 '$(DESTDIR)$(PKGCONFIGDIR)/parallax.pc'
	install -d '$(DESTDIR)$(UNITDIR)'
	sed 's|/usr/bin/parallaxd|$(BINDIR)/parallaxd|g' systemd/parallaxd.service \
	  > '$(DESTDIR)$(UNITDIR)/parallaxd.service'
	chmod 644 '$(DESTDIR)$(UNITDIR)/parallaxd.service'
	install -D -m 644 systemd/parallaxd.socket '$(DESTDIR)$(UNITDIR)/parallaxd.socket'
	install -D -m 644 systemd/parallaxd.sysusers.conf '$(DESTDIR)$(SYSUSERSDIR)/parallaxd.conf'
	install -D -m 644 systemd/60-parallaxd.rules '$(DESTDIR)$(UDEVRULESDIR)/60-parallaxd.rules'
	install -d '$(DESTDIR)$(CONFDIR)/parallaxd.toml.d'
	test -e '$(DESTDIR)$(CONFDIR)/parallaxd.toml' || \
	  install -m 644 config/parallaxd.toml '$(DESTDIR)$(CONFDIR)/parallaxd.toml'
	install -d '$(DESTDIR)$(CONFDIR)/scenes'
	for file in config/scenes/*.toml; do \
	  test -e '$(DESTDIR)$(CONFDIR)/scenes'/"$${file##*/}" || \
	    install -m 644 "$$file" '$(DESTDIR)$(CONFDIR)/scenes' || exit 1; \
	done
	install -D -m 644 docs/man/parallaxd.8 '$(DESTDIR)$(MANDIR)/man8/parallaxd.8'
	install -D -m 644 docs/man/parallaxctl.1 '$(DESTDIR)$(MANDIR)/man1/parallaxctl.1'
	install -D -m 644 docs/man/parallax.3 '$(DESTDIR)$(MANDIR)/man3/parallax.3'
	install -D -m 644 docs/man/parallaxd.toml.5 '$(DESTDIR)$(MANDIR)/man5/parallaxd.toml.5'
	for file in $(DOCS); do install -D -m 644 "$$file" '$(DESTDIR)$(DOCDIR)'/"$$file" || exit 1; done
	install -m 644 $(DROP_INS) '$(DESTDIR)$(DOCDIR)'
	@scripts/after-install

uninstall: ## remove what `make install` installed, but the configuration
	rm -f '$(DESTDIR)$(BINDIR)/parallaxd' '$(DESTDIR)$(BINDIR)/parallaxctl' \
	  '$(DESTDIR)$(LIBDIR)/$(SONAME)' '$(DESTDIR)$(LIBDIR)/libparallax.so' '$(DESTDIR)$(LIBDIR)/libparallax.a' \
	  '$(DESTDIR)$(PKGCONFIGDIR)/parallax.pc' $(patsubst %,'$(DESTDIR)$(INCLUDEDIR)/%',$(notdir $(HEADERS))) \
	  '$(DESTDIR)$(UNITDIR)/parallaxd.service' '$(DESTDIR)$(UNITDIR)/parallaxd.socket' \
	  '$(DESTDIR)$(SYSUSERSDIR)/parallaxd.conf' '$(DESTDIR)$(UDEVRULESDIR)/60-parallaxd.rules' \
	  '$(DESTDIR)$(MANDIR)/man8/parallaxd.8' '$(DESTDIR)$(MANDIR)/man1/parallaxctl.1' \
	  '$(DESTDIR)$(MANDIR)/man3/parallax.3' '$(DESTDIR)$(MANDIR)/man5/parallaxd.toml.5' \
	  $(patsubst %,'$(DESTDIR)$(DOCDIR)/%',$(DOCS) $(notdir $(DROP_INS)))
	find '$(DESTDIR)$(DOCDIR)' -depth -type d -empty -delete 2>/dev/null || true
	@scripts/after-uninstall '$(DESTDIR)$(CONFDIR)'

clean: ## remove all that was built
	rm -rf .build

docs-devices: debug test-deps ## write docs/devices.md anew, from what the daemon makes of known machines
	PARALLAXD_BIN='$(CURDIR)/$(DEBUG)' $(VENV)/bin/python Tests/System/test_devices.py --write

docs-plot: debug ## draw docs/demonstration.svg anew
	$(DEBUG)/parallaxctl plot --demo -o docs/demonstration.svg --size 1200x750

docs-bias: ## write the table of docs/bias.md anew, from the recordings in PARALLAXD_TRACES
	@scripts/need-traces $@
	@$(MAKE) --no-print-directory debug test-deps
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r Tests/Bench/requirements-bias.txt
	PARALLAXD_BIN='$(CURDIR)/$(DEBUG)' $(VENV)/bin/python Tests/Bench/bias_table.py

docs-tilt: ## write docs/tilt.md anew, from recordings with reference orientations (PARALLAXD_TRACES)
	@scripts/need-traces $@
	@$(MAKE) --no-print-directory debug test-deps
	PARALLAXD_BIN='$(CURDIR)/$(DEBUG)' $(VENV)/bin/python Tests/System/test_tilt_errors.py --write

format: ## put the sources into the project's format
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests
