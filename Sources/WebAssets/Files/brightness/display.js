// SPDX-License-Identifier: Apache-2.0
import { serverFor } from "./authorize.js";
import { Feed, notify } from "./feed.js";
import { releaseHolderName, takeHolderName } from "./page.js";
import { path } from "./server.js";
import { ofDisplay } from "./wants.js";

/** @typedef {import("./stream.js").Fact} Fact */

/**
 * @typedef {object} DisplayState  As `GET /v1/displays/{id}` answers.
 * @property {string} id
 * @property {string} name
 * @property {string} kind
 * @property {string} [provider]  The principal of the client that shows it, if one does.
 * @property {number} brightness  What the display shows, 0…1.
 * @property {{value: number, maximum: number}} raw  The panel’s own steps.
 * @property {number} baseline  What it goes back to after boosts and dims, 0…1.
 * @property {"perceptual" | [number, number][]} [curve]  How `brightness` maps to the panel’s range; linear without it.
 * @property {number} percent
 * @property {boolean} dimmable  Whether it has a brightness; `brightness` is 1 otherwise.
 * @property {{on: boolean | null, baseline: boolean, switchable: boolean, signal?: boolean}} power
 * @property {Leases | null} boost
 * @property {Leases | null} dim
 * @property {Leases | null} wake
 * @property {Leases | null} sleep
 * @property {("dim" | "wake" | "sleep" | "power" | "signal" | "device")[]} limitedBy  Why it shows another value than asked for.
 * @property {{enabled: boolean, heldUntil: string | null, waiting: "sensor" | null}} auto
 * @property {number} [position]  Its position among the displays of a page, if somebody chose one.
 * @property {string} [follows]  The display whose brightness it gets, if it follows one.
 * @property {string[]} [tags]  The words that its machine gives it, if any.
 * @property {boolean} available
 * @property {Unavailable | null} unavailable  Since when it is not available.
 * @property {{kind: string, by: string | null, reason: string | null, at: string}} cause
 * @property {number} revision
 *
 * @typedef {object} Unavailable
 * @property {string} since
 * @property {boolean} atLatest  It may have begun earlier: it was noticed then.
 *
 * @typedef {object} Leases  The leases of one kind together.
 * @property {number} [brightness]  Of boosts and dims.
 * @property {number} leases
 * @property {string | null} until
 * @property {boolean} overridden
 *
 * @typedef {object} Lease  An active lease.
 * @property {string} id
 * @property {"boost" | "dim" | "wake" | "sleep"} kind
 * @property {string} display
 * @property {string | null} holder
 * @property {string} principal  the owner
 * @property {number} [brightness]  Of a boost or a dim.
 * @property {"custom" | "visible" | "lifetime"} lifespan
 * @property {string | null} reason
 * @property {string} grantedAt
 * @property {string | null} until
 * @property {string} [ending]  Only while its page has no stream: when it ends unless the page opens one.
 * @property {boolean} overridden  A person changed the display since.
 *
 * @typedef {object} LeaseOptions
 * @property {number} [brightness]  0…1, of a boost or a dim; 1 and 0.2
 * @property {number} [ttl]  seconds; 300 for a sleep
 * @property {Lease["lifespan"]} [lifespan]  default `"visible"`: until this page closes
 * @property {number} [transition]  seconds
 * @property {string} [reason]
 */

/** Whether a display is known to be off, and so dark at any brightness. @param {DisplayState} state */
export const isOff = ({ available, power }) => available && power?.on === false;

/** One display: its state as it changes, and the commands it supports. */
export class Brightness {
  #server;
  #feed;
  #display;
  /** @type {string | null} */
  #id;
  /** @type {Set<(state: DisplayState | null, brightness: Brightness) => void>} */
  #listeners = new Set();
  #stop;
  #isOnStream = false;

  /**
   * @param {object} options
   * @param {string | null} [options.server]  the daemon’s address; default: the daemon that served this file
   * @param {string | null} [options.token]  a token for it
   * @param {string | null} [options.display]  a display’s id; default: the default display
   * @param {string | null} [options.holder]  the holder of its boosts; default: a unique name
   */
  constructor({ server, token, display, holder } = {}) {
    this.#server = serverFor(server, token);
    this.#feed = Feed.of(this.#server);
    this.#display = display || null;
    this.#id = this.#display;
    this.holder = takeHolderName(holder);
    this.#stop = this.#feed.listen((fact) => this.#receive(fact), ofDisplay(["state", "display"], this.#display));
  }

  /** @returns {DisplayState | null} the newest state; `null` until there is one */
  get state() {
    return this.#feed.stateOf(this.#id);
  }

  /** Whether `state` is current; `false` while the connection is lost. */
  get isLive() {
    return this.#feed.condition.status === "live";
  }

  /**
   * Calls back at once with the current state, then whenever it or `isLive` changes.
   * @param {(state: DisplayState | null, brightness: Brightness) => void} listener
   * @returns {() => void} stops
   */
  subscribe(listener) {
    this.#listeners.add(listener);
    notify(listener, this.state, this);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Sets the baseline.
   * @param {number} brightness  0…1
   * @param {{transition?: number, reason?: string}} [more]
   * @returns {Promise<DisplayState>} rejects with a `BrightnessError`, like every other command
   */
  set(brightness, more = {}) {
    return this.#server.request("PUT", path(this.#display, "brightness"), { brightness, holder: this.holder, ...more });
  }

  /**
   * Raises the brightness until `restore`, until `ttl` seconds have passed, or until this page is gone. With another
   * `lifespan` the boost outlives the page.
   * @param {LeaseOptions} [more]
   * @returns {Promise<Lease>}
   */
  boost(more = {}) {
    return this.#lease("boost", more);
  }

  /**
   * Limits the brightness for as long as `boost` raises it; wins over every boost.
   * @param {LeaseOptions} [more]
   * @returns {Promise<Lease>}
   */
  dim(more = {}) {
    return this.#lease("dim", more);
  }

  /**
   * Keeps the display on; wins over every sleep.
   * @param {LeaseOptions} [more]
   * @returns {Promise<Lease>}
   */
  wake(more = {}) {
    return this.#lease("wake", more);
  }

  /**
   * Switches the display off, for at most `ttl` seconds. Rejects if the display cannot be switched.
   * @param {LeaseOptions} [more]
   * @returns {Promise<Lease>}
   */
  sleep(more = {}) {
    return this.#lease("sleep", { ttl: 300, ...more });
  }

  /**
   * Switches the display off or on until somebody else does, and overrides wakes and sleeps.
   * @param {boolean} on
   * @param {{reason?: string}} [more]
   * @returns {Promise<DisplayState>}
   */
  power(on, more = {}) {
    return this.#server.request("PUT", path(this.#display, "power"), { on, holder: this.holder, ...more });
  }

  /** @param {Lease["kind"]} kind @param {LeaseOptions} more */
  #lease(kind, more) {
    const request = { lifespan: "visible", holder: this.holder, ...more };
    if (request.lifespan === "visible" && !this.#isOnStream) {
      this.#isOnStream = true;
      this.#feed.addHolder(this.holder);
    }
    return this.#server.request("POST", path(this.#display, kind), request);
  }

  /**
   * Ends this holder’s leases, or those of one `kind`; with `all` everybody’s.
   * @param {{all?: boolean, kind?: Lease["kind"], transition?: number, reason?: string}} [more]
   * @returns {Promise<DisplayState>}
   */
  async restore(more = {}) {
    const state = await this.#server.request("POST", path(this.#display, "restore"), { holder: this.holder, ...more });
    if (!more.kind) this.#leaveStream(false);
    return state;
  }

  /** Stops listening. Its boost, if any, ends within ten seconds. */
  close() {
    this.#stop();
    this.#listeners.clear();
    this.#leaveStream(true);
    releaseHolderName(this.holder);
  }

  /** @param {boolean} mustForget */
  #leaveStream(mustForget) {
    if (this.#isOnStream) this.#feed.removeHolder(this.holder, mustForget);
    this.#isOnStream = false;
  }

  /** @param {Fact} fact */
  #receive({ name, data }) {
    if (name === "default" && !this.#display) this.#id = data.id;
    if (["condition", "display", "default"].includes(name) || (name === "state" && data.id === this.#id)) {
      for (const listener of [...this.#listeners]) notify(listener, this.state, this);
    }
  }
}
