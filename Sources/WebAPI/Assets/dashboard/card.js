// SPDX-License-Identifier: Apache-2.0
import { Sender } from "./sender.js";
import { ago, holderOf, kindOf, kindOfLease, left, percent, sentence } from "./words.js";

/**
 * @typedef {import("../brightness/display.js").DisplayState} DisplayState
 * @typedef {import("../brightness/display.js").Lease} Lease
 */

/**
 * @typedef {object} Caller  The caller as the daemon sees it: `GET /v1/whoami`.
 * @property {string} principal
 * @property {string | null} scope
 */

/** A copy of a template, with its named parts. @param {string} id @returns {Record<string, any>} */
function copy(id) {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById(id));
  const root = /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
  const parts = { root };
  for (const part of root.querySelectorAll("[data-part]")) parts[part.getAttribute("data-part") ?? ""] = part;
  return parts;
}

/** Sets a text only when it differs, so that screen readers announce it once. */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** One display. Its controls send commands; its texts show the events of the stream. */
export class Card {
  #me;
  #send;
  #parts = copy("display");
  /** @type {DisplayState} */
  #state;
  /** @type {Lease[]} */
  #leases = [];
  /** @type {Map<string, Record<string, any>>} */
  #rows = new Map();
  /** @type {Caller | null} */
  #caller = null;
  #isDragged = false;
  #sender;

  /**
   * @param {DisplayState} state
   * @param {string} me  This page's holder.
   * @param {(method: string, resource: string, body?: object) => Promise<unknown>} send  to this display; never rejects
   */
  constructor(state, me, send) {
    this.#state = state;
    this.#me = me;
    this.#send = send;
    this.#sender = new Sender((/** @type {number} */ percent) => send("PUT", "brightness", { percent, holder: me }));
    const { gauge, boost, restore, dim, power, slider, label, automatic, resume, root, name } = this.#parts;
    gauge.setAttribute("display", state.id);
    name.id = `name-${state.id}`;
    root.setAttribute("aria-labelledby", name.id);
    slider.id = `slider-${state.id}`;
    label.htmlFor = slider.id;
    boost.addEventListener("click", () => send("POST", "boosts", { holder: me, ttl: 300, reason: "dashboard" }));
    restore.addEventListener("click", () => send("POST", "restore", { holder: me, all: !this.#ownLease }));
    dim.addEventListener("click", () => {
      send("POST", "leases", { kind: "dim", holder: me, ttl: 300, reason: "dashboard" });
    });
    power.addEventListener("click", () => send("PUT", "power", { on: this.#state.power.on === false, holder: me }));
    slider.addEventListener("input", () => {
      this.#isDragged = true;
      this.#sender.put(Number(slider.value));
      this.#fill();
    });
    slider.addEventListener("change", () => {
      this.#isDragged = false;
      this.#showSliderLater();
    });
    automatic.addEventListener("change", () => {
      const enabled = automatic.checked;
      automatic.checked = this.#state.auto.enabled;
      send("PUT", "auto", { enabled, holder: me });
    });
    resume.addEventListener("click", () => {
      // The button disappears with the hold.
      automatic.focus();
      send("PUT", "auto", { enabled: true, holder: me });
    });
  }

  /** @returns {HTMLElement} */
  get element() {
    return this.#parts.root;
  }

  /**
   * @param {DisplayState} state
   * @param {Lease[]} leases
   * @param {boolean} hasAutomatic  Whether there is a light sensor to follow.
   * @param {Caller | null} caller  `null` until it is loaded.
   */
  show(state, leases, hasAutomatic, caller) {
    this.#state = state;
    this.#caller = caller;
    this.#leases = leases;
    const { name, kind, boost, restore, dim, power, auto, automatic, held, resume, root } = this.#parts;
    write(name, state.name);
    const isOff = state.power?.on === false;
    write(kind, !state.available ? "Not available" : isOff ? `${kindOf(state)} · Off` : kindOf(state));
    power.hidden = !state.power?.switchable;
    write(power, isOff ? "On" : "Off");
    root.classList.toggle("boosted", state.boost !== null);
    root.classList.toggle("missing", !state.available);
    const endsAll = leases.length > 0 && !this.#ownLease && this.#isAdmin;
    write(restore, endsAll ? "Restore all" : "Restore");
    restore.disabled = !endsAll && !this.#ownLease;
    // The accessible name begins with the visible text, for voice control.
    for (const button of [boost, restore, dim, power]) button.setAttribute("aria-label", `${button.textContent}: ${state.name}`);
    resume.setAttribute("aria-label", `Resume automatic brightness: ${state.name}`);
    auto.hidden = !hasAutomatic && !state.auto.enabled;
    automatic.checked = state.auto.enabled;
    const until = state.auto.heldUntil && new Date(state.auto.heldUntil);
    resume.hidden = !until;
    write(held, until ? `held until ${until.toLocaleTimeString(undefined, { timeStyle: "short" })}` : "");
    this.#showLeases();
    this.#showSlider();
    this.tick();
  }

  /** Updates the texts that depend on the time. */
  tick() {
    const { cause, ago: time } = this.#parts;
    write(cause, sentence(this.#state.cause, this.#me));
    write(time, `, ${ago(this.#state.cause.at)}`);
    time.dateTime = this.#state.cause.at;
    for (const lease of this.#leases) write(this.#rows.get(lease.id)?.left, left(lease));
  }

  get #isAdmin() {
    return this.#caller?.scope === "admin";
  }

  /** @param {Lease} lease */
  #isOfCaller(lease) {
    return this.#caller !== null && lease.principal === this.#caller.principal;
  }

  get #ownLease() {
    return this.#leases.find((lease) => lease.holder === this.#me && this.#isOfCaller(lease));
  }

  #showLeases() {
    for (const [id, row] of this.#rows) {
      if (this.#leases.some((lease) => lease.id === id)) continue;
      row.root.remove();
      this.#rows.delete(id);
    }
    for (const lease of this.#leases) {
      const row = this.#rows.get(lease.id) ?? copy("lease");
      if (!this.#rows.has(lease.id)) {
        row.end.addEventListener("click", () => this.#send("DELETE", `leases/${lease.id}`));
        this.#parts.leases.append(row.root);
        this.#rows.set(lease.id, row);
      }
      const holder = holderOf(lease, this.#me);
      write(row.holder, holder);
      const level = (lease.brightness ?? 1) < 1 ? percent(lease.brightness ?? 1) : null;
      const kind = lease.kind === "boost" ? null : kindOfLease[lease.kind];
      const isOverridden = lease.overridden ? "overridden by hand" : null;
      write(row.reason, [kind, lease.reason, level, isOverridden].filter(Boolean).join(", "));
      row.end.hidden = !this.#isAdmin && !this.#isOfCaller(lease);
      row.end.setAttribute("aria-label", `End the ${lease.kind} of ${holder}`);
    }
  }

  #showSlider() {
    const { slider, baseline, label } = this.#parts;
    const { boost, name } = this.#state;
    write(label, boost?.overridden ? "Set by hand" : boost ? "After the boost" : "Set to");
    slider.setAttribute("aria-label", `${label.textContent}: brightness of ${name}`);
    write(baseline, percent(this.#state.baseline));
    // While values of the slider are pending, the events of the stream are older.
    if (this.#isDragged || this.#sender.isBusy) return;
    slider.value = `${Math.round(this.#state.baseline * 100)}`;
    this.#fill();
  }

  /** Follows the stream again once every value is sent and its event has had time to arrive. */
  #showSliderLater() {
    setTimeout(() => (this.#sender.isBusy ? this.#showSliderLater() : this.#showSlider()), 300);
  }

  #fill() {
    this.#parts.slider.style.setProperty("--filled", `${this.#parts.slider.value}%`);
  }
}
