// SPDX-License-Identifier: Apache-2.0
import { request } from "../brightness/daemon.js";
import { BrightnessError } from "../brightness/server.js";
import { pathOf } from "./command.js";
import { facts } from "./facts.js";
import { percent } from "./formats.js";
import { me } from "./me.js";
import { Sender } from "./slider.js";
import { element, partsOf, write } from "./template.js";
import { t } from "./texts.js";

/** @typedef {import("../brightness/display.js").DisplayState} DisplayState */

/** The brightness of the other display at which a person compares both, in this order. */
const stops = [1, 0.6, 0.3, 0];

/** Whether a display can be compared. @param {DisplayState} state */
export const canCompare = ({ dimmable, available }) => dimmable && available;

/**
 * The dialog that finds a display’s curve by eye: at a few brightnesses of another display, a person moves this one’s
 * panel until both look the same. Until it is saved, both go back to what they were.
 */
export class AlikeForm {
  #dialog = /** @type {HTMLDialogElement} */ (element("alike"));
  #parts = partsOf(this.#dialog);
  #sender;
  /** @type {DisplayState | null} */
  #state = null;
  /** The displays as they were before the dialog touched them, until they are so again, by id. @type {Map<string, DisplayState>} */
  #before = new Map();
  /** Resolves once they are so again, but for those that are compared. */
  #restored = Promise.resolve();
  /** The ids of the two that are compared; empty while the dialog is closed. @type {string[]} */
  #compared = [];
  /** The steps found so far, in the order of `stops`. @type {number[]} */
  #steps = [];

  constructor() {
    const { slider, other, cancel } = this.#parts;
    this.#sender = new Sender((/** @type {number} */ raw) => this.#send(this.#state?.id ?? "", "brightness", { raw }));
    slider.addEventListener("input", () => this.#sender.put(Number(slider.value)));
    other.addEventListener("change", () => this.#begin());
    cancel.addEventListener("click", () => this.#dialog.close());
    this.#dialog.addEventListener("close", () => this.#compare([]));
    this.#dialog.querySelector("form")?.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#next();
    });
  }

  /** @param {DisplayState} state */
  open(state) {
    if (this.#dialog.open) return;
    this.#state = state;
    const { other, label, slider } = this.#parts;
    const others = facts.inOrder.filter((one) => one.id !== state.id && canCompare(one));
    other.replaceChildren(...others.map(({ id, name }) => new Option(name, id)));
    write(label, state.name);
    slider.max = `${state.raw.maximum}`;
    this.#dialog.showModal();
    this.#begin();
  }

  /** Begins with the first stop. */
  async #begin() {
    const compared = [this.#state?.id ?? "", this.#parts.other.value];
    await this.#compare(compared);
    // Closed, or another one is chosen.
    if (this.#compared !== compared) return;
    this.#steps = [];
    const states = compared.flatMap((id) => facts.states.get(id) ?? []);
    for (const state of states) if (!this.#before.has(state.id)) this.#before.set(state.id, state);
    const held = states.find(({ boost, dim, power }) => boost || dim || power.on === false);
    write(this.#parts.fault, held ? t`${held.name} is boosted, dimmed or off. Restore it first.` : "");
    this.#parts.next.disabled = Boolean(held);
    if (!held) this.#show();
  }

  /** Shows the next stop on both displays. */
  #show() {
    const { other, stop, slider, next } = this.#parts;
    const index = this.#steps.length;
    const brightness = stops[index];
    const name = facts.states.get(other.value)?.name ?? "";
    write(stop, t`${index + 1} of ${stops.length}: ${name} is at ${percent(brightness)}. Move the slider until both look the same.`);
    write(next, index < stops.length - 1 ? t`Next` : t`Save`);
    slider.value = `${Math.round(brightness * Number(slider.max))}`;
    this.#send(other.value, "brightness", { brightness });
    this.#sender.put(Number(slider.value));
    slider.focus();
  }

  async #next() {
    const { slider, fault, next } = this.#parts;
    const step = Number(slider.value);
    const last = this.#steps.at(-1) ?? Infinity;
    write(fault, step < last ? "" : t`This must be darker than the step before.`);
    if (step >= last) return slider.focus();
    this.#steps.push(step);
    if (this.#steps.length < stops.length) return this.#show();
    const curve = stops.map((brightness, index) => [brightness, this.#steps[index] / Number(slider.max)]).reverse();
    next.setAttribute("aria-busy", "true");
    const isStored = await this.#send(this.#state?.id ?? "", "settings", { curve });
    next.removeAttribute("aria-busy");
    if (isStored) this.#dialog.close();
    else this.#steps.pop();
  }

  /** Returns the displays that are not compared any more to what they were. @param {string[]} compared */
  #compare(compared) {
    this.#compared = compared;
    // One after another: a dialog that is opened again waits until the displays have their own brightness.
    return (this.#restored = this.#restored.then(() => this.#restore()));
  }

  async #restore() {
    // A value of the slider must not come after these.
    while (this.#sender.isBusy) await new Promise((resolve) => setTimeout(resolve, 50));
    const left = [...this.#before.values()].filter(({ id }) => !this.#compared.includes(id));
    await Promise.all(left.map(({ id, baseline }) => this.#send(id, "brightness", { brightness: baseline })));
    for (const { id } of left) if (!this.#compared.includes(id)) this.#before.delete(id);
  }

  /** @returns {Promise<boolean>} whether it was done; a fault is reported */
  async #send(id, resource, body) {
    try {
      await request("PUT", pathOf(id, resource), { ...body, holder: me });
      return true;
    } catch (error) {
      if (!(error instanceof BrightnessError)) throw error;
      write(this.#parts.fault, error.problem.detail);
      return false;
    }
  }
}
