#!/bin/sh
# Puts into the settings of the service what it asks of machines.
set -u
ROOT=${ROOT:-}
file=$ROOT/usr/local/share/assisted-service/assisted-service.env
name=HW_VALIDATOR_REQUIREMENTS

# machine ROLE CPUS MEMORY DISK [LATENCY LOSS]
machine() {
    printf '"%s":{"cpu_cores":%s,"ram_mib":%s,"disk_size_gb":%s,"installation_disk_speed_threshold_ms":10' "$1" "$2" "$3" "$4"
    [ "$#" -eq 4 ] || printf ',"network_latency_threshold_ms":%s,"packet_loss_percentage":%s' "$5" "$6"
    printf '}'
}

grep -q "^$name=TO_BE_REPLACED_BY_SYSTEMD\$" "$file" || exit 0
requirements=$(
    printf '[{"version":"default",'
    machine master 4 16384 100 100 0
    printf ,
    machine arbiter 2 8192 50 1000 0
    printf ,
    machine worker 2 8192 100 1000 10
    printf ,
    machine sno 4 16384 100
    printf '}]'
)
umask 077
sed "s/^$name=.*/$name=$requirements/" "$file" >"$file.new" && mv -f "$file.new" "$file"
