// SPDX-License-Identifier: Apache-2.0
import { serverFor } from "./authorize.js";
import { KeptBoost } from "./kept-boost.js";
import { releaseHolderName, takeHolderName } from "./page.js";
import { addStyle } from "./style.js";
import { hasText, isSeen, isShown } from "./visibility.js";
import { warn, warnOfAttributes } from "./warnings.js";

/** How often content in the viewport is examined, in milliseconds: no event reports that something covers it. */
const pace = 500;
const numbers = ["brightness", "transition"];

/**
 * `<brightness-boost>`: boosts while a person can see its content: rendered, at least partly in the viewport, neither
 * transparent nor covered, on a visible page.
 *
 * Attributes: `server`, `token`, `display`, `brightness`, `transition`, `reason`, `holder`.
 * Events, none of which bubbles: `boost` (`detail`: the lease), `restore` (`detail.change`: the reason), `error` (`detail`: a
 * problem).
 */
export class BrightnessBoost extends HTMLElement {
  static observedAttributes = ["server", "token", "display", "brightness", "transition", "reason", "holder"];

  /** @type {KeptBoost | null} */
  #boost = null;
  #holder = "";
  /** @type {Set<Element>} this element and its children, as far as they are in the viewport */
  #inView = new Set();
  /** @type {Set<Element>} */
  #observed = new Set();
  #slot = document.createElement("slot");
  #timer = 0;
  #viewport = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) this.#inView[isIntersecting ? "add" : "delete"](target);
    this.#update();
  });
  #size = new ResizeObserver(() => this.#update());
  #update = () => {
    const mayBeSeen = this.isConnected && document.visibilityState === "visible" && this.#inView.size > 0;
    this.#boost?.want(mayBeSeen && this.#isSeen);
    if (!mayBeSeen) {
      clearInterval(this.#timer);
      this.#timer = 0;
    } else if (this.#timer === 0) {
      this.#timer = setInterval(this.#update, pace);
    }
  };

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    addStyle(root, ":host { display: block } :host([hidden]) { display: none }");
    root.append(this.#slot);
    this.#slot.addEventListener("slotchange", () => {
      this.#observe();
      // The observer reports new children in the next frame.
      requestAnimationFrame(() => setTimeout(this.#update));
    });
  }

  connectedCallback() {
    if (!this.#boost) this.#start();
    document.addEventListener("visibilitychange", this.#update);
    this.#observe();
  }

  disconnectedCallback() {
    // A moved element is connected again by then.
    queueMicrotask(() => {
      if (this.isConnected) return;
      document.removeEventListener("visibilitychange", this.#update);
      this.#observe(new Set());
      this.#update();
      this.#end();
    });
  }

  attributeChangedCallback(name, before, after) {
    if (!this.#boost || before === after) return;
    if (name === "token") return void serverFor(this.getAttribute("server"), after);
    if (["brightness", "transition", "reason"].includes(name)) return this.#boost.change(this.#body);
    this.#end();
    this.#start();
    this.#update();
  }

  get #isSeen() {
    return [...this.#inView].some((element) => {
      // Its children are observed, too.
      if (element === this) return (this.childElementCount === 0 || hasText(this)) && isShown(this);
      return isSeen(element);
    });
  }

  get #body() {
    const [brightness, transition] = numbers.map((name) => this.#number(name));
    return { brightness, transition, reason: this.getAttribute("reason") ?? undefined };
  }

  /** @param {string} name @returns {number | undefined} */
  #number(name) {
    const text = this.getAttribute(name)?.trim();
    if (!text) return undefined;
    if (Number.isNaN(Number(text))) warn(`<brightness-boost ${name}="${text}"> is not a number; the default is used.`);
    return Number.isNaN(Number(text)) ? undefined : Number(text);
  }

  #start() {
    warnOfAttributes(this, BrightnessBoost.observedAttributes);
    this.#holder = takeHolderName(this.getAttribute("holder"));
    this.#boost = new KeptBoost(serverFor(this.getAttribute("server"), this.getAttribute("token")), {
      display: this.getAttribute("display"),
      holder: this.#holder,
      body: this.#body,
    });
    for (const name of ["boost", "restore", "error"]) {
      const pass = (event) => this.dispatchEvent(new CustomEvent(name, { detail: event.detail }));
      this.#boost.addEventListener(name, pass);
    }
  }

  #end() {
    this.#boost?.want(false);
    this.#boost = null;
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
