// SPDX-License-Identifier: Apache-2.0
import { command } from "./command.js";
import { drawDay } from "./day.js";
import { LocalTime } from "./daytime.js";
import { facts } from "./facts.js";
import { minuteText } from "./formats.js";
import { Removal } from "./removal.js";
import { rights } from "./rights.js";
import { ScheduleForm } from "./schedule-form.js";
import { ScheduleRow } from "./schedule-row.js";
import { bodyOf, pathOfSchedule } from "./schedule-draft.js";
import { arrange, element, partsOf, write } from "./template.js";
import { t } from "./texts.js";
import { now } from "./words.js";

/** @typedef {import("./daytime.js").Schedule} Schedule */

/** From this many schedules on the lanes are lower, and the list scrolls. */
const many = 12;

/** The section with all schedules: a picture of the day, the list, and the form to add and edit them. */
export class SchedulesPanel {
  #section = element("schedules");
  #parts = partsOf(this.#section);
  #form;
  /** @type {Map<string, ScheduleRow>} */
  #rows = new Map();
  /** The shown facts and their minute. */
  #shown = "";
  /** @type {Removal<Schedule>} */
  #removal;
  /** The name of a schedule that was stored: its row receives the focus once its event is here. */
  #stored = "";

  constructor() {
    this.#form = new ScheduleForm((name) => {
      this.#removal.end();
      this.#await(name);
    });
    this.#removal = new Removal(this.#parts, (schedule, button) => this.#putBack(schedule, button));
    this.#parts.add.addEventListener("click", () => this.#form.open(null));
  }

  /** Shows the newest facts. */
  show() {
    const { schedules: known, states } = facts;
    const locals = [...states.values()].filter(({ kind }) => kind !== "remote");
    // A gateway without displays of its own has nothing to schedule.
    this.#section.hidden = !known || (locals.length === 0 && known.schedules.length === 0);
    this.#form.follow();
    if (!known) return;
    const { clockSet: isClockSet, schedules } = known;
    const mayEdit = rights.mayAdminister;
    const local = new LocalTime(known);
    const clock = { now: now(), isClockSet };
    const minute = local.minuteOf(clock.now);
    const names = locals.map(({ id, name }) => [id, name]);
    const state = JSON.stringify([known, names, mayEdit, minute, this.#removal.item?.name]);
    if (state === this.#shown) return;
    this.#shown = state;
    this.#parts.none.hidden = schedules.length > 0;
    this.#parts.unset.hidden = isClockSet || schedules.length === 0;
    this.#parts.locked.hidden = mayEdit;
    this.#parts.add.hidden = !mayEdit;
    this.#parts.zone.hidden = !local.differsFromBrowser(clock.now) || !isClockSet;
    write(this.#parts.zone, t`These are local times of the daemon’s machine, where it is ${minuteText(minute)}. All others are in your time zone.`);
    for (const part of ["day", "legend"]) this.#parts[part].hidden = schedules.length === 0;
    const isMany = schedules.length >= many;
    this.#section.classList.toggle("crowded", isMany);
    // A keyboard scrolls it also without a button in it.
    if (isMany) this.#parts.list.tabIndex = 0;
    else this.#parts.list.removeAttribute("tabindex");
    const spansOf = (schedule) => local.spans(schedule, clock.now);
    drawDay(this.#parts.day, this.#parts.legend, schedules, spansOf, isClockSet ? minute : null);
    this.#list(schedules, { states, local, clock, mayEdit });
    this.#removal.show(schedules);
  }

  /** @param {Schedule[]} schedules */
  #list(schedules, context) {
    const names = new Set(schedules.map(({ name }) => name));
    for (const [name, row] of this.#rows) {
      if (names.has(name)) continue;
      if (row.element.contains(document.activeElement)) this.#parts.add.focus();
      row.element.remove();
      this.#rows.delete(name);
    }
    const rows = schedules.map((schedule) => {
      const row = this.#rows.get(schedule.name) ?? new ScheduleRow(schedule, this.#actions);
      this.#rows.set(schedule.name, row);
      row.show(schedule, context);
      return row.element;
    });
    arrange(this.#parts.list, rows);
    this.#focusStored();
  }

  #actions = {
    edit: (/** @type {Schedule} */ schedule) => this.#form.open(schedule),
    pause: async (/** @type {Schedule} */ { name, paused }, /** @type {HTMLElement} */ button) => {
      await command(button, "PATCH", pathOfSchedule(name), { paused: !paused });
    },
    remove: async (/** @type {Schedule} */ schedule, /** @type {HTMLElement} */ button) => {
      if (!(await command(button, "DELETE", pathOfSchedule(schedule.name)))) return;
      this.#removal.begin(schedule, facts.schedules?.schedules ?? []);
    },
  };

  /** @param {Schedule} schedule @param {HTMLElement} button */
  async #putBack(schedule, button) {
    if (!(await command(button, "PUT", pathOfSchedule(schedule.name), bodyOf(schedule)))) return;
    this.#removal.end();
    this.#await(schedule.name);
  }

  /** @param {string} name  of a stored schedule */
  #await(name) {
    this.#stored = name;
    this.#shown = "";
    this.show();
  }

  /** The event of a stored schedule may come after the response. */
  #focusStored() {
    const row = this.#rows.get(this.#stored);
    if (!row) return;
    this.#stored = "";
    row.focus();
  }
}
