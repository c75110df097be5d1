// SPDX-License-Identifier: Apache-2.0
// What a browser remembers: until the tab is closed, or for good. One that may remember nothing is no error.

/**
 * @param {"sessionStorage" | "localStorage"} kind
 * @param {string} key
 */
export function recall(kind, key) {
  try {
    return globalThis[kind].getItem(key);
  } catch {
    return null;
  }
}

/**
 * @param {"sessionStorage" | "localStorage"} kind
 * @param {string} key
 * @param {string} text
 */
export function remember(kind, key, text) {
  try {
    globalThis[kind].setItem(key, text);
  } catch {
    // Then it is asked, or shown, once more.
  }
}
