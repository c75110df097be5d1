// SPDX-License-Identifier: Apache-2.0
import { element } from "./template.js";

/** How long a message is shown, unless the pointer or the focus is on it. */
const duration = 10_000;

let timer = 0;

/** Shows a message; an empty one hides it. @param {string} text */
export function showMessage(text) {
  const place = element("message");
  place.querySelector("[data-testid=message]").textContent = text;
  place.hidden = text === "";
  clearTimeout(timer);
  if (text) timer = setTimeout(hide, duration);
}

function hide() {
  if (element("message").matches(":hover, :focus-within")) timer = setTimeout(hide, duration);
  else showMessage("");
}

element("message").querySelector("button").addEventListener("click", () => showMessage(""));
