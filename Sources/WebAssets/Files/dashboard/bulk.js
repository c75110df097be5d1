// SPDX-License-Identifier: Apache-2.0
import { BrightnessError } from "../brightness/server.js";
import { command, pathOf, report, requestWhenAllowed } from "./command.js";
import { facts } from "./facts.js";
import { count, percent } from "./formats.js";
import { me } from "./me.js";
import { showMessage } from "./message.js";
import { rights } from "./rights.js";
import { LiveSlider } from "./slider.js";
import { copy, write } from "./template.js";
import { t } from "./texts.js";
import { leaseOf } from "./button-settings.js";
import { isOn } from "./words.js";

/** How many requests run at a time. */
const width = 4;
/** Without a response, or without the right to write, the other displays fail, too. */
const problemsOfAll = [0, 401, 403];

/**
 * @typedef {object} Target  The displays that the bar acts on.
 * @property {string[]} ids
 * @property {"all" | "found" | "selected"} kind
 */

/** The bar that boosts, restores and sets many displays: the selected ones, else those found, else all. */
export class BulkBar {
  #target;
  #parts = copy("bulk");
  #slider;
  #isRunning = false;

  /**
   * @param {HTMLElement} container
   * @param {() => Target} target
   * @param {boolean} isOfMany  whether a list of displays is below it, to select from
   */
  constructor(container, target, isOfMany) {
    this.#target = target;
    const { root, every, boost, dim, off, on, darker, brighter, restore, slider, more, rest } = this.#parts;
    container.append(root);
    every.hidden = rest.hidden = !isOfMany;
    more.hidden = isOfMany;
    more.addEventListener("click", () => {
      rest.hidden = !rest.hidden;
      more.setAttribute("aria-expanded", `${!rest.hidden}`);
    });
    boost.addEventListener("click", () => this.#run(boost, t`Boosted`, "POST", "boost", leaseOf("boost")));
    dim.addEventListener("click", () => this.#run(dim, t`Dimmed`, "POST", "dim", leaseOf("dim")));
    off.addEventListener("click", () => {
      const wereOn = this.#states.filter((state) => state.power?.switchable && isOn(state)).map(({ id }) => id);
      const undo = () => sendToEach(off, wereOn, "PUT", "power", { on: true, holder: me });
      this.#run(off, t`Switched off`, "PUT", "power", { on: false, holder: me }, undo);
    });
    on.addEventListener("click", () => this.#run(on, t`Switched on`, "PUT", "power", { on: true, holder: me }));
    // A step keeps the differences between displays.
    for (const [button, sign, step] of [[darker, "−", -10], [brighter, "+", 10]]) {
      write(button, `${sign}${percent(0.1)}`);
      button.addEventListener("click", () => this.#run(button, t`Changed`, "PATCH", "brightness", { delta: { percent: step }, holder: me }));
    }
    restore.addEventListener("click", () => {
      this.#run(restore, t`Restored`, "POST", "restore", { holder: me, all: rights.isAdmin });
    });
    this.#slider = new LiveSlider(slider, async (percent) => {
      const { ids } = this.#target();
      const failed = await this.#send(slider, "PUT", "brightness", { percent, holder: me });
      if (failed) this.#report(t`Set`, ids.length, failed);
    });
  }

  get #states() {
    return this.#target().ids.flatMap((id) => facts.states.get(id) ?? []);
  }

  /** Shows what it acts on, and whether it may. */
  show() {
    const { ids, kind } = this.#target();
    const { boost, dim, off, on, darker, brighter, restore, slider, level, scope } = this.#parts;
    const number = count(ids.length);
    write(scope, { all: t`All ${number} displays`, found: t`${number} found`, selected: t`${number} selected` }[kind]);
    const what = kind === "all" ? t`all` : kind === "found" ? t`${number} found` : t`${number} selected`;
    const named = [boost, dim, off, on, restore];
    for (const button of named) button.setAttribute("aria-label", t`${button.textContent} ${what}`);
    for (const button of [darker, brighter]) button.setAttribute("aria-label", `${button.textContent}: ${what}`);
    slider.setAttribute("aria-label", t`Brightness of ${what}`);
    const dimmable = this.#states.filter((state) => state.dimmable);
    const mean = dimmable.reduce((sum, { baseline }) => sum + baseline, 0) / Math.max(1, dimmable.length);
    this.#slider.show(mean);
    write(level, percent(mean));
    const isOff = ids.length === 0 || !rights.mayWrite;
    for (const control of [...named, darker, brighter]) control.disabled = isOff || this.#isRunning;
    slider.disabled = isOff;
  }

  async #run(control, done, method, resource, body, undo) {
    const { ids } = this.#target();
    this.#isRunning = true;
    this.show();
    const failed = await this.#send(control, method, resource, body);
    this.#isRunning = false;
    this.show();
    // The disabled control has lost it, unless a person has moved it since.
    if ((document.activeElement ?? document.body) === document.body) control.focus();
    if (failed !== null) this.#report(done, ids.length, failed, undo);
  }

  /** @returns {Promise<number | null>} as `sendToAll` */
  #send(control, method, resource, body) {
    const { ids, kind } = this.#target();
    return (kind === "all" ? sendToAll : sendToEach)(control, ids, method, resource, body);
  }

  #report(done, number, failed, undo) {
    const [all, changed] = [count(number), count(number - failed)];
    if (failed > 0) showMessage(t`${done}: ${changed} of ${all} displays.`, undo);
    else showMessage(number === 1 ? t`${done}: one display.` : t`${done}: ${all} displays.`, undo);
  }
}

/**
 * @param {Element} control
 * @param {string[]} ids
 * @returns {Promise<number | null>} how many did not change; `null` for a rejected request, which is reported
 */
async function sendToAll(control, ids, method, resource, body) {
  const response = await command(control, method, pathOf("all", resource), body);
  if (response === null) return null;
  // The daemon leaves out displays that the token may not change.
  const changed = response.results?.filter(({ status }) => !(status >= 400)).length ?? ids.length;
  return Math.max(0, ids.length - changed);
}

/** Goes on after a display that fails. @returns {Promise<number | null>} as `sendToAll` */
function sendToEach(control, ids, method, resource, body) {
  const waiting = [...ids];
  let failed = 0;
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      try {
        await requestWhenAllowed(method, pathOf(id, resource), body);
      } catch (error) {
        const isOfAll = !(error instanceof BrightnessError) || problemsOfAll.includes(error.problem.status);
        if (isOfAll) waiting.length = 0;
        if (isOfAll) throw error;
        failed += 1;
      }
    }
  };
  return report(control, async () => {
    await Promise.all(Array.from({ length: width }, work));
    return failed;
  });
}
