// SPDX-License-Identifier: Apache-2.0
// The dashboard: takes what the stream tells, and shows it once a frame.

import { BrightnessError, listen, request } from "./brightness.js";
import { Access } from "./dashboard/access.js";
import { Card } from "./dashboard/card.js";
import { HistoryPanel } from "./dashboard/history.js";
import { recall, remember } from "./dashboard/memory.js";
import { showRoom } from "./dashboard/room.js";
import { Tips } from "./dashboard/tips.js";
import { setClock } from "./dashboard/words.js";

/**
 * @typedef {import("./brightness/display.js").DisplayState} DisplayState
 * @typedef {import("./brightness/display.js").Lease} Lease
 * @typedef {import("./brightness/gauge.js").Ambient} Ambient
 * @typedef {import("./brightness/server.js").Problem} Problem
 */

const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** Whose boosts are this tab's: Restore gives back what Boost took here, also after a reload. */
const me = recall("sessionStorage", "brightness.holder") ?? `dashboard-${Math.random().toString(36).slice(2, 7)}`;
remember("sessionStorage", "brightness.holder", me);

/** @type {Map<string, DisplayState>} in the order in which they are shown */
const states = new Map();
/** @type {Map<string, Lease>} */
const leases = new Map();
/** @type {Map<string, Card>} */
const cards = new Map();
/** @type {Ambient | null} */
let ambient = null;
/** @type {{state: string, detail: string | null} | null} */
let journal = null;
/** @type {import("./brightness/feed.js").Condition} */
let condition = { status: "connecting", problem: null };

const access = new Access();
const tips = new Tips();
const history = new HistoryPanel(me);

/** @param {string} text */
function say(text) {
  element("message").textContent = text;
}

/** @param {Problem} problem */
function complain(problem) {
  if (problem.status === 401) access.ask(problem);
  else say(problem.detail);
}

/** Asks something of a display. What comes of it is told by the stream. */
async function send(display, method, resource, body) {
  try {
    await request(method, `/v1/displays/${encodeURIComponent(display)}/${resource}`, body);
    say("");
  } catch (error) {
    if (!(error instanceof BrightnessError)) throw error;
    complain(error.problem);
  }
}

/** What the stream does not tell: the order of the displays, which of them are gone, and the time. */
async function greet() {
  try {
    fetch("/livez").then(setClock, () => {});
    askHealth();
    const { displays } = await request("GET", "/v1/displays");
    for (const id of [...states.keys()]) if (!displays.some((state) => state.id === id)) states.delete(id);
    for (const state of displays) {
      const known = states.get(state.id) ?? state;
      states.delete(state.id);
      states.set(state.id, known);
    }
    const shown = [...element("displays").children];
    const wanted = [...states.keys()].flatMap((id) => cards.get(id)?.element ?? []);
    if (wanted.some((card, index) => card !== shown[index])) element("displays").append(...wanted);
    showSoon();
    history.offer([...states.values()]);
    await history.load();
  } catch (error) {
    if (!(error instanceof BrightnessError)) throw error;
  }
}

/** Whether boosts survive a crash; of the displays the stream tells. */
async function askHealth() {
  const health = await request("GET", "/readyz").catch(() => null);
  journal = health?.journal ?? null;
  showSoon();
}

let isFrameAsked = false;

function showSoon() {
  if (isFrameAsked) return;
  isFrameAsked = true;
  requestAnimationFrame(() => {
    isFrameAsked = false;
    show();
  });
}

function show() {
  for (const [id, card] of cards) {
    if (states.has(id)) continue;
    card.element.remove();
    cards.delete(id);
  }
  for (const [id, state] of states) {
    const card = cards.get(id) ?? new Card(state, me, (...what) => send(id, ...what));
    if (!cards.has(id)) {
      cards.set(id, card);
      element("displays").append(card.element);
    }
    card.show(state, [...leases.values()].filter(({ display }) => display === id), ambient?.source === "sensor");
  }
  showStatus();
  showRoom(ambient);
  history.offer([...states.values()]);
  document.body.dataset.displays = states.size === 1 ? "one" : "many";
  if (states.size > 0) tips.show("boost");
  if ([...states.values()].some(({ boost }) => boost !== null)) tips.show("baseline");
  if (ambient?.source === "brightness") tips.show("standIn");
}

/** @returns {[string, string, string?]} what to show of the connection and the daemon: a state, a text, the details */
function health() {
  if (condition.status === "lost") return ["lost", condition.problem?.title ?? "Connection lost, trying again"];
  if (condition.status === "connecting") return ["connecting", "Connecting"];
  const missing = [...states.values()].filter(({ available }) => !available).map(({ name }) => name);
  if (missing.length > 0) return ["missing", `${missing.join(", ")}: not available`];
  if (journal?.state !== "failing") return ["live", "Live"];
  return ["missing", "Live, but boosts would not survive a crash", journal.detail ?? ""];
}

function showStatus() {
  const status = element("status");
  const [state, text, detail] = health();
  status.dataset.state = state;
  status.title = detail ?? "";
  if (status.textContent !== text) status.textContent = text;
  document.body.toggleAttribute("data-lost", state === "lost");
}

element("host").textContent = location.host;
listen(({ name, data }) => {
  switch (name) {
    case "condition":
      if (data.status === "live" && condition.status !== "live") {
        leases.clear();
        say("");
        greet();
      }
      condition = data;
      if (data.problem) complain(data.problem);
      break;
    case "brightness":
      states.set(data.id, data);
      history.hear(data);
      break;
    case "boost":
      if (["granted", "renewed"].includes(data.change)) leases.set(data.lease.id, data.lease);
      else leases.delete(data.lease.id);
      break;
    case "ambient":
      ambient = data;
      break;
    case "display":
      if (data.change !== "removed") break;
      states.delete(data.id);
      for (const [id, { display }] of leases) if (display === data.id) leases.delete(id);
  }
  showSoon();
});
setInterval(() => {
  if (condition.status === "live" && document.visibilityState === "visible") askHealth();
}, 60_000);
setInterval(() => {
  for (const card of cards.values()) card.tick();
}, 1_000);
