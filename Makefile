# Every target with a ## comment is a line of `make help`.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-builtin-rules --no-print-directory
.NOTPARALLEL:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
STARTED := $(or $(STARTED),$(shell date +%s))
export STARTED

# Settings of `make run`, for example: make run PORT=8090 DATA=./other EPOCH=0 BLOCK=0
PORT  = 8080
DATA  = ./data
EPOCH = 3m
BLOCK = 5s

# Time, or number of inputs, for each target of `make fuzz`.
FUZZ = 10s

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' Makefile

.PHONY: run
run: need-run build ## Build everything and serve a dev network: PORT=8080 DATA=./data EPOCH=3m BLOCK=5s (0: by hand)
	@exec bin/moonfund dev --port "$(PORT)" --data "$(DATA)" --epoch "$(EPOCH)" --block "$(BLOCK)" --btcd bin/btcd

.PHONY: build
build: web/dist/.built bin/btcd ## Build the web app, bin/btcd for dev networks, and bin/moonfund
	@echo "Building the server…"
	@go build -o bin/moonfund ./cmd/moonfund

.PHONY: test
test: need-test build bin/gotestsum ## Prove a change, in 9 minutes: SEED=n repeats its scenarios and crash points
	@scripts/test test

.PHONY: check
check: need-check build bin/gotestsum ## What CI runs, in 21 minutes: generated files, lint, and more of every kind of test
	@scripts/generated check
	@$(MAKE) lint
	@scripts/test check

# MINUTES is the total time. Random scenarios fill what the other tests leave.
MINUTES = 240

.PHONY: soak
soak: need-check build ## Run everything, as large as MINUTES=240 allow, from another SEED each time
	@scripts/soak "$(MINUTES)" "$(SEED)"

.PHONY: quick
quick: need-run build ## Before each commit: lint, unit tests on SQLite, a few random scenarios
	@$(MAKE) lint
	@echo "Go unit tests…"
	@MOONFUND_TEST_ENGINE=sqlite go test -short -vet=off $$(go list ./... | grep -vE '/testkit/(e2e|sim)$$')
	@MOONFUND_TEST_ENGINE=sqlite go test -count=1 -run '^Test(Sim|PlantedBugs)$$' ./internal/testkit/sim -forget -seeds 4 -steps 200
	@$(MAKE) test-web

# Settings of the simulator. A run of at least 200 scenarios of 500 operations fails unless it meets every fault and
# every row of the three state tables.
SEEDS = 1000
STEPS = 500
FIRST = 1

.PHONY: sim
sim: ## Run random scenarios with every fault, on SQLite: SEEDS=1000 STEPS=500 FIRST=1
	@echo "$(SEEDS) random scenarios of $(STEPS) operations…"
	@MOONFUND_TEST_ENGINE=sqlite go test -count=1 -v -timeout 24h -run '^TestSim$$' ./internal/testkit/sim -seeds $(SEEDS) -steps $(STEPS) -first $(FIRST)

.PHONY: sim-bugs
sim-bugs: ## Plant bugs in copies of the product, which the simulator must find; one build per bug, some minutes
	@MOONFUND_TEST_ENGINE=sqlite go test -count=1 -v -timeout 3h -run '^TestPlantedBugs$$' ./internal/testkit/sim -bugs

EVERY = 1

.PHONY: crashes
crashes: ## Interrupt every main flow at every crash point, on SQLite: EVERY=1
	@MOONFUND_TEST_ENGINE=sqlite go test -count=1 -v -timeout 2h -run '^Test(EveryCrashPoint|CrashPointsOf.*)$$' ./internal/testkit/sim -crash-every $(EVERY)

.PHONY: fuzz
fuzz: need-go-test ## Fuzz every parser of untrusted input: FUZZ=10s each, or FUZZ=10000x inputs
	@scripts/fuzz "$(FUZZ)"

.PHONY: cover
cover: need-go-test ## Print the test coverage of the packages that move money, on SQLite; fails below 95 %
	@scripts/cover 95 staking/ledger staking/order staking/payout/... staking/action signed/message

.PHONY: test-web
test-web: need-run web/node_modules/.installed ## Run the web app's unit tests
	@echo "Web unit tests…"
	@npm --prefix web test

.PHONY: test-browser
test-browser: need-browser build ## Run the browser tests in Chromium, against a server of their own
	@echo "Browser tests…"
	@npm --prefix web run e2e

# Not part of `make check`: it needs a wallet extension, which the project may not redistribute.
.PHONY: real-wallets
real-wallets: ## Test staking end to end with a real wallet: UNISAT_EXTENSION=folder of an extension on regtest
	@scripts/real-wallets

.PHONY: bench
bench: need-run need-go-test web/dist/.built ## Measure the figures of docs/performance.md, and print them as one table; 6 GB of disk
	@scripts/bench

.PHONY: bench-ord
bench-ord: need-run need-go-test web/dist/.built ## Compare with ord on equal chains: MOONFUND_CORE_NODE=bitcoind; builds ord
	@scripts/bench-ord

# Not part of `make check`: it measures times, which depend on the load of the machine. The browser tests check the
# budgets that are sizes.
.PHONY: bench-index
bench-index: need-go-test ## Measure blocks with a rune index of 20,000,000 outputs in 500 MiB; as root; 2 GB of disk
	@scripts/bench-index

.PHONY: bench-web
bench-web: need-browser build web/bench/node_modules/.installed ## Measure the web's budgets: sizes, Lighthouse, rows, event to screen; two minutes
	@npm --prefix web run --silent bench

.PHONY: shots
shots: need-browser build ## Take a picture of every screen and state into SHOTS=web/test-results/shots
	@npm --prefix web run --silent shots

.PHONY: pictures
pictures: need-browser build ## Make the pictures of the landing page and of the guide again, from the pages
	@npm --prefix web run --silent pictures

.PHONY: texts
texts: need-run web/node_modules/.installed ## Print every sentence that a person can see, English and German, as one list
	@npm --prefix web run --silent texts

.PHONY: lint
lint: need-run web/node_modules/.installed ## Check format, vet, staticcheck, errors.Is, imports, sizes, web lint and types
	@echo "Lint…"
	@scripts/sizes
	@unformatted=$$(find . -name node_modules -prune -o -name '*.go' -print | xargs gofmt -l); \
	  test -z "$$unformatted" || { echo "Not in gofmt's format:" $$unformatted; exit 1; }
	@go vet ./...
	@CGO_ENABLED=0 go -C tools build -o ../bin/staticcheck honnef.co/go/tools/cmd/staticcheck
	@bin/staticcheck ./...
	@CGO_ENABLED=0 go -C tools build -o ../bin/go-errorlint github.com/polyfloyd/go-errorlint
	@bin/go-errorlint ./...
	@go test -count=1 ./internal/arch
	@npm --prefix web run lint
	@npm --prefix web run typecheck
	@npm --prefix web run --silent texts >/dev/null

.PHONY: generate
generate: need-run web/node_modules/.installed ## Write all generated files
	@echo "Generating…"
	@CGO_ENABLED=0 go generate ./internal/api ./internal/arch/states
	@CGO_ENABLED=0 go -C tools tool sqlc generate -f ../internal/store/sqlc.yaml
	@npm --prefix web run generate
	@scripts/generated write

# Release builds are reproducible: the same sources give the same bytes on every machine.
VERSION = dev
COMMIT  = $(shell git rev-parse HEAD 2>/dev/null)
LINKED  = -trimpath -buildvcs=false -ldflags "-s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT)"

.PHONY: release
release: need-run web/dist/.built ## Build bin/moonfund-release, reproducibly: VERSION=dev
	@echo "Building the release…"
	@CGO_ENABLED=0 go build $(LINKED) -o bin/moonfund-release ./cmd/moonfund
	@sha256sum bin/moonfund-release

.PHONY: verifier
verifier: ## Build bin/moonfund-verify, which verifies statements without a server: docs/statements.md
	@CGO_ENABLED=0 go build -trimpath -buildvcs=false -o bin/moonfund-verify ./cmd/moonfund-verify
	@echo "bin/moonfund-verify"

.PHONY: reproduce
reproduce: need-run ## Build the packages of the current commit twice, and compare the two
	@scripts/reproduce

# Every packaged file has the time of the commit.
EPOCH_SECONDS = $(shell git log -1 --format=%ct 2>/dev/null)
PACKAGE       = bin/package

.PHONY: package
package: need-run web/dist/.built ## Build static binaries, .deb files and an OCI image, reproducibly, into bin/packages: VERSION=1.2.3
	@echo "Building for linux/amd64 and linux/arm64…"
	@rm -rf $(PACKAGE)
	@for arch in amd64 arm64; do \
	  CGO_ENABLED=0 GOOS=linux GOARCH=$$arch go build $(LINKED) -o $(PACKAGE)/linux-$$arch/moonfund ./cmd/moonfund; done
	@$(PACKAGE)/linux-$$(go env GOHOSTARCH)/moonfund unit-file >$(PACKAGE)/moonfund.service
	@echo "Packing…"
	@scripts/package "$(VERSION)" "$(COMMIT)" "$(EPOCH_SECONDS)" $(PACKAGE) bin/packages
	@scripts/check-packages bin/packages
	@cat bin/packages/SHA256SUMS

.PHONY: first-stake
first-stake: need-go-test ## Install the .deb of bin/packages into an empty root and go to a first stake, timed; as root
	@MOONFUND_PACKAGE="$$(ls $(CURDIR)/bin/packages/moonfund_*_$$(go env GOHOSTARCH).deb)" \
	  go test -count=1 -v -run '^TestPackage$$' ./internal/testkit/e2e

.PHONY: sbom
sbom: release ## List the dependencies in bin/moonfund.cdx.json and bin/moonfund-web.cdx.json (CycloneDX)
	@scripts/sbom "$(VERSION)" bin/moonfund-release bin

.PHONY: vulnerabilities
vulnerabilities: need-run ## Check the dependencies with govulncheck and npm audit; needs the network
	@CGO_ENABLED=0 go -C tools build -o ../bin/govulncheck golang.org/x/vuln/cmd/govulncheck
	@scripts/vulnerabilities

.PHONY: clean
clean: ## Remove build output; keeps the dev network's data
	@rm -rf bin web/dist/.built web/node_modules/.installed

# Each need-… target checks the tools of a target before anything is built.
.PHONY: need-run need-go-test need-browser need-test need-check
need-check:
	@scripts/need go node npm git postgres pgbouncer chromium nginx caddy cc promtool
need-test:
	@scripts/need go node npm git postgres pgbouncer chromium nginx caddy
need-run:
	@scripts/need go node npm git
need-go-test:
	@scripts/need go git cc postgres
need-browser:
	@scripts/need go node npm git chromium

# Install when the lock file changed; build when a source or the contents of a source folder changed.
web/node_modules/.installed: web/package-lock.json
	@echo "Installing the web app's packages…"
	@npm --prefix web ci --include=dev --no-progress --loglevel=error
	@touch $@

web/bench/node_modules/.installed: web/bench/package-lock.json web/node_modules/.installed
	@echo "Installing Lighthouse…"
	@npm --prefix web/bench ci --no-progress --loglevel=error
	@touch $@

WEB_SOURCES := $(shell find web/src web/public web/scripts web/index.html web/tsconfig.json web/package.json web/vite*.ts -not -name '*.test.ts*' 2>/dev/null)

web/dist/.built: web/node_modules/.installed $(WEB_SOURCES)
	@echo "Building the web app…"
	@out=$$(npm --prefix web run --silent build 2>&1) || { echo "$$out"; exit 1; }
	@touch $@

bin/gotestsum: tools/go.mod tools/go.sum
	@CGO_ENABLED=0 go -C tools build -o ../$@ gotest.tools/gotestsum
	@touch $@

bin/btcd: go.mod go.sum
	@echo "Building the Bitcoin node for dev networks…"
	@go build -o $@ github.com/btcsuite/btcd
	@touch $@
