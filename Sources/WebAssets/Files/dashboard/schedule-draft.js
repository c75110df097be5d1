// SPDX-License-Identifier: Apache-2.0
// A schedule in the controls of its form, and as the body of a request.

import { clockOf, daytimeText, readDaytime } from "./daytime.js";
import { effectOf } from "./schedule-words.js";

/** @typedef {import("./daytime.js").Schedule} Schedule */

/** @param {string} name */
export const pathOfSchedule = (name) => `/v1/schedules/${encodeURIComponent(name)}`;

/** The members that a request may have. @param {Schedule} schedule */
export function bodyOf(schedule) {
  const { displays, days, from, to, dim, boost, brightness, sleep, transition, paused } = schedule;
  return { displays, days, from, to, dim, boost, brightness, sleep, paused, ...(transition !== null && { transition }) };
}

/** The values of a new schedule. @type {Schedule} */
export const blank = {
  name: "",
  displays: ["all"],
  days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
  from: "22:00",
  to: "07:00",
  dim: 0.2,
  transition: null,
  paused: false,
  active: false,
  next: null,
};

/** The value shown first for a kind that has had none, in percent. */
export const suggested = { dim: "20", boost: "80", brightness: "30", sleep: "" };

/** Rounds what floating point adds to a percentage. @param {number} number @param {number} digits */
const rounded = (number, digits) => Number(number.toFixed(digits));

/**
 * The controls of a form by name.
 * @param {HTMLFormElement} form
 * @returns {(name: string) => any}
 */
export const controlsOf = (form) => (name) => form.elements.namedItem(name);

/**
 * Fills a form that has the boxes of days and displays.
 * @param {HTMLFormElement} form
 * @param {Schedule} schedule
 */
export function fill(form, schedule) {
  const control = controlsOf(form);
  control("name").value = schedule.name;
  for (const box of boxes(form, "days")) box.checked = schedule.days.includes(box.value);
  for (const end of ["from", "to"]) {
    const { event, minutes } = readDaytime(schedule[end]);
    control(`${end}-kind`).value = event ?? "clock";
    control(`${end}-clock`).value = event ? "" : clockOf(minutes);
    control(`${end}-minutes`).value = `${event ? Math.abs(minutes) : 0}`;
    control(`${end}-side`).value = event && minutes > 0 ? "after" : "before";
  }
  const effect = effectOf(schedule);
  const level = schedule[effect];
  control("effect").value = effect;
  control("percent").value = typeof level === "number" ? `${rounded(level * 100, 6)}` : suggested[effect];
  const isAll = schedule.displays[0] === "all";
  control("which").value = isAll ? "all" : "chosen";
  for (const box of boxes(form, "displays")) box.checked = !isAll && schedule.displays.includes(box.value);
  control("transition").value = schedule.transition === null ? "" : `${schedule.transition}`;
}

/**
 * The body of a request. Empty times are left out, so that the server reports them as missing.
 * @param {HTMLFormElement} form
 */
export function bodyFrom(form) {
  const control = controlsOf(form);
  const effect = control("effect").value;
  const transition = control("transition").value;
  const chosen = (name) => boxes(form, name).filter(({ checked }) => checked).map(({ value }) => value);
  return {
    displays: control("which").value === "all" ? ["all"] : chosen("displays"),
    days: chosen("days"),
    from: timeFrom(control, "from"),
    to: timeFrom(control, "to"),
    [effect]: effect === "sleep" ? true : rounded(Number(control("percent").value) / 100, 8),
    ...(transition && { transition: Number(transition) }),
  };
}

/** @param {(name: string) => any} control @param {"from" | "to"} end @returns {string | undefined} */
function timeFrom(control, end) {
  const kind = control(`${end}-kind`).value;
  if (kind === "clock") return control(`${end}-clock`).value || undefined;
  const minutes = Number(control(`${end}-minutes`).value);
  return daytimeText({ event: kind, minutes: control(`${end}-side`).value === "before" ? -minutes : minutes });
}

/** @param {HTMLFormElement} form @param {"days" | "displays"} name @returns {HTMLInputElement[]} */
const boxes = (form, name) => [.../** @type {any} */ (form.querySelectorAll(`input[name="${name}"]`))];
