# SPDX-License-Identifier: Apache-2.0
"""The nodes of a gateway: over REST, as events, in the metrics and in the log."""

import pytest

from support import contract
from support.broker import TIMEOUT
from support.events import Stream
from support.until import until


@pytest.fixture
def gateway(start, broker):
    daemon = start("--display", "none", "--mqtt", broker.url("edge"), "--mirror", "b/+", expects="node")
    daemon.line("MQTT: connected", within=TIMEOUT)
    return daemon


def nodes(client):
    answer = client.get("/v1/nodes").json()
    contract.validate("Nodes", answer)
    return {node["name"]: node for node in answer["nodes"]}


def test_a_node_is_listed_and_reported_while_it_is_online_and_after(gateway, start, connect, broker):
    client = connect(gateway, timeout=TIMEOUT)
    assert nodes(client) == {}
    stream = Stream(gateway.port, "/v1/events?types=node", timeout=TIMEOUT)
    lobby = start("--display", "simulated:panel", "--mqtt", broker.url("lobby") + "&tags=floor1")
    until(lambda: nodes(client).get("lobby", {}).get("displays") == ["lobby:panel"], "its display is there", within=TIMEOUT)
    until(lambda: nodes(client)["lobby"]["version"], "its version is there", within=TIMEOUT)
    node = nodes(client)["lobby"]
    assert (node["online"], node["topic"], node["tags"]) == (True, "b/lobby", ["floor1"])
    gateway.line(f"node lobby: online, version {node['version']}", within=TIMEOUT)
    metrics = client.get("/metrics").text
    assert f'brightnessd_node_info{{node="lobby",version="{node["version"]}"}} 1' in metrics
    assert 'brightnessd_node_online{node="lobby"} 1' in metrics

    lobby.kill()
    gateway.line("node lobby: offline", within=TIMEOUT)
    until(lambda: nodes(client)["lobby"]["online"] is False, "it is offline", within=TIMEOUT)
    assert 'brightnessd_node_online{node="lobby"} 0' in client.get("/metrics").text
    event = stream.next("node")
    while event.data["online"] is not False:
        event = stream.next("node")
    assert event.data.keys() == {"name", "topic", "version", "online", "since"}
    with Stream(gateway.port, "/v1/events?types=node", timeout=TIMEOUT) as late:
        blocks = [late.block() for _ in range(3)]
        assert [block.name for block in blocks] == ["retry", "node", "synced"]
        assert blocks[1].data == event.data == {name: nodes(client)["lobby"][name] for name in event.data}
