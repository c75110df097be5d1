// SPDX-License-Identifier: Apache-2.0
// The daemon's local times: of schedules, of a day, of now.

/**
 * @typedef {object} Schedule  As `GET /v1/schedules/{name}` answers.
 * @property {string} name
 * @property {string[]} displays
 * @property {string[]} days
 * @property {string} from
 * @property {string} to
 * @property {number} [dim]
 * @property {number} [boost]
 * @property {number} [brightness]
 * @property {true} [sleep]
 * @property {number | null} transition
 * @property {boolean} paused
 * @property {boolean} active
 * @property {{at: string, change: "begin" | "end"} | null} next
 */

/**
 * @typedef {object} Schedules  As `GET /v1/schedules` answers: the data of the `day` event, and of all `schedule` events.
 * @property {boolean} clockSet
 * @property {number} utcOffset  of the daemon's local clocks, in seconds
 * @property {{sunrise: string | null, sunset: string | null} | null} sun  of the daemon's day
 * @property {Schedule[]} schedules
 */

/**
 * @typedef {object} Daytime
 * @property {"sunrise" | "sunset" | null} event  `null`: midnight
 * @property {number} minutes  after the event; negative before it
 */

/** @typedef {{from: number, to: number}} Span  In minutes of today, `0...1440`. */

export const minutesOfDay = 1_440;

/** The days as the API names them, in the order of `Date.getDay`. */
export const dayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** @param {number} number */
const modulo = (number, divisor = minutesOfDay) => ((number % divisor) + divisor) % divisor;

/** Reads `22:00`, `sunset` or `sunrise-01:00`. @param {string} text @returns {Daytime} */
export function readDaytime(text) {
  const [, event = null, sign, hours = "0", minutes = "0"] = /^([a-z]+)?([+-])?(?:(\d\d):(\d\d))?$/.exec(text) ?? [];
  const offset = Number(hours) * 60 + Number(minutes);
  return { event: /** @type {Daytime["event"]} */ (event), minutes: sign === "-" ? -offset : offset };
}

/** The inverse of `readDaytime`. @param {Daytime} daytime */
export function daytimeText({ event, minutes }) {
  if (!event) return clockOf(minutes);
  return minutes === 0 ? event : `${event}${minutes < 0 ? "-" : "+"}${clockOf(Math.abs(minutes))}`;
}

/** Minutes as `22:00`; the end of a day is `24:00`. @param {number} minutes */
export function clockOf(minutes) {
  const two = (number) => `${number}`.padStart(2, "0");
  const wrapped = minutes === minutesOfDay ? minutes : modulo(minutes);
  return `${two(Math.floor(wrapped / 60))}:${two(wrapped % 60)}`;
}

/** The daemon's local clock and its sun of today. */
export class LocalTime {
  #offset;
  #sun;

  /** @param {Schedules} schedules */
  constructor({ utcOffset, sun }) {
    this.#offset = utcOffset * 1_000;
    this.#sun = sun;
  }

  /** Whether the daemon knows its location. */
  get hasSun() {
    return this.#sun !== null;
  }

  /** Whether the daemon's local time is not this browser's. @param {number} time  now */
  differsFromBrowser(time) {
    return this.#offset !== -new Date(time).getTimezoneOffset() * 60_000;
  }

  /** A date whose UTC parts are local ones of the daemon. @param {number | string} time */
  at(time) {
    return new Date(new Date(time).getTime() + this.#offset);
  }

  /** The minute of the daemon's day. @param {number | string} time */
  minuteOf(time) {
    const date = this.at(time);
    return date.getUTCHours() * 60 + date.getUTCMinutes();
  }

  /**
   * When a schedule begins or ends next, as `at`. A change of summer time until then moves no clock time.
   * @param {Schedule} schedule
   */
  next({ from, to, next }) {
    if (!next) return null;
    const { event, minutes } = readDaytime(next.change === "begin" ? from : to);
    const moment = this.at(next.at);
    const difference = event ? 0 : modulo(minutes - this.minuteOf(next.at) + 720) - 720;
    return new Date(moment.getTime() + difference * 60_000);
  }

  /** The minute of today, or of a day next to it; `null` on a day without it. @param {Daytime} daytime */
  resolve({ event, minutes }) {
    if (!event) return minutes;
    const time = this.#sun?.[event];
    return time ? this.minuteOf(time) + minutes : null;
  }

  /**
   * When a schedule is in force today, in the order of time.
   * @param {Schedule} schedule
   * @param {number} time  now
   * @returns {Span[]}
   */
  spans({ days, from, to, paused }, time) {
    if (paused) return [];
    const begin = this.resolve(readDaytime(from));
    const end = this.resolve(readDaytime(to));
    if (begin === null || end === null) return [];
    const today = this.at(time).getUTCDay();
    const length = modulo(end - begin) || minutesOfDay;
    // The intervals that begin yesterday, today and tomorrow: an offset moves a sunrise to the day before.
    return [-1, 0, 1].flatMap((day) => {
      const start = begin + day * minutesOfDay;
      const span = { from: Math.max(0, start), to: Math.min(minutesOfDay, start + length) };
      return days.includes(dayNames[modulo(today + day, 7)]) && span.from < span.to ? [span] : [];
    });
  }
}
