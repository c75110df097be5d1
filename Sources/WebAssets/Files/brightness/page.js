// SPDX-License-Identifier: Apache-2.0
// The names that distinguish this page and its boosts from others.

const randomName = () => crypto.getRandomValues(new Uint32Array(1))[0].toString(36).padStart(7, "0");

/** The random name of this page, until it is loaded again. */
export const page = randomName();

/** @type {Set<string>} the names of this page's holders */
const holdersInUse = new Set();

/**
 * Returns a name that no other holder of this page has.
 * @param {string | null} [preferred]
 */
export function takeHolderName(preferred) {
  const base = preferred || `page-${page}`;
  let name = base;
  for (let count = 2; holdersInUse.has(name); count += 1) name = `${base} (${count})`;
  holdersInUse.add(name);
  return name;
}

/** @param {string} name */
export function releaseHolderName(name) {
  holdersInUse.delete(name);
}
