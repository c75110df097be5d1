// SPDX-License-Identifier: Apache-2.0

/**
 * Style that a strict Content-Security-Policy lets pass.
 * @param {string} css
 */
export function styleSheet(css) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}
