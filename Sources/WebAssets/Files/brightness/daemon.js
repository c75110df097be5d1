// SPDX-License-Identifier: Apache-2.0
import { Feed } from "./feed.js";
import { Server } from "./server.js";

/** @typedef {import("./stream.js").Fact} Fact */

/**
 * Listens to every fact of a server, for pages that show all of it.
 * @param {(fact: Fact) => void} listener  receives `state`, a kind of lease such as `boost`, `ambient`, `display`, `schedule`, `day`, `preset`, `health`, `simulator`, `default`, `failure`, `reset` and `synced` events, and `condition`
 * @param {{server?: string | null}} options
 * @returns {() => void} stops
 */
export function listen(listener, { server } = {}) {
  return Feed.of(Server.at(server)).listen(listener);
}

/**
 * Sends a request with this page’s token.
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {{server?: string | null}} options
 * @returns {Promise<any>} rejects with a `BrightnessError`
 */
export function request(method, path, body, { server } = {}) {
  return Server.at(server).request(method, path, body);
}
