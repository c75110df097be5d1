// SPDX-License-Identifier: Apache-2.0
import { request } from "../brightness/daemon.js";
import { BrightnessError } from "../brightness/server.js";
import { LocalTime, clockOf, readDaytime } from "./daytime.js";
import { facts } from "./facts.js";
import { isolated } from "./formats.js";
import { showMessage } from "./message.js";
import { LocationField } from "./location-field.js";
import { blank, bodyFrom, bodyOf, controlsOf, fill, pathOfSchedule, suggested } from "./schedule-draft.js";
import { endsNextDay, week } from "./schedule-words.js";
import { element, partsOf, write } from "./template.js";
import { t } from "./texts.js";

/** @typedef {import("./daytime.js").Schedule} Schedule */

const nameFault = t`Use 1 to 64 characters without “/”.`;
const isName = (text) => /^(?!\.{1,2}$)[^/\p{Cc}]{1,64}$/u.test(text);

/** The field that shows the faults of a body’s member. */
const fields = { dim: "percent", boost: "percent", brightness: "percent", sleep: "percent", latitude: "location", longitude: "location" };

/** Schedules without what the daemon computes, to compare them. @param {Schedule} schedule */
const rule = (schedule) => JSON.stringify(bodyOf(schedule));

/**
 * The dialog that adds or edits a schedule. Events of the stream do not change its controls: a note states that the
 * schedule was changed elsewhere.
 */
export class ScheduleForm {
  #onStored;
  #dialog = /** @type {HTMLDialogElement} */ (element("schedule"));
  #form = /** @type {HTMLFormElement} */ (this.#dialog.querySelector("form"));
  #parts = partsOf(this.#dialog);
  #control = controlsOf(this.#form);
  #location = new LocationField();
  /** @type {Schedule | null} the edited one as it was when the dialog opened; `null` for a new one */
  #original = null;
  #isSaving = false;

  /** @param {(name: string) => void} onStored */
  constructor(onStored) {
    this.#onStored = onStored;
    this.#parts.days.append(...week.map(({ name, short, long }) => box("days", name, short, long)));
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#save();
    });
    this.#form.addEventListener("input", ({ target }) => {
      const { name } = /** @type {HTMLInputElement} */ (target);
      if (name === "effect") this.#control("percent").value ||= suggested[this.#control("effect").value];
      const [, end, isKind] = /^(from|to)(-kind)?/.exec(name) ?? [];
      if (isKind) this.#control(`${end}-clock`).value ||= this.#clockOf(end);
      this.#showChoices();
    });
    this.#parts.cancel.addEventListener("click", () => this.#dialog.close());
  }

  /** @param {Schedule | null} schedule  to edit; `null` for a new one */
  open(schedule) {
    if (this.#dialog.open) return;
    this.#original = schedule;
    write(this.#parts.title, schedule ? t`Edit ${isolated(schedule.name)}` : t`New schedule`);
    this.#offerDisplays(schedule?.displays ?? []);
    fill(this.#form, schedule ?? blank);
    this.#location.reset();
    this.#showFaults({});
    this.#showChoices();
    this.follow();
    this.#dialog.showModal();
    this.#control("name").focus();
  }

  /** States whether the edited schedule was changed or removed since the dialog opened. */
  follow() {
    if (!this.#original || this.#isSaving) return;
    const name = this.#original.name;
    const current = facts.schedules?.schedules.find((schedule) => schedule.name === name);
    const isChanged = current && rule(current) !== rule(this.#original);
    const text =
      !current ? t`This schedule was removed since you opened it. Saving adds it again.`
      : isChanged ? t`This schedule was changed since you opened it. Saving replaces that change.`
      : "";
    if (facts.schedules) write(this.#parts.changed, text);
  }

  /** Offers the displays of this machine, and those that a schedule names. @param {string[]} named */
  #offerDisplays(named) {
    const known = facts.inOrder.filter(({ kind }) => kind !== "remote").map(({ id, name }) => [id, name]);
    const absent = named.filter((id) => id !== "all" && !known.some(([other]) => other === id));
    const all = [...known, ...absent.map((id) => [id, t`${id} (not connected)`])];
    this.#parts.displays.replaceChildren(...all.map(([id, name]) => box("displays", id, name)));
  }

  /** Shows the controls that the chosen kinds have. */
  #showChoices() {
    for (const end of ["from", "to"]) {
      const isClock = this.#control(`${end}-kind`).value === "clock";
      this.#control(`${end}-clock`).hidden = !isClock;
      this.#parts[`${end}-sun`].hidden = isClock;
    }
    const isOfSun = ["from", "to"].some((end) => this.#control(`${end}-kind`).value !== "clock");
    this.#location.show(isOfSun, facts.schedules);
    const { from, to } = bodyFrom(this.#form);
    write(this.#parts.night, from && to && endsNextDay(from, to) ? t`Ends on the next day.` : "");
    this.#parts.level.hidden = this.#control("effect").value === "sleep";
    this.#parts.displays.hidden = this.#control("which").value === "all";
    this.#parts.off.hidden = !this.#parts.level.hidden;
  }

  /** The time that a clock begins with in place of the sun: that of today. @param {string} end */
  #clockOf(end) {
    const { schedules } = facts;
    const minute = schedules && new LocalTime(schedules).resolve(readDaytime(this.#original?.[end] ?? ""));
    return this.#original && minute !== null ? clockOf(minute) : blank[end];
  }

  async #save() {
    if (this.#isSaving) return;
    const name = this.#control("name").value.trim();
    if (!this.#check(name)) return;
    this.#isSaving = true;
    this.#parts.save.setAttribute("aria-busy", "true");
    try {
      await this.#location.store();
      const body = { ...bodyFrom(this.#form), paused: this.#original?.paused ?? false };
      const { warning } = await request("PUT", pathOfSchedule(name), body);
      await this.#removeFormer(name);
      this.#dialog.close();
      if (warning) showMessage(warning);
      this.#onStored(name);
    } catch (error) {
      if (!(error instanceof BrightnessError)) throw error;
      this.#report(error.problem);
    } finally {
      this.#isSaving = false;
      this.#parts.save.removeAttribute("aria-busy");
    }
  }

  /** Finishes renaming: the former name goes once the new one is stored. @param {string} name */
  async #removeFormer(name) {
    const former = this.#original?.name;
    if (!former || former === name) return;
    try {
      await request("DELETE", pathOfSchedule(former));
    } catch (error) {
      if (!(error instanceof BrightnessError) || error.problem.status === 404) return;
      const detail = `${t`It was stored as ${name}, but ${former} could not be removed.`} ${error.problem.detail}`;
      throw new BrightnessError({ ...error.problem, detail, errors: undefined });
    }
  }

  /**
   * Reports the faults that the browser finds, in its language.
   * @param {string} name
   * @returns {boolean} whether there are none
   */
  #check(name) {
    /** @type {Record<string, string>} */
    const faults = {};
    const isTaken = facts.schedules?.schedules.some((other) => other.name === name);
    if (!isName(name)) faults.name = nameFault;
    else if (isTaken && name !== this.#original?.name) faults.name = t`Another schedule has this name.`;
    for (const control of this.#form.querySelectorAll("input")) {
      const isWrong = isShown(control) && !control.validity.valid;
      if (isWrong) faults[control.dataset.field ?? ""] ??= control.validationMessage;
    }
    if (this.#location.fault) faults.location = this.#location.fault;
    this.#showFaults(faults);
    return Object.keys(faults).length === 0;
  }

  /** Shows a problem at the fields that it names. @param {import("../brightness/server.js").Problem} problem */
  #report({ detail, errors = [] }) {
    /** @type {Record<string, string>} */
    const faults = {};
    for (const { pointer, detail } of errors) {
      const member = pointer.slice(1).split("/")[0];
      const field = fields[member] ?? member;
      const lacksLocation = field === "from" && /Sunrise and sunset require/.test(detail);
      // Whether the daemon knows its location does not show while its clock is not set.
      if (lacksLocation) this.#location.ask();
      const shown = lacksLocation ? "location" : field;
      faults[this.#parts[`${shown}-fault`] ? shown : "form"] ??= detail;
    }
    this.#showFaults(errors.length > 0 ? faults : { form: detail });
  }

  /** Shows each fault at its field, and moves the focus to the first. @param {Record<string, string>} faults */
  #showFaults(faults) {
    /** @type {HTMLElement | null} */
    let first = null;
    for (const text of this.#form.querySelectorAll("[data-fault]")) {
      const field = text.getAttribute("data-fault") ?? "";
      write(text, faults[field] ?? "");
      for (const control of this.#form.querySelectorAll(`[data-field="${field}"]`)) {
        if (faults[field]) control.setAttribute("aria-invalid", "true");
        else control.removeAttribute("aria-invalid");
        if (faults[field] && isShown(control)) first ??= /** @type {HTMLElement} */ (control);
      }
    }
    if (faults.form) this.#parts["form-fault"].scrollIntoView({ block: "nearest" });
    first?.focus();
  }
}

/** @param {Element} control */
const isShown = (control) => control.getClientRects().length > 0;

/** A labelled box. @param {string} name @param {string} value @param {string} text @param {string} [label] */
function box(name, value, text, label = text) {
  const row = document.createElement("label");
  const input = Object.assign(document.createElement("input"), { type: "checkbox", name, value });
  input.dataset.field = name;
  input.setAttribute("aria-label", label);
  input.setAttribute("aria-describedby", `schedule-${name}-fault`);
  const words = document.createElement("bdi");
  words.textContent = text;
  row.append(input, words);
  return row;
}
