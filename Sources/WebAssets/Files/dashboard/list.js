// SPDX-License-Identifier: Apache-2.0
import { arrange } from "./template.js";

/**
 * @template T
 * @typedef {object} ListRow
 * @property {HTMLElement} element
 * @property {(item: T) => void} fill
 */

/** How many rows are made above and below the visible ones. */
const margin = 8;

/**
 * A list of many rows of one height. Only the rows in view exist; they are used again while it is scrolled. A row stays
 * with its item, so the focus does as well when the order changes.
 * @template T
 */
export class VirtualList {
  #scroller;
  #list;
  #keyOf;
  #make;
  /** @type {T[]} */
  #items = [];
  /** @type {Map<string, {row: ListRow<T>, index: number}>} by the key of their items, in order */
  #rows = new Map();
  #isSoon = false;
  #height = 0;

  /**
   * @param {HTMLElement} scroller
   * @param {HTMLElement} list  in the scroller; its CSS variable `--row` is the height of a row in pixels
   * @param {(item: T) => string} keyOf  distinguishes the items
   * @param {() => ListRow<T>} make
   */
  constructor(scroller, list, keyOf, make) {
    this.#scroller = scroller;
    this.#list = list;
    this.#keyOf = keyOf;
    this.#make = make;
    // Of the scroller or of the page.
    addEventListener("scroll", () => this.showSoon(), { passive: true, capture: true });
    addEventListener("resize", () => this.showSoon());
    new ResizeObserver(() => this.showSoon()).observe(scroller);
  }

  /** @param {T[]} items */
  set items(items) {
    this.#items = items;
    this.showSoon();
  }

  /** Fills the visible rows in the next frame. */
  showSoon() {
    if (this.#isSoon) return;
    this.#isSoon = true;
    requestAnimationFrame(() => {
      this.#isSoon = false;
      this.show();
    });
  }

  /** Fills the visible rows. */
  show() {
    const height = parseFloat(getComputedStyle(this.#list).getPropertyValue("--row"));
    const total = `${this.#items.length * height}px`;
    if (this.#list.style.height !== total) this.#list.style.height = total;
    // Rows outside of the window are not made, either: on phones the page scrolls in place of the list.
    const box = this.#scroller.getBoundingClientRect();
    if (box.width === 0) return;
    const [top, bottom] = [Math.max(0, box.top), Math.min(innerHeight, box.bottom)];
    const scrollTop = Math.max(0, top - this.#list.getBoundingClientRect().top);
    const clientHeight = Math.max(0, bottom - top);
    const first = Math.min(this.#items.length, Math.max(0, Math.floor(scrollTop / height) - margin));
    const end = Math.min(this.#items.length, Math.ceil((scrollTop + clientHeight) / height) + margin);
    const wanted = this.#wanted(first, end);
    const unused = this.#takeBack(wanted);
    const rows = new Map();
    for (const [key, index] of wanted) {
      const known = this.#rows.get(key);
      const row = known?.row ?? unused.shift() ?? this.#make();
      if (known?.index !== index || this.#height !== height) position(row, index, height);
      rows.set(key, { row, index });
      row.element.setAttribute("aria-setsize", `${this.#items.length}`);
      row.fill(this.#items[index]);
    }
    this.#rows = rows;
    this.#height = height;
    for (const row of unused) row.element.remove();
    arrange(this.#list, [...rows.values()].map(({ row }) => row.element));
  }

  /**
   * Scrolls a row into the middle of the view and moves the focus to its first link.
   * @param {number} index
   */
  reveal(index) {
    const height = parseFloat(getComputedStyle(this.#list).getPropertyValue("--row"));
    this.#list.style.height = `${this.#items.length * height}px`;
    const scroller = getComputedStyle(this.#scroller).overflowY === "visible" ? document.scrollingElement : this.#scroller;
    if (!scroller || index < 0) return;
    const top = this.#list.getBoundingClientRect().top + index * height;
    const view = scroller === this.#scroller ? scroller.getBoundingClientRect().top : 0;
    scroller.scrollTop += top - view - scroller.clientHeight / 2;
    this.show();
    this.#rows.get(this.#keyOf(this.#items[index]))?.row.element.querySelector("a")?.focus({ preventScroll: true });
  }

  /**
   * The items of rows: those in range, and the one whose row has the focus.
   * @returns {Map<string, number>} their indices by their keys, in order
   */
  #wanted(first, end) {
    const wanted = new Map();
    for (let index = first; index < end; index += 1) wanted.set(this.#keyOf(this.#items[index]), index);
    const focus = document.activeElement;
    const focused = this.#list.contains(focus) && [...this.#rows].find(([, { row }]) => row.element.contains(focus));
    if (!focused || wanted.has(focused[0])) return wanted;
    const [key, { index: known }] = focused;
    const isAt = (/** @type {T | undefined} */ item) => item !== undefined && this.#keyOf(item) === key;
    const index = isAt(this.#items[known]) ? known : this.#items.findIndex(isAt);
    if (index < 0) return wanted;
    return index < first ? new Map([[key, index], ...wanted]) : wanted.set(key, index);
  }

  /** Returns the rows of other items. @param {Map<string, number>} wanted */
  #takeBack(wanted) {
    const unused = [];
    for (const [key, { row }] of this.#rows) {
      if (wanted.has(key)) continue;
      // It would take the focus to another item.
      if (row.element.contains(document.activeElement)) row.element.remove();
      unused.push(row);
    }
    return unused;
  }
}

/** @param {ListRow<any>} row @param {number} index @param {number} height  in pixels */
function position({ element }, index, height) {
  element.style.transform = `translateY(${index * height}px)`;
  element.setAttribute("aria-posinset", `${index + 1}`);
}
