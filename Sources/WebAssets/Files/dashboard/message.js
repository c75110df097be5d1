// SPDX-License-Identifier: Apache-2.0
import { element, partsOf } from "./template.js";

/** How long a message is shown, unless the pointer or the focus is on it. */
const duration = 10_000;

let timer = 0;

const box = element("message");
const { text: words, undo: button, dismiss } = partsOf(box);
let undo = () => {};
/** The element that had the focus before the message. @type {HTMLElement | null} */
let before = null;

/** Shows a message; an empty one hides it. @param {string} text @param {() => void} [takeBack]  of its button */
export function showMessage(text, takeBack) {
  undo = takeBack ?? undo;
  button.hidden = !takeBack;
  words.textContent = text;
  box.hidden = text === "";
  clearTimeout(timer);
  if (text) timer = setTimeout(hide, duration);
}

function hide() {
  if (box.matches(":hover, :focus-within")) timer = setTimeout(hide, duration);
  else showMessage("");
}

box.addEventListener("focusin", ({ relatedTarget }) => {
  if (!box.contains(relatedTarget)) before = relatedTarget;
});
for (const control of [button, dismiss]) {
  control.addEventListener("click", () => {
    showMessage("");
    before?.focus();
    if (control === button) undo();
  });
}
