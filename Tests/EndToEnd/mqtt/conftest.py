# SPDX-License-Identifier: Apache-2.0
"""A daemon at the file's broker, and a client that receives everything."""

import pytest

from support.broker import MQTTClient


@pytest.fixture
def lobby(start, shared_broker):
    """A daemon at the file's broker, as the node `lobby`."""
    daemon = start("--mqtt", shared_broker.url())
    daemon.line("MQTT: connected")
    return daemon


@pytest.fixture
def subscriber(shared_broker):
    """A client of the file's broker that receives every topic of the daemons."""
    with MQTTClient(shared_broker, "b/#") as client:
        yield client
