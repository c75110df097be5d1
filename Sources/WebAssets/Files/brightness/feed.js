// SPDX-License-Identifier: Apache-2.0
import { page } from "./page.js";
import { keyOf, leaseKinds } from "./server.js";
import { Stream } from "./stream.js";
import { everything, generalTypes, namedTypes, resolve, union } from "./wants.js";

/**
 * @typedef {import("./server.js").Server} Server
 * @typedef {import("./stream.js").Fact} Fact
 * @typedef {import("./stream.js").Condition} Condition
 * @typedef {import("./wants.js").Wants} Wants
 */

/** Splits an event id. @param {string} [id] @returns {[string, number]} the server’s epoch and the revision */
const parse = (id = "-0") => {
  const [epoch, revision] = id.split("-");
  return [epoch, Number(revision)];
};

/**
 * The newest facts of a server: a listener receives the retained ones first, then each newer one.
 *
 * A browser opens six connections to a host for all its tabs, so the tabs of an origin share one stream. The tab that
 * holds a lock reads the stream and passes it on. When that tab closes or crashes, the lock goes to the next. A page
 * without locks (an insecure one, such as `http://` from another machine, or one whose storage is blocked) reads its own
 * stream while it is visible.
 */
export class Feed {
  /** @type {WeakMap<Server, Feed>} */
  static #all = new WeakMap();

  /** Returns the server’s only feed. @param {Server} server */
  static of(server) {
    const feed = Feed.#all.get(server) ?? new Feed(server);
    Feed.#all.set(server, feed);
    return feed;
  }

  #server;
  /** @type {Map<(fact: Fact) => void, Wants>} */
  #listeners = new Map();
  /** @type {Map<string, Fact>} */
  #retained = new Map();
  /** The keys of the schedules and presets that the current stream has not sent. @type {Set<string>} */
  #unconfirmed = new Set();
  /** The id of the newest event: a stream resumes after it. */
  #lastID = "";
  /** @type {Condition} */
  #condition = { status: "connecting", problem: null };
  /** @type {Map<string, number>} this page's holders, and how many users each has */
  #holders = new Map();
  /** @type {Map<string, {holders: string[], wants: Wants}>} on the page that reads the stream: of other pages */
  #others = new Map();
  /** The displays and types that the retained facts are of. */
  #covered = union([]);
  /** @type {Stream | null} */
  #stream = null;
  /** @type {BroadcastChannel | null} */
  #channel = null;
  /** @type {AbortController | null} aborted when this page stops listening */
  #presence = null;
  #isWatchingPage = false;
  /** Whether the browser has locks, as far as this page knows. */
  #hasLocks = Boolean(navigator.locks && globalThis.BroadcastChannel);

  /** @param {Server} server */
  constructor(server) {
    this.#server = server;
    server.onToken(() => this.#restart());
  }

  get condition() {
    return this.#condition;
  }

  /** @returns {Fact} */
  get #conditionFact() {
    return { name: "condition", data: this.#condition };
  }

  /** @returns {Fact[]} the newest fact of each key */
  get retained() {
    return [...this.#retained.values()];
  }

  /** The newest ambient light; `null` until there is one. */
  get ambient() {
    return this.#retained.get("ambient")?.data ?? null;
  }

  /** The newest state of a display. @param {string | null} id */
  stateOf(id) {
    return this.#retained.get(`state ${id}`)?.data ?? null;
  }

  /**
   * @param {(fact: Fact) => void} listener  also receives `{name: "condition", data: Condition}`
   * @param {Wants} [wants]  what it needs; it may receive more
   * @returns {() => void} stops
   */
  listen(listener, wants = everything) {
    this.#listeners.set(listener, wants);
    for (const fact of [...this.retained, this.#conditionFact]) notify(listener, fact);
    this.#join();
    this.#ask();
    return () => {
      this.#listeners.delete(listener);
      this.#leaveIfIdle();
    };
  }

  /** Names a holder on the stream, which keeps its `visible` leases. @param {string} holder */
  addHolder(holder) {
    this.#holders.set(holder, (this.#holders.get(holder) ?? 0) + 1);
    this.#join();
    this.#ask();
  }

  /**
   * @param {string} holder
   * @param {boolean} mustForget  the holder may still have a lease, which must end
   */
  removeHolder(holder, mustForget) {
    const count = this.#holders.get(holder) ?? 0;
    if (count > 1) this.#holders.set(holder, count - 1);
    else this.#holders.delete(holder);
    this.#ask(mustForget);
    this.#leaveIfIdle();
  }

  /** Reconnects with the server’s new token, and forgets what was known by the previous one. */
  #restart() {
    this.#leave();
    this.#lastID = "";
    this.#covered = union([]);
    this.#publish({ name: "reset", data: {} });
    this.#join();
  }

  get #isWanted() {
    return this.#listeners.size > 0 || this.#holders.size > 0;
  }

  #join() {
    this.#watchPage();
    if (this.#presence || !this.#isWanted) return;
    if (this.#hasLocks) this.#share();
    else if (document.visibilityState === "visible") this.#read();
  }

  #leaveIfIdle() {
    if (!this.#isWanted) this.#leave();
  }

  #leave() {
    this.#presence?.abort();
    this.#presence = null;
    this.#stream?.close();
    this.#stream = null;
    this.#channel?.close();
    this.#channel = null;
    this.#others.clear();
    this.#connecting();
  }

  #connecting() {
    if (this.#condition.status === "connecting") return;
    this.#publish({ name: "condition", data: { status: "connecting", problem: null } });
  }

  #watchPage() {
    if (this.#isWatchingPage) return;
    this.#isWatchingPage = true;
    // A page in the back/forward cache, or a frozen one, keeps no boosts.
    for (const event of ["pagehide", "freeze"]) addEventListener(event, () => this.#leave(), { capture: true });
    for (const event of ["pageshow", "resume"]) addEventListener(event, () => this.#join(), { capture: true });
    addEventListener("online", () => this.#stream?.hurry());
    document.addEventListener("visibilitychange", () => {
      const isVisible = document.visibilityState === "visible";
      if (isVisible) this.#join();
      else if (!this.#hasLocks) this.#leave();
      if (isVisible) this.#stream?.hurry();
    });
  }

  /** Opens the stream on this page. */
  #read() {
    this.#presence ??= new AbortController();
    this.#stream = new Stream(this.#server, this.#covered, {
      lastID: () => this.#lastID,
      onFact: (fact) => this.#publish(fact),
      onCondition: (condition) => this.#publish({ name: "condition", data: condition }),
      onOpen: (covered) => {
        this.#covered = covered;
        this.#post({ kind: "covered", covered });
      },
    });
    this.#connecting();
    this.#ask();
  }

  /** The name shared by tabs of one token: a stream keeps only its principal's boosts. */
  get #group() {
    // FNV-1a: other scripts of this origin see the name, not the token.
    let hash = 0x811c9dc5;
    for (const letter of this.#server.token ?? "") hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
    return `${this.#server.origin} ${(hash >>> 0).toString(16)}`;
  }

  /** Joins the tabs that share a stream. */
  async #share() {
    const group = this.#group;
    const presence = (this.#presence = new AbortController());
    const leaving = new Promise((resolve) => presence.signal.addEventListener("abort", resolve));
    const lock = (name, whileHeld) => navigator.locks.request(name, { signal: presence.signal }, whileHeld).catch(() => {});
    // Held until this page is gone: the reading tab waits for it to notice that.
    const here = `brightness page ${page} ${this.#server.origin}`;
    const isHeld = await new Promise((resolve) => lock(here, () => (resolve(true), leaving)).then(() => resolve(false)));
    if (presence.signal.aborted) return;
    if (!isHeld) {
      // A browser that blocks the page's storage rejects every request.
      this.#hasLocks = false;
      this.#leave();
      return this.#join();
    }
    // A browser that rejects locks may throw here.
    this.#channel = new BroadcastChannel(`brightness ${group}`);
    this.#channel.onmessage = ({ data }) => this.#receive(data);
    this.#post({ kind: "hello", page, ...this.#own });
    lock(`brightness stream ${group}`, () => {
      if (presence.signal.aborted) return;
      this.#read();
      this.#post({ kind: "who" });
      return leaving;
    });
  }

  /** @param {object} message */
  #post(message) {
    this.#channel?.postMessage(message);
  }

  /** Handles a message of another tab. Only the tab that reads the stream answers. */
  #receive(message) {
    const isReader = this.#stream !== null;
    switch (message.kind) {
      case "hello":
      case "holders":
        if (!isReader) return;
        // It missed what this page has read since the previous reader closed.
        if (!this.#others.has(message.page)) {
          const facts = [this.#conditionFact, ...this.retained];
          this.#post({ kind: "all", page: message.page, facts, covered: this.#covered });
          this.#watch(message.page);
        }
        this.#others.set(message.page, message);
        this.#ask(message.mustForget);
        return;
      case "who":
        return this.#ask();
      case "all":
        if (message.page !== page || isReader) return;
        Stream.takeEarly()?.connection.abort();
        // These are all facts. This page may know others, from before it was in the back/forward cache.
        this.#publish({ name: "reset", data: {} });
        for (const fact of message.facts) this.#publish(fact);
        this.#covered = message.covered;
        return;
      case "covered":
        if (!isReader) this.#covered = message.covered;
        return;
      case "fact":
        if (!isReader) this.#publish(message.fact);
    }
  }

  /** Forgets another page’s holders when that page is gone. @param {string} other */
  #watch(other) {
    const presence = this.#presence;
    if (!presence) return;
    const name = `brightness page ${other} ${this.#server.origin}`;
    navigator.locks
      .request(name, { signal: presence.signal }, () => {
        if (presence !== this.#presence) return;
        const { holders } = this.#others.get(other) ?? { holders: [] };
        this.#others.delete(other);
        // A stream that still named the holders of a crashed page would keep its boosts.
        this.#ask(holders.length > 0);
      })
      .catch(() => {});
  }

  /** The needs of this page. @returns {{holders: string[], wants: Wants}} */
  get #own() {
    return { holders: [...this.#holders.keys()], wants: union([...this.#listeners.values()]) };
  }

  /** Asks for the holders and facts that the pages need. */
  #ask(mustForget = false) {
    if (!this.#stream) return this.#post({ kind: "holders", page, ...this.#own, mustForget });
    const pages = [this.#own, ...this.#others.values()];
    const wants = resolve(union(pages.map((other) => other.wants)), this.#retained.get("default")?.data.id);
    this.#stream.name(new Set(pages.flatMap((other) => other.holders)), wants, mustForget);
  }

  /** @param {Fact} fact */
  #publish(fact) {
    if (this.#stream && this.#others.size > 0) this.#post({ kind: "fact", fact });
    const { name, data } = fact;
    if (name === "condition") {
      if (data.status === "live" && this.#condition.status !== "live") {
        if (!data.isResumed) this.#retained.clear();
      }
      // A stream begins with all of these, and then it is synced.
      if (data.status === "live") this.#retained.delete("synced");
      if (data.status === "live") this.#unconfirmed = new Set([...this.#retained].flatMap(([key, fact]) => (namedTypes.includes(fact.name) ? key : [])));
      this.#condition = data;
    } else if (namedTypes.includes(name)) {
      const key = `${name} ${data.name}`;
      this.#unconfirmed.delete(key);
      if (data.removed) this.#retained.delete(key);
      else this.#retained.set(key, fact);
    } else if (name === "synced") {
      for (const fact of [...this.#unconfirmed].flatMap((key) => this.#retained.get(key) ?? [])) {
        this.#publish({ name: fact.name, data: { name: fact.data.name, removed: true } });
      }
      this.#retained.set(name, fact);
    } else if (name === "reset") {
      this.#retained.clear();
    } else if (name === "state") {
      const [epoch, revision] = parse(fact.id);
      const known = this.#retained.get(`state ${data.id}`);
      const [knownEpoch, knownRevision] = parse(known?.id);
      if (known && knownEpoch === epoch && knownRevision >= revision) return;
      this.#retained.set(`state ${data.id}`, fact);
      const [lastEpoch, lastRevision] = parse(this.#lastID);
      if (fact.id && (lastEpoch !== epoch || lastRevision < revision)) this.#lastID = fact.id;
    } else if (leaseKinds.includes(name)) {
      const key = `lease ${keyOf(data.lease)}`;
      if (["granted", "renewed"].includes(data.change)) this.#retained.set(key, fact);
      else this.#retained.delete(key);
    } else if (generalTypes.includes(name)) {
      this.#retained.set(name, fact);
      if (name === "default" && this.#stream) this.#ask();
    } else if (name === "display" && data.change === "removed") {
      this.#forget(data.id);
    }
    for (const listener of [...this.#listeners.keys()]) notify(listener, fact);
  }

  /** Forgets a removed display and its leases, and the room with the last simulated one. @param {string} display */
  #forget(display) {
    for (const [key, { data }] of this.#retained) {
      if ((data.lease?.display ?? data.id) === display) this.#retained.delete(key);
    }
    if (!this.retained.some(({ data }) => data.kind === "simulated")) this.#retained.delete("simulator");
  }
}

/** Calls a listener. An error in one page script is reported there and stops no other listener. */
export function notify(listener, ...values) {
  try {
    listener(...values);
  } catch (error) {
    // As `reportError` does, which is younger.
    setTimeout(() => {
      throw error;
    });
  }
}
