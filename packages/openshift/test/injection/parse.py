# Reads texts as other programs do: a list of {kind, text} by standard input, a list of what each says by standard output.
import json
import sys
import tomllib

import yaml


def keyfile(text):
    import gi

    gi.require_version("NM", "1.0")
    from gi.repository import GLib, NM

    file = GLib.KeyFile()
    file.load_from_bytes(GLib.Bytes.new(text.encode()), GLib.KeyFileFlags.NONE)
    connection = NM.keyfile_read(file, "/", NM.KeyfileHandlerFlags.NONE, None, None)
    return connection.to_dbus(NM.ConnectionSerializationFlags.ALL).unpack()


READERS = {
    "yaml": lambda text: list(yaml.safe_load_all(text)),
    "toml": tomllib.loads,
    "json": json.loads,
    "keyfile": keyfile,
}


def read(kind, text):
    try:
        return {"value": READERS[kind](text)}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:300]}


def other(value):
    # A date or bytes where a text was meant is another type.
    return {f"({type(value).__name__})": str(value)}


sys.stdin.reconfigure(encoding="utf-8", errors="surrogatepass")
json.dump([read(one["kind"], one["text"]) for one in json.load(sys.stdin)], sys.stdout, default=other)
