// SPDX-License-Identifier: Apache-2.0
import { Feed } from "./feed.js";
import { BrightnessError, keyOf, path } from "./server.js";
import { ofDisplay } from "./wants.js";
import { isFinal, warnOf } from "./warnings.js";

/** @typedef {import("./server.js").Server} Server */
/** @typedef {import("./stream.js").Fact} Fact */

/** Keeps a boost while it is wanted: retries until it is granted, and requests it again after a restart of the daemon. */
export class KeptBoost extends EventTarget {
  /** A lease released sooner than this was released by the previous page, whose last request arrived late. */
  static #youngest = 3_000;

  #server;
  #feed;
  #display;
  #holder;
  #body;
  #isWanted = false;
  /** The newest request for a boost, unless a release or another boost is to follow it. @type {object | null} */
  #request = null;
  /** That boost was granted, and is not being released. */
  #isGranted = false;
  /** A boost was requested, so there may be one to release. */
  #hasRequested = false;
  /** Another client ended it on a display: it is not requested again until `want(true)` follows `want(false)`. */
  #isEnded = false;
  /** The daemon rejects the boost for ever: it is not requested again until it changes, or the connection does. */
  #isRefused = false;
  #isBusy = false;
  #isOnStream = false;
  /** @type {Set<string>} their keys */
  #leases = new Set();
  #grantedAt = 0;
  /** The event of a lease’s end may arrive before the response that grants it. */
  #lastEnded = "";
  /** Ends of leases are missed while the stream is not live, and another daemon may answer after it. */
  #mayBeForgotten = false;
  /** @type {(() => void) | null} */
  #endPause = null;
  /** @type {(() => void) | null} */
  #stop = null;

  /**
   * @param {Server} server
   * @param {object} boost
   * @param {string | null} boost.display  its id; `null`: the default display
   * @param {string} boost.holder
   * @param {object} [boost.body]  the other members of the request
   */
  constructor(server, { display, holder, body = {} }) {
    super();
    this.#server = server;
    this.#feed = Feed.of(server);
    this.#display = display;
    this.#holder = holder;
    this.#body = body;
  }

  /** @param {boolean} isWanted */
  want(isWanted) {
    if (isWanted === this.#isWanted) return;
    this.#isWanted = isWanted;
    this.#isEnded = false;
    this.#isRefused = false;
    // The loop sends nothing after the page has closed.
    if (!isWanted && this.#isBusy && this.#hasRequested) this.#release().catch(() => {});
    const wants = ofDisplay(["boost", "display"], this.#display);
    if (isWanted) this.#stop ??= this.#feed.listen((fact) => this.#receive(fact), wants);
    this.#sendRequests();
  }

  /** Requests another boost. @param {object} body */
  change(body) {
    this.#body = body;
    this.#requestAgain();
  }

  #requestAgain() {
    if (this.#isEnded) return;
    this.#request = null;
    this.#isGranted = false;
    this.#isRefused = false;
    this.#sendRequests();
  }

  /** @returns {"boost" | "restore" | null} the next request */
  get #nextRequest() {
    if (this.#isEnded) return null;
    if (this.#isWanted) return this.#isGranted || this.#isRefused ? null : "boost";
    return this.#hasRequested ? "restore" : null;
  }

  async #sendRequests() {
    this.#endPause?.();
    if (this.#isBusy) return;
    this.#isBusy = true;
    let isLost = false;
    let failures = 0;
    for (let next = this.#nextRequest; next; next = this.#nextRequest) {
      try {
        await (next === "boost" ? this.#boost() : this.#restore());
        failures = 0;
      } catch (error) {
        const { problem } = error instanceof BrightnessError ? error : BrightnessError.absent;
        warnOf(problem, this.#server.origin);
        this.#dispatch("error", problem);
        if (next === "boost" && isFinal(problem)) {
          this.#isRefused = true;
          // The holder may be the reason, and a stream that names it is refused, too.
          if (this.#isOnStream && this.#leases.size === 0) this.#leaveStream(false);
          continue;
        }
        // Without its holder on the stream the lease expires.
        isLost = next === "restore" && failures >= 3;
        if (isLost) this.#hasRequested = false;
        else await this.#pause(Math.min(1_000 * 2 ** failures++, 30_000) * (0.5 + Math.random() / 2));
      }
    }
    this.#isBusy = false;
    if (this.#isWanted) return;
    if (this.#isOnStream) this.#leaveStream(isLost);
    this.#stop?.();
    this.#stop = null;
  }

  /** @param {boolean} mustForget  the holder may still have a lease, which must end */
  #leaveStream(mustForget) {
    this.#isOnStream = false;
    this.#feed.removeHolder(this.#holder, mustForget);
  }

  async #boost() {
    if (!this.#isOnStream) this.#feed.addHolder(this.#holder);
    this.#isOnStream = true;
    this.#hasRequested = true;
    const request = (this.#request = { lifespan: "visible", holder: this.#holder, ...this.#body });
    const response = await this.#server.request("POST", path(this.#display, "boost"), request);
    const leases = (response.results?.map((result) => result.lease) ?? [response]).filter(Boolean);
    const isNew = leases.some((lease) => !this.#leases.has(keyOf(lease)));
    this.#leases = new Set(leases.map(keyOf));
    this.#grantedAt = performance.now();
    this.#mayBeForgotten = this.#feed.condition.status !== "live";
    this.#isGranted = request === this.#request && !this.#leases.has(this.#lastEnded);
    if (isNew) this.#dispatch("boost", leases[0]);
  }

  async #restore() {
    await this.#release();
    this.#end("released");
  }

  /** Ends its leases: their `released` events are not an operator's. */
  #release() {
    this.#request = null;
    this.#isGranted = false;
    const { transition } = this.#body;
    return this.#server.request("POST", path(this.#display, "restore"), { holder: this.#holder, transition });
  }

  #end(change) {
    const wasHeld = this.#leases.size > 0;
    this.#hasRequested = false;
    this.#isGranted = false;
    this.#leases.clear();
    if (wasHeld) this.#dispatch("restore", { change });
  }

  /** @param {Fact} fact */
  #receive({ name, data }) {
    if (name === "condition") {
      if (data.status !== "live") {
        this.#mayBeForgotten = this.#isGranted || this.#isRefused;
      } else if (this.#mayBeForgotten) {
        this.#mayBeForgotten = false;
        this.#requestAgain();
      } else {
        this.#endPause?.();
      }
    }
    if (name === "reset" && this.#isGranted) this.#requestAgain();
    // The display that was not found may be there now.
    if (name === "display") this.#endPause?.();
    if (name !== "boost" || ["granted", "renewed"].includes(data.change)) return;
    this.#lastEnded = keyOf(data.lease);
    if (!this.#isGranted || !this.#isWanted || !this.#leases.has(this.#lastEnded)) return;
    const isOver = data.change === "released" && performance.now() - this.#grantedAt > KeptBoost.#youngest;
    if (!isOver) return this.#requestAgain();
    this.#isEnded = true;
    // Of several displays, the others keep their leases, which are to be released later.
    if (this.#leases.size > 1) this.#leases.delete(this.#lastEnded);
    else this.#end(data.change);
  }

  #pause(milliseconds) {
    return new Promise((/** @type {(nothing?: any) => void} */ resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#endPause = () => (clearTimeout(timer), resolve());
    }).finally(() => (this.#endPause = null));
  }

  #dispatch(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
