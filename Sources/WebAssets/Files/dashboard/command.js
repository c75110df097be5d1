// SPDX-License-Identifier: Apache-2.0
import { BrightnessError, request } from "../brightness.js";
import { showMessage } from "./message.js";
import { t } from "./texts.js";

/** A command without a response for this long is reported, in milliseconds. */
const slow = 3_000;

/** @type {(problem: import("../brightness/server.js").Problem) => void} */
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
  return report(control, () => request(method, path, body));
}

/**
 * As `command`, for one of many: waits while the daemon's write rate limit is exceeded.
 * @param {Element} control
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 */
export function commandWhenAllowed(control, method, path, body) {
  return report(control, async () => {
    for (;;) {
      try {
        return await request(method, path, body);
      } catch (error) {
        if (!(error instanceof BrightnessError && error.problem.status === 429)) throw error;
        await new Promise((resolve) => setTimeout(resolve, 1_000));
      }
    }
  });
}

/** @param {Element} control @param {() => Promise<any>} send */
async function report(control, send) {
  control.setAttribute("aria-busy", "true");
  const text = t`The daemon has not answered for 3 seconds. The command may still take effect.`;
  const timer = setTimeout(() => showMessage(text), slow);
  try {
    const answer = await send();
    showMessage("");
    return answer;
  } catch (error) {
    if (!(error instanceof BrightnessError)) throw error;
    onProblem(error.problem);
    return null;
  } finally {
    clearTimeout(timer);
    control.removeAttribute("aria-busy");
  }
}
