// SPDX-License-Identifier: Apache-2.0
import { AlikeForm, canCompare } from "./alike.js";
import { Card } from "./card.js";
import { facts } from "./facts.js";
import { RenameForm } from "./rename.js";
import { arrange, element } from "./template.js";

/** @typedef {import("../brightness/display.js").DisplayState} DisplayState */

/** The cards of a few displays, or of the opened one of many. */
export class Cards {
  #alike = new AlikeForm();
  #form = new RenameForm((state) => this.#alike.open(state));
  /** @type {Map<string, Card>} */
  #cards = new Map();

  /** @param {DisplayState[]} shown  in their order */
  show(shown) {
    this.#form.show();
    const ids = new Set(shown.map(({ id }) => id));
    for (const [id, card] of this.#cards) {
      if (ids.has(id)) continue;
      card.element.remove();
      this.#cards.delete(id);
    }
    const hasSensor = facts.ambient?.source === "sensor";
    for (const state of shown) {
      const card = this.#cards.get(state.id) ?? new Card(state, (shown) => this.#configure(shown));
      this.#cards.set(state.id, card);
      const isDefault = facts.states.size > 1 && state.id === facts.defaultDisplay;
      const leader = facts.states.get(state.follows ?? "")?.name ?? state.follows ?? "";
      card.show(state, facts.leasesOf(state.id), { hasSensor, isDefault, leader, isFirst: state === shown[0] });
    }
    arrange(element("displays"), shown.flatMap(({ id }) => this.#cards.get(id)?.element ?? []));
  }

  /** @param {DisplayState} state */
  #configure(state) {
    const others = [...facts.states.values()].filter(({ id }) => id !== state.id);
    this.#form.open(state, canCompare(state) && others.some(canCompare));
  }

  /** States on the card of a display why a command failed. @param {string} id @param {string} text */
  report(id, text) {
    this.#cards.get(id)?.report(text);
  }

  /** Updates the texts that depend on the time. */
  tick() {
    for (const card of this.#cards.values()) card.tick();
  }
}
