// SPDX-License-Identifier: Apache-2.0

/**
 * Adds styles to a shadow root: as a style sheet object, which a strict Content-Security-Policy allows, or as an
 * element in browsers without such objects.
 * @param {ShadowRoot} root
 * @param {string} css
 */
export function addStyle(root, css) {
  try {
    const sheet = sheets.get(css) ?? new CSSStyleSheet();
    if (!sheets.has(css)) sheet.replaceSync(css);
    sheets.set(css, sheet);
    root.adoptedStyleSheets = [sheet];
  } catch {
    const style = document.createElement("style");
    style.textContent = css;
    root.append(style);
  }
}

/** @type {Map<string, CSSStyleSheet>} the sheets of all elements */
const sheets = new Map();
