#!/bin/sh
# Read by other scripts: keeps when a service and its stages began and how they ended, where the installer's analysis looks for it.
# Reading it begins the record; the end of the script ends it.
#
# SERVICE_NAME is by default that of the unit, PRE_COMMAND or POST_COMMAND that of a command before or after the service.
# ROOT puts another tree in place of /.
ROOT=${ROOT:-}
record_unit=$(ps -o unit= $$ 2>/dev/null)
records=$ROOT/var/log/openshift
record_file=$records/${SERVICE_NAME:-${record_unit%.service}}.json
record_stage=

# what_runs: prints what is recorded now.
what_runs() {
    if [ -n "$record_stage" ]; then
        echo stage
    elif [ -n "${PRE_COMMAND:-}" ]; then
        echo pre-command
    elif [ -n "${POST_COMMAND:-}" ]; then
        echo post-command
    else
        echo service
    fi
}

# record WHEN [RESULT]: adds an entry, without members that have nothing to say. That nothing can be written stops nobody.
record() {
    reason=
    [ "${2:-}" != failure ] || reason=$(journalctl --unit="$record_unit" --lines=3 --output=cat 2>/dev/null)
    mkdir -p "$records" && { [ -s "$record_file" ] || echo '[]' >"$record_file"; } &&
        jq --arg timestamp "$(date -u +%Y-%m-%dT%H:%M:%SZ)" --arg preCommand "${PRE_COMMAND:-}" --arg postCommand "${POST_COMMAND:-}" \
            --arg stage "$record_stage" --arg phase "$(what_runs) $1" --arg result "${2:-}" --arg errorMessage "$reason" \
            '. + [$ARGS.named | with_entries(select(.value != ""))]' "$record_file" >"$record_file.$$" &&
        mv -f "$record_file.$$" "$record_file" || rm -f "$record_file.$$"
    :
}

record_service_stage_start() {
    record_stage=$1
    record start
}

record_service_stage_success() {
    record end success
    record_stage=
}

record_service_stage_failure() {
    record end failure
    record_stage=
}

# record_exit STATUS: ends the stage that is going on, and the record.
record_exit() {
    if [ "$1" = 0 ]; then result=success; else result=failure; fi
    [ -z "$record_stage" ] || record end "$result"
    record_stage=
    record end "$result"
}

record start
trap 'record_exit $?' EXIT
