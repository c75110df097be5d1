// SPDX-License-Identifier: Apache-2.0
import { Hold } from "./hold.js";
import { releaseHolderName, takeHolderName } from "./page.js";
import { Server } from "./server.js";
import { styleSheet } from "./style.js";

/**
 * `<brightness-boost>`: boosts while its content is visible: rendered, at least partly in the viewport, on a visible
 * page.
 *
 * Attributes: `server`, `display`, `brightness`, `transition`, `reason`, `holder`.
 * Events, none of which bubbles: `boost` (`detail`: the lease), `restore` (`detail.change`: the reason), `error` (`detail`: a
 * problem).
 */
export class BrightnessBoost extends HTMLElement {
  static observedAttributes = ["server", "display", "brightness", "transition", "reason", "holder"];
  static #style = styleSheet(":host { display: block } :host([hidden]) { display: none }");

  /** @type {Hold | null} */
  #hold = null;
  #holder = "";
  /** @type {Set<Element>} this element and its children, as far as they are in the viewport */
  #inView = new Set();
  /** @type {Set<Element>} */
  #observed = new Set();
  #slot = document.createElement("slot");
  #viewport = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) this.#inView[isIntersecting ? "add" : "delete"](target);
    this.#update();
  });
  #size = new ResizeObserver(() => this.#update());
  #update = () => {
    const isSeen = [...this.#inView].some((element) => {
      const { width, height } = element.getBoundingClientRect();
      return width > 0 && height > 0;
    });
    this.#hold?.want(isSeen && this.isConnected && document.visibilityState === "visible");
  };

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [BrightnessBoost.#style];
    root.append(this.#slot);
    this.#slot.addEventListener("slotchange", () => {
      this.#observe();
      // The observer reports new children in the next frame.
      requestAnimationFrame(() => setTimeout(this.#update));
    });
  }

  connectedCallback() {
    if (!this.#hold) this.#start();
    document.addEventListener("visibilitychange", this.#update);
    this.#observe();
  }

  disconnectedCallback() {
    // A moved element is connected again by then.
    queueMicrotask(() => {
      if (this.isConnected) return;
      document.removeEventListener("visibilitychange", this.#update);
      this.#observe(new Set());
      this.#end();
    });
  }

  attributeChangedCallback(name, before, after) {
    if (!this.#hold || before === after) return;
    if (["brightness", "transition", "reason"].includes(name)) return this.#hold.change(this.#body);
    this.#end();
    this.#start();
    this.#update();
  }

  get #body() {
    return {
      brightness: numberFrom(this.getAttribute("brightness")),
      transition: numberFrom(this.getAttribute("transition")),
      reason: this.getAttribute("reason") ?? undefined,
    };
  }

  #start() {
    this.#holder = takeHolderName(this.getAttribute("holder"));
    const server = Server.at(this.getAttribute("server"));
    this.#hold = new Hold(server, {
      display: this.getAttribute("display"),
      holder: this.#holder,
      body: this.#body,
    });
    for (const name of ["boost", "restore", "error"]) {
      const pass = (event) => this.dispatchEvent(new CustomEvent(name, { detail: event.detail }));
      this.#hold.addEventListener(name, pass);
    }
  }

  #end() {
    this.#hold?.want(false);
    this.#hold = null;
    releaseHolderName(this.#holder);
  }

  /** Observes this element and its current children. Elements that stay keep their state, so the boost does not flicker. */
  #observe(elements = new Set([this, ...this.#slot.assignedElements()])) {
    for (const element of this.#observed) {
      if (elements.has(element)) continue;
      this.#viewport.unobserve(element);
      this.#size.unobserve(element);
      this.#inView.delete(element);
    }
    for (const element of elements) {
      if (this.#observed.has(element)) continue;
      this.#viewport.observe(element);
      this.#size.observe(element);
    }
    this.#observed = elements;
  }
}

/** @param {string | null} text @returns {number | undefined} */
function numberFrom(text) {
  return text === null || text.trim() === "" || Number.isNaN(Number(text)) ? undefined : Number(text);
}
