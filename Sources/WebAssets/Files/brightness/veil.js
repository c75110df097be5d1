// SPDX-License-Identifier: Apache-2.0
import { serverFor } from "./authorize.js";
import { Overlay, Tablet } from "./backlight.js";
import { Provider } from "./provider.js";
import { Touches } from "./touches.js";
import { warn, warnOfAttributes } from "./warnings.js";

/** @typedef {import("./provider.js").Target} Target */

/** Without the daemon for this long the page is as bright as without the element, in milliseconds. */
const longestAbsence = 60_000;
/** How often the brightness of a tablet is read, in milliseconds. */
const pollInterval = 5_000;
/** @type {Target} */
const bright = { brightness: 1, on: true };

/**
 * `<brightness-veil>`: makes this page a display, whose brightness is set like that of any other: it is darkened by a layer
 * above everything, which lets every click through. A touch on a page that is off only switches it on. In Fully Kiosk Browser
 * and Kiosk Satellite it sets the tablet’s own backlight and screen instead.
 *
 * Attributes: `display` (the id of the display that the page becomes), `name`, `warmth` (0…1, how orange the dark page is),
 * `server`, `token`.
 * Events, which do not bubble: `error` (`detail`: a problem).
 */
export class BrightnessVeil extends HTMLElement {
  static observedAttributes = ["display", "name", "warmth", "server", "token"];
  /** The elements of this page, of which one covers it. @type {Set<BrightnessVeil>} */
  static #all = new Set();

  #root = this.attachShadow({ mode: "open" });
  /** @type {AbortController | null} of the element that covers the page: aborted when it leaves the page */
  #presence = null;
  /** @type {Overlay | Tablet | null} */
  #backlight = null;
  /** @type {Provider | null} */
  #provider = null;
  /** @type {Touches | null} */
  #touches = null;
  #shown = bright;
  #memory = new Memory("");
  #heardAt = 0;
  /** Without the daemon for too long: from then on a person decides what a tablet shows. */
  #isAlone = false;
  #timer = 0;

  connectedCallback() {
    BrightnessVeil.#all.add(this);
    this.#backlight?.raise();
    this.#start();
  }

  disconnectedCallback() {
    // A moved element is connected again by then.
    queueMicrotask(() => {
      if (this.isConnected) return;
      BrightnessVeil.#all.delete(this);
      this.#restart();
    });
  }

  attributeChangedCallback(_, before, after) {
    if (before !== after && BrightnessVeil.#all.has(this)) this.#restart();
  }

  /** Ends, and starts the first element that can cover the page now, which may be another one. */
  #restart() {
    this.#end();
    for (const veil of BrightnessVeil.#all) veil.#start();
  }

  #start() {
    if (this.#presence) return;
    warnOfAttributes(this, BrightnessVeil.observedAttributes);
    const [display, name] = [this.getAttribute("display"), this.getAttribute("name")];
    if (!display) return warn('<brightness-veil> requires display="…": the id of the display that this page becomes.');
    if (this.#isCovered) return;
    const { signal } = (this.#presence = new AbortController());
    const server = serverFor(this.getAttribute("server"), this.getAttribute("token"));
    const tablet = Tablet.here;
    const backlight = (this.#backlight = tablet ?? new Overlay(this.#root, this.#warmth));
    this.#memory = new Memory(`brightness veil ${server.origin} ${display}`);
    // Before the page is painted, if its script blocks that.
    const { target, absence } = this.#memory.read();
    if (tablet) this.#follow(tablet, signal);
    else this.#show(target, true);
    this.#heardAt = Date.now() - absence;
    this.#await();
    this.#touches = new Touches({ isDark: () => !this.#shown.on, onTouch: (isDark) => isDark && this.#wake() }, signal);
    const description = { id: display, ...(name && { name }), maximum: backlight.maximum, switchable: true };
    const provider = (this.#provider = new Provider(server, description, {
      current: () => this.#shown,
      apply: (target) => {
        this.#show(target);
        this.#memory.write(target);
      },
      onContact: () => {
        this.#heardAt = Date.now();
        this.#isAlone = false;
        clearTimeout(this.#timer);
        this.#memory.markAbsent(null);
      },
      onLoss: () => this.#await(),
      onProblem: (problem) => this.dispatchEvent(new CustomEvent("error", { detail: problem })),
    }));
    // A page in the back/forward cache, or a frozen one, shows nothing: another one may provide its display.
    for (const event of ["pagehide", "freeze"]) addEventListener(event, () => provider.close(), { capture: true, signal });
    for (const event of ["pageshow", "resume"]) addEventListener(event, () => provider.open(), { capture: true, signal });
    addEventListener("online", () => provider.hurry(), { signal });
    server.onToken(() => (this.#provider?.close(), this.#provider?.open()), signal);
  }

  #end() {
    this.#presence?.abort();
    this.#presence = null;
    this.#provider?.close();
    this.#backlight?.close();
    clearTimeout(this.#timer);
    this.#provider = this.#backlight = this.#touches = null;
    this.#isAlone = false;
    this.#shown = bright;
  }

  /** Whether an element covers this page already, or one is on a page that this one is a frame of. */
  get #isCovered() {
    if ([...BrightnessVeil.#all].some((veil) => veil.#presence)) return true;
    for (let page = window.parent, frame = /** @type {Window} */ (window); page !== frame; [frame, page] = [page, page.parent]) {
      try {
        if (page.document.querySelector("brightness-veil")) return true;
      } catch {
        // A page of another origin.
        return false;
      }
    }
    return false;
  }

  get #warmth() {
    const warmth = Number(this.getAttribute("warmth") ?? 0);
    if (warmth >= 0 && warmth <= 1) return warmth;
    warn(`<brightness-veil> has warmth="${this.getAttribute("warmth")}". It is a number from 0 to 1.`);
    return 0;
  }

  /** Finds out what a tablet shows, now and when a person sets it. @param {Tablet} tablet @param {AbortSignal} signal */
  #follow(tablet, signal) {
    this.#shown = { ...bright, ...tablet.read() };
    const poll = () => {
      const { brightness = this.#shown.brightness, on = this.#shown.on } = tablet.read();
      const isSet = Math.abs(brightness - this.#shown.brightness) * tablet.maximum > 1;
      const isSwitched = on !== this.#shown.on;
      if (isSet || isSwitched) this.#provider?.changed({ ...(isSet && { brightness }), ...(isSwitched && { on }) });
      if (isSet || isSwitched) this.#shown = { brightness, on };
    };
    const timer = setInterval(poll, pollInterval);
    signal.addEventListener("abort", () => clearInterval(timer));
  }

  /** @param {Target} target */
  #show(target, isSudden = false) {
    this.#shown = target;
    this.#backlight?.show(target, isSudden);
    this.#touches?.follow(true);
  }

  /** Somebody touches the dark page: a person's change, as of a panel with a switch. */
  #wake() {
    const target = { ...this.#shown, on: true };
    this.#show(target);
    this.#memory.write(target);
    this.#provider?.switchedOn();
  }

  /** Waits for the daemon, but not for ever. */
  #await() {
    if (this.#isAlone) return;
    this.#memory.markAbsent(this.#heardAt);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isAlone = true;
      // A tablet keeps its brightness, as any panel without the daemon.
      this.#show(this.#backlight instanceof Tablet ? { ...this.#shown, on: true } : bright);
      this.#memory.forget();
    }, Math.max(this.#heardAt + longestAbsence - Date.now(), 0));
  }
}

/** The last target, for the next load of the page. */
class Memory {
  #name;
  /** @type {{brightness?: number, on?: boolean, absentSince?: number}} */
  #entry = {};

  /** @param {string} name */
  constructor(name) {
    this.#name = name;
  }

  /** @returns {{target: Target, absence: number}} and for how long the daemon was gone when the page was left */
  read() {
    try {
      const entry = (this.#entry = JSON.parse(localStorage.getItem(this.#name) ?? "{}"));
      const { brightness, on, absentSince } = entry;
      if (!(brightness >= 0 && brightness <= 1) || typeof on !== "boolean") return { target: bright, absence: 0 };
      const absence = absentSince ? Math.max(Date.now() - absentSince, 0) : 0;
      return absence < longestAbsence ? { target: { brightness, on }, absence } : { target: bright, absence: 0 };
    } catch {
      // A page may have no storage.
      return { target: bright, absence: 0 };
    }
  }

  /** @param {Target} target */
  write({ brightness, on }) {
    this.#entry = { ...this.#entry, brightness, on };
    this.#store();
  }

  /** @param {number | null} time  in milliseconds since 1970; `null` while the daemon is there */
  markAbsent(time) {
    if ((this.#entry.absentSince ?? null) === time) return;
    const { absentSince: _, ...entry } = this.#entry;
    this.#entry = time === null ? entry : { ...entry, absentSince: time };
    this.#store();
  }

  forget() {
    this.#entry = {};
    try {
      localStorage.removeItem(this.#name);
    } catch {
      // As in `read`.
    }
  }

  #store() {
    try {
      localStorage.setItem(this.#name, JSON.stringify(this.#entry));
    } catch {
      // As in `read`.
    }
  }
}
