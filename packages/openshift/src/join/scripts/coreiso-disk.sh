#!/bin/sh
# Answers questions about the disks of this machine.
#
#   coreiso-disk choose              the one disk that fits all root device hints on standard input, "NAME VALUE" each, as
#                                    "DEVICE SIZE TYPE DISK...". Fails, saying why, if none does or several do: a disk is never guessed.
#   coreiso-disk labelled LABEL      the file systems with this label, "PARTITION DISK..." each
#   coreiso-disk part DEVICE LABEL   the one on a disk, as "PARTITION NUMBER". Fails if there is none.
#
# DISK... are the disks that a device is made of in the end; a disk is made of itself. ROOT puts another tree in place of /.
set -fu
LC_ALL=C
export LC_ALL
ROOT=${ROOT:-}
newline='
'

refuse() {
    printf '%s\n' "$*" >&2
    exit 1
}

# Rows of NAME="VALUE" after a blank each. What lsblk complains about is no reason to stop as long as it has an answer.
disks=$(lsblk --bytes --pairs --paths 2>/dev/null \
    --output NAME,KNAME,PKNAME,TYPE,SIZE,RO,ROTA,FSTYPE,LABEL,MOUNTPOINT,HCTL,MODEL,VENDOR,SERIAL,WWN | sed 's/^/ /')
[ -n "$disks" ] || refuse 'lsblk shows no disks'

# Sets $field to a column of $disk. What would end the quotes early is escaped by lsblk.
column() {
    field=${disk#*" $1=\""}
    field=${field%%\"*}
}

# Adds what a device is made of to $parents, by kernel names: a partition's disk, and what RAID, LVM, LUKS or multipath put together.
# lsblk shows only one parent of several.
add_parents() {
    IFS=$newline
    for disk in $disks; do
        case $disk in
        *" KNAME=\"$1\""*)
            column PKNAME
            [ -z "$field" ] || parents="$parents $field"
            ;;
        esac
    done
    unset IFS
    set +f
    set -- "$ROOT/sys/class/block/${1##*/}/slaves"/*
    set -f
    for slave; do
        [ ! -e "$slave" ] || parents="$parents /dev/${slave##*/}"
    done
}

# Sets $lineage to a device and everything below it, each between blanks.
trace() {
    lineage=" $1 "
    parents=" $1"
    while [ -n "$parents" ]; do
        next=${parents# }
        next=${next%% *}
        parents=${parents#" $next"}
        case $lineage in
        *" $next "*) [ "$next" = "$1" ] || continue ;;
        *) lineage="$lineage$next " ;;
        esac
        add_parents "$next"
    done
}

# Prints the disks of $lineage, a blank before each.
roots() {
    IFS=$newline
    for disk in $disks; do
        column KNAME
        case $lineage/$disk in
        *" $field "*/*' TYPE="disk"'*) printf ' %s' "$field" ;;
        esac
    done
    unset IFS
}

# Whether $disk can be written at all: no optical drive, no memory disk, nothing that this system runs from.
is_eligible() {
    column KNAME
    case $field in
    /dev/zram* | /dev/ram* | /dev/fd*) return 1 ;;
    esac
    case $used in
    *" $field "*) return 1 ;;
    esac
    case $disk in
    *' TYPE="disk"'*) ;;
    *) return 1 ;;
    esac
    case $disk in
    *' SIZE="0"'* | *' RO="1"'* | *' FSTYPE="iso9660"'*) return 1 ;;
    esac
}

# A text as udev has it, which writes underscores for blanks.
underscored() {
    printf '%s\n' "$1" | sed 's/[ _]*$//;s/[ _][ _]*/_/g'
}

contains() {
    case $(underscored "$field") in *"$(underscored "$1")"*) ;; *) false ;; esac
}

# Whether $disk fits a hint. Models and vendors may be given in part, as upstream takes them.
fits() {
    case $1 in
    deviceName)
        column NAME
        [ "$2" = "$field" ] || [ "$(readlink -f -- "$ROOT$2")" = "$ROOT$field" ]
        ;;
    hctl)
        column HCTL
        [ "$2" = "$field" ]
        ;;
    model)
        column MODEL
        contains "$2"
        ;;
    vendor)
        column VENDOR
        contains "$2"
        ;;
    serialNumber)
        column SERIAL
        [ "$2" = "$field" ]
        ;;
    minSizeGigabytes)
        column SIZE
        [ "$field" -ge $(($2 * 1000000000)) ]
        ;;
    wwn)
        # lsblk prints the number with its vendor extension, the first half of which alone is the WWN.
        column WWN
        [ "$2" = "$field" ] || { [ "${#2}" -eq 18 ] && [ "$2" = "${field%????????????????}" ]; }
        ;;
    wwnWithExtension)
        column WWN
        [ "$2" = "$field" ]
        ;;
    wwnVendorExtension)
        column WWN
        [ "${#field}" -eq 34 ] && [ "${2#0x}" = "${field#0x????????????????}" ]
        ;;
    rotational)
        column ROTA
        case $2/$field in true/1 | false/0) ;; *) false ;; esac
        ;;
    *)
        refuse "there is no root device hint $1"
        ;;
    esac
}

fits_all() {
    while read -r hint value; do
        [ -z "$hint" ] || fits "$hint" "$value" || return 1
    done <<END
$hints
END
}

# A path of a multipath device stands for the device: prints the row that lsblk has for it.
multipath_of() {
    set +f
    set -- "$ROOT/sys/class/block/${1##*/}/holders"/*
    set -f
    for holder; do
        IFS=$newline
        for disk in $disks; do
            unset IFS
            case $disk in
            *" KNAME=\"/dev/${holder##*/}\""*' TYPE="mpath"'*)
                printf '%s\n' "$disk"
                return
                ;;
            esac
        done
        unset IFS
    done
}

# Sets $used to all that mounted file systems and swap space are made of, each between blanks.
find_used() {
    used=' '
    IFS=$newline
    for row in $disks; do
        unset IFS
        disk=$row
        column MOUNTPOINT
        [ -n "$field" ] || continue
        column KNAME
        trace "$field"
        used=$used$lineage
    done
    unset IFS
}

choose() {
    hints=$(cat)
    find_used
    chosen=
    names=
    IFS=$newline
    for row in $disks; do
        unset IFS
        disk=$row
        is_eligible && fits_all || continue
        column KNAME
        multipath=$(multipath_of "$field")
        [ -z "$multipath" ] || disk=$multipath
        column SIZE
        size=$field
        column TYPE
        type=$field
        column NAME
        name=$field
        case "$names " in
        *" $name "*) continue ;;
        esac
        names="$names $name"
        column KNAME
        trace "$field"
        chosen="$name $size $type$(roots)"
    done
    unset IFS
    case $names in
    '') refuse 'no disk fits the root device hints' ;;
    ' '*' '*) refuse "several disks fit the root device hints:$names; add a hint" ;;
    *) printf '%s\n' "$chosen" ;;
    esac
}

labelled() {
    IFS=$newline
    for row in $disks; do
        unset IFS
        disk=$row
        case $disk in
        *" LABEL=\"$1\""*) ;;
        *) continue ;;
        esac
        column NAME
        name=$field
        column KNAME
        trace "$field"
        printf '%s%s\n' "$name" "$(roots)"
    done
    unset IFS
}

# Sets $kname to what the kernel calls a device.
find_kname() {
    kname=
    IFS=$newline
    for disk in $disks; do
        column NAME
        [ "$field" = "$1" ] || continue
        column KNAME
        kname=$field
    done
    unset IFS
}

# The kernel numbers partitions of disks; the name of one of a multipath device ends in its number.
part() {
    find_kname "$1"
    IFS=$newline
    for row in $disks; do
        unset IFS
        disk=$row
        column KNAME
        partition=$field
        column NAME
        name=$field
        case $disk in
        *" LABEL=\"$2\""*) trace "$partition" ;;
        *) continue ;;
        esac
        case $lineage in
        *" $kname "*) ;;
        *) continue ;;
        esac
        number=
        { read -r number <"$ROOT/sys/class/block/${partition##*/}/partition"; } 2>/dev/null
        printf '%s %s\n' "$name" "${number:-${name##*[!0-9]}}"
        return
    done
    unset IFS
    return 1
}

case ${1:-} in
choose | labelled | part) "$@" ;;
*) refuse 'usage: coreiso-disk choose | labelled LABEL | part DEVICE LABEL' ;;
esac
