// SPDX-License-Identifier: Apache-2.0
import { request } from "../brightness/daemon.js";
import { BrightnessError } from "../brightness/server.js";
import { facts } from "./facts.js";
import { showMessage } from "./message.js";
import { t } from "./texts.js";

/** A command without a response for this long is reported, in milliseconds. */
const slow = 3_000;

/** @type {(problem: import("../brightness/server.js").Problem, control: Element) => void} */
let onProblem = (problem) => showMessage(problem.detail);

/** Sets what handles the problems of commands. @param {typeof onProblem} handler */
export function handleProblems(handler) {
  onProblem = handler;
}

/** The path of a display’s resource. @param {string} display @param {string} resource */
export const pathOf = (display, resource) => `/v1/displays/${encodeURIComponent(display)}/${resource}`;

/**
 * Sends a command. Its control shows that it is pending; its effect arrives as an event.
 * @param {Element} control
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>} the response; `null` if it failed, which is reported
 */
export function command(control, method, path, body) {
  return report(control, () => attempt(method, path, body));
}

/**
 * Sends one of many requests: waits while the daemon's write rate limit is exceeded.
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>} rejects with a `BrightnessError`
 */
export async function requestWhenAllowed(method, path, body) {
  for (;;) {
    try {
      return await attempt(method, path, body);
    } catch (error) {
      if (!(error instanceof BrightnessError && error.problem.status === 429)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
}

/**
 * Sends a request, and states if the response takes long.
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 */
async function attempt(method, path, body) {
  const text = t`The daemon has not answered for 3 seconds. The command may still take effect.`;
  const timer = setTimeout(() => {
    facts.isDoubtful = true;
    showMessage(text);
  }, slow);
  try {
    const response = await request(method, path, body);
    facts.isDoubtful = false;
    return response;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Reports the problem of a control's requests.
 * @template T
 * @param {Element} control  shows that they are pending
 * @param {() => Promise<T>} send
 * @returns {Promise<T | null>} `null` if they failed
 */
export async function report(control, send) {
  control.setAttribute("aria-busy", "true");
  try {
    const response = await send();
    showMessage("");
    return response;
  } catch (error) {
    if (!(error instanceof BrightnessError)) throw error;
    onProblem(error.problem, control);
    return null;
  } finally {
    control.removeAttribute("aria-busy");
  }
}
