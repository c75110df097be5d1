// SPDX-License-Identifier: Apache-2.0
// The simulated room: a drawing to drag, and the same as form controls for keyboards and screen readers.

import { command } from "./command.js";
import { luxText, percent } from "./formats.js";
import { Sender } from "./slider.js";

/**
 * @typedef {object} Room  The data of a `simulator` event.
 * @property {number} front  In lux.
 * @property {number} back
 * @property {boolean} frontCovered
 * @property {boolean} backCovered
 * @property {boolean} near
 * @property {boolean} sensors  Whether the daemon finds the sensors.
 * @property {boolean} systemAutomatic  Whether the simulated system sets the display by the light.
 * @property {string | null} script
 * @property {{id: string, slider: number, refuses: boolean, unplugged: boolean, delay: number}[]} displays
 */

/** The illuminance of a level (0…1) and its inverse; equal steps look equal. */
const luxOf = (level) => 10 ** (5 * level) - 1;
const levelOf = (lux) => Math.min(1, Math.log10(1 + lux) / 5);

/** The area of the sun: on the left it shines from the back, higher up it is brighter. */
const sky = { left: 34, right: 366, top: 26, bottom: 158 };
/** The least share of the light on either side. */
const leastShare = 0.02;
/** The delay of a slow panel, in seconds. */
const slowness = 1;

export class SimulatorPanel {
  #onChange;
  #section = /** @type {HTMLElement} */ (document.getElementById("room"));
  #form = /** @type {HTMLFormElement} */ (this.#section.querySelector("form"));
  #scene = /** @type {SVGSVGElement} */ (this.#section.querySelector(".scene"));
  #sun = /** @type {SVGGElement} */ (this.#scene.querySelector(".body"));
  /** @type {Room | null} */
  #room = null;
  /** The number of received rooms. */
  #received = 0;
  #pending = {};
  #sender = new Sender(() => {
    const pending = this.#pending;
    this.#pending = {};
    return this.#change(pending);
  });
  #isHeld = false;

  /**
   * @param {() => void} onChange  called when the room appears or disappears
   */
  constructor(onChange) {
    this.#onChange = onChange;
    this.#form.addEventListener("input", ({ target }) => this.#edit(/** @type {HTMLInputElement} */ (target)));
    this.#form.addEventListener("change", ({ target }) => {
      if (/** @type {HTMLInputElement} */ (target).type === "range") this.#release();
    });
    this.#form.addEventListener("click", ({ target }) => {
      const script = /** @type {HTMLElement} */ (target).closest("button")?.value;
      if (script) this.#want({ script: this.#room?.script === script ? null : script });
    });
    this.#form.addEventListener("submit", (event) => event.preventDefault());
    for (const thing of this.#scene.querySelectorAll("[data-toggle]")) {
      const name = thing.getAttribute("data-toggle") ?? "";
      thing.addEventListener("click", () => this.#want({ [name]: !this.#room?.[name] }));
    }
    this.#sun.addEventListener("pointerdown", (event) => {
      this.#sun.setPointerCapture(event.pointerId);
      this.#isHeld = true;
      event.preventDefault();
    });
    this.#sun.addEventListener("pointermove", (event) => this.#isHeld && this.#drag(event));
    for (const end of ["pointerup", "pointercancel"]) this.#sun.addEventListener(end, () => this.#release());
  }

  /** @param {boolean} isAllowed */
  allow(isAllowed) {
    for (const group of this.#form.querySelectorAll("fieldset")) group.disabled = !isAllowed;
    this.#scene.classList.toggle("locked", !isAllowed);
  }

  /** Whether a room is simulated. */
  get hasRoom() {
    return this.#room !== null;
  }

  /** @param {Room} room */
  receive(room) {
    this.#received += 1;
    this.#room = room;
    this.#show();
  }

  /**
   * Hides the room when its last display is removed.
   * @param {Map<string, import("../brightness/display.js").DisplayState>} states
   */
  hideWithoutDisplays(states) {
    for (const { kind } of states.values()) if (kind === "simulated") return;
    this.forget();
  }

  /** Hides the room until the next event. */
  forget() {
    if (this.#room === null) return;
    this.#room = null;
    this.#show();
  }

  /** @param {object} change */
  async #change(change) {
    const received = this.#received;
    const room = await command(this.#form, "PATCH", "/v1/simulator", change);
    // An event since then may be newer than the response; the event of this change comes, too.
    if (room && received === this.#received) this.receive(room);
    else this.#show();
  }

  #want(change) {
    Object.assign(this.#pending, change);
    this.#sender.put(null);
  }

  /** Handles the input of a control. @param {HTMLInputElement} control */
  #edit({ name, type, value, checked }) {
    const display = this.#display;
    if (type === "range") this.#isHeld = true;
    switch (name) {
      case "front":
      case "back":
        return this.#want({ [name]: luxOf(Number(value) / 100) });
      case "slider":
        return this.#want({ display: display?.id, slider: Number(value) / 100 });
      case "display":
        return this.#show();
      case "slow":
        return this.#want({ display: display?.id, delay: checked ? slowness : 0 });
      case "refuses":
      case "unplugged":
        return this.#want({ display: display?.id, [name]: checked });
      default:
        return this.#want({ [name]: checked });
    }
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    const matrix = this.#scene.getScreenCTM();
    if (!matrix) return;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const within = (part) => Math.min(1, Math.max(0, part));
    const share = leastShare + (1 - 2 * leastShare) * within((x - sky.left) / (sky.right - sky.left));
    const lux = luxOf(within((sky.bottom - y) / (sky.bottom - sky.top)));
    const light = { front: lux * share, back: lux * (1 - share) };
    this.#want(light);
    if (this.#room) this.#draw({ ...this.#room, ...light });
  }

  /** Once all requests are answered, the controls show the room’s state again. */
  #release() {
    this.#isHeld = false;
    setTimeout(() => (this.#sender.isBusy ? this.#release() : this.#show()), 100);
  }

  #control(name) {
    return /** @type {HTMLInputElement} */ (this.#form.elements.namedItem(name));
  }

  get #display() {
    const chosen = this.#control("display").value;
    return this.#room?.displays.find(({ id }) => id === chosen) ?? this.#room?.displays[0];
  }

  #show() {
    const room = this.#room;
    if (this.#section.hasAttribute("data-simulated") !== this.hasRoom) this.#onChange();
    this.#section.toggleAttribute("data-simulated", this.hasRoom);
    if (!room) return;
    const select = /** @type {HTMLSelectElement} */ (/** @type {unknown} */ (this.#control("display")));
    if (select.options.length !== room.displays.length) {
      select.replaceChildren(...room.displays.map(({ id }) => new Option(id, id)));
    }
    select.hidden = room.displays.length < 2;
    for (const name of ["sensors", "frontCovered", "backCovered", "near", "systemAutomatic"]) this.#control(name).checked = room[name];
    const display = this.#display;
    if (display) {
      this.#control("refuses").checked = display.refuses;
      this.#control("unplugged").checked = display.unplugged;
      this.#control("slow").checked = display.delay > 0;
    }
    for (const button of this.#form.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", `${button.value === room.script}`);
    }
    if (this.#isHeld || this.#sender.isBusy) return;
    for (const side of ["front", "back"]) this.#slide(side, levelOf(room[side]), luxText(room[side]));
    if (display) this.#slide("slider", display.slider, percent(display.slider));
    this.#draw(room);
  }

  #slide(name, level, text) {
    const control = this.#control(name);
    control.value = `${Math.round(level * 100)}`;
    control.setAttribute("aria-valuetext", text);
    control.style.setProperty("--filled", `${level * 100}%`);
    const value = control.parentElement?.querySelector(".value");
    if (value) value.textContent = text;
  }

  /** @param {Room} room */
  #draw(room) {
    const total = room.front + room.back;
    const [light, share] = [levelOf(total), total > 0 ? room.front / total : 0.5];
    const part = Math.min(1, Math.max(0, (share - leastShare) / (1 - 2 * leastShare)));
    const x = sky.left + part * (sky.right - sky.left);
    const y = sky.bottom - light * (sky.bottom - sky.top);
    this.#sun.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    const display = this.#display;
    this.#scene.style.setProperty("--light", light.toFixed(3));
    this.#scene.style.setProperty("--glow", `${display && !display.unplugged ? display.slider : 0}`);
    for (const name of ["frontCovered", "backCovered", "near"]) {
      this.#scene.querySelector(`[data-toggle=${name}]`)?.classList.toggle("on", room[name]);
    }
    this.#scene.querySelector(".plug")?.classList.toggle("out", display?.unplugged ?? false);
  }
}
