// SPDX-License-Identifier: Apache-2.0
import { request } from "../brightness.js";
import { pathOf } from "./command.js";

/** @typedef {import("../brightness/display.js").DisplayState} DisplayState */

/** The display before or after another one; `undefined` at the ends. @param {DisplayState[]} displays @param {string} id @param {-1 | 1} way */
export const neighbour = (displays, id, way) => displays[displays.findIndex((state) => state.id === id) + way];

/**
 * Exchanges a display with its neighbour. Every display gets the number of its place, so that the order stays.
 * @param {DisplayState[]} displays  in their order
 * @param {string} id
 * @param {-1 | 1} way
 * @param {string} holder
 */
export async function move(displays, id, way, holder) {
  const order = [...displays];
  const from = order.findIndex((state) => state.id === id);
  const [moved] = order.splice(from, 1);
  order.splice(from + way, 0, moved);
  const changed = order.map((state, index) => ({ state, position: index + 1 })).filter(({ state, position }) => state.position !== position);
  await Promise.all(changed.map(({ state, position }) => request("PUT", pathOf(state.id, "settings"), { position, holder })));
}
