// Generated from the shell scripts by packages/openshift/scripts/generate.mjs. Do not edit.

/** The programs of an image with a service. */
export type ServiceScriptName = 'add-node.sh' | 'agent-auth-token-status.sh' | 'agent-config-image-wait.sh' | 'agent-extract-tui.sh' | 'agent-gather' | 'bootstrap-service-record.sh' | 'common.sh' | 'configure-assisted-hw-requirements.sh' | 'extract-agent.sh' | 'get-container-images.sh' | 'install-status.sh' | 'issue_status.sh' | 'load-config-iso.sh' | 'oci-eval-user-data.sh' | 'pre-network-manager-config.sh' | 'release-image-download.sh' | 'release-image.sh' | 'set-hostname.sh' | 'set-node-zero.sh' | 'start-agent.sh' | 'start-cluster-installation.sh' | 'wait-for-assisted-service.sh';

export const SERVICE_SCRIPTS: Readonly<Record<ServiceScriptName, string>> = {
  'add-node.sh':
    '#!/bin/sh\n' +
    '# Starts the installation of this machine as soon as it is ready to become a node of the cluster.\n' +
    'set -u\n' +
    'ROOT=${ROOT:-}\n' +
    '# shellcheck source=common.sh\n' +
    '. "$ROOT/usr/local/bin/common.sh"\n' +
    '\n' +
    '# find_cluster: sets $cluster.\n' +
    'find_cluster() {\n' +
    '    api GET /clusters && cluster=$(from_answer \'.[0].id // empty\') && [ -n "$cluster" ]\n' +
    '}\n' +
    '\n' +
    '# find_known: sets $host to the machine that may be installed, or $status to why there is none.\n' +
    'find_known() {\n' +
    '    host=\n' +
    '    status=\'not registered\'\n' +
    '    api GET "/infra-envs/$INFRA_ENV_ID/hosts" || return\n' +
    '    host=$(from_answer \'[.[] | select(.status == "known") | .id][0] // empty\') && [ -n "$host" ] && return\n' +
    '    status=$(from_answer \'.[0].status // empty\') || status=\'not registered\'\n' +
    '    return 1\n' +
    '}\n' +
    '\n' +
    'until find_cluster; do sleep 2; done\n' +
    'log "the cluster is $cluster"\n' +
    '\n' +
    'while :; do\n' +
    '    if find_known; then\n' +
    '        if api POST "/infra-envs/$INFRA_ENV_ID/hosts/$host/actions/install" && [ "$http_status" = 202 ]; then\n' +
    '            log "the installation of $host is ordered"\n' +
    '            clear_issue 70-hosts\n' +
    '            exit 0\n' +
    '        fi\n' +
    '    else\n' +
    '        log "this machine is $status"\n' +
    '        set_issue 70-hosts "This machine is not ready to be installed: it is $status"\n' +
    '    fi\n' +
    '    sleep 10\n' +
    'done\n',
  'agent-auth-token-status.sh':
    '#!/bin/sh\n' +
    '# Says until when this image adds nodes, and when that is over. AUTH_TOKEN_EXPIRY comes from add-nodes.env.\n' +
    'set -u\n' +
    'ROOT=${ROOT:-}\n' +
    '# shellcheck source=issue_status.sh\n' +
    '. "$ROOT/usr/local/bin/issue_status.sh"\n' +
    '\n' +
    '# digits TIME: without punctuation times in UTC are numbers that can be compared.\n' +
    'digits() {\n' +
    '    printf \'%s\' "$1" | tr -cd \'0-9\' | cut -c 1-14\n' +
    '}\n' +
    '\n' +
    'end=$(digits "$AUTH_TOKEN_EXPIRY")\n' +
    'set_issue 75-token "This image adds nodes until $AUTH_TOKEN_EXPIRY"\n' +
    'while [ "$(digits "$(date -u \'+%Y-%m-%dT%H:%M:%SZ\')")" -lt "$end" ]; do\n' +
    '    sleep 5\n' +
    'done\n' +
    'message="This image has expired at $AUTH_TOKEN_EXPIRY: build a new one to add nodes"\n' +
    'echo "$message"\n' +
    'set_issue 75-token "$message"\n',
  'agent-config-image-wait.sh':
    '#!/bin/sh\n' +
    '# Asks on the console for a config image, until its settings are there.\n' +
    'set -u\n' +
    'ROOT=${ROOT:-}\n' +
    '# shellcheck source=issue_status.sh\n' +
    '. "$ROOT/usr/local/bin/issue_status.sh"\n' +
    '\n' +
    'until [ -f "$ROOT/etc/assisted/rendezvous-host.env" ]; do\n' +
    '    set_issue 60-config-image \'This machine waits for its settings: attach the config image of its cluster\'\n' +
    '    sleep 10\n' +
    'done\n' +
    'clear_issue 60-config-image\n',
  'agent-extract-tui.sh':
    '#!/bin/sh\n' +
    '# Takes the program for the console, and the library that it needs, out of their image.\n' +
    'set -u\n' +
    'ROOT=${ROOT:-}\n' +
    '"$ROOT/usr/local/bin/get-container-images.sh" || exit 1\n' +
    'image=$(sed -n \'s/^AGENT_INSTALLER_UTILS_IMAGE=//p\' "$ROOT/usr/local/share/assisted-service/agent-images.env")\n' +
    'container=$(podman create --quiet --authfile "$ROOT/root/.docker/config.json" "$image") || exit 1\n' +
    'tree=$(podman mount "$container") &&\n' +
    '    cp "$tree"/usr/lib64/libnmstate.so.* "$ROOT/usr/local/bin/" &&\n' +
    '    # Last: its unit waits for this one.\n' +
    '    cp "$tree/usr/bin/agent-tui" "$ROOT/usr/local/bin/agent-tui"\n' +
    'status=$?\n' +
    'podman rm --force "$container" >/dev/null\n' +
    '[ "$status" = 0 ] || exit 1\n' +
    'restorecon -FR "$ROOT/usr/local/bin"\n',
  'agent-gather':
    '#!/bin/sh\n' +
    '# Collects what is needed to understand why an installation does not go on, without the secrets: agent-gather [-O] [-i ID] [FILE]\n' +
    'set -u\n' +
    'LC_ALL=C\n' +
    'umask 077\n' +
    'ROOT=${ROOT:-}\n' +
    '\n' +
    'usage() {\n' +
    '    cat <<\'END\'\n' +
    'Collects what is needed to understand why an installation does not go on, without the secrets.\n' +
    '\n' +
    'Usage: agent-gather [-h] [-i ID] [-O] [-v] [FILE]\n' +
    '\n' +
    '  -h     Print this help\n' +
    '  -i ID  Name the archive agent-gather-ID.tar.xz\n' +
    '  -O     Write the archive to standard output\n' +
    '  -v     Accepted for compatibility; ignored\n' +
    'END\n' +
    '}\n' +
    '\n' +
    'id=$(uname -n)\n' +
    'file=\n' +
    'while getopts hi:Ov option; do\n' +
    '    case $option in\n' +
    '    h)\n' +
    '        usage\n' +
    '        exit\n' +
    '        ;;\n' +
    '    i) id=$OPTARG ;;\n' +
    '    O) file=- ;;\n' +
    '    v) ;;\n' +
    '    *)\n' +
    '        usage >&2\n' +
    '        exit 2\n' +
    '        ;;\n' +
    '    esac\n' +
    'done\n' +
    '# Most of it is root\'s.\n' +
    '[ "$(id -u)" = 0 ] || exec sudo "$0" "$@"\n' +
    'shift $((OPTIND - 1))\n' +
    'case $id in */*)\n' +
    '    echo \'agent-gather: an ID has no slash\' >&2\n' +
    '    exit 2\n' +
    '    ;;\n' +
    'esac\n' +
    'name=agent-gather-$id\n' +
    '[ "$file" = - ] || file=${1:-$name.tar.xz}\n' +
    'work=$(mktemp -d) || exit 1\n' +
    'trap \'rm -rf "$work"\' EXIT\n' +
    'mkdir -p "$work/$name/journal" "$work/$name/files" "$work/$name/database" || exit 1\n' +
    '\n' +
    '# Members whose values are secret, by their names in small letters without punctuation: the table of @coreiso/diagnostics.\n' +
    'secret_names=\'^(auth|auths|authorization|clientkeydata|cookie|dockerconfigjson|proxyauthorization|setcookie|stringdata|tlskey|userdata|httpheaders|ignitionconfigoverride|keyfile)$|(accesskey|apikey|cak|passphrase|password|passwordhash|passwordraw|presharedkey|privatekey|privatekeypem|psk|pskvalue|secret|secretkey|token|wepkey[0-9]*)$\'\n' +
    '\n' +
    '# Values of such members go to the end of the line, and so do all lines that belong to them: deeper ones, items of a list, the rest of\n' +
    '# what is quoted or bracketed. Besides them private keys, tokens, hashes of passwords, and credentials in addresses.\n' +
    'redact() {\n' +
    '    awk -v names="$secret_names" \'\n' +
    '# Returns where the first secret member of a line is, and sets after to where its value begins.\n' +
    'function find_secret(line,    from, at, name, plain) {\n' +
    '    for (from = 1; match(substr(line, from), /[A-Za-z0-9_.-][A-Za-z0-9_.-]*[\\\\"\\047]*[ \\t]*[:=]/); from = after) {\n' +
    '        at = from + RSTART - 1\n' +
    '        after = at + RLENGTH\n' +
    '        name = tolower(substr(line, at, RLENGTH - 1))\n' +
    '        gsub(/[\\\\"\\047 \\t]/, "", name)\n' +
    '        plain = name\n' +
    '        gsub(/[-_.]/, "", plain)\n' +
    '        if (plain ~ names || name ~ /(^|[-_.])pass$/) return at\n' +
    '    }\n' +
    '    return 0\n' +
    '}\n' +
    'function count(text, what) { return gsub(what, "", text) }\n' +
    'function follow(value) { depth += count(value, "[[{]") - count(value, "[]}]") }\n' +
    '# Returns the quote that begins a value, if it is still open at the end of the line.\n' +
    'function open_quote(value,    mark) {\n' +
    '    mark = substr(value, 1, 1)\n' +
    '    return mark ~ /["\\047]/ && !index(substr(value, 2), mark) ? mark : ""\n' +
    '}\n' +
    'function hide(line) {\n' +
    '    gsub(/eyJ[A-Za-z0-9_-]*\\.[A-Za-z0-9_-]*\\.[A-Za-z0-9_-]*/, "<redacted>", line)\n' +
    '    gsub(/\\$(1|2[abxy]?|5|6|7|y|gy)\\$[.\\/A-Za-z0-9$=,-]*/, "<redacted>", line)\n' +
    '    gsub(/([Bb]earer|[Bb]asic|BEARER|BASIC) +[A-Za-z0-9._~+\\/-]*[0-9._~+\\/=-][A-Za-z0-9._~+\\/=-]*/, "<redacted>", line)\n' +
    '    gsub(/:\\/\\/[^\\/@ \\t"\\047]*@/, "://<redacted>@", line)\n' +
    '    gsub(/:\\/\\/[^\\/?#@ \\t"\\047:]*:[^ \\t"\\047]*@/, "://<redacted>@", line)\n' +
    '    gsub(/([Ss]ig|[Ss]ignature|[Tt]oken|[Cc]redential|[Kk]ey|[Ss]ecret|[Pp]assword)=[^&# \\t"\\047]*/, "<redacted>", line)\n' +
    '    gsub(/data:[A-Za-z0-9\\/;=+.-]*,[^ \\t"\\047]*/, "data:,<redacted>", line)\n' +
    '    return line\n' +
    '}\n' +
    'BEGIN { column = -1 }\n' +
    '{\n' +
    '    sub(/\\r$/, "")\n' +
    '    head = ""\n' +
    '    # The journal writes who says it before each line.\n' +
    '    if (match($0, /^[A-Z][a-z][a-z] [ 0-9][0-9] [0-9:]+ [^ ]+ [^ ]+\\[[0-9]+\\]: /)) {\n' +
    '        head = substr($0, 1, RLENGTH)\n' +
    '        $0 = substr($0, RLENGTH + 1)\n' +
    '    }\n' +
    '}\n' +
    'in_key || /-----BEGIN [A-Z0-9 ]*PRIVATE KEY/ {\n' +
    '    in_key = $0 !~ /-----END [A-Z0-9 ]*PRIVATE KEY/\n' +
    '    print head "<redacted>"\n' +
    '    next\n' +
    '}\n' +
    'quote != "" {\n' +
    '    if (index($0, quote)) quote = ""\n' +
    '    print head "<redacted>"\n' +
    '    next\n' +
    '}\n' +
    'depth > 0 {\n' +
    '    follow($0)\n' +
    '    print head "<redacted>"\n' +
    '    next\n' +
    '}\n' +
    'column >= 0 && /[^ \\t]/ {\n' +
    '    match($0, /^ */)\n' +
    '    indent = RLENGTH\n' +
    '    belongs = indent > column || (indent == column && substr($0, indent + 1) ~ /^-( |$)/)\n' +
    '    if (!belongs && is_empty) belongs = $0 !~ /[:=]/ && $0 !~ /^(---|[ \\t]*[]},#])/\n' +
    '    is_empty = 0\n' +
    '    if (belongs) {\n' +
    '        print head "<redacted>"\n' +
    '        next\n' +
    '    }\n' +
    '    column = -1\n' +
    '}\n' +
    '{\n' +
    '    at = find_secret($0)\n' +
    '    if (!at) {\n' +
    '        print head hide($0)\n' +
    '        next\n' +
    '    }\n' +
    '    value = substr($0, after)\n' +
    '    match(value, /^[ \\t]*/)\n' +
    '    shown = hide(substr($0, 1, after + RLENGTH - 1))\n' +
    '    value = substr(value, RLENGTH + 1)\n' +
    '    column = at - 1\n' +
    '    if (column > 0 && substr($0, column, 1) ~ /["\\047]/) column--\n' +
    '    is_empty = value == "" && substr($0, after - 1, 1) == ":"\n' +
    '    quote = head == "" ? open_quote(value) : ""\n' +
    '    depth = 0\n' +
    '    if (head == "" && value ~ /^[[{]/) follow(value)\n' +
    '    print head shown (value == "" ? "" : "<redacted>")\n' +
    '}\'\n' +
    '}\n' +
    '\n' +
    '# save NAME COMMAND…: what a program says, and why it says nothing.\n' +
    'save() {\n' +
    '    to=$work/$name/$1\n' +
    '    shift\n' +
    '    "$@" 2>&1 | redact >"$to"\n' +
    '}\n' +
    '\n' +
    '# save_table NAME: what the service knows of hosts, or of clusters.\n' +
    'save_table() {\n' +
    '    save "database/$1" podman exec assisted-db psql -d installer \\\n' +
    '        -c "select id, status, status_info, validations_info from $1"\n' +
    '}\n' +
    '\n' +
    'save units systemctl --no-pager list-units --all\n' +
    'save addresses ip address show\n' +
    'save routes ip route show\n' +
    'save disks lsblk --output NAME,TYPE,SIZE,SERIAL,WWN,MOUNTPOINT\n' +
    'save space df -h\n' +
    'save containers podman ps --all\n' +
    'if podman container exists assisted-db >/dev/null 2>&1; then\n' +
    '    save_table hosts\n' +
    '    save_table clusters\n' +
    'fi\n' +
    'for unit in NetworkManager agent agent-add-node agent-auth-token-status agent-import-cluster agent-register-cluster agent-register-infraenv \\\n' +
    '    apply-host-config assisted-service assisted-service-db assisted-service-pod coreiso-host coreiso-hostname coreiso-join coreiso-network \\\n' +
    '    install-status node-zero pre-network-manager-config set-hostname start-cluster-installation; do\n' +
    '    save "journal/$unit" journalctl --boot --no-pager --unit "$unit.service"\n' +
    'done\n' +
    'save journal/load-config-iso journalctl --boot --no-pager --unit \'load-config-iso@*.service\'\n' +
    'for path in "$ROOT"/etc/assisted/*.env "$ROOT"/etc/assisted/manifests/* "$ROOT"/etc/assisted/hostconfig/*/* \\\n' +
    '    "$ROOT"/etc/containers/registries.conf "$ROOT"/etc/resolv.conf "$ROOT"/run/agent-installer/host-config-failures \\\n' +
    '    "$ROOT"/run/coreiso/status.json "$ROOT"/usr/local/share/assisted-service/*.env "$ROOT"/usr/local/share/start-cluster/*.env \\\n' +
    '    "$ROOT"/var/log/agent/*.log "$ROOT"/var/log/openshift/*.json; do\n' +
    '    [ -f "$path" ] || continue\n' +
    '    # Kept as a whole or not at all.\n' +
    '    case $path in */pull-secret.yaml) continue ;; esac\n' +
    '    save "files/$(printf \'%s\' "${path#"$ROOT"/}" | tr / _)" cat "$path"\n' +
    'done\n' +
    'tar -C "$work" -cf - "$name" | xz >"$work/logs" || exit 1\n' +
    'if [ "$file" = - ]; then\n' +
    '    cat "$work/logs"\n' +
    '    exit\n' +
    'fi\n' +
    '# Under a name of its own first: what may be a link is replaced, and not followed.\n' +
    'mv -f "$work/logs" "$file" && echo "$file"\n',
  'bootstrap-service-record.sh':
    '#!/bin/sh\n' +
    '# Read by other scripts: keeps when a service and its stages began and how they ended, where the installer\'s analysis looks for it.\n' +
    '# Reading it begins the record; the end of the script ends it.\n' +
    '#\n' +
    '# SERVICE_NAME is by default that of the unit, PRE_COMMAND or POST_COMMAND that of a command before or after the service.\n' +
    '# ROOT puts another tree in place of /.\n' +
    'ROOT=${ROOT:-}\n' +
    'record_unit=$(ps -o unit= $$ 2>/dev/null)\n' +
    'records=$ROOT/var/log/openshift\n' +
    'record_file=$records/${SERVICE_NAME:-${record_unit%.service}}.json\n' +
    'record_stage=\n' +
    '\n' +
    '# what_runs: prints what is recorded now.\n' +
    'what_runs() {\n' +
    '    if [ -n "$record_stage" ]; then\n' +
    '        echo stage\n' +
    '    elif [ -n "${PRE_COMMAND:-}" ]; then\n' +
    '        echo pre-command\n' +
    '    elif [ -n "${POST_COMMAND:-}" ]; then\n' +
    '        echo post-command\n' +
    '    else\n' +
    '        echo service\n' +
    '    fi\n' +
    '}\n' +
    '\n' +
    '# record WHEN [RESULT]: adds an entry, without members that have nothing to say. That nothing can be written stops nobody.\n' +
    'record() {\n' +
    '    reason=\n' +
    '    [ "${2:-}" != failure ] || reason=$(journalctl --unit="$record_unit" --lines=3 --output=cat 2>/dev/null)\n' +
    '    mkdir -p "$records" && { [ -s "$record_file" ] || echo \'[]\' >"$record_file"; } &&\n' +
    '        jq --arg timestamp "$(date -u +%Y-%m-%dT%H:%M:%SZ)" --arg preCommand "${PRE_COMMAND:-}" --arg postCommand "${POST_COMMAND:-}" \\\n' +
    '            --arg stage "$record_stage" --arg phase "$(what_runs) $1" --arg result "${2:-}" --arg errorMessage "$reason" \\\n' +
    '            \'. + [$ARGS.named | with_entries(select(.value != ""))]\' "$record_file" >"$record_file.$$" &&\n' +
    '        mv -f "$record_file.$$" "$record_file" || rm -f "$record_file.$$"\n' +
    '    :\n' +
    '}\n' +
    '\n' +
    'record_service_stage_start() {\n' +
    '    record_stage=$1\n' +
    '    record start\n' +
    '}\n' +
    '\n' +
    'record_service_stage_success() {\n' +
    '    record end success\n' +
    '    record_stage=\n' +
    '}\n' +
    '\n' +
    'record_service_stage_failure() {\n' +
    '    record end failure\n' +
    '    record_stage=\n' +
    '}\n' +
    '\n' +
    '# record_exit STATUS: ends the stage that is going on, and the record.\n' +
    'record_exit() {\n' +
    '    if [ "$1" = 0 ]; then result=success; else result=failure; fi\n' +
    '    [ -z "$record_stage" ] || record end "$result"\n' +
    '    record_stage=\n' +
    '    record end "$result"\n' +
    '}\n' +
    '\n' +
    'record start\n' +
    'trap \'record_exit $?\' EXIT\n',
  'common.sh':
    '#!/bin/sh\n' +
    '# Read by other scripts: calls to the service of the installation.\n' +
    '#\n' +
    '# SERVICE_BASE_URL and USER_AUTH_TOKEN come from rendezvous-host.env. ROOT puts another tree in place of /.\n' +
    'ROOT=${ROOT:-}\n' +
    'LC_ALL=C\n' +
    'newline=\'\n' +
    '\'\n' +
    '# shellcheck source=issue_status.sh\n' +
    '. "$ROOT/usr/local/bin/issue_status.sh"\n' +
    '\n' +
    'log() {\n' +
    '    printf \'%s: %s\\n\' "${0##*/}" "$*" >&2\n' +
    '}\n' +
    '\n' +
    '# env_value FILE NAME: prints a value of an environment file.\n' +
    'env_value() {\n' +
    '    sed -n "s/^$2=//p" "$ROOT$1" 2>/dev/null\n' +
    '}\n' +
    '\n' +
    '# api METHOD ENDPOINT: sets $http_status and $answer. Fails, and says so on the console, unless the service does as it is told.\n' +
    '# The token goes in by the standard input: everybody can read the arguments of a program.\n' +
    'api() {\n' +
    '    url=${SERVICE_BASE_URL%/}/api/assisted-install/v2$2\n' +
    '    answer=$(printf \'header = "Authorization: %s"\\n\' "$USER_AUTH_TOKEN" |\n' +
    '        curl --config - --silent --show-error --noproxy \'*\' --max-time 30 --request "$1" \\\n' +
    '            --header \'Accept: application/json\' --write-out \'\\n%{http_code}\' "$url" 2>&1)\n' +
    '    http_status=${answer##*"$newline"}\n' +
    '    answer=${answer%"$newline"*}\n' +
    '    case $http_status in\n' +
    '    2??)\n' +
    '        clear_issue 85-service\n' +
    '        return 0\n' +
    '        ;;\n' +
    '    401 | 403) reason="the token of this image is not accepted (HTTP $http_status)" ;;\n' +
    '    [345]??) reason="HTTP $http_status" ;;\n' +
    '    *)\n' +
    '        # Without an answer the status is 000, and curl has said why in a line of its own.\n' +
    '        reason=${answer%"$newline"}\n' +
    '        reason=${reason##*"$newline"}\n' +
    '        ;;\n' +
    '    esac\n' +
    '    api_failed "$1" "$reason"\n' +
    '}\n' +
    '\n' +
    '# Always fails.\n' +
    'api_failed() {\n' +
    '    log "$1 $url: $2"\n' +
    '    set_issue 85-service "The service of the installation cannot be used: $1 $url: $2"\n' +
    '    return 1\n' +
    '}\n' +
    '\n' +
    '# from_answer FILTER: prints what jq makes of the answer; fails where that is no JSON, or not of the expected shape.\n' +
    'from_answer() {\n' +
    '    if ! printf \'%s\' "$answer" | jq -e -r "$1" 2>/dev/null; then\n' +
    '        # Nothing is an answer, too.\n' +
    '        printf \'%s\' "$answer" | jq -e . >/dev/null 2>&1 || api_failed GET \'the answer is no JSON\'\n' +
    '        return 1\n' +
    '    fi\n' +
    '}\n',
  'configure-assisted-hw-requirements.sh':
    '#!/bin/sh\n' +
    '# Puts into the settings of the service what it asks of machines.\n' +
    'set -u\n' +
    'ROOT=${ROOT:-}\n' +
    'file=$ROOT/usr/local/share/assisted-service/assisted-service.env\n' +
    'name=HW_VALIDATOR_REQUIREMENTS\n' +
    '\n' +
    '# machine ROLE CPUS MEMORY DISK [LATENCY LOSS]\n' +
    'machine() {\n' +
    '    printf \'"%s":{"cpu_cores":%s,"ram_mib":%s,"disk_size_gb":%s,"installation_disk_speed_threshold_ms":10\' "$1" "$2" "$3" "$4"\n' +
    '    [ "$#" -eq 4 ] || printf \',"network_latency_threshold_ms":%s,"packet_loss_percentage":%s\' "$5" "$6"\n' +
    '    printf \'}\'\n' +
    '}\n' +
    '\n' +
    'grep -q "^$name=TO_BE_REPLACED_BY_SYSTEMD\\$" "$file" || exit 0\n' +
    'requirements=$(\n' +
    '    printf \'[{"version":"default",\'\n' +
    '    machine master 4 16384 100 100 0\n' +
    '    printf ,\n' +
    '    machine arbiter 2 8192 50 1000 0\n' +
    '    printf ,\n' +
    '    machine worker 2 8192 100 1000 10\n' +
    '    printf ,\n' +
    '    machine sno 4 16384 100\n' +
    '    printf \'}]\'\n' +
    ')\n' +
    'umask 077\n' +
    'sed "s/^$name=.*/$name=$requirements/" "$file" >"$file.new" && mv -f "$file.new" "$file"\n',
  'extract-agent.sh':
    '#!/bin/sh\n' +
    '# Takes the program that registers this machine out of its image.\n' +
    'set -u\n' +
    'ROOT=${ROOT:-}\n' +
    '# shellcheck source=release-image.sh\n' +
    '. "$ROOT/usr/local/bin/release-image.sh"\n' +
    '\n' +
    'image=$(image_for agent-installer-node-agent) || exit 1\n' +
    'mkdir -p "$ROOT/run/agent-installer" || exit 1\n' +
    'container=$(podman create --quiet --authfile "$AUTH_FILE" "$image") || exit 1\n' +
    'podman cp "$container:/usr/bin/agent" "$ROOT/usr/local/bin/agent"\n' +
    'status=$?\n' +
    'podman rm --force "$container" >/dev/null\n' +
    '[ "$status" = 0 ] || exit 1\n' +
    'printf \'%s\\n\' "$image" >"$ROOT/run/agent-installer/agent-image"\n',
  'get-container-images.sh':
    '#!/bin/sh\n' +
    '# Writes down which images the parts of the service are.\n' +
    'set -u\n' +
    'ROOT=${ROOT:-}\n' +
    '# shellcheck source=release-image.sh\n' +
    '. "$ROOT/usr/local/bin/release-image.sh"\n' +
    '\n' +
    'file=$ROOT/usr/local/share/assisted-service/agent-images.env\n' +
    'mkdir -p "${file%/*}" || exit 1\n' +
    ': >"$file.new" || exit 1\n' +
    '\n' +
    'while read -r name component; do\n' +
    '    image=$(image_for "$component" </dev/null) || exit 1\n' +
    '    [ -n "$image" ] || exit 1\n' +
    '    printf \'%s=%s\\n\' "$name" "$image" >>"$file.new" || exit 1\n' +
    'done <<END\n' +
    'SERVICE_IMAGE agent-installer-api-server\n' +
    'CONTROLLER_IMAGE agent-installer-csr-approver\n' +
    'INSTALLER_IMAGE agent-installer-orchestrator\n' +
    'AGENT_DOCKER_IMAGE agent-installer-node-agent\n' +
    'AGENT_INSTALLER_UTILS_IMAGE agent-installer-utils\n' +
    'INSTALLER_UI_IMAGE agent-installer-ui\n' +
    'END\n' +
    'mv -f "$file.new" "$file"\n',
  'install-status.sh':
    '#!/bin/sh\n' +
    '# Keeps what the console says about the installation up to date.\n' +
    'set -u\n' +
    'ROOT=${ROOT:-}\n' +
    '# shellcheck source=common.sh\n' +
    '. "$ROOT/usr/local/bin/common.sh"\n' +
    '\n' +
    'settings=/etc/assisted/rendezvous-host.env\n' +
    'SERVICE_BASE_URL=$(env_value "$settings" SERVICE_BASE_URL)\n' +
    'USER_AUTH_TOKEN=$(env_value "$settings" USER_AUTH_TOKEN)\n' +
    '\n' +
    'if [ -e "$ROOT/etc/assisted/add-nodes.env" ]; then\n' +
    '    steps=\'agent-import-cluster agent-register-infraenv apply-host-config agent-add-node\'\n' +
    'else\n' +
    '    steps=\'agent-register-cluster agent-register-infraenv apply-host-config start-cluster-installation\'\n' +
    'fi\n' +
    '\n' +
    '# failed_steps: sets $failed to the units that are in trouble.\n' +
    'failed_steps() {\n' +
    '    failed=\n' +
    '    for step in assisted-service-pod assisted-service-db assisted-service $steps; do\n' +
    '        if systemctl is-failed --quiet "$step.service"; then failed="$failed $step.service"; fi\n' +
    '    done\n' +
    '}\n' +
    '\n' +
    '# cluster_status: prints how far the cluster is; nothing before it is registered.\n' +
    'cluster_status() {\n' +
    '    api GET /clusters || return\n' +
    '    from_answer \'.[0] // empty | [.status, .status_info // empty] | join(": ")\'\n' +
    '}\n' +
    '\n' +
    '# show_refused_hosts: what the step that configures hosts could not do. It tries again for ever, and the service knows nothing of it.\n' +
    'show_refused_hosts() {\n' +
    '    refused=$(head -c 4096 "$ROOT/run/agent-installer/host-config-failures" 2>/dev/null)\n' +
    '    if [ -n "$refused" ]; then\n' +
    '        set_issue 80-host-config "The installation cannot proceed:\n' +
    '$refused"\n' +
    '    else\n' +
    '        clear_issue 80-host-config\n' +
    '    fi\n' +
    '}\n' +
    '\n' +
    'while :; do\n' +
    '    failed_steps\n' +
    '    show_refused_hosts\n' +
    '    if [ -n "$failed" ]; then\n' +
    '        set_issue 90-status "These steps of the installation have failed:$failed\n' +
    'See journalctl -u UNIT, or collect everything with agent-gather"\n' +
    '    elif status=$(cluster_status) && [ -n "$status" ] && { [ -z "$refused" ] || [ "${status#ready}" = "$status" ]; }; then\n' +
    '        set_issue 90-status "The cluster is $status"\n' +
    '    else\n' +
    '        clear_issue 90-status\n' +
    '    fi\n' +
    '    sleep 5\n' +
    'done\n',
  'issue_status.sh':
    '#!/bin/sh\n' +
    '# Read by other scripts: what somebody before the machine should know, on the console.\n' +
    '#\n' +
    '# ROOT puts another tree in place of /.\n' +
    'ROOT=${ROOT:-}\n' +
    'issues=$ROOT/etc/issue.d\n' +
    '\n' +
    '# set_issue NAME LINES: shows them until they are taken away or replaced.\n' +
    'set_issue() {\n' +
    '    mkdir -p "$issues" || return\n' +
    '    # Several scripts may have something to say under one name at once.\n' +
    '    # What others answered may be in it: nothing of it controls the terminal, and agetty takes a backslash for a command.\n' +
    '    printf \'%s\\n\' "$2" | tr -d \'\\000-\\010\\013-\\037\\177\' | tr \'\\\\\' / >"$issues/.$1.$$" || return\n' +
    '    if [ -e "$issues/$1.issue" ] && cmp -s "$issues/.$1.$$" "$issues/$1.issue"; then\n' +
    '        rm -f "$issues/.$1.$$"\n' +
    '        return\n' +
    '    fi\n' +
    '    mv -f "$issues/.$1.$$" "$issues/$1.issue"\n' +
    '    reload_console\n' +
    '}\n' +
    '\n' +
    'clear_issue() {\n' +
    '    [ -e "$issues/$1.issue" ] || return 0\n' +
    '    rm -f "$issues/$1.issue"\n' +
    '    reload_console\n' +
    '}\n' +
    '\n' +
    'reload_console() {\n' +
    '    agetty --reload >/dev/null 2>&1 || :\n' +
    '}\n',
  'load-config-iso.sh':
    '#!/bin/sh\n' +
    '# Takes the settings of a site from a config image: load-config-iso.sh DEVICE\n' +
    '#\n' +
    '# CONFIG_IMAGE_FILES lists what comes from there, with commas between: files, which must be in it, and folders, which may be. What\n' +
    '# CONFIG_IMAGE_OPTIONAL lists may be in it. The image is not trusted to be what it should: nothing of it is written elsewhere, nothing\n' +
    '# but plain files is taken, and they belong to root. ROOT puts another tree in place of /.\n' +
    'set -fu\n' +
    'LC_ALL=C\n' +
    'export LC_ALL\n' +
    'ROOT=${ROOT:-}\n' +
    '# shellcheck source=issue_status.sh\n' +
    '. "$ROOT/usr/local/bin/issue_status.sh"\n' +
    'device=$ROOT/dev/$1\n' +
    'image_set=etc/assisted/manifests/cluster-image-set.yaml\n' +
    'hash=opt/agent/tls/kubeadmin-password.hash\n' +
    '# Units wait for this file: it comes last.\n' +
    'released_by=/etc/assisted/rendezvous-host.env\n' +
    'taken=$ROOT/run/coreiso/config-image\n' +
    'newline=\'\n' +
    '\'\n' +
    '\n' +
    '# refuse REASON: says why this image is not taken.\n' +
    'refuse() {\n' +
    '    echo "load-config-iso.sh: ${device##*/}: $1"\n' +
    '    set_issue "50-config-image-${device##*/}" "The config image on ${device##*/} cannot be used: $1"\n' +
    '    exit 1\n' +
    '}\n' +
    '\n' +
    '# check_alone: of two images each would be the wrong one for somebody.\n' +
    'check_alone() {\n' +
    '    others=$(lsblk --noheadings --raw --output NAME,LABEL | sed -n \'s/ agent_configimage$//p\' | grep -vx "${device##*/}")\n' +
    '    [ -z "$others" ] || refuse "there is another one on $(printf \'%s\' "$others" | tr \'\\n\' \' \'): remove one of them"\n' +
    '}\n' +
    '\n' +
    '# unpack: fills $tree from the archive in $work/config.cpio.\n' +
    'unpack() {\n' +
    '    names=$(cpio -it <"$work/config.cpio" 2>/dev/null) || refuse \'its archive cannot be read\'\n' +
    '    ! printf \'%s\\n\' "$names" | grep -qE \'(^|/)\\.\\.(/|$)\' || refuse \'its archive has paths that leave it\'\n' +
    '    # A file that is written through a link would leave it, too.\n' +
    '    kinds=$(cpio -itv <"$work/config.cpio" 2>/dev/null) || refuse \'its archive cannot be read\'\n' +
    '    ! printf \'%s\\n\' "$kinds" | grep -q \'^[^d-]\' || refuse \'its archive has more than files and folders\'\n' +
    '    # The installer\'s archives have paths from the root. GNU cpio would go there; busybox never does.\n' +
    '    case $(cpio --version 2>&1) in\n' +
    '    *GNU*) relative=--no-absolute-filenames ;;\n' +
    '    *) relative= ;;\n' +
    '    esac\n' +
    '    # shellcheck disable=SC2086 # one word or none\n' +
    '    (cd "$tree" && cpio -id $relative <"$work/config.cpio" 2>/dev/null) || refuse \'its archive cannot be read\'\n' +
    '    [ -z "$(find "$tree" ! -type f ! -type d)" ] || refuse \'its archive has more than files and folders\'\n' +
    '    [ -z "$(find "$tree" -name "*$newline*")" ] || refuse \'its archive has a name of two lines\'\n' +
    '}\n' +
    '\n' +
    '# release_of FILE: prints the release image that a ClusterImageSet names. Names and spaces in it differ from site to site.\n' +
    'release_of() {\n' +
    '    sed -n \'s/^ *releaseImage: *//p\' "$1" 2>/dev/null\n' +
    '}\n' +
    '\n' +
    '# check_release: the services of another release would not install this one.\n' +
    'check_release() {\n' +
    '    wanted=$(release_of "$ROOT/$image_set")\n' +
    '    found=$(release_of "$tree/$image_set")\n' +
    '    [ "$found" != "$wanted" ] || [ -z "$found" ] || return 0\n' +
    '    refuse "it is for another release, ${found:-of which it says nothing}, and this image is for $wanted"\n' +
    '}\n' +
    '\n' +
    '# check_machine: where all machines of the site are listed, this has to be one of them.\n' +
    'check_machine() {\n' +
    '    required=0\n' +
    '    for name in MASTER ARBITER WORKER; do\n' +
    '        count=$(sed -n "s/^REQUIRED_${name}_NODES=//p" "$tree/usr/local/share/start-cluster/start-cluster.env" 2>/dev/null)\n' +
    '        case $count in \'\' | *[!0-9]* | ?????*) count=0 ;; esac\n' +
    '        required=$((required + count))\n' +
    '    done\n' +
    '    lists=$(find "$tree/etc/assisted/hostconfig" -mindepth 2 -maxdepth 2 -name mac_addresses 2>/dev/null)\n' +
    '    [ -n "$lists" ] && [ "$(printf \'%s\\n\' "$lists" | wc -l)" -ge "$required" ] || return 0\n' +
    '    set +f\n' +
    '    macs=$(cat "$ROOT"/sys/class/net/*/address 2>/dev/null | tr \'A-F\' \'a-f\' | grep -v \'^00:00:00:00:00:00$\')\n' +
    '    set -f\n' +
    '    ! find "$tree/etc/assisted/hostconfig" -name mac_addresses -exec cat {} + | tr \'A-F-\' \'a-f:\' | grep -qxF "$macs" || return 0\n' +
    '    refuse \'it is for another site: none of the machines that it lists has a network card of this one\'\n' +
    '}\n' +
    '\n' +
    '# copy PATH: copies a file, or the files of a folder, in place of what was there. Nobody but their owner may write them.\n' +
    'copy() {\n' +
    '    [ -e "$tree$1" ] || return 0\n' +
    '    find "$tree$1" -type f | while IFS= read -r file; do\n' +
    '        target=$ROOT${file#"$tree"}\n' +
    '        # What is a link there is replaced, and not followed.\n' +
    '        (umask 022 && mkdir -p "${target%/*}" && rm -f "$target" && cp "$file" "$target") || exit 1\n' +
    '    done || refuse "$1 cannot be copied"\n' +
    '}\n' +
    '\n' +
    '# apply_settings: what has read its settings before they came.\n' +
    'apply_settings() {\n' +
    '    [ ! -s "$ROOT/$hash" ] || printf \'core:%s\\n\' "$(cat "$ROOT/$hash")" | chpasswd -e\n' +
    '    # systemd reads its own settings again, a proxy among them.\n' +
    '    systemctl daemon-reload\n' +
    '    [ ! -e "$tree/etc/pki/ca-trust/source/anchors/domain.crt" ] || update-ca-trust\n' +
    '    [ ! -e "$tree/etc/chrony.conf" ] || systemctl try-restart chronyd.service\n' +
    '    if [ -d "$ROOT/etc/assisted/network" ]; then\n' +
    '        "$ROOT/usr/local/bin/pre-network-manager-config.sh"\n' +
    '        systemctl restart NetworkManager.service\n' +
    '    fi\n' +
    '    [ ! -d "$ROOT/etc/assisted/hostnames" ] || systemctl restart set-hostname.service\n' +
    '}\n' +
    '\n' +
    'if [ -z "${CONFIG_IMAGE_FILES:-}" ]; then\n' +
    '    echo \'load-config-iso.sh: this image has its settings already\'\n' +
    '    exit 0\n' +
    'fi\n' +
    'mkdir -p "${taken%/*}" || exit 1\n' +
    '# One that was pulled may come back; udev does not start again what runs already.\n' +
    'while [ ! -e "$device" ]; do\n' +
    '    clear_issue "50-config-image-${device##*/}"\n' +
    '    sleep 5\n' +
    'done\n' +
    '# One after the other: udev starts this for each image at the same time.\n' +
    'exec 9>"$taken.lock" && flock 9 || exit 1\n' +
    'check_alone\n' +
    'work=$(mktemp -d) || exit 1\n' +
    'trap \'umount "$work/image" 2>/dev/null; rm -rf "$work"\' EXIT\n' +
    'tree=$work/tree\n' +
    'mkdir "$work/image" "$tree" || exit 1\n' +
    'mount -o ro,nosuid,nodev,noexec "$device" "$work/image" || refuse \'it cannot be mounted\'\n' +
    '[ ! -L "$work/image/config.gz" ] || refuse \'it has no config.gz\'\n' +
    '[ -f "$work/image/config.gz" ] || refuse \'it has no config.gz\'\n' +
    'digest=$(sha256sum <"$work/image/config.gz") || refuse \'its config.gz cannot be read\'\n' +
    'if [ -s "$taken" ]; then\n' +
    '    [ "$digest" = "$(cat "$taken")" ] ||\n' +
    '        refuse \'this machine has the settings of another one: boot it again to take these\'\n' +
    '    echo \'load-config-iso.sh: its settings were taken before\'\n' +
    '    clear_issue "50-config-image-${device##*/}"\n' +
    '    exit 0\n' +
    'fi\n' +
    '# 64 MiB are more than any: here that is memory.\n' +
    '(ulimit -f 131072 && gzip -dc "$work/image/config.gz" >"$work/config.cpio") || refuse \'its config.gz cannot be unpacked\'\n' +
    'unpack\n' +
    'check_release\n' +
    'IFS=,\n' +
    'for path in $CONFIG_IMAGE_FILES; do\n' +
    '    case ${path##*/} in\n' +
    '    *.* | issue) [ -f "$tree$path" ] || refuse "it lacks $path" ;;\n' +
    '    esac\n' +
    'done\n' +
    'unset IFS\n' +
    '# Another line would be the password of another user.\n' +
    'case $(cat "$tree/$hash" 2>/dev/null) in *[!./A-Za-z0-9\\$=,-]*) refuse \'its hash of a password is none\' ;; esac\n' +
    'check_machine\n' +
    'chmod -R u=rwX,go-w,a-st "$tree" || refuse \'its files cannot be copied\'\n' +
    'IFS=,\n' +
    'for path in ${CONFIG_IMAGE_OPTIONAL:-} $CONFIG_IMAGE_FILES; do\n' +
    '    [ "$path" = "$released_by" ] || copy "$path"\n' +
    'done\n' +
    'unset IFS\n' +
    'printf \'%s\\n\' "$digest" >"$taken"\n' +
    'apply_settings\n' +
    'copy "$released_by"\n' +
    'clear_issue "50-config-image-${device##*/}"\n' +
    'if [ -e "$tree/etc/assisted/add-nodes.env" ]; then\n' +
    '    steps=\'agent-add-node.service agent-auth-token-status.service\'\n' +
    'else\n' +
    '    steps=start-cluster-installation.service\n' +
    'fi\n' +
    '# Not waited for: they wait for much that this does not.\n' +
    '# shellcheck disable=SC2086 # names of units have no blanks\n' +
    'systemctl --no-block enable --now $steps\n',
  'oci-eval-user-data.sh':
    '#!/bin/sh\n' +
    '# Runs the user data of a machine in Oracle\'s cloud. On any other machine, and without user data, it does nothing.\n' +
    'set -u\n' +
    'metadata=http://169.254.169.254/opc/v2/instance/metadata/user_data\n' +
    '\n' +
    'tag=$(dmidecode --string chassis-asset-tag) || exit 1\n' +
    'if [ "$tag" != OracleCloud.com ]; then\n' +
    '    echo \'oci-eval-user-data.sh: this machine is not in the cloud of Oracle\'\n' +
    '    exit 0\n' +
    'fi\n' +
    'umask 077\n' +
    'work=$(mktemp -d) || exit 1\n' +
    'trap \'rm -rf "$work"\' EXIT\n' +
    'status=$(curl --silent --show-error --noproxy \'*\' --location --max-time 30 --retry 5 --retry-delay 30 --retry-connrefused \\\n' +
    '    --header \'Authorization: Bearer Oracle\' --output "$work/encoded" --write-out \'%{http_code}\' "$metadata") || exit 1\n' +
    'case $status in\n' +
    '200) ;;\n' +
    '404)\n' +
    '    echo \'oci-eval-user-data.sh: there is no user data\'\n' +
    '    exit 0\n' +
    '    ;;\n' +
    '*)\n' +
    '    echo "oci-eval-user-data.sh: the user data cannot be read: HTTP $status"\n' +
    '    exit 1\n' +
    '    ;;\n' +
    'esac\n' +
    'if ! base64 -d "$work/encoded" >"$work/script"; then\n' +
    '    echo \'oci-eval-user-data.sh: the user data is no base64\'\n' +
    '    exit 1\n' +
    'fi\n' +
    'bash "$work/script"\n',
  'pre-network-manager-config.sh':
    '#!/bin/sh\n' +
    '# Gives this machine the NetworkManager profiles that were made for it. Runs before NetworkManager.\n' +
    '#\n' +
    '# /etc/assisted/network/host<N> holds the profiles of one host and mac_interface.ini, lines of MAC=NAME. A directory is this\n' +
    '# machine\'s if one of its MACs is. Profiles speak of NAME; here they get the name that the interface has on this machine.\n' +
    '#\n' +
    '# ROOT puts another tree in place of /.\n' +
    'set -fu\n' +
    'LC_ALL=C\n' +
    'umask 077\n' +
    '\n' +
    'ROOT=${ROOT:-}\n' +
    'PATH=$ROOT/usr/local/bin:$PATH\n' +
    'networks=$ROOT/etc/assisted/network\n' +
    'staging=$ROOT/run/coreiso/profiles\n' +
    'newline=\'\n' +
    '\'\n' +
    '\n' +
    'list_nics() (\n' +
    '    # Prints the network cards of this machine, "MAC NAME" each, in the order of their names. The addresses are the cards\' own, in lower\n' +
    '    # case: a port of a bond has the address of the bond, and a card may have been given another one.\n' +
    '    #\n' +
    '    # ROOT puts another tree in place of /.\n' +
    '    set +f -u\n' +
    '    LC_ALL=C\n' +
    '    export LC_ALL\n' +
    '    ROOT=${ROOT:-}\n' +
    '\n' +
    '    # Devices on top of cards borrow the address of one.\n' +
    '    is_virtual() {\n' +
    '        [ -d "$1/bonding" ] || [ -d "$1/bridge" ] ||\n' +
    '            grep -qE \'^DEVTYPE=(bond|bridge|hsr|ipvlan|macvlan|macvtap|team|vlan|vxlan)$\' "$1/uevent" 2>/dev/null\n' +
    '    }\n' +
    '\n' +
    '    # Sets $mac to the permanent address of a card. An address that somebody has set is of type 3.\n' +
    '    read_mac() {\n' +
    '        mac=\n' +
    '        { read -r mac <"$1/bonding_slave/perm_hwaddr"; } 2>/dev/null && return\n' +
    '        origin=\n' +
    '        { read -r origin <"$1/addr_assign_type"; } 2>/dev/null\n' +
    '        if [ "$origin" = 3 ]; then\n' +
    '            mac=$(ethtool -P "${1##*/}" 2>/dev/null | sed -n \'s/^Permanent address: //p\')\n' +
    '            case $mac in *[!0:]*) return ;; esac\n' +
    '        fi\n' +
    '        { read -r mac <"$1/address"; } 2>/dev/null\n' +
    '    }\n' +
    '\n' +
    '    for nic in "$ROOT"/sys/class/net/*; do\n' +
    '        name=${nic##*/}\n' +
    '        [ "$name" != lo ] && ! is_virtual "$nic" || continue\n' +
    '        read_mac "$nic"\n' +
    '        case $mac in\n' +
    '        *[!0:]*) printf \'%s %s\\n\' "$mac" "$name" ;;\n' +
    '        esac\n' +
    '    done | sed \'h;s/ .*//;y/ABCDEF/abcdef/;G;s/\\n[^ ]*//\'\n' +
    ')\n' +
    '\n' +
    'log() {\n' +
    '    printf \'pre-network-manager-config.sh: %s\\n\' "$*"\n' +
    '}\n' +
    '\n' +
    '# Sets $pattern to a shell pattern for a MAC in any letter case.\n' +
    'fold_case() {\n' +
    '    pattern=\n' +
    '    rest=$1\n' +
    '    while [ -n "$rest" ]; do\n' +
    '        tail=${rest#?}\n' +
    '        digit=${rest%"$tail"}\n' +
    '        rest=$tail\n' +
    '        case $digit in\n' +
    '        [aA]) digit=\'[aA]\' ;;\n' +
    '        [bB]) digit=\'[bB]\' ;;\n' +
    '        [cC]) digit=\'[cC]\' ;;\n' +
    '        [dD]) digit=\'[dD]\' ;;\n' +
    '        [eE]) digit=\'[eE]\' ;;\n' +
    '        [fF]) digit=\'[fF]\' ;;\n' +
    '        esac\n' +
    '        pattern=$pattern$digit\n' +
    '    done\n' +
    '}\n' +
    '\n' +
    '# Sets $nics to lines of PATTERN/NAME in the order of the names.\n' +
    'read_nics() {\n' +
    '    nics=\n' +
    '    while read -r mac name; do\n' +
    '        [ -n "$mac" ] || continue\n' +
    '        fold_case "$mac"\n' +
    '        nics=$nics$pattern/$name$newline\n' +
    '    done <<END\n' +
    '$(list_nics)\n' +
    'END\n' +
    '}\n' +
    '\n' +
    '# Sets $real to the interface that has this MAC; of several the last. Fails if there is none.\n' +
    'find_nic() {\n' +
    '    real=\n' +
    '    IFS=$newline\n' +
    '    for nic in $nics; do\n' +
    '        # shellcheck disable=SC2254 # a pattern on purpose\n' +
    '        case $1 in\n' +
    '        ${nic%/*}) real=${nic##*/} ;;\n' +
    '        esac\n' +
    '    done\n' +
    '    unset IFS\n' +
    '    [ -n "$real" ]\n' +
    '}\n' +
    '\n' +
    '# Sets $matched to the directories of this machine.\n' +
    'match_hosts() {\n' +
    '    matched=\n' +
    '    set +f\n' +
    '    set -- "$networks"/host*/mac_interface.ini\n' +
    '    set -f\n' +
    '    for table; do\n' +
    '        [ -f "$table" ] || continue\n' +
    '        while IFS= read -r line || [ -n "$line" ]; do\n' +
    '            find_nic "${line%%=*}" || continue\n' +
    '            matched=$matched${table%/*}$newline\n' +
    '            break\n' +
    '        done <"$table"\n' +
    '    done\n' +
    '}\n' +
    '\n' +
    '# Sets $names to lines of NAME/REAL for the interfaces that this machine has.\n' +
    'read_names() {\n' +
    '    names=\n' +
    '    while IFS= read -r line || [ -n "$line" ]; do\n' +
    '        name=${line#*=}\n' +
    '        if ! find_nic "${line%%=*}"; then\n' +
    '            log "no interface has ${line%%=*}: profiles keep the name $name"\n' +
    '        elif [ -n "$name" ]; then\n' +
    '            log "$name is $real"\n' +
    '            names=$names$name/$real$newline\n' +
    '        fi\n' +
    '    done <"$1"\n' +
    '}\n' +
    '\n' +
    '# Sets $mapped to a name with the interface it begins with replaced: eth0 or eth0.101. Fails if it begins with none. All names at\n' +
    '# once: what one replacement wrote another must not touch.\n' +
    'map_name() {\n' +
    '    mapped=$1\n' +
    '    longest=\n' +
    '    IFS=$newline\n' +
    '    for entry in $names; do\n' +
    '        name=${entry%/*}\n' +
    '        real=${entry##*/}\n' +
    '        case $1 in\n' +
    '        "$name")\n' +
    '            mapped=$real\n' +
    '            longest=$name\n' +
    '            break\n' +
    '            ;;\n' +
    '        "$name".*)\n' +
    '            [ "${#name}" -gt "${#longest}" ] || continue\n' +
    '            longest=$name\n' +
    '            add_suffix "$real" "${1#"$name".}"\n' +
    '            ;;\n' +
    '        esac\n' +
    '    done\n' +
    '    unset IFS\n' +
    '    [ -n "$longest" ]\n' +
    '}\n' +
    '\n' +
    '# An interface name has at most 15 characters: enp94s0f0np0 and 2507 make enp94s0f0n.2507.\n' +
    'add_suffix() {\n' +
    '    suffix=${2%%.*}\n' +
    '    short=$1\n' +
    '    case $suffix in\n' +
    '    \'\' | *[!A-Za-z0-9_-]* | ??????????????*) ;;\n' +
    '    *) while [ $((${#short} + 1 + ${#suffix})) -gt 15 ]; do short=${short%?}; done ;;\n' +
    '    esac\n' +
    '    mapped=$short.$2\n' +
    '}\n' +
    '\n' +
    '# Sets $mapped to a routing rule with the interfaces that it names replaced.\n' +
    'map_rule() {\n' +
    '    rest="$1 "\n' +
    '    rule=\n' +
    '    before=\n' +
    '    while [ -n "$rest" ]; do\n' +
    '        word=${rest%% *}\n' +
    '        rest=${rest#* }\n' +
    '        mapped=$word\n' +
    '        case $before in\n' +
    '        iif | oif) map_name "$word" ;;\n' +
    '        esac\n' +
    '        rule="$rule $mapped"\n' +
    '        before=$word\n' +
    '    done\n' +
    '    mapped=${rule# }\n' +
    '}\n' +
    '\n' +
    '# Writes a profile under a name of this machine, with the names of interfaces inside it replaced. Other settings have words for\n' +
    '# values that somebody may have called an interface.\n' +
    'stage() {\n' +
    '    section=\n' +
    '    while IFS= read -r line || [ -n "$line" ]; do\n' +
    '        mapped=${line#*=}\n' +
    '        case $line in\n' +
    '        \\[*\\])\n' +
    '            section=${line#?}\n' +
    '            section=${section%?}\n' +
    '            ;;\n' +
    '        *=*)\n' +
    '            case $section/${line%%=*} in\n' +
    '            connection/id | connection/interface-name | connection/master | connection/controller | match/interface-name | \\\n' +
    '                */parent | bond/primary | bond/active_slave | hsr/port1 | hsr/port2) map_name "$mapped" ;;\n' +
    '            ipv[46]/routing-rule*) map_rule "$mapped" ;;\n' +
    '            esac\n' +
    '            line=${line%%=*}=$mapped\n' +
    '            ;;\n' +
    '        esac\n' +
    '        printf \'%s\\n\' "$line"\n' +
    '    done <"$1" >"$staging/$2"\n' +
    '}\n' +
    '\n' +
    '# Profiles called after an interface of this machine come first and replace others; the rest give way.\n' +
    'stage_host() {\n' +
    '    log "this machine is ${1##*/}"\n' +
    '    read_names "$1/mac_interface.ini"\n' +
    '    set +f\n' +
    '    set -- "$1"/*.nmconnection\n' +
    '    set -f\n' +
    '    for profile; do\n' +
    '        [ -f "$profile" ] || continue\n' +
    '        file=${profile##*/}\n' +
    '        map_name "${file%.nmconnection}" || continue\n' +
    '        file=$mapped.nmconnection\n' +
    '        [ ! -e "$staging/$file" ] || log "$file replaces a profile of the same name"\n' +
    '        log "${profile##*/} becomes $file"\n' +
    '        stage "$profile" "$file"\n' +
    '    done\n' +
    '    for profile; do\n' +
    '        [ -f "$profile" ] || continue\n' +
    '        file=${profile##*/}\n' +
    '        if map_name "${file%.nmconnection}"; then\n' +
    '            continue\n' +
    '        elif [ -e "$staging/$file" ]; then\n' +
    '            log "$file is dropped: another profile has that name already"\n' +
    '        else\n' +
    '            log "$file keeps its name"\n' +
    '            stage "$profile" "$file"\n' +
    '        fi\n' +
    '    done\n' +
    '}\n' +
    '\n' +
    '# What was there goes only now that there is something to take its place.\n' +
    'install_profiles() {\n' +
    '    if [ -e "$ROOT/etc/initrd-release" ]; then\n' +
    '        target=$ROOT/etc/coreos-firstboot-network\n' +
    '    else\n' +
    '        target=$ROOT/etc/NetworkManager/system-connections\n' +
    '    fi\n' +
    '    set +f\n' +
    '    set -- "$staging"/*.nmconnection\n' +
    '    if [ ! -e "$1" ]; then\n' +
    '        log \'there are no profiles to install: the default network stays\'\n' +
    '        return\n' +
    '    fi\n' +
    '    mkdir -p "$target" || exit 1\n' +
    '    rm -f -- "$target"/*\n' +
    '    cp -- "$@" "$target"/ || exit 1\n' +
    '    log "installed $# profiles in ${target#"$ROOT"}"\n' +
    '}\n' +
    '\n' +
    'if [ ! -d "$networks" ]; then\n' +
    '    log "there is no ${networks#"$ROOT"}: nothing to do"\n' +
    '    exit 0\n' +
    'fi\n' +
    'read_nics\n' +
    'match_hosts\n' +
    'if [ -z "$matched" ]; then\n' +
    '    log \'no host has a MAC address of this machine: the default network stays\'\n' +
    '    exit 0\n' +
    'fi\n' +
    'rm -rf "$staging" && mkdir -p "$staging" || exit 1\n' +
    'IFS=$newline\n' +
    'for directory in $matched; do\n' +
    '    unset IFS\n' +
    '    stage_host "$directory"\n' +
    'done\n' +
    'install_profiles\n' +
    'rm -rf "$staging"\n',
  'release-image-download.sh':
    '#!/bin/sh\n' +
    '# Fetches the release image, however often it takes, and checks that it is for machines like this one.\n' +
    'set -u\n' +
    'ROOT=${ROOT:-}\n' +
    '# shellcheck source=release-image.sh\n' +
    '. "$ROOT/usr/local/bin/release-image.sh"\n' +
    '# shellcheck source=issue_status.sh\n' +
    '. "$ROOT/usr/local/bin/issue_status.sh"\n' +
    '# shellcheck source=bootstrap-service-record.sh\n' +
    '. "$ROOT/usr/local/bin/bootstrap-service-record.sh"\n' +
    '\n' +
    'record_service_stage_start pull-release-image\n' +
    'until fetch_release; do\n' +
    '    message="The release image $RELEASE_IMAGE cannot be fetched${RELEASE_MIRROR:+, nor $RELEASE_MIRROR}; trying again"\n' +
    '    echo "$message"\n' +
    '    set_issue 80-release-image "$message"\n' +
    '    sleep 5\n' +
    'done\n' +
    'record_service_stage_success\n' +
    '\n' +
    'machine=$(uname -m)\n' +
    'case $machine in\n' +
    'x86_64) machine=amd64 ;;\n' +
    'aarch64) machine=arm64 ;;\n' +
    'esac\n' +
    'image=$(podman image inspect --format \'{{.Architecture}}\' "$RELEASE_IMAGE")\n' +
    'if [ "$image" != "$machine" ]; then\n' +
    '    message="The release image $RELEASE_IMAGE is for $image, and this machine is $machine"\n' +
    '    echo "$message"\n' +
    '    set_issue 80-release-image "$message"\n' +
    '    exit 1\n' +
    'fi\n' +
    'clear_issue 80-release-image\n',
  'release-image.sh':
    '#!/bin/sh\n' +
    '# Read by other scripts: the release image, and the images that it names.\n' +
    '#\n' +
    '# ROOT puts another tree in place of /.\n' +
    'ROOT=${ROOT:-}\n' +
    'RELEASE_IMAGE=$(sed -n \'s/^RELEASE_IMAGE=//p\' "$ROOT/etc/assisted/agent-installer.env")\n' +
    'AUTH_FILE=$ROOT/root/.docker/config.json\n' +
    '# Mirrors are asked for digests alone: a release that is named by its tag is fetched by the name of its mirror.\n' +
    'RELEASE_MIRROR=\n' +
    'case $RELEASE_IMAGE in\n' +
    '*@*) ;;\n' +
    '*) RELEASE_MIRROR=$(sed -n \'s/^OPENSHIFT_INSTALL_RELEASE_IMAGE_MIRROR=//p\' "$ROOT/usr/local/share/assisted-service/assisted-service.env" 2>/dev/null) ;;\n' +
    'esac\n' +
    '\n' +
    '# fetch_release: makes the release image known by its own name, wherever it comes from.\n' +
    'fetch_release() {\n' +
    '    podman image exists "$RELEASE_IMAGE" && return\n' +
    '    if [ -n "$RELEASE_MIRROR" ] && podman pull --quiet --authfile "$AUTH_FILE" "$RELEASE_MIRROR" >/dev/null; then\n' +
    '        podman tag "$RELEASE_MIRROR" "$RELEASE_IMAGE" && return\n' +
    '    fi\n' +
    '    podman pull --quiet --authfile "$AUTH_FILE" "$RELEASE_IMAGE" >/dev/null\n' +
    '}\n' +
    '\n' +
    '# image_for COMPONENT: prints the image of a component of the release.\n' +
    'image_for() {\n' +
    '    [ -z "$RELEASE_MIRROR" ] || fetch_release || :\n' +
    '    if ! podman run --quiet --rm --net=none "$RELEASE_IMAGE" image "$1"; then\n' +
    '        echo "the release image $RELEASE_IMAGE does not say which image is $1" >&2\n' +
    '        return 1\n' +
    '    fi\n' +
    '}\n',
  'set-hostname.sh':
    '#!/bin/sh\n' +
    '# Gives this machine the host name that belongs to the MAC address of one of its cards.\n' +
    'set -u\n' +
    'LC_ALL=C\n' +
    'ROOT=${ROOT:-}\n' +
    '\n' +
    'for card in "$ROOT"/sys/class/net/*; do\n' +
    '    [ "${card##*/}" != lo ] && read -r mac <"$card/address" || continue\n' +
    '    file=$ROOT/etc/assisted/hostnames/$(printf \'%s\' "$mac" | tr \'A-F\' \'a-f\')\n' +
    '    [ -n "$mac" ] && [ -f "$file" ] || continue\n' +
    '    name=$(cat "$file")\n' +
    '    case $name in\n' +
    '    \'\' | [.-]* | *[!A-Za-z0-9.-]*)\n' +
    '        echo "set-hostname.sh: what is meant for $mac is no host name"\n' +
    '        exit 1\n' +
    '        ;;\n' +
    '    esac\n' +
    '    echo "set-hostname.sh: the machine with $mac is called $name"\n' +
    '    hostnamectl set-hostname "$name"\n' +
    '    exit\n' +
    'done\n' +
    'echo \'set-hostname.sh: no name is meant for this machine\'\n',
  'set-node-zero.sh':
    '#!/bin/sh\n' +
    '# Finds out whether this machine is the one that runs the service: it has the address that everybody was told.\n' +
    'set -u\n' +
    'ROOT=${ROOT:-}\n' +
    '# shellcheck source=common.sh\n' +
    '. "$ROOT/usr/local/bin/common.sh"\n' +
    '\n' +
    'settings=/etc/assisted/rendezvous-host.env\n' +
    'until [ -e "$ROOT$settings" ]; do\n' +
    '    log "waiting for $settings"\n' +
    '    sleep 5\n' +
    'done\n' +
    'address=$(env_value "$settings" NODE_ZERO_IP)\n' +
    '\n' +
    '# find_mac: sets $mac to that of the interface with the address.\n' +
    'find_mac() {\n' +
    '    mac=$(ip -json address show |\n' +
    '        jq -r --arg address "$address" \'[.[] | select(any(.addr_info[]?; .local == $address)) | .address][0] // empty\')\n' +
    '    [ -n "$mac" ]\n' +
    '}\n' +
    '\n' +
    'seconds=0\n' +
    'until find_mac; do\n' +
    '    if [ "$seconds" -ge 30 ]; then\n' +
    '        log "$address belongs to another machine"\n' +
    '        set_issue 60-node-zero "The service of the installation is expected at $address, on another machine"\n' +
    '        exit 0\n' +
    '    fi\n' +
    '    sleep 1\n' +
    '    seconds=$((seconds + 1))\n' +
    'done\n' +
    'log "$address belongs to this machine: the service runs here"\n' +
    'set_issue 60-node-zero "This machine, $address, runs the service of the installation"\n' +
    'printf \'BOOTSTRAP_HOST_MAC=%s\\n\' "$mac" >"$ROOT/etc/assisted/node0"\n',
  'start-agent.sh':
    '#!/bin/sh\n' +
    '# Registers this machine at the service, and does what it is told from there.\n' +
    'set -u\n' +
    'ROOT=${ROOT:-}\n' +
    '# shellcheck source=common.sh\n' +
    '. "$ROOT/usr/local/bin/common.sh"\n' +
    '\n' +
    'infra_env=\n' +
    'while :; do\n' +
    '    if api GET /infra-envs; then\n' +
    '        infra_env=$(from_answer \'.[0].id // empty\') && [ -n "$infra_env" ] && break\n' +
    '    fi\n' +
    '    sleep 5\n' +
    'done\n' +
    'log "this machine registers at $SERVICE_BASE_URL"\n' +
    'image=$(cat "$ROOT/run/agent-installer/agent-image") || exit 1\n' +
    '# PULL_SECRET_TOKEN is in the environment.\n' +
    'exec "$ROOT/usr/local/bin/agent" --url "$SERVICE_BASE_URL" --infra-env-id "$infra_env" --agent-version "$image" --insecure=true\n',
  'start-cluster-installation.sh':
    '#!/bin/sh\n' +
    '# Starts the installation of the cluster as soon as all machines that it needs are ready for it.\n' +
    'set -u\n' +
    'ROOT=${ROOT:-}\n' +
    '# shellcheck source=common.sh\n' +
    '. "$ROOT/usr/local/bin/common.sh"\n' +
    'required=$((REQUIRED_MASTER_NODES + REQUIRED_ARBITER_NODES + REQUIRED_WORKER_NODES))\n' +
    '\n' +
    '# find_cluster: sets $cluster.\n' +
    'find_cluster() {\n' +
    '    api GET /clusters && cluster=$(from_answer \'.[0].id // empty\') && [ -n "$cluster" ]\n' +
    '}\n' +
    '\n' +
    '# count_known: sets $known to the number of machines that may be installed.\n' +
    'count_known() {\n' +
    '    api GET "/infra-envs/$INFRA_ENV_ID/hosts" && count=$(from_answer \'[.[] | select(.status == "known")] | length\') &&\n' +
    '        known=$count\n' +
    '}\n' +
    '\n' +
    '# read_status: sets $status to that of the cluster.\n' +
    'read_status() {\n' +
    '    api GET "/clusters/$cluster" && status=$(from_answer \'.status // empty\') && [ -n "$status" ]\n' +
    '}\n' +
    '\n' +
    'until find_cluster; do sleep 5; done\n' +
    'log "the cluster is $cluster"\n' +
    '\n' +
    'known=0\n' +
    'until count_known && [ "$known" -ge "$required" ]; do\n' +
    '    log "$known of $required machines are ready"\n' +
    '    set_issue 70-hosts "$known of the $required machines of the cluster are ready to be installed"\n' +
    '    sleep 10\n' +
    'done\n' +
    'set_issue 70-hosts "All $required machines of the cluster are ready to be installed"\n' +
    '\n' +
    'while :; do\n' +
    '    until read_status; do sleep 5; done\n' +
    '    case $status in\n' +
    '    ready)\n' +
    '        if api POST "/clusters/$cluster/actions/install" && [ "$http_status" = 202 ]; then\n' +
    '            log \'the installation is ordered\'\n' +
    '            clear_issue 70-hosts\n' +
    '        fi\n' +
    '        ;;\n' +
    '    insufficient | pending-for-input | preparing-for-installation) log "the cluster is $status" ;;\n' +
    '    *)\n' +
    '        log "the cluster is $status"\n' +
    '        exit 0\n' +
    '        ;;\n' +
    '    esac\n' +
    '    sleep 5\n' +
    'done\n',
  'wait-for-assisted-service.sh':
    '#!/bin/sh\n' +
    '# wait-for-assisted-service.sh [with-cluster]: waits until the service answers, and knows the cluster.\n' +
    'set -u\n' +
    'ROOT=${ROOT:-}\n' +
    '# shellcheck source=common.sh\n' +
    '. "$ROOT/usr/local/bin/common.sh"\n' +
    '\n' +
    'until api GET /infra-envs; do\n' +
    '    sleep 5\n' +
    'done\n' +
    'log \'the service answers\'\n' +
    '\n' +
    '# Machines that register before their cluster belong to none, and stay so. On the pages of the service it is made later.\n' +
    'if [ "${1:-}" = with-cluster ] && ! [ -e "$ROOT/etc/assisted/interactive-ui" ]; then\n' +
    '    until api GET /clusters && cluster=$(from_answer \'.[0].id // empty\') && [ -n "$cluster" ]; do\n' +
    '        set_issue 65-cluster \'The cluster is not registered yet: see journalctl -u agent-register-cluster.service -u agent-import-cluster.service\'\n' +
    '        sleep 5\n' +
    '    done\n' +
    '    clear_issue 65-cluster\n' +
    '    log "the service knows the cluster $cluster"\n' +
    'fi\n',
};
