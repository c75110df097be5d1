// SPDX-License-Identifier: Apache-2.0
import { request } from "../brightness/daemon.js";
import { LocalTime } from "./daytime.js";
import { minuteText } from "./formats.js";
import { element, partsOf, write } from "./template.js";
import { t } from "./texts.js";

/** @typedef {{latitude: number, longitude: number}} Coordinates */

/**
 * Reads `52.52, 13.40` and other forms that maps show, such as `52° 31′ N, 13° 24′ E` and `52,52; 13,40`.
 * @param {string} text
 * @returns {Coordinates | null}
 */
export function readLocation(text) {
  const halves = halvesOf(text.trim());
  const latitude = readDegrees(halves[0] ?? "", "N", "S");
  const longitude = readDegrees(halves[1] ?? "", "EO", "W");
  if (halves.length !== 2 || latitude === null || longitude === null) return null;
  return Math.abs(latitude) > 90 || Math.abs(longitude) > 180 ? null : { latitude, longitude };
}

/** The texts of the latitude and of the longitude. A comma may separate them, or the decimals. @param {string} text */
function halvesOf(text) {
  if (text.includes(";")) return text.split(";");
  if (/,\s/.test(text)) return text.split(/,\s+/);
  const [, north, east] = /^(.*[NS])[,\s]*(.+)$/i.exec(text) ?? [];
  if (north) return [north, east];
  const parts = text.split(",");
  if (parts.length === 4) return [parts.slice(0, 2).join(","), parts.slice(2).join(",")];
  return parts.length === 2 && !/\s/.test(text) ? parts : text.split(/\s+/);
}

/** @param {string} text @param {string} positive  the letters of that side @param {string} negative */
function readDegrees(text, positive, negative) {
  const number = "\\s*(\\d+(?:[.,]\\d+)?)\\s*";
  const form = new RegExp(`^\\s*(-?)${number}°?(?:${number}['′])?(?:${number}(?:["″]|''))?\\s*([A-Z]?)\\s*$`, "i");
  const [, sign, degrees, minutes = "0", seconds = "0", letter] = form.exec(text) ?? [];
  if (degrees === undefined || (letter && !(positive + negative).includes(letter.toUpperCase()))) return null;
  const [whole, sixtieths, last] = [degrees, minutes, seconds].map((part) => Number(part.replace(",", ".")));
  const size = whole + sixtieths / 60 + last / 3_600;
  return sign || (letter && negative.includes(letter.toUpperCase())) ? -size : size;
}

/** @param {Coordinates} location */
const textOf = ({ latitude, longitude }) => `${latitude.toFixed(2)}, ${longitude.toFixed(2)}`;

/**
 * The part of the schedule form that asks for the location of the daemon's machine: once the sun is chosen and the location
 * is unknown, or to change it.
 */
export class LocationField {
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
    this.#parts.location.value = "";
  }

  /**
   * @param {boolean} isOfSun  whether the schedule needs the location
   * @param {import("./daytime.js").Schedules | null} schedules
   */
  show(isOfSun, schedules) {
    const isKnown = schedules?.sun != null;
    const isUnknown = schedules?.sun === null && schedules.clockSet;
    const { sun, change, field } = this.#parts;
    element("schedule-sun").hidden = !isOfSun;
    field.hidden = !isUnknown && !this.#isChanging;
    change.hidden = !isKnown || this.#isChanging;
    write(sun, !isOfSun ? "" : isKnown ? sunText(schedules) : isUnknown ? t`Sunrise and sunset need the location of the machine.` : "");
  }

  /** The fault of what is written; `undefined` without one. */
  get fault() {
    if (!this.#isAsked || readLocation(this.#parts.location.value)) return undefined;
    return t`Enter latitude and longitude, such as ${"52.52, 13.40"}.`;
  }

  /** Stores the location, if it was asked for. */
  async store() {
    const location = this.#isAsked ? readLocation(this.#parts.location.value) : null;
    if (location) await request("PUT", "/v1/location", location);
  }

  get #isAsked() {
    return this.#parts.location.getClientRects().length > 0;
  }

  /** Asks for the location, or for another one. */
  async ask() {
    this.#isChanging = true;
    const { location, change, field } = this.#parts;
    [field.hidden, change.hidden] = [false, true];
    location.focus();
    const known = await request("GET", "/v1/location").catch(() => null);
    if (known && typeof known.latitude === "number" && !location.value) location.value = textOf(known);
  }

  /** Asks the browser where it is. */
  #locate() {
    const { location, here, "location-fault": fault } = this.#parts;
    here.setAttribute("aria-busy", "true");
    const end = (/** @type {string} */ text) => {
      here.removeAttribute("aria-busy");
      write(fault, text);
      location.focus();
    };
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        location.value = textOf(coords);
        end("");
      },
      () => end(t`The browser does not report its location. Enter it as a map shows it.`),
      { maximumAge: Infinity, timeout: 10_000 },
    );
  }
}

/** The sun of today. @param {import("./daytime.js").Schedules} schedules */
function sunText(schedules) {
  const local = new LocalTime(schedules);
  const { sunrise = null, sunset = null } = schedules.sun ?? {};
  if (sunrise === null || sunset === null) return t`Today the sun does not rise or does not set there.`;
  return t`Today the sun rises at ${minuteText(local.minuteOf(sunrise))} and sets at ${minuteText(local.minuteOf(sunset))}.`;
}
