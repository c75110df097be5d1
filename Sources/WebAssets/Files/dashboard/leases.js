// SPDX-License-Identifier: Apache-2.0
import { command, pathOf } from "./command.js";
import { percent } from "./formats.js";
import { me } from "./me.js";
import { rights } from "./rights.js";
import { copy, write } from "./template.js";
import { t } from "./texts.js";
import { holderOf, leaseWords, left, nameOf } from "./words.js";

/** @typedef {import("../brightness/display.js").Lease} Lease */

/** The leases of a display: who, why, the time left, and a button that ends each. */
export class LeaseList {
  #container;
  #whenEmpty;
  /** @type {Lease[]} */
  #leases = [];
  /** @type {Map<string, Record<string, any>>} */
  #rows = new Map();

  /** @param {Element} container @param {HTMLElement} whenEmpty  receives the focus of the last button */
  constructor(container, whenEmpty) {
    this.#container = container;
    this.#whenEmpty = whenEmpty;
  }

  /** @param {Lease[]} leases */
  show(leases) {
    this.#leases = leases;
    for (const lease of leases) {
      const row = this.#rows.get(lease.id) ?? this.#add(lease);
      const holder = holderOf(lease);
      write(row.holder, holder);
      row.holder.title = lease.holder ?? "";
      const level = (lease.brightness ?? 1) < 1 ? percent(lease.brightness ?? 1) : null;
      const { title, one } = leaseWords[lease.kind];
      const overridden = lease.overridden ? t`overridden by hand` : null;
      write(row.reason, [title, lease.reason, level, overridden].filter(Boolean).join(", "));
      row.end.hidden = !rights.mayEnd(lease);
      const name = nameOf(lease.holder) === me ? t`End your ${one}` : t`End the ${one} of ${holder}`;
      row.end.setAttribute("aria-label", name);
    }
    for (const [id, row] of this.#rows) {
      if (!leases.some((lease) => lease.id === id)) this.#remove(id, row);
    }
    this.tick();
  }

  /** Updates the times left. */
  tick() {
    for (const lease of this.#leases) write(this.#rows.get(lease.id)?.left, left(lease));
  }

  #add(lease) {
    const row = copy("lease");
    row.end.addEventListener("click", () => {
      command(row.end, "DELETE", pathOf(lease.display, `leases/${encodeURIComponent(lease.id)}`));
    });
    this.#container.append(row.root);
    this.#rows.set(lease.id, row);
    return row;
  }

  #remove(id, row) {
    const neighbor = row.root.nextElementSibling ?? row.root.previousElementSibling;
    const hasFocus = row.root.contains(document.activeElement);
    row.root.remove();
    this.#rows.delete(id);
    if (hasFocus) (neighbor?.querySelector("button:not([hidden])") ?? this.#whenEmpty).focus();
  }
}
