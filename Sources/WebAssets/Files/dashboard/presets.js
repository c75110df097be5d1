// SPDX-License-Identifier: Apache-2.0
import { BrightnessError, request } from "../brightness.js";
import { command } from "./command.js";
import { percent } from "./formats.js";
import { copy, element, partsOf, write } from "./template.js";
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
  #facts;
  #rights;
  #me;
  #section = element("presets");
  #parts = partsOf(this.#section);
  #form;
  /** @type {Map<string, Record<string, any>>} the parts of each row, by name */
  #rows = new Map();
  /** The shown facts. */
  #shown = "";
  /** @type {Preset | null} the preset that was removed last, until another is changed */
  #removed = null;

  /**
   * @param {import("./facts.js").Facts} facts
   * @param {import("./rights.js").Rights} rights
   * @param {string} me  This page's holder.
   */
  constructor(facts, rights, me) {
    this.#facts = facts;
    this.#rights = rights;
    this.#me = me;
    this.#form = new PresetForm(facts, () => {
      this.#removed = null;
    });
    this.#parts.add.addEventListener("click", () => this.#form.open());
    this.#parts.undo.addEventListener("click", () => this.#undo());
  }

  /** Shows the newest facts. */
  show() {
    const { presets, states } = this.#facts;
    const mayEdit = this.#rights.maySchedule;
    const canSave = mayEdit && states.size > 1 && states.size <= most;
    const names = [...states.values()].map(({ id, name }) => [id, name]);
    const state = JSON.stringify([presets, names, mayEdit, this.#rights.mayWrite, this.#removed]);
    if (state === this.#shown) return;
    this.#shown = state;
    this.#section.hidden = presets.length === 0 && !canSave && this.#removed === null;
    this.#parts.add.hidden = !canSave;
    this.#parts.none.hidden = presets.length > 0;
    this.#list(presets, mayEdit);
    const { removed, undo, gone } = this.#parts;
    removed.hidden = this.#removed === null;
    if (!this.#removed) return;
    write(gone, t`Removed ${this.#removed.name}.`);
    undo.setAttribute("aria-label", t`Undo: put ${this.#removed.name} back`);
  }

  /** @param {Preset[]} presets @param {boolean} mayEdit */
  #list(presets, mayEdit) {
    const names = new Set(presets.map(({ name }) => name));
    for (const [name, row] of this.#rows) {
      if (names.has(name)) continue;
      row.root.remove();
      this.#rows.delete(name);
    }
    presets.forEach((preset, index) => {
      const row = this.#rows.get(preset.name) ?? this.#rowOf(preset.name);
      this.#rows.set(preset.name, row);
      write(row.values, this.#textOf(preset));
      for (const part of ["apply", "hold"]) row[part].disabled = !this.#rights.mayWrite;
      row.remove.hidden = !mayEdit;
      const place = this.#parts.list;
      if (place.children[index] !== row.root) place.insertBefore(row.root, place.children[index] ?? null);
    });
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
    apply.addEventListener("click", () => command(apply, "POST", `${path}/apply`, { holder: this.#me }));
    hold.addEventListener("click", () => command(hold, "POST", `${path}/apply`, { ttl: hour, holder: this.#me }));
    remove.addEventListener("click", () => this.#remove(name, remove));
    return row;
  }

  /** The displays and their values. @param {Preset} preset */
  #textOf({ displays }) {
    const parts = Object.entries(displays).map(([key, { brightness, on }]) => {
      const name = key === "all" ? t`All displays` : (this.#facts.states.get(key)?.name ?? key);
      const values = [brightness === undefined ? "" : percent(brightness), on === undefined ? "" : on ? t`on` : t`off`];
      return `${name} ${values.filter((value) => value !== "").join(", ")}`;
    });
    return parts.join(" · ");
  }

  /** @param {string} name @param {HTMLElement} button */
  async #remove(name, button) {
    const preset = this.#facts.presets.find((known) => known.name === name) ?? null;
    if (!(await command(button, "DELETE", pathOfPreset(name)))) return;
    this.#removed = preset;
    this.show();
    this.#parts.undo.focus();
  }

  async #undo() {
    const preset = this.#removed;
    if (!preset) return;
    if (!(await command(this.#parts.undo, "PUT", pathOfPreset(preset.name), { displays: preset.displays }))) return;
    this.#removed = null;
    this.show();
    if (!this.#parts.add.hidden) this.#parts.add.focus();
  }
}

/** The dialog that saves the displays, as people have set them, as a preset. */
class PresetForm {
  #facts;
  #dialog = /** @type {HTMLDialogElement} */ (element("preset"));
  #parts = partsOf(this.#dialog);
  #onSaved;

  /** @param {import("./facts.js").Facts} facts @param {() => void} onSaved */
  constructor(facts, onSaved) {
    this.#facts = facts;
    this.#onSaved = onSaved;
    const { name, cancel } = this.#parts;
    name.addEventListener("input", () => this.#note());
    cancel.addEventListener("click", () => this.#dialog.close());
    this.#dialog.querySelector("form")?.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#save();
    });
  }

  open() {
    if (this.#dialog.open) return;
    this.#parts.name.value = "";
    this.#report("");
    this.#note();
    this.#dialog.showModal();
  }

  #note() {
    const { name, note } = this.#parts;
    const isKnown = this.#facts.presets.some((preset) => preset.name === name.value.trim());
    write(note, isKnown ? t`The preset of this name will be replaced.` : t`It has every display as it is set now, without boosts and dims.`);
  }

  async #save() {
    const { name, save } = this.#parts;
    const wanted = name.value.trim();
    if (!/^(?!\.{1,2}$)[^/]+$/.test(wanted)) return this.#report(t`Use 1 to 64 characters without “/”.`);
    save.setAttribute("aria-busy", "true");
    try {
      await request("PUT", pathOfPreset(wanted), { displays: valuesOf(this.#facts.inOrder) });
      this.#onSaved();
      this.#dialog.close();
    } catch (error) {
      if (!(error instanceof BrightnessError)) throw error;
      this.#report(error.problem.errors?.[0]?.detail ?? error.problem.detail);
    } finally {
      save.removeAttribute("aria-busy");
    }
  }

  /** @param {string} fault  empty for none */
  #report(fault) {
    const { name, fault: place } = this.#parts;
    write(place, fault);
    if (!fault) return name.removeAttribute("aria-invalid");
    name.setAttribute("aria-invalid", "true");
    name.focus();
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
