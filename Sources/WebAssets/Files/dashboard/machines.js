// SPDX-License-Identifier: Apache-2.0
// The displays of a machine, summed up: how many, and what a person should see to.

import { count } from "./formats.js";
import { t } from "./texts.js";
import { attentionText, since } from "./words.js";

/**
 * @typedef {import("../brightness/display.js").DisplayState} DisplayState
 * @typedef {import("./order.js").GroupItem} GroupItem
 */

/**
 * Sums up a machine.
 * @param {string} node  empty for the daemon's own
 * @param {{state: DisplayState}[]} displays
 * @returns {GroupItem}
 */
export function machine(node, displays) {
  /** @type {GroupItem} */
  const sum = { node, count: displays.length, overridden: 0, missing: 0, first: null, last: null };
  for (const { state } of displays) {
    if (!state.available) {
      sum.missing += 1;
      const { unavailable } = state;
      if (unavailable && (sum.first === null || unavailable.since < sum.first.since)) sum.first = unavailable;
      if (unavailable && (sum.last === null || unavailable.since > sum.last.since)) sum.last = unavailable;
    } else if (state.boost?.overridden === true) sum.overridden += 1;
  }
  return sum;
}

/** @param {GroupItem} group */
export const sizeOf = ({ count: displays }) => (displays === 1 ? t`one display` : t`${count(displays)} displays`);

/** The problems of a machine's displays; empty without any. @param {GroupItem} group */
export function troublesOf({ count: displays, overridden, missing, first, last }) {
  const texts = [];
  if (missing === displays) texts.push(t`not available ${since(last)}`);
  else if (missing > 0) texts.push(missing > 1 && first ? t`${count(missing)} not available, the first ${since(first)}` : t`${count(missing)} not available ${since(first)}`);
  if (overridden > 0) texts.push(attentionText(overridden));
  return texts.join(" · ");
}
