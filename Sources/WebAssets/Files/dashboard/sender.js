// SPDX-License-Identifier: Apache-2.0

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
