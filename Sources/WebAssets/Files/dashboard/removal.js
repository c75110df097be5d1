// SPDX-License-Identifier: Apache-2.0
import { write } from "./template.js";
import { t } from "./texts.js";

/**
 * The notice about the item of a list that was removed last, with a button that puts it back. It stays until another
 * item is changed, or one of its name is there again.
 * @template {{name: string}} Item
 */
export class Removal {
  #parts;
  /** @type {Item | null} */
  item = null;
  /** Whether the list lacked it since. */
  #isGone = false;

  /**
   * @param {Record<string, any>} parts  among them `removed`, `gone` and `undo`
   * @param {(item: Item, button: HTMLElement) => void} putBack
   */
  constructor(parts, putBack) {
    this.#parts = parts;
    parts.undo.addEventListener("click", () => {
      if (this.item) putBack(this.item, parts.undo);
    });
  }

  /** @param {Item} item  that was removed @param {Item[]} items  that the page knows */
  begin(item, items) {
    this.item = item;
    this.#isGone = false;
    this.show(items);
    this.#parts.undo.focus();
  }

  end() {
    this.item = null;
  }

  /** @param {Item[]} items  that the page knows */
  show(items) {
    const isThere = items.some(({ name }) => name === this.item?.name);
    if (!isThere) this.#isGone = true;
    else if (this.#isGone) this.item = null;
    const { removed, undo, gone } = this.#parts;
    removed.hidden = this.item === null;
    if (!this.item) return;
    write(gone, t`Removed ${this.item.name}.`);
    undo.setAttribute("aria-label", t`Undo: restore ${this.item.name}`);
  }
}
