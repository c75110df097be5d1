// SPDX-License-Identifier: Apache-2.0
import { request } from "../brightness.js";
import { LocalTime, clockOf } from "./daytime.js";
import { element, partsOf, write } from "./template.js";
import { t } from "./texts.js";

/** @typedef {{latitude: number, longitude: number}} Place */

/** Reads `52.52, 13.40`. @param {string} text @returns {Place | null} */
function readPlace(text) {
  const [, latitude, longitude] = /^\s*(-?\d+(?:\.\d+)?)°?\s*[,; ]\s*(-?\d+(?:\.\d+)?)°?\s*$/.exec(text) ?? [];
  if (latitude === undefined || Math.abs(Number(latitude)) > 90 || Math.abs(Number(longitude)) > 180) return null;
  return { latitude: Number(latitude), longitude: Number(longitude) };
}

/** @param {Place} place */
const textOf = ({ latitude, longitude }) => `${latitude.toFixed(2)}, ${longitude.toFixed(2)}`;

/**
 * The part of the schedule form that asks for the place of the daemon's machine: once the sun is chosen and the place
 * is unknown, or to change it.
 */
export class PlaceField {
  #parts = partsOf(element("schedule-sun"));
  #isChanging = false;

  constructor() {
    const { change, here } = this.#parts;
    change.addEventListener("click", () => this.ask());
    // Browsers know where they are on pages that nobody on the way can have changed.
    here.hidden = !(window.isSecureContext && "geolocation" in navigator);
    here.addEventListener("click", () => this.#locate());
  }

  /** For a form that opens. */
  reset() {
    this.#isChanging = false;
    this.#parts.place.value = "";
  }

  /**
   * @param {boolean} isOfSun  whether the schedule needs the place
   * @param {import("./daytime.js").Schedules | null} schedules
   */
  show(isOfSun, schedules) {
    const isKnown = schedules?.sun != null;
    const isUnknown = schedules?.sun === null && schedules.clockSet;
    const { sun, change, field } = this.#parts;
    element("schedule-sun").hidden = !isOfSun;
    field.hidden = !isUnknown && !this.#isChanging;
    change.hidden = !isKnown || this.#isChanging;
    write(sun, !isOfSun ? "" : isKnown ? sunText(schedules) : isUnknown ? t`Sunrise and sunset need the place of the machine.` : "");
  }

  /** The fault of what is written; `undefined` without one. */
  get fault() {
    if (!this.#isAsked || readPlace(this.#parts.place.value)) return undefined;
    return t`Write latitude and longitude, such as ${"52.52, 13.40"}.`;
  }

  /** Stores the place, if it was asked for. */
  async store() {
    const place = this.#isAsked ? readPlace(this.#parts.place.value) : null;
    if (place) await request("PUT", "/v1/location", place);
  }

  get #isAsked() {
    return this.#parts.place.getClientRects().length > 0;
  }

  /** Asks for the place, or for another one. */
  async ask() {
    this.#isChanging = true;
    const { place, change, field } = this.#parts;
    [field.hidden, change.hidden] = [false, true];
    place.focus();
    const known = await request("GET", "/v1/location").catch(() => null);
    if (known && typeof known.latitude === "number" && !place.value) place.value = textOf(known);
  }

  /** Asks the browser where it is. */
  #locate() {
    const { place, here, "place-fault": fault } = this.#parts;
    here.setAttribute("aria-busy", "true");
    const end = (/** @type {string} */ text) => {
      here.removeAttribute("aria-busy");
      write(fault, text);
      place.focus();
    };
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        place.value = textOf(coords);
        end("");
      },
      () => end(t`The browser does not say where it is. Write it, as a map shows it.`),
      { maximumAge: Infinity, timeout: 10_000 },
    );
  }
}

/** The sun of today. @param {import("./daytime.js").Schedules} schedules */
function sunText(schedules) {
  const local = new LocalTime(schedules);
  const { sunrise = null, sunset = null } = schedules.sun ?? {};
  if (sunrise === null || sunset === null) return t`Today the sun does not rise or does not set there.`;
  return t`Today the sun rises at ${clockOf(local.minuteOf(sunrise))} and sets at ${clockOf(local.minuteOf(sunset))}.`;
}
