// SPDX-License-Identifier: Apache-2.0
import { request } from "../brightness/daemon.js";
import { command } from "./command.js";
import { facts } from "./facts.js";
import { percent } from "./formats.js";
import { me } from "./me.js";
import { NameDialog } from "./name-dialog.js";
import { Removal } from "./removal.js";
import { rights } from "./rights.js";
import { arrange, copy, element, partsOf, write } from "./template.js";
import { t } from "./texts.js";

/**
 * @typedef {{brightness?: number, on?: boolean}} Value
 * @typedef {{name: string, displays: Record<string, Value>}} Preset
 */

/** The most displays that a preset names. */
const most = 64;
/** How long a preset is held, in seconds. */
const hour = 3_600;

/** @param {string} name */
const pathOfPreset = (name) => `/v1/presets/${encodeURIComponent(name)}`;

/** The section with all presets, and the dialog that saves one. */
export class PresetsPanel {
  #section = element("presets");
  #parts = partsOf(this.#section);
  /** The bars for all displays have one each. */
  #adds = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-action=save-preset]"));
  #form;
  /** @type {Map<string, Record<string, any>>} the parts of each row, by name */
  #rows = new Map();
  /** The shown facts. */
  #shown = "";
  /** @type {Removal<Preset>} */
  #removal;

  constructor() {
    this.#form = new PresetForm(() => this.#removal.end());
    this.#removal = new Removal(this.#parts, (preset, button) => this.#putBack(preset, button));
    for (const add of this.#adds) add.addEventListener("click", () => this.#form.open());
  }

  /** Shows the newest facts. */
  show() {
    const { presets, states } = facts;
    const mayEdit = rights.mayAdminister;
    const canSave = mayEdit && states.size > 1 && states.size <= most;
    const names = [...states.values()].map(({ id, name }) => [id, name]);
    const state = JSON.stringify([presets, names, mayEdit, rights.mayWrite, this.#removal.item]);
    if (state === this.#shown) return;
    this.#shown = state;
    this.#section.hidden = presets.length === 0 && this.#removal.item === null;
    for (const add of this.#adds) add.hidden = !canSave;
    this.#list(presets, mayEdit);
    this.#removal.show(presets);
  }

  /** @param {Preset[]} presets @param {boolean} mayEdit */
  #list(presets, mayEdit) {
    const names = new Set(presets.map(({ name }) => name));
    for (const [name, row] of this.#rows) {
      if (names.has(name)) continue;
      row.root.remove();
      this.#rows.delete(name);
    }
    const rows = presets.map((preset) => {
      const row = this.#rows.get(preset.name) ?? this.#rowOf(preset.name);
      this.#rows.set(preset.name, row);
      row.apply.title = this.#textOf(preset);
      for (const part of ["apply", "hold"]) row[part].disabled = !rights.mayWrite;
      row.remove.hidden = !mayEdit;
      return row.root;
    });
    arrange(this.#parts.list, rows);
  }

  /** @param {string} name */
  #rowOf(name) {
    const row = copy("preset-row");
    const { apply, hold, remove } = row;
    write(row.name, name);
    apply.setAttribute("aria-label", t`Apply: ${name}`);
    hold.setAttribute("aria-label", t`Apply for 1 h: ${name}`);
    remove.setAttribute("aria-label", t`Remove: ${name}`);
    const path = pathOfPreset(name);
    apply.addEventListener("click", () => command(apply, "POST", `${path}/apply`, { holder: me }));
    hold.addEventListener("click", () => command(hold, "POST", `${path}/apply`, { ttl: hour, holder: me }));
    remove.addEventListener("click", () => this.#remove(name, remove));
    return row;
  }

  /** The displays and their values. @param {Preset} preset */
  #textOf({ displays }) {
    const parts = Object.entries(displays).map(([key, { brightness, on }]) => {
      const name = key === "all" ? t`All displays` : (facts.states.get(key)?.name ?? key);
      const values = [brightness === undefined ? "" : percent(brightness), on === undefined ? "" : on ? t`on` : t`off`];
      return `${name} ${values.filter((value) => value !== "").join(", ")}`;
    });
    return parts.join(" · ");
  }

  /** @param {string} name @param {HTMLElement} button */
  async #remove(name, button) {
    const preset = facts.presets.find((known) => known.name === name);
    if (!preset || !(await command(button, "DELETE", pathOfPreset(name)))) return;
    // The event, which hides a section without presets, may have come before the response.
    this.#section.hidden = false;
    this.#removal.begin(preset, facts.presets);
  }

  /** @param {Preset} preset @param {HTMLElement} button */
  async #putBack({ name, displays }, button) {
    if (!(await command(button, "PUT", pathOfPreset(name), { displays }))) return;
    this.#removal.end();
    this.show();
    element("presets-title").focus();
  }
}

/** The dialog that saves the displays, as people have set them, as a preset. */
class PresetForm {
  #dialog;

  /** @param {() => void} onSaved */
  constructor(onSaved) {
    this.#dialog = new NameDialog("preset", async (name) => {
      if (!/^(?!\.{1,2}$)[^/]+$/.test(name)) return t`Use 1 to 64 characters without “/”.`;
      await request("PUT", pathOfPreset(name), { displays: valuesOf(facts.inOrder) });
      onSaved();
    });
    this.#dialog.parts.name.addEventListener("input", () => this.#note());
  }

  open() {
    if (this.#dialog.isOpen) return;
    this.#dialog.open("");
    this.#note();
  }

  #note() {
    const { name, note } = this.#dialog.parts;
    const isKnown = facts.presets.some((preset) => preset.name === name.value.trim());
    write(note, isKnown ? t`The preset of this name will be replaced.` : t`It will contain the current values of all displays, without boosts and dims.`);
  }
}

/** @param {import("../brightness/display.js").DisplayState[]} states @returns {Record<string, Value>} */
function valuesOf(states) {
  const entries = states.map(({ id, baseline, dimmable, power }) => {
    const brightness = dimmable ? { brightness: baseline } : {};
    return [id, power.switchable ? { ...brightness, on: power.baseline } : brightness];
  });
  return Object.fromEntries(entries.filter(([, value]) => Object.keys(value).length > 0));
}
