# Two commands do everything on a fresh machine:
#
## make serve   build the site and show it at http://127.0.0.1:8000/, rebuilding on every save
## make test    run every check: ruff, mypy, the JavaScript's, pytest
## make fix     lay out the code as the checks want it
## make build   build the site into site/
## make bench   measure what the computing costs (BENCHFLAGS=--help lists what else it measures)
## make lock    compile the lists of requirements (LOCKFLAGS=--upgrade for newer releases)
## make clean   delete everything that these commands made
##
## PYTHON=python3.13 makes the environment from another Python (3.11 to 3.14).
## PORT=8001 serves elsewhere, where port 8000 is taken.
## TESTS=tests/chapters restricts `make test` to those tests, after the other checks.

PYTHON ?= python3
TESTS ?=
PORT ?= 8000
BENCHFLAGS ?=
LOCKFLAGS ?=

SUPPORTED := 3.11 3.12 3.13 3.14
VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)

VENV := .venv
BIN := $(VENV)/bin
# A stamp for each list and Python: asking for another Python makes the environment anew.
SITE := $(VENV)/.site-$(VERSION)
CHECKS := $(VENV)/.checks-$(VERSION)
PACKAGES := node_modules/.package-lock.json

INSTALL := $(BIN)/python -m pip install --no-deps --require-hashes
# Node and npm come with the environment: nobody needs to install them.
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm

# One thread: the same sums in the same order on every machine.
export OPENBLAS_NUM_THREADS := 1
export NO_MKDOCS_2_WARNING := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# npm trusts the certificates that the system trusts, such as a company's own.
export NODE_USE_SYSTEM_CA := 1

# What a machine may lack, said in one line.
define CHECK_PYTHON
@case " $(SUPPORTED) " in *" $(VERSION) "*) ;; *) \
	echo '$(if $(VERSION),$(PYTHON) is Python $(VERSION),There is no $(PYTHON)); name a Python from 3.11 to 3.14: make $(MAKECMDGOALS) PYTHON=python3.13' >&2; \
	exit 1;; esac
@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	echo '$(PYTHON) cannot make environments; on Debian and Ubuntu: apt-get install $(notdir $(PYTHON))-venv' >&2; \
	exit 1; }
endef

.PHONY: help serve test fix build bench lock clean

help:
	@sed -n 's/^## \{0,1\}//p' Makefile

serve: $(SITE)
	$(BIN)/mkdocs serve --dev-addr 127.0.0.1:$(PORT)

build: $(SITE)
	$(BIN)/mkdocs build --strict --clean --site-dir site

# pytest comes last, so that its summary is the last line.
test: $(CHECKS) $(PACKAGES)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(NPM) run --silent check
	$(BIN)/python -m pytest $(TESTS)

fix: $(CHECKS) $(PACKAGES)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(NPM) run --silent fix

bench: $(CHECKS)
	$(BIN)/python -m tests.bench $(BENCHFLAGS)

# Built afresh, so that nothing stays that the lists no longer name.
$(SITE): requirements.txt
	$(CHECK_PYTHON)
	$(PYTHON) -m venv --clear $(VENV)
	$(INSTALL) -r requirements.txt
	@touch $@

$(CHECKS): requirements-test.txt $(SITE)
	$(INSTALL) -r requirements-test.txt
	@touch $@

$(PACKAGES): package.json package-lock.json $(CHECKS)
	$(NPM) ci
	@touch $@

# uv comes from PyPI into an environment that is thrown away.
lock:
	$(CHECK_PYTHON)
	@set -e; scratch=$$(mktemp -d); trap 'rm -rf "$$scratch"' EXIT; \
	$(PYTHON) -m venv "$$scratch"; \
	"$$scratch/bin/python" -m pip install -q uv; \
	for list in requirements requirements-test; do \
		"$$scratch/bin/uv" pip compile -q --universal --python-version 3.11 --fork-strategy fewest \
			--generate-hashes --no-annotate --no-header $(LOCKFLAGS) $$list.in -o $$list.txt; \
	done

clean:
	rm -rf site .cache $(VENV) node_modules .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find publisher snippets tests -name __pycache__ -type d -prune -exec rm -rf {} +
