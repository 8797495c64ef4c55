#!/bin/sh
# Read by other scripts: calls to the service of the installation.
#
# SERVICE_BASE_URL and USER_AUTH_TOKEN come from rendezvous-host.env. ROOT puts another tree in place of /.
ROOT=${ROOT:-}
LC_ALL=C
newline='
'
# shellcheck source=issue_status.sh
. "$ROOT/usr/local/bin/issue_status.sh"

log() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
}

# env_value FILE NAME: prints a value of an environment file.
env_value() {
    sed -n "s/^$2=//p" "$ROOT$1" 2>/dev/null
}

# api METHOD ENDPOINT: sets $http_status and $answer. Fails, and says so on the console, unless the service does as it is told.
# The token goes in by the standard input: everybody can read the arguments of a program.
api() {
    url=${SERVICE_BASE_URL%/}/api/assisted-install/v2$2
    answer=$(printf 'header = "Authorization: %s"\n' "$USER_AUTH_TOKEN" |
        curl --config - --silent --show-error --noproxy '*' --max-time 30 --request "$1" \
            --header 'Accept: application/json' --write-out '\n%{http_code}' "$url" 2>&1)
    http_status=${answer##*"$newline"}
    answer=${answer%"$newline"*}
    case $http_status in
    2??)
        clear_issue 85-service
        return 0
        ;;
    401 | 403) reason="the token of this image is not accepted (HTTP $http_status)" ;;
    [345]??) reason="HTTP $http_status" ;;
    *)
        # Without an answer the status is 000, and curl has said why in a line of its own.
        reason=${answer%"$newline"}
        reason=${reason##*"$newline"}
        ;;
    esac
    api_failed "$1" "$reason"
}

# Always fails.
api_failed() {
    log "$1 $url: $2"
    set_issue 85-service "The service of the installation cannot be used: $1 $url: $2"
    return 1
}

# from_answer FILTER: prints what jq makes of the answer; fails where that is no JSON, or not of the expected shape.
from_answer() {
    if ! printf '%s' "$answer" | jq -e -r "$1" 2>/dev/null; then
        # Nothing is an answer, too.
        printf '%s' "$answer" | jq -e . >/dev/null 2>&1 || api_failed GET 'the answer is no JSON'
        return 1
    fi
}
