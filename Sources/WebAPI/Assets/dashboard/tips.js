// SPDX-License-Identifier: Apache-2.0
import { recall, remember } from "./memory.js";

const texts = {
  boost: "Boost makes a screen as bright as it gets for five minutes. Then it goes back by itself.",
  baseline: "While a screen is boosted, the slider sets what it goes back to.",
  standIn:
    "There is no light sensor here, so the screen’s own brightness stands in for it. " +
    "Turn on the system’s automatic brightness, if it has one: this page cannot find that out.",
};
const key = "brightness.tips";

/** Shows each tip once: it is remembered as soon as it has been shown. One at a time. */
export class Tips {
  #element = /** @type {HTMLElement} */ (document.getElementById("tip"));
  #seen = new Set((recall("localStorage", key) ?? "").split(" "));

  constructor() {
    this.#element.querySelector("button")?.addEventListener("click", () => (this.#element.hidden = true));
  }

  /** @param {keyof typeof texts} name */
  show(name) {
    if (this.#seen.has(name) || !this.#element.hidden) return;
    this.#seen.add(name);
    /** @type {HTMLElement} */ (this.#element.querySelector("p")).textContent = texts[name];
    this.#element.hidden = false;
    remember("localStorage", key, [...this.#seen].join(" ").trim());
  }
}
