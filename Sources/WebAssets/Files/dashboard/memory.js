// SPDX-License-Identifier: Apache-2.0
// Browser storage, until the tab is closed or permanent. A browser that blocks it is not an error.

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
    // The token is asked for, or the hint shown, once more.
  }
}

/**
 * @param {"sessionStorage" | "localStorage"} kind
 * @param {string} key
 */
export function forget(kind, key) {
  try {
    globalThis[kind].removeItem(key);
  } catch {
    // It was not stored.
  }
}
