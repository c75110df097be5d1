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
 * @property {boolean} active
 * @property {{at: string, change: "begin" | "end"} | null} next
 */

/** @typedef {{clockSet: boolean, schedules: Schedule[]}} Schedules  The data of a `schedule` event. */

/**
 * @typedef {object} Daytime
 * @property {"sunrise" | "sunset" | null} event  `null`: midnight
 * @property {number} minutes  after the event; negative before it
 */

/**
 * @typedef {object} Span  In minutes of today, `0...1440`.
 * @property {number} from
 * @property {number} to
 * @property {boolean} isFromKnown
 * @property {boolean} isToKnown
 */

export const minutesOfDay = 1_440;

/** The days as the API names them, in the order of `Date.getDay`. */
export const dayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Where a part of the day is drawn whose sunrise or sunset is unknown. */
const typical = { sunrise: 390, sunset: 1_110 };

/** How long before now a beginning is drawn that has happened at an unknown time, in minutes. */
const uncertain = 90;

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

/** Minutes as `22:00`. @param {number} minutes */
export function clockOf(minutes) {
  const two = (number) => `${number}`.padStart(2, "0");
  return `${two(Math.floor(minutes / 60))}:${two(Math.floor(minutes % 60))}`;
}

const minuteOf = (date) => date.getHours() * 60 + date.getMinutes();

/** The daemon's local clock, and what is known of its sun. Both follow from the schedules' next changes. */
export class LocalTime {
  /** How far the daemon's local clocks are ahead of this browser's, in minutes. */
  #shift = 0;
  /** @type {{sunrise: number | null, sunset: number | null}} in minutes of the day, of the last change that is known */
  #sun = { sunrise: null, sunset: null };

  /** @param {Schedule[]} schedules */
  learn(schedules) {
    const changes = schedules.flatMap(({ from, to, next }) =>
      next ? [{ at: Date.parse(next.at), daytime: readDaytime(next.change === "begin" ? from : to) }] : [],
    );
    const shifts = changes.flatMap(({ at, daytime: { event, minutes } }) => {
      const ahead = modulo(minutes - minuteOf(new Date(at)) + 720) - 720;
      return event ? [] : [ahead];
    });
    // A time that summer time skips changes at another minute, so a single difference is not taken for a zone's.
    const count = (shift) => shifts.filter((other) => other === shift).length;
    this.#shift = shifts.includes(0) ? 0 : shifts.sort((a, b) => count(b) - count(a))[0] ?? this.#shift;
    for (const { at, daytime: { event, minutes } } of changes) {
      if (event) this.#sun[event] = modulo(minuteOf(this.at(at)) - minutes);
    }
  }

  /** Whether the daemon's local time is not this browser's. */
  get isElsewhere() {
    return this.#shift !== 0;
  }

  /** A date whose local parts are those of the daemon's machine. @param {number | string} time */
  at(time) {
    return new Date(new Date(time).getTime() + this.#shift * 60_000);
  }

  /** The minute of the daemon's day. @param {number | string} time */
  minuteOf(time) {
    return minuteOf(this.at(time));
  }

  /**
   * When a schedule is in force today, in the order of time.
   * @param {Schedule} schedule
   * @param {number} time  now
   * @returns {Span[]}
   */
  spans(schedule, time) {
    const today = this.at(time);
    const now = minuteOf(today);
    const from = this.#resolve(readDaytime(schedule.from), schedule, "begin");
    const to = this.#resolve(readDaytime(schedule.to), schedule, "end");
    if (!from || !to) return [];
    const isNow = (spans) => spans.some((span) => span.from <= now && now < span.to);
    const spans = cut(schedule.days, today.getDay(), from, to);
    // The typical sunset is later than the one that has begun it, or ended it.
    if (schedule.active && !from.isKnown && !isNow(spans)) from.minute = now - uncertain;
    else if (!schedule.active && !to.isKnown && isNow(spans)) to.minute = now;
    else return spans;
    return cut(schedule.days, today.getDay(), from, to);
  }

  /** @param {Daytime} daytime @param {Schedule} schedule @param {"begin" | "end"} change */
  #resolve({ event, minutes }, { next, active }, change) {
    if (!event) return { minute: minutes, isKnown: true };
    if (next?.change === change) return { minute: this.minuteOf(next.at), isKnown: true };
    // Without a next change, the daemon does not know its place.
    if (!next && !active) return null;
    const known = this.#sun[event];
    return { minute: (known ?? typical[event]) + minutes, isKnown: known !== null };
  }
}

/**
 * The parts of today of the intervals that begin yesterday, today or tomorrow.
 * @param {string[]} days
 * @param {number} today  as `Date.getDay`
 * @param {{minute: number, isKnown: boolean}} from
 * @param {{minute: number, isKnown: boolean}} to
 * @returns {Span[]}
 */
function cut(days, today, from, to) {
  const length = modulo(to.minute - from.minute) || minutesOfDay;
  return [-1, 0, 1].flatMap((day) => {
    const begin = from.minute + day * minutesOfDay;
    const span = {
      from: Math.max(0, begin),
      to: Math.min(minutesOfDay, begin + length),
      isFromKnown: from.isKnown || begin < 0,
      isToKnown: to.isKnown || begin + length > minutesOfDay,
    };
    return days.includes(dayNames[modulo(today + day, 7)]) && span.from < span.to ? [span] : [];
  });
}
