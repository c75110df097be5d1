// SPDX-License-Identifier: Apache-2.0

import { t } from "./texts.js";

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
  note.textContent = text || (isSimulated ? t`Simulated` : "");
}

/**
 * A note on where the reading comes from, or what is missing.
 * @param {Ambient} ambient
 */
function remark({ source, illuminance, appearance, sensors = [] }) {
  if (source === "brightness") return appearanceText(appearance);
  if (sensors.some(({ near }) => near)) return t`Object near the sensor: the last estimate is kept.`;
  const silent = sensors.filter(({ condition }) => condition !== "live").map(({ id }) => id);
  if (illuminance === null) return t`Unknown: no valid reading from ${silent.join(", ") || t`any sensor`}.`;
  return silent.length > 0 ? t`No valid reading from ${silent.join(", ")}.` : "";
}

/** The names of appearances. @type {Record<string, string>} */
const appearances = { night: t`night`, day: t`day` };

/** @param {Ambient["appearance"]} appearance */
function appearanceText(appearance) {
  const text = t`No sensor: estimated from the display’s brightness.`;
  return appearance ? `${text} ${t`It seems to be ${appearances[appearance] ?? appearance}.`}` : text;
}
