# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A logind on a private bus, told by lines on standard input what to do; each is answered by one line when it is done.

Usage: logind.py BUS-ADDRESS
"""
import os
import sys
import time

import dbus
import dbus.lowlevel
import dbus.mainloop.glib
import dbusmock.mockobject
from gi.repository import GLib

ADDRESS = sys.argv[1]
MANAGER = "org.freedesktop.login1.Manager"
SESSION = "org.freedesktop.login1.Session"
ROOT = "/org/freedesktop/login1"

dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
loop = GLib.MainLoop()
connection = dbus.bus.BusConnection(ADDRESS)
template = dbusmock.mockobject.load_module("logind")


def appear():
    """Takes logind's name and puts the mock's objects on the bus."""
    global manager, owned
    dbusmock.mockobject.objects.clear()
    owned = dbus.service.BusName(template.BUS_NAME, connection, do_not_queue=True)
    # The object above is kept by dbus-python and asks only once.
    connection.request_name(template.BUS_NAME)
    manager = dbusmock.mockobject.DBusMockObject(owned, ROOT, MANAGER, {}, "/dev/null", False)
    manager.AddTemplate("logind", {})
    dbusmock.mockobject.objects[ROOT] = manager


def disappear():
    connection.release_name(template.BUS_NAME)
    for thing in list(dbusmock.mockobject.objects.values()):
        thing.remove_from_connection()


def session(name):
    return dbusmock.mockobject.objects[ROOT + "/session/" + name]


def signal(path, interface, member, *arguments):
    message = dbus.lowlevel.SignalMessage(path, interface, member)
    message.append(*arguments)
    return message


def forged():
    yes = dbus.Boolean(True)
    return [
        signal(ROOT, MANAGER, "PrepareForSleep", yes),
        signal(ROOT, MANAGER, "PrepareForShutdown", yes),
        signal(ROOT + "/session/ours", SESSION, "Lock"),
        signal("/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged", template.BUS_NAME, "", "FORGER"),
    ]


def forge():
    """Another connection sends the signals: to all, and straight to each connection; the last one names itself as logind."""
    forger = dbus.bus.BusConnection(ADDRESS, mainloop=None)
    name = forger.get_unique_name()
    for receiver in [None] + [n for n in connection.list_names() if n.startswith(":") and n != name]:
        messages = forged()
        messages[-1] = signal(
            "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged", template.BUS_NAME, "", name)
        for message in messages + forged()[:2]:
            if receiver:
                message.set_destination(receiver)
            forger.send_message(message)
    forger.flush()
    # Closed only when the bus has passed all of it on.
    forger.get_object("org.freedesktop.DBus", "/org/freedesktop/DBus").GetId()
    forger.close()


def listeners():
    return sum(1 for n in connection.list_names() if n.startswith(":"))


def run(words):
    verb, rest = words[0], words[1:]
    if verb == "sleep":
        manager.EmitSignal(MANAGER, "PrepareForSleep", "b", [rest[0] == "1"])
    elif verb == "shutdown":
        manager.EmitSignal(MANAGER, "PrepareForShutdown", "b", [rest[0] == "1"])
    elif verb == "malformed":
        connection.send_message(signal(ROOT, MANAGER, "PrepareForSleep", "true"))
        connection.send_message(signal(ROOT, MANAGER, "PrepareForSleep"))
        connection.send_message(signal(ROOT, MANAGER, "PrepareForShutdown", dbus.UInt32(1)))
    elif verb == "session":
        manager.AddSession(rest[0], "seat0", dbus.UInt32(int(rest[1])), "user" + rest[1], True)
    elif verb == "oddsession":
        manager.AddSession(rest[0], "seat0", dbus.UInt32(0), "odd", True)
        session(rest[0]).Set(SESSION, "User", "nobody can tell")
    elif verb == "lock":
        session(rest[0]).EmitSignal(SESSION, "Lock", "", [])
    elif verb == "locknowhere":
        connection.send_message(signal(ROOT + "/session/gone", SESSION, "Lock"))
    elif verb == "stall":
        session(rest[0]).EmitSignal(SESSION, "Lock", "", [])
        connection.flush()
        print("ok", flush=True)
        time.sleep(float(rest[1]))
        return None
    elif verb == "inhibitors":
        return " ".join(",".join(map(str, i[:4])) for i in getattr(dbusmock.mockobject, "inhibitors", [])) or "none"
    elif verb == "forge":
        forge()
    elif verb == "restart":
        disappear()
        appear()
    elif verb == "listeners":
        return str(listeners())
    connection.flush()
    return "ok"


# Bytes of a line that is not whole yet; standard input is read unbuffered, or the loop would not hear of a second line.
pending = b""


def read(descriptor, _):
    global pending
    data = os.read(descriptor, 4096)
    if not data:
        loop.quit()
        return False
    pending += data
    while b"\n" in pending:
        line, pending = pending.split(b"\n", 1)
        answer = run(line.decode().split())
        if answer is not None:
            print(answer, flush=True)
    return True


appear()
GLib.unix_fd_add_full(GLib.PRIORITY_DEFAULT, 0, GLib.IO_IN | GLib.IO_HUP, read)
print("ready", flush=True)
loop.run()
