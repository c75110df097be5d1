// SPDX-License-Identifier: Apache-2.0
// The texts of the dashboard.

import { isOff } from "../brightness/display.js";
import { words as gaugeWords } from "../brightness/gauge.js";
import { clockText, count, dateText, isolated, percent, plain, timeText } from "./formats.js";
import { me } from "./me.js";
import { language, t } from "./texts.js";

/**
 * @typedef {import("../brightness/display.js").DisplayState} DisplayState
 * @typedef {import("../brightness/display.js").Lease} Lease
 * @typedef {DisplayState["cause"]} Cause
 */

/** @param {number} whole */
const percentOf = (whole) => percent(whole / 100);

gaugeWords.number = plain;
// The gauges have English texts of their own.
if (language !== "en") {
  Object.assign(gaugeWords, {
    brightness: t`Brightness`,
    brightnessOf: (name) => t`Brightness of ${name}`,
    light: t`Ambient light`,
    off: t`Off`,
    unknown: t`not known`,
    percent: percentOf,
    lux: (number) => t`${number} lux`,
    then: (level) => t`then ${percentOf(level)}`,
    whenOn: (level) => t`${percentOf(level)} when on`,
    spokenBoost: (level, later) => t`${level}, boosted; ${later} afterwards`,
    spokenOff: (later) => t`off; ${later} when on`,
    spokenLost: (spoken) => t`${spoken}; connection lost`,
    estimated: t`estimated`,
    appearances: { day: t`day`, night: t`night` },
    standIn: t`No light sensor: this is estimated from the display’s brightness, if a desktop adjusts it. Otherwise add a sensor.`,
  });
}

/** The server's clock minus this browser's, in milliseconds. */
let offset = 0;

/** Sets the server’s time. @param {number | null} [difference]  as `offset`, to the second */
export function setClock(difference) {
  if (difference != null) offset = Math.abs(difference) > 2_000 ? difference : 0;
}

/** When the schedules that are in force end, by name. @type {Map<string, string>} */
let ends = new Map();

/** Sets the schedules, which are holders of leases. @param {import("./daytime.js").Schedule[]} schedules */
export function setSchedules(schedules) {
  const active = schedules.filter(({ active, next }) => active && next?.change === "end");
  ends = new Map(active.map(({ name, next }) => [name, next?.at ?? ""]));
}

/** The server's time, in milliseconds. */
export const now = () => Date.now() + offset;

/** The name of the schedule that is a holder; `null` for another holder. @param {string | null} holder */
const scheduleOf = (holder) => (holder?.startsWith("schedule:") ? holder.slice("schedule:".length) : null);

/**
 * The name behind a lease: that of the holder, also of the preset that it has applied.
 * @param {string | null} holder
 */
export const nameOf = (holder) => (holder?.startsWith("preset:") ? holder.slice("preset:".length) : holder);

/** The words for holders without a name of their own: the schedule, nobody, this page, and those with a code as a name. */
const inside = { schedule: (name) => t`the schedule ${name}`, none: t`someone`, me: t`you`, program: t`a program`, browser: t`a browser` };
const atStart = { schedule: (name) => t`The schedule ${name}`, none: t`Someone`, me: t`You`, program: t`A program`, browser: t`A browser` };

/** @param {string | null} holder @param {typeof inside} words */
function named(holder, words) {
  const [schedule, name] = [scheduleOf(holder), nameOf(holder)];
  if (schedule !== null) return words.schedule(isolated(schedule));
  if (name === null || name === me) return name === null ? words.none : words.me;
  if (/^websocket-[0-9a-f]+$/.test(name)) return words.program;
  return /^(dashboard-[0-9a-z]{5}|page-[0-9a-z]{7}( \(\d+\))?)$/.test(name) ? words.browser : isolated(name);
}

/** A holder after “by”. @param {string | null} holder */
export const whom = (holder) => named(holder, inside);

/** A holder at the beginning of a sentence. @param {string | null} holder */
const who = (holder) => named(holder, atStart);

/** The owner of a lease, at the beginning of a sentence. @param {string | null} name */
const whose = (name) => (name === null ? t`A` : name === me ? t`Your` : t`${who(name)}’s`);

/** How many displays need attention. @param {number} number */
export const attentionText = (number) => (number === 1 ? t`${count(number)} needs attention` : t`${count(number)} need attention`);

/**
 * @typedef {object} Shown  What a display shows.
 * @property {number} brightness
 * @property {number} baseline
 * @property {boolean} on
 * @property {boolean} available
 */

/**
 * @typedef {Shown & {display: string, before: Shown | null, lease: {kind: Lease["kind"], ended: boolean} | null, cause: Cause}} Change
 *   as `GET /v1/history/changes` answers
 */

/**
 * The words for each kind of lease: its title, one and several of it within a sentence, its effect, and its beginning.
 * @type {Record<string, {title: string, one: string, several: string, effect: string, begins: (name: string, level: string) => string}>}
 */
export const leaseWords = {
  boost: {
    title: t`Boost`, one: t`boost`, several: t`boosts`, effect: t`boosted`,
    begins: (name, level) => t`${name} boosted it to ${level}`,
  },
  dim: {
    title: t`Dim`, one: t`dim`, several: t`dims`, effect: t`dimmed`,
    begins: (name, level) => t`${name} dimmed it to ${level}`,
  },
  wake: {
    title: t`Keep on`, one: t`wake`, several: t`wakes`, effect: t`kept on`,
    begins: (name) => t`${name} kept it on`,
  },
  sleep: {
    title: t`Off`, one: t`sleep`, several: t`sleeps`, effect: t`switched off`,
    begins: (name) => t`${name} switched it off for a time`,
  },
};

/** The author of a change that no person made. */
const setters = { external: t`Another program`, hotkey: t`A brightness key`, auto: t`Automatic brightness`, simulator: t`The simulated room` };

/**
 * A sentence that states what a change did, who made it and why.
 * @param {Change} change
 */
export function changeSentence({ brightness, baseline, on, available, before, lease, cause }) {
  const { kind, by, reason } = cause;
  const level = on ? percent(brightness) : t`off`;
  if (!available) return t`Became unavailable`;
  if (before && !before.available) return t`Available again: ${level}`;
  const [name, owner] = [who(by), whose(by)];
  const why = reason ? t` for ${isolated(reason)}` : "";
  const said = reason ? `: ${isolated(reason)}` : "";
  if (lease?.ended) {
    if (by === "idle") return t`Somebody is there: ${level}`;
    const noun = leaseWords[lease.kind].one;
    if (kind === "expired") return t`${owner} ${noun}${why} expired: ${level}`;
    if (kind === "disconnected") return t`${owner} ${noun}${why} ended, its connection closed: ${level}`;
    if (kind === "schedule") return t`${owner} ${noun}${why} ended: ${level}`;
    return t`${name} ended a ${noun}${why}: ${level}`;
  }
  if (lease) {
    if (by === "idle") return t`Nobody is there: ${level}`;
    if (by === "presence") return t`Kept on: somebody is near`;
    return `${leaseWords[lease.kind].begins(name, percent(brightness))}${why}`;
  }
  if (kind === "recovered") return t`Restored after a restart: ${level}`;
  if (kind === "connected") return t`Connected: ${level}`;
  const setter = setters[kind] ?? name;
  const way = kind === "mqtt" ? t` over MQTT` : "";
  if (before && before.on !== on) return on ? t`${setter} switched it on${way}${said}` : t`${setter} switched it off${way}${said}`;
  const shows = on && brightness !== baseline ? t` (shows ${level})` : on ? "" : t` when on`;
  return t`${setter} set it to ${percent(baseline)}${shows}${way}${said}`;
}

/**
 * A sentence that states who changed a display and why.
 * @param {Cause} cause
 * @param {{isBoosted?: boolean, isOff?: boolean}} state  whether a boost was in force afterwards, and people want it to be off
 */
export function sentence({ kind, by, reason }, { isBoosted = false, isOff = false } = {}) {
  const [name, owner] = [who(by), whose(by)];
  const why = reason ? t` for ${isolated(reason)}` : "";
  const said = reason ? `: ${isolated(reason)}` : "";
  switch (kind) {
    case "api":
      return isOff ? t`${name} switched it off${said}` : t`${name} set it${said}`;
    case "boost":
      return why ? t`${name} boosted${why}` : t`${name} boosted it`;
    case "dim":
      return t`${name} dimmed it${why}`;
    case "wake":
      return t`${name} kept it on${why}`;
    case "sleep":
      return t`${name} switched it off for a time${why}`;
    case "restore":
      return isBoosted ? t`${name} ended a boost` : t`${name} restored it`;
    case "expired":
      return t`${owner} lease${why} expired`;
    case "disconnected":
      return t`${owner} lease${why} ended: its connection closed`;
    case "external":
      return t`Another program changed it`;
    case "hotkey":
      return t`Changed by a brightness key`;
    case "auto":
      return t`Automatic brightness changed it`;
    case "schedule":
      return t`${name} changed it`;
    case "idle":
      return t`Somebody left or came back`;
    case "presence":
      return t`Kept on: somebody is near`;
    case "follow":
      return t`Follows ${name}`;
    case "recovered":
      return isBoosted ? t`The boost continued after a restart` : t`Restored after a restart`;
    case "connected":
      return t`Connected`;
    case "lost":
      return t`Became unavailable`;
    case "simulator":
      return t`Changed in the simulated room`;
    case "mqtt":
      return t`${name} set it over MQTT${said}`;
    case "settings":
      return t`${name} changed its settings${said}`;
    default:
      return kind;
  }
}

/**
 * What holds a display's brightness now, and until when; empty if only its baseline does.
 * @param {DisplayState} state
 * @param {Lease[]} leases  of this display
 * @param {boolean} [areListed]  whether the leases are shown next to it, so that a single one needs no other words
 */
export function inForce(state, leases, areListed) {
  const { boost, dim, sleep, auto, limitedBy } = state;
  const isAlone = areListed && leases.length === 1;
  const limit = sleep && !sleep.overridden ? "sleep" : dim && !dim.overridden && limitedBy.includes("dim") ? "dim" : null;
  if (limit) {
    if (isAlone) return "";
    const first = leases.find(({ kind, overridden }) => kind === limit && !overridden);
    const what = limit === "dim" ? t`Dimmed` : t`Switched off`;
    if (first?.holder === "idle") return `${what} ${until(first)}`;
    const by = t`${what} by ${whom(first?.holder ?? null)}`;
    return first ? `${by}, ${until(first)}` : by;
  }
  if (isOff(state)) return boost && !boost.overridden ? t`Off: the boost has no effect until it is on` : "";
  if (limitedBy.includes("signal")) return t`No signal: another program has blanked the screen`;
  if (limitedBy.includes("device")) return t`Limited by the display’s own menu`;
  if (boost?.overridden) return t`Set by hand: the boost has no effect`;
  if (boost) {
    if (isAlone) return "";
    const boosts = leases.filter(({ kind }) => kind === "boost");
    const [first, ...others] = boosts.sort((a, b) => (b.brightness ?? 0) - (a.brightness ?? 0));
    if (!first) return t`Boosted`;
    const by = whom(first.holder);
    const more = others.length === 0 ? "" : others.length === 1 ? t` and another` : t` and ${others.length} others`;
    const why = first.reason ? t` for ${isolated(first.reason)}` : "";
    return t`Boosted by ${by}${why}${more}, ${until(first)}`;
  }
  if (!auto.enabled || auto.heldUntil !== null) return "";
  return auto.waiting ? t`Waits for a light sensor` : t`Follows the light in the room`;
}

/** How bright a display is, in a word. @param {DisplayState} state */
export const levelOf = (state) => (isOff(state) ? t`Off` : percent(state.brightness));

/** The brightness of a display that is off, once it is on; empty for others. @param {DisplayState} state */
export const whenOn = (state) => (isOff(state) ? t`${percent(state.brightness)} when on` : "");

/** Since when a display is not available. @param {DisplayState["unavailable"]} unavailable */
export function since(unavailable) {
  if (!unavailable) return "";
  const time = dateText(unavailable.since, now());
  return unavailable.atLatest ? t`since before ${time}` : t`since ${time}`;
}

/**
 * Whether the daemon accepts brightness, leases and power for a display. A monitor that sleeps gets them when it wakes.
 * @param {DisplayState} state
 */
export const acceptsCommands = ({ available, kind }) => available || kind === "ddc";

/** Whether a display is on; where that is unknown, whether people asked for it. @param {DisplayState} state */
export const isOn = ({ power }) => power?.on ?? power?.baseline ?? true;

/** That a display is not available, and since when. @param {DisplayState} state */
export const missing = ({ unavailable }) => t`Not available ${since(unavailable)}`.trim();

/**
 * Whether the last change of a display needs no words: its state or a lease of it states the same.
 * @param {DisplayState} state @param {Lease[]} leases  of this display
 */
export function isStated({ available, cause: { kind, by } }, leases) {
  if (!available && kind === "lost") return true;
  return leases.some((lease) => lease.holder === by && [lease.kind, "schedule", "idle", "presence"].includes(kind));
}

/** The last change of a display: by whom, and why. @param {DisplayState} state */
export const lastSentence = ({ boost, power, cause }) =>
  sentence(cause, { isBoosted: boost !== null, isOff: power?.on === false && !power.baseline });

/**
 * When a lease ends.
 * @param {Lease} lease
 */
function until({ until, ending, lifespan, holder }) {
  if (holder === "idle") return t`while nobody is there`;
  if (holder === "presence" && until === null) return t`while somebody is near`;
  const end = ends.get(scheduleOf(holder) ?? "");
  if (end) return t`until ${clockText(end)}`;
  if (ending) return t`ends soon: its page is closed`;
  if (until !== null) return t`until ${clockText(until)}`;
  return lifespan === "visible" ? t`while its page is open` : t`until released`;
}

/** The time since then. @param {string} time */
export function ago(time) {
  const seconds = Math.max(0, Math.round((now() - Date.parse(time)) / 1_000));
  if (seconds < 3) return t`just now`;
  if (seconds < 60) return t`${seconds} s ago`;
  if (seconds < 3_600) return t`${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return t`${Math.floor(seconds / 3_600)} h ago`;
  return timeText(time, { day: "numeric", month: "short" });
}

/** The remaining time of a lease. @param {Lease} lease */
export function left(lease) {
  const end = lease.ending ?? lease.until ?? ends.get(scheduleOf(lease.holder) ?? "") ?? null;
  if (end === null) return until(lease);
  const seconds = Math.max(0, Math.ceil((Date.parse(end) - now()) / 1_000));
  if (seconds >= 3_600) return t`${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min left`;
  return seconds >= 60 ? t`${Math.floor(seconds / 60)} min left` : t`${seconds} s left`;
}

/** @param {Lease} lease */
export function holderOf({ holder }) {
  const schedule = scheduleOf(holder);
  if (schedule !== null) return t`Schedule ${schedule}`;
  if (holder === "idle") return t`Absence`;
  if (holder === "presence") return t`Presence`;
  return who(holder);
}

/**
 * The words for the kinds of displays, in the order of the dashboard: built-in ones first, those of other machines last.
 * @type {Record<string, (state: DisplayState) => string>}
 */
const displayWords = {
  backlight: () => t`Backlight`,
  ddc: () => t`Monitor`,
  led: () => "LED",
  provided: ({ provider }) => (provider && provider !== "anonymous" ? t`Provided by ${provider}` : t`Provided by a client`),
  simulated: () => t`Simulated`,
  tv: () => t`Television`,
  remote: () => t`Remote`,
};

export const kindsOfDisplays = Object.keys(displayWords);

/** The kind of a display, with its id. @param {DisplayState} state */
export function kindOf(state) {
  const { kind, id, name } = state;
  const word = displayWords[kind]?.(state) ?? kind;
  return name.includes(id) || id === kind ? word : `${word} · ${id}`;
}
