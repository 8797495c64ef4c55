#!/usr/bin/python3
"""Reads keyfiles with libnm, the library that NetworkManager itself reads them with. No daemon, no D-Bus, no root.

Standard input: a JSON list of {"name", "content"}. Standard output: a JSON list, one object per keyfile:
  error    why libnm refused it: syntax, reading, normalising or verifying; absent if it did not
  warnings what libnm complained about and went on, as "[section] key: text"
  ignored  "section.key=value" that libnm lost: neither written back nor a known property at its default
  changed  "section.key: value -> other" that came back with another meaning
"""

import ipaddress
import json
import re
import sys

import gi

gi.require_version("NM", "1.0")
from gi.repository import GLib, NM  # noqa: E402

# Keyfile sections with a short name; libnm's own names of their settings.
SETTING_NAMES = {"ethernet": "802-3-ethernet"}
# What libnm writes under a newer or older name than it was read from.
RENAMED = {
    ("connection", "master"): "controller",
    ("connection", "slave-type"): "port-type",
    ("connection", "autoconnect-slaves"): "autoconnect-ports",
}


def read(content):
    keyfile = GLib.KeyFile()
    keyfile.load_from_data(content, len(content.encode()), GLib.KeyFileFlags.NONE)
    return keyfile


def value_in(keyfile, section, key):
    if not keyfile.has_group(section):
        return None
    keys = keyfile.get_keys(section)[0]
    for name in (key, RENAMED.get((section, key))):
        if name in keys:
            return keyfile.get_value(section, name)
    return None


def is_known(connection, section, key):
    """Whether it is a property that was merely left out because it has its default value."""
    setting = connection.get_setting_by_name(SETTING_NAMES.get(section, section))
    return setting is not None and any(prop.name == key for prop in setting.list_properties())


def is_numbered(section, key):
    """Addresses, routes and rules are numbered from 0 by nmstate and from 1 by libnm: compared as sets instead."""
    name = key.removesuffix("_options").rstrip("0123456789")
    return section in ("ipv4", "ipv6") and name != key and name in ("address", "route", "routing-rule")


def numbered_values(keyfile, section):
    if not keyfile.has_group(section):
        return {}
    values = {}
    for key in keyfile.get_keys(section)[0]:
        if is_numbered(section, key):
            name = key.removesuffix("_options").rstrip("0123456789")
            kind = name + ("_options" if key.endswith("_options") else "")
            values.setdefault(kind, []).append(normal_value(kind, keyfile.get_value(section, key)))
    return {kind: sorted(items) for kind, items in values.items()}


def normal_value(kind, value):
    if kind == "route":
        # libnm leaves out what is not given, and writes an unspecified gateway where a metric follows.
        parts = [part for part in value.split(",") if part not in ("", "0.0.0.0", "::")]
        return ",".join(part for part in parts if part != "0")
    if kind == "route_options":
        return ",".join(sorted(value.split(",")))
    if kind == "routing-rule":
        words = value.split()
        return " ".join(f"{name} {plain(text)}" for name, text in sorted(zip(words[::2], words[1::2])))
    if kind == "address":
        return canonical(value)
    return value


def plain(text):
    """Marks are decimal here and hexadecimal there; a single host needs no prefix length."""
    text = re.sub(r"(^[0-9.]+)/32$|(:.*)/128$", lambda match: match[1] or match[2], text)
    return re.sub(r"0x[0-9a-f]+", lambda match: str(int(match[0], 16)), text)


def canonical(value):
    address, _, length = value.partition("/")
    try:
        return f"{ipaddress.ip_address(address)}/{length}"
    except ValueError:
        return value


# Values that mean the same in two spellings.
SYNONYMS = {
    ("connection", "type"): {"802-3-ethernet": "ethernet"},
    ("ipv6", "addr-gen-mode"): {"0": "eui64", "1": "stable-privacy", "2": "default-or-eui64", "3": "default"},
}
TRUTH = {"true": "1", "yes": "1", "false": "0", "no": "0"}


def meaning(section, key, value):
    value = SYNONYMS.get((section, key), {}).get(value, value)
    if section == "sriov" and key.startswith("vf."):
        # Attributes in any order; 802.1q without priority is what a bare VLAN number means.
        words = value.replace("\\s", " ").split()
        return sorted(re.sub(r"^(vlans=[0-9]+\.[0-9]+)\.q$", r"\1", word).removesuffix(".0") for word in words)
    value = value.replace("\\\\", "\\").rstrip(";").lower()
    return TRUTH.get(value, value)


def check(name, content):
    result = {"name": name, "warnings": [], "ignored": [], "changed": []}

    def handler(_keyfile, _connection, kind, data, _user_data):
        if kind != NM.KeyfileHandlerType.WARN:
            return False
        section, key, _setting, _property = data.get_context()
        message, _severity = data.warn_get()
        # Whether certificates are on this machine says nothing about the keyfile.
        if message.endswith("does not exist"):
            return True
        result["warnings"].append(f"[{section}] {key}: {message}")
        return True

    try:
        keyfile = read(content)
        connection = NM.keyfile_read(keyfile, "/", NM.KeyfileHandlerFlags.NONE, handler, None)
        connection.normalize()
        connection.verify()
        written = NM.keyfile_write(connection, NM.KeyfileHandlerFlags.NONE, None, None)
    except GLib.Error as error:
        return {**result, "error": error.message}

    for section in keyfile.get_groups()[0]:
        for key in keyfile.get_keys(section)[0]:
            if is_numbered(section, key):
                continue
            before = keyfile.get_value(section, key)
            after = value_in(written, section, key)
            if after is None:
                if not is_known(connection, section, key):
                    result["ignored"].append(f"{section}.{key}={before}")
            elif meaning(section, key, before) != meaning(section, key, after):
                result["changed"].append(f"{section}.{key}: {before} -> {after}")
        before, after = numbered_values(keyfile, section), numbered_values(written, section)
        for kind in sorted(before.keys() | after.keys()):
            if before.get(kind) != after.get(kind):
                result["changed"].append(f"{section}.{kind}: {before.get(kind)} -> {after.get(kind)}")
    return result


if __name__ == "__main__":
    json.dump([check(file["name"], file["content"]) for file in json.load(sys.stdin)], sys.stdout)
