// SPDX-License-Identifier: Apache-2.0
// How long and how far this page's buttons boost and dim, as chosen in the settings. The browser keeps it.

import { percent } from "./formats.js";
import { me } from "./me.js";
import { recall, remember } from "./memory.js";
import { element } from "./template.js";
import { t } from "./texts.js";

/** The fields of the settings, and what holds without a choice. Durations are in seconds, levels in percent. */
const defaults = { duration: 300, boost: 100, dim: 20 };

/** @typedef {keyof typeof defaults} Setting */

/** @param {Setting | "boosted"} name */
const key = (name) => `brightness.${name}`;

/** @param {Setting} name */
function setting(name) {
  const chosen = Number(recall("localStorage", key(name)));
  return chosen > 0 ? chosen : defaults[name];
}

/** The request for a boost or a dim. @param {"boost" | "dim"} kind */
export function leaseOf(kind) {
  if (kind === "boost" && !hasBoosted()) remember("localStorage", key("boosted"), "true");
  return { holder: me, ttl: setting("duration"), percent: setting(kind) };
}

/** Whether somebody has boosted with this browser. */
export const hasBoosted = () => recall("localStorage", key("boosted")) !== null;

/** Such as `100%`. */
export const boostText = () => percent(setting("boost") / 100);

/** Such as `5 min`. */
export function durationText() {
  const seconds = setting("duration");
  return seconds >= 3_600 ? t`${seconds / 3_600} h` : t`${seconds / 60} min`;
}

/** Shows the choices and keeps them. @param {() => void} onChange */
export function offerSettings(onChange) {
  for (const name of /** @type {Setting[]} */ (Object.keys(defaults))) {
    const select = /** @type {HTMLSelectElement} */ (element(`button-${name}`));
    select.value = `${setting(name)}`;
    select.addEventListener("change", () => {
      remember("localStorage", key(name), select.value);
      onChange();
    });
  }
}
