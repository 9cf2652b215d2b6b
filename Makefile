# Two commands do everything on a fresh machine: `make demo` and `make test`.
# Both create .venv first, from the hashes in requirements.lock.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LESSON ?= 03-attention
BUDGET ?= smoke

# The stamps carry the Python version, so that PYTHON=python3.12 after python3.11 builds anew.
PYTHON_VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
LOCKED := $(VENV)/locked-$(PYTHON_VERSION)
INSTALLED := $(VENV)/installed-$(PYTHON_VERSION)
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check
UV := $(BIN)/uv pip install --quiet --system-certs --compile-bytecode --python $(BIN)/python

# Hundreds of processes import the same modules; compiling them anew would double that time.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install lab demo demos test coverage audit lessons lessons-full conformance fuzz test-hostile stress test-browser test-kernels test-faults test-cluster test-classroom test-postgresql test-start test-wheels test-hub test-docs test-slurm test-guide test-pictures test-site site links pictures recipes models lint release release-check lock wheels clean

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
# uv takes a fraction of pip's time, but doesn't read pip's settings: behind a mirror, pip it is.
	@sed -n '/^uv==/,/[^\\]$$/p' requirements.lock | $(PIP) --require-hashes -r /dev/stdin
	@$(UV) --require-hashes -r requirements.lock || { \
	  echo "uv couldn't install the packages (see above). Going on with pip, which takes minutes longer."; \
	  $(PIP) --require-hashes -r requirements.lock; }
	@touch $@

$(INSTALLED): $(LOCKED) pyproject.toml selfcheck/pyproject.toml autograder/pyproject.toml keys/pyproject.toml
	@$(PIP) --no-deps --no-build-isolation -e ./selfcheck -e . -e ./autograder -e ./keys
	@touch $@

lab: $(INSTALLED) ## open a lesson in JupyterLab, in a copy of your own under work/
	@mkdir -p work
	@for lesson in release/*/; do \
	  [ -e "work/$$(basename $$lesson)" ] || cp -r "$$lesson" work/; \
	done
	@cd work && ../$(BIN)/jupyter lab --notebook-dir=. "$(LESSON)/$(LESSON).ipynb"

demo: $(INSTALLED) ## one lesson from source to feedback, with eight simulated students, on the built-in sample
	@$(BIN)/autograder demo $(LESSON)

demos: $(INSTALLED) ## the same for every lesson: fails when a verdict is not the one that the student's file states
	@failed=; for lesson in source/*/; do \
	  $(BIN)/autograder demo $$(basename $$lesson) || failed="$$failed $$(basename $$lesson)"; \
	done; [ -z "$$failed" ] || { echo "Failed, see above:$$failed" >&2; exit 1; }

test: $(INSTALLED) ## every test that takes seconds, on all cores
	@$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

coverage: $(INSTALLED) ## make test, and which lines of the four packages it doesn't run
	@$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder \
	  --cov=selfcheck --cov=autograder --cov=course --cov=keys --cov-report=term-missing:skip-covered

audit: $(INSTALLED) ## judge mistakes in pairs, hand-written answers, mutants: how often is the judge wrong?
	@$(BIN)/python -m pytest tests/autograder/judging/test_misconceptions.py -m answers -n auto --dist worksteal
	@$(BIN)/autograder audit

lessons: $(INSTALLED) ## execute every lesson, solved and unanswered, and what benchmarks take from them, at smoke size
	@$(BIN)/python -m pytest tests/test_lessons.py tests/test_steps_help.py tests/test_benchmarks.py -m lessons -n auto --dist worksteal -vv

lessons-full: $(INSTALLED) ## execute every solved lesson in full on real data, within its CPU minutes: COURSE_DATA=<folder>
	@COURSE_BUDGET=full $(BIN)/python -m pytest tests/test_lessons.py -m lessons -k solved -n 0 -vv -rP \
	  --timeout 1800

conformance: $(INSTALLED) ## nbgrader's own fixtures as we grade them, the quick attacks through both commands
	@$(BIN)/python -m pytest tests/autograder/test_conformance.py tests/test_hostile.py -m conformance -n 0

fuzz: $(INSTALLED) ## thousands of mutated responses and submissions; a thousand of them are graded
	@$(BIN)/python -m pytest tests/autograder/test_fuzz_notebooks.py tests/autograder/judging/test_fuzz_responses.py \
	  -m fuzz --hypothesis-profile=thorough -n auto

test-hostile: $(INSTALLED) ## grade every hostile submission of tests/submissions/hostile, also beside an honest one
	@$(BIN)/python -m pytest tests/test_hostile.py tests/test_pairs.py tests/autograder/test_repair.py \
	  -m "not kernels" -n 0

stress: $(INSTALLED) ## hundreds of forked kernels, gradings that are killed: a quarter of an hour
	@$(BIN)/python -m pytest tests/test_stress.py -m stress -n 0 -vv -s --timeout 1800

recipes: $(INSTALLED) ## train the published recipes and ours on real data: COURSE_DATA=<folder>
	@$(BIN)/python benchmarks/recipes.py

models: $(INSTALLED) ## train course/models again, in an hour or two on real data: COURSE_DATA=<folder>
	@$(BIN)/python -m pretraining.news_encoder dist/models/news-encoder
	@cd dist/models/news-encoder && \
	  cp weights.npz vocabulary.txt card.md $(CURDIR)/course/models/news_encoder/

test-browser: $(INSTALLED) ## a student's and an instructor's day in a real JupyterLab: needs Chromium
	@$(BIN)/python -m pytest tests/autograder/test_feedback_page.py tests/browser -m browser -n 0 -vv

test-site: $(INSTALLED) ## build the site anew, follow its links, look at it in Chromium
	@$(BIN)/python -m pytest tests/test_site.py -m "site or not site" -n 0

site: $(INSTALLED) ## build the site into dist/site; BUDGET=full COURSE_DATA=<folder> for the one to publish
	@COURSE_BUDGET=$(BUDGET) $(BIN)/python -m sphinx -q -E -W --keep-going -d dist/doctrees docs dist/site
	@echo "dist/site/index.html is the first page."

links: $(INSTALLED) ## whether the other sites that the site links to still answer
	@COURSE_BUDGET=smoke $(BIN)/python -m sphinx -q -b linkcheck -d dist/doctrees docs dist/links

pictures: $(INSTALLED) ## render the pictures of README and docs/ anew: needs Chromium
	@$(BIN)/python docs/pictures.py

test-pictures: $(INSTALLED) ## render them with a class of three, and read what they show
	@$(BIN)/python -m pytest tests/test_pictures.py -m pictures -n 0

test-postgresql: $(INSTALLED) ## a gradebook on a PostgreSQL server: eight graders, a copy, a server that goes away
	@$(BIN)/python -m pytest tests/test_postgresql.py -m postgresql -n 0

test-kernels: $(INSTALLED) ## classes graded, also after changes; kernels within limits, also beside hostile ones
	@$(BIN)/python -m pytest tests -m kernels -n auto --dist loadfile

test-faults: $(INSTALLED) ## grade with an error in every function of the path in turn: no result is lost
	@$(BIN)/python -m pytest tests/autograder/test_faults.py -m faults -n auto

test-cluster: $(INSTALLED) ## grade on Dask workers: one dies, one is hostile, some have certificates
	@$(BIN)/python -m pytest tests/autograder/test_cluster.py -m cluster -n 0

test-classroom: $(INSTALLED) ## a class of twenty as Moodle and Canvas write it: roster, collect, grade, export
	@$(BIN)/python -m pytest tests/test_classroom.py -m classroom -n 0

test-start: $(INSTALLED) ## every way to start: new environments, Binder, Colab's cell, the Dockerfile's steps
	@$(BIN)/python -m pytest tests/test_ways_to_start.py -m start -n 0 -vv

test-wheels: $(INSTALLED) ## every command and documented import from wheels alone; another course without TensorFlow
	@$(BIN)/python -m pytest tests/test_wheels.py tests/test_another_course.py -m "wheels or not wheels" -n 0 -vv

test-hub: $(INSTALLED) ## a class on a JupyterHub, as docs/jupyterhub.md says: needs root and Chromium
	@$(BIN)/python -m pytest tests/browser/test_hub.py -m hub -n 0 -vv

test-docs: $(INSTALLED) ## type the commands of the guide and its pages in a copy of the checkout
	@$(BIN)/python -m pytest tests/test_guide.py -m docs -n 0

test-slurm: $(INSTALLED) ## grade on a SLURM cluster of one node: needs root and slurm-wlm
	@$(BIN)/python -m pytest tests/autograder/test_slurm.py -m slurm -n 0

test-guide: $(INSTALLED) ## follow docs/add-an-exercise.md to the letter, in a copy of the checkout
	@$(BIN)/python -m pytest tests/test_add_an_exercise.py -m guide -n 0

lint: $(INSTALLED) ## style of Python and notebooks, and the types of both packages
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/nbstripout --verify --keep-id source/*/*.ipynb release/*/*.ipynb

release: $(INSTALLED) ## generate what comes from source/ and keys/: catalogues of sentences, release/, answer sheets
	@$(BIN)/python -m autograder.release.translations
	@$(BIN)/autograder release

release-check: $(INSTALLED) ## fail unless release/, answer sheets and catalogues are current, or if one leaks
	@$(BIN)/autograder release --check
	@$(BIN)/python -m autograder.release.translations --check

wheels: $(INSTALLED) ## build sdists and wheels of the autograder and of the course into dist/
	@rm -f dist/*.whl dist/*.tar.gz
	@for project in selfcheck autograder . keys; do \
	  $(BIN)/python -m build --no-isolation --outdir dist $$project || exit 1; \
	done

lock: $(INSTALLED) ## resolve requirements.lock anew
	@UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile --quiet --universal --python-version 3.11 \
	  --generate-hashes --no-emit-package attention-course --no-emit-package notebook-selfcheck \
	  --no-emit-package notebook-autograder --all-extras --group dev --upgrade \
	  pyproject.toml selfcheck/pyproject.toml autograder/pyproject.toml keys/pyproject.toml --output-file requirements.lock

clean: ## remove what the commands created
	@rm -rf $(VENV) dist .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis
