#!/bin/sh
# Says until when this image adds nodes, and when that is over. AUTH_TOKEN_EXPIRY comes from add-nodes.env.
set -u
ROOT=${ROOT:-}
# shellcheck source=issue_status.sh
. "$ROOT/usr/local/bin/issue_status.sh"

# digits TIME: without punctuation times in UTC are numbers that can be compared.
digits() {
    printf '%s' "$1" | tr -cd '0-9' | cut -c 1-14
}

end=$(digits "$AUTH_TOKEN_EXPIRY")
set_issue 75-token "This image adds nodes until $AUTH_TOKEN_EXPIRY"
while [ "$(digits "$(date -u '+%Y-%m-%dT%H:%M:%SZ')")" -lt "$end" ]; do
    sleep 5
done
message="This image has expired at $AUTH_TOKEN_EXPIRY: build a new one to add nodes"
echo "$message"
set_issue 75-token "$message"
