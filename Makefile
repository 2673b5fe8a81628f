# make serve: the mall with demo data on http://127.0.0.1:8000 · make test: every check · README.md has the rest
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

comma := ,

PORT ?= 8000
HOST ?= 127.0.0.1
WORKERS ?= 2
export DJANGO_SETTINGS_MODULE ?= mall.settings.dev
export PYTHONUNBUFFERED := 1
# Some images disable Python's bytecode files; then each of our many processes would compile every module again.
unexport PYTHONDONTWRITEBYTECODE

ifndef PYTHON
PYTHON := $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
endif
export PYTHON
PY := .venv/bin/python
STEP = $(PYTHON) deploy/step.py
FRONT_INPUTS := --input frontend
MIGRATIONS = $(addprefix --input ,$(wildcard apps/*/migrations))
CONTROLLED_ACTS := $(addprefix --input ,$(wildcard apps/*/services/controlled_acts.py))

.PHONY: help serve dev test test-backend test-browser test-postgres test-bench test-changed test-map faults fmt lint types schema bench bench-search bench-image bench-assistant gauntlet lock prepare data venv dev-tools node build static clean

help: ## this list
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 16

serve dev: export PORT := $(PORT)
serve: ## build what is missing, load the demo data once, serve on PORT (8000) and HOST (127.0.0.1)
	@$(MAKE) -j2 data static
	@$(PY) deploy/announce.py $(PORT) & (until $(PY) manage.py run_background --beside $$$$; do sleep 1; done) & \
	EMBEDDED_RUNNER=false exec .venv/bin/granian --interface wsgi --host $(HOST) --port $(PORT) --workers $(WORKERS) --blocking-threads 52 --backlog 1024 \
		--respawn-failed-workers --workers-kill-timeout 10 --no-ws --log-level warning mall.wsgi:application

dev: export DEBUG := true
dev: export STATICFILES_STORAGE := django.contrib.staticfiles.storage.StaticFilesStorage
dev: dev-tools node data ## work on it: the server reloads, webpack watches
	@trap 'kill 0' EXIT; (cd frontend && npm run --silent dev) & $(PY) manage.py runserver $(HOST):$(PORT)

test: prepare ## all checks, fast ones first; uses DATABASE_URL and CACHE_URL if set; BROWSER=required fails without Chromium
	@$(PY) .ci/checks.py

test-backend: prepare ## the back end's checks only
	@$(PY) .ci/checks.py backend

test-postgres: prepare static ## on DATABASE_URL, the tests and journeys that depend on the database (tests/on_postgres.py, tests/e2e/__main__.py)
	@[[ "$${DATABASE_URL:-}" == postgres* ]] || { echo "DATABASE_URL must name a PostgreSQL database"; exit 1; }
	@$(PY) .ci/checks.py postgres browser

test-bench: prepare static ## run every program of bench/ once with minimal data, without gates
	@$(PY) .ci/checks.py bench

test-browser: prepare static ## the journeys in a real browser only
	@$(PY) .ci/checks.py browser

test-changed: prepare ## the tests that the changes can break, in about a minute; BASE=rev compares with another commit, TEST_SECONDS=600 runs more
	@$(PY) -m bench.affected changed --base $${BASE:-HEAD} --seconds $${TEST_SECONDS:-60}

test-map: dev-tools ## record which tests execute which line, for test-changed and faults
	@$(PY) -m bench.affected record

faults: prepare ## plant each fault of bench/faults into a copy and say which test catches it; FAULTS='orders --jobs 2' for some, or with options
	@$(PY) -m bench.faults $(FAULTS)

fmt: dev-tools node ## format and fix what can be fixed
	@.venv/bin/ruff check --fix . && .venv/bin/ruff format . && cd frontend && npm run --silent format

lint: dev-tools node ## ruff, import-linter, oxlint, oxfmt
	@.venv/bin/ruff check . && .venv/bin/ruff format --check . && .venv/bin/lint-imports && cd frontend && npm run --silent lint

types: dev-tools node ## mypy and tsc
	@.venv/bin/mypy . && cd frontend && npm run --silent types

schema: dev-tools node ## write docs/openapi.yaml and the front end's types from the code
	@$(PY) manage.py spectacular --validate --fail-on-warn --file docs/openapi.yaml && cd frontend && npm run --silent schema

bench: dev-tools static ## the tables of speed; BENCH=name,… for some of them
	@$(PY) -m bench $(subst $(comma), ,$(BENCH))

bench-search: dev-tools ## how good the search is: nDCG@10 of the judged queries
	@$(PY) -m bench search

bench-image: dev-tools ## what the search by picture finds: hit@1, hit@10, and how long 10,000 products take
	@$(PY) -m bench image

bench-assistant: dev-tools ## how well the embedded assistant answers the judged questions
	@$(PY) -m bench assistant

gauntlet: dev-tools ## faults and races; GAUNTLET=full for the long form
	@export GAUNTLET=$${GAUNTLET:-short}; $(PY) -m pytest -m gauntlet -n $$([[ $$GAUNTLET == full ]] && echo 1 || echo 2) --durations=10 tests/gauntlet

lock: dev-tools ## renew requirements.txt and requirements-dev.txt from their .in
	@for name in requirements requirements-dev; do \
		.venv/bin/uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --quiet -o $$name.txt $$name.in; done

# Prerequisites of the targets above. Each step runs only if its inputs have changed (deploy/step.py).
prepare:
	@$(MAKE) -j2 dev-tools node

venv:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed"; exit 1; }
	@$(STEP) venv --input deploy/venv --makes $(PY) -- deploy/venv $(PYTHON)
	@$(STEP) python-packages --input deploy/packages --input requirements.txt --makes .venv/bin/granian -- deploy/packages requirements.txt

dev-tools: venv
	@$(STEP) python-dev-packages --input deploy/packages --input requirements-dev.txt --makes .venv/bin/ruff -- deploy/packages requirements-dev.txt

node:
	@$(STEP) node-packages --input frontend/package.json --input frontend/package-lock.json --makes frontend/node_modules/.package-lock.json -- \
		npm ci --prefix frontend --no-progress --loglevel error

build: node
	@$(STEP) front-end $(FRONT_INPUTS) --makes static/app/webpack-stats.json -- npm run --silent --prefix frontend build

static: build venv
	@$(STEP) static-files --input static --input apps/office/static --input requirements.txt --input deploy/brotli.mjs --makes staticfiles -- \
		bash -c '$(PY) manage.py collectstatic --noinput --clear --verbosity 0 --ignore redoc && node deploy/brotli.mjs staticfiles'

data: venv
	@$(STEP) migrations $(MIGRATIONS) $(CONTROLLED_ACTS) --input requirements.txt --database -- $(PY) manage.py migrate --verbosity 0
	@$(STEP) staff-rights $(MIGRATIONS) --input apps/org/services/staff.py --database -- $(PY) manage.py sync_staff_groups
	@$(STEP) demo-data --database -- env LOG_LEVEL=WARNING $(PY) manage.py load_demo

clean: ## drop what was built, keep the data
	rm -rf .venv frontend/node_modules frontend/.cache static/app staticfiles var/stamps
