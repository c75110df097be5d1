// SPDX-License-Identifier: Apache-2.0
import { BrightnessError } from "../brightness/server.js";
import { element, partsOf, write } from "./template.js";

/** A dialog that asks for a name and stores something with it. A fault is shown at the name, which gets the focus. */
export class NameDialog {
  #dialog;
  parts;
  #store;

  /**
   * @param {string} id  of the dialog, whose parts are `name`, `fault`, `save` and `cancel`
   * @param {(name: string) => Promise<string | void>} store  gets the name without space at its ends; the fault, if it has one
   */
  constructor(id, store) {
    this.#dialog = /** @type {HTMLDialogElement} */ (element(id));
    this.parts = partsOf(this.#dialog);
    this.#store = store;
    this.parts.cancel.addEventListener("click", () => this.close());
    this.#dialog.querySelector("form")?.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#save();
    });
  }

  get isOpen() {
    return this.#dialog.open;
  }

  /** @param {string} name  that the dialog begins with */
  open(name) {
    this.parts.name.value = name;
    this.#report("");
    this.#dialog.showModal();
    this.parts.name.select();
  }

  close() {
    this.#dialog.close();
  }

  async #save() {
    const { name, save } = this.parts;
    save.setAttribute("aria-busy", "true");
    await this.attempt(async () => {
      const fault = await this.#store(name.value.trim());
      if (fault) this.#report(fault);
      else this.close();
    });
    save.removeAttribute("aria-busy");
  }

  /** Does something, and shows why the daemon rejects it. @param {() => Promise<void>} act */
  async attempt(act) {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof BrightnessError)) throw error;
      this.#report(error.problem.errors?.[0]?.detail ?? error.problem.detail);
    }
  }

  /** @param {string} fault  empty for none */
  #report(fault) {
    const { name, fault: text } = this.parts;
    write(text, fault);
    if (!fault) return name.removeAttribute("aria-invalid");
    name.setAttribute("aria-invalid", "true");
    name.focus();
  }
}
