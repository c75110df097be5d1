// SPDX-License-Identifier: Apache-2.0
import { page } from "./page.js";
import { Stream } from "./stream.js";

/**
 * @typedef {import("./server.js").Server} Server
 * @typedef {import("./server.js").Problem} Problem
 * @typedef {"connecting" | "live" | "lost"} Status
 * @typedef {{name: string, data: any, id?: string}} Fact  An event of the stream.
 * @typedef {object} Condition
 * @property {Status} status
 * @property {Problem | null} problem
 * @property {boolean} [isResumed]  of a live stream: whether what was known before still holds
 * @property {number | null} [clock]  of a live stream: the server’s clock minus the browser’s, in milliseconds, to the second
 */

/** An event id. @param {string} [id] @returns {[string, number]} the run of the server, and the revision */
const parse = (id = "-0") => {
  const [epoch, revision] = id.split("-");
  return [epoch, Number(revision)];
};

/**
 * What a server tells, remembered: whoever listens gets the newest of everything first, and then what is new.
 *
 * A browser opens six connections to a host, for all its tabs. So the tabs of an origin share one stream: the tab that
 * holds a lock reads it and passes it on. When that tab is gone, even by a crash, the lock goes to the next. A page
 * without locks (an insecure one, such as `http://` from another machine) has a stream of its own while it is visible.
 */
export class Feed {
  #server;
  /** @type {Set<(fact: Fact) => void>} */
  #listeners = new Set();
  /** @type {Map<string, Fact>} */
  #retained = new Map();
  /** The id of the newest event: a stream is resumed after it. */
  #last = "";
  /** @type {Condition} */
  #condition = { status: "connecting", problem: null };
  /** @type {Map<string, number>} this page's holders, and how often each was asked for */
  #holders = new Map();
  /** @type {Map<string, string[]>} for the page that reads the stream: the holders of other pages */
  #others = new Map();
  /** @type {Stream | null} */
  #stream = null;
  /** @type {BroadcastChannel | null} */
  #channel = null;
  /** @type {AbortController | null} aborted when this page leaves */
  #stay = null;
  #isWatchingPage = false;
  /** @type {Promise<string | null> | null} */
  #defaultDisplay = null;

  /** @param {Server} server */
  constructor(server) {
    this.#server = server;
  }

  get condition() {
    return this.#condition;
  }

  /** @returns {Fact} */
  get #conditionFact() {
    return { name: "condition", data: this.#condition };
  }

  /** @returns {Fact[]} the newest of everything */
  get retained() {
    return [...this.#retained.values()];
  }

  /** @returns {Promise<string | null>} its id, asked for once a connection, and when displays come and go; `null` without an answer */
  get defaultDisplay() {
    const state = () => this.#server.request("GET", "/v1/brightness");
    return (this.#defaultDisplay ??= state().then(({ id }) => id, () => null));
  }

  /**
   * @param {(fact: Fact) => void} listener  also told `{name: "condition", data: Condition}`
   * @returns {() => void} stops
   */
  listen(listener) {
    this.#listeners.add(listener);
    for (const fact of [...this.retained, this.#conditionFact]) tellOne(listener, fact);
    this.#join();
    return () => {
      this.#listeners.delete(listener);
      this.#leaveIfIdle();
    };
  }

  /** Names a holder on the stream. @param {string} holder */
  hold(holder) {
    this.#holders.set(holder, (this.#holders.get(holder) ?? 0) + 1);
    this.#join();
    this.#nameHolders();
  }

  /**
   * @param {string} holder
   * @param {boolean} mustForget  It may have a lease still, which is to end.
   */
  letGo(holder, mustForget) {
    const count = this.#holders.get(holder) ?? 0;
    if (count > 1) this.#holders.set(holder, count - 1);
    else this.#holders.delete(holder);
    this.#nameHolders(mustForget);
    this.#leaveIfIdle();
  }

  /** Begins anew, with the server's new token. */
  restart() {
    this.#leave();
    this.#join();
  }

  get #isWanted() {
    return this.#listeners.size > 0 || this.#holders.size > 0;
  }

  #join() {
    this.#watchPage();
    if (this.#stay || !this.#isWanted) return;
    if (navigator.locks && globalThis.BroadcastChannel) this.#share();
    else if (document.visibilityState === "visible") this.#read();
  }

  #leaveIfIdle() {
    if (!this.#isWanted) this.#leave();
  }

  #leave() {
    this.#stay?.abort();
    this.#stay = null;
    this.#stream?.close();
    this.#stream = null;
    this.#channel?.close();
    this.#channel = null;
    this.#others.clear();
    this.#connecting();
  }

  #connecting() {
    if (this.#condition.status === "connecting") return;
    this.#take({ name: "condition", data: { status: "connecting", problem: null } });
  }

  #watchPage() {
    if (this.#isWatchingPage) return;
    this.#isWatchingPage = true;
    // A page that is kept for the way back, or frozen, holds nothing.
    for (const event of ["pagehide", "freeze"]) addEventListener(event, () => this.#leave(), { capture: true });
    for (const event of ["pageshow", "resume"]) addEventListener(event, () => this.#join(), { capture: true });
    addEventListener("online", () => this.#stream?.hurry());
    document.addEventListener("visibilitychange", () => {
      const isVisible = document.visibilityState === "visible";
      if (isVisible) this.#join();
      else if (!this.#channel) this.#leave();
      if (isVisible) this.#stream?.hurry();
    });
  }

  /** Reads the stream on this page. */
  #read() {
    this.#stay ??= new AbortController();
    const report = (condition) => this.#take({ name: "condition", data: condition });
    this.#stream = new Stream(this.#server, () => this.#last, (fact) => this.#take(fact), report);
    this.#connecting();
    this.#nameHolders();
  }

  /** The tabs that share a stream: those of one token, since a stream keeps only its principal's boosts alive. */
  get #group() {
    // FNV-1a: a name that other scripts of this origin may see without learning the token.
    let hash = 0x811c9dc5;
    for (const letter of this.#server.token ?? "") hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
    return `${this.#server.origin} ${(hash >>> 0).toString(16)}`;
  }

  /** Takes part in what the tabs share. */
  async #share() {
    const group = this.#group;
    const stay = (this.#stay = new AbortController());
    const channel = (this.#channel = new BroadcastChannel(`brightness ${group}`));
    channel.onmessage = ({ data }) => this.#hear(data);
    const leaving = new Promise((resolve) => stay.signal.addEventListener("abort", resolve));
    const lock = (name, hold) => navigator.locks.request(name, { signal: stay.signal }, hold).catch(() => {});
    // Held for as long as this page is here: by it the others notice that it is gone.
    const here = `brightness page ${page} ${this.#server.origin}`;
    await new Promise((isHeld) => lock(here, () => (isHeld(null), leaving)));
    if (stay.signal.aborted) return;
    this.#say({ kind: "hello", page, holders: [...this.#holders.keys()] });
    lock(`brightness stream ${group}`, () => {
      if (stay.signal.aborted) return;
      this.#read();
      this.#say({ kind: "who" });
      return leaving;
    });
  }

  /** @param {object} message */
  #say(message) {
    this.#channel?.postMessage(message);
  }

  /** What other tabs say. Only the one that reads the stream answers. */
  #hear(message) {
    const isReader = this.#stream !== null;
    switch (message.kind) {
      case "hello":
      case "holders":
        if (!isReader) return;
        if (!this.#others.has(message.page)) this.#watch(message.page);
        this.#others.set(message.page, message.holders);
        this.#nameHolders(message.mustForget);
        if (message.kind === "hello") {
          this.#say({ kind: "all", page: message.page, facts: [this.#conditionFact, ...this.retained] });
        }
        return;
      case "who":
        return this.#nameHolders();
      case "all":
        if (message.page === page && !isReader) for (const fact of message.facts) this.#take(fact);
        return;
      case "fact":
        if (!isReader) this.#take(message.fact);
    }
  }

  /** Forgets another page's holders when that page is gone. @param {string} other */
  #watch(other) {
    const stay = this.#stay;
    if (!stay) return;
    const name = `brightness page ${other} ${this.#server.origin}`;
    navigator.locks
      .request(name, { signal: stay.signal }, () => {
        if (stay !== this.#stay) return;
        const holders = this.#others.get(other) ?? [];
        this.#others.delete(other);
        // A stream that went on naming the holders of a page that crashed would keep its boosts.
        this.#nameHolders(holders.length > 0);
      })
      .catch(() => {});
  }

  #nameHolders(mustForget = false) {
    const holders = [...this.#holders.keys()];
    if (this.#stream) this.#stream.name(new Set([...holders, ...[...this.#others.values()].flat()]), mustForget);
    else this.#say({ kind: "holders", page, holders, mustForget });
  }

  /** @param {Fact} fact */
  #take(fact) {
    if (this.#stream) this.#say({ kind: "fact", fact });
    const { name, data } = fact;
    if (name === "condition") {
      if (data.status === "live" && this.#condition.status !== "live") {
        if (!data.isResumed) this.#retained.clear();
        this.#defaultDisplay = null;
      }
      this.#condition = data;
    } else if (name === "reset") {
      this.#retained.clear();
      this.#defaultDisplay = null;
    } else if (name === "brightness") {
      const [epoch, revision] = parse(fact.id);
      const known = this.#retained.get(`brightness ${data.id}`);
      const [knownEpoch, knownRevision] = parse(known?.id);
      if (known && knownEpoch === epoch && knownRevision >= revision) return;
      this.#retained.set(`brightness ${data.id}`, fact);
      const [lastEpoch, lastRevision] = parse(this.#last);
      if (fact.id && (lastEpoch !== epoch || lastRevision < revision)) this.#last = fact.id;
    } else if (name === "boost") {
      if (["granted", "renewed"].includes(data.change)) this.#retained.set(`boost ${data.lease.id}`, fact);
      else this.#retained.delete(`boost ${data.lease.id}`);
    } else if (["ambient", "health", "room"].includes(name)) {
      this.#retained.set(name, fact);
    } else if (name === "display") {
      this.#defaultDisplay = null;
      if (data.change === "removed") this.#forget(data.id);
    }
    for (const listener of [...this.#listeners]) tellOne(listener, fact);
  }

  /** With a display go its boosts, and with the last simulated one the room. @param {string} display */
  #forget(display) {
    for (const [key, { data }] of this.#retained) {
      if ((data.lease?.display ?? data.id) === display) this.#retained.delete(key);
    }
    if (!this.retained.some(({ data }) => data.kind === "simulated")) this.#retained.delete("room");
  }
}

/** A page's own mistake is the page's to see, and stops nobody else. */
export function tellOne(listener, ...what) {
  try {
    listener(...what);
  } catch (error) {
    reportError(error);
  }
}
