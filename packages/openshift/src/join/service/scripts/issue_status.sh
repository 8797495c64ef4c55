#!/bin/sh
# Read by other scripts: what somebody before the machine should know, on the console.
#
# ROOT puts another tree in place of /.
ROOT=${ROOT:-}
issues=$ROOT/etc/issue.d

# set_issue NAME LINES: shows them until they are taken away or replaced.
set_issue() {
    mkdir -p "$issues" || return
    # Several scripts may have something to say under one name at once.
    # What others answered may be in it: nothing of it controls the terminal, and agetty takes a backslash for a command.
    printf '%s\n' "$2" | tr -d '\000-\010\013-\037\177' | tr '\\' / >"$issues/.$1.$$" || return
    if [ -e "$issues/$1.issue" ] && cmp -s "$issues/.$1.$$" "$issues/$1.issue"; then
        rm -f "$issues/.$1.$$"
        return
    fi
    mv -f "$issues/.$1.$$" "$issues/$1.issue"
    reload_console
}

clear_issue() {
    [ -e "$issues/$1.issue" ] || return 0
    rm -f "$issues/$1.issue"
    reload_console
}

reload_console() {
    agetty --reload >/dev/null 2>&1 || :
}
