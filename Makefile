# Two commands do everything on a fresh machine: `make demo` and `make test`.
# Both create .venv first, from the hashes in requirements.lock.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LESSON ?= 03-attention
BUDGET ?= smoke
PROJECTS := pyproject.toml selfcheck/pyproject.toml autograder/pyproject.toml keys/pyproject.toml

# The stamps carry the Python version, so that PYTHON=python3.12 after python3.11 builds anew.
PYTHON_VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
LOCKED := $(VENV)/locked-$(PYTHON_VERSION)
INSTALLED := $(VENV)/installed-$(PYTHON_VERSION)
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check
UV := $(BIN)/uv pip install --quiet --system-certs --compile-bytecode --python $(BIN)/python

# Hundreds of processes import the same modules; compiling them anew would double that time.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install lab demo demos test coverage stress audit audit-changed lessons-full models site links pictures lint release release-check lock wheels publish clean

help: ## list the commands
	@grep -E '^[a-z%-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z%-]+):.*## (.*)/make \1|\2/' | column -t -s '|'

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

$(INSTALLED): $(LOCKED) $(PROJECTS)
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

test-%: $(INSTALLED) ## the tests in one folder or file of tests/: make test-kernels, make test-wheels
	@$(BIN)/python -m pytest -v -m "not slow" -n auto --dist loadfile \
	  $(or $(wildcard tests/$*),$(shell find tests -name 'test_$*.py'),$(error tests/ has no folder $* and no test_$*.py))

stress: $(INSTALLED) ## an hour of attacks, of forks, and of gradings that are killed
	@$(BIN)/python -m pytest tests/hostile tests/stress -m slow -n 0 -v -s --timeout 3600

audit: $(INSTALLED) ## judge hand-written answers and mutants: how often is the judge wrong?
	@$(BIN)/autograder audit

audit-changed: $(INSTALLED) ## the same of lessons of which anything has changed since their last audit
	@$(BIN)/autograder audit --changed

lessons-full: $(INSTALLED) ## execute every solved lesson in full on real data, within its CPU minutes: COURSE_DATA=<folder>
	@COURSE_BUDGET=full $(BIN)/python -m pytest tests/lessons/test_lessons.py -k solved -n 0 -v -rP --timeout 1800

models: $(INSTALLED) ## train course/models again, in an hour or two on real data: COURSE_DATA=<folder>
	@$(BIN)/python -m pretraining.news_encoder dist/models/news-encoder
	@cd dist/models/news-encoder && \
	  cp weights.npz vocabulary.txt card.md $(CURDIR)/course/models/news_encoder/

site: $(INSTALLED) ## build the site into dist/site; BUDGET=full COURSE_DATA=<folder> for the one to publish
	@COURSE_BUDGET=$(BUDGET) $(BIN)/python -m sphinx -q -E -W --keep-going -d dist/doctrees docs dist/site
	@echo "dist/site/index.html is the first page."

links: $(INSTALLED) ## whether the other sites that the site links to still answer
	@COURSE_BUDGET=smoke $(BIN)/python -m sphinx -q -b linkcheck -d dist/doctrees docs dist/links

pictures: $(INSTALLED) ## render the pictures of README and docs/ anew: needs Chromium
	@$(BIN)/python docs/pictures.py

lint: $(INSTALLED) ## style of Python and notebooks, and the types of both packages and the benchmarks
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

publish: $(INSTALLED) ## a version for others: sets it everywhere, dates CHANGELOG.md, commits, tags, builds: VERSION=0.2.0
	@[ -n "$(VERSION)" ] || { echo "Name the version: make publish VERSION=0.2.0" >&2; exit 1; }
	@git diff --quiet HEAD || { echo "Commit your changes first: git status shows them." >&2; exit 1; }
	@grep -qxF "## $(VERSION) (unreleased)" CHANGELOG.md || { \
	  echo "CHANGELOG.md doesn't say what is new: it has no line '## $(VERSION) (unreleased)'." >&2; exit 1; }
	@sed -E -i.before 's/^## $(VERSION) .unreleased.$$/## $(VERSION) ('$$(date +%F)')/' CHANGELOG.md
	@sed -E -i.before -e 's/^version = .*/version = "$(VERSION)"/' \
	  -e 's/"((notebook|attention)-[^"]*)==[^"]*"/"\1==$(VERSION)"/' $(PROJECTS)
	@rm -f $(addsuffix .before,CHANGELOG.md $(PROJECTS))
	@git commit -qam "Version $(VERSION)" && git tag "v$(VERSION)"
	@$(MAKE) --no-print-directory wheels
	@echo "Version $(VERSION) is committed, tagged and built in dist/. Publish it: git push origin HEAD v$(VERSION)"

lock: $(INSTALLED) ## resolve requirements.lock anew
	@UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile --quiet --universal --python-version 3.11 \
	  --generate-hashes --no-emit-package attention-course --no-emit-package notebook-selfcheck \
	  --no-emit-package notebook-autograder --all-extras --group dev --upgrade \
	  $(PROJECTS) --output-file requirements.lock

clean: ## remove what the commands created
	@rm -rf $(VENV) dist .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis
