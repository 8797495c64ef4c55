#!/usr/bin/env bash
# A Ceph object store (monitor, object daemons, S3 gateway) on loopback, for tests.
#   ceph.sh up DIR [PORT] [OSDS]   start it with OSDS (1) object daemons; the gateway listens on PORT (18080), write DIR/s3.env
#   ceph.sh quota DIR OBJECTS      limit the number of the tester's objects; 0 removes the limit
#   ceph.sh down DIR               stop it
# Needs Debian's ceph-mon, ceph-osd and radosgw. One daemon takes about 320 MiB of memory and 20 s to start.
set -euo pipefail
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY

configure() { # DIR PORT OSDS
  local dir=$1 port=$2 osds=$3
  cat > "$dir/ceph.conf" <<CONF
[global]
fsid = $(cat /proc/sys/kernel/random/uuid)
mon initial members = a
mon host = [v2:127.0.0.1:$((port + 1)),v1:127.0.0.1:$((port + 2))]
public network = 127.0.0.0/8
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
keyring = $dir/keyring
run dir = $dir
admin socket = $dir/\$name.asok
pid file = $dir/\$name.ceph-pid
log file = $dir/\$name.log
log to stderr = false
mon data = $dir/mon
mon allow pool size one = true
mon max pg per osd = 1000
mon data avail warn = 2
mon data avail crit = 1
osd data = $dir/\$name
osd crush chooseleaf type = 0
osd pool default size = $((osds > 1 ? 2 : 1))
osd pool default min size = 1
osd pool default pg num = 8
osd pool default pg autoscale mode = off
osd memory target = 939524096
osd class load list = *
osd class default list = *
bluestore block size = 21474836480
rgw frontends = beast endpoint=127.0.0.1:$port
rgw multipart min part size = 5242880
rgw user quota bucket sync interval = 1
rgw bucket quota ttl = 0
CONF
}

keys() { # DIR
  ceph-authtool -C "$1/keyring" --gen-key -n client.admin --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *' > /dev/null
  ceph-authtool -C "$1/mon-keyring" --gen-key -n mon. --cap mon 'allow *' > /dev/null
  ceph-authtool "$1/mon-keyring" --import-keyring "$1/keyring" > /dev/null
}

start() { # DIR NAME COMMAND…
  local dir=$1 name=$2; shift 2
  setsid "$@" -c "$dir/ceph.conf" -f > "$dir/$name.out" 2>&1 < /dev/null & echo $! > "$dir/$name.pid"
}

monitor() { # DIR
  local dir=$1 fsid mon
  fsid=$(sed -n 's/^fsid = //p' "$dir/ceph.conf"); mon=$(sed -n 's/^mon host = //p' "$dir/ceph.conf")
  monmaptool --create --fsid "$fsid" --addv a "$mon" "$dir/monmap" > /dev/null
  ceph-mon -i a --mkfs --monmap "$dir/monmap" --keyring "$dir/mon-keyring" -c "$dir/ceph.conf"
  start "$dir" mon ceph-mon -i a --keyring "$dir/mon/keyring"
}

daemon() { # DIR ID
  local dir=$1 id=$2 uuid key
  uuid=$(cat /proc/sys/kernel/random/uuid); key=$(ceph-authtool --gen-print-key)
  mkdir "$dir/osd.$id"
  echo "{\"cephx_secret\":\"$key\"}" | timeout 120 ceph -c "$dir/ceph.conf" osd new "$uuid" "$id" -i - > /dev/null
  ceph-authtool -C "$dir/osd.$id/keyring" -n "osd.$id" --add-key "$key" > /dev/null
  ceph-osd -i "$id" --mkfs --osd-uuid "$uuid" -c "$dir/ceph.conf" --keyring "$dir/osd.$id/keyring" > "$dir/mkfs.$id.log" 2>&1
  ceph -c "$dir/ceph.conf" osd crush add "osd.$id" 1.0 root=default "host=h$id" > /dev/null 2>&1
  start "$dir" "osd.$id" ceph-osd -i "$id" --keyring "$dir/osd.$id/keyring"
}

gateway() { # DIR PORT
  start "$1" gateway radosgw -n client.admin
  for _ in $(seq 1200); do
    curl -s --noproxy '*' -o /dev/null "http://127.0.0.1:$2/" && return
    kill -0 "$(cat "$1/gateway.pid")" 2>/dev/null || { tail -5 "$1/gateway.out" >&2; exit 1; }
    sleep 0.1
  done
  echo "the gateway does not answer" >&2; exit 1
}

up() {
  local dir=$1 port=${2:-18080} osds=${3:-1} id
  mkdir -p "$dir/mon"; dir=$(cd "$dir" && pwd)
  configure "$dir" "$port" "$osds"
  keys "$dir"
  monitor "$dir"
  for id in $(seq 0 $((osds - 1))); do daemon "$dir" "$id"; done
  gateway "$dir" "$port"
  timeout 120 radosgw-admin -c "$dir/ceph.conf" user create --uid=tester --display-name=tester --access-key=access --secret-key=secretsecret > /dev/null
  printf 'S3_ENDPOINT=http://127.0.0.1:%s\nAWS_ACCESS_KEY_ID=access\nAWS_SECRET_ACCESS_KEY=secretsecret\nAWS_REGION=default\n' "$port" > "$dir/s3.env"
}

quota() {
  local admin=(timeout 60 radosgw-admin -c "$1/ceph.conf" quota)
  if [ "$2" = 0 ]; then "${admin[@]}" disable --quota-scope=user --uid=tester > /dev/null; return; fi
  "${admin[@]}" set --quota-scope=user --uid=tester --max-objects="$2" --max-size=-1 > /dev/null
  "${admin[@]}" enable --quota-scope=user --uid=tester > /dev/null
}

down() {
  local file pid
  for file in "$1"/gateway.pid "$1"/osd.*.pid "$1"/mon.pid; do
    [ -e "$file" ] || continue
    pid=$(cat "$file"); rm -f "$file"; kill "$pid" 2>/dev/null || continue
    for _ in $(seq 50); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
    kill -9 "$pid" 2>/dev/null || true
  done
}

case ${1:-} in
  up) up "${@:2}" ;;
  quota) quota "$2" "$3" ;;
  down) down "$2" ;;
  *) sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
