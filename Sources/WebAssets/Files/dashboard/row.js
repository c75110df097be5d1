// SPDX-License-Identifier: Apache-2.0
import { isOff } from "../brightness/display.js";
import { leaseOf } from "./button-settings.js";
import { command, pathOf } from "./command.js";
import { facts } from "./facts.js";
import { sizeOf, troublesOf } from "./machines.js";
import { me } from "./me.js";
import { rights } from "./rights.js";
import { hrefOf } from "./route.js";
import { copy, write, writeName, writeParts } from "./template.js";
import { t } from "./texts.js";
import { acceptsCommands, ago, inForce, isStated, lastSentence, levelOf, missing, whenOn } from "./words.js";

/**
 * @typedef {import("./order.js").DisplayItem} DisplayItem
 * @typedef {import("./order.js").GroupItem} GroupItem
 *
 * @typedef {object} RowContext  What every row of the list needs.
 * @property {Set<string>} selected
 * @property {(id: string, isSelected: boolean) => void} onSelect
 * @property {() => string | null} openedID
 */

/** A row of the list: a display, or the head of a group. */
export class Row {
  #context;
  #parts = copy("row");
  element = /** @type {HTMLElement} */ (this.#parts.root);
  /** @type {import("../brightness/display.js").DisplayState | null} */
  #state = null;

  /** @param {RowContext} context */
  constructor(context) {
    this.#context = context;
    const { pick, boost, restore } = this.#parts;
    pick.addEventListener("change", () => this.#state && context.onSelect(this.#state.id, pick.checked));
    boost.addEventListener("click", () => this.#send(boost, "boost", leaseOf("boost")));
    restore.addEventListener("click", () => this.#send(restore, "restore", { holder: me, all: !this.#ownLease }));
  }

  /** @param {DisplayItem | GroupItem} item */
  fill(item) {
    // The order may have older states than `facts`.
    this.#state = "state" in item ? (facts.states.get(item.state.id) ?? item.state) : null;
    const { root, display, group, machine, troubles } = this.#parts;
    root.classList.toggle("group", this.#state === null);
    display.hidden = this.#state === null;
    group.hidden = this.#state !== null;
    if (this.#state) this.#fillDisplay(this.#state);
    else if (!("state" in item)) {
      const text = troublesOf(item);
      write(machine, `${item.node || t`This machine`} · ${sizeOf(item)}${text && ","}`);
      write(troubles, text);
    }
  }

  /** @param {import("../brightness/display.js").DisplayState} state */
  #fillDisplay(state) {
    const { root, pick, name, link, force, last, bar, level, boost, restore } = this.#parts;
    const { selected, openedID } = this.#context;
    const leases = facts.leasesOf(state.id);
    writeName(name, state.name);
    link.setAttribute("aria-label", state.name);
    link.title = state.name;
    link.setAttribute("href", hrefOf(state.id));
    if (openedID() === state.id) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
    root.classList.toggle("opened", openedID() === state.id);
    root.classList.toggle("missing", !state.available);
    root.classList.toggle("off", isOff(state));
    root.classList.toggle("boosted", state.boost !== null && !isOff(state));
    pick.checked = selected.has(state.id);
    pick.setAttribute("aria-label", t`Select ${state.name}`);
    // The time at the end is never cut.
    const text = state.available ? inForce(state, leases) || whenOn(state) : missing(state);
    const start = /^(.*, )?/.exec(text)?.[0] ?? "";
    writeParts(force, start, text.slice(start.length));
    if (isStated(state, leases)) writeParts(last);
    else writeParts(last, `${lastSentence(state)}, `, ago(state.cause.at));
    bar.style.setProperty("--level", `${isOff(state) ? 0 : state.brightness}`);
    bar.style.setProperty("--baseline", `${state.baseline}`);
    write(level, levelOf(state));
    const canEnd = Boolean(this.#ownLease) || (leases.length > 0 && rights.isAdmin);
    if (!canEnd && document.activeElement === restore) boost.focus();
    const mayChange = rights.mayChange(state);
    boost.disabled = !mayChange || !acceptsCommands(state);
    restore.disabled = !canEnd || !mayChange;
    boost.title = rights.whyNot(state) || (acceptsCommands(state) ? "" : missing(state));
    boost.setAttribute("aria-label", t`Boost ${state.name}`);
    restore.setAttribute("aria-label", t`Restore ${state.name}`);
  }

  get #ownLease() {
    return this.#state && rights.ownOf(facts.leasesOf(this.#state.id));
  }

  #send(control, resource, body) {
    if (this.#state) command(control, "POST", pathOf(this.#state.id, resource), body);
  }
}
