// SPDX-License-Identifier: Apache-2.0
import { BrightnessError } from "./server.js";
import { everything, includes, parameters, union } from "./wants.js";
import { warnOf } from "./warnings.js";

/**
 * @typedef {import("./server.js").Server} Server
 * @typedef {import("./server.js").Problem} Problem
 * @typedef {import("./wants.js").Wants} Wants
 * @typedef {"connecting" | "live" | "lost"} Status
 * @typedef {{name: string, data: any, id?: string}} Fact  An event of the stream.
 * @typedef {object} Condition
 * @property {Status} status
 * @property {Problem | null} problem
 * @property {boolean} [isResumed]  of a live stream: whether the facts known before still hold
 * @property {number | null} [clock]  of a live stream: the server’s clock minus the browser’s, in milliseconds, to the second
 */

/** The server sends a comment every 15 s. A stream that is silent for this long is aborted. */
const silenceTimeout = 19_000;
/** A connection without a response for this long is aborted. */
const openTimeout = 10_000;
const longestPause = 15_000;
/**
 * The server accepts URLs of 2,048 bytes, of which the id to resume after needs a part. A holder beyond this is not named,
 * and its boost ends after ten seconds.
 */
const longestQuery = 1_900;
/** More displays would leave too little room for holders: the stream is then of all. */
const longestWants = 1_000;
/** The number of holders that the server accepts. */
const mostHolders = 128;
/** The server is at a limit: another stream is accepted after an older one has ended. */
const limits = [429, 503];

/**
 * Reads one response of `/v1/events` to its end.
 *
 * Replaces `EventSource`, which sends a token only in the URL, hides why a request failed, and never notices a server
 * that disappeared without closing the connection.
 * @param {Response} response
 * @param {object} handlers
 * @param {AbortController} handlers.connection  aborted after `silenceTimeout`
 * @param {(fact: Fact) => void} handlers.onFact
 * @param {(milliseconds: number) => void} handlers.onRetry  receives the pause before the next connection
 */
async function readEvents(response, { connection, onFact, onRetry }) {
  if (!response.body) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const timer = setTimeout(() => connection.abort(), silenceTimeout);
    const { value, done } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    const blocks = (text + decoder.decode(value, { stream: true })).split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const { event, data, retry, id } = fields(block);
      if (retry) onRetry(Number(retry));
      if (event && data) onFact({ name: event, data: JSON.parse(data), id });
    }
  }
}

/** The fields of an event. @param {string} block @returns {Record<string, string>} */
function fields(block) {
  const fields = {};
  for (const line of block.split("\n")) {
    const end = line.indexOf(": ");
    if (end > 0) fields[line.slice(0, end)] = line.slice(end + 2);
  }
  return fields;
}

/** An event stream that reconnects whenever it ends, until it is closed. */
export class Stream {
  /**
   * Takes what the head of the page has asked for (dashboard/early.js), once.
   * @returns {{token: string | null, connection: AbortController, answer: Promise<{response: Response, middle: number} | null>} | null}
   */
  static takeEarly() {
    const page = /** @type {any} */ (globalThis);
    const early = page.earlyEvents ?? null;
    page.earlyEvents = null;
    return early;
  }

  #server;
  #lastID;
  #onFact;
  #onCondition;
  #onOpen;
  /** @type {Set<string>} */
  #holders = new Set();
  #wants = everything;
  /** @type {Wants} what the known facts are of; it only grows, so that none gets old */
  #covered;
  /** A display that is missing may be added. */
  #isOfAllDisplays = false;
  /** @type {{holders: Set<string>, wants: Wants} | null} of the stream that is open or being opened */
  #named = null;
  /** @type {Map<AbortController, {holders: Set<string>, wants: Wants}>} the oldest first; two while one replaces the other */
  #connections = new Map();
  #failures = 0;
  #retryPause = 2_000;
  #timer = 0;

  /**
   * @param {Server} server
   * @param {Wants} covered  what the facts are of that are known before
   * @param {object} handlers
   * @param {() => string} handlers.lastID  returns the id of the newest known event, to resume after it; empty for all facts
   * @param {(fact: Fact) => void} handlers.onFact
   * @param {(condition: Condition) => void} handlers.onCondition
   * @param {(covered: Wants) => void} handlers.onOpen  receives what the facts are of from now on
   */
  constructor(server, covered, { lastID, onFact, onCondition, onOpen }) {
    this.#server = server;
    this.#covered = covered;
    this.#onOpen = onOpen;
    this.#lastID = lastID;
    this.#onFact = onFact;
    this.#onCondition = onCondition;
  }

  /**
   * Reconnects unless the stream names all these holders and has all these events already.
   * @param {Set<string>} holders
   * @param {Wants} wants
   * @param {boolean} [mustForget]  reconnects also to drop holders that are no longer named
   */
  name(holders, wants, mustForget = false) {
    this.#holders = holders;
    this.#wants = wants;
    const named = this.#named;
    // Holders without room in the URL have none in the next one, either.
    const isNamed = named && [...this.#next.holders].every((holder) => named.holders.has(holder));
    const isWideEnough = named && includes(named.wants, wants);
    if ((isNamed && isWideEnough && !mustForget) || this.#timer) return;
    this.#timer = setTimeout(() => this.#open(), isWideEnough ? 50 : 0);
  }

  /** Reconnects now if it waits for the next attempt. */
  hurry() {
    if (this.#timer) this.#open();
  }

  close() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#named = null;
    for (const connection of this.#connections.keys()) connection.abort();
  }

  async #open() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const { list, holders, wants } = this.#next;
    // Of what was not covered, older facts are missing, too.
    const last = includes(this.#covered, wants) ? this.#lastID() : "";
    if (last) list.push(`last_event_id=${last}`);
    const query = list.length > 0 ? `?${list.join("&")}` : "";
    const named = (this.#named = { holders, wants });
    let early = Stream.takeEarly();
    if (early && (query || early.token !== this.#server.token)) {
      early.connection.abort();
      early = null;
    }
    const connection = early?.connection ?? new AbortController();
    this.#connections.set(connection, named);
    /** @type {Problem | null} */
    let problem = null;
    let isOpen = false;
    const timer = setTimeout(() => connection.abort(), openTimeout);
    try {
      const { response, middle } = (await early?.answer) ?? (await this.#ask(query, connection.signal));
      clearTimeout(timer);
      if (!response.ok) throw await BrightnessError.of(response);
      this.#abortOlder(connection);
      this.#failures = 0;
      isOpen = true;
      this.#onOpen((this.#covered = wants));
      // The server answered half-way, as far as this page knows, and its time is rounded down to a second.
      const time = Date.parse(response.headers.get("Date") ?? "") + 500;
      const clock = Number.isNaN(time) ? null : time - middle;
      this.#onCondition({ status: "live", problem: null, isResumed: last !== "", clock });
      const onRetry = (milliseconds) => (this.#retryPause = milliseconds);
      let isBeginning = true;
      const onFact = (fact) => {
        const { name, data } = fact;
        if (isBeginning && name === "default" && data.id && wants.displays?.includes("")) {
          // The display that the server has put in place of the empty id.
          this.#onOpen(Object.assign(wants, { displays: [...new Set(wants.displays.map((id) => id || data.id))] }));
        }
        if (name === "default" || name === "synced") isBeginning = false;
        this.#onFact(fact);
      };
      await readEvents(response, { connection, onFact, onRetry });
    } catch (error) {
      if (error instanceof BrightnessError) problem = error.problem;
      const { origin } = this.#server;
      if (problem?.status === 404 && wants.displays?.length) this.#isOfAllDisplays = true;
      else if (problem) warnOf(problem, origin);
      else if (!isOpen && this.#named === named) warnOf(BrightnessError.absent.problem, origin);
    }
    clearTimeout(timer);
    connection.abort();
    this.#connections.delete(connection);
    if (this.#named !== named) return;
    if (this.#isOfAllDisplays && wants.displays) return void this.#open();
    const older = [...this.#connections.values()].pop();
    if (older && problem && !limits.includes(problem.status)) {
      // The stream that a refused one was to replace goes on.
      this.#named = older;
    } else {
      this.close();
      this.#onCondition({ status: "lost", problem });
    }
    const pause = Math.min(this.#retryPause * 2 ** this.#failures++, longestPause);
    this.#timer = setTimeout(() => this.#open(), pause * (0.75 + Math.random() / 4));
  }

  /** The response, and the time half-way between the request and it. @param {string} query @param {AbortSignal} signal */
  async #ask(query, signal) {
    await this.#server.admit(signal);
    const askedAt = Date.now();
    const response = await fetch(`${this.#server.origin}/v1/events${query}`, {
      headers: { ...this.#server.headers, Accept: "text/event-stream" },
      cache: "no-store",
      signal,
    });
    return { response, middle: (askedAt + Date.now()) / 2 };
  }

  /** Aborts the connections that an open one replaced. @param {AbortController} connection  the open one */
  #abortOlder(connection) {
    for (const older of this.#connections.keys()) {
      if (older === connection) return;
      older.abort();
    }
  }

  /** The parameters of the next stream, but for the id to resume after, and the holders and wants among them. */
  get #next() {
    const wants = union([this.#covered, this.#wants]);
    if (this.#isOfAllDisplays || parameters(wants).join("&").length > longestWants) wants.displays = null;
    const list = parameters(wants);
    const holders = new Set();
    let length = list.join("&").length;
    for (const holder of this.#holders) {
      const parameter = `holder=${encodeURIComponent(holder)}`;
      if (holders.size === mostHolders || length + parameter.length >= longestQuery) continue;
      length += parameter.length + 1;
      list.push(parameter);
      holders.add(holder);
    }
    return { list, holders, wants };
  }
}
