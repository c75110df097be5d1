// SPDX-License-Identifier: Apache-2.0
import { facts } from "./facts.js";
import { count } from "./formats.js";
import { element, write } from "./template.js";
import { t } from "./texts.js";

/**
 * The state of the connection and the daemon, its text and details.
 * @param {boolean} isComplete  whether the daemon has sent all displays
 * @returns {[string, string, string?]}
 */
function statusOf(isComplete) {
  const { condition, states, health } = facts;
  if (condition.problem?.status === 401) return ["lost", t`Not signed in`];
  if (condition.status === "lost") return ["lost", condition.problem?.title ?? t`Connection lost, reconnecting`];
  if (condition.status === "connecting") return ["connecting", t`Connecting`];
  if (facts.isDoubtful) return ["missing", t`No answer`];
  const missing = [...states.values()].filter(({ available }) => !available).map(({ name }) => name);
  if (missing.length === 1) return ["missing", t`${missing[0]}: not available`];
  if (missing.length > 1) return ["missing", t`${count(missing.length)} of ${count(states.size)} displays not available`];
  if (health?.journal.state === "failing") {
    return ["missing", t`Live, but the state file cannot be written: boosts would be lost in a crash`, health.journal.detail ?? ""];
  }
  if (states.size > 0) return ["live", t`Live`];
  return ["connecting", isComplete ? t`Connected, no display` : t`Connecting`];
}

/** @param {boolean} isComplete  as for `statusOf` @returns {string} the text */
export function showStatus(isComplete) {
  const line = element("status");
  const [state, text, detail] = statusOf(isComplete);
  line.dataset.state = state;
  line.title = detail ?? "";
  write(line, text);
  document.body.toggleAttribute("data-lost", state === "lost");
  document.querySelector("main")?.setAttribute("aria-disabled", `${state === "lost" && facts.states.size > 0}`);
  return text;
}

/**
 * States why there is nothing to see, and what to do.
 * @param {boolean} isComplete  whether the daemon has sent all displays
 */
export function showEmpty(isComplete) {
  const { condition, states } = facts;
  const section = element("empty");
  section.hidden = states.size > 0;
  if (states.size > 0) return;
  const shown =
    condition.problem?.status === 401 ? "locked"
    : condition.status === "lost" ? "lost"
    : condition.status === "live" && isComplete ? "none"
    : "waiting";
  for (const part of section.querySelectorAll("[data-when]")) part.hidden = part.dataset.when !== shown;
}
