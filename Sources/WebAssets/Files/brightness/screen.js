// SPDX-License-Identifier: Apache-2.0
import { serverFor } from "./authorize.js";
import { KeptBoost } from "./kept-boost.js";
import { releaseHolderName, takeHolderName } from "./page.js";

/** The result of `screen.requestBrightnessIncrease()`: a boost until `release()` or until the page is hidden. */
class ScreenBrightnessSentinel extends EventTarget {
  #release;
  #isReleased = false;
  /** @type {((event: Event) => void) | null} */
  onrelease = null;

  /** @param {() => void} release */
  constructor(release) {
    super();
    this.#release = release;
    this.addEventListener("release", (event) => this.onrelease?.(event));
  }

  get released() {
    return this.#isReleased;
  }

  async release() {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#release();
    this.dispatchEvent(new Event("release"));
  }
}

/**
 * The shape of the draft "Screen Brightness" (https://github.com/WICG/screen-brightness), over this daemon. Rejects
 * with a `NotAllowedError` if the page is hidden, or if the daemon rejects the boost or is unreachable.
 * @param {{server?: string | null, token?: string | null, display?: string | null}} options  as those of `Brightness`
 * @returns {Promise<ScreenBrightnessSentinel>}
 */
export async function requestBrightnessIncrease({ server, token, display = null } = {}) {
  const isHidden = () => document.visibilityState !== "visible";
  if (isHidden()) throw new DOMException("The page is not visible.", "NotAllowedError");
  const holder = takeHolderName();
  const boost = new KeptBoost(serverFor(server, token), { display, holder });
  return new Promise((resolve, reject) => {
    let isGranted = false;
    const whenHidden = () => isHidden() && sentinel.release();
    const sentinel = new ScreenBrightnessSentinel(() => {
      document.removeEventListener("visibilitychange", whenHidden);
      boost.want(false);
      releaseHolderName(holder);
    });
    boost.addEventListener("boost", () => resolve(((isGranted = true), sentinel)));
    boost.addEventListener("restore", () => sentinel.release());
    boost.addEventListener("error", (event) => {
      // After the first grant errors are retried until it is released.
      if (isGranted) return;
      reject(new DOMException(event["detail"].detail, "NotAllowedError"));
      sentinel.release();
    });
    document.addEventListener("visibilitychange", whenHidden);
    boost.want(true);
  });
}
