#!/bin/sh
# Read by other scripts: the release image, and the images that it names.
#
# ROOT puts another tree in place of /.
ROOT=${ROOT:-}
RELEASE_IMAGE=$(sed -n 's/^RELEASE_IMAGE=//p' "$ROOT/etc/assisted/agent-installer.env")
AUTH_FILE=$ROOT/root/.docker/config.json

# image_for COMPONENT: prints the image of a component of the release.
image_for() {
    if ! podman run --quiet --rm --net=none "$RELEASE_IMAGE" image "$1"; then
        echo "the release image $RELEASE_IMAGE does not say which image is $1" >&2
        return 1
    fi
}
