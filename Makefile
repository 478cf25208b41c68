# make demo   verify every level on known positions, then compare them in a tournament
# make test   run the tests        make lint   formatting, lint, types, import contracts
# make bench  measure the speed    make clean  remove what was built
# Python 3.11 or newer, git and make are all that has to be there before.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
INSTALLED_DEV := $(VENV)/.installed-dev
DEMO_RUN ?= runs/demo
JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test lint bench clean
.DEFAULT_GOAL := demo

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "$(PYTHON) is older than 3.11: name a newer one, as in: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(INSTALLED): pyproject.toml | $(BIN)/python
	@echo "installing into $(VENV), once" >&2
	$(PIP_INSTALL) -e .
	@touch $@

$(INSTALLED_DEV): pyproject.toml | $(BIN)/python
	@echo "installing into $(VENV) with the developers' tools, once" >&2
	$(PIP_INSTALL) -e '.[dev]'
	@touch $@ $(INSTALLED)

demo: $(INSTALLED)
	rm -rf $(DEMO_RUN)
	$(BIN)/gomoku-lab suite --players 'layered/*' --failures 1 --jobs $(JOBS)
	$(BIN)/gomoku-lab tournament experiments/000-demo/config.toml --jobs $(JOBS) --out $(DEMO_RUN) > /dev/null
	$(BIN)/gomoku-lab rate $(DEMO_RUN)

# The kernels are compiled once before, so that the test workers do not all compile them.
test: $(INSTALLED_DEV)
	$(BIN)/gomoku-lab doctor --compile
	$(BIN)/python -m pytest --numprocesses $(JOBS)

lint: $(INSTALLED_DEV)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(INSTALLED)
	$(BIN)/gomoku-lab bench

clean:
	rm -rf $(VENV) build dist runs/demo .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
