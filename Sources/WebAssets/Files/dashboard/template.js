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
 * The element with an id.
 * @param {string} id
 * @returns {any}
 */
export const element = (id) => document.getElementById(id);
