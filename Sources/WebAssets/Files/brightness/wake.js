// SPDX-License-Identifier: Apache-2.0
import { serverFor } from "./authorize.js";
import { Feed } from "./feed.js";
import { BrightnessError } from "./server.js";
import { Touches } from "./touches.js";
import { ofDisplay } from "./wants.js";
import { warnOf, warnOfAttributes } from "./warnings.js";

/** How often activity is sent at most, in milliseconds; while the display is off or dimmed it is sent sooner. */
const pace = 3_000;
const urgentPace = 500;

/**
 * `<brightness-wake>`: reports to the daemon that somebody uses the page, so that displays that it dims or switches off while
 * nobody does (`--idle-dim`, `--idle-sleep`) are bright again. Shows nothing.
 *
 * With the attribute `swallow` the touch, click or key that wakes a display that is off does nothing else on the page; with
 * `swallow="dim"` also that which wakes a dimmed one.
 *
 * Attributes: `swallow`, `server`, `token`, `display`.
 * Events, which do not bubble: `error` (`detail`: a problem).
 */
export class BrightnessWake extends HTMLElement {
  static observedAttributes = ["swallow", "server", "token", "display"];

  /** @type {AbortController | null} aborted when the element leaves the page */
  #presence = null;
  /** @type {import("./server.js").Server | null} */
  #server = null;
  /** @type {Feed | null} only with `swallow` */
  #feed = null;
  /** @type {string | null} */
  #display = null;
  /** @type {Touches | null} */
  #touches = null;
  #sentAt = -Infinity;

  connectedCallback() {
    this.hidden = true;
    if (!this.#presence) this.#start();
  }

  disconnectedCallback() {
    // A moved element is connected again by then.
    queueMicrotask(() => {
      if (!this.isConnected) this.#end();
    });
  }

  attributeChangedCallback(_, before, after) {
    if (!this.#presence || before === after) return;
    this.#end();
    this.#start();
  }

  #start() {
    warnOfAttributes(this, BrightnessWake.observedAttributes);
    const { signal } = (this.#presence = new AbortController());
    this.#server = serverFor(this.getAttribute("server"), this.getAttribute("token"));
    const report = (/** @type {boolean} */ isDark) => this.#report(isDark);
    this.#touches = new Touches({ isDark: () => this.#isDark, onTouch: report, onMove: report }, signal);
    if (!this.hasAttribute("swallow")) return;
    this.#display = this.getAttribute("display");
    const feed = (this.#feed = Feed.of(this.#server));
    const wants = ofDisplay(["state", "display", "dim"], this.#display);
    const stop = feed.listen((fact) => this.#follow(fact), wants);
    signal.addEventListener("abort", stop);
  }

  #end() {
    this.#presence?.abort();
    this.#presence = null;
    this.#touches = null;
    this.#feed = null;
  }

  /** @param {import("./stream.js").Fact} fact */
  #follow({ name, data }) {
    if (name === "default" && !this.getAttribute("display")) this.#display = data.id;
    this.#touches?.follow(this.#feed?.condition.status === "live");
  }

  /** Whether the next touch only wakes the display. `false` without a connection: the page stays usable. */
  get #isDark() {
    const feed = this.#feed;
    const state = feed?.stateOf(this.#display);
    if (!feed || !state || feed.condition.status !== "live") return false;
    if (state.power.on === false) return true;
    if (this.getAttribute("swallow") !== "dim") return false;
    return feed.retained.some(({ data }) => {
      const { kind, display, holder, principal, overridden } = data.lease ?? {};
      return kind === "dim" && display === state.id && holder === "idle" && principal === "brightnessd" && !overridden;
    });
  }

  /** @param {boolean} isUrgent */
  #report(isUrgent) {
    const [server, now] = [this.#server, performance.now()];
    if (!server || now - this.#sentAt < (isUrgent ? urgentPace : pace)) return;
    this.#sentAt = now;
    server.request("POST", "/v1/activity").catch((error) => {
      const { problem } = error instanceof BrightnessError ? error : BrightnessError.absent;
      warnOf(problem, server.origin);
      this.dispatchEvent(new CustomEvent("error", { detail: problem }));
    });
  }
}
