// SPDX-License-Identifier: Apache-2.0

/** @typedef {import("../brightness/ambient.js").Ambient} Ambient */

const room = /** @type {HTMLElement} */ (document.getElementById("room"));
const gauge = /** @type {HTMLElement} */ (room.querySelector("brightness-gauge"));
const note = /** @type {HTMLElement} */ (room.querySelector("[data-part=note]"));

/**
 * Shows the ambient light. The section is hidden without a reading, unless the room is simulated. An estimate from the
 * display's own brightness is not shown a second time.
 * @param {Ambient | null} ambient
 * @param {boolean} isSimulated
 */
export function showRoom(ambient, isSimulated) {
  room.hidden = ambient === null && !isSimulated;
  gauge.hidden = ambient === null || ambient.source === "brightness";
  const text = ambient ? remark(ambient) : "";
  note.textContent = text || (isSimulated ? "Simulated" : "");
}

/**
 * A note on where the reading comes from, or what is missing.
 * @param {Ambient} ambient
 */
function remark({ source, illuminance, appearance, sensors = [] }) {
  if (source === "brightness") return appearanceText(appearance);
  if (sensors.some(({ near }) => near)) return "Object near the sensor: the last estimate is kept.";
  const silent = sensors.filter(({ condition }) => condition !== "live").map(({ id }) => id);
  if (illuminance === null) return `Unknown: no valid reading from ${silent.join(", ") || "any sensor"}.`;
  return silent.length > 0 ? `No valid reading from ${silent.join(", ")}.` : "";
}

/** @param {Ambient["appearance"]} appearance */
function appearanceText(appearance) {
  const text = "No sensor: estimated from the display’s brightness.";
  return appearance ? `${text} It seems to be ${appearance}.` : text;
}
