#!/bin/sh
# Asks on the console for a config image, until its settings are there.
set -u
ROOT=${ROOT:-}
# shellcheck source=issue_status.sh
. "$ROOT/usr/local/bin/issue_status.sh"

until [ -f "$ROOT/etc/assisted/rendezvous-host.env" ]; do
    set_issue 60-config-image 'This machine waits for its settings: attach the config image of its cluster'
    sleep 10
done
clear_issue 60-config-image
