// SPDX-License-Identifier: Apache-2.0
import { BrightnessError } from "../brightness.js";
import { command, pathOf, report, requestWhenAllowed } from "./command.js";
import { count, percent } from "./formats.js";
import { showMessage } from "./message.js";
import { partsOf, write } from "./template.js";
import { t } from "./texts.js";
import { leaseOf } from "./wishes.js";

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
  #me;
  #rights;
  #target;
  #parts;
  #isRunning = false;

  /**
   * @param {HTMLElement} place
   * @param {object} context
   * @param {string} context.me  This page's holder.
   * @param {import("./rights.js").Rights} context.rights
   * @param {() => Target} context.target
   */
  constructor(place, { me, rights, target }) {
    this.#me = me;
    this.#rights = rights;
    this.#target = target;
    this.#parts = partsOf(place);
    const { boost, dim, off, on, darker, brighter, restore, set, slider } = this.#parts;
    boost.addEventListener("click", () => this.#run(boost, t`Boosted`, "POST", "boost", leaseOf("boost", me)));
    dim.addEventListener("click", () => this.#run(dim, t`Dimmed`, "POST", "dim", leaseOf("dim", me)));
    off.addEventListener("click", () => this.#run(off, t`Switched off`, "PUT", "power", { on: false, holder: me }));
    on.addEventListener("click", () => this.#run(on, t`Switched on`, "PUT", "power", { on: true, holder: me }));
    // A step keeps the differences between displays.
    const move = (delta) => ({ delta: { percent: delta }, holder: me });
    darker.addEventListener("click", () => this.#run(darker, t`Changed`, "PATCH", "brightness", move(-10)));
    brighter.addEventListener("click", () => this.#run(brighter, t`Changed`, "PATCH", "brightness", move(10)));
    restore.addEventListener("click", () => {
      this.#run(restore, t`Restored`, "POST", "restore", { holder: me, all: this.#rights.isAdmin });
    });
    set.addEventListener("click", () => {
      this.#run(set, t`Set`, "PUT", "brightness", { percent: Number(slider.value), holder: me });
    });
    slider.addEventListener("input", () => this.show());
  }

  /** Shows what it acts on, and whether it may. */
  show() {
    const { ids, kind } = this.#target();
    const { boost, dim, off, on, darker, brighter, restore, set, slider, scope } = this.#parts;
    const number = count(ids.length);
    write(scope, { all: t`All ${number} displays`, found: t`${number} found`, selected: t`${number} selected` }[kind]);
    const what = kind === "all" ? t`all` : kind === "found" ? t`${number} found` : t`${number} selected`;
    const named = [boost, dim, off, on, restore];
    for (const button of named) button.setAttribute("aria-label", t`${button.textContent} ${what}`);
    darker.setAttribute("aria-label", `${darker.textContent}: ${what}`);
    brighter.setAttribute("aria-label", `${brighter.textContent}: ${what}`);
    const level = percent(Number(slider.value) / 100);
    write(set, t`Set to ${level}`);
    set.setAttribute("aria-label", `${set.textContent}: ${what}`);
    slider.setAttribute("aria-valuetext", level);
    slider.style.setProperty("--filled", `${slider.value}%`);
    const isOff = this.#isRunning || ids.length === 0 || !this.#rights.mayWrite;
    for (const control of [...named, darker, brighter, set]) control.disabled = isOff;
    slider.disabled = !this.#rights.mayWrite;
  }

  async #run(control, done, method, resource, body) {
    const { ids, kind } = this.#target();
    this.#isRunning = true;
    this.show();
    const send = kind === "all" ? sendToAll : sendToEach;
    const failed = await send(control, ids, method, resource, body);
    this.#isRunning = false;
    this.show();
    // The disabled control has lost it, unless a person has moved it since.
    if ((document.activeElement ?? document.body) === document.body) control.focus();
    if (failed === null) return;
    const [all, changed] = [count(ids.length), count(ids.length - failed)];
    if (failed > 0) showMessage(t`${done}: ${changed} of ${all} displays.`);
    else showMessage(ids.length === 1 ? t`${done}: one display.` : t`${done}: ${all} displays.`);
  }
}

/**
 * @param {Element} control
 * @param {string[]} ids
 * @returns {Promise<number | null>} how many did not change; `null` for a rejected request, which is reported
 */
async function sendToAll(control, ids, method, resource, body) {
  const answer = await command(control, method, pathOf("all", resource), body);
  if (answer === null) return null;
  // The daemon leaves out displays that the token may not change.
  const changed = answer.results?.filter(({ status }) => !(status >= 400)).length ?? ids.length;
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
