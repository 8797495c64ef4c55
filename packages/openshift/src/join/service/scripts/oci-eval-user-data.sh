#!/bin/sh
# Runs the user data of a machine in Oracle's cloud. On any other machine, and without user data, it does nothing.
set -u
metadata=http://169.254.169.254/opc/v2/instance/metadata/user_data

tag=$(dmidecode --string chassis-asset-tag) || exit 1
if [ "$tag" != OracleCloud.com ]; then
    echo 'oci-eval-user-data.sh: this machine is not in the cloud of Oracle'
    exit 0
fi
umask 077
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
status=$(curl --silent --show-error --noproxy '*' --location --max-time 30 --retry 5 --retry-delay 30 --retry-connrefused \
    --header 'Authorization: Bearer Oracle' --output "$work/encoded" --write-out '%{http_code}' "$metadata") || exit 1
case $status in
200) ;;
404)
    echo 'oci-eval-user-data.sh: there is no user data'
    exit 0
    ;;
*)
    echo "oci-eval-user-data.sh: the user data cannot be read: HTTP $status"
    exit 1
    ;;
esac
if ! base64 -d "$work/encoded" >"$work/script"; then
    echo 'oci-eval-user-data.sh: the user data is no base64'
    exit 1
fi
bash "$work/script"
