// SPDX-License-Identifier: Apache-2.0
import { hides, isModal, isWithin, opacityOf } from "./paint.js";

/** Content that is fainter than this counts as invisible. */
const leastOpacity = 0.05;
/** At most this many elements are examined; further ones count as visible. */
const mostElements = 100;
const replaced = "img, svg, canvas, video, picture, iframe, object, embed, input, button, textarea, select, meter, progress";

/** Whether there is text directly in an element. @param {Element} element */
export function hasText(element) {
  return [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim());
}

/** Whether an element shows more than its children do. @param {Element} element */
function hasOwnContent(element) {
  if (element.childElementCount === 0 || element.localName.includes("-") || element.matches(replaced)) return true;
  return hasText(element) || getComputedStyle(element).backgroundImage !== "none";
}

/**
 * Whether a person can see some of an element's content: it has a size, is rendered, is not transparent, is in the
 * viewport, and nothing covers it.
 * @param {Element} element
 */
export function isSeen(element, budget = { left: mostElements }) {
  budget.left -= 1;
  if (budget.left < 0) return true;
  if (!hasOwnContent(element)) return [...element.children].some((child) => isSeen(child, budget));
  return isShown(element);
}

/** As `isSeen`, of the element's own box. @param {Element} element */
export function isShown(element) {
  const { width, height } = element.getBoundingClientRect();
  if (width <= 0 || height <= 0) return false;
  if (getComputedStyle(element).visibility !== "visible" || opacityOf(element) < leastOpacity) return false;
  // `content-visibility: hidden` keeps the size.
  if ("checkVisibility" in element && !element.checkVisibility()) return false;
  return isExposed(element);
}

/** Where a box is sampled, as parts of its width and of its height. */
const parts = [1 / 6, 1 / 2, 5 / 6];

/**
 * Whether something of an element's box is in the viewport, and not covered by others.
 *
 * Samples nine points. An element without pointer events is not found at a point, so it counts as exposed; an overlay
 * without pointer events is not found either.
 * @param {Element} element
 */
function isExposed(element) {
  const box = element.getBoundingClientRect();
  const [left, right] = [Math.max(0, box.left), Math.min(innerWidth, box.right)];
  const [top, bottom] = [Math.max(0, box.top), Math.min(innerHeight, box.bottom)];
  if (left >= right || top >= bottom) return false;
  let isCovered = false;
  for (const down of parts) {
    for (const along of parts) {
      const verdict = look(element, left + along * (right - left), top + down * (bottom - top));
      if (verdict === "exposed") return true;
      if (verdict === "covered") isCovered = true;
    }
  }
  return !isCovered;
}

/**
 * @param {Element} element
 * @param {number} x
 * @param {number} y
 * @returns {"exposed" | "covered" | "unknown"}
 */
function look(element, x, y) {
  let isBelow = false;
  let isBelowModal = false;
  for (const found of stackAt(element, x, y)) {
    if (isWithin(found, element)) return isBelow ? "covered" : "exposed";
    if (isWithin(element, found)) continue;
    if (!hides(found, x, y)) continue;
    isBelow = true;
    isBelowModal ||= isInModal(found);
  }
  // Elements below a modal dialog are inert, and not found.
  return isBelowModal ? "covered" : "unknown";
}

/** The elements at a point, topmost first, also those in the element's own shadow tree. */
function stackAt(element, x, y) {
  const root = element.getRootNode();
  const outer = document.elementsFromPoint(x, y);
  if (!(root instanceof ShadowRoot)) return outer;
  const inner = root.elementsFromPoint(x, y).filter((found) => root.contains(found));
  return outer.reduce((all, found) => all.concat(found === root.host ? [...inner, found] : found), /** @type {Element[]} */ ([]));
}

/** @param {Element} element */
function isInModal(element) {
  for (let each = /** @type {Element | null} */ (element); each; each = each.parentElement) if (isModal(each)) return true;
  return false;
}
