#!/bin/sh
# Chooses the disk to install to. Reads root device hints from standard input, "NAME VALUE" each, and prints the one disk that all
# of them fit as "DEVICE SIZE TYPE". Fails, saying why, if none does or several do: a disk is never guessed.
#
# ROOT puts another tree in place of /.
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

hints=$(cat)
disks=$(lsblk --bytes --pairs --paths \
    --output NAME,KNAME,PKNAME,TYPE,SIZE,RO,ROTA,FSTYPE,MOUNTPOINT,HCTL,MODEL,VENDOR,SERIAL,WWN) || refuse 'lsblk failed'

# Sets $field to a column of $disk. What would end the quotes early is escaped by lsblk.
column() {
    field=${disk#*" $1=\""}
    field=${field%%\"*}
}

# Whether $disk can be written at all: no optical drive, no memory disk, not what this system runs from.
is_eligible() {
    column NAME
    name=$field
    case $name in
    /dev/zram* | /dev/ram* | /dev/fd*) return 1 ;;
    esac
    case $mounted in
    *"$newline$name$newline"*) return 1 ;;
    esac
    case $disk in
    *' TYPE="disk"'*) ;;
    *) return 1 ;;
    esac
    case $disk in
    *' SIZE="0"'* | *' RO="1"'* | *' FSTYPE="iso9660"'*) return 1 ;;
    esac
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
        case $field in *"$2"*) ;; *) false ;; esac
        ;;
    vendor)
        column VENDOR
        case $field in *"$2"*) ;; *) false ;; esac
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

# A path of a multipath device stands for the device: prints the line that lsblk has for it.
multipath_of() {
    set +f
    set -- "$ROOT/sys/class/block/${1##*/}/holders"/*
    set -f
    for holder; do
        IFS=$newline
        for disk in $disks; do
            unset IFS
            case " $disk" in
            *" KNAME=\"/dev/${holder##*/}\""*' TYPE="mpath"'*) printf '%s\n' "$disk" ;;
            esac
        done
        unset IFS
    done
}

mounted=$newline
IFS=$newline
for disk in $disks; do
    disk=" $disk"
    column MOUNTPOINT
    [ -n "$field" ] || continue
    column NAME
    mounted=$mounted$field$newline
    column PKNAME
    mounted=$mounted$field$newline
done

chosen=
count=0
for disk in $disks; do
    unset IFS
    disk=" $disk"
    is_eligible && fits_all || continue
    column NAME
    multipath=$(multipath_of "$field")
    [ -z "$multipath" ] || disk=" $multipath"
    column NAME
    name=$field
    column SIZE
    size=$field
    column TYPE
    case "$newline$chosen" in
    *"$newline$name "*) continue ;;
    esac
    chosen="$chosen$name $size $field$newline"
    count=$((count + 1))
done

case $count in
0) refuse 'no disk fits the root device hints' ;;
1) printf '%s' "$chosen" ;;
*) refuse "several disks fit the root device hints:$(printf '%s' "$chosen" | sed 's/^\([^ ]*\).*/ \1/' | tr -d '\n'); add a hint" ;;
esac
