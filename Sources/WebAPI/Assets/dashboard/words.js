// SPDX-License-Identifier: Apache-2.0
// The texts of the dashboard.

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

/** The server's time, in milliseconds. */
export const now = () => Date.now() + offset;

/** @param {string | null} name @param {string} me */
const who = (name, me) => (name === null ? "Someone" : name === me ? "You" : name);

/**
 * A sentence that says who changed a display and why.
 * @param {Cause} cause
 * @param {string} me  This page's holder.
 */
export function sentence({ kind, by, reason }, me) {
  const [name, owner] = [who(by, me), by === me ? "Your" : by === null ? "A" : `${by}’s`];
  const why = reason ? ` for ${reason}` : "";
  const said = reason ? `: ${reason}` : "";
  switch (kind) {
    case "api":
      return `${name} set it${said}`;
    case "boost":
      return `${name} boosted${why}`;
    case "dim":
      return `${name} dimmed it${why}`;
    case "wake":
      return `${name} keeps it on${why}`;
    case "sleep":
      return `${name} switched it off${why}`;
    case "restore":
      return `${name} restored it`;
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
    case "recovered":
      return "Restored after a crash";
    case "connected":
      return "Connected";
    case "simulator":
      return "Changed in the simulated room";
    case "mqtt":
      return `${name} set it over MQTT${said}`;
    default:
      return kind;
  }
}

/** The time since then. @param {string} time */
export function ago(time) {
  const seconds = Math.max(0, Math.round((now() - Date.parse(time)) / 1_000));
  if (seconds < 3) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ago`;
  return new Date(time).toLocaleDateString(undefined, { day: "numeric", month: "short" });
}

/** The remaining time of a lease. @param {Lease} lease */
export function left({ until, lifespan }) {
  if (until === null) return lifespan === "visible" ? "while its page is open" : "until released";
  const seconds = Math.max(0, Math.ceil((Date.parse(until) - now()) / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The names of the kinds of leases. */
export const kindOfLease = { boost: "Boost", dim: "Dim", wake: "Keep on", sleep: "Off" };

/** @param {Lease} lease @param {string} me */
export const holderOf = (lease, me) => who(lease.holder, me);

/** The kind of a display, with its id. @param {DisplayState} state */
export function kindOf({ kind, id, name }) {
  const kinds = { backlight: "Backlight", led: "LED", ddc: "Monitor", simulated: "Simulated", remote: "Remote" };
  const word = kinds[kind] ?? kind;
  return id === name || id === kind ? word : `${word} · ${id}`;
}

/** @param {number} fraction */
export const percent = (fraction) => `${Math.round(fraction * 100)} %`;
