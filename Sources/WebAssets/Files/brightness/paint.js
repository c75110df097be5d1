// SPDX-License-Identifier: Apache-2.0
// The paint of an element, from its computed style.

/** The parent in the tree that is rendered: through slots and out of shadow trees. @param {Node} node @returns {Element | null} */
export function parentOf(node) {
  const parent = (node instanceof Element && node.assignedSlot) || node.parentNode;
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : null;
}

/** Whether a node is an element, or inside of it. @param {Element} node @param {Element} element */
export function isWithin(node, element) {
  for (let each = /** @type {Element | null} */ (node); each; each = parentOf(each)) if (each === element) return true;
  return false;
}

/** The opacity of an element with that of its ancestors. @param {Element} element */
export function opacityOf(element) {
  let opacity = 1;
  for (let each = /** @type {Element | null} */ (element); each; each = parentOf(each)) {
    opacity *= Number(getComputedStyle(each).opacity);
  }
  return opacity;
}

/** The alpha of a computed colour, such as `rgba(0, 0, 0, 0.5)` or `oklch(0.5 0.1 20 / 0.5)`. @param {string} color */
export function alphaOf(color) {
  const alpha = color.startsWith("rgba") ? color.split(",")[3] : color.split("/")[1];
  return alpha === undefined ? 1 : parseFloat(alpha);
}

const opaqueElements = "img, video, iframe, object, embed";

/**
 * Whether an element hides what is below it at a point: a picture, or a background that is more opaque than not.
 * @param {Element} element  found at that point
 * @param {number} x
 * @param {number} y
 */
export function hides(element, x, y) {
  if (opacityOf(element) < 0.5) return false;
  if (element.matches(opaqueElements)) return true;
  if (element instanceof SVGElement) return element.ownerSVGElement !== null;
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const isInside = left <= x && x <= right && top <= y && y <= bottom;
  // The backdrop of a dialog or of a full-screen element is found as that element.
  const styles = isTopmost(element) ? ["::backdrop"] : [];
  return [...(isInside ? [null] : []), ...styles].some((pseudo) => {
    const { backgroundColor, backgroundImage } = getComputedStyle(element, pseudo);
    return backgroundImage !== "none" || alphaOf(backgroundColor) >= 0.5;
  });
}

/** Whether an element is a modal dialog or full screen. @param {Element} element */
function isTopmost(element) {
  return element === document.fullscreenElement || isModal(element);
}

/** @param {Element} element */
export function isModal(element) {
  try {
    return element.matches(":modal");
  } catch {
    // Before Chromium 105, Firefox 103 and Safari 15.6.
    return element.localName === "dialog" && element.hasAttribute("open") && element.getAttribute("role") !== "none";
  }
}
