// SPDX-License-Identifier: Apache-2.0
// The texts of the dashboard.

import { isOff } from "../brightness/display.js";
import { clockText, dateText, isolated, percent, timeText } from "./formats.js";

/**
 * @typedef {import("../brightness/display.js").DisplayState} DisplayState
 * @typedef {import("../brightness/display.js").Lease} Lease
 * @typedef {DisplayState["cause"]} Cause
 */

/** The server's clock minus this browser's, in milliseconds. */
let offset = 0;

/** Sets the server’s time. @param {number | null} [difference]  as `offset`, to the second */
export function setClock(difference) {
  if (difference != null && Math.abs(difference) > 2_000) offset = difference;
}

/** When the schedules that are in force end, by name. @type {Map<string, string>} */
let ends = new Map();

/** Sets the schedules, which are holders of leases. @param {import("./daytime.js").Schedules | null} report */
export function setSchedules(report) {
  const active = (report?.schedules ?? []).filter(({ active, next }) => active && next?.change === "end");
  ends = new Map(active.map(({ name, next }) => [name, next?.at ?? ""]));
}

/** The server's time, in milliseconds. */
export const now = () => Date.now() + offset;

/** The name of the schedule that is a holder; `null` for another holder. @param {string | null} holder */
const scheduleOf = (holder) => (holder?.startsWith("schedule:") ? holder.slice("schedule:".length) : null);

/** A holder in the middle of a sentence. @param {string | null} holder @param {string} me */
export function whom(holder, me) {
  const schedule = scheduleOf(holder);
  if (schedule !== null) return `the schedule ${isolated(schedule)}`;
  return holder === null ? "someone" : holder === me ? "you" : isolated(holder);
}

/** @param {string | null} name @param {string} me */
const who = (name, me) => (name === null ? "Someone" : name === me ? "You" : capital(whom(name, me)));

/** @param {string} text */
const capital = (text) => (text.startsWith("the ") ? `T${text.slice(1)}` : text);

/** @param {string | null} name @param {string} me */
const whose = (name, me) => (name === null ? "A" : name === me ? "Your" : `${capital(whom(name, me))}’s`);

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

/** What a lease that begins does to a display. */
const begins = {
  boost: (name, level) => `${name} boosted it to ${level}`,
  dim: (name, level) => `${name} dimmed it to ${level}`,
  wake: (name) => `${name} keeps it on`,
  sleep: (name) => `${name} switched it off`,
};

/** Who sets a display where no person does. */
const setters = { external: "Another program", hotkey: "A brightness key", auto: "Automatic brightness", simulator: "The simulated room" };

/**
 * A sentence that states what a change did, who made it and why.
 * @param {Change} change
 * @param {string} me  This page's holder.
 */
export function changeSentence({ brightness, baseline, on, available, before, lease, cause }, me) {
  const { kind, by, reason } = cause;
  const level = on ? percent(brightness) : "off";
  if (!available) return "Display lost";
  if (before && !before.available) return `Display found: ${level}`;
  const [name, owner] = [who(by, me), whose(by, me)];
  const why = reason ? ` for ${isolated(reason)}` : "";
  const said = reason ? `: ${isolated(reason)}` : "";
  if (lease?.ended) {
    if (by === "idle") return `Somebody is there: ${level}`;
    const end = kind === "expired" ? "expired" : kind === "disconnected" ? "ended, its page closed" : "ended";
    return `${owner} ${kindOfLease[lease.kind].toLowerCase()}${why} ${end}: ${level}`;
  }
  if (lease) {
    if (by === "idle") return `Nobody is there: ${level}`;
    if (by === "presence") return "Kept on: somebody is near";
    return `${begins[lease.kind](name, percent(brightness))}${why}`;
  }
  if (kind === "recovered") return `Restored after a crash: ${level}`;
  if (kind === "connected") return `Display found: ${level}`;
  const setter = setters[kind] ?? name;
  const way = kind === "mqtt" ? " over MQTT" : "";
  if (before && before.on !== on) return `${setter} switched it ${on ? "on" : "off"}${way}${said}`;
  const shows = on && brightness !== baseline ? ` (shows ${level})` : on ? "" : " when on";
  return `${setter} set it to ${percent(baseline)}${shows}${way}${said}`;
}

/**
 * A sentence that states who changed a display and why.
 * @param {Cause} cause
 * @param {string} me  This page's holder.
 * @param {{isBoosted?: boolean, isOff?: boolean}} state  whether a boost was in force afterwards, and people want it to be off
 */
export function sentence({ kind, by, reason }, me, { isBoosted = false, isOff = false } = {}) {
  const [name, owner] = [who(by, me), whose(by, me)];
  const why = reason ? ` for ${isolated(reason)}` : "";
  const said = reason ? `: ${isolated(reason)}` : "";
  switch (kind) {
    case "api":
      return `${name} ${isOff ? "switched it off" : "set it"}${said}`;
    case "boost":
      return `${name} boosted${why || " it"}`;
    case "dim":
      return `${name} dimmed it${why}`;
    case "wake":
      return `${name} keeps it on${why}`;
    case "sleep":
      return `${name} switched it off${why}`;
    case "restore":
      return isBoosted ? `${name} ended a boost` : `${name} restored it`;
    case "expired":
      return `${owner} lease${why} expired`;
    case "disconnected":
      return `${owner} lease${why} ended: its page closed`;
    case "external":
      return "Another program changed it";
    case "hotkey":
      return "Changed by a brightness key";
    case "auto":
      return "Automatic brightness changed it";
    case "schedule":
      return `${name} changed it`;
    case "idle":
      return "Changed because nobody was there, or somebody came back";
    case "presence":
      return "Kept on: somebody is near";
    case "recovered":
      return isBoosted ? "The boost continued after a crash" : "Restored after a crash";
    case "connected":
      return "Display found";
    case "lost":
      return "Display lost";
    case "simulator":
      return "Changed in the simulated room";
    case "mqtt":
      return `${name} set it over MQTT${said}`;
    default:
      return kind;
  }
}

/**
 * What holds a display's brightness now, and until when; empty if only its baseline does.
 * @param {DisplayState} state
 * @param {Lease[]} leases  of this display
 * @param {string} me  This page's holder.
 */
export function inForce(state, leases, me) {
  const { boost, dim, sleep, auto, limitedBy } = state;
  const limit = sleep && !sleep.overridden ? "sleep" : dim && !dim.overridden && limitedBy.includes("dim") ? "dim" : null;
  if (limit) {
    const first = leases.find(({ kind, overridden }) => kind === limit && !overridden);
    const what = limit === "dim" ? "Dimmed" : "Switched off";
    if (first?.holder === "idle") return `${what} ${until(first)}`;
    return `${what} by ${whom(first?.holder ?? null, me)}${first ? `, ${until(first)}` : ""}`;
  }
  if (isOff(state)) return boost && !boost.overridden ? "Off. The boost shows when it is on" : "";
  if (boost?.overridden) return "Set by hand: the boost has no effect";
  if (boost) {
    const boosts = leases.filter(({ kind }) => kind === "boost");
    const [first, ...others] = boosts.sort((a, b) => (b.brightness ?? 0) - (a.brightness ?? 0));
    if (!first) return "Boosted";
    const by = whom(first.holder, me);
    const more = others.length === 0 ? "" : others.length === 1 ? " and another" : ` and ${others.length} others`;
    const why = first.reason ? ` for ${isolated(first.reason)}` : "";
    return `Boosted by ${by}${why}${more}, ${until(first)}`;
  }
  if (!auto.enabled || auto.heldUntil !== null) return "";
  return auto.waiting ? "Waits for a light sensor" : "Follows the light in the room";
}

/** How bright a display is, in a word. @param {DisplayState} state */
export const levelOf = (state) => (isOff(state) ? "Off" : percent(state.brightness));

/** What follows when a display that is off is switched on; empty for others. @param {DisplayState} state */
export const whenOn = (state) => (isOff(state) ? `${percent(state.brightness)} when on` : "");

/** Since when a display is not available. @param {DisplayState["unavailable"]} unavailable */
export function since(unavailable) {
  if (!unavailable) return "";
  return `since ${unavailable.atLatest ? "before " : ""}${dateText(unavailable.since, now())}`;
}

/** That a display is not available, and since when. @param {DisplayState} state */
export const missing = ({ unavailable }) => `Not available ${since(unavailable)}`.trim();

/**
 * Who changed a display last, and when; empty if its state states that already.
 * @param {DisplayState} state
 * @param {string} me  This page's holder.
 */
export function lastChange(state, me) {
  if (!state.available && state.cause.kind === "lost") return "";
  return `${lastSentence(state, me)}, ${ago(state.cause.at)}`;
}

/** Who changed a display last, and why. @param {DisplayState} state @param {string} me */
export const lastSentence = ({ boost, power, cause }, me) =>
  sentence(cause, me, { isBoosted: boost !== null, isOff: power?.on === false && !power.baseline });

/**
 * When a lease ends.
 * @param {Lease} lease
 */
function until({ until, ending, lifespan, holder }) {
  if (holder === "idle") return "while nobody is there";
  if (holder === "presence" && until === null) return "while somebody is near";
  const end = ends.get(scheduleOf(holder) ?? "");
  if (end) return `until ${clockText(end)}`;
  if (ending) return "ends soon: its page is closed";
  if (until !== null) return `until ${clockText(until)}`;
  return lifespan === "visible" ? "while its page is open" : "until released";
}

/** The time since then. @param {string} time */
export function ago(time) {
  const seconds = Math.max(0, Math.round((now() - Date.parse(time)) / 1_000));
  if (seconds < 3) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ago`;
  return timeText(time, { day: "numeric", month: "short" });
}

/** The remaining time of a lease. @param {Lease} lease */
export function left(lease) {
  const end = lease.ending ?? lease.until ?? ends.get(scheduleOf(lease.holder) ?? "") ?? null;
  if (end === null) return until(lease);
  const seconds = Math.max(0, Math.ceil((Date.parse(end) - now()) / 1_000));
  if (seconds >= 3_600) return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The names of the kinds of leases. */
export const kindOfLease = { boost: "Boost", dim: "Dim", wake: "Keep on", sleep: "Off" };

/** @param {Lease} lease @param {string} me */
export function holderOf({ holder }, me) {
  const schedule = scheduleOf(holder);
  if (schedule !== null) return `Schedule ${schedule}`;
  if (holder === "idle") return "Nobody is there";
  if (holder === "presence") return "Somebody is near";
  return holder === null ? "Someone" : holder === me ? "You" : holder;
}

/** The kind of a display, with its id. @param {DisplayState} state */
export function kindOf({ kind, id, name }) {
  const kinds = { backlight: "Backlight", led: "LED", ddc: "Monitor", provided: "Shown by a client", simulated: "Simulated", remote: "Remote" };
  const word = kinds[kind] ?? kind;
  return name.includes(id) || id === kind ? word : `${word} · ${id}`;
}
