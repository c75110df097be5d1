// SPDX-License-Identifier: Apache-2.0
import { isOff } from "../brightness/display.js";
import { command, pathOf } from "./command.js";
import { sizeOf, troublesOf } from "./machines.js";
import { hrefOf } from "./route.js";
import { copy, write, writeName } from "./template.js";
import { t } from "./texts.js";
import { leaseOf } from "./button-settings.js";
import { acceptsCommands, ago, inForce, isStated, lastSentence, levelOf, missing, nameOf, whenOn } from "./words.js";

/**
 * @typedef {import("./order.js").DisplayItem} DisplayItem
 * @typedef {import("./order.js").GroupItem} GroupItem
 *
 * @typedef {object} RowContext  What every row of the list needs.
 * @property {string} me  This page's holder.
 * @property {import("./rights.js").Rights} rights
 * @property {import("./facts.js").Facts} facts
 * @property {Set<string>} selected
 * @property {(id: string, isSelected: boolean) => void} onSelect
 * @property {() => string | null} openedID
 */

/** A row of the list: a display, or the head of a group. */
export class Row {
  #context;
  #parts = copy("row");
  /** @type {import("../brightness/display.js").DisplayState | null} */
  #state = null;

  /** @param {RowContext} context */
  constructor(context) {
    this.#context = context;
    const { pick, boost, restore } = this.#parts;
    const { me, onSelect } = context;
    pick.addEventListener("change", () => this.#state && onSelect(this.#state.id, pick.checked));
    boost.addEventListener("click", () => this.#send(boost, "boost", leaseOf("boost", me)));
    restore.addEventListener("click", () => this.#send(restore, "restore", { holder: me, all: !this.#ownLease }));
  }

  /** @returns {HTMLElement} */
  get element() {
    return this.#parts.root;
  }

  /** @param {DisplayItem | GroupItem} item */
  fill(item) {
    // The order may have older states than `facts`.
    this.#state = "state" in item ? (this.#context.facts.states.get(item.state.id) ?? item.state) : null;
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
    const { me, rights, facts, selected, openedID } = this.#context;
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
    write(force, state.available ? inForce(state, leases, me) || whenOn(state) : missing(state));
    write(last, isStated(state, leases) ? "" : `${lastSentence(state, me)}, ${ago(state.cause.at)}`);
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
    const { me, rights, facts } = this.#context;
    const leases = this.#state ? facts.leasesOf(this.#state.id) : [];
    return leases.find((lease) => nameOf(lease.holder) === me && rights.isOwn(lease));
  }

  #send(control, resource, body) {
    if (this.#state) command(control, "POST", pathOf(this.#state.id, resource), body);
  }
}
