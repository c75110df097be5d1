# SPDX-License-Identifier: Apache-2.0
"""The numbers of messages and fields, which the unit tests compare with the daemon's."""

from support.daemon import ROOT
from support.esphome_messages import lines

TABLE = ROOT / "Tests/ESPHomeTests/messages.txt"


def test_the_table_is_that_of_the_client_library():
    table = TABLE.read_text().splitlines()
    numbers = [int(line.split()[0]) for line in table]
    assert table == lines([number for number in numbers if number])
