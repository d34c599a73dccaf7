#!/bin/bash
# The SPIN models hold within small bounds, and reject some mutants for the expected reason. Large bounds: make check-model.
#
#   LONG=1   all mutants; part of `make nightly`
#
# beside others: a search, counted in states
exec "$(dirname "$0")/../model/run" --tap --jobs 2 --size "small,canary${LONG:+,mutant}"
