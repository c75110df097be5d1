// SPDX-License-Identifier: Apache-2.0
import { BrightnessError, path } from "./server.js";

/** @typedef {import("./server.js").Server} Server */
/** @typedef {import("./feed.js").Fact} Fact */

/** Keeps a boost for as long as it is wanted: asks until it is granted, and again when the daemon has forgotten it. */
export class Hold extends EventTarget {
  /** A lease that is released this soon was released by the page before this one, which said good-bye late. */
  static #young = 3_000;

  #server;
  #display;
  #holder;
  #body;
  #isWanted = false;
  /** It was granted what it asks for now. */
  #isGranted = false;
  /** It has asked, so that there may be something to release. */
  #hasAsked = false;
  /** Somebody else ended it: it is not asked for again until it is wanted anew. */
  #isEnded = false;
  #isBusy = false;
  #isNamed = false;
  /** @type {Set<string>} */
  #leases = new Set();
  #grantedAt = 0;
  /** A lease may be told to have ended before the answer tells that it was granted. */
  #lastEnded = "";
  /** What ended while the stream was not live was not told. */
  #mayBeForgotten = false;
  /** @type {(() => void) | null} */
  #cutPause = null;
  /** @type {(() => void) | null} */
  #stop = null;

  /** @param {Server} server @param {string | null} display @param {string} holder @param {object} body */
  constructor(server, display, holder, body) {
    super();
    this.#server = server;
    this.#display = display;
    this.#holder = holder;
    this.#body = body;
  }

  /** @param {boolean} isWanted */
  want(isWanted) {
    if (isWanted === this.#isWanted) return;
    this.#isWanted = isWanted;
    this.#isEnded = false;
    // If the page is being left, what the loop would send later is never sent.
    if (!isWanted && this.#isBusy && this.#hasAsked) this.#release().catch(() => {});
    if (isWanted) this.#stop ??= this.#server.feed.listen((fact) => this.#take(fact));
    this.#settle();
  }

  /** Asks for something else. @param {object} body */
  change(body) {
    this.#body = body;
    this.#askAgain();
  }

  #askAgain() {
    this.#isGranted = false;
    this.#settle();
  }

  /** @returns {"boost" | "restore" | null} what is to be done next */
  get #next() {
    if (this.#isEnded) return null;
    if (this.#isWanted) return this.#isGranted ? null : "boost";
    return this.#hasAsked ? "restore" : null;
  }

  async #settle() {
    this.#cutPause?.();
    if (this.#isBusy) return;
    this.#isBusy = true;
    let isLost = false;
    let failures = 0;
    for (let next = this.#next; next; next = this.#next) {
      try {
        await (next === "boost" ? this.#boost() : this.#restore());
        failures = 0;
      } catch (error) {
        this.#tell("error", error instanceof BrightnessError ? error.problem : BrightnessError.absent.problem);
        // Without its name on the stream the lease ends by itself.
        isLost = next === "restore" && failures >= 3;
        if (isLost) this.#hasAsked = false;
        else await this.#pause(Math.min(1_000 * 2 ** failures++, 30_000) * (0.5 + Math.random() / 2));
      }
    }
    this.#isBusy = false;
    if (this.#isWanted) return;
    if (this.#isNamed) this.#server.feed.letGo(this.#holder, isLost);
    this.#isNamed = false;
    this.#stop?.();
    this.#stop = null;
  }

  async #boost() {
    if (!this.#isNamed) this.#server.feed.hold(this.#holder);
    this.#isNamed = true;
    this.#hasAsked = true;
    const request = { lifespan: "visible", holder: this.#holder, ...this.#body };
    const answer = await this.#server.request("POST", path(this.#display, "boosts"), request);
    const leases = (answer.results?.map((result) => result.lease) ?? [answer]).filter(Boolean);
    const isNew = leases.some((lease) => !this.#leases.has(lease.id));
    this.#leases = new Set(leases.map((lease) => lease.id));
    this.#grantedAt = performance.now();
    this.#mayBeForgotten = this.#server.feed.condition.status !== "live";
    this.#isGranted = !this.#leases.has(this.#lastEnded);
    if (isNew) this.#tell("boost", leases[0]);
  }

  async #restore() {
    await this.#release();
    this.#end("released");
  }

  #release() {
    const { transition } = this.#body;
    return this.#server.request("POST", path(this.#display, "restore"), { holder: this.#holder, transition });
  }

  #end(change) {
    const wasHeld = this.#leases.size > 0;
    this.#hasAsked = false;
    this.#isGranted = false;
    this.#leases.clear();
    if (wasHeld) this.#tell("restore", { change });
  }

  /** @param {Fact} fact */
  #take({ name, data }) {
    if (name === "condition") {
      if (data.status !== "live") {
        this.#mayBeForgotten = this.#isGranted;
      } else if (this.#mayBeForgotten) {
        this.#mayBeForgotten = false;
        this.#askAgain();
      } else {
        this.#cutPause?.();
      }
    }
    if (name === "reset" && this.#isGranted) this.#askAgain();
    if (name !== "boost" || ["granted", "renewed"].includes(data.change)) return;
    this.#lastEnded = data.lease.id;
    if (!this.#isGranted || !this.#isWanted || !this.#leases.has(data.lease.id)) return;
    const isOver = data.change === "released" && performance.now() - this.#grantedAt > Hold.#young;
    if (!isOver) return this.#askAgain();
    this.#isEnded = true;
    this.#end(data.change);
  }

  #pause(milliseconds) {
    return new Promise((/** @type {(nothing?: any) => void} */ resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#cutPause = () => (clearTimeout(timer), resolve());
    }).finally(() => (this.#cutPause = null));
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
