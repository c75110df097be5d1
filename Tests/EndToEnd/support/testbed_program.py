# SPDX-License-Identifier: Apache-2.0
"""Holds a umockdev testbed and carries out commands: one a line, words between tabs.

    add SUBSYSTEM NAME [ATTRIBUTE VALUE]...     ok PATH
    uevent PATH ACTION PROPERTY VALUE           ok
    remove PATH                                 ok
"""

import ctypes
import sys

_library = ctypes.CDLL("libumockdev.so.0")
_text, _texts, _object = ctypes.c_char_p, ctypes.POINTER(ctypes.c_char_p), ctypes.c_void_p


def function(name, result, *arguments):
    call = getattr(_library, f"umockdev_testbed_{name}")
    call.restype, call.argtypes = result, arguments
    return call


new = function("new", _object)
root = function("get_root_dir", _text, _object)
add = function("add_devicev", _text, _object, _text, _text, _text, _texts, _texts)
remove = function("remove_device", None, _object, _text)
uevent = function("uevent", None, _object, _text, _text)
set_property = function("set_property", None, _object, _text, _text, _text)
free = ctypes.CDLL("libgobject-2.0.so.0").g_object_unref
free.argtypes = [_object]


def strings(words):
    return (_text * (len(words) + 1))(*[word.encode() for word in words], None)


def carry_out(testbed, command, *words):
    if command == "add":
        subsystem, name, *attributes = words
        path = add(testbed, subsystem.encode(), name.encode(), None, strings(attributes), strings(["SOURCE", ""]))
        return f"ok {path.decode()}"
    path, *more = (word.encode() for word in words)
    if command == "uevent":
        action, name, value = more
        set_property(testbed, path, name, value)
        uevent(testbed, path, action)
    else:
        remove(testbed, path)
    return "ok"


testbed = new()
print(root(testbed).decode(), flush=True)
for line in sys.stdin:
    print(carry_out(testbed, *line.rstrip("\n").split("\t")), flush=True)
# Removes its directory.
free(testbed)
