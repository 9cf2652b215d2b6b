# A host that grades: `autograder` with all that it needs, run by a user without privileges.
#
#   docker build --build-arg UID="$(id -u)" --tag autograder .
#   docker run --rm --init --volume "$PWD:/course" --cap-drop ALL \
#     --security-opt no-new-privileges --security-opt seccomp=unconfined \
#     --security-opt apparmor=unconfined --security-opt systempaths=unconfined \
#     autograder grade 03-attention
#
# The last three are for bubblewrap, the sandbox around students' code, which makes namespaces and
# mounts. docs/start.md says which part of Docker refuses what, and what each option costs.
FROM debian:bookworm-slim

# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends bubblewrap libseccomp2 python3 python3-venv \
    && rm -rf /var/lib/apt/lists/* \
    && python3 -m venv /opt/autograder
ENV PATH=/opt/autograder/bin:$PATH

# Every file is compared with the lock's hashes; of them are installed those that grading needs,
# which therefore need no versions here.
WORKDIR /opt/source
COPY LICENSE README.md nbgrader_config.py pyproject.toml requirements.lock ./
COPY course ./course
COPY keys ./keys
COPY source ./source
COPY rubrics ./rubrics
COPY tests/submissions ./tests/submissions
COPY selfcheck ./selfcheck
COPY autograder ./autograder
# hadolint ignore=DL3013
RUN pip wheel --quiet --no-cache-dir --use-pep517 --require-hashes \
        --requirement requirements.lock --wheel-dir /tmp/wheels \
    && pip install --quiet --no-cache-dir --no-index --find-links /tmp/wheels \
        ./selfcheck ".[jupyter]" "./autograder[dask,postgresql]" ./keys \
    && rm -r /tmp/wheels

# Whoever owns the course folder must be this user.
ARG UID=1000
RUN useradd --create-home --uid "$UID" grader \
    && install --directory --owner grader /course
USER $UID
WORKDIR /course
VOLUME /course
ENTRYPOINT ["autograder"]
CMD ["--help"]
