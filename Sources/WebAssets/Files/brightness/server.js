// SPDX-License-Identifier: Apache-2.0

/**
 * @typedef {object} Problem  Why a request failed (RFC 9457). `status` 0: there was no response.
 * @property {number} status
 * @property {string} title
 * @property {string} detail
 * @property {{pointer: string, detail: string}[]} [errors]  the faults of a body, by member
 */

/**
 * The address of the daemon that served this file or a bundle with it: its origin, and for its own pages the path of a
 * proxy. Elsewhere, as in a copy, the default is the daemon on this machine.
 */
const home =
  /^(https?:\/\/[^/]+(.*(?=\/assets\/[0-9a-f]{1,8}\/))?)(\/assets\/[0-9a-f]+)?\/(brightness(\/server)?|dashboard\/dashboard)\.js$/.exec(import.meta.url.split("?")[0])?.[1]
  ?? "http://127.0.0.1:8787";

/** A request without a response for this long fails, in milliseconds. */
const requestTimeout = 10_000;

/** A request that failed or got no response. */
export class BrightnessError extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    super(problem.detail);
    this.name = "BrightnessError";
    this.problem = problem;
  }

  /** @param {Response} response */
  static async of(response) {
    const problem = await response.json().catch(() => null);
    const { status } = response;
    if (problem?.detail) return new BrightnessError({ ...problem, status });
    const { origin } = new URL(response.url || location.href);
    const detail = `${origin} returned HTTP ${status}, and does not look like brightnessd. Name the daemon with server.`;
    return new BrightnessError({ status, title: "Request failed", detail });
  }

  static absent = new BrightnessError({ status: 0, title: "Daemon unreachable", detail: "The daemon does not respond." });
}

/**
 * The tokens by the address of their daemon, which get an event of that name when they change. All copies of this module
 * on a page share them, such as those that a page has loaded with and without a query.
 */
const tokens = (/** @type {any} */ (globalThis)[Symbol.for("brightness tokens")] ??= Object.assign(new EventTarget(), { of: new Map() }));

/** A client of one daemon. One object per address. */
export class Server {
  /** @type {Map<string, Server>} */
  static #all = new Map();

  /** @param {string | null} [address] */
  static at(address) {
    let base = home;
    try {
      const { origin, pathname } = new URL(address || home, document.baseURI);
      base = origin + pathname.replace(/\/+$/, "");
    } catch {
      // An invalid address fails at the first request.
      base = address ?? home;
    }
    const known = Server.#all.get(base) ?? new Server(base);
    Server.#all.set(base, known);
    return known;
  }

  /** @param {string} origin  with the path of a proxy, if there is one, and without a slash at its end */
  constructor(origin) {
    this.origin = origin;
    this.#isAdmitted = `${origin}/`.startsWith(`${location.origin}/`);
  }

  /** @type {boolean} */
  #isAdmitted;

  /** Asks whether the daemon accepts pages of this origin: a browser reports each request that it refuses. @param {AbortSignal} signal */
  async admit(signal) {
    if (this.#isAdmitted) return;
    const text = await fetch(`${this.origin}/livez`, { cache: "no-store", signal }).then((response) => response.text(), () => "");
    const [, detail] = /^refused: (.*)/.exec(text) ?? [];
    if (detail) throw new BrightnessError({ status: 0, title: "Origin not allowed", detail });
    this.#isAdmitted = true;
  }

  /** @type {string | null} */
  get token() {
    return tokens.of.get(this.origin) ?? null;
  }

  set token(token) {
    tokens.of.set(this.origin, token);
    tokens.dispatchEvent(new Event(this.origin));
  }

  /** @param {() => void} listener  is called after each new token @param {AbortSignal} [signal] stops that */
  onToken(listener, signal) {
    tokens.addEventListener(this.origin, listener, { signal });
  }

  /**
   * A token as a header. A browser sends none with most of the characters that no token has, such as invisible ones from a
   * chat: the daemon gets a token that it rejects instead.
   * @param {string} token
   */
  static headersOf(token) {
    return { Authorization: `Bearer ${/^[!-~]+$/.test(token) ? token : "-"}` };
  }

  /** @returns {Record<string, string>} */
  get headers() {
    return this.token ? Server.headersOf(this.token) : {};
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   * @returns {Promise<any>} the response’s JSON; an empty object if it has no content
   * @throws {BrightnessError} also without a response in ten seconds
   */
  request(method, path, body) {
    return this.#send(method, path, (response) => (response.status === 204 ? {} : response.json()), body);
  }

  /**
   * Reads a resource in another media type.
   * @param {string} path
   * @param {string} type
   * @returns {Promise<Blob>}
   */
  file(path, type) {
    return this.#send("GET", path, (response) => response.blob(), undefined, { Accept: type });
  }

  /** @param {(response: Response) => any} read  @param {Record<string, string>} [headers] */
  async #send(method, path, read, body, headers) {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), requestTimeout);
    if (!this.#isAdmitted) await this.admit(timeout.signal);
    const response = await fetch(this.origin + path, {
      method,
      headers: { ...this.headers, ...headers, ...(body && { "Content-Type": "application/json" }) },
      body: body && JSON.stringify(body),
      // A request sent while the page closes still arrives.
      keepalive: method !== "GET",
      signal: timeout.signal,
    }).catch(() => {
      clearTimeout(timer);
      throw BrightnessError.absent;
    });
    try {
      if (!response.ok) throw await BrightnessError.of(response);
      return await Promise.resolve(read(response)).catch(() => Promise.reject(BrightnessError.absent));
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The kinds of leases, which are also the names of their events. */
export const leaseKinds = ["boost", "dim", "wake", "sleep"];

/**
 * What distinguishes a lease: the ids of leases of two displays may be equal.
 * @param {{display: string, id: string}} lease
 */
export const keyOf = ({ display, id }) => `${display} ${id}`;

/**
 * The path of a display's resource.
 * @param {string | null | undefined} display  `null`: the default display
 * @param {"brightness" | "boost" | "dim" | "wake" | "sleep" | "restore" | "power"} resource
 */
export function path(display, resource) {
  return display ? `/v1/displays/${encodeURIComponent(display)}/${resource}` : `/v1/${resource}`;
}
