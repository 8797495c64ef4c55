#!/usr/bin/env bash
# versitygw: S3 over a directory, on loopback, for tests.
#   versitygw.sh build            build it into the cache (about 170 CPU seconds, once)
#   versitygw.sh up DIR [PORT]    start it over DIR/data (PORT, 17070), write DIR/s3.env
#   versitygw.sh down DIR         stop it
# Needs Go 1.24 or newer for build. Cache: $COREISO_ENGINES, ~/.cache/coreiso-engines.
set -euo pipefail
version=1.8.0
cache=${COREISO_ENGINES:-$HOME/.cache/coreiso-engines}

build() {
  [ -x "$cache/versitygw" ] && return
  local work; work=$(mktemp -d); trap 'rm -rf "$work"' RETURN
  mkdir -p "$cache"
  CGO_ENABLED=0 GOBIN="$work" go install -trimpath -ldflags='-s -w' "github.com/versity/versitygw/cmd/versitygw@v$version"
  mv "$work/versitygw" "$cache/versitygw"
}

up() {
  local dir=$1 port=${2:-17070}
  mkdir -p "$dir/data"; dir=$(cd "$dir" && pwd)
  setsid "$cache/versitygw" --access access --secret secretsecret --region us-east-1 --port "127.0.0.1:$port" --quiet posix "$dir/data" \
    > "$dir/versitygw.log" 2>&1 < /dev/null & echo $! > "$dir/versitygw.pid"
  for _ in $(seq 600); do
    curl -s --noproxy '*' -o /dev/null "http://127.0.0.1:$port/" && break
    kill -0 "$(cat "$dir/versitygw.pid")" 2>/dev/null || { tail -5 "$dir/versitygw.log" >&2; exit 1; }
    sleep 0.1
  done
  printf 'S3_ENDPOINT=http://127.0.0.1:%s\nAWS_ACCESS_KEY_ID=access\nAWS_SECRET_ACCESS_KEY=secretsecret\nAWS_REGION=us-east-1\n' "$port" > "$dir/s3.env"
}

down() {
  [ -e "$1/versitygw.pid" ] || return 0
  local pid; pid=$(cat "$1/versitygw.pid"); rm -f "$1/versitygw.pid"
  kill "$pid" 2>/dev/null || return 0
  for _ in $(seq 30); do kill -0 "$pid" 2>/dev/null || return 0; sleep 0.1; done
  kill -9 "$pid" 2>/dev/null || true
}

case ${1:-} in
  build) build ;;
  up) up "${@:2}" ;;
  down) down "$2" ;;
  *) sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
