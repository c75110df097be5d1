// SPDX-License-Identifier: Apache-2.0
import { Server } from "./server.js";

/**
 * Sets the token of all later requests and reconnects the event stream.
 * @param {string | null} token
 * @param {{server?: string | null}} options
 */
export function authorize(token, { server } = {}) {
  Server.at(server).token = token;
}

/**
 * The server of an element or object, with its token. A server has one token on a page: the newest.
 * @param {string | null} [address]
 * @param {string | null} [token]
 */
export function serverFor(address, token) {
  const server = Server.at(address);
  if (token && token !== server.token) server.token = token;
  return server;
}
