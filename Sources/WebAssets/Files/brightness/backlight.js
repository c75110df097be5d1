// SPDX-License-Identifier: Apache-2.0
import { addStyle } from "./style.js";

/** @typedef {import("./provider.js").Target} Target */

/** The page keeps at least this much of its brightness, so that something can always be seen. */
const dimmest = 0.03;

/** Darkens a page by a layer above everything that it shows. */
export class Overlay {
  static #style = `
    :host { display: contents }
    :host([hidden]) { display: none }
    div { position: fixed; inset: 0; width: auto; height: auto; max-width: none; max-height: none; margin: 0; padding: 0;
      border: 0; overflow: hidden; z-index: 2147483647; pointer-events: none; background: #000; opacity: 0;
      forced-color-adjust: none; transition: opacity .25s linear, background-color .25s linear }
    div.warm { opacity: 1; background: #fff; mix-blend-mode: multiply }
    div.off { pointer-events: auto; touch-action: none }
    div.sudden { transition: none }
    div::backdrop { display: none }
    @media (prefers-reduced-motion: reduce) { div { transition: none } }
    @media print { div { display: none !important } }`;

  maximum = 100;
  #layer = document.createElement("div");
  #warmth;
  #isShown = false;
  #timer = 0;
  #touchTimer = 0;
  /** @type {AbortController | null} */
  #raising = null;

  /**
   * @param {ShadowRoot} root
   * @param {number} warmth  0…1
   */
  constructor(root, warmth) {
    this.#warmth = warmth;
    addStyle(root, Overlay.#style);
    this.#layer.setAttribute("aria-hidden", "true");
    this.#layer.classList.toggle("warm", warmth > 0);
    // The page's other layers, such as dialogs, have no z-index to be above of.
    if ("popover" in this.#layer) this.#layer.setAttribute("popover", "manual");
    root.replaceChildren(this.#layer);
  }

  /** @param {Target} target @param {boolean} isSudden  without a transition */
  show({ brightness, on }, isSudden = false) {
    const left = on ? Math.max(brightness, dimmest) : dimmest;
    const { style, classList } = this.#layer;
    clearTimeout(this.#timer);
    if (left < 1) this.#open();
    classList.toggle("sudden", isSudden);
    if (this.#warmth > 0) {
      // A candle at full warmth, as dark as the layer.
      const part = this.#warmth * (1 - left);
      style.backgroundColor = `rgb(${[1, 1 - 0.42 * part, 1 - 0.84 * part].map((c) => Math.round(255 * left * c)).join(" ")})`;
    } else {
      style.opacity = `${1 - left}`;
    }
    clearTimeout(this.#touchTimer);
    // The rest of a touch that switches it on belongs to the layer, not to a frame of the page below.
    if (on) this.#touchTimer = setTimeout(() => classList.remove("off"), isSudden ? 0 : 500);
    else classList.add("off");
    if (left === 1) this.#timer = setTimeout(() => this.close(), 400);
  }

  #open() {
    if (this.#isShown) return;
    this.#isShown = true;
    this.#layer.hidden = false;
    this.raise();
    const { signal } = (this.#raising = new AbortController());
    // Whatever opens later is above: dialogs, popovers, and an element in full screen.
    const raise = (event) => event.target !== this.#layer && this.raise();
    for (const name of ["toggle", "fullscreenchange"]) document.addEventListener(name, raise, { capture: true, signal });
    const dialogs = new MutationObserver(() => this.raise());
    dialogs.observe(document, { subtree: true, attributeFilter: ["open"] });
    signal.addEventListener("abort", () => dialogs.disconnect());
  }

  /** Puts the layer above all others, if there is one. */
  raise() {
    if (!this.#isShown || !this.#isPopover) return;
    this.#hidePopover();
    /** @type {any} */ (this.#layer).showPopover();
  }

  get #isPopover() {
    return this.#layer.hasAttribute("popover") && this.#layer.isConnected;
  }

  #hidePopover() {
    if (this.#layer.matches(":popover-open")) /** @type {any} */ (this.#layer).hidePopover();
  }

  close() {
    clearTimeout(this.#timer);
    this.#raising?.abort();
    this.#isShown = false;
    if (this.#isPopover) this.#hidePopover();
    else this.#layer.hidden = true;
  }
}

/**
 * The backlight and power of a tablet, whose kiosk browser lets its page set them: Fully Kiosk Browser and Kiosk Satellite.
 *
 * @typedef {object} TabletCalls
 * @property {number} maximum
 * @property {(brightness: number) => unknown} set
 * @property {(on: boolean) => unknown} power
 * @property {() => unknown} brightness  0…1
 * @property {() => unknown} on
 */
export class Tablet {
  #calls;
  /** @type {Partial<Target>} */
  #shown = {};

  /** The tablet that shows this page; `null` in other browsers. */
  static get here() {
    const { fully, kioskSatellite: satellite } = /** @type {any} */ (globalThis);
    if (typeof fully?.setScreenBrightness === "function") {
      return new Tablet({
        maximum: 255,
        set: (brightness) => fully.setScreenBrightness(Math.round(255 * brightness)),
        // `true` keeps the page alive, which has to switch the screen on again.
        power: (on) => (on ? fully.turnScreenOn() : fully.turnScreenOff(true)),
        brightness: () => fully.getScreenBrightness?.() / 255,
        on: () => fully.getScreenOn?.(),
      });
    }
    if (typeof satellite?.setBrightness !== "function") return null;
    return new Tablet({
      maximum: 100,
      set: (brightness) => satellite.setBrightness(brightness),
      power: (on) => (on ? satellite.screenOn() : satellite.screenOff()),
      brightness: () => satellite.getBrightness?.(),
      on: () => null,
    });
  }

  /** @param {TabletCalls} calls */
  constructor(calls) {
    this.#calls = calls;
  }

  get maximum() {
    return this.#calls.maximum;
  }

  /** @param {Target} target */
  show({ brightness, on }) {
    if (on !== this.#shown.on && !(on && this.#shown.on === undefined)) this.#calls.power(on);
    if (brightness !== this.#shown.brightness) this.#calls.set(brightness);
    this.#shown = { brightness, on };
  }

  /** @returns {Partial<Target>} what it shows now, as far as it can be read at once */
  read() {
    const [brightness, on] = [this.#calls.brightness(), this.#calls.on()];
    const shown = {
      ...(typeof brightness === "number" && brightness >= 0 && brightness <= 1 && { brightness }),
      ...(typeof on === "boolean" && { on }),
    };
    this.#shown = { ...this.#shown, ...shown };
    return shown;
  }

  raise() {}

  close() {}
}
