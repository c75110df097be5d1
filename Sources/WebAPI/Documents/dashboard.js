// SPDX-License-Identifier: Apache-2.0
// The first page: every display's live value, and two buttons. The buttons only send; whatever is shown comes from the
// event stream.

/** Names this page as a holder, so that Restore gives back what Boost took here, and nobody else's. */
const holder = `page-${Array.from(crypto.getRandomValues(new Uint8Array(4)), (byte) => byte.toString(16)).join("")}`;

const displays = document.querySelector("#displays");
const template = document.querySelector("#display");
const message = document.querySelector("#message");
const status = document.querySelector("#status");

/** @type {Map<string, Record<string, HTMLElement>>} the parts of each display's card, by the display's id */
const cards = new Map();

function addCard(state) {
  const card = template.content.firstElementChild.cloneNode(true);
  const parts = { card };
  for (const part of card.querySelectorAll("[data-part]")) parts[part.dataset.part] = part;
  parts.boost.addEventListener("click", () => send(state.id, "boosts", { holder, ttl: 60, reason: "dashboard" }));
  parts.restore.addEventListener("click", () => send(state.id, "restore", { holder }));
  displays.append(card);
  cards.set(state.id, parts);
  return parts;
}

function show(state) {
  const parts = cards.get(state.id) ?? addCard(state);
  parts.name.textContent = state.name;
  parts.percent.textContent = `${state.percent} %`;
  parts.meter.value = state.brightness;
  parts.meter.textContent = `${state.percent} %`;
  parts.meter.setAttribute("aria-label", `Brightness of ${state.name}`);
  parts.baseline.textContent = describeBoost(state);
  parts.cause.textContent = describeCause(state);
}

function describeBoost({ boost, baseline, available }) {
  if (!available) return "Not available: the panel is unplugged or does not take its brightness.";
  if (!boost) return "Not boosted.";
  const held = boost.leases === 1 ? "one boost" : `${boost.leases} boosts`;
  const back = `afterwards ${Math.round(baseline * 100)} %`;
  return boost.overridden ? `Held by ${held}, but somebody changed the panel meanwhile.` : `Held by ${held}; ${back}.`;
}

function describeCause({ cause }) {
  const verbs = {
    api: "Set",
    boost: "Boosted",
    restore: "Restored",
    expired: "A boost ended in time",
    external: "Changed at the panel or by another program",
    connected: "Connected",
  };
  const by = cause.by ? ` by ${cause.by}` : "";
  const reason = cause.reason ? ` (${cause.reason})` : "";
  return `${verbs[cause.kind] ?? cause.kind}${by}${reason} at ${new Date(cause.at).toLocaleTimeString()}.`;
}

async function send(id, verb, body) {
  message.textContent = "";
  try {
    const answer = await fetch(`/v1/displays/${encodeURIComponent(id)}/${verb}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) message.textContent = (await answer.json()).detail;
  } catch {
    message.textContent = "The server does not answer.";
  }
}

const events = new EventSource("/v1/events?types=brightness");
events.addEventListener("brightness", (event) => show(JSON.parse(event.data)));
events.addEventListener("open", () => {
  status.textContent = "live";
  displays.removeAttribute("data-lost");
});
events.addEventListener("error", () => {
  status.textContent = "connection lost, trying again";
  displays.setAttribute("data-lost", "");
});
