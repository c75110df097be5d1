// SPDX-License-Identifier: Apache-2.0
import { hides, isModal, isWithin } from "./paint.js";

/** Where a box is sampled, as parts of its width and of its height. */
const parts = [1 / 6, 1 / 2, 5 / 6];

/**
 * Whether something of an element's box is in the viewport, and not covered by others.
 *
 * Samples nine points. An element without pointer events is not found at a point, so it counts as exposed; an overlay
 * without pointer events is not found either.
 * @param {Element} element
 */
export function isExposed(element) {
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
