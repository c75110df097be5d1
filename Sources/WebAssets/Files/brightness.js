// SPDX-License-Identifier: Apache-2.0
/**
 * Brightness of this machine's displays, for web pages: `<brightness-boost>`, `<brightness-gauge>`,
 * `<brightness-palette>`, `<brightness-veil>`, `<brightness-wake>`, the classes `Brightness` and `AmbientLight`, and
 * `screen.requestBrightnessIncrease()` where the browser has none. docs/how-to/kiosk-page.md shows how to use it.
 *
 * @module
 */
import { BrightnessBoost } from "./brightness/boost.js";
import { Feed } from "./brightness/feed.js";
import { BrightnessGauge } from "./brightness/gauge.js";
import { BrightnessPalette } from "./brightness/palette.js";
import { requestBrightnessIncrease } from "./brightness/screen.js";
import { Server } from "./brightness/server.js";
import { BrightnessVeil } from "./brightness/veil.js";
import { BrightnessWake } from "./brightness/wake.js";

export { AmbientLight } from "./brightness/ambient.js";
export { authorize } from "./brightness/authorize.js";
export { Brightness } from "./brightness/display.js";
export { BrightnessError } from "./brightness/server.js";

/** @typedef {import("./brightness/stream.js").Fact} Fact */

/**
 * Listens to every fact of a server, for pages that show all of it.
 * @param {(fact: Fact) => void} listener  receives `state`, a kind of lease such as `boost`, `ambient`, `display`, `schedule`, `day`, `preset`, `health`, `simulator`, `default`, `failure`, `reset` and `synced` events, and `condition`
 * @param {{server?: string | null}} options
 * @returns {() => void} stops
 */
export function listen(listener, { server } = {}) {
  return Feed.of(Server.at(server)).listen(listener);
}

/**
 * Sends a request with this page’s token.
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {{server?: string | null}} options
 * @returns {Promise<any>} rejects with a `BrightnessError`
 */
export function request(method, path, body, { server } = {}) {
  return Server.at(server).request(method, path, body);
}

const elements = {
  "brightness-boost": BrightnessBoost,
  "brightness-gauge": BrightnessGauge,
  "brightness-palette": BrightnessPalette,
  "brightness-veil": BrightnessVeil,
  "brightness-wake": BrightnessWake,
};
for (const [name, element] of Object.entries(elements)) {
  if (!customElements.get(name)) customElements.define(name, element);
}
if (globalThis.screen && !("requestBrightnessIncrease" in screen)) {
  Object.defineProperty(Object.getPrototypeOf(screen), "requestBrightnessIncrease", {
    value: requestBrightnessIncrease,
    configurable: true,
    writable: true,
  });
}
