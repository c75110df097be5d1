// SPDX-License-Identifier: Apache-2.0
// Applies the remembered colours before the page is painted, and asks for the events while the modules are on their
// way. Not a module: modules run later.

try {
  const [, scheme] = (localStorage.getItem("brightness.colors") ?? "").split(":");
  if (scheme) document.documentElement.dataset.colors = scheme;

  const token = sessionStorage.getItem("brightness.token") ?? localStorage.getItem("brightness.token");
  const connection = new AbortController();
  const ask = async () => {
    const { held = [] } = (await navigator.locks?.query()) ?? {};
    // Another tab reads the events for all.
    if (held.some(({ name }) => name?.startsWith("brightness stream "))) return null;
    const askedAt = Date.now();
    const headers = { Accept: "text/event-stream", ...(token && { Authorization: `Bearer ${token}` }) };
    const response = await fetch(new URL("v1/events", location.href), { headers, cache: "no-store", signal: connection.signal });
    return { response, middle: (askedAt + Date.now()) / 2 };
  };
  // A link may bring another token.
  if (document.visibilityState === "visible" && !location.hash.startsWith("#token=")) {
    Object.assign(globalThis, { earlyEvents: { token, connection, answer: ask().catch(() => null) } });
  }
} catch {
  // Without storage the colours are the system's, and the modules ask for the events.
}
