#!/bin/sh
# Read by other scripts: the release image, and the images that it names.
#
# ROOT puts another tree in place of /.
ROOT=${ROOT:-}
RELEASE_IMAGE=$(sed -n 's/^RELEASE_IMAGE=//p' "$ROOT/etc/assisted/agent-installer.env")
AUTH_FILE=$ROOT/root/.docker/config.json
# Mirrors are asked for digests alone: a release that is named by its tag is fetched by the name of its mirror.
RELEASE_MIRROR=
case $RELEASE_IMAGE in
*@*) ;;
*) RELEASE_MIRROR=$(sed -n 's/^OPENSHIFT_INSTALL_RELEASE_IMAGE_MIRROR=//p' "$ROOT/usr/local/share/assisted-service/assisted-service.env" 2>/dev/null) ;;
esac

# fetch_release: makes the release image known by its own name, wherever it comes from.
fetch_release() {
    podman image exists "$RELEASE_IMAGE" && return
    if [ -n "$RELEASE_MIRROR" ] && podman pull --quiet --authfile "$AUTH_FILE" "$RELEASE_MIRROR" >/dev/null; then
        podman tag "$RELEASE_MIRROR" "$RELEASE_IMAGE" && return
    fi
    podman pull --quiet --authfile "$AUTH_FILE" "$RELEASE_IMAGE" >/dev/null
}

# image_for COMPONENT: prints the image of a component of the release.
image_for() {
    [ -z "$RELEASE_MIRROR" ] || fetch_release || :
    if ! podman run --quiet --rm --net=none "$RELEASE_IMAGE" image "$1"; then
        echo "the release image $RELEASE_IMAGE does not say which image is $1" >&2
        return 1
    fi
}
