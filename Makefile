# What a person types. `make` alone lists it; the work is in Package.swift and scripts/.

SHELL := /bin/sh
# From the PATH, else where the toolchain's archive is usually unpacked.
ifndef SWIFT
SWIFT := $(or $(shell command -v swift 2>/dev/null),$(wildcard /opt/swift/usr/bin/swift),swift)
endif
VENV := .build/venv
PYTEST := $(VENV)/bin/python -m pytest
VERSION := $(shell cat VERSION)

PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
# The daemon reads /etc/parallaxd.
SYSCONFDIR ?= /etc
UNITDIR ?= $(PREFIX)/lib/systemd/system
SYSUSERSDIR ?= $(PREFIX)/lib/sysusers.d
UDEVRULESDIR ?= $(PREFIX)/lib/udev/rules.d
MANDIR ?= $(PREFIX)/share/man
DOCDIR ?= $(PREFIX)/share/doc/parallaxd
# Where `make build` leaves the binaries that `make install` takes.
RELEASE := .build/release

# Imports must follow the direction of Package.swift. The same flags everywhere, so that nothing is built twice.
# The toolchain's own linker: the other one fills a screen with warnings about the address sanitizer.
FLAGS := --explicit-target-dependency-import-check error -Xswiftc -use-ld=lld
BUILD := $(SWIFT) build $(FLAGS)
TEST := $(SWIFT) test $(FLAGS)

export SWIFT

.DEFAULT_GOAL := help
.PHONY: help deps test-deps build debug run test check lint bans sanitize-thread sanitize-address bench \
	install uninstall clean format

help: ## list the targets
	@echo 'parallaxd $(VERSION): content offsets from the gyroscope'
	@echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo '  make run TRACE=file     plays a recording; SECONDS=10 stops by itself'
	@echo '  make install PREFIX=/usr DESTDIR=/tmp/tree     also BINDIR, SYSCONFDIR, UNITDIR, MANDIR, …'

deps: test-deps ## install what building and testing need, where it is missing

test-deps:
	@scripts/deps build test

build: ## build the release that `make install` takes
	@scripts/deps build
	$(BUILD) -c release --static-swift-stdlib -Xlinker --gc-sections

debug:
	@scripts/deps build
	$(BUILD)

run: debug ## watch offsets move: from the gyroscope, or a demonstration
	@TRACE='$(TRACE)' RUN_SECONDS='$(SECONDS)' BIN=.build/debug scripts/run

test: test-deps ## run all tests
	$(BUILD) --build-tests
	$(TEST) --quiet --skip-build
	PARALLAXD_BIN=$(CURDIR)/.build/debug $(PYTEST) -q Tests/System
	@echo 'All tests passed.'

check: test-deps lint bans sanitize-thread sanitize-address ## format, warnings, bans, tests with both sanitizers
	@echo 'All checks passed.'

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

bans:
	$(BUILD)
	scripts/check-bans .build/debug

sanitize-address: export LSAN_OPTIONS := suppressions=$(CURDIR)/Tests/leaks.supp:print_suppressions=0

# Each sanitizer has its own build; the daemon that the system tests start is then the sanitized one.
sanitize-thread sanitize-address: sanitize-%:
	$(BUILD) --build-tests --sanitize=$* --scratch-path .build/$*
	$(TEST) --quiet --skip-build --sanitize=$* --scratch-path .build/$*
	PARALLAXD_SANITIZER=$* PARALLAXD_BIN=$(CURDIR)/.build/$*/debug $(PYTEST) -q Tests/System

bench: build ## measure: latency, CPU and memory, and the speed of `process`
	@scripts/deps build test bench
	PARALLAXD_BIN=$(CURDIR)/$(RELEASE) $(VENV)/bin/python Tests/Bench/fanout.py
	$(VENV)/bin/python Tests/Bench/process_vs_pandas.py

install: ## install what was built; builds and downloads nothing
	@for file in parallaxd parallaxctl; do \
	  test -x $(RELEASE)/$$file || \
	    { echo 'make install: nothing is built yet; run `make build` first, as yourself' >&2; exit 1; }; \
	done
	install -D -s -m 755 $(RELEASE)/parallaxd '$(DESTDIR)$(BINDIR)/parallaxd'
	install -D -s -m 755 $(RELEASE)/parallaxctl '$(DESTDIR)$(BINDIR)/parallaxctl'
	install -d '$(DESTDIR)$(UNITDIR)'
	sed 's|/usr/bin/parallaxd|$(BINDIR)/parallaxd|g' systemd/parallaxd.service \
	  > '$(DESTDIR)$(UNITDIR)/parallaxd.service'
	chmod 644 '$(DESTDIR)$(UNITDIR)/parallaxd.service'
	install -D -m 644 systemd/parallaxd.socket '$(DESTDIR)$(UNITDIR)/parallaxd.socket'
	install -D -m 644 systemd/parallaxd.sysusers.conf '$(DESTDIR)$(SYSUSERSDIR)/parallaxd.conf'
	install -D -m 644 systemd/60-parallaxd.rules '$(DESTDIR)$(UDEVRULESDIR)/60-parallaxd.rules'
	install -d '$(DESTDIR)$(SYSCONFDIR)/parallaxd/parallaxd.toml.d'
	test -e '$(DESTDIR)$(SYSCONFDIR)/parallaxd/parallaxd.toml' || \
	  install -m 644 config/parallaxd.toml '$(DESTDIR)$(SYSCONFDIR)/parallaxd/parallaxd.toml'
	install -D -m 644 docs/man/parallaxd.8 '$(DESTDIR)$(MANDIR)/man8/parallaxd.8'
	install -D -m 644 docs/man/parallaxctl.1 '$(DESTDIR)$(MANDIR)/man1/parallaxctl.1'
	install -D -m 644 docs/man/parallaxd.toml.5 '$(DESTDIR)$(MANDIR)/man5/parallaxd.toml.5'
	install -D -m 644 config/parallaxd.toml '$(DESTDIR)$(DOCDIR)/parallaxd.toml'
	install -D -m 644 systemd/examples/network.conf '$(DESTDIR)$(DOCDIR)/network.conf'
	install -D -m 644 LICENSE '$(DESTDIR)$(DOCDIR)/LICENSE'
	@scripts/after-install

uninstall: ## remove what `make install` installed, but the configuration
	rm -f '$(DESTDIR)$(BINDIR)/parallaxd' '$(DESTDIR)$(BINDIR)/parallaxctl' \
	  '$(DESTDIR)$(UNITDIR)/parallaxd.service' '$(DESTDIR)$(UNITDIR)/parallaxd.socket' \
	  '$(DESTDIR)$(SYSUSERSDIR)/parallaxd.conf' '$(DESTDIR)$(UDEVRULESDIR)/60-parallaxd.rules' \
	  '$(DESTDIR)$(MANDIR)/man8/parallaxd.8' '$(DESTDIR)$(MANDIR)/man1/parallaxctl.1' \
	  '$(DESTDIR)$(MANDIR)/man5/parallaxd.toml.5' '$(DESTDIR)$(DOCDIR)/parallaxd.toml' \
	  '$(DESTDIR)$(DOCDIR)/network.conf' '$(DESTDIR)$(DOCDIR)/LICENSE'
	rmdir '$(DESTDIR)$(DOCDIR)' 2>/dev/null || true
	@echo 'Left in place: $(DESTDIR)$(SYSCONFDIR)/parallaxd and the groups parallax*.'

clean: ## remove all that was built
	rm -rf .build

format: ## put the sources into the project's format
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests
