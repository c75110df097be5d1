// SPDX-License-Identifier: Apache-2.0
// A finger that scrolls the page and begins on a slider changes nothing: browsers move the slider to the finger at once.

/** A finger drags once it has moved this far sideways, in pixels. */
const slop = 6;

/**
 * The finger on each slider.
 * @type {Map<HTMLInputElement, {x: number, y: number, before: string, value: string, isDragging: boolean, isScrolling: boolean}>}
 */
const fingers = new Map();

/** @type {Record<string, (slider: HTMLInputElement, event: any) => void>} */
const handlers = {
  pointerdown(slider, { pointerType, clientX: x, clientY: y }) {
    fingers.delete(slider);
    if (pointerType === "mouse") return;
    fingers.set(slider, { x, y, before: slider.value, value: slider.value, isDragging: false, isScrolling: false });
  },
  pointermove(slider, { clientX, clientY }) {
    const finger = fingers.get(slider);
    if (!finger || finger.isScrolling) return;
    const [x, y] = [Math.abs(clientX - finger.x), Math.abs(clientY - finger.y)];
    finger.isDragging ||= x > slop && x > y;
  },
  input(slider, event) {
    const finger = fingers.get(slider);
    if (!finger || finger.isDragging) return;
    event.stopImmediatePropagation();
    finger.value = slider.value;
    slider.value = finger.before;
  },
  pointerup(slider) {
    const finger = fingers.get(slider);
    fingers.delete(slider);
    if (finger && !finger.isDragging && finger.value !== finger.before) move(slider, finger.value);
  },
  // The browser scrolls.
  pointercancel(slider) {
    const finger = fingers.get(slider);
    if (!finger) return;
    fingers.delete(slider);
    if (finger.isDragging) move(slider, finger.before);
    fingers.set(slider, { ...finger, isDragging: false, isScrolling: true });
  },
  touchend: (slider) => fingers.delete(slider),
  touchcancel: (slider) => fingers.delete(slider),
};

/** Sets a slider as the browser does. @param {HTMLInputElement} slider @param {string} value */
function move(slider, value) {
  slider.value = value;
  for (const name of ["input", "change"]) slider.dispatchEvent(new Event(name, { bubbles: true }));
}

/** Guards every slider of the page. */
export function guardSliders() {
  for (const [name, handle] of Object.entries(handlers)) {
    addEventListener(name, (event) => isSlider(event.target) && handle(event.target, event), { capture: true, passive: true });
  }
}

/** @param {any} target @returns {target is HTMLInputElement} */
const isSlider = (target) => target instanceof HTMLInputElement && target.type === "range";
