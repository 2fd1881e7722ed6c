# Two commands do everything on a fresh machine:
#
## make serve   build the site and show it at http://127.0.0.1:8000/, rebuilding on every save
## make test    run every check: ruff, mypy, pytest
## make build   build the site into site/
## make bench   time a build against one whose numbers are constants
## make lock    compile requirements.in into requirements.txt (LOCKFLAGS=--upgrade for newer releases)
## make clean   delete everything that these commands made
##
## PYTHON=python3.13 makes the environment from another Python (3.11, 3.12 or 3.13).

PYTHON ?= python3
LOCKFLAGS ?=

VENV := .venv
BIN := $(VENV)/bin
# One stamp an interpreter: asking for another one makes the environment anew.
STAMP := $(VENV)/.installed-$(subst /,-,$(PYTHON))

# One thread: the same sums in the same order on every machine.
export OPENBLAS_NUM_THREADS := 1
export NO_MKDOCS_2_WARNING := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1

SUPPORTED = import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))
CHECK_PYTHON = $(PYTHON) -c '$(SUPPORTED)' 2>/dev/null || \
	{ echo '$(PYTHON) is not Python 3.11, 3.12 or 3.13; name one: make PYTHON=python3.12 $(MAKECMDGOALS)' >&2; exit 1; }

.PHONY: help serve test build bench lock clean

help:
	@sed -n 's/^## \{0,1\}//p' Makefile

serve: $(STAMP)
	$(BIN)/mkdocs serve --dev-addr 127.0.0.1:8000

# pytest comes last, so that its summary is the last line.
test: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest

build: $(STAMP)
	$(BIN)/mkdocs build --strict --clean --site-dir site

bench: $(STAMP)
	$(BIN)/python -m tests.bench

# Built afresh, so that nothing stays that the list no longer names.
$(STAMP): requirements.txt
	@$(CHECK_PYTHON)
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install -q --no-deps --require-hashes -r requirements.txt
	@touch $@

# uv from PATH, or else from an environment that is thrown away.
lock:
	@set -e; uv=uv; \
	if ! command -v uv >/dev/null 2>&1; then \
		$(CHECK_PYTHON); \
		scratch=$$(mktemp -d); trap 'rm -rf "$$scratch"' EXIT; \
		$(PYTHON) -m venv "$$scratch"; \
		"$$scratch/bin/python" -m pip install -q uv; \
		uv="$$scratch/bin/uv"; \
	fi; \
	"$$uv" pip compile -q --universal --python-version 3.11 --fork-strategy fewest \
		--generate-hashes --no-annotate --no-header $(LOCKFLAGS) \
		requirements.in -o requirements.txt

clean:
	rm -rf site $(VENV) .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find snippets tests docs -name __pycache__ -type d -prune -exec rm -rf {} +
