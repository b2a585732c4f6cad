# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
#
# `make` alone prints the lines below and does nothing else.
#
#   make demo          + the main job on real text, in a throw-away vault
#   make build         + release programs in .build/release
#   make install       + them, manual pages and completion in PREFIX=/usr/local; SHORT=nv links a second name
#   make deb           + a Debian package in dist/, and what lintian says of it
#   make tarball       + the same for systems without dpkg
#   make packages      + the package installed, upgraded and removed in a new system (debootstrap, as root), 3 minutes
#   make release       + deb, tarball, the list of libraries and their hashes in dist/; KEY=… signs them
#   make reproducible  + two builds in two folders, compared to the byte, some 20 minutes
#   make site          + README, guide and documents as HTML in bench-out/site
#   make pictures      + the terminal's picture in docs/pictures, and the page's in docs/web
#   make check-docs    + links, spelling, scripts, manual pages, desktop files, profiles, completions
#   make uninstall       removes what install has put there
#   make debug         + the tests and all that they need, in .build/debug
#   make test          + all tests
#   make check         + layout, documents and packaging, tests, tests under the address sanitizer
#   make setup         + only installs what is missing
#   make lint            the layout of the sources, without changing them
#   make format          lays the sources out
#   make man             the manual pages in man/ and the table in docs/cli.md, from the commands
#   make threats         the threat model's page and drawings, from ThreatModel/threats.json
#   make vectors       + every known-answer vector, in two implementations
#   make bench         + against peers on this machine
#   make bench-full    + 1,000 to 1,000,000 notes, some 90 minutes
#   make instructions  + instruction counts beside their baseline, a minute
#   make faults        + a fault at each step of each job, some 15 minutes
#   make crash         + what a power cut may leave of recorded writes, each state opened and checked, some 10 minutes
#   make simulate      + devices, a faulty store and clocks in one process, STEPS=1000000 SEED=1; then without each rule;
#                        then with real vaults, VAULT_STEPS=60000
#   make rot           + each file of a vault damaged in turn, and what its owner's commands bring back, about an hour
#   make fresh         + pages and files of a vault put back as they were, and what its owner is shown, about half an hour
#   make moved         + the files of an open vault moved, synced and mounted elsewhere, some 40 minutes
#   make stores        + every kind of remote against every server that can be had, and the load beside rclone, 5 minutes
#   make firefox       + the page in a real Firefox, and its profile searched after a kill, 1 minute
#   make homes         + three homes over each kind of store, with kills, a year's absence and a full store, 10 minutes
#   make clouds        + several remotes, a fake of Dropbox with each of its faults, and rclone as a child, 5 minutes
#   make clusters      + three devices over Ceph, SeaweedFS and OpenStack Swift while nodes are killed, and their history judged, 15 minutes
#   make models        + the order of writes searched by spin, with all rules and without each, 3 minutes
#   make rotate-kills  + a large vault's rotation, killed 50 times, some 20 minutes
#   make shapes        + sources as other programs write them, in and out again, counted at every step, some 10 minutes
#   make mutate        + each defence taken out in turn: a test must turn red
#   make fuzz          + every parser of untrusted bytes, SECONDS=60 each
#   make load          + 50 clients and hostile ones at one agent under the thread sanitizer, MINUTES=2
#   make audit         + all of these, their counts on the terminal and in docs/AUDIT-RESULTS.md, some two hours
#   make clean           removes what was built
#   A + says that Debian packages that are missing are installed first.

PREFIX ?= /usr/local
# A second name to type: make install SHORT=nv.
SHORT ?=
SHELL := /bin/bash
BUILD := .build/release
PROGRAMS := vault vault-agent vault-parse vault-sync vault-web vault-fetch vault-tui vault-audit
# The client refuses programs that others may write.
UMASK_BUILD := umask 022
# Without what a debugger wants, whose writing takes a seventh of the time and three quarters of the room.
# Of the folder only the length of its path goes into the programs, in ten bytes (Scripts/reproducible.sh).
RELEASE_BUILD := swift build -c release --static-swift-stdlib -Xswiftc -gnone -Xlinker --build-id=none \
	-Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=. -Xcxx -ffile-prefix-map=$(CURDIR)=.
# An index of the system's modules, of which nobody asks anything, takes a quarter of the time.
DEBUG_BUILD := swift build -Xswiftc -index-ignore-system-modules
# Where all is built once and nothing again after a change: each module as a whole, and nothing for a debugger, takes two
# thirds of the time.
ifdef CI
DEBUG_BUILD += -debug-info-format none -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 2
endif

.PHONY: help setup build debug shapes test check lint format demo bench bench-full faults simulate rot fresh moved stores homes clouds clusters firefox models rotate-kills crash fuzz load audit mutate vectors threats man install uninstall deb tarball packages release reproducible site pictures check-docs clean instructions

help:
	@sed -n 's/^#   //p' $(firstword $(MAKEFILE_LIST))

setup:
	@Scripts/setup.sh

build: setup
	$(UMASK_BUILD); VAULT_PROGRAMS_ONLY=1 $(RELEASE_BUILD)

# The programs under test are the ones that people run: built for release, and three times as fast.
# What they need is installed beside the build.
test: setup
	@Scripts/setup.sh test & installing=$$!; $(UMASK_BUILD); VAULT_PROGRAMS_ONLY=1 $(RELEASE_BUILD); built=$$?; wait $$installing && exit $$built
	$(UMASK_BUILD); VAULT_FAST_TESTS=1 $(DEBUG_BUILD) --build-tests && VAULT_BIN=$(CURDIR)/$(BUILD) Scripts/test.sh
	Examples/try.sh $(BUILD)
	python3 Benchmarks/instructions.py --client-only --tolerance 0.15

debug: setup
	$(UMASK_BUILD); $(DEBUG_BUILD) --build-tests

lint:
	swift format lint --recursive --parallel --configuration .swift-format Package.swift Sources Tests

format:
	swift format --in-place --recursive --parallel --configuration .swift-format Package.swift Sources Tests

# The test of docs/sealed-sqlite.md §12 searches all of its memory, which a sanitizer makes terabytes large; the parser limits its own to
# less than that.
check: lint test check-docs deb
	$(UMASK_BUILD); $(DEBUG_BUILD) --build-tests --sanitize=address --scratch-path .build-asan
	LSAN_OPTIONS=suppressions=$(CURDIR)/Scripts/leaks.supp swift test --sanitize=address --scratch-path .build-asan --skip-build --skip ProgramTests --skip ParseProcessTests --skip PictureProcessTests --skip AttemptTests --skip lesson12noRowIsLeftInMemoryAfterClose

demo: build
	@Scripts/setup.sh demo
	Scripts/demo.sh $(BUILD)

bench: build
	Scripts/setup.sh bench
	$(UMASK_BUILD); $(RELEASE_BUILD) --product vault-bench
	python3 Benchmarks/bench.py --bin $(BUILD)

bench-full: build
	Scripts/setup.sh bench
	$(UMASK_BUILD); $(RELEASE_BUILD) --product vault-bench
	python3 Benchmarks/bench.py --bin $(BUILD) --full

# A count that was meant to change: Benchmarks/instructions.py --update.
instructions: build
	Scripts/setup.sh instructions
	python3 Benchmarks/instructions.py --bin $(BUILD)

faults:
	@Scripts/setup.sh test
	$(UMASK_BUILD); $(DEBUG_BUILD) --product vault-faults
	TMPDIR=$${TMPDIR:-/dev/shm} .build/debug/vault-faults

crash:
	@Scripts/setup.sh test
	$(UMASK_BUILD); $(DEBUG_BUILD) --product vault-faults
	.build/debug/vault-faults --power

SECONDS := 60

fuzz:
	@Scripts/setup.sh
	$(UMASK_BUILD); Scripts/fuzz.py --seconds $(SECONDS)

STEPS := 1000000
VAULT_STEPS := 60000
SEED := 1

simulate:
	@Scripts/setup.sh
	$(UMASK_BUILD); $(RELEASE_BUILD) --product sync-simulator
	.build/release/sync-simulator $(STEPS) $(SEED)
	.build/release/sync-simulator without 60
	$(UMASK_BUILD); swift build --product vault-simulator
	.build/debug/vault-simulator $(VAULT_STEPS) $(SEED)

MINUTES := 2

load:
	@Scripts/setup.sh
	$(UMASK_BUILD); Scripts/audit.py --only load --minutes $(MINUTES)

audit:
	@Scripts/setup.sh test
	@Scripts/setup.sh stores
	$(UMASK_BUILD); $(DEBUG_BUILD) --build-tests && Scripts/audit.py --seconds $(SECONDS) --minutes $(MINUTES)

shapes: build
	@Scripts/setup.sh test
	python3 -B Tests/Shapes/doctored.py
	python3 -B Tests/Shapes/compare.py --bin $(BUILD)

rot: build
	@Scripts/setup.sh test
	python3 -B Tests/Rot/rot.py --bin $(BUILD) --audit bench-out/audit/rot.json --keep bench-out/rot
	python3 -B Tests/Rot/rot.py --bin $(BUILD) --backups --trials 600 --audit bench-out/audit/rot-backups.json --keep bench-out/rot

fresh: build
	@Scripts/setup.sh test
	python3 -B Tests/Fresh/fresh.py --bin $(BUILD)

# Stops agents at single system calls: only root may, others move files at times instead.
moved: build
	@Scripts/setup.sh moved
	python3 -B Tests/Moved/moved.py --bin $(BUILD)

stores: build
	@Scripts/setup.sh stores
	$(UMASK_BUILD); VAULT_TARGETS=RemoteStoresTests,vault-sync $(DEBUG_BUILD) --build-tests --scratch-path .build-stores
	VAULT_TARGETS=RemoteStoresTests,vault-sync VAULT_STORES=all swift test --skip-build --scratch-path .build-stores --filter ConformanceTests
	python3 -B Benchmarks/sync_load.py --bin $(BUILD) --gigabyte --idle 60

# A store without room is a small file system, which takes root to mount.
homes: build
	@Scripts/setup.sh test
	@Scripts/setup.sh stores
	python3 -B Tests/Homes/homes.py --bin $(BUILD) --kills 40 --segments 10000 --kinds folder --full
	python3 -B Tests/Homes/homes.py --bin $(BUILD) --kills 40 --segments 500 --kinds nginx apache seaweedfs openstack --full

clouds: build
	@Scripts/setup.sh test
	VAULT_CLOUDS=all python3 -B Tests/Clouds/clouds.py --bin $(BUILD)

clusters: build
	@Scripts/setup.sh clusters
	python3 -B Tests/Clusters/clusters.py --bin $(BUILD)

firefox: build
	@Scripts/setup.sh firefox
	bench-out/venv/bin/python3 -B Tests/Web/firefox.py --bin $(BUILD)

models:
	@Scripts/setup.sh models
	python3 -B Tests/Models/models.py

rotate-kills: build
	python3 Benchmarks/rotate_kills.py --bin $(BUILD)

mutate:
	@Scripts/setup.sh test
	python3 Scripts/mutate.py

# What either of them finds is told by the comparison.
vectors: build
	Scripts/setup.sh vectors
	mkdir -p bench-out/vectors
	$(BUILD)/vault-audit vectors Vectors --json > bench-out/vectors/ours.json || true
	bench-out/venv/bin/python Vectors/verify.py --json > bench-out/vectors/theirs.json || true
	bench-out/venv/bin/python Vectors/compare.py bench-out/vectors/ours.json bench-out/vectors/theirs.json -o bench-out/audit/vectors.json

threats:
	python3 -B ThreatModel/generate.py

man:
	$(UMASK_BUILD); $(DEBUG_BUILD) --product vault-manual
	.build/debug/vault-manual man docs/cli.md

SHARE = $(DESTDIR)$(PREFIX)/share

install: build
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(addprefix $(BUILD)/,$(PROGRAMS)) $(DESTDIR)$(PREFIX)/bin/
	Scripts/strip.sh $(addprefix $(DESTDIR)$(PREFIX)/bin/,$(PROGRAMS))
	[ -z "$(SHORT)" ] || ln -sf vault $(DESTDIR)$(PREFIX)/bin/$(SHORT)
	for page in man/man?/*; do install -D -m 644 "$$page" "$(SHARE)/$$page" || exit 1; done
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/user
	for unit in Support/systemd/*; do sed 's|/usr/local/bin|$(PREFIX)/bin|' $$unit > $(DESTDIR)$(PREFIX)/lib/systemd/user/$$(basename $$unit) || exit 1; done
	for file in Support/desktop/*.desktop; do install -D -m 644 "$$file" "$(SHARE)/applications/$$(basename "$$file")" || exit 1; done
	install -D -m 644 Support/desktop/thunar/vault-send.desktop $(SHARE)/Thunar/sendto/vault-send.desktop
	install -D -m 755 Support/desktop/dolphin/vault-send.desktop $(SHARE)/kio/servicemenus/vault-send.desktop
	install -D -m 755 "Support/desktop/nautilus/Send to vault" "$(SHARE)/notevault/nautilus/Send to vault"
	install -D -m 644 Sources/CWebPage/page/icon.svg $(SHARE)/icons/hicolor/scalable/apps/vault.svg
	set -o pipefail; $(BUILD)/vault completion bash | install -D -m 644 /dev/stdin $(SHARE)/bash-completion/completions/vault
	set -o pipefail; $(BUILD)/vault completion zsh | install -D -m 644 /dev/stdin $(SHARE)/zsh/site-functions/_vault
	set -o pipefail; $(BUILD)/vault completion fish | install -D -m 644 /dev/stdin $(SHARE)/fish/vendor_completions.d/vault.fish

# A Debian package in dist/, by Debian's own tools, and what its checkers say of it.
deb: build
	@Scripts/setup.sh packages
	BUILD=$(BUILD) Scripts/deb.sh
	lintian --fail-on error,warning dist/notevault_*.deb

tarball: build
	@Scripts/setup.sh packages
	BUILD=$(BUILD) Scripts/tarball.sh

# BEFORE=FILE: the package of the release before, which makes the vault.
packages:
	@Scripts/setup.sh packages
	Scripts/packages.sh "$(BEFORE)"

release:
	rm -rf dist
	$(MAKE) --no-print-directory deb tarball
	Scripts/sbom.py --bin $(BUILD) -o dist/notevault_$$($(BUILD)/vault version | awk '{print $$NF}').spdx.json
	Scripts/sums.sh "$(KEY)"

reproducible: setup
	@Scripts/setup.sh packages
	Scripts/reproducible.sh

check-docs: build
	@Scripts/setup.sh docs
	python3 -B Scripts/check_docs.py --bin $(BUILD)

site:
	@Scripts/setup.sh docs
	bench-out/venv/bin/python -B Scripts/site.py -o bench-out/site --look

pictures:
	@Scripts/setup.sh docs
	bench-out/venv/bin/python -B Scripts/pictures.py --bin $(BUILD)
	mkdir -p bench-out/shots
	bench-out/venv/bin/python -B Tests/Web/browser.py --bin $(BUILD) --shots bench-out/shots by_keyboard drawing private two_versions narrow books
	for file in docs/web/*.png; do cp "bench-out/shots/$$(basename "$$file")" "$$file" || exit 1; done

# What install has put there, and nothing else: vaults and settings stay.
uninstall:
	cd $(DESTDIR)$(PREFIX) && rm -f $(addprefix bin/,$(PROGRAMS)) $(if $(SHORT),bin/$(SHORT)) $(patsubst Support/systemd/%,lib/systemd/user/%,$(wildcard Support/systemd/*))
	for page in man/man?/*; do rm -f "$(SHARE)/$$page"; done
	rm -f $(patsubst Support/desktop/%,$(SHARE)/applications/%,$(wildcard Support/desktop/*.desktop)) $(SHARE)/Thunar/sendto/vault-send.desktop
	rm -f $(SHARE)/kio/servicemenus/vault-send.desktop "$(SHARE)/notevault/nautilus/Send to vault" $(SHARE)/icons/hicolor/scalable/apps/vault.svg
	rm -f $(SHARE)/bash-completion/completions/vault $(SHARE)/zsh/site-functions/_vault $(SHARE)/fish/vendor_completions.d/vault.fish

clean:
	rm -rf .build .build-asan .build-fuzz .build-tsan .build-mutants .build-stores bench-out
