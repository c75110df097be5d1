// SPDX-License-Identifier: Apache-2.0
// Which displays the list shows, and in which order.

import { isOff } from "../brightness/display.js";
import { facts } from "./facts.js";
import { machine } from "./machines.js";

/** @typedef {import("../brightness/display.js").DisplayState} DisplayState */

/**
 * @typedef {{state: DisplayState}} DisplayItem
 * @typedef {object} GroupItem
 * @property {string} node
 * @property {number} count
 * @property {number} overridden  available displays that were changed by hand during a boost
 * @property {number} missing  displays that are not available
 * @property {DisplayState["unavailable"]} first  since when the first one is not available
 * @property {DisplayState["unavailable"]} last  since when the last one is not available
 * @typedef {object} View
 * @property {string} search
 * @property {"attention" | "name" | "brightness"} sort
 * @property {boolean} isGrouped  by node
 */

const collator = new Intl.Collator(undefined, { numeric: true });

/** The machine of a display; empty for the daemon's own. @param {DisplayState} state */
export const nodeOf = ({ kind, id }) => (kind === "remote" && id.includes(":") ? id.slice(0, id.indexOf(":")) : "");

/** Whether a person should see to a display. @param {DisplayState} state */
export const needsAttention = ({ available, boost }) => !available || boost?.overridden === true;

/** Sorts by name. Sorting thousands of names takes long, so the order is kept until the displays change. */
export class Order {
  #version = -1;
  /** @type {string[]} */
  #ids = [];

  /** @param {View} view @returns {(DisplayItem | GroupItem)[]} */
  items({ search, sort, isGrouped }) {
    const { states, version } = facts;
    if (this.#version !== version) this.#sort(states);
    this.#version = version;
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    /** @type {DisplayItem[]} */
    const found = [];
    for (const id of this.#ids) {
      const state = states.get(id);
      if (state && matches(state, words)) found.push({ state });
    }
    if (sort === "attention") sortBy(found, ({ state }) => (needsAttention(state) ? 0 : 1));
    if (sort === "brightness") sortBy(found, ({ state }) => (isOff(state) ? 1 : -state.percent));
    return isGrouped ? grouped(found, sort === "attention") : found;
  }

  /** @param {Map<string, DisplayState>} states */
  #sort(states) {
    const all = [...states.values()];
    this.#ids = all.sort((a, b) => collator.compare(a.name, b.name) || collator.compare(a.id, b.id)).map(({ id }) => id);
  }
}

/** @param {DisplayState} state @param {string[]} words */
function matches({ id, name }, words) {
  if (words.length === 0) return true;
  const text = `${name} ${id}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Sorts by a number; equal ones keep their order. @param {DisplayItem[]} items @param {(item: DisplayItem) => number} rank */
function sortBy(items, rank) {
  items.sort((a, b) => rank(a) - rank(b));
}

/** @param {DisplayItem[]} items @param {boolean} isAttentionFirst @returns {(DisplayItem | GroupItem)[]} */
function grouped(items, isAttentionFirst) {
  /** @type {Map<string, DisplayItem[]>} */
  const groups = new Map();
  for (const item of items) {
    const node = nodeOf(item.state);
    const group = groups.get(node);
    if (group) group.push(item);
    else groups.set(node, [item]);
  }
  const heads = [...groups].map(([node, members]) => {
    return { ...machine(node, members), members };
  });
  const rank = ({ missing, overridden }) => (isAttentionFirst && missing + overridden > 0 ? 0 : 1);
  heads.sort((a, b) => rank(a) - rank(b) || collator.compare(a.node, b.node));
  return heads.flatMap(({ members, ...head }) => [head, ...members]);
}
