// SPDX-License-Identifier: Apache-2.0
// The dashboard: collects the facts of the stream and shows them once a frame.

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

/** The holder of this tab’s boosts. It survives a reload, so that Restore still ends them. */
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
const simulator = new SimulatorPanel(showProblem, showSoon);
/** Loaded once a connection; later changes arrive as events. */
let isHistoryLoaded = false;

/** @param {string} text */
function showMessage(text) {
  element("message").textContent = text;
}

/** @param {Problem} problem */
function showProblem(problem) {
  if (problem.status === 401) access.ask(problem);
  else showMessage(problem.detail);
}

/** Sends a command to a display. Its effect arrives as an event. */
async function send(display, method, resource, body) {
  try {
    await request(method, `/v1/displays/${encodeURIComponent(display)}/${resource}`, body);
    showMessage("");
  } catch (error) {
    if (!(error instanceof BrightnessError)) throw error;
    showProblem(error.problem);
  }
}

/** Built-in displays come first, those of other machines last. */
const kinds = ["backlight", "ddc", "led", "simulated", "remote"];

/** @returns {DisplayState[]} in display order */
function inOrder() {
  const rank = ({ kind }) => kinds.indexOf(kind);
  const compare = (a, b) => rank(a) - rank(b) || a.id.localeCompare(b.id, undefined, { numeric: true });
  return [...states.values()].sort(compare);
}

let isFrameRequested = false;

function showSoon() {
  if (isFrameRequested) return;
  isFrameRequested = true;
  requestAnimationFrame(() => {
    isFrameRequested = false;
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

/** @returns {[string, string, string?]} the state of the connection and the daemon, its text and details */
function status() {
  if (condition.status === "lost") return ["lost", condition.problem?.title ?? "Connection lost, reconnecting"];
  if (condition.status === "connecting") return ["connecting", "Connecting"];
  const unavailable = [...states.values()].filter(({ available }) => !available).map(({ name }) => name);
  if (unavailable.length > 0) return ["missing", `${unavailable.join(", ")}: not available`];
  if (health?.journal.state !== "failing") return ["live", "Live"];
  return ["missing", "Live, but the journal fails: boosts would be lost in a crash", health.journal.detail ?? ""];
}

function showStatus() {
  const place = element("status");
  const [state, text, detail] = status();
  place.dataset.state = state;
  place.title = detail ?? "";
  if (place.textContent !== text) place.textContent = text;
  document.body.toggleAttribute("data-lost", state === "lost");
}

/** Loads the principal and scope of this page, which the stream does not report. */
async function loadCaller() {
  caller = await request("GET", "/v1/whoami").catch(() => null);
  showSoon();
}

/** Forgets all facts; the stream sends every current one again. */
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
        loadCaller();
        showMessage("");
      }
      condition = data;
      if (data.problem) showProblem(data.problem);
      break;
    case "brightness":
      states.set(data.id, data);
      history.take(data);
      break;
    case "boost":
      history.takeBoost(data);
    // falls through
    case "dim":
    case "wake":
    case "sleep":
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
