// SPDX-License-Identifier: Apache-2.0

/**
 * A copy of a template, with its named parts.
 * @param {string} id
 * @returns {Record<string, any>}
 */
export function copy(id) {
  const root = element(id).content.firstElementChild.cloneNode(true);
  return { root, ...partsOf(root) };
}

/**
 * The named parts of an element.
 * @param {Element} root
 * @returns {Record<string, any>}
 */
export function partsOf(root) {
  const parts = {};
  for (const part of root.querySelectorAll("[data-part]")) parts[part.getAttribute("data-part") ?? ""] = part;
  return parts;
}

/** Sets a text only when it differs, so that screen readers announce it once. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Brings the children of an element into an order. The one with the focus is not moved: it would lose the focus, and a
 * drag would end. Around it, or around the one in the middle, only those are moved that are out of place.
 * @param {Element} parent
 * @param {Element[]} children  all that it has
 */
export function arrange(parent, children) {
  const focused = children.findIndex((child) => child.contains(document.activeElement));
  const fixed = focused < 0 ? Math.floor(children.length / 2) : focused;
  if (children[fixed] && children[fixed].parentNode !== parent) parent.append(children[fixed]);
  for (let index = fixed - 1; index >= 0; index -= 1) {
    const [child, next] = [children[index], children[index + 1]];
    if (child.nextElementSibling !== next) parent.insertBefore(child, next);
  }
  for (let index = fixed + 1; index < children.length; index += 1) {
    const [child, previous] = [children[index], children[index - 1]];
    if (child.previousElementSibling !== previous) previous.after(child);
  }
}

/** The longest end of a name that stays when it is cut, in letters. */
const longestEnd = 8;

/**
 * Writes a name that is cut in the middle where it is too long: displays differ in the ends of their names.
 * @param {HTMLElement} element  of the class `name`
 * @param {string} name
 */
export function writeName(element, name) {
  const letters = Array.from(name);
  const word = Array.from(name.slice(name.lastIndexOf(" ") + 1)).length;
  const end = letters.length <= longestEnd ? 0 : Math.min(longestEnd, Math.max(word, 5));
  writeParts(element, letters.slice(0, letters.length - end).join(""), letters.slice(letters.length - end).join(""));
}

/** Writes a text of which the start is cut where it is too long. @param {HTMLElement} element @param {string[]} parts  start and end */
export function writeParts(element, ...parts) {
  if (element.textContent === parts.join("")) return;
  const texts = parts.filter(Boolean);
  element.replaceChildren(...texts.map((textContent) => Object.assign(document.createElement("span"), { textContent })));
}

/**
 * The element with an id.
 * @param {string} id
 * @returns {any}
 */
export const element = (id) => document.getElementById(id);
