#!/bin/sh
# Starts the installation of the cluster as soon as all machines that it needs are ready for it.
set -u
ROOT=${ROOT:-}
# shellcheck source=common.sh
. "$ROOT/usr/local/bin/common.sh"
required=$((REQUIRED_MASTER_NODES + REQUIRED_ARBITER_NODES + REQUIRED_WORKER_NODES))

# find_cluster: sets $cluster.
find_cluster() {
    api GET /clusters && cluster=$(from_answer '.[0].id // empty') && [ -n "$cluster" ]
}

# count_known: sets $known to the number of machines that may be installed.
count_known() {
    api GET "/infra-envs/$INFRA_ENV_ID/hosts" && count=$(from_answer '[.[] | select(.status == "known")] | length') &&
        known=$count
}

# read_status: sets $status to that of the cluster.
read_status() {
    api GET "/clusters/$cluster" && status=$(from_answer '.status // empty') && [ -n "$status" ]
}

until find_cluster; do sleep 5; done
log "the cluster is $cluster"

known=0
until count_known && [ "$known" -ge "$required" ]; do
    log "$known of $required machines are ready"
    set_issue 70-hosts "$known of the $required machines of the cluster are ready to be installed"
    sleep 10
done
set_issue 70-hosts "All $required machines of the cluster are ready to be installed"

while :; do
    until read_status; do sleep 5; done
    case $status in
    ready)
        if api POST "/clusters/$cluster/actions/install" && [ "$http_status" = 202 ]; then
            log 'the installation is ordered'
            clear_issue 70-hosts
        fi
        ;;
    insufficient | pending-for-input | preparing-for-installation) log "the cluster is $status" ;;
    *)
        log "the cluster is $status"
        exit 0
        ;;
    esac
    sleep 5
done
