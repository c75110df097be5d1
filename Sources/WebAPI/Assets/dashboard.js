// SPDX-License-Identifier: Apache-2.0
// The dashboard: takes what the stream tells, and shows it once a frame.

import { BrightnessError, listen, request } from "./brightness.js";
import { Access } from "./dashboard/access.js";
import { Card } from "./dashboard/card.js";
import { HistoryPanel } from "./dashboard/history.js";
import { recall, remember } from "./dashboard/memory.js";
import { showRoom } from "./dashboard/room.js";
import { SimulatorPanel } from "./dashboard/simulator.js";
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

/** @type {Map<string, DisplayState>} */
const states = new Map();
/** @type {Map<string, Lease>} */
const leases = new Map();
/** @type {Map<string, Card>} */
const cards = new Map();
/** @type {Ambient | null} */
let ambient = null;
/** @type {{journal: {state: string, detail: string | null}} | null}  as `GET /readyz` answers */
let health = null;
/** @type {import("./dashboard/card.js").Caller | null} */
let caller = null;
/** @type {import("./brightness/stream.js").Condition} */
let condition = { status: "connecting", problem: null };

const access = new Access();
const tips = new Tips();
const history = new HistoryPanel(me);
const simulator = new SimulatorPanel(complain, showSoon);
/** Once a connection: what happens while it lasts is reported. */
let isHistoryLoaded = false;

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

/** Built-in displays come first, those of other machines last. */
const kinds = ["backlight", "ddc", "led", "simulated", "remote"];

/** @returns {DisplayState[]} in the order in which they are shown */
function inOrder() {
  const rank = ({ kind }) => kinds.indexOf(kind);
  const compare = (a, b) => rank(a) - rank(b) || a.id.localeCompare(b.id, undefined, { numeric: true });
  return [...states.values()].sort(compare);
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
  const shown = inOrder();
  for (const state of shown) {
    const { id } = state;
    const card = cards.get(id) ?? new Card(state, me, (...what) => send(id, ...what));
    cards.set(id, card);
    card.show(state, [...leases.values()].filter(({ display }) => display === id), ambient?.source === "sensor", caller);
  }
  const [wanted, placed] = [shown.flatMap(({ id }) => cards.get(id)?.element ?? []), element("displays").children];
  if (wanted.some((card, index) => card !== placed[index])) element("displays").append(...wanted);
  showStatus();
  history.offer(shown);
  if (!isHistoryLoaded && states.size > 0) history.load();
  isHistoryLoaded ||= states.size > 0;
  simulator.offer(shown);
  showRoom(ambient, simulator.isThere);
  document.body.dataset.displays = states.size === 1 ? "one" : "many";
  if (states.size > 0) tips.show("boost");
  if ([...states.values()].some(({ boost }) => boost !== null)) tips.show("baseline");
  if (ambient?.source === "brightness") tips.show("standIn");
}

/** @returns {[string, string, string?]} what to show of the connection and the daemon: a state, a text, the details */
function status() {
  if (condition.status === "lost") return ["lost", condition.problem?.title ?? "Connection lost, trying again"];
  if (condition.status === "connecting") return ["connecting", "Connecting"];
  const missing = [...states.values()].filter(({ available }) => !available).map(({ name }) => name);
  if (missing.length > 0) return ["missing", `${missing.join(", ")}: not available`];
  if (health?.journal.state !== "failing") return ["live", "Live"];
  return ["missing", "Live, but boosts would not survive a crash", health.journal.detail ?? ""];
}

function showStatus() {
  const place = element("status");
  const [state, text, detail] = status();
  place.dataset.state = state;
  place.title = detail ?? "";
  if (place.textContent !== text) place.textContent = text;
  document.body.toggleAttribute("data-lost", state === "lost");
}

/** Who this page is to the daemon: the only thing it shows that is not about a display, and so not on the stream. */
async function learnCaller() {
  caller = await request("GET", "/v1/whoami").catch(() => null);
  showSoon();
}

/** Everything there is follows. */
function forget() {
  states.clear();
  leases.clear();
}

element("host").textContent = location.host;
listen(({ name, data }) => {
  switch (name) {
    case "condition":
      if (data.status === "live" && condition.status !== "live") {
        if (!data.isResumed) forget();
        isHistoryLoaded = false;
        setClock(data.clock);
        learnCaller();
        say("");
      }
      condition = data;
      if (data.problem) complain(data.problem);
      break;
    case "brightness":
      states.set(data.id, data);
      history.take(data);
      break;
    case "boost":
      history.takeBoost(data);
      if (["granted", "renewed"].includes(data.change)) leases.set(data.lease.id, data.lease);
      else leases.delete(data.lease.id);
      break;
    case "ambient":
      ambient = data;
      history.takeLight(data);
      break;
    case "health":
      health = data;
      break;
    case "room":
      simulator.take(data);
      break;
    case "reset":
      forget();
      break;
    case "display":
      if (data.change !== "removed") break;
      states.delete(data.id);
      for (const [id, { display }] of leases) if (display === data.id) leases.delete(id);
  }
  showSoon();
});
setInterval(() => {
  for (const card of cards.values()) card.tick();
}, 1_000);
