// SPDX-License-Identifier: Apache-2.0

/**
 * Returns a style sheet that a strict Content-Security-Policy allows.
 * @param {string} css
 */
export function styleSheet(css) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}
