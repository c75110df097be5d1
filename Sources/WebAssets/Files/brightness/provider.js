// SPDX-License-Identifier: Apache-2.0
import { BrightnessError } from "./server.js";
import { warnOf } from "./warnings.js";

/**
 * @typedef {import("./server.js").Server} Server
 * @typedef {import("./server.js").Problem} Problem
 * @typedef {{brightness: number, on: boolean}} Target  What a display has to show.
 */

/** How often the daemon is asked for an answer: a browser does not report a connection that is cut. */
const pulse = 10_000;
const longestPause = 15_000;
/** A display that the daemon refuses may be accepted later: its id, or a place, may become free. */
const refusalPause = 30_000;

/**
 * A WebSocket on which this page provides a display: the daemon calls it to show a target.
 *
 * Several pages may provide one display, such as the tabs of a browser. The daemon calls the newest. The others follow
 * the display's state, and one of them provides it when that page is gone. If the display is a part of a pair, they follow
 * the pair.
 */
export class Provider {
  #server;
  #description;
  #handlers;
  /** @type {WebSocket | null} */
  #socket = null;
  #isProviding = false;
  /** The id of the `provide` call that is not answered yet. */
  #asked = 0;
  /** Whether the daemon does not accept this page as the display. */
  #isRefused = false;
  /** The id of the display that shows this page: its own, or that of its pair. */
  #shownAs;
  /** The id of the newest `subscribe` call. */
  #subscription = 0;
  /** Whether the daemon has that display. It has none for a part whose pair has not come. */
  #isServed = false;
  #isAvailable = true;
  /** Whether this page has provided it since it was last available: the other part of its pair may be gone. */
  #hasTried = false;
  /** Whether the last question is not answered yet. */
  #isSilent = false;
  #lastID = 0;
  #failures = 0;
  #timer = 0;
  #pulse = 0;

  /**
   * @param {Server} server
   * @param {{id: string, name?: string, maximum: number, switchable: boolean}} description
   * @param {object} handlers
   * @param {() => Target} handlers.current  returns what the display shows now
   * @param {(target: Target) => Promise<void> | void} handlers.apply  shows a target; rejects if it cannot
   * @param {() => void} handlers.onContact  is called whenever the daemon sends something
   * @param {() => void} handlers.onLoss  is called when the connection has ended
   * @param {(problem: Problem) => void} handlers.onProblem
   */
  constructor(server, description, handlers) {
    this.#server = server;
    this.#description = description;
    this.#shownAs = description.id;
    this.#handlers = handlers;
    this.open();
  }

  open() {
    if (this.#socket) return;
    clearTimeout(this.#timer);
    // The state of a display that there is not yet cannot be subscribed to. Its pair may come.
    const query = new URLSearchParams({ types: "display" });
    if (this.#server.token) query.set("access_token", this.#server.token);
    let socket;
    try {
      socket = new WebSocket(`${this.#server.origin.replace(/^http/, "ws")}/v1/ws?${query}`);
    } catch {
      return this.#retry();
    }
    this.#socket = socket;
    let isOpen = false;
    socket.onopen = () => {
      isOpen = true;
      this.#failures = 0;
      this.#provide();
    };
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(data));
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.#end();
      this.#handlers.onLoss();
      // A browser does not report why a WebSocket was refused.
      if (!isOpen) void this.#explain();
      this.#retry();
    };
    this.#pulse = setInterval(() => this.#listen(), pulse);
  }

  /** Ends the connection until `open`. */
  close() {
    const socket = this.#socket;
    this.#end();
    clearTimeout(this.#timer);
    if (socket) socket.onclose = null;
    socket?.close();
  }

  /** Connects at once, if it is waiting to. */
  hurry() {
    this.#failures = 0;
    this.open();
  }

  /** Reports that somebody has switched the display on. */
  switchedOn() {
    if (this.#isProviding) this.changed({ on: true });
    else this.#send({ method: "power", params: { display: this.#shownAs, on: true } });
  }

  /** Reports what somebody has set at the display. @param {Partial<Target>} change */
  changed(change) {
    if (this.#isProviding) this.#send({ method: "changed", params: { display: this.#description.id, ...change } });
  }

  #end() {
    this.#socket = null;
    this.#isProviding = this.#isRefused = this.#isSilent = this.#hasTried = false;
    this.#isAvailable = true;
    this.#asked = 0;
    clearInterval(this.#pulse);
  }

  #retry(pause = Math.min(1_000 * 2 ** this.#failures++, longestPause)) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.open(), pause * (0.75 + Math.random() / 2));
  }

  async #explain() {
    try {
      await this.#server.request("GET", "/v1/whoami");
    } catch (error) {
      const { problem } = error instanceof BrightnessError ? error : BrightnessError.absent;
      warnOf(problem, this.#server.origin);
      this.#handlers.onProblem(problem);
    }
  }

  /** Finds out whether a connection that is silent still works. */
  #listen() {
    const socket = this.#socket;
    if (this.#isSilent) {
      socket?.close();
      socket?.onclose?.(new CloseEvent("close"));
    } else {
      this.#isSilent = true;
      this.#call("get", { display: this.#shownAs });
    }
  }

  /** @param {object} message */
  #send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }

  #call(method, params) {
    this.#lastID += 1;
    this.#send({ id: this.#lastID, method, params });
    return this.#lastID;
  }

  #provide() {
    if (!this.#asked) this.#asked = this.#call("provide", { ...this.#description, ...this.#handlers.current() });
  }

  /** Provides the display in a moment, unless another page does by then; later if that was in vain before. */
  #provideSoon() {
    clearTimeout(this.#timer);
    const provide = () => {
      this.#hasTried = true;
      this.#provide();
    };
    this.#timer = setTimeout(provide, (this.#hasTried ? refusalPause : 500) * Math.random());
  }

  #receive(message) {
    this.#isSilent = false;
    this.#handlers.onContact();
    switch (message.method) {
      case "apply":
        return this.#apply(message.id, message.params);
      case "withdrawn":
        this.#isProviding = false;
        if (!this.#isAvailable) this.#provideSoon();
        return;
      case "state":
        return this.#follow(message.params);
      case "display":
        return this.#reconsider(message.params);
      case undefined:
        if (message.id === this.#asked) this.#answered(message);
        if (message.id === this.#subscription) this.#isServed = !message.error;
    }
  }

  /** Provides the display again if somebody has withdrawn it, or if its pair may have come, whose id is not known yet. */
  #reconsider({ id, change }) {
    const isRemoved = change === "removed";
    if (this.#asked || this.#isRefused || (isRemoved ? id !== this.#shownAs : this.#isServed)) return;
    if (isRemoved) this.#isProviding = false;
    this.#hasTried = false;
    this.#provideSoon();
  }

  async #apply(id, { brightness, on }) {
    try {
      await this.#handlers.apply({ brightness, on });
      this.#send({ id, result: {} });
    } catch (error) {
      this.#send({ id, error: { code: 1, message: `${error}` } });
    }
  }

  /** @param {{result?: import("./display.js").DisplayState, error?: {data: Problem}}} response */
  #answered({ result, error }) {
    const problem = error?.data;
    this.#asked = 0;
    this.#isProviding = !problem;
    this.#isRefused = Boolean(problem);
    if (!problem) {
      this.#shownAs = result?.id ?? this.#description.id;
      this.#isServed = true;
      // To follow it, should another page become the display.
      this.#subscription = this.#call("subscribe", { display: this.#shownAs, types: ["state", "display"] });
      return;
    }
    warnOf(problem, this.#server.origin);
    this.#handlers.onProblem(problem);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#provide(), refusalPause);
  }

  /** Shows what another page of this display does. @param {import("./display.js").DisplayState} state */
  #follow(state) {
    this.#isAvailable = state.available;
    if (state.available) this.#hasTried = false;
    if (this.#isProviding || this.#isRefused || this.#asked) return;
    clearTimeout(this.#timer);
    if (!state.available) return this.#provideSoon();
    // The other part of a pair has the power.
    const on = state.id === this.#description.id ? state.power.on !== false : this.#handlers.current().on;
    void Promise.resolve(this.#handlers.apply({ brightness: state.brightness, on })).catch(() => {});
  }
}
