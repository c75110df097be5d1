// SPDX-License-Identifier: Apache-2.0
import { serverFor } from "./authorize.js";
import { Feed, notify } from "./feed.js";

/**
 * @typedef {object} Ambient  The ambient light, as `GET /v1/ambient` returns it.
 * @property {number | null} illuminance  In lux.
 * @property {number | null} level  0…1, logarithmic.
 * @property {"day" | "night" | null} appearance
 * @property {{id: string, condition: string, near?: boolean | null}[]} [sensors]
 * @property {string} [source]  `"brightness"`: estimated from the display’s brightness, without a sensor.
 */

/** The ambient light as it changes, such as for a page’s palette. */
export class AmbientLight {
  #feed;
  /** @type {Set<(ambient: Ambient | null, light: AmbientLight) => void>} */
  #listeners = new Set();
  #stop;

  /**
   * @param {object} options
   * @param {string | null} [options.server]  the daemon’s address; default: the daemon that served this file
   * @param {string | null} [options.token]  a token for it
   */
  constructor({ server, token } = {}) {
    this.#feed = Feed.of(serverFor(server, token));
    const receive = ({ name }) => {
      if (!["ambient", "condition", "reset"].includes(name)) return;
      for (const listener of [...this.#listeners]) notify(listener, this.ambient, this);
    };
    this.#stop = this.#feed.listen(receive, { types: ["ambient"], displays: [] });
  }

  /** @returns {Ambient | null} the newest value; `null` until there is one */
  get ambient() {
    return this.#feed.ambient;
  }

  /** @returns {"day" | "night" | null} the palette that suits the light; `null` until it is known */
  get appearance() {
    return this.ambient?.appearance ?? null;
  }

  /** Whether `ambient` is current; `false` while the connection is lost. */
  get isLive() {
    return this.#feed.condition.status === "live";
  }

  /**
   * Calls back at once with the current light, then whenever it or `isLive` changes.
   * @param {(ambient: Ambient | null, light: AmbientLight) => void} listener
   * @returns {() => void} stops
   */
  subscribe(listener) {
    this.#listeners.add(listener);
    notify(listener, this.ambient, this);
    return () => void this.#listeners.delete(listener);
  }

  /** Stops listening. */
  close() {
    this.#stop();
    this.#listeners.clear();
  }
}
