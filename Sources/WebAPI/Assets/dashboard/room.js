// SPDX-License-Identifier: Apache-2.0

/** @typedef {import("../brightness/gauge.js").Ambient} Ambient */

const room = /** @type {HTMLElement} */ (document.getElementById("room"));
const gauge = /** @type {HTMLElement} */ (room.querySelector("brightness-gauge"));
const note = /** @type {HTMLElement} */ (room.querySelector("[data-part=note]"));

/**
 * Shows the room's light, and takes its day or night for the page's colours. Without light there is no room, unless it
 * is a simulated one.
 * @param {Ambient | null} ambient
 * @param {boolean} isSimulated
 */
export function showRoom(ambient, isSimulated) {
  room.hidden = ambient === null && !isSimulated;
  gauge.hidden = ambient === null;
  const text = ambient ? remark(ambient) : "";
  note.textContent = text || (isSimulated ? "Simulated" : "");
  if (ambient?.appearance) document.documentElement.dataset.appearance = ambient.appearance;
  else delete document.documentElement.dataset.appearance;
}

/**
 * What one should know of the light.
 * @param {Ambient} ambient
 */
function remark({ source, illuminance, sensors = [] }) {
  if (source === "brightness") return "No sensor: estimated from the screen’s brightness.";
  if (sensors.some(({ near }) => near)) return "Something is near: the last estimate holds.";
  const silent = sensors.filter(({ condition }) => condition !== "live").map(({ id }) => id);
  if (illuminance === null) return `Not known: ${silent.join(", ") || "no sensor"} has no good reading.`;
  return silent.length > 0 ? `No good reading from ${silent.join(", ")}.` : "";
}
