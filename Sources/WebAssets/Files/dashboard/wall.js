// SPDX-License-Identifier: Apache-2.0
import { isOff } from "../brightness/display.js";
import { facts } from "./facts.js";
import { count } from "./formats.js";
import { Order, needsAttention } from "./order.js";
import { copy, element, partsOf, write, writeName } from "./template.js";
import { t } from "./texts.js";
import { attentionText, inForce, levelOf, lastSentence, missing, now, whenOn } from "./words.js";

/** The least size of a tile with its gap, in pixels, as in the style sheet. */
const tile = { width: 200, height: 120 };
const gap = 8;
/** The width of the margins at both sides, and their height above and below, in pixels. */
const margins = 24;
/** The largest tiles are this many times as large, and each smaller size fits more of them. */
const sizes = [6, 5, 4, 3.5, 3, 2.5, 2.25, 2, 1.75, 1.5, 1.35, 1.2, 1.1, 1];
/** Where not all displays fit, the others follow after this time, in milliseconds. */
const pace = 10_000;

/**
 * How many columns and rows of tiles of a size fit; 0 if not even one does.
 * @param {number} size
 * @param {number} top  the height of the line above the tiles
 */
function room(size, top) {
  const fit = (length, step) => Math.floor((length - margins + gap * size) / (step * size));
  return { columns: fit(innerWidth, tile.width), rows: fit(innerHeight - top, tile.height) };
}

/** @param {{columns: number, rows: number}} room */
const atLeastOne = ({ columns, rows }) => ({ columns: Math.max(1, columns), rows: Math.max(1, rows) });

/** The largest size of which a number of tiles fit. @param {number} number @param {number} top */
const sizeFor = (number, top) =>
  sizes.find((size) => room(size, top).columns * room(size, top).rows >= number) ?? 1;

/**
 * `/#wall`: every display of a screen that people watch from far, as large as fits, those that need attention first.
 * Where not all fit, the others take turns. No controls.
 */
export class Wall {
  #parts = partsOf(element("wall"));
  #order = new Order();
  /** @type {Record<string, any>[]} */
  #tiles = [];

  /** @param {string} status  of the connection @param {boolean} isLost */
  show(status, isLost) {
    const { tiles, summary, top } = this.#parts;
    const height = top.offsetHeight;
    const states = [...facts.states.values()];
    const off = states.filter(isOff).length;
    const boosted = states.filter((state) => state.boost !== null && !isOff(state)).length;
    const attention = states.filter(needsAttention).length;
    const size = sizeFor(states.length, height);
    const { columns, rows } = atLeastOne(room(size, height));
    const [items, page, pages] = this.#page(columns * rows);
    const texts = [
      status,
      states.length === 1 ? t`one display` : t`${count(states.length)} displays`,
      t`${count(boosted)} boosted`,
      off > 0 ? t`${count(off)} off` : "",
      attentionText(attention),
      pages > 1 ? t`part ${count(page + 1)} of ${count(pages)}` : "",
    ];
    write(summary, texts.filter(Boolean).join(" · "));
    summary.classList.toggle("lost", isLost);
    // On a phone the line is as high as its text needs.
    tiles.style.setProperty("--top", `${height}px`);
    tiles.style.setProperty("--size", `${size}`);
    tiles.style.setProperty("--rows", `${pages > 1 ? rows : Math.ceil(items.length / columns)}`);
    while (this.#tiles.length > items.length) this.#tiles.pop()?.root.remove();
    while (this.#tiles.length < items.length) {
      const made = copy("tile");
      this.#tiles.push(made);
      tiles.append(made.root);
    }
    items.forEach((item, index) => "state" in item && this.#fill(this.#tiles[index], item.state));
    if (top.offsetHeight > height) requestAnimationFrame(() => this.show(status, isLost));
  }

  /**
   * The displays that are shown now: those that need attention stay, the others take turns.
   * @param {number} fit  how many there is room for
   * @returns {[(import("./order.js").DisplayItem | import("./order.js").GroupItem)[], number, number]} also the number of the part, and of all parts
   */
  #page(fit) {
    const items = this.#order.items({ search: "", sort: "attention", isGrouped: false });
    if (items.length <= fit) return [items, 0, 1];
    const urgent = items.filter((item) => "state" in item && needsAttention(item.state));
    // One tile at least is for the others.
    const [staying, turning] = urgent.length < fit ? [urgent, items.slice(urgent.length)] : [[], items];
    const others = fit - staying.length;
    const pages = Math.ceil(turning.length / others);
    const page = Math.floor(now() / pace) % pages;
    return [[...staying, ...turning.slice(page * others, (page + 1) * others)], page, pages];
  }

  /**
   * @param {Record<string, any>} parts  of a tile
   * @param {import("../brightness/display.js").DisplayState} state
   */
  #fill({ root, name, level, bar, force }, state) {
    // Most displays have changed nothing since they were found.
    const cause = state.cause.kind === "connected" ? "" : lastSentence(state);
    const text = inForce(state, facts.leasesOf(state.id)) || whenOn(state) || cause;
    root.classList.toggle("missing", needsAttention(state));
    root.classList.toggle("off", isOff(state));
    root.classList.toggle("boosted", state.boost !== null && !isOff(state));
    writeName(name, state.name);
    write(level, state.available ? levelOf(state) : "–");
    write(force, state.available ? text : missing(state));
    bar.style.setProperty("--level", `${isOff(state) ? 0 : state.brightness}`);
    bar.style.setProperty("--baseline", `${state.baseline}`);
  }
}
