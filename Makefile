# Two commands do everything: `make report` and `make test`. Both set up .venv first.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: help report test test-long lint bench notebooks book ladder equity clean

help:
	@echo "make report     simulate the standard line-ups and write results/report.html"
	@echo "make test       lint, type-check and run all tests"
	@echo "make test-long  run the tests that take long, half an hour or more"
	@echo "make bench      measure the speed of the kernels"
	@echo "make notebooks  execute the notebooks again, in place"
	@echo "make book       compute the shipped opening book of 3-2-5 again, about five minutes"
	@echo "make ladder     play the whole ladders of both games again, hours"
	@echo "make equity     play the shipped tables of match equity again, about five minutes"
	@echo "make clean      remove .venv and what tests and builds left"

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "dealworth needs Python 3.11 or newer; try: make PYTHON=python3.12 ..."; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[dev]"
	@touch $(READY)

report: $(READY)
	$(BIN)/dealworth report --standard

test: lint
	$(BIN)/python -m pytest -n auto --dist loadfile

test-long: $(READY)
	$(BIN)/python -m pytest -n auto --dist loadfile -m long

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(READY)
	$(BIN)/dealworth bench
	$(BIN)/python -m pytest -m bench tests/bench

notebooks: $(READY)
	$(BIN)/jupyter execute --inplace notebooks/*.ipynb

book: $(READY)
	$(BIN)/dealworth book three-two-five --strategy heuristic --precision 0.02 --seed 1 --out results/book --force
	$(BIN)/python -c "from analysis.three_two_five.book.shipped import ship; ship('results/book')"
	$(BIN)/dealworth book fives-and-threes --players 3 --precision 0.03 --seed 1 --out results/book-3 --force
	$(BIN)/python -c "from analysis.fives_and_threes.book.shipped import ship; ship('results/book-3')"
	$(BIN)/dealworth book fives-and-threes --players 4 --precision 0.03 --budget 2600000000 --seed 1 \
		--out results/book-4 --force
	$(BIN)/python -c "from analysis.fives_and_threes.book.shipped import ship; ship('results/book-4')"

ladder: $(READY)
	$(BIN)/dealworth ladder three-two-five --seed 1 --out results/ladder --force
	$(BIN)/python -c "from analysis.ladder.shipped import ship; ship('results/ladder')"
	for players in 2 3 4; do \
		$(BIN)/dealworth ladder fives-and-threes --players $$players --seed 1 \
			--out results/ladder-$$players --force && \
		$(BIN)/python -c "from analysis.ladder.shipped import ship; ship('results/ladder-$$players')" || exit 1; \
	done

EQUITY = from importlib import import_module as room; \
	room('analysis.$(1).equity.shipped').ship('results/$(2)')

equity: $(READY)
	$(BIN)/dealworth equity fives-and-threes --table --precision 0.002 --seed 1 --out results/equity-2 --force
	$(BIN)/dealworth equity fives-and-threes --table --precision 0.002 --seed 1 --players 4 \
		--out results/equity-4 --force
	$(BIN)/dealworth equity three-two-five --table --precision 0.001 --seed 1 --out results/equity-3 --force
	$(BIN)/python -c "$(call EQUITY,fives_and_threes,equity-2)"
	$(BIN)/python -c "$(call EQUITY,fives_and_threes,equity-4)"
	$(BIN)/python -c "$(call EQUITY,three_two_five,equity-3)"

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .ruff_cache .mypy_cache .hypothesis
