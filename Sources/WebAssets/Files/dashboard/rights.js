// SPDX-License-Identifier: Apache-2.0

/**
 * @typedef {object} Caller  The caller as the daemon sees it: `GET /v1/whoami`.
 * @property {string} principal
 * @property {string | null} name  of the token
 * @property {string | null} scope
 */

/** What this page may do. Until it is known, everything. */
export class Rights {
  /** @type {Caller | null} */
  caller = null;

  get isAdmin() {
    return this.caller?.scope === "admin";
  }

  get mayWrite() {
    return this.caller === null || this.isAdmin || this.caller.scope === "write";
  }

  get maySchedule() {
    return this.caller === null || this.isAdmin;
  }

  /** @param {import("../brightness/display.js").Lease} lease */
  isOwn(lease) {
    return this.caller !== null && lease.principal === this.caller.principal;
  }

  /** @param {import("../brightness/display.js").Lease} lease */
  mayEnd(lease) {
    return this.isAdmin || (this.mayWrite && this.isOwn(lease));
  }

  /** Who this page is and what it may do, as a sentence. */
  get sentence() {
    if (this.caller === null) return "";
    const { name, scope } = this.caller;
    const who = name ? `Signed in as ${name}` : "Not signed in";
    const scopes = { read: "may watch", write: "may watch and change", admin: "may change everything" };
    return `${who}: ${scopes[scope ?? ""] ?? "may not watch"}.`;
  }
}
