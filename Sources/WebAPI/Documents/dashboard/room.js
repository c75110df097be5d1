// SPDX-License-Identifier: Apache-2.0

/** @typedef {import("../brightness/gauge.js").Ambient} Ambient */

const room = /** @type {HTMLElement} */ (document.getElementById("room"));

/**
 * Shows the room's light, and takes its day or night for the page's colours. Without light there is no room.
 * @param {Ambient | null} ambient
 */
export function showRoom(ambient) {
  room.hidden = ambient === null;
  if (!ambient) return delete document.documentElement.dataset.appearance;
  document.documentElement.dataset.appearance = ambient.appearance;
  const isStandIn = ambient.source === "brightness";
  const note = /** @type {HTMLElement} */ (room.querySelector("[data-part=note]"));
  note.textContent = isStandIn ? "No sensor: estimated from the screen’s brightness." : "";
}
