// SPDX-License-Identifier: Apache-2.0
// The language of the page. The texts are written in English where they are used; every other language is one file that has
// the English texts and their translations. A text that a file lacks stays English.

/** The languages with a file in `texts/`. */
const translated = ["de"];

const known = ["en", ...translated];
const tag = navigator.languages.find((tag) => known.includes(languageOf(tag)));

/** @param {string} tag  such as `de-AT` */
function languageOf(tag) {
  return tag.toLowerCase().split("-")[0];
}

/** The reader’s language, as far as it is known here. */
export const language = tag ? languageOf(tag) : "en";

/** The reader’s language and region, for numbers and times. */
export const region = tag ?? navigator.language ?? "en";

/** @type {Record<string, string>} */
const texts = translated.includes(language) ? await load(`./texts/${language}.js`) : {};

/** @param {string} path @returns {Promise<Record<string, string>>} */
async function load(path) {
  const module = await import(path).catch(() => null);
  return module?.default ?? {};
}

/** The text in the reader’s language, if it is translated. @param {string} english */
const textOf = (english) => texts[english] ?? english;

/**
 * A text in the reader’s language: t`Boost for ${duration}` has the translation of `Boost for {0}`.
 * @param {TemplateStringsArray} parts
 * @param {...(string | number)} values
 */
export function t(parts, ...values) {
  const english = parts.reduce((text, part, index) => `${text}{${index - 1}}${part}`);
  return textOf(english).replace(/\{(\d+)\}/g, (_, index) => `${values[index]}`);
}

/** The attributes that people read or hear. */
const attributes = ["aria-label", "title", "placeholder", "label"];

/** Translates the texts of a page, also those of its templates. @param {Document | DocumentFragment} root */
export function translate(root) {
  if (language === "en") return;
  document.documentElement.lang = language;
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (node instanceof Text) {
      const text = node.data.trim().replace(/\s+/g, " ");
      if (text in texts) node.data = node.data.replace(/\S[^]*\S|\S/, () => texts[text]);
      continue;
    }
    const element = /** @type {Element} */ (node);
    for (const name of attributes) {
      const text = element.getAttribute(name);
      if (text !== null && text in texts) element.setAttribute(name, texts[text]);
    }
    if (element instanceof HTMLTemplateElement) translate(element.content);
  }
}
