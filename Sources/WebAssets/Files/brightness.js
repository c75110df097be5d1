// SPDX-License-Identifier: Apache-2.0
/**
 * Brightness of this machine's displays, for web pages: `<brightness-boost>`, `<brightness-gauge>`,
 * `<brightness-palette>`, `<brightness-veil>`, `<brightness-wake>`, the classes `Brightness` and `AmbientLight`, and
 * `screen.requestBrightnessIncrease()` where the browser has none. docs/how-to/kiosk-page.md shows how to use it.
 *
 * @module
 */
import { BrightnessBoost } from "./brightness/boost.js";
import { BrightnessGauge } from "./brightness/gauge.js";
import { BrightnessPalette } from "./brightness/palette.js";
import { requestBrightnessIncrease } from "./brightness/screen.js";
import { BrightnessVeil } from "./brightness/veil.js";
import { BrightnessWake } from "./brightness/wake.js";

export { AmbientLight } from "./brightness/ambient.js";
export { authorize } from "./brightness/authorize.js";
export { listen, request } from "./brightness/daemon.js";
export { Brightness } from "./brightness/display.js";
export { BrightnessError } from "./brightness/server.js";

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
