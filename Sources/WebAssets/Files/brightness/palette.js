// SPDX-License-Identifier: Apache-2.0
import { AmbientLight } from "./ambient.js";
import { warnOfAttributes } from "./warnings.js";

const schemes = { day: "light", night: "dark" };

/**
 * `<brightness-palette>`: gives the whole page the palette that suits the light in the room.
 *
 * While the light is known, the page's root element has `data-appearance` `day` or `night`, and the `color-scheme`
 * `light` or `dark`. Otherwise it has neither, so the page's own rules and the system's choice apply.
 *
 * Attributes: `server`, `token`.
 */
export class BrightnessPalette extends HTMLElement {
  static observedAttributes = ["server", "token"];

  /** @type {AmbientLight | null} */
  #light = null;

  connectedCallback() {
    this.#start();
  }

  disconnectedCallback() {
    this.#light?.close();
    this.#light = null;
    show(null);
  }

  attributeChangedCallback(_, before, after) {
    if (this.#light && before !== after) this.#start();
  }

  #start() {
    this.#light?.close();
    warnOfAttributes(this, BrightnessPalette.observedAttributes);
    this.#light = new AmbientLight({ server: this.getAttribute("server"), token: this.getAttribute("token") });
    this.#light.subscribe((_, light) => show(light.appearance));
  }
}

/** @param {"day" | "night" | null} appearance */
function show(appearance) {
  const { dataset, style } = document.documentElement;
  if (appearance) dataset.appearance = appearance;
  else delete dataset.appearance;
  style.colorScheme = appearance ? schemes[appearance] : "";
}
