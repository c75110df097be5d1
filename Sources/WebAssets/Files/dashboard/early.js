// SPDX-License-Identifier: Apache-2.0
// Applies the remembered colours before the page is painted. Not a module: modules run later.

try {
  const [, scheme] = (localStorage.getItem("brightness.colors") ?? "").split(":");
  if (scheme) document.documentElement.dataset.colors = scheme;
} catch {
  // Without storage the colours are the system's.
}
