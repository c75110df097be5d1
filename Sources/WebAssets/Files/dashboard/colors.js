// SPDX-License-Identifier: Apache-2.0
import { recall, remember } from "./memory.js";

/** The choice, and the scheme that it results in, as in `room:dark`. `early.js` applies the second part. */
const key = "brightness.colors";

/** The colours of the page: the system's, light, dark, or those of the day or night in the room. Kept, and shared by all tabs. */
export class Colors {
  #select = /** @type {HTMLSelectElement} */ (document.getElementById("colors"));
  #room = "";

  constructor() {
    this.#recall();
    this.#select.addEventListener("change", () => this.#apply());
    addEventListener("storage", (event) => event.key === key && this.#recall());
  }

  /** @param {"day" | "night" | null | undefined} appearance  of the room */
  setRoom(appearance) {
    const room = appearance ? { day: "light", night: "dark" }[appearance] : "";
    if (room === this.#room) return;
    this.#room = room;
    if (this.#select.value === "room") this.#apply();
  }

  #recall() {
    const [choice, scheme] = (recall("localStorage", key) ?? "system:").split(":");
    this.#select.value = choice;
    if (choice === "room") this.#room ||= scheme;
    this.#show(scheme);
  }

  #apply() {
    const choice = this.#select.value;
    const scheme = { system: "", room: this.#room }[choice] ?? choice;
    remember("localStorage", key, `${choice}:${scheme}`);
    this.#show(scheme);
  }

  #show(scheme = "") {
    const { dataset } = document.documentElement;
    if (scheme) dataset.colors = scheme;
    else delete dataset.colors;
  }
}
