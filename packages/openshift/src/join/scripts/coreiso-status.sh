#!/bin/sh
# Answers the one HTTP request on standard input: GET /status, with the token of the image as bearer, gets the status of this
# machine. Whoever lacks the token gets 404, whatever they ask.
#
# $CREDENTIALS_DIRECTORY has both as they are at this moment, in the files token and status. No more than 8 KiB are read, byte by
# byte, as a request may come in pieces and its end is no end of the stream. The unit limits the time.
set -fu
LC_ALL=C
export LC_ALL
# Strangers shall not fill the journal.
exec 2>/dev/null
credentials=${CREDENTIALS_DIRECTORY:-/nonexistent}
cr=$(printf '\r')
newline='
'

# Sets $method, $target and $bearer to those of a whole request.
read_request() {
    bearer=
    read -r method target version || return 1
    case ${version%"$cr"} in
    HTTP/1.[01]) ;;
    *) return 1 ;;
    esac
    while IFS= read -r line; do
        line=${line%"$cr"}
        case $line in
        '') return ;;
        [Aa][Uu][Tt][Hh][Oo][Rr][Ii][Zz][Aa][Tt][Ii][Oo][Nn]:*)
            # A scheme and a token, with any blanks around them.
            set -- ${line#*:}
            bearer=
            case ${1:-} in [Bb][Ee][Aa][Rr][Ee][Rr]) bearer=${2:-} ;; esac
            ;;
        esac
    done
    return 1
}

# Whether the request has the token, which is one line without blanks.
is_trusted() {
    token=
    read -r token <"$credentials/token"
    [ -n "$token" ] && [ "$bearer" = "$token" ]
}

# Sends a status, more headers, and a file.
answer() {
    printf 'HTTP/1.1 %s\r\n%sContent-Length: %d\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n' "$1" "$2" "$(wc -c <"$3")"
    cat "$3"
}

respond() {
    if ! read_request || ! is_trusted || [ "$target" != /status ]; then
        answer '404 Not Found' '' /dev/null
    elif [ "$method" != GET ]; then
        answer '405 Method Not Allowed' "Allow: GET$cr$newline" /dev/null
    else
        answer '200 OK' "Content-Type: application/json$cr$newline" "$credentials/status"
    fi
}

# The reader would wait for more than the request, so it is ended.
sh -c 'echo "$$"; exec dd bs=1 count=8192' | {
    read -r reader
    respond
    kill "$reader"
}
