// SPDX-License-Identifier: Apache-2.0
// Numbers and times: in the reader's order of day and month, with the digits that percentages have.

import { region } from "./texts.js";

/** The reader’s language and region. */
export const locale = new Intl.Locale(region, { numberingSystem: "latn" }).toString();

const percents = new Intl.NumberFormat(locale, { style: "percent" });

/** @param {number} fraction */
export const percent = (fraction) => percents.format(Math.round(fraction * 100) / 100);

/** @param {number} number */
export const count = (number) => number.toLocaleString(locale);

/** A number without separators of thousands, for narrow places. @param {number} number */
export const plain = (number) => number.toLocaleString(locale, { useGrouping: false });

/** @param {Date | number | string} time @param {Intl.DateTimeFormatOptions} style */
export const timeText = (time, style) => new Date(time).toLocaleString(locale, style);

/** Made once: a row of the list shows a time in each frame of scrolling. */
const clock = new Intl.DateTimeFormat(locale, { timeStyle: "short" });

/** Hours and minutes. @param {Date | number | string} time */
export const clockText = (time) => clock.format(new Date(time));

const dayClock = new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone: "UTC" });

/** A minute of a day, as `clockText` has it; the end of the day is not its beginning. @param {number} minute */
export const minuteText = (minute) => dayClock.format(minute * 60_000).replace(/^00:00$/, minute > 0 ? "24:00" : "00:00");

const dayAndClock = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" });

/** Hours and minutes, with the day if it is another one. @param {string} time @param {number} now */
export function dateText(time, now) {
  const date = new Date(time);
  return date.toDateString() === new Date(now).toDateString() ? clock.format(date) : dayAndClock.format(date);
}

/** @param {number} lux */
export const luxText = (lux) => `${count(lux < 10 ? Math.round(lux * 10) / 10 : Math.round(lux))} lx`;

/** For an axis. @param {number} lux */
export const compactLuxText = (lux) => (lux < 1_000 ? `${lux} lx` : `${lux / 1_000} klx`);

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/** Keeps the direction of a name from changing that of the text around it. @param {string} name */
export const isolated = (name) => (rightToLeft.test(name) ? `\u2068${name}\u2069` : name);
