// SPDX-License-Identifier: Apache-2.0

/**
 * @typedef {object} Problem  Why a request failed (RFC 9457). `status` 0: there was no response.
 * @property {number} status
 * @property {string} title
 * @property {string} detail
 */

/** The origin of the daemon that served this file; the daemon on this machine for a copy not loaded over HTTP. */
const home = /^https?:/.test(import.meta.url) ? new URL(import.meta.url).origin : "http://127.0.0.1:8787";

/** A request that failed or got no response. */
export class BrightnessError extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    super(problem.detail);
    this.name = "BrightnessError";
    this.problem = problem;
  }

  /** @param {Response} answer */
  static async of(answer) {
    const problem = await answer.json().catch(() => null);
    const { status } = answer;
    if (problem?.detail) return new BrightnessError(problem);
    return new BrightnessError({ status, title: "Request failed", detail: `The server returned HTTP ${status}.` });
  }

  static absent = new BrightnessError({ status: 0, title: "Server unreachable", detail: "The server does not respond." });
}

/** A client of one daemon. One object per origin. */
export class Server {
  /** @type {Map<string, Server>} */
  static #all = new Map();

  /** @param {string | null} [address] */
  static at(address) {
    let origin = home;
    try {
      if (address) origin = new URL(address, document.baseURI).origin;
    } catch {
      // An invalid address fails at the first request.
      origin = address ?? home;
    }
    const known = Server.#all.get(origin) ?? new Server(origin);
    Server.#all.set(origin, known);
    return known;
  }

  /** @type {string | null} */
  token = null;

  /** @param {string} origin */
  constructor(origin) {
    this.origin = origin;
  }

  /** @returns {Record<string, string>} */
  get headers() {
    return this.token ? { Authorization: `Bearer ${this.token}` } : {};
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   * @returns {Promise<any>} the response’s JSON
   * @throws {BrightnessError}
   */
  async request(method, path, body) {
    const answer = await fetch(this.origin + path, {
      method,
      headers: { ...this.headers, ...(body && { "Content-Type": "application/json" }) },
      body: body && JSON.stringify(body),
      // A request sent while the page closes still arrives.
      keepalive: method !== "GET",
    }).catch(() => Promise.reject(BrightnessError.absent));
    if (!answer.ok) throw await BrightnessError.of(answer);
    return answer.json().catch(() => Promise.reject(BrightnessError.absent));
  }
}

/**
 * The path of a display's resource.
 * @param {string | null | undefined} display  `null`: the default display
 * @param {"brightness" | "boosts" | "restore"} resource
 */
export function path(display, resource) {
  if (display) return `/v1/displays/${encodeURIComponent(display)}/${resource}`;
  return resource === "boosts" ? "/v1/boost" : `/v1/${resource}`;
}
