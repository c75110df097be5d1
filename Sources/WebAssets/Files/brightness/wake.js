// SPDX-License-Identifier: Apache-2.0
import { serverFor } from "./authorize.js";
import { Feed } from "./feed.js";
import { BrightnessError } from "./server.js";
import { warnOf, warnOfAttributes } from "./warnings.js";

/** How often activity is sent at most, in milliseconds; while the display is off or dimmed it is sent sooner. */
const pace = 3_000;
const urgentPace = 500;
/** A touch wakes the screen by its input device as well, so the page may have the new state before the touch. */
const grace = 700;
/** A click comes shortly after the pointer is up. */
const afterwards = 400;

const beginnings = ["pointerdown", "keydown", "wheel"];
const ends = ["pointerup", "pointercancel", "keyup"];
const others = [
  "pointermove", "mousedown", "mousemove", "mouseup", "touchstart", "touchmove", "touchend", "touchcancel",
  "click", "auxclick", "dblclick", "contextmenu", "keypress",
];

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
  #sentAt = -Infinity;
  #wasDark = false;
  /** A touch of this page was swallowed since the display is dark, so a later one is not the one that woke it. */
  #hasSwallowed = false;
  #wokeAt = -Infinity;
  /** @type {Set<number | string>} the pointers and keys whose events are swallowed until they are up */
  #swallowed = new Set();
  /** Events without a pointer, such as clicks, are swallowed until then. */
  #swallowsUntil = -Infinity;

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
    // Before the page's own listeners, which it may keep from the event.
    const options = { signal, capture: true, passive: false };
    for (const name of [...beginnings, ...ends, ...others]) addEventListener(name, (event) => this.#take(event), options);
    if (!this.hasAttribute("swallow")) return;
    this.#display = this.getAttribute("display");
    const feed = (this.#feed = Feed.of(this.#server));
    const stop = feed.listen((fact) => this.#follow(fact));
    signal.addEventListener("abort", stop);
  }

  #end() {
    this.#presence?.abort();
    this.#presence = null;
    this.#feed = null;
    this.#swallowed.clear();
    this.#wasDark = false;
  }

  /** @param {import("./stream.js").Fact} fact */
  async #follow({ name, data }) {
    const mayBeAnother = name === "display" || (name === "condition" && data.status === "live");
    if (mayBeAnother && !this.getAttribute("display")) this.#display = (await this.#feed?.defaultDisplay) ?? this.#display;
    const isLive = this.#feed?.condition.status === "live";
    const isDark = this.#isDark;
    if (this.#wasDark && !isDark && isLive && !this.#hasSwallowed) this.#wokeAt = performance.now();
    if (!isDark) this.#hasSwallowed = false;
    this.#wasDark = isDark;
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

  /** @param {Event} event */
  #take(event) {
    if (!event.isTrusted) return;
    const now = performance.now();
    const name = /** @type {any} */ (event).pointerId ?? /** @type {any} */ (event).code ?? event.type;
    if (beginnings.includes(event.type)) {
      const isRepeated = this.#swallowed.has(name);
      // Of a wake that another device has caused already, the first touch is part.
      const isWaking = this.#isDark || now - this.#wokeAt < grace;
      if (!isRepeated && isWaking) {
        this.#wokeAt = -Infinity;
        this.#hasSwallowed = this.#wasDark;
        this.#swallowed.add(name);
      }
      this.#report(now, isWaking);
      if (!isRepeated && !isWaking) {
        this.#swallowsUntil = -Infinity;
        return;
      }
      // A wheel has no end.
      if (event.type === "wheel") this.#letGo(name, now);
      return swallow(event);
    }
    if (event.type === "pointermove") this.#report(now, this.#isDark);
    const isPointers = event.type.startsWith("pointer") || event.type.startsWith("key");
    if (isPointers ? !this.#swallowed.has(name) : this.#swallowed.size === 0 && now > this.#swallowsUntil) return;
    if (ends.includes(event.type)) this.#letGo(name, now);
    swallow(event);
  }

  /** @param {number | string} name @param {number} now */
  #letGo(name, now) {
    this.#swallowed.delete(name);
    this.#swallowsUntil = now + afterwards;
  }

  /** @param {number} now @param {boolean} isUrgent */
  #report(now, isUrgent) {
    const server = this.#server;
    if (!server || now - this.#sentAt < (isUrgent ? urgentPace : pace)) return;
    this.#sentAt = now;
    server.request("POST", "/v1/activity").catch((error) => {
      const { problem } = error instanceof BrightnessError ? error : BrightnessError.absent;
      warnOf(problem, server.origin);
      this.dispatchEvent(new CustomEvent("error", { detail: problem }));
    });
  }
}

/** @param {Event} event */
function swallow(event) {
  if (event.cancelable) event.preventDefault();
  event.stopImmediatePropagation();
}
