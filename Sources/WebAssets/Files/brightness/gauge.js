// SPDX-License-Identifier: Apache-2.0
import { AmbientLight } from "./ambient.js";
import { Brightness, isOff } from "./display.js";
import { addStyle } from "./style.js";
import { warnOfAttributes } from "./warnings.js";

/**
 * @typedef {import("./ambient.js").Ambient} Ambient
 * @typedef {import("./display.js").DisplayState} DisplayState
 */

/** The texts of the gauges. The dashboard replaces them in other languages, and the form of numbers in each. */
export const words = {
  brightness: "Brightness",
  brightnessOf: (/** @type {string} */ name) => `Brightness of ${name}`,
  light: "Ambient light",
  off: "Off",
  unknown: "unknown",
  number: (/** @type {number} */ number) => `${number}`,
  percent: (/** @type {number} */ number) => `${number} percent`,
  lux: (/** @type {string} */ number) => `${number} lux`,
  then: (/** @type {number} */ percent) => `then ${percent}%`,
  whenOn: (/** @type {number} */ percent) => `${percent}% when on`,
  spokenBoost: (/** @type {string} */ level, /** @type {string} */ later) => `${level}, boosted; ${later} afterwards`,
  spokenOff: (/** @type {string} */ later) => `off; ${later} when on`,
  spokenLost: (/** @type {string} */ spoken) => `${spoken}; connection lost`,
  estimated: "estimated",
  appearances: { day: "day", night: "night" },
  standIn:
    "No light sensor: this is estimated from the display’s brightness, if a desktop adjusts it. Otherwise add a sensor.",
};

/**
 * `<brightness-gauge>`: shows the brightness of a display, or with `show="ambient"` the ambient light.
 *
 * Attributes: `server`, `token`, `display`, `show`, `label` (the accessible name).
 * CSS: `--brightness-gauge-color`, `-boost`, `-track`, `-mark`, `-thickness`; parts `number`, `caption` and `tip`.
 */
export class BrightnessGauge extends HTMLElement {
  static observedAttributes = ["server", "token", "display", "show", "label"];
  static #style = `
    :host { display: inline-block; width: 12rem; container-type: inline-size;
      color: inherit; --color: var(--brightness-gauge-color, #2563eb); }
    :host([hidden]) { display: none }
    [role=meter] { position: relative; transition: opacity .3s }
    [role=meter].lost { opacity: .45 }
    [role=meter].boosted { --color: var(--brightness-gauge-boost, #d97706) }
    [role=meter].off :is(.number, .mark) { opacity: .75 }
    svg { display: block; width: 100%; overflow: visible; fill: none; stroke-linecap: round;
      stroke-width: var(--brightness-gauge-thickness, 8) }
    .track { stroke: var(--brightness-gauge-track, rgb(128 128 128 / 25%)) }
    @supports (color: color-mix(in srgb, red, blue)) {
      .track { stroke: var(--brightness-gauge-track, color-mix(in srgb, currentColor 14%, transparent)) }
    }
    .value { stroke: var(--color); stroke-dasharray: 100 200; stroke-dashoffset: 101;
      transition: stroke-dashoffset .5s cubic-bezier(.2, .7, .2, 1), stroke .3s }
    .mark { stroke: var(--brightness-gauge-mark, currentColor); stroke-width: 2.5; transform-origin: 50px 50px;
      transition: transform .5s cubic-bezier(.2, .7, .2, 1) }
    .text { position: absolute; inset: 0; display: grid; place-content: center; text-align: center; line-height: 1.1;
      padding-top: .6rem; padding-top: 5cqi }
    .number { font-size: 2.8rem; font-size: 24cqi; font-weight: 600; font-variant-numeric: tabular-nums; letter-spacing: -.02em }
    .number small { font-size: .45em; font-weight: 500; margin-inline-start: .12em; letter-spacing: 0 }
    .caption { font-size: .95rem; font-size: max(8cqi, .75rem); opacity: .75 }
    .caption:empty, .tip:empty { display: none }
    .tip { margin: .5em 0 0; font-size: .85rem; line-height: 1.3; text-align: center; opacity: .75 }
    @media (prefers-reduced-motion: reduce) { * { transition: none !important } }
    @media (forced-colors: active) {
      .track { stroke: CanvasText; stroke-width: 1 } .value { stroke: Highlight } .mark { stroke: CanvasText }
    }`;

  #meter = document.createElement("div");
  #value;
  #mark;
  #number = document.createElement("span");
  #unit = document.createElement("small");
  #caption = document.createElement("span");
  #tip = document.createElement("p");
  /** @type {(() => void) | null} */
  #stop = null;

  constructor() {
    super();
    const draw = (name, attributes) => {
      const node = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
      return node;
    };
    // 240° of a circle around 50, 50; the gap is below.
    const arc = { d: "M 13.6 71 A 42 42 0 1 1 86.4 71", pathLength: "100" };
    const picture = draw("svg", { viewBox: "0 0 100 80", "aria-hidden": "true" });
    this.#value = draw("path", { ...arc, class: "value" });
    this.#mark = draw("path", { d: "M 50 2.5 V 13.5", class: "mark" });
    picture.append(draw("path", { ...arc, class: "track" }), this.#value, this.#mark);
    const text = document.createElement("div");
    text.className = "text";
    text.setAttribute("aria-hidden", "true");
    const number = document.createElement("span");
    number.className = "number";
    number.part.add("number");
    number.append(this.#number, this.#unit);
    this.#caption.className = "caption";
    this.#caption.part.add("caption");
    text.append(number, this.#caption);
    this.#meter.setAttribute("role", "meter");
    this.#meter.setAttribute("aria-valuemin", "0");
    this.#meter.append(picture, text);
    const root = this.attachShadow({ mode: "open" });
    addStyle(root, BrightnessGauge.#style);
    this.#tip.className = "tip";
    this.#tip.part.add("tip");
    root.append(this.#meter, this.#tip);
  }

  connectedCallback() {
    this.#start();
  }

  disconnectedCallback() {
    this.#stop?.();
    this.#stop = null;
  }

  attributeChangedCallback(_, before, after) {
    if (this.#stop && before !== after) this.#start();
  }

  #start() {
    this.#stop?.();
    warnOfAttributes(this, BrightnessGauge.observedAttributes);
    const [server, token] = [this.getAttribute("server"), this.getAttribute("token")];
    if (this.getAttribute("show") === "ambient") {
      const light = new AmbientLight({ server, token });
      light.subscribe((ambient) => this.#showAmbient(ambient, light.isLive));
      this.#stop = () => light.close();
      return;
    }
    const brightness = new Brightness({ server, token, display: this.getAttribute("display") });
    brightness.subscribe((state) => this.#showBrightness(state, brightness.isLive));
    this.#stop = () => brightness.close();
  }

  /** @param {DisplayState | null} state @param {boolean} isLive */
  #showBrightness(state, isLive) {
    if (!state) return this.#show({ label: words.brightness, isLive });
    const baseline = Math.round(state.baseline * 100);
    const caption = state.boost ? words.then(baseline) : "";
    const level = words.percent(state.percent);
    const spoken = state.boost ? words.spokenBoost(level, words.percent(baseline)) : level;
    const label = words.brightnessOf(state.name);
    const mark = Math.abs(state.brightness - state.baseline) > 0.004 ? state.baseline : undefined;
    const [number, unit] = [`${state.percent}`, "%"];
    const isDark = isOff(state);
    this.#meter.classList.toggle("off", isDark);
    this.#meter.classList.toggle("boosted", state.boost !== null && !isDark);
    if (!isDark) return this.#show({ label, level: state.brightness, number, unit, caption, spoken, mark, isLive });
    const later = words.whenOn(state.percent);
    this.#show({ label, number: words.off, caption: later, spoken: words.spokenOff(level), mark: state.brightness, isLive });
  }

  /** @param {Ambient | null} ambient @param {boolean} isLive */
  #showAmbient(ambient, isLive) {
    const label = words.light;
    if (typeof ambient?.level !== "number") return this.#show({ label, isLive });
    const { level, illuminance: lux, appearance } = ambient;
    const isStandIn = ambient.source === "brightness";
    const caption = [isStandIn && words.estimated, appearance && words.appearances[appearance]].filter(Boolean).join(", ");
    const [amount, unit] = typeof lux === "number" ? [lux, "lx"] : [level * 100, "%"];
    const rounded = amount < 10 ? Math.round(amount * 10) / 10 : Math.round(amount);
    const number = words.number(rounded);
    const spoken = `${unit === "lx" ? words.lux(number) : words.percent(rounded)}${caption && `, ${caption}`}`;
    this.#show({ label, level, number, unit, caption, spoken, tip: isStandIn ? words.standIn : "", isLive });
  }

  /**
   * @param {object} what
   * @param {string} what.label
   * @param {boolean} what.isLive
   * @param {number} [what.level]  0…1
   * @param {string} [what.number]
   * @param {string} [what.unit]
   * @param {string} [what.caption]
   * @param {string} [what.spoken]
   * @param {number} [what.mark]  0…1
   * @param {string} [what.tip]
   */
  #show({ label, isLive, level = 0, number = "–", unit = "", caption = "", spoken = words.unknown, mark, tip = "" }) {
    this.#value.style.strokeDashoffset = `${level > 0 ? 100 - level * 100 : 101}`;
    this.#mark.style.transform = `rotate(${-120 + 240 * (mark ?? 0)}deg)`;
    this.#mark.style.visibility = mark === undefined ? "hidden" : "visible";
    this.#number.textContent = number;
    this.#unit.textContent = unit;
    this.#caption.textContent = caption;
    this.#tip.textContent = tip;
    this.#meter.classList.toggle("lost", !isLive);
    this.#meter.setAttribute("aria-label", this.getAttribute("label") ?? label);
    this.#meter.setAttribute("aria-valuemax", "100");
    this.#meter.setAttribute("aria-valuenow", `${Math.round(level * 100)}`);
    this.#meter.setAttribute("aria-valuetext", isLive ? spoken : words.spokenLost(spoken));
  }
}
