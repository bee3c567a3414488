PYTHON ?= python3
IN = .venv/bin/python
DEV = requirements.txt requirements-demo.txt requirements-dev.txt
# torch and transformers: make worker MODELS=1
test bench coverage: MODELS = 1

.DEFAULT_GOAL := help
.PHONY: help demo test check coverage worker bench requirements clean environment

help: ## what there is to make
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 20

demo: ## the demo on SQLite at PORT=8000; RESET=1 starts over; Ctrl-C stops it
	@RESET="$(RESET)" PORT="$(PORT)" exec $(PYTHON) scripts/demo.py

test: environment ## lint, types and all tests, also on PostgreSQL and Redis where they answer
	@exec $(IN) scripts/run_tests.py

check: environment ## lint, types, types and tests of scripts, missing migrations, production settings
	$(IN) -m ruff check .
	$(IN) -m ruff format --check .
	$(IN) -m djlint --lint --quiet templates
	$(IN) -m mypy
	@$(IN) scripts/check_javascript.py
	@$(dir $(IN))lint-imports --no-logo
	$(IN) manage.py makemigrations --check --dry-run --skip-checks --settings=config.settings.test
	@$(IN) scripts/check_production.py

coverage: environment ## which lines and branches no test but those of the browser and of services reaches
	$(IN) -m pytest -n 2 --dist=worksteal -m "not browser" --ignore=tests/services --cov

worker: environment ## one Celery worker on the settings of the environment
	@exec $(IN) -m celery -A config worker --queues=media,cpu,gpu --loglevel=INFO

bench: environment ## every benchmark in bench/
	@for script in bench/*.py; do $(IN) -m bench.$$(basename $$script .py) || exit 1; done

requirements: environment ## pin requirements*.in again
	$(IN) -m piptools compile $(PIN) --output-file=requirements.txt requirements.in
	$(IN) -m piptools compile $(PIN) --output-file=requirements-dev.txt requirements-dev.in
	$(IN) -m piptools compile $(PIN) --output-file=requirements-models.txt requirements-models.in
	sed -i 's/^\(torch==[0-9.]*\)+cpu/\1/' requirements-models.txt
PIN = --quiet --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
	--strip-extras --no-header --annotation-style=line

clean: ## remove what was made, but never the data in var/
	rm -rf .venv node_modules .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis test-results
	find . -name __pycache__ -prune -exec rm -rf {} +

environment:
	@exec $(PYTHON) scripts/environment.py $(DEV) $(if $(MODELS),requirements-models.txt)
