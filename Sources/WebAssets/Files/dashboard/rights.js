// SPDX-License-Identifier: Apache-2.0

import { me } from "./me.js";
import { t } from "./texts.js";
import { nameOf } from "./words.js";

/**
 * @typedef {object} Caller  The caller as the daemon sees it: `GET /v1/whoami`.
 * @property {string} principal
 * @property {string | null} name  of the token
 * @property {string | null} scope
 * @property {string[] | null} [limit]  patterns of the displays that it may change; `null` for all
 */

/** The rights of this page. Until they are known, all. */
class Rights {
  /** @type {Caller | null} */
  caller = null;

  get isAdmin() {
    return this.caller?.scope === "admin";
  }

  get mayWrite() {
    return this.caller === null || this.isAdmin || this.caller.scope === "write";
  }

  /** Whether this page may change what no display has: presets, schedules, the key of Home Assistant. */
  get mayAdminister() {
    return this.caller === null || (this.isAdmin && !this.caller.limit);
  }

  /** Whether this page may change the simulated room. */
  get maySimulate() {
    return this.mayWrite && !this.caller?.limit;
  }

  /** Whether this page may change a display. @param {import("../brightness/display.js").DisplayState} state */
  mayChange({ id, tags = [] }) {
    const limit = this.caller?.limit;
    return this.mayWrite && (!limit || limit.some((pattern) => matches(pattern, id, tags)));
  }

  /** Whether this page may change the settings of a display. @param {import("../brightness/display.js").DisplayState} state */
  mayConfigure(state) {
    return this.isAdmin && this.mayChange(state);
  }

  /** Why this page may not change a display; empty if it may. @param {import("../brightness/display.js").DisplayState} state */
  whyNot(state) {
    if (!this.mayWrite || this.mayChange(state)) return "";
    return t`Your token may change ${this.caller?.limit?.join(", ") ?? ""} only.`;
  }

  /** @param {import("../brightness/display.js").Lease} lease */
  isOwn(lease) {
    return this.caller !== null && lease.principal === this.caller.principal;
  }

  /** The lease of this page, or of a preset that it has applied. @param {import("../brightness/display.js").Lease[]} leases */
  ownOf(leases) {
    return leases.find((lease) => nameOf(lease.holder) === me && this.isOwn(lease));
  }

  /** @param {import("../brightness/display.js").Lease} lease */
  mayEnd(lease) {
    return this.isAdmin || (this.mayWrite && this.isOwn(lease));
  }

  /** The principal of this page and its rights, as a sentence. */
  get sentence() {
    if (this.caller === null) return "";
    const { name, scope, limit } = this.caller;
    const who = name ? t`Signed in as ${name}` : t`Not signed in`;
    if (limit && this.mayWrite) return t`${who}: may see the displays, and change only ${limit.join(", ")}.`;
    const scopes = { read: t`may see the displays`, write: t`may see and change the displays`, admin: t`may change everything` };
    return `${who}: ${scopes[scope ?? ""] ?? t`may not see the displays`}.`;
  }
}

export const rights = new Rights();

/** @param {string} pattern  such as `hall:*` or `tag:floor1` @param {string} id @param {string[]} tags */
function matches(pattern, id, tags) {
  if (pattern.startsWith("tag:")) return tags.includes(pattern.slice("tag:".length));
  const [first, ...rest] = pattern.split("*");
  if (rest.length === 0) return id === first;
  if (!id.startsWith(first)) return false;
  let at = first.length;
  const last = rest.pop() ?? "";
  for (const part of rest) {
    const found = id.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return id.length - last.length >= at && id.endsWith(last);
}
