# SPDX-License-Identifier: Apache-2.0
"""A whole day of schedules on a simulated display, in seconds: the wall clock moves on by five minutes at a time."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from support.daemon import ROOT
from support.day_picture import draw
from support.until import until
from support.wall_clock import WallClock

EXPECTED = ROOT / "docs/images/schedules-day.svg"
STEP = 5
# Later than any release of the daemon, so the clock counts as set.
MIDNIGHT = datetime(2030, 11, 25, tzinfo=ZoneInfo("Europe/Berlin"))
RULES = {
    "night": {"from": "22:00", "to": "07:00", "dim": 0.2},
    "closed": {"from": "23:00", "to": "06:00", "sleep": True},
    "day": {"from": "sunrise+00:30", "to": "sunset", "brightness": 0.6},
    "open": {"from": "09:00", "to": "18:30", "boost": 0.8},
    "dusk": {"from": "sunset-00:30", "to": "22:00", "brightness": 0.4},
}
EVENING = 20 * 60
"""When a person sets the brightness, in the middle of a schedule that has set it before."""


class Day:
    """A daemon with the schedules, and the day of its clock."""

    def __init__(self, start, connect, folder):
        self._wall = WallClock(folder)
        self._set(-STEP)
        options = ("--time-zone", "Europe/Berlin", "--location", "52.52,13.40")
        self.client = connect(start(*options, env=self._wall.environment))
        self.client.set(0.5)
        for name in RULES:
            self._put(name)

    def _set(self, minute):
        """Sets the clock to this minute, and the second by which its changes have begun."""
        time = MIDNIGHT + timedelta(minutes=minute, seconds=1)
        self._wall.set(round((time - datetime.now(time.tzinfo)).total_seconds()))

    def _put(self, name):
        answer = self.client.put(f"/v1/schedules/{name}", json=RULES[name] | {"transition": 0})
        assert answer.status_code in (200, 201), answer.text

    def at(self, minute):
        """The display's state at this minute, and the names of the schedules in force."""
        self._set(minute)
        now = (MIDNIGHT + timedelta(minutes=minute)).timestamp()

        def current():
            schedules = self.client.get("/v1/schedules").json()["schedules"]
            nexts = [datetime.fromisoformat(schedule["next"]["at"]).timestamp() for schedule in schedules]
            return schedules if all(now < next for next in nexts) else None

        schedules = until(current, f"the daemon has noticed that it is {minute // 60:02}:{minute % 60:02}")
        # Each waits for its turn: behind the schedules' changes, and then behind those of the display.
        self._put("night")
        state = self.client.post("/v1/restore", json={"holder": "nobody"}).json()
        return state, {schedule["name"] for schedule in schedules if schedule["active"]}


def test_a_day_of_schedules_is_as_its_picture(start, connect, tmp_path):
    day = Day(start, connect, tmp_path)
    samples = []
    for minute in range(0, 1_440, STEP):
        if minute == EVENING:
            day.client.set(0.7, holder="maria")
        state, active = day.at(minute)
        samples.append((state["brightness"] if state["power"]["on"] else None, active))
    picture = draw("Brightness on 25 November in Berlin, and the schedules in force", STEP, samples, RULES)
    drawn = tmp_path / EXPECTED.name
    drawn.write_text(picture)
    assert picture == EXPECTED.read_text(), f"the day differs from {EXPECTED.name}; its picture is {drawn}"
