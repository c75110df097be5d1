// SPDX-License-Identifier: Apache-2.0
import { request } from "../brightness/daemon.js";
import { pathOf } from "./command.js";
import { facts } from "./facts.js";
import { me } from "./me.js";
import { NameDialog } from "./name-dialog.js";
import { nodeOf } from "./order.js";

/** @typedef {import("../brightness/display.js").DisplayState} DisplayState */

/** @type {["earlier" | "later", -1 | 1][]} */
const ways = [["earlier", -1], ["later", 1]];
/** The most displays that are moved. */
const mostPositions = 24;

/** The dialog that names a display, and moves it among the others. */
export class RenameForm {
  #dialog;
  /** @type {DisplayState | null} */
  #state = null;
  /** The name that the dialog began with. */
  #known = "";

  /** @param {(state: DisplayState) => void} onAlike */
  constructor(onAlike) {
    this.#dialog = new NameDialog("rename", async (name) => {
      if (name === this.#known) return;
      await request("PUT", pathOf(this.#state?.id ?? "", "settings"), { name: name || null, holder: me });
    });
    for (const [part, way] of ways) {
      this.#dialog.parts[part].addEventListener("click", async () => {
        await this.#dialog.attempt(() => move(this.#state?.id ?? "", way));
      });
    }
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
    this.#showPlaces();
    this.#dialog.open(this.#known);
  }

  /** Shows changes of the order, whose events may arrive after the response to a move. */
  show() {
    if (this.#dialog.isOpen) this.#showPlaces();
  }

  /** Shows which ways there are. Of very many displays the list has another order. */
  #showPlaces() {
    const { positions } = this.#dialog.parts;
    const displays = facts.inOrder;
    positions.hidden = displays.length < 2 || displays.length > mostPositions;
    for (const [part, way] of ways) this.#dialog.parts[part].disabled = !neighbour(displays, this.#state?.id ?? "", way);
  }
}

/**
 * The display before or after another one; `undefined` at the ends, and if that one is gone.
 * @param {DisplayState[]} displays
 * @param {string} id
 * @param {-1 | 1} way
 */
const neighbour = (displays, id, way) => displays.find((_, index) => displays[index - way]?.id === id);

/**
 * Exchanges a display with its neighbour. Every display gets the number of its position, so that the order stays.
 * @param {string} id
 * @param {-1 | 1} way
 */
async function move(id, way) {
  const order = facts.inOrder;
  if (!neighbour(order, id, way)) return;
  const from = order.findIndex((state) => state.id === id);
  const [moved] = order.splice(from, 1);
  order.splice(from + way, 0, moved);
  const changed = order.map((state, index) => ({ state, position: index + 1 })).filter(({ state, position }) => state.position !== position);
  await Promise.all(changed.map(({ state, position }) => request("PUT", pathOf(state.id, "settings"), { position, holder: me })));
}
