// SPDX-License-Identifier: Apache-2.0
import { recall, remember } from "./memory.js";
import { t } from "./texts.js";

const texts = {
  boost: t`Boost makes a display bright for the time in the settings. Afterwards its baseline is restored.`,
  baseline: t`While a display is boosted, the slider sets its baseline: the brightness after the boost.`,
  standIn:
    t`This machine has no light sensor, so the ambient light is estimated from the display’s own brightness. Turn on the automatic brightness of the operating system, if it has one.`,
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
