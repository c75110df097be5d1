// SPDX-License-Identifier: Apache-2.0
import { BulkBar } from "./bulk.js";
import { facts } from "./facts.js";
import { count } from "./formats.js";
import { VirtualList } from "./list.js";
import { recall, remember } from "./memory.js";
import { Order, needsAttention } from "./order.js";
import { Row } from "./row.js";
import { element, partsOf, write } from "./template.js";
import { t } from "./texts.js";
import { attentionText } from "./words.js";

/** How often the order follows changes, in milliseconds. */
const pace = 500;

/** @param {import("./order.js").DisplayItem | import("./order.js").GroupItem} item */
const keyOf = (item) => ("state" in item ? `display ${item.state.id}` : `machine ${item.node}`);

/** The list of many displays, with its search, its order and the bar for actions on many. */
export class Overview {
  #section = element("overview");
  #parts = partsOf(this.#section);
  #order = new Order();
  #list;
  #bulk;
  /** @type {Set<string>} */
  #selected = new Set();
  /** @type {(import("./order.js").DisplayItem | import("./order.js").GroupItem)[]} */
  #items = [];
  /** @type {string[]} */
  #found = [];
  /** @type {string | null} */
  #opened = null;
  #arrangedAt = -Infinity;
  #version = -1;
  #timer = 0;

  constructor() {
    const onSelect = (id, isSelected) => {
      this.#selected[isSelected ? "add" : "delete"](id);
      this.#showSelection();
    };
    const context = { selected: this.#selected, onSelect, openedID: () => this.#opened };
    this.#list = new VirtualList(this.#parts.scroller, this.#parts.rows, keyOf, () => new Row(context));
    this.#bulk = new BulkBar(this.#parts.bulk, () => this.#target, true);
    this.#parts = partsOf(this.#section);
    const { grouped } = this.#parts;
    grouped.checked = recall("localStorage", "brightness.grouped") === "true";
    grouped.addEventListener("input", () => remember("localStorage", "brightness.grouped", `${grouped.checked}`));
    for (const name of ["search", "sort", "grouped"]) this.#parts[name].addEventListener("input", () => this.#arrange());
    this.#parts.every.addEventListener("change", () => this.#selectEvery(this.#parts.every.checked));
  }

  /**
   * Shows the newest facts. The order follows at most twice a second, so that rows do not move under a pointer.
   * @param {string | null} opened  the display whose card is shown
   */
  show(opened) {
    this.#opened = opened;
    const passed = performance.now() - this.#arrangedAt;
    const mustArrange = this.#version !== facts.version || this.#parts.sort.value === "brightness";
    if (mustArrange && passed >= pace) this.#arrange();
    else if (mustArrange && this.#timer === 0) this.#timer = setTimeout(() => this.#arrange(), pace - passed);
    this.#list.showSoon();
  }

  /** Whether the list has every display. */
  get isArranged() {
    return this.#version === facts.version;
  }

  /** Returns to the row of a display. @param {string} id */
  reveal(id) {
    this.#list.reveal(this.#items.findIndex((item) => "state" in item && item.state.id === id));
  }

  /** Shows what the bar may do. */
  showRights() {
    this.#bulk.show();
  }

  #arrange() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const { search, sort, grouped } = this.#parts;
    const view = { search: search.value, sort: sort.value, isGrouped: grouped.checked };
    this.#items = this.#order.items(view);
    this.#found = this.#items.flatMap((item) => ("state" in item ? item.state.id : []));
    for (const id of this.#selected) if (!facts.states.has(id)) this.#selected.delete(id);
    this.#version = facts.version;
    this.#arrangedAt = performance.now();
    this.#list.items = this.#items;
    this.#showSelection();
    const attention = [...facts.states.values()].filter(needsAttention).length;
    const all = count(facts.states.size);
    const text = search.value.trim() ? t`${count(this.#found.length)} of ${all} displays` : t`${all} displays`;
    write(this.#parts.summary, attention > 0 ? `${text}, ${attentionText(attention)}` : text);
    this.#parts.nothing.hidden = this.#found.length > 0;
  }

  #selectEvery(isSelected) {
    this.#selected.clear();
    if (isSelected) for (const id of this.#found) this.#selected.add(id);
    this.#showSelection();
  }

  #showSelection() {
    const { every } = this.#parts;
    every.checked = this.#selected.size > 0 && this.#found.every((id) => this.#selected.has(id));
    every.indeterminate = this.#selected.size > 0 && !every.checked;
    this.#bulk.show();
    this.#list.showSoon();
  }

  /** @returns {import("./bulk.js").Target} */
  get #target() {
    if (this.#selected.size > 0) return { ids: [...this.#selected], kind: "selected" };
    const isSearched = this.#parts.search.value.trim() !== "";
    return isSearched ? { ids: this.#found, kind: "found" } : { ids: [...facts.states.keys()], kind: "all" };
  }
}
