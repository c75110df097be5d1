# SPDX-License-Identifier: Apache-2.0
"""Prometheus metrics: the format, its rules, true values, and a document that lists every metric."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from support.daemon import ROOT
from support.events import Stream
from support.until import TIMEOUT, until

SAMPLE = re.compile(r'([a-z_]+)(?:\{((?:[a-z]+="(?:[^"\\]|\\.)*",?)*)\})? (\S+)')


def scrape(client):
    """Every sample, by name and labels."""
    answer = client.get("/metrics")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/plain; version=0.0.4; charset=utf-8")
    samples = {}
    for line in answer.text.splitlines():
        if not line.startswith("# "):
            name, labels, value = SAMPLE.fullmatch(line).groups()
            samples[name, labels or ""] = float(value)
    return samples


def total(client, name, *labels):
    """The sum of a metric over all shards, of the samples that have these labels."""
    return sum(v for (n, have), v in scrape(client).items() if n == name and all(label in have for label in labels))


def families(client):
    client.await_light()
    return set(re.findall(r"^# TYPE (\S+)", client.get("/metrics").text, re.MULTILINE))


def test_promtool_accepts_the_metrics(client):
    client.boost(holder='a "quoted" \\ holder')
    text = client.get("/metrics").text
    done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True, timeout=TIMEOUT)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_promtool_rejects_invalid_metrics():
    bad = "# HELP brightnessd_writes Writes.\n# TYPE brightnessd_writes counter\nbrightnessd_writes 1\n"
    done = subprocess.run(["promtool", "check", "metrics"], input=bad, capture_output=True, text=True, timeout=TIMEOUT)
    assert done.returncode != 0 and "_total" in done.stdout + done.stderr


def test_changes_and_boosts_of_a_display_are_counted(client):
    label = 'display="simulated"'
    before = scrape(client)
    client.set(0.25)
    client.boost(holder="a")
    client.boost(holder="b")
    after = scrape(client)
    assert after["brightnessd_display_brightness_ratio", label] == 1
    assert after["brightnessd_display_baseline_ratio", label] == 0.25
    assert after["brightnessd_leases", f'{label},kind="boost"'] == 2
    assert after["brightnessd_leases", f'{label},kind="dim"'] == 0
    assert after["brightnessd_display_available", label] == 1
    assert after["brightnessd_panel_writes_total", label] == before["brightnessd_panel_writes_total", label] + 2
    failures = "brightnessd_panel_write_failures_total", label
    assert after[failures] == before[failures]
    boosts = "brightnessd_notifications_total", 'kind="lease"'
    assert after[boosts] == before[boosts] + 2
    commands = "brightnessd_command_duration_seconds_count", ""
    assert after[commands] == before[commands] + 3
    assert after["brightnessd_journal_commits_total", ""] > before["brightnessd_journal_commits_total", ""]
    assert after["brightnessd_journal_size_bytes", ""] > 0
    assert after["brightnessd_journal_durable", ""] == 1


def test_a_failed_write_is_counted(client):
    failures = "brightnessd_panel_write_failures_total", 'display="simulated"'
    before = scrape(client)[failures]
    try:
        client.patch("/v1/simulator", json={"refuses": True})
        assert client.put("/v1/brightness", json={"brightness": 0.9}).status_code == 503
        assert scrape(client)[failures] > before
    finally:
        client.patch("/v1/simulator", json={"refuses": False})
    until(lambda: client.state["available"], "the panel is well again")


def test_streams_and_their_events_are_counted(daemon, client):
    opened = total(client, "brightnessd_streams_opened_total")
    streams = [Stream(daemon.port, "/v1/events?types=state") for _ in range(3)]
    for stream in streams:
        stream.next("state")
    assert total(client, "brightnessd_streams_opened_total") == opened + 3
    assert total(client, "brightnessd_streams", 'kind="events"') == 3
    sent, rounds = total(client, "brightnessd_deliveries_total"), total(client, "brightnessd_fan_out_duration_seconds_count")
    client.set(0.75)
    for stream in streams:
        stream.next("state", lambda event: event.data["brightness"] == 0.75)
    # The client sees an event a moment before it is counted.
    until(lambda: total(client, "brightnessd_deliveries_total") >= sent + 3, "all are counted")
    assert total(client, "brightnessd_fan_out_duration_seconds_count") > rounds
    for stream in streams:
        stream.connection.socket.close()
    until(lambda: total(client, "brightnessd_streams") == 0, "they are gone")


def test_responses_are_counted_by_status(client):
    def responses(code):
        return total(client, "brightnessd_http_responses_total", f'code="{code}"')

    refusals = (403, 404, 421)
    found, before = responses(200), [responses(code) for code in refusals]
    for _ in range(5):
        client.get("/v1/brightness")
        client.get("/nothing")
        client.post("/v1/boost", headers={"Origin": "http://evil.example"})
        client.get("/v1/brightness", headers={"Host": "evil.example"})
    assert [responses(code) for code in refusals] == [count + 5 for count in before]
    # The connections of the scrapes are among them.
    assert responses(200) >= found + 5
    assert total(client, "brightnessd_http_connections") >= 1
    assert total(client, "brightnessd_shards") == 2


def test_the_process_has_metrics(daemon, client):
    samples = scrape(client)
    assert samples["process_open_fds", ""] > 10
    assert samples["process_max_fds", ""] >= samples["process_open_fds", ""]
    assert samples["process_resident_memory_bytes", ""] > 1_000_000
    assert samples["process_cpu_seconds_total", ""] > 0
    version = client.get("/openapi.yaml").text.split("version: ")[1].split()[0]
    assert any(name == "brightnessd_build_info" and f'version="{version}"' in labels for name, labels in samples)


def test_metrics_need_the_scope_read(start, connect, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text("prometheus:read:0123456789abcdef0123456789abcdef\n")
    tokens.chmod(0o600)
    client = connect(start("--token-file", tokens))
    assert client.get("/metrics").status_code == 401
    bearer = {"Authorization": "Bearer 0123456789abcdef0123456789abcdef"}
    answer = client.get("/metrics", headers=bearer)
    assert (answer.status_code, answer.text.count('code="401"} 1\n')) == (200, 1)


def test_the_reference_lists_exactly_the_metrics(client):
    documented = re.findall(r"^\| `([a-z_]+)`", (ROOT / "docs/reference/metrics.md").read_text(), re.MULTILINE)
    # The metrics of ESPHome are there with --esphome.
    assert sorted(name for name in documented if "_esphome_" not in name) == sorted(families(client))


@pytest.mark.parametrize("file", sorted((ROOT / "packaging/grafana").glob("*.json")), ids=lambda file: file.name)
def test_grafana_dashboards_use_existing_metrics(client, file):
    there = families(client)
    there |= {f"{name}{suffix}" for name in there for suffix in ("_bucket", "_sum", "_count")}
    panels = [panel for row in json.loads(Path(file).read_text())["panels"] for panel in [row, *row.get("panels", [])]]
    queries = [target["expr"] for panel in panels for target in panel.get("targets", [])]
    assert len(queries) > 10
    used = {name for query in queries for name in re.findall(r"\b(?:brightnessd|process)_\w+", query)}
    assert used and used <= there, used - there
    for query in queries:
        assert re.search(r"\b(?:brightnessd|process)_\w+|\bup\b", query), query


def test_alerts_are_valid_and_use_existing_metrics(client):
    file = ROOT / "packaging/prometheus/alerts.yml"
    done = subprocess.run(["promtool", "check", "rules", file], capture_output=True, text=True, timeout=TIMEOUT)
    assert done.returncode == 0, done.stdout + done.stderr
    used = set(re.findall(r"\b(?:brightnessd|process)_\w+", "\n".join(re.findall(r"expr: (.*)", file.read_text()))))
    assert used and used <= families(client), used - families(client)
