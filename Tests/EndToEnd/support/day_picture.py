# SPDX-License-Identifier: Apache-2.0
"""A day of a display as SVG: its brightness, and which schedules are in force."""

LEFT, RIGHT, TOP, FLOOR = 110, 700, 40, 190
LANE = 20
COLORS = {"boost": "#d97706", "dim": "#2f5fd0", "brightness": "#1f7a4d", "sleep": "#1c1e22"}


def draw(title, step, samples, rules):
    """The picture.

    - step: minutes between two samples; the first is at midnight.
    - samples: the brightness (`None` while the display is off) and the names of the schedules in force.
    - rules: schedules by name, in the order of their lanes.
    """
    height = FLOOR + 34 + LANE * len(rules)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {height}" font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{LEFT}" y="22" font-size="14">{title}</text>',
    ]
    for hour in range(0, 25, 3):
        x = _x(hour * 60)
        lines.append(f'<line x1="{x}" x2="{x}" y1="{TOP}" y2="{height - 8}" stroke="#e3e0d9"/>')
        lines.append(f'<text x="{x}" y="{FLOOR + 18}" text-anchor="middle" fill="#5b5f67">{hour:02}:00</text>')
    for level in (0, 0.5, 1):
        lines.append(f'<line x1="{LEFT}" x2="{RIGHT}" y1="{_y(level)}" y2="{_y(level)}" stroke="#e3e0d9"/>')
        lines.append(f'<text x="{LEFT - 8}" y="{_y(level)}" dy="4" text-anchor="end" fill="#5b5f67">{level:.0%}</text>')
    for start, end, level in _runs([level for level, _ in samples], step):
        if level is not None:
            size = f'width="{_x(end) - _x(start):.1f}" height="{FLOOR - _y(level):.1f}"'
            lines.append(f'<rect x="{_x(start)}" y="{_y(level)}" {size} fill="#86a8ff"/>')
    for number, (name, rule) in enumerate(rules.items()):
        y = FLOOR + 30 + LANE * number
        color = next(color for effect, color in COLORS.items() if effect in rule)
        lines.append(f'<text x="{LEFT - 8}" y="{y + 10}" text-anchor="end">{name}</text>')
        for start, end, is_active in _runs([name in active for _, active in samples], step):
            if is_active:
                size = f'width="{_x(end) - _x(start):.1f}" height="12"'
                lines.append(f'<rect x="{_x(start)}" y="{y}" {size} rx="3" fill="{color}"/>')
    return "\n".join([*lines, "</svg>", ""])


def _runs(values, step):
    """Equal neighbours: the first minute, the minute after the last, and the value."""
    start = 0
    for index, value in enumerate(values):
        if index + 1 == len(values) or values[index + 1] != value:
            yield start * step, (index + 1) * step, value
            start = index + 1


def _x(minute):
    return round(LEFT + (RIGHT - LEFT) * minute / 1_440, 1)


def _y(level):
    return round(FLOOR - (FLOOR - TOP) * level, 1)
