// SPDX-License-Identifier: Apache-2.0
import { Hold } from "./hold.js";
import { releaseHolderName, takeHolderName } from "./page.js";
import { Server } from "./server.js";
import { styleSheet } from "./style.js";

/**
 * `<brightness-boost>`: boosts exactly while what it contains can be seen: some of it is in the viewport, rendered, and
 * the page is visible.
 *
 * Attributes: `server`, `display`, `brightness`, `transition`, `reason`, `holder`.
 * Events, none of which bubbles: `boost` (`detail`: the lease), `restore` (`detail.change`: why), `error` (`detail`: a
 * problem).
 */
export class BrightnessBoost extends HTMLElement {
  static observedAttributes = ["server", "display", "brightness", "transition", "reason", "holder"];
  static #style = styleSheet(":host { display: block } :host([hidden]) { display: none }");

  /** @type {Hold | null} */
  #hold = null;
  #holder = "";
  /** @type {Set<Element>} what is in the viewport, of this element and its children */
  #inView = new Set();
  /** @type {Set<Element>} */
  #observed = new Set();
  #slot = document.createElement("slot");
  #viewport = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) this.#inView[isIntersecting ? "add" : "delete"](target);
    this.#look();
  });
  #size = new ResizeObserver(() => this.#look());
  #look = () => {
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
      // In the next frame the viewport tells of children that are new.
      requestAnimationFrame(() => setTimeout(this.#look));
    });
  }

  connectedCallback() {
    if (!this.#hold) this.#start();
    document.addEventListener("visibilitychange", this.#look);
    this.#observe();
  }

  disconnectedCallback() {
    // An element that is only moved is connected again by then.
    queueMicrotask(() => {
      if (this.isConnected) return;
      document.removeEventListener("visibilitychange", this.#look);
      this.#observe(new Set());
      this.#end();
    });
  }

  attributeChangedCallback(name, before, after) {
    if (!this.#hold || before === after) return;
    if (["brightness", "transition", "reason"].includes(name)) return this.#hold.change(this.#body);
    this.#end();
    this.#start();
    this.#look();
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
    this.#hold = new Hold(server, this.getAttribute("display"), this.#holder, this.#body);
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

  /** Watches itself and its children of now. What is known of those that stay is kept: nothing must flicker. */
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
