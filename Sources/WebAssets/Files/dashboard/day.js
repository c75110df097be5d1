// SPDX-License-Identifier: Apache-2.0
// The picture of a day: a lane for each schedule, and a line for now.

import { minutesOfDay } from "./daytime.js";
import { minuteText } from "./formats.js";
import { effectOf, effects } from "./schedule-words.js";
import { t } from "./texts.js";

/**
 * @typedef {import("./daytime.js").Schedule} Schedule
 * @typedef {import("./daytime.js").Span} Span
 */

/** The most schedules that the picture’s text names. */
const mostNamed = 8;

/** @param {string} className @param {string} [text] */
function box(className, text) {
  const node = document.createElement("div");
  node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

const share = (minutes) => `${((minutes / minutesOfDay) * 100).toFixed(3)}%`;

/**
 * @param {HTMLElement} container
 * @param {HTMLElement} legend
 * @param {Schedule[]} schedules
 * @param {(schedule: Schedule) => Span[]} spansOf  of today
 * @param {number | null} now  in minutes of today; `null` if the daemon does not know
 */
export function drawDay(container, legend, schedules, spansOf, now) {
  const rows = schedules.map((schedule) => ({ schedule, spans: spansOf(schedule) }));
  const axis = box("lane axis");
  const hours = box("track");
  for (const hour of [0, 6, 12, 18, 24]) {
    const mark = box("hour", minuteText(hour * 60));
    mark.style.setProperty("--at", share(hour * 60));
    hours.append(mark);
  }
  axis.append(box("lane-name"), hours);
  const lanes = rows.map(({ schedule, spans }) => {
    const lane = box(schedule.active ? "lane active" : "lane");
    const track = box("track");
    for (const { from, to } of spans) {
      const band = box(`band ${effectOf(schedule)}`);
      band.style.setProperty("--at", share(from));
      band.style.setProperty("--length", share(to - from));
      track.append(band);
    }
    lane.append(box("lane-name", schedule.name), track);
    return lane;
  });
  container.replaceChildren(axis, ...lanes);
  container.setAttribute("aria-label", summary(rows, now));
  showNow(container, now);
  const used = Object.entries(effects).filter(([kind]) => rows.some(({ schedule }) => effectOf(schedule) === kind));
  legend.replaceChildren(
    ...used.map(([kind, text]) => Object.assign(document.createElement("li"), { className: kind, textContent: text })),
  );
}

/** Moves the line. @param {HTMLElement} container @param {number | null} now */
function showNow(container, now) {
  container.classList.toggle("timeless", now === null);
  if (now !== null) container.style.setProperty("--now", share(now));
}

/** The picture as text. @param {{schedule: Schedule, spans: Span[]}[]} rows @param {number | null} now */
function summary(rows, now) {
  const texts = rows.slice(0, mostNamed).map(({ schedule: { name }, spans }) => {
    const times = spans.map(({ from, to }) => t`from ${minuteText(from)} to ${minuteText(to)}`);
    return `${name} ${times.length > 0 ? times.join(t` and `) : t`not at all`}`;
  });
  const others = rows.length - texts.length;
  if (others > 0) texts.push(t`${others} others`);
  const time = now === null ? "" : ` ${t`It is ${minuteText(now)}.`}`;
  return `${t`Today`}: ${texts.join("; ")}.${time}`;
}
