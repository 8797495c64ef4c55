#!/bin/sh
# Keeps what the console says about the installation up to date.
set -u
ROOT=${ROOT:-}
# shellcheck source=common.sh
. "$ROOT/usr/local/bin/common.sh"

settings=/etc/assisted/rendezvous-host.env
SERVICE_BASE_URL=$(env_value "$settings" SERVICE_BASE_URL)
USER_AUTH_TOKEN=$(env_value "$settings" USER_AUTH_TOKEN)

if [ -e "$ROOT/etc/assisted/add-nodes.env" ]; then
    steps='agent-import-cluster agent-register-infraenv apply-host-config agent-add-node'
else
    steps='agent-register-cluster agent-register-infraenv apply-host-config start-cluster-installation'
fi

# failed_steps: sets $failed to the units that are in trouble.
failed_steps() {
    failed=
    for step in assisted-service-pod assisted-service-db assisted-service $steps; do
        if systemctl is-failed --quiet "$step.service"; then failed="$failed $step.service"; fi
    done
}

# cluster_status: prints how far the cluster is; nothing before it is registered.
cluster_status() {
    api GET /clusters || return
    from_answer '.[0] // empty | [.status, .status_info // empty] | join(": ")'
}

# show_refused_hosts: what the step that configures hosts could not do. It tries again for ever, and the service knows nothing of it.
show_refused_hosts() {
    refused=$(head -c 4096 "$ROOT/run/agent-installer/host-config-failures" 2>/dev/null)
    if [ -n "$refused" ]; then
        set_issue 80-host-config "The installation cannot proceed:
$refused"
    else
        clear_issue 80-host-config
    fi
}

while :; do
    failed_steps
    show_refused_hosts
    if [ -n "$failed" ]; then
        set_issue 90-status "These steps of the installation have failed:$failed
See journalctl -u UNIT, or collect everything with agent-gather"
    elif status=$(cluster_status) && [ -n "$status" ] && { [ -z "$refused" ] || [ "${status#ready}" = "$status" ]; }; then
        set_issue 90-status "The cluster is $status"
    else
        clear_issue 90-status
    fi
    sleep 5
done
