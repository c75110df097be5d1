// SPDX-License-Identifier: Apache-2.0
import { BrightnessError } from "./server.js";

/**
 * @typedef {import("./server.js").Server} Server
 * @typedef {import("./server.js").Problem} Problem
 * @typedef {import("./feed.js").Fact} Fact
 * @typedef {import("./feed.js").Condition} Condition
 */

const silence = 40_000;
const longestPause = 15_000;
/** The server takes 2,048 bytes of URL. Whoever does not fit in is not named, and its boost ends after ten seconds. */
const longestQuery = 1_900;

/**
 * Reads one response of `/v1/events` to its end.
 *
 * Not an `EventSource`: that can send no token but in the URL, does not say why it was refused, and never notices a
 * server that is gone without a word.
 * @param {Response} response
 * @param {AbortController} controller  aborted when the server says nothing for 40 s; it promises a word every 15 s
 * @param {(fact: Fact) => void} tell
 * @param {(milliseconds: number) => void} advise  when to come back
 */
async function readEvents(response, controller, tell, advise) {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const timer = setTimeout(() => controller.abort(), silence);
    const { value, done } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    const blocks = (text + value).split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const field = (name) => block.match(new RegExp(`^${name}: (.*)$`, "m"))?.[1];
      const [name, data, retry] = [field("event"), field("data"), field("retry")];
      if (retry) advise(Number(retry));
      if (name && data) tell({ name, data: JSON.parse(data), id: field("id") });
    }
  }
}

/** A stream that is opened again whenever it ends, until it is closed. */
export class Stream {
  #server;
  #last;
  #tell;
  #report;
  /** @type {Set<string>} */
  #holders = new Set();
  /** @type {Set<string> | null} the holders that the stream names which is open, or being opened */
  #named = null;
  /** @type {Set<AbortController>} the oldest first; more than one while one is opened in another’s place */
  #connections = new Set();
  #failures = 0;
  #advice = 2_000;
  #timer = 0;

  /**
   * @param {Server} server
   * @param {() => string} last  the id of the newest event that is known, to resume from; empty to begin with everything
   * @param {(fact: Fact) => void} tell
   * @param {(condition: Condition) => void} report
   */
  constructor(server, last, tell, report) {
    this.#server = server;
    this.#last = last;
    this.#tell = tell;
    this.#report = report;
  }

  /**
   * Opens it, or opens another in its place, if it does not name all these holders.
   * @param {Set<string>} holders
   * @param {boolean} [mustForget]  also if it names others
   */
  name(holders, mustForget = false) {
    this.#holders = holders;
    const isNamed = this.#named && [...holders].every((holder) => this.#named?.has(holder));
    if ((isNamed && !mustForget) || this.#timer) return;
    this.#timer = setTimeout(() => this.#open(), this.#named ? 50 : 0);
  }

  /** Opens it now, if it was waiting to be opened again. */
  hurry() {
    if (this.#timer) this.#open();
  }

  close() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#named = null;
    for (const connection of this.#connections) connection.abort();
  }

  async #open() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const connection = new AbortController();
    this.#connections.add(connection);
    const last = this.#last();
    const [query, named] = this.#query(last);
    this.#named = named;
    /** @type {Problem | null} */
    let problem = null;
    try {
      const response = await fetch(`${this.#server.origin}/v1/events${query}`, {
        headers: { ...this.#server.headers, Accept: "text/event-stream" },
        cache: "no-store",
        signal: connection.signal,
      });
      if (!response.ok) throw await BrightnessError.of(response);
      this.#abortOlder(connection);
      this.#failures = 0;
      const time = Date.parse(response.headers.get("Date") ?? "");
      const clock = Number.isNaN(time) ? null : time - Date.now();
      this.#report({ status: "live", problem: null, isResumed: last !== "", clock });
      await readEvents(response, connection, this.#tell, (milliseconds) => (this.#advice = milliseconds));
    } catch (error) {
      if (error instanceof BrightnessError) problem = error.problem;
    }
    connection.abort();
    this.#connections.delete(connection);
    if (this.#named !== named) return;
    this.close();
    this.#report({ status: "lost", problem });
    const pause = Math.min(this.#advice * 2 ** this.#failures++, longestPause);
    this.#timer = setTimeout(() => this.#open(), pause * (0.75 + Math.random() / 4));
  }

  /** @param {AbortController} connection  It is open: those before it are no longer needed. */
  #abortOlder(connection) {
    for (const older of this.#connections) {
      if (older === connection) return;
      older.abort();
    }
  }

  /** @param {string} last @returns {[string, Set<string>]} the query, and the holders it names */
  #query(last) {
    let query = last ? `?last_event_id=${last}` : "";
    const named = new Set();
    for (const holder of this.#holders) {
      const more = `${query ? "&" : "?"}holder=${encodeURIComponent(holder)}`;
      if (query.length + more.length > longestQuery) continue;
      query += more;
      named.add(holder);
    }
    return [query, named];
  }
}
