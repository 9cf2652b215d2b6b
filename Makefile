# Two commands do everything on a fresh machine: `make demo` and `make test`.
# Both create .venv first, from the hashes in requirements.lock.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LESSON ?= 03-attention

# The stamps carry the Python version, so that PYTHON=python3.12 after python3.11 builds anew.
PYTHON_VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
LOCKED := $(VENV)/locked-$(PYTHON_VERSION)
INSTALLED := $(VENV)/installed-$(PYTHON_VERSION)
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help install demo demos test audit lessons lessons-full conformance fuzz test-hostile stress recipes lint release release-check lock wheel clean

help: ## list the commands
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/make \1|\2/' | column -t -s '|'

install: $(INSTALLED) ## create .venv with everything the course and its autograder need

$(LOCKED): requirements.lock
	@case "$(PYTHON_VERSION)" in \
	  3.11|3.12|3.13) ;; \
	  "") echo "'$(PYTHON)' does not run. Name a Python 3.11, 3.12 or 3.13: make $(or $(MAKECMDGOALS),install) PYTHON=python3.12" >&2; exit 1;; \
	  *) echo "'$(PYTHON)' is Python $(PYTHON_VERSION), and TensorFlow runs on 3.11, 3.12 and 3.13: make $(or $(MAKECMDGOALS),install) PYTHON=python3.12" >&2; exit 1;; \
	esac
	@echo "Creating $(VENV) with Python $(PYTHON_VERSION): a few minutes the first time."
	@$(PYTHON) -m venv --clear $(VENV)
	@$(PIP) --require-hashes -r requirements.lock
	@touch $@

$(INSTALLED): $(LOCKED) pyproject.toml autograder/pyproject.toml
	@$(PIP) --no-deps --no-build-isolation -e . -e ./autograder
	@touch $@

demo: $(INSTALLED) ## one lesson from source to feedback, with a simulated class, on the built-in sample
	@$(BIN)/autograder demo $(LESSON)

demos: $(INSTALLED) ## the same for every lesson: fails when a verdict is not the stated one
	@for lesson in source/*/; do $(BIN)/autograder demo $$(basename $$lesson) || exit 1; done

test: $(INSTALLED) ## every test that takes seconds, on all cores
	@$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

audit: $(INSTALLED) ## judge hand-written answers and automatic slips: how often is the judge wrong?
	@$(BIN)/autograder audit

lessons: $(INSTALLED) ## execute every lesson, solved and unanswered, at smoke size on the samples
	@$(BIN)/python -m pytest tests/test_lessons.py tests/test_steps_help.py -m lessons -n auto --dist worksteal -vv

lessons-full: $(INSTALLED) ## execute every solved lesson in full on real data: COURSE_DATA=<folder>
	@COURSE_BUDGET=full $(BIN)/python -m pytest tests/test_lessons.py -m lessons -k solved -n 0 -vv \
	  --timeout 1800 --durations 0

conformance: $(INSTALLED) ## grade nbgrader's own fixtures with nbgrader and with us, and compare
	@$(BIN)/python -m pytest tests/autograder/test_conformance.py -m conformance -n 0

fuzz: $(INSTALLED) ## thousands of mutated responses and hundreds of mutated submissions
	@$(BIN)/python -m pytest tests/autograder/test_fuzz_notebooks.py tests/autograder/test_fuzz_responses.py \
	  --hypothesis-profile=thorough -n auto

test-hostile: $(INSTALLED) ## grade every hostile submission of tests/submissions/hostile
	@$(BIN)/python -m pytest tests/test_hostile.py tests/autograder/test_repair.py -m "hostile or not hostile" -n 0

stress: $(INSTALLED) ## hundreds of forked kernels, gradings that are killed: a quarter of an hour
	@$(BIN)/python -m pytest tests/test_stress.py -m stress -n 0 -vv -s --timeout 1800

recipes: $(INSTALLED) ## train the published recipes and ours on real data: COURSE_DATA=<folder>
	@$(BIN)/python benchmarks/recipes.py

lint: $(INSTALLED) ## style of Python and notebooks
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/nbstripout --verify --keep-id source/*/*.ipynb release/*/*.ipynb

release: $(INSTALLED) ## generate release/ and the answer sheets from source/
	@$(BIN)/autograder release

release-check: $(INSTALLED) ## fail unless release/ and the answer sheets are current and leak nothing
	@$(BIN)/autograder release --check

wheel: $(INSTALLED) ## build the students' wheel into dist/
	@$(BIN)/python -m build --no-isolation --wheel --outdir dist .

lock: $(INSTALLED) ## resolve requirements.lock anew
	@UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile --quiet --universal --python-version 3.11 \
	  --generate-hashes --no-emit-package attention-course --all-extras --group dev --upgrade \
	  pyproject.toml autograder/pyproject.toml --output-file requirements.lock

clean: ## remove what the commands created
	@rm -rf $(VENV) dist .pytest_cache .ruff_cache .hypothesis
