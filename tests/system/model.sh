#!/bin/bash
# The SPIN models hold within small bounds, and reject every mutant for the expected reason. Large bounds: make check-model.
# beside others: a search, counted in states
exec "$(dirname "$0")/../model/run" --tap --jobs 2 --size small,mutant
