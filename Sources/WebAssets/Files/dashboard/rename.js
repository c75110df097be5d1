// SPDX-License-Identifier: Apache-2.0
import { request } from "../brightness.js";
import { pathOf } from "./command.js";
import { NameDialog } from "./name-dialog.js";
import { nodeOf } from "./order.js";

/** @typedef {import("../brightness/display.js").DisplayState} DisplayState */

/** The dialog that names a display. */
export class RenameForm {
  #dialog;
  /** @type {DisplayState | null} */
  #state = null;
  /** The name that the dialog began with. */
  #known = "";

  /**
   * @param {string} me  This page's holder.
   * @param {(state: DisplayState) => void} onAlike
   */
  constructor(me, onAlike) {
    this.#dialog = new NameDialog("rename", async (name) => {
      if (name === this.#known) return;
      await request("PUT", pathOf(this.#state?.id ?? "", "settings"), { name: name || null, holder: me });
    });
    this.#dialog.parts.alike.addEventListener("click", () => {
      this.#dialog.close();
      if (this.#state) onAlike(this.#state);
    });
  }

  /**
   * @param {DisplayState} state
   * @param {boolean} canBeAlike  Whether there is another display to compare it with.
   */
  open(state, canBeAlike) {
    if (this.#dialog.isOpen) return;
    this.#state = state;
    this.#dialog.parts.alike.hidden = !canBeAlike;
    // A display of another machine is shown with the machine’s name in front.
    const prefix = `${nodeOf(state)}: `;
    this.#known = state.name.startsWith(prefix) ? state.name.slice(prefix.length) : state.name;
    this.#dialog.open(this.#known);
  }
}
