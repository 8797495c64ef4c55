#!/bin/sh
# Starts the installation of this machine as soon as it is ready to become a node of the cluster.
set -u
ROOT=${ROOT:-}
# shellcheck source=common.sh
. "$ROOT/usr/local/bin/common.sh"

# find_cluster: sets $cluster.
find_cluster() {
    api GET /clusters && cluster=$(from_answer '.[0].id // empty') && [ -n "$cluster" ]
}

# find_known: sets $host to the machine that may be installed, or $status to why there is none.
find_known() {
    host=
    status='not registered'
    api GET "/infra-envs/$INFRA_ENV_ID/hosts" || return
    host=$(from_answer '[.[] | select(.status == "known") | .id][0] // empty') && [ -n "$host" ] && return
    status=$(from_answer '.[0].status // empty') || status='not registered'
    return 1
}

until find_cluster; do sleep 2; done
log "the cluster is $cluster"

while :; do
    if find_known; then
        if api POST "/infra-envs/$INFRA_ENV_ID/hosts/$host/actions/install" && [ "$http_status" = 202 ]; then
            log "the installation of $host is ordered"
            clear_issue 70-hosts
            exit 0
        fi
    else
        log "this machine is $status"
        set_issue 70-hosts "This machine is not ready to be installed: it is $status"
    fi
    sleep 10
done
