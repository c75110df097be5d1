// SPDX-License-Identifier: Apache-2.0
import { leaseKinds } from "../brightness/server.js";
import { kindsOfDisplays, setSchedules } from "./words.js";

/**
 * @typedef {import("../brightness/display.js").DisplayState} DisplayState
 * @typedef {import("../brightness/display.js").Lease} Lease
 */

/** @type {Lease[]} */
const none = [];

/**
 * A list in the order of the names, with a newer thing in place of the one of its name, or without one that was removed.
 * @template {{name: string}} Thing
 * @param {Thing[]} list
 * @param {Thing & {removed?: true}} thing
 */
function reorder(list, thing) {
  const others = list.filter(({ name }) => name !== thing.name);
  return thing.removed ? others : [...others, thing].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The newest facts of the stream: displays, leases, the light, schedules, presets, the daemon's health, the connection. */
class Facts {
  /** @type {Map<string, DisplayState>} */
  states = new Map();
  /** @type {Map<string, Map<string, Lease>>} by display */
  #leases = new Map();
  /** @type {import("../brightness/ambient.js").Ambient | null} */
  ambient = null;
  /** @type {Omit<import("./daytime.js").Schedules, "schedules"> | null} */
  #day = null;
  /** @type {import("./daytime.js").Schedule[]} */
  #schedules = [];
  /** @type {import("./presets.js").Preset[]} */
  presets = [];
  /** The id of the display that requests without one are for. @type {string | null} */
  defaultDisplay = null;
  /**
   * As `GET /readyz` answers.
   * @type {{
   *   journal: {state: string, detail: string | null},
   *   homeAssistant: {state: string, clients?: number, refused?: number, key?: string, address?: string},
   * } | null}
   */
  health = null;
  /** @type {import("../brightness/stream.js").Condition} */
  condition = { status: "connecting", problem: null };
  /** Grows when a display appears, disappears, or gets another name, kind or availability. */
  version = 0;
  /** Whether a command has had no response for seconds, and nothing has arrived since. */
  isDoubtful = false;

  /** @param {import("../brightness/stream.js").Fact} fact */
  receive({ name, data }) {
    this.isDoubtful = false;
    if (leaseKinds.includes(name)) this.#receiveLease(data);
    switch (name) {
      case "condition":
        if (data.status === "live" && this.condition.status !== "live" && !data.isResumed) this.forget();
        this.condition = data;
        break;
      case "state":
        this.#receiveState(data);
        break;
      case "ambient":
        this.ambient = data;
        break;
      case "day":
        this.#day = data;
        break;
      case "schedule":
        this.#schedules = reorder(this.#schedules, data);
        setSchedules(this.#schedules);
        break;
      case "preset":
        this.presets = reorder(this.presets, data);
        break;
      case "default":
        this.defaultDisplay = data.id;
        break;
      case "health":
        this.health = data;
        break;
      case "reset":
        this.forget();
        break;
      case "display":
        if (data.change === "removed") this.#remove(data.id);
    }
  }

  /** `null` until the stream has sent the local day. @returns {import("./daytime.js").Schedules | null} */
  get schedules() {
    return this.#day && { ...this.#day, schedules: this.#schedules };
  }

  /** The leases of a display. @param {string} display */
  leasesOf(display) {
    const leases = this.#leases.get(display);
    return leases ? [...leases.values()] : none;
  }

  /** All displays: those whose position somebody chose, then the others by their kinds. */
  get inOrder() {
    const order = ({ position: chosen }) => chosen ?? Infinity;
    const rank = ({ kind }) => kindsOfDisplays.indexOf(kind);
    const compare = (a, b) => (order(a) === order(b) ? rank(a) - rank(b) : order(a) - order(b)) || a.id.localeCompare(b.id, undefined, { numeric: true });
    return [...this.states.values()].sort(compare);
  }

  /** @param {DisplayState} state */
  #receiveState(state) {
    const known = this.states.get(state.id);
    this.states.set(state.id, state);
    const isSame =
      known && known.name === state.name && known.kind === state.kind && known.available === state.available
      && known.unavailable?.since === state.unavailable?.since;
    if (!isSame || known.boost?.overridden !== state.boost?.overridden) this.version += 1;
  }

  #receiveLease({ lease, change }) {
    const leases = this.#leases.get(lease.display) ?? new Map();
    if (["granted", "renewed"].includes(change)) leases.set(lease.id, lease);
    else leases.delete(lease.id);
    if (leases.size > 0) this.#leases.set(lease.display, leases);
    else this.#leases.delete(lease.display);
  }

  /** @param {string} display */
  #remove(display) {
    this.states.delete(display);
    this.#leases.delete(display);
    this.version += 1;
  }

  /** The stream sends every current fact again. */
  forget() {
    this.states.clear();
    this.#leases.clear();
    this.ambient = null;
    this.#day = null;
    this.#schedules = [];
    setSchedules([]);
    this.presets = [];
    this.defaultDisplay = null;
    this.health = null;
    this.version += 1;
  }
}

export const facts = new Facts();
