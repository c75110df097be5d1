// SPDX-License-Identifier: Apache-2.0
// The console's warnings: one for each distinct problem, with what to do about it.
import { BrightnessError, Server } from "./server.js";

/** @typedef {import("./server.js").Problem} Problem */

/** @type {Set<string>} */
const reported = new Set();
const most = 50;

/** Writes a text to the console, once. @param {string} text */
export function warn(text) {
  if (reported.has(text) || reported.size >= most) return;
  reported.add(text);
  console.warn(`brightness.js: ${text}`);
}

/** Warns of a failed request; of no response only on a page of another origin. @param {Problem} problem @param {string} origin  of the daemon */
export function warnOf(problem, origin) {
  if (problem.status !== 0 || new URL(origin).origin !== location.origin) warn(advice(problem, origin));
}

/** Whether a request with this problem fails again however often it is sent. @param {{status: number}} problem */
export const isFinal = ({ status }) => [400, 403, 405, 413, 415, 421, 422].includes(status);

/** @param {Problem} problem @param {string} origin */
function advice(problem, origin) {
  const { status, title, detail } = problem;
  switch (status) {
    case 0:
      if (problem !== BrightnessError.absent.problem) return `${origin}: ${detail} The request is retried.`;
      return (
        `${origin} does not respond. Is brightnessd running there? If it is another daemon that you mean, name it with ` +
        `server="http://…". If it runs and this page’s web server is on another machine, start it with ` +
        `--allow-origin ${location.origin}. If ${new URL(origin).hostname} is a name that it does not know, add ` +
        `--allow-host. The request is retried.`
      );
    case 401:
      if (Server.at(origin).token) {
        return (
          `${origin} does not accept the token (401): the token is unknown or was revoked. Set a valid one, by the ` +
          'attribute token="…" of the element or authorize("…"). The request is retried.'
        );
      }
      return (
        `${origin} requires a token (401). Set the attribute token="…" of the element, or call authorize("…"). ` +
        "The request is retried."
      );
    case 404:
      return `${detail} (404) ${origin}/v1/displays lists the displays. The request is retried.`;
    default:
      return `${title}: ${detail} (${status}) ${isFinal({ status }) ? "Not retried." : "The request is retried."}`;
  }
}

/** The attributes that every element has, such as `title`. */
const common = new Set(["class", "style", "role", "part", "is", "exportparts", "for"]);

/**
 * Warns of attributes that an element does not have, such as a misspelt one.
 * @param {HTMLElement} element
 * @param {string[]} known
 */
export function warnOfAttributes(element, known) {
  for (const name of element.getAttributeNames()) {
    if (known.includes(name) || common.has(name) || !/^[a-z]+$/.test(name)) continue;
    if (propertyNames(element).has(name)) continue;
    warn(`<${element.localName}> has no attribute "${name}". It has ${known.join(", ")}.`);
  }
}

/** @type {Set<string> | null} */
let properties = null;

/** The names of an element's properties in lower case: every common attribute is one. @param {HTMLElement} element */
function propertyNames(element) {
  if (properties) return properties;
  properties = new Set();
  for (const name in element) properties.add(name.toLowerCase());
  return properties;
}
