#!/bin/sh
# Fetches the release image, however often it takes, and checks that it is for machines like this one.
set -u
ROOT=${ROOT:-}
# shellcheck source=release-image.sh
. "$ROOT/usr/local/bin/release-image.sh"
# shellcheck source=issue_status.sh
. "$ROOT/usr/local/bin/issue_status.sh"
# shellcheck source=bootstrap-service-record.sh
. "$ROOT/usr/local/bin/bootstrap-service-record.sh"

record_service_stage_start pull-release-image
until fetch_release; do
    message="The release image $RELEASE_IMAGE cannot be fetched${RELEASE_MIRROR:+, nor $RELEASE_MIRROR}; trying again"
    echo "$message"
    set_issue 80-release-image "$message"
    sleep 5
done
record_service_stage_success

machine=$(uname -m)
case $machine in
x86_64) machine=amd64 ;;
aarch64) machine=arm64 ;;
esac
image=$(podman image inspect --format '{{.Architecture}}' "$RELEASE_IMAGE")
if [ "$image" != "$machine" ]; then
    message="The release image $RELEASE_IMAGE is for $image, and this machine is $machine"
    echo "$message"
    set_issue 80-release-image "$message"
    exit 1
fi
clear_issue 80-release-image
