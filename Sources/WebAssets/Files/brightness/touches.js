// SPDX-License-Identifier: Apache-2.0

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

/** The touches, clicks and keys of a page, without those that only wake a dark display. */
export class Touches {
  #isDark;
  #onTouch;
  #onMove;
  #wasDark = false;
  /** A touch of this page was swallowed since the display is dark, so a later one is not the one that woke it. */
  #hasSwallowed = false;
  #wokeAt = -Infinity;
  /** @type {Set<number | string>} the pointers and keys whose events are swallowed until they are up */
  #swallowed = new Set();
  /** Events without a pointer, such as clicks, are swallowed until then. */
  #swallowsUntil = -Infinity;

  /**
   * @param {object} handlers
   * @param {() => boolean} handlers.isDark  whether the next touch only wakes the display
   * @param {(isDark: boolean) => void} handlers.onTouch  is called when a touch begins, and whether it wakes
   * @param {(isDark: boolean) => void} [handlers.onMove]  is called when a pointer moves
   * @param {AbortSignal} signal  ends it
   */
  constructor({ isDark, onTouch, onMove = () => {} }, signal) {
    this.#isDark = isDark;
    this.#onTouch = onTouch;
    this.#onMove = onMove;
    // Before the page's own listeners, which it may keep from the event.
    const options = { signal, capture: true, passive: false };
    for (const name of [...beginnings, ...ends, ...others]) addEventListener(name, (event) => this.#receive(event), options);
    for (const name of ["blur", "pagehide"]) addEventListener(name, () => this.#forgetKeys(), { signal });
    document.addEventListener("visibilitychange", () => this.#forgetKeys(), { signal });
  }

  /** Reports that it may have become dark or bright. @param {boolean} isCurrent  whether the state is known to be current */
  follow(isCurrent) {
    const isDark = this.#isDark();
    if (this.#wasDark && !isDark && isCurrent && !this.#hasSwallowed) this.#wokeAt = performance.now();
    if (!isDark) this.#hasSwallowed = false;
    this.#wasDark = isDark;
  }

  /** @param {Event} event */
  #receive(event) {
    if (!event.isTrusted) return;
    const now = performance.now();
    const name = /** @type {any} */ (event).pointerId ?? /** @type {any} */ (event).code ?? event.type;
    if (beginnings.includes(event.type)) {
      const isRepeated = this.#swallowed.has(name);
      // Of a wake that another device has caused already, the first touch is part.
      const isWaking = this.#isDark() || now - this.#wokeAt < grace;
      if (!isRepeated && isWaking) {
        this.#wokeAt = -Infinity;
        this.#hasSwallowed = this.#wasDark;
        this.#swallowed.add(name);
      }
      this.#onTouch(isWaking);
      if (!isRepeated && !isWaking) {
        this.#swallowsUntil = -Infinity;
        if (event.type === "pointerdown") this.#forgetKeys();
        return;
      }
      // A wheel has no end.
      if (event.type === "wheel") this.#letGo(name, now);
      return swallow(event);
    }
    if (event.type === "pointermove") this.#onMove(this.#isDark());
    const isPointers = event.type.startsWith("pointer") || event.type.startsWith("key");
    if (isPointers ? !this.#swallowed.has(name) : this.#swallowed.size === 0 && now > this.#swallowsUntil) return;
    if (ends.includes(event.type)) this.#letGo(name, now);
    swallow(event);
  }

  /** Another window may get the end of a key: clicks would be swallowed until the next end of that key. */
  #forgetKeys() {
    for (const name of this.#swallowed) if (typeof name === "string") this.#swallowed.delete(name);
  }

  /** @param {number | string} name @param {number} now */
  #letGo(name, now) {
    this.#swallowed.delete(name);
    this.#swallowsUntil = now + afterwards;
  }
}

/** @param {Event} event */
function swallow(event) {
  if (event.cancelable) event.preventDefault();
  event.stopImmediatePropagation();
}
