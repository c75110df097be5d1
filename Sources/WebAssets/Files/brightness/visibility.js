// SPDX-License-Identifier: Apache-2.0
import { isExposed } from "./cover.js";
import { opacityOf } from "./paint.js";

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

