#!/bin/sh
# wait-for-assisted-service.sh [with-cluster]: waits until the service answers, and knows the cluster.
set -u
ROOT=${ROOT:-}
# shellcheck source=common.sh
. "$ROOT/usr/local/bin/common.sh"

until api GET /infra-envs; do
    sleep 5
done
log 'the service answers'

# Machines that register before their cluster belong to none, and stay so. On the pages of the service it is made later.
if [ "${1:-}" = with-cluster ] && ! [ -e "$ROOT/etc/assisted/interactive-ui" ]; then
    until api GET /clusters && cluster=$(from_answer '.[0].id // empty') && [ -n "$cluster" ]; do
        set_issue 65-cluster 'The cluster is not registered yet: see journalctl -u agent-register-cluster.service -u agent-import-cluster.service'
        sleep 5
    done
    clear_issue 65-cluster
    log "the service knows the cluster $cluster"
fi
