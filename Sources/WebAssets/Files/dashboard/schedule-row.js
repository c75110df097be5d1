// SPDX-License-Identifier: Apache-2.0
import { copy, write } from "./template.js";
import { displaysText, effectText, nextText, whenText } from "./schedule-words.js";
import { t } from "./texts.js";

/** @typedef {import("./daytime.js").Schedule} Schedule */

/** One schedule of the list. */
export class ScheduleRow {
  #parts = copy("plan");
  element = /** @type {HTMLElement} */ (this.#parts.root);
  /** @type {Schedule} */
  #schedule;

  /**
   * @param {Schedule} schedule
   * @param {object} actions
   * @param {(schedule: Schedule) => void} actions.edit
   * @param {(schedule: Schedule, button: HTMLElement) => void} actions.pause  or resume it
   * @param {(schedule: Schedule, button: HTMLElement) => void} actions.remove
   */
  constructor(schedule, { edit, pause, remove }) {
    this.#schedule = schedule;
    this.#parts.edit.addEventListener("click", () => edit(this.#schedule));
    this.#parts.pause.addEventListener("click", () => pause(this.#schedule, this.#parts.pause));
    this.#parts.remove.addEventListener("click", () => remove(this.#schedule, this.#parts.remove));
  }

  focus() {
    this.#parts.edit.focus();
  }

  /**
   * @param {Schedule} schedule
   * @param {object} context
   * @param {Map<string, import("../brightness/display.js").DisplayState>} context.states
   * @param {import("./daytime.js").LocalTime} context.local
   * @param {{now: number, isClockSet: boolean}} context.clock
   * @param {boolean} context.mayEdit
   */
  show(schedule, { states, local, clock, mayEdit }) {
    this.#schedule = schedule;
    const { name, active, when, effect, displays, next, edit, pause, remove, buttons } = this.#parts;
    write(name, schedule.name);
    active.hidden = !schedule.active;
    write(when, whenText(schedule, local));
    write(effect, effectText(schedule));
    write(displays, displaysText(schedule, states));
    write(next, nextText(schedule, local, clock));
    buttons.hidden = !mayEdit;
    edit.setAttribute("aria-label", t`Edit: ${schedule.name}`);
    write(pause, schedule.paused ? t`Resume` : t`Pause`);
    pause.setAttribute("aria-label", schedule.paused ? t`Resume: ${schedule.name}` : t`Pause: ${schedule.name}`);
    remove.setAttribute("aria-label", t`Remove: ${schedule.name}`);
  }
}
