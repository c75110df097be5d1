// SPDX-License-Identifier: Apache-2.0
import { isOff } from "../brightness/display.js";
import { command, pathOf } from "./command.js";
import { clockText, percent } from "./formats.js";
import { LeaseList } from "./leases.js";
import { me } from "./me.js";
import { rights } from "./rights.js";
import { LiveSlider } from "./slider.js";
import { copy, write } from "./template.js";
import { t } from "./texts.js";
import { boostText, durationText, hasBoosted, leaseOf } from "./button-settings.js";
import { acceptsCommands, ago, inForce, isOn, isStated, kindOf, lastSentence, missing } from "./words.js";

/**
 * @typedef {import("../brightness/display.js").DisplayState} DisplayState
 * @typedef {import("../brightness/display.js").Lease} Lease
 */

/** One display. Its controls send commands; its texts show the events of the stream. */
export class Card {
  #parts = copy("display");
  element = /** @type {HTMLElement} */ (this.#parts.root);
  /** @type {DisplayState} */
  #state;
  /** @type {Lease[]} */
  #leases = [];
  /** @type {{text: string, at: string} | null} why a command failed, and the time of the change before it */
  #fault = null;
  #list;
  #slider;

  /**
   * @param {DisplayState} state
   * @param {(state: DisplayState) => void} onRename
   */
  constructor(state, onRename) {
    this.#state = state;
    const { gauge, boost, restore, dim, power, slider, label, leases, automatic, resume, root, name, rename } = this.#parts;
    root.dataset.display = state.id;
    const send = (control, method, resource, body) => command(control, method, pathOf(state.id, resource), body);
    this.#list = new LeaseList(leases, boost);
    this.#slider = new LiveSlider(slider, (percent) => send(slider, "PUT", "brightness", { percent, holder: me }));
    gauge.setAttribute("display", state.id);
    name.id = `name-${state.id}`;
    root.setAttribute("aria-labelledby", name.id);
    slider.id = `slider-${state.id}`;
    label.htmlFor = slider.id;
    rename.addEventListener("click", () => onRename(this.#state));
    boost.addEventListener("click", () => send(boost, "POST", "boost", leaseOf("boost")));
    restore.addEventListener("click", () => send(restore, "POST", "restore", { holder: me, all: !this.#ownLease }));
    dim.addEventListener("click", () => send(dim, "POST", "dim", leaseOf("dim")));
    power.addEventListener("click", () => {
      send(power, "PUT", "power", { on: !isOn(this.#state), holder: me });
    });
    automatic.addEventListener("change", () => {
      const enabled = automatic.checked;
      automatic.checked = this.#state.auto.enabled;
      send(automatic, "PUT", "auto", { enabled, holder: me });
    });
    resume.addEventListener("click", () => {
      // The button disappears with the hold.
      automatic.focus();
      send(automatic, "PUT", "auto", { enabled: true, holder: me });
    });
  }

  /** @param {string} text  why a command failed */
  report(text) {
    this.#fault = { text, at: this.#state.cause.at };
    this.tick();
  }

  /**
   * @param {DisplayState} state
   * @param {Lease[]} leases
   * @param {object} more
   * @param {boolean} more.hasSensor  Whether there is a light sensor to follow.
   * @param {boolean} more.isDefault  Whether to mark it as the default display.
   * @param {string} more.leader  The name of the display that it follows, or "".
   * @param {boolean} more.isFirst  Whether it explains the buttons.
   */
  show(state, leases, { hasSensor, isDefault, leader, isFirst }) {
    this.#state = state;
    this.#leases = leases;
    const { name, kind, standard, boost, restore, dim, power, auto, automatic, held, resume, root, slider, locked, rename } = this.#parts;
    for (const part of [this.#parts.gauge, boost, dim, slider.parentElement]) part.hidden = !state.dimmable;
    const { hint, follows } = this.#parts;
    write(name, state.name);
    write(kind, kindOf(state));
    power.hidden = !state.power?.switchable;
    write(power, isOn(state) ? t`Off` : t`On`);
    standard.hidden = !isDefault;
    write(follows, t`Follows ${leader}`);
    follows.hidden = leader === "";
    root.classList.toggle("missing", !state.available);
    // A single lease has a button of its own.
    const endsAll = leases.length > 1 && !this.#ownLease && rights.isAdmin;
    write(boost, t`Boost for ${durationText()}`);
    write(dim, t`Dim for ${durationText()}`);
    write(restore, endsAll ? t`Restore all` : t`Restore`);
    const canRestore = endsAll || Boolean(this.#ownLease);
    // A disabled button would drop the focus.
    if (!canRestore && document.activeElement === restore) (state.dimmable ? boost : power).focus();
    const mayChange = rights.mayChange(state);
    rename.hidden = !rights.mayConfigure(state);
    rename.setAttribute("aria-label", t`Rename ${state.name}`);
    restore.disabled = !canRestore || !mayChange;
    for (const control of [automatic, resume]) control.disabled = !mayChange;
    for (const control of [boost, dim, power, slider]) control.disabled = !mayChange || !acceptsCommands(state);
    write(locked, rights.whyNot(state));
    locked.hidden = mayChange || locked.textContent === "";
    // Until somebody has boosted here, once it is known whether this page may.
    hint.hidden = !isFirst || hasBoosted() || rights.caller === null || boost.disabled || boost.hidden;
    write(hint, t`Boost: ${boostText()} for ${durationText()}, then back by itself.`);
    // The accessible name begins with the visible text, for voice control.
    for (const button of [boost, restore, dim, power]) button.setAttribute("aria-label", `${button.textContent}: ${state.name}`);
    automatic.setAttribute("aria-label", t`Automatic brightness: ${state.name}`);
    resume.setAttribute("aria-label", t`Resume automatic brightness: ${state.name}`);
    auto.hidden = !state.dimmable || (!hasSensor && !state.auto.enabled);
    automatic.checked = state.auto.enabled;
    const until = state.auto.heldUntil;
    resume.hidden = !until;
    write(held, until ? t`held until ${clockText(until)}` : "");
    this.#list.show(leases);
    this.#showSlider();
    this.tick();
  }

  /** Updates the texts that depend on the time. */
  tick() {
    const { force, cause, ago: time, fault } = this.#parts;
    const text = this.#state.available ? inForce(this.#state, this.#leases, true) : missing(this.#state);
    write(force, text);
    force.hidden = text === "";
    const { available, follows, cause: last } = this.#state;
    write(fault, available && this.#fault?.at === last.at ? this.#fault.text : "");
    cause.parentElement.hidden = isStated(this.#state, this.#leases) || (last.kind === "follow" && last.by === follows);
    write(cause, lastSentence(this.#state));
    cause.title = last.by ?? "";
    write(time, ago(last.at));
    time.dateTime = last.at;
    this.#list.tick();
  }

  get #ownLease() {
    return rights.ownOf(this.#leases);
  }

  #showSlider() {
    const { slider, baseline, label } = this.#parts;
    const { boost, limitedBy, name } = this.#state;
    const after = limitedBy.includes("dim") ? t`After the dim` : boost ? t`After the boost` : "";
    write(label, boost?.overridden ? t`Set by hand` : after || (isOff(this.#state) ? t`When on` : t`Set to`));
    slider.setAttribute("aria-label", t`${label.textContent}: brightness of ${name}`);
    write(baseline, percent(this.#state.baseline));
    this.#slider.show(this.#state.baseline);
  }
}
