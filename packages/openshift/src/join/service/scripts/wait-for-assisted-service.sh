#!/bin/sh
# Waits until the service answers.
set -u
ROOT=${ROOT:-}
# shellcheck source=common.sh
. "$ROOT/usr/local/bin/common.sh"

until api GET /infra-envs; do
    sleep 5
done
log 'the service answers'
