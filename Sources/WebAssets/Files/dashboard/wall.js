// SPDX-License-Identifier: Apache-2.0
import { isOff } from "../brightness/display.js";
import { count } from "./formats.js";
import { Order, needsAttention } from "./order.js";
import { copy, element, partsOf, write, writeName } from "./template.js";
import { inForce, levelOf, sentence, since, whenOn } from "./words.js";

/** The least size of a tile, in pixels, as in the style sheet. */
const tile = { width: 200, height: 112 };

/** `/#wall`: as many displays as fit a screen that people watch from far, those that need attention first. No controls. */
export class Wall {
  #facts;
  #me;
  #parts = partsOf(element("wall"));
  #order = new Order();
  /** @type {Record<string, any>[]} */
  #tiles = [];

  /** @param {import("./facts.js").Facts} facts @param {string} me  This page's holder. */
  constructor(facts, me) {
    this.#facts = facts;
    this.#me = me;
  }

  /** @param {string} status  of the connection */
  show(status) {
    const { tiles, summary } = this.#parts;
    const states = [...this.#facts.states.values()];
    const off = states.filter(isOff).length;
    const boosted = states.filter((state) => state.boost !== null && !isOff(state)).length;
    const attention = states.filter(needsAttention).length;
    const fit = Math.max(1, Math.floor(innerWidth / tile.width)) * Math.max(1, Math.floor((innerHeight - 72) / tile.height));
    const items = this.#order.items(this.#facts, { search: "", sort: "attention", isGrouped: false }).slice(0, fit);
    const hidden = states.length - items.length;
    const texts = [
      status,
      states.length === 1 ? "one display" : `${count(states.length)} displays`,
      `${count(boosted)} boosted`,
      off > 0 ? `${count(off)} off` : "",
      `${count(attention)} need${attention === 1 ? "s" : ""} attention`,
      hidden > 0 ? `${count(hidden)} not shown` : "",
    ];
    write(summary, texts.filter(Boolean).join(" · "));
    while (this.#tiles.length > items.length) this.#tiles.pop()?.root.remove();
    while (this.#tiles.length < items.length) {
      const made = copy("tile");
      this.#tiles.push(made);
      tiles.append(made.root);
    }
    items.forEach((item, index) => "state" in item && this.#fill(this.#tiles[index], item.state));
  }

  /**
   * @param {Record<string, any>} parts  of a tile
   * @param {import("../brightness/display.js").DisplayState} state
   */
  #fill({ root, name, level, bar, force }, state) {
    const held = inForce(state, this.#facts.leasesOf(state.id), this.#me) || whenOn(state) || sentence(state.cause, this.#me);
    root.classList.toggle("missing", needsAttention(state));
    root.classList.toggle("off", isOff(state));
    root.classList.toggle("boosted", state.boost !== null && !isOff(state));
    writeName(name, state.name);
    write(level, state.available ? levelOf(state) : "–");
    // A tile has room for about twenty letters.
    write(force, state.available ? held : `Missing ${since(state.unavailable).replace("since before", "before")}`.trim());
    bar.style.setProperty("--level", `${isOff(state) ? 0 : state.brightness}`);
    bar.style.setProperty("--baseline", `${state.baseline}`);
  }
}
