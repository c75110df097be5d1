// SPDX-License-Identifier: Apache-2.0
import { BrightnessError, request } from "../brightness.js";
import { pathOf } from "./command.js";
import { nodeOf } from "./order.js";
import { element, partsOf, write } from "./template.js";
import { t } from "./texts.js";

/** @typedef {import("../brightness/display.js").DisplayState} DisplayState */

/** The dialog that names a display. */
export class RenameForm {
  #dialog = /** @type {HTMLDialogElement} */ (element("rename"));
  #parts = partsOf(this.#dialog);
  /** The id of the display. */
  #id = "";
  #me;
  /** The name that the dialog began with. */
  #known = "";

  /** @type {DisplayState | null} */
  #state = null;

  /**
   * @param {string} me  This page's holder.
   * @param {(state: DisplayState) => void} onAlike
   */
  constructor(me, onAlike) {
    this.#me = me;
    this.#parts.alike.addEventListener("click", () => {
      this.#dialog.close();
      if (this.#state) onAlike(this.#state);
    });
    this.#dialog.querySelector("form")?.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#save();
    });
    this.#parts.cancel.addEventListener("click", () => this.#dialog.close());
  }

  /**
   * @param {DisplayState} state
   * @param {boolean} canBeAlike  Whether there is another display to compare it with.
   */
  open(state, canBeAlike) {
    if (this.#dialog.open) return;
    this.#id = state.id;
    this.#state = state;
    const { name, alike } = this.#parts;
    alike.hidden = !canBeAlike;
    // A display of another machine is shown with the machine’s name in front.
    const prefix = `${nodeOf(state)}: `;
    this.#known = state.name.startsWith(prefix) ? state.name.slice(prefix.length) : state.name;
    name.value = this.#known;
    this.#report("");
    this.#dialog.showModal();
    name.select();
  }

  async #save() {
    const { name, save } = this.#parts;
    const wanted = name.value.trim();
    if (wanted === this.#known) return this.#dialog.close();
    save.setAttribute("aria-busy", "true");
    try {
      await request("PUT", pathOf(this.#id, "settings"), { name: wanted || null, holder: this.#me });
      this.#dialog.close();
    } catch (error) {
      if (!(error instanceof BrightnessError)) throw error;
      this.#report(error.problem.errors?.[0]?.detail ?? error.problem.detail);
    } finally {
      save.removeAttribute("aria-busy");
    }
  }

  /** @param {string} fault  empty for none */
  #report(fault) {
    const { name, fault: place } = this.#parts;
    write(place, fault);
    if (fault) name.setAttribute("aria-invalid", "true");
    else name.removeAttribute("aria-invalid");
    if (fault) name.focus();
  }
}
