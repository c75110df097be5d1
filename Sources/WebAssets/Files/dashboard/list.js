// SPDX-License-Identifier: Apache-2.0

/**
 * @template T
 * @typedef {object} ListRow
 * @property {HTMLElement} element
 * @property {(item: T) => void} fill
 */

/** How many rows are made above and below the visible ones. */
const margin = 8;

/**
 * A list of many rows of one height. Only the rows in view exist; they are used again while it is scrolled.
 * @template T
 */
export class VirtualList {
  #scroller;
  #list;
  #make;
  /** @type {T[]} */
  #items = [];
  /** @type {Map<number, ListRow<T>>} */
  #rows = new Map();
  #isSoon = false;
  #height = 0;

  /**
   * @param {HTMLElement} scroller
   * @param {HTMLElement} list  in the scroller; its CSS variable `--row` is the height of a row in pixels
   * @param {() => ListRow<T>} make
   */
  constructor(scroller, list, make) {
    this.#scroller = scroller;
    this.#list = list;
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
    const unused = this.#takeBack(first, end);
    for (let index = first; index < end; index += 1) {
      const row = this.#rows.get(index) ?? unused.pop() ?? this.#make();
      if (this.#rows.get(index) !== row || this.#height !== height) this.#place(row, index, height);
      this.#rows.set(index, row);
      row.element.setAttribute("aria-setsize", `${this.#items.length}`);
      row.fill(this.#items[index]);
    }
    this.#height = height;
    for (const row of unused) row.element.remove();
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
    this.#rows.get(index)?.element.querySelector("a")?.focus({ preventScroll: true });
  }

  /** Returns the rows that are out of range. The one with the focus stays, as long as it has an item. */
  #takeBack(first, end) {
    const unused = [];
    for (const [index, row] of this.#rows) {
      if (first <= index && index < end) continue;
      if (index < this.#items.length && row.element.contains(document.activeElement)) continue;
      this.#rows.delete(index);
      unused.push(row);
    }
    return unused;
  }

  /** @param {ListRow<T>} row @param {number} index @param {number} height */
  #place({ element }, index, height) {
    element.style.transform = `translateY(${index * height}px)`;
    element.setAttribute("aria-posinset", `${index + 1}`);
    if (element.parentNode !== this.#list) this.#list.append(element);
  }
}
