// SPDX-License-Identifier: Apache-2.0

/**
 * @typedef {object} Wants  What listeners need of a stream.
 * @property {string[] | null} types  of events; `null`: all
 * @property {string[] | null} displays  their ids, empty for the default display; `null`: all
 */

/** @type {Wants} */
export const everything = { types: null, displays: null };

/** Of events that no display has. */
export const generalTypes = ["ambient", "schedule", "day", "preset", "health", "simulator", "default"];
/** Of events that each thing of its name has. */
export const namedTypes = ["schedule", "preset"];

/**
 * The events of one display.
 * @param {string[]} types
 * @param {string | null} [display]  an id or `all`; default: the default display
 * @returns {Wants}
 */
export function ofDisplay(types, display) {
  return { types, displays: display === "all" ? null : [display ?? ""] };
}

/** @param {Wants[]} all @returns {Wants} */
export function union(all) {
  const join = (some, more) => some && more && [...new Set([...some, ...more])];
  return all.reduce((sum, { types, displays }) => ({ types: join(sum.types, types), displays: join(sum.displays, displays) }), {
    types: [],
    displays: [],
  });
}

/** Whether a stream of `outer` has all that `inner` needs. @param {Wants} outer @param {Wants} inner */
export function includes(outer, inner) {
  const isWithin = (some, more) => !more || (some?.every((one) => more.includes(one)) ?? false);
  return isWithin(inner.types, outer.types) && isWithin(inner.displays, outer.displays);
}

/**
 * What to ask a server for. Without a default display, only what no display has, until there is one.
 * @param {Wants} wants
 * @param {string | null} [defaultDisplay]  not known yet without it: the server puts it in place of an empty id
 * @returns {Wants}
 */
export function resolve({ types, displays }, defaultDisplay = "") {
  const known = displays?.flatMap((id) => id || (defaultDisplay ?? [])) ?? null;
  const own = types && [...new Set([...types, "default"])];
  if (known?.length === 0) return { types: own ? own.filter((type) => generalTypes.includes(type)) : generalTypes, displays: [] };
  return { types: own, displays: known };
}

/** The parameters of a stream. @param {Wants} wants */
export function parameters({ types, displays }) {
  const list = (displays ?? []).map((id) => `display=${encodeURIComponent(id)}`);
  return types ? [`types=${types.join(",")}`, ...list] : list;
}
