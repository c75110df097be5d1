// SPDX-License-Identifier: Apache-2.0
// The texts of schedules.

import { locale, minuteText, percent, timeText } from "./formats.js";
import { dayNames, readDaytime } from "./daytime.js";
import { t } from "./texts.js";

/** @typedef {import("./daytime.js").Schedule} Schedule */

/** 2023-01-01 was a Sunday. @param {number} day @param {"short" | "long"} weekday */
const weekday = (day, weekday) => new Date(2023, 0, 1 + day).toLocaleString(locale, { weekday });

const weekInfo = /** @type {any} */ (new Intl.Locale(locale));
const firstDay = (weekInfo.getWeekInfo?.() ?? weekInfo.weekInfo)?.firstDay ?? 1;

/** The days of the week, the reader's first day first. */
export const week = dayNames.map((_, index) => {
  const day = (firstDay + index) % 7;
  return { name: dayNames[day], short: weekday(day, "short"), long: weekday(day, "long") };
});

/** The days, as a phrase. @param {string[]} days */
function daysText(days) {
  if (days.length === 7) return t`Every day`;
  const chosen = week.filter(({ name }) => days.includes(name));
  const first = week.indexOf(chosen[0]);
  const isRow = chosen.length > 2 && chosen.every((day, index) => day === week[first + index]);
  return isRow ? `${chosen[0].short}–${chosen[chosen.length - 1].short}` : chosen.map(({ short }) => short).join(", ");
}

/** Whether the interval certainly ends on the day after its beginning. @param {string} from @param {string} to */
export function endsNextDay(from, to) {
  const [begin, end] = [readDaytime(from), readDaytime(to)];
  return !begin.event && !end.event && end.minutes < begin.minutes;
}

/** A time before or after sunrise or sunset, as the form has it. @param {import("./daytime.js").Daytime} daytime */
function sunText({ event, minutes }) {
  const amount = Math.abs(minutes);
  if (event === "sunrise") {
    return minutes === 0 ? t`sunrise` : minutes < 0 ? t`${amount} min before sunrise` : t`${amount} min after sunrise`;
  }
  return minutes === 0 ? t`sunset` : minutes < 0 ? t`${amount} min before sunset` : t`${amount} min after sunset`;
}

/**
 * Days and times. Sunrise and sunset have the time of today with them.
 * @param {Schedule} schedule
 * @param {import("./daytime.js").LocalTime} local
 */
export function whenText({ days, from, to }, local) {
  const resolved = (text) => {
    const daytime = readDaytime(text);
    if (!daytime.event) return minuteText(daytime.minutes);
    const minute = local.resolve(daytime);
    return typeof minute === "number" ? `${sunText(daytime)} (${minuteText(minute)})` : sunText(daytime);
  };
  const ends = endsNextDay(from, to) ? t`${resolved(to)} the next day` : resolved(to);
  return t`${daysText(days)}, ${resolved(from)} to ${ends}`;
}

/**
 * The kind of what a schedule does: its member.
 * @param {Schedule} schedule
 */
export const effectOf = ({ dim, boost, sleep }) =>
  dim !== undefined ? "dim" : boost !== undefined ? "boost" : sleep ? "sleep" : "brightness";

/** The effects of the kinds, as the picture's legend. */
export const effects = { boost: t`Boost`, dim: t`Dim`, brightness: t`Set`, sleep: t`Off` };

/**
 * What a schedule does.
 * @param {Schedule} schedule
 */
export function effectText({ dim, boost, brightness, transition }) {
  const text =
    dim !== undefined ? t`Dim to ${percent(dim)}`
    : boost !== undefined ? t`Boost to ${percent(boost)}`
    : brightness !== undefined ? t`Set brightness to ${percent(brightness)} once`
    : t`Switch off`;
  return transition ? t`${text}, transition ${transition} s` : text;
}

/** @param {Schedule} schedule @param {Map<string, import("../brightness/display.js").DisplayState>} states */
export function displaysText({ displays }, states) {
  if (displays[0] === "all") return t`All displays`;
  return displays.map((id) => states.get(id)?.name ?? t`${id} (not connected)`).join(", ");
}

/**
 * When a schedule begins or ends next.
 * @param {Schedule} schedule
 * @param {import("./daytime.js").LocalTime} local
 * @param {{now: number, isClockSet: boolean}} clock
 */
export function nextText(schedule, local, { now, isClockSet }) {
  if (schedule.paused) return t`Paused`;
  if (!isClockSet) return t`Waits until the daemon’s clock is set`;
  const moment = local.next(schedule);
  if (moment) {
    const text = momentText(moment, local.at(now));
    return schedule.next?.change === "begin" ? t`Begins ${text}` : t`Ends ${text}`;
  }
  const isOfSun = readDaytime(schedule.from).event || readDaytime(schedule.to).event;
  if (isOfSun && !local.hasSun) {
    return t`Never begins: sunrise and sunset need the location of the machine. Edit the schedule to set it.`;
  }
  return t`Does not begin within a year`;
}

/**
 * A day and a time. The UTC parts of both dates are local ones of the daemon.
 * @param {Date} moment
 * @param {Date} today
 */
function momentText(moment, today) {
  const dayOf = (date) => Math.floor(date.getTime() / 86_400_000);
  const days = dayOf(moment) - dayOf(today);
  const day =
    days === 0 ? t`today`
    : days === 1 ? t`tomorrow`
    : days > 0 && days < 7 ? weekday(moment.getUTCDay(), "long")
    : timeText(moment, { day: "numeric", month: "short", timeZone: "UTC" });
  return t`${day} at ${minuteText(moment.getUTCHours() * 60 + moment.getUTCMinutes())}`;
}
