// SPDX-License-Identifier: Apache-2.0
// A page in TypeScript: `make lint` checks it against brightness.d.ts, as an editor would.

import { Brightness, BrightnessError, type DisplayState, type Lease } from "../../Sources/WebAssets/Files/brightness.js";

const brightness = new Brightness({ holder: "kiosk-3" });
const stop: () => void = brightness.subscribe((state: DisplayState | null) => console.log(state?.percent, state?.boost?.until));

export async function show(): Promise<void> {
  try {
    const lease: Lease = await brightness.boost({ brightness: 1, ttl: 60, lifespan: "visible", reason: "qr" });
    console.log(lease.holder ?? "nobody");
    const state: DisplayState = await brightness.restore();
    console.log(state.baseline.toFixed(2));
  } catch (error) {
    if (error instanceof BrightnessError) console.log(error.problem.detail);
  }
  // @ts-expect-error A lifespan has three values.
  await brightness.boost({ lifespan: "forever" });
  // @ts-expect-error A brightness is a number.
  await brightness.set("40%");
  stop();
}

const element: HTMLElement | null = document.querySelector("brightness-boost");
element?.addEventListener("boost", (event) => console.log((event as CustomEvent<Lease>).detail.until));
void screen.requestBrightnessIncrease().then((sentinel) => sentinel.release());
