# SPDX-License-Identifier: Apache-2.0
"""The messages of ESPHome's native API, as the client library of Home Assistant describes them.

    python support/esphome_messages.py NUMBER...    prints lines of Tests/ESPHomeTests/messages.txt
"""

import sys

from aioesphomeapi import api_pb2
from aioesphomeapi.core import MESSAGE_TYPE_TO_PROTO

PARTS = ("DeviceInfo", "ListEntitiesServicesArgument", "ExecuteServiceArgument")
"""Messages that are fields of others, which have no number."""


def line(number, descriptor):
    """A message: its number, its name, and its fields with their numbers and protobuf types."""
    fields = [f"{field.name}={field.number}:{field.type}" for field in sorted(descriptor.fields, key=lambda field: field.number)]
    return " ".join([str(number), descriptor.name, *fields])


def lines(numbers):
    """A line for each message, then for each part."""
    messages = [line(number, MESSAGE_TYPE_TO_PROTO[number].DESCRIPTOR) for number in numbers]
    return messages + [line(0, getattr(api_pb2, name).DESCRIPTOR) for name in PARTS]


if __name__ == "__main__":
    print("\n".join(lines(map(int, sys.argv[1:]))))
