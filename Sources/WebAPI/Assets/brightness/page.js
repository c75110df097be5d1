// SPDX-License-Identifier: Apache-2.0
// What tells this page, and its boosts, from others.

const randomName = () => crypto.getRandomValues(new Uint32Array(1))[0].toString(36).padStart(7, "0");

/** This page, for as long as it is loaded. */
export const page = randomName();

/** @type {Set<string>} the names of this page's holders */
const holdersInUse = new Set();

/**
 * A name that no other holder of this page has.
 * @param {string | null} [wish]
 */
export function takeHolderName(wish) {
  const base = wish || `page-${page}`;
  let name = base;
  for (let count = 2; holdersInUse.has(name); count += 1) name = `${base} (${count})`;
  holdersInUse.add(name);
  return name;
}

/** @param {string} name */
export function releaseHolderName(name) {
  holdersInUse.delete(name);
}
