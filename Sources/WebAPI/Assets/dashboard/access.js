// SPDX-License-Identifier: Apache-2.0
import { authorize } from "../brightness.js";
import { recall, remember } from "./memory.js";

const key = "brightness.token";

/** Asks for a token when the server requires one, and stores it until the tab is closed. */
export class Access {
  #dialog = /** @type {HTMLDialogElement} */ (document.getElementById("access"));
  #form = /** @type {HTMLFormElement} */ (this.#dialog.querySelector("form"));

  constructor() {
    const known = recall("sessionStorage", key);
    if (known) authorize(known);
    this.#form.addEventListener("submit", () => {
      const token = `${new FormData(this.#form).get("token")}`.trim();
      this.#form.reset();
      remember("sessionStorage", key, token);
      authorize(token);
    });
  }

  /** @param {import("../brightness/server.js").Problem} problem */
  ask(problem) {
    if (this.#dialog.open) return;
    const why = this.#dialog.querySelector("[data-part=why]");
    if (why) why.textContent = problem.detail;
    this.#dialog.showModal();
  }
}
