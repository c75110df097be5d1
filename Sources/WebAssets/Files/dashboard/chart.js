// SPDX-License-Identifier: Apache-2.0
// A chart of a few hundred points: plain SVG, drawn again at each change.

import { clockText, compactLuxText, dateText, luxText, percent, timeText } from "./formats.js";
import { t } from "./texts.js";
import { leaseWords, whom } from "./words.js";

/** @typedef {import("./history.js").History} History */

const height = 220;
const margin = { top: 10, right: 8, bottom: 28, left: 48 };
/** Steps between the marks of the time axis, in milliseconds. */
const steps = [1, 2, 5, 10, 15, 30, 60, 180, 240, 360, 720, 1_440].map((minutes) => minutes * 60_000);

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {string} [text]
 */
function draw(name, attributes, text) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, `${value}`);
  if (text !== undefined) node.textContent = text;
  return node;
}

/** Whether a band has its place below those of the kinds that give light. @param {string} kind */
const isDark = (kind) => kind === "dim" || kind === "sleep";

/** Full daylight is at the top, darkness at the bottom. @param {number} lux */
const levelOf = (lux) => Math.min(1, Math.log10(1 + lux) / 5);

/** The marks of the light's axis, in lux. */
const lightMarks = [0, 10, 100, 1_000, 10_000, 100_000];

/** Of the light's axis. */
const lightMargin = 14 + 6 * Math.max(...lightMarks.map((lux) => compactLuxText(lux).length));

/**
 * @param {{container: HTMLElement, legend: HTMLElement, slider: HTMLInputElement}} parts  `slider` moves the cursor by keys
 * @param {History} history
 * @param {{time: number | null}} cursor  The time whose values are shown, in milliseconds.
 */
export function drawChart({ container, legend, slider }, history, cursor) {
  const width = container.clientWidth;
  if (width === 0) return;
  const to = Date.parse(history.to);
  const from = beginning(history, to);
  const hasLight = history.points.some((point) => typeof point.illuminance === "number");
  const right = width - (hasLight ? lightMargin : margin.right);
  const x = (time) => margin.left + ((time - from) / (to - from)) * (right - margin.left);
  const y = (level) => margin.top + (1 - level) * (height - margin.top - margin.bottom);
  const clamp = (time) => Math.min(to, Math.max(from, time));
  const points = history.points.map((point) => ({ ...point, time: Date.parse(point.at) }));
  const leases = history.leases.map((lease) => ({
    ...lease,
    start: clamp(Date.parse(lease.from)),
    end: clamp(lease.to ? Date.parse(lease.to) : to),
  }));

  /** Each value holds until the next; unknown values leave a gap. */
  const stairs = (valueOf, isArea = false) => {
    let path = "";
    let isDrawing = false;
    points.forEach((point, index) => {
      const value = valueOf(point);
      const [start, end] = [x(clamp(point.time)), x(clamp(points[index + 1]?.time ?? to))];
      if (typeof value !== "number") {
        if (isDrawing && isArea) path += `V${y(0)}Z`;
        isDrawing = false;
        return;
      }
      if (!isDrawing) path += `M${start.toFixed(1)} ${y(isArea ? 0 : value).toFixed(1)}`;
      path += `V${y(value).toFixed(1)}H${end.toFixed(1)}`;
      isDrawing = true;
    });
    return isDrawing && isArea ? `${path}V${y(0)}Z` : path;
  };

  const svg = draw("svg", { width, height, role: "img", "aria-label": summary(history) });
  for (const level of [0, 0.5, 1]) {
    svg.append(
      draw("path", { class: "grid", d: `M${margin.left} ${y(level)}H${right}` }),
      draw("text", { class: "axis", x: margin.left - 8, y: y(level) + 4, "text-anchor": "end" }, percent(level)),
    );
  }
  for (const { kind, start, end } of leases) {
    const size = { x: x(start), width: Math.max(2, x(end) - x(start)), y: y(0) + (isDark(kind) ? 7 : 2), height: 4 };
    svg.append(draw("rect", { class: kind, ...size }));
  }
  for (const time of marks(from, to, width)) {
    const at = { x: x(time), y: height - 4, "text-anchor": "middle" };
    svg.append(draw("text", { class: "axis", ...at }, markText(time, to - from)));
  }
  const lower = ({ brightness, baseline }) => (baseline < brightness ? baseline : brightness);
  svg.append(
    draw("path", { class: "dark", d: stairs(({ on }) => (on === false ? 1 : null), true) }),
    draw("path", { class: "raised", d: stairs(lit((point) => point.brightness), true) }),
    draw("path", { class: "area", d: stairs(lit(lower), true) }),
    draw("path", { class: "baseline", d: stairs((point) => point.baseline) }),
    draw("path", { class: "line", d: stairs((point) => (point.on === false ? 0 : point.brightness)) }),
  );
  if (hasLight) {
    const light = ({ illuminance }) => (typeof illuminance === "number" ? levelOf(illuminance) : null);
    svg.append(draw("path", { class: "light", d: stairs(light) }));
    for (const lux of lightMarks) {
      const at = { x: right + 8, y: y(levelOf(lux)) + 4 };
      svg.append(draw("text", { class: "axis light", ...at }, compactLuxText(lux)));
    }
  }
  container.replaceChildren(svg);
  follow(container, svg, slider, cursor, { x, y, from, to, points, leases });

  const items = [
    ["line", t`Brightness`],
    ["baseline", t`Baseline`],
    ...Object.entries(leaseWords).filter(([kind]) => leases.some((lease) => lease.kind === kind)).map(([kind, { title }]) => [kind, title]),
    ...(points.some(({ on }) => on === false) ? [["dark", t`Switched off`]] : []),
    ...(hasLight ? [["light", t`Light`]] : []),
    ...(from > Date.parse(history.from) ? [["since", t`since ${dateText(new Date(from).toISOString(), to)}`]] : []),
  ];
  legend.replaceChildren(
    ...items.map(([name, text]) => Object.assign(document.createElement("li"), { className: name, textContent: text })),
  );
}

/** A value while the panel is on. @param {(point: any) => number | null} valueOf */
const lit = (valueOf) => (point) => (point.on === false ? null : valueOf(point));

/**
 * Shows the values at a time: the one under the pointer or a finger, or the one of the slider, which has the keys. A tap
 * stays until the next one; a mouse that leaves the chart hides them.
 */
function follow(container, svg, slider, cursor, { x, y, from, to, points, leases }) {
  const line = draw("path", { class: "cursor", visibility: "hidden" });
  const label = document.createElement("p");
  label.className = "label";
  svg.append(line);
  container.append(label);
  const show = () => {
    const { time } = cursor;
    const isShown = time !== null && time >= from && time <= to;
    line.setAttribute("visibility", isShown ? "visible" : "hidden");
    label.hidden = !isShown;
    slider.value = `${isShown ? Math.round(((time - from) / (to - from)) * 1_000) : 1_000}`;
    const text = valuesAt(isShown ? time : to, points, leases);
    slider.setAttribute("aria-valuetext", text);
    if (!isShown) return;
    line.setAttribute("d", `M${x(time)} ${y(1)}V${y(0)}`);
    label.textContent = text;
    label.classList.toggle("before", x(time) > svg.clientWidth / 2);
    label.style.setProperty("--at", `${x(time)}px`);
  };
  const move = (event) => {
    const left = event.clientX - svg.getBoundingClientRect().left;
    const time = from + ((left - x(from)) / (x(to) - x(from))) * (to - from);
    cursor.time = time >= from && time <= to ? time : null;
    show();
  };
  svg.addEventListener("pointerdown", move);
  svg.addEventListener("pointermove", move);
  svg.addEventListener("pointerleave", ({ pointerType }) => {
    if (pointerType !== "mouse") return;
    cursor.time = null;
    show();
  });
  slider.oninput = () => {
    cursor.time = from + (Number(slider.value) / 1_000) * (to - from);
    show();
  };
  slider.onblur = () => {
    cursor.time = null;
    show();
  };
  show();
}

/** Whether the display was there at a point. */
const isKnown = (point) => typeof point?.brightness === "number";

/** The brightness of a point, in words. */
const levelText = (point) => (!isKnown(point) ? t`not known` : point.on === false ? t`off` : percent(point.brightness));

/** The values at a time, as a sentence. */
function valuesAt(time, points, leases) {
  const point = points.findLast((point) => point.time <= time);
  const held = leases.filter(({ start, end }) => start <= time && time <= end);
  const holders = Object.entries(leaseWords).map(([kind, { effect }]) => {
    const names = held.filter((lease) => lease.kind === kind).map(({ holder, reason }) => {
      const name = whom(holder);
      return reason ? `${name} (${reason})` : name;
    });
    return names.length ? t`${effect} by ${[...new Set(names)].join(", ")}` : "";
  });
  return [
    `${markText(time, 0)}: ${levelText(point)}`,
    typeof point?.illuminance === "number" ? luxText(point.illuminance) : "",
    ...(isKnown(point) ? holders : []),
  ].filter(Boolean).join(", ");
}

/** The start of the axis: of a time that is only partly known, its known part, at least five minutes. @param {History} history */
function beginning(history, to) {
  const from = Date.parse(history.from);
  const first = history.points.find(({ brightness }) => typeof brightness === "number");
  return !first ? from : Math.max(from, Math.min(Date.parse(first.at), to - 300_000));
}

/** Round times for the axis, in the browser's time zone; at most as many as fit. */
function marks(from, to, width) {
  const step = steps.find((step) => ((to - from) / step) * 64 < width) ?? steps[steps.length - 1];
  const zone = new Date(to).getTimezoneOffset() * 60_000;
  const times = [];
  const half = ((to - from) / width) * 24;
  for (let time = Math.ceil((from - zone) / step) * step + zone; time < to - half; time += step) {
    if (time > from + half) times.push(time);
  }
  return times;
}

/** @param {number} time @param {number} span  of the axis, in milliseconds */
function markText(time, span) {
  return span > 2 * 86_400_000 ? timeText(time, { weekday: "short" }) : clockText(time);
}

/** The chart as a sentence. @param {History} history */
function summary(history) {
  const { points, leases, lowest, highest } = history;
  const levels = points.map(({ brightness }) => brightness).filter((level) => typeof level === "number");
  if (levels.length === 0) return t`No brightness recorded in this time.`;
  const [least, most] = [Math.min(lowest ?? 1, ...levels), Math.max(highest ?? 0, ...levels)];
  const counts = Object.keys(leaseWords).map((kind) => [kind, leases.filter((lease) => lease.kind === kind).length]);
  const known = counts.filter(([kind, count]) => kind === "boost" || count);
  const count = known.map(([kind, count]) => `${count === 1 ? t`one` : count} ${count === 1 ? leaseWords[kind].one : leaseWords[kind].several}`).join(", ");
  return t`Brightness from ${percent(least)} to ${percent(most)}, now ${levelText(points.at(-1))}, with ${count}.`;
}
