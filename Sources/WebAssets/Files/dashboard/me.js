// SPDX-License-Identifier: Apache-2.0
// The holder of what this browser changes, in each of its tabs and after a reload, so that Restore still ends its boosts.

import { forget, recall, remember } from "./memory.js";
import { element } from "./template.js";

const key = "brightness.holder";

/** The name that a person gave this browser, or a random one. */
export const me = recall("localStorage", key) ?? `dashboard-${Math.random().toString(36).slice(2, 7)}`;
remember("localStorage", key, me);

/** Lets a person name this browser. Every part of the page begins again with the name. */
export function offerName() {
  const field = element("my-name");
  if (!/^dashboard-[a-z0-9]+$/.test(me)) field.value = me;
  field.addEventListener("change", () => {
    const name = field.value.trim();
    if (name) remember("localStorage", key, name);
    else forget("localStorage", key);
    location.reload();
  });
}
