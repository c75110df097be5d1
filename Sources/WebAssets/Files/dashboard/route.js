// SPDX-License-Identifier: Apache-2.0
// The view of the page is in its URL: `/`, `/#displays/ID`, `/#wall`.

/** @typedef {{view: "all" | "display" | "wall", id: string | null}} Route */

/** @returns {Route} */
export function currentRoute() {
  const [view, id] = location.hash.slice(1).split("/");
  if (view === "wall") return { view: "wall", id: null };
  if (view !== "displays" || !id) return { view: "all", id: null };
  try {
    return { view: "display", id: decodeURIComponent(id) };
  } catch {
    return { view: "all", id: null };
  }
}

/** The address of a display’s card. @param {string} id */
export const hrefOf = (id) => `#displays/${encodeURIComponent(id)}`;

/** @param {() => void} listener */
export function onRoute(listener) {
  addEventListener("hashchange", listener);
}
