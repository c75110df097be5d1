// SPDX-License-Identifier: Apache-2.0
import { percent } from "./formats.js";

/**
 * Sends the newest of many values: one request at a time, no more often than the pause, and always the last one.
 * @template T
 */
export class Sender {
  #send;
  #pause;
  /** @type {{value: T} | null} */
  #next = null;
  #isBusy = false;

  /**
   * @param {(value: T) => Promise<unknown>} send  must not reject
   * @param {number} pause  in milliseconds
   */
  constructor(send, pause = 60) {
    this.#send = send;
    this.#pause = pause;
  }

  /** Whether a request is pending. */
  get isBusy() {
    return this.#isBusy;
  }

  /** @param {T} value */
  async put(value) {
    this.#next = { value };
    if (this.#isBusy) return;
    this.#isBusy = true;
    while (this.#next) {
      const { value } = this.#next;
      this.#next = null;
      await Promise.all([this.#send(value), new Promise((resolve) => setTimeout(resolve, this.#pause))]);
    }
    this.#isBusy = false;
  }
}

/** A slider that sends its value as it is moved, and follows the stream otherwise. */
export class LiveSlider {
  #slider;
  #sender;
  #isDragged = false;
  /** As the stream states it. */
  #fraction = 0;

  /** @param {HTMLInputElement} slider  in percent @param {(percent: number) => Promise<unknown>} send  must not reject */
  constructor(slider, send) {
    this.#slider = slider;
    this.#sender = new Sender(send);
    slider.addEventListener("input", () => {
      this.#isDragged = true;
      this.#sender.put(Number(slider.value));
      this.#fill();
    });
    slider.addEventListener("change", () => {
      this.#isDragged = false;
      this.#followLater();
    });
  }

  /** @param {number} fraction */
  show(fraction) {
    this.#fraction = fraction;
    // While values of the slider are pending, the events of the stream are older.
    if (this.#isDragged || this.#sender.isBusy) return;
    this.#slider.value = `${Math.round(fraction * 100)}`;
    this.#fill();
  }

  /** Follows the stream again once every value is sent and its event has had time to arrive. */
  #followLater() {
    setTimeout(() => (this.#sender.isBusy ? this.#followLater() : this.show(this.#fraction)), 300);
  }

  #fill() {
    this.#slider.style.setProperty("--filled", `${this.#slider.value}%`);
    this.#slider.setAttribute("aria-valuetext", percent(Number(this.#slider.value) / 100));
  }
}
