// SPDX-License-Identifier: Apache-2.0
// The dashboard: collects the facts of the stream and shows them once a frame.

import { listen, request } from "../brightness/daemon.js";
import { BrightnessGauge } from "../brightness/gauge.js";
import { Access } from "./access.js";
import { BulkBar } from "./bulk.js";
import { offerSettings } from "./button-settings.js";
import { Cards } from "./cards.js";
import { Colors } from "./colors.js";
import { handleProblems } from "./command.js";
import { facts } from "./facts.js";
import { guardSliders } from "./fingers.js";
import { HistoryPanel } from "./history.js";
import { HomeAssistantPanel } from "./home-assistant.js";
import { offerName } from "./me.js";
import { showMessage } from "./message.js";
import { Overview } from "./overview.js";
import { PresetsPanel } from "./presets.js";
import { rights } from "./rights.js";
import { showRoom } from "./room.js";
import { currentRoute, onRoute } from "./route.js";
import { SchedulesPanel } from "./schedules.js";
import { SimulatorPanel } from "./simulator.js";
import { showEmpty, showStatus } from "./status.js";
import { element, write } from "./template.js";
import { t, translate } from "./texts.js";
import { Wall } from "./wall.js";
import { leaseWords, setClock } from "./words.js";

// Alone: all elements of the module would be a fifth of the page's scripts.
customElements.define("brightness-gauge", BrightnessGauge);
translate(document);

/** From this many displays on they are a list. */
const many = 10;

const colors = new Colors();
const access = new Access(() => {
  forget();
  loadCaller();
});
const cards = new Cards();
const overview = new Overview();
/** For a few displays; the list of many has a bar of its own. */
const everyone = new BulkBar(element("everyone"), () => ({ ids: [...facts.states.keys()], kind: "all" }), false);
const wall = new Wall();
const history = new HistoryPanel();
const presets = new PresetsPanel();
const schedules = new SchedulesPanel();
const simulator = new SimulatorPanel(showSoon);
const homeAssistant = new HomeAssistantPanel();
/** Loaded once a connection; later changes arrive as events. */
let isHistoryLoaded = false;
/** Whether the daemon has sent all displays. */
let isComplete = false;

/** Of many displays, the one whose card is shown. */
let openedID = /** @type {string | null} */ (null);
/** As in the style sheet: the card of one of many takes the place of the list. */
const isNarrow = matchMedia("(max-width: 71.99rem)");

handleProblems(({ status, detail }, control) => {
  const card = /** @type {HTMLElement | null} */ (control.closest(".card"));
  if (status === 401) access.ask(true);
  else if (card) cards.report(card.dataset.display ?? "", detail);
  else showMessage(detail);
});

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
  const { states, ambient } = facts;
  const { view, id } = currentRoute();
  const status = showStatus(isComplete);
  // A part of the displays would move when the others come.
  if (facts.condition.status === "live" && !isComplete) return;
  const isMany = states.size >= many;
  const isWall = view === "wall";
  const { dataset } = document.body;
  dataset.displays = states.size === 1 ? "one" : isMany ? "many" : states.size > 1 ? "few" : "none";
  const opened = states.get(id ?? "");
  dataset.view = isWall ? "wall" : isMany && opened ? "display" : "all";
  element("wall").hidden = !isWall;
  document.querySelector("main")?.toggleAttribute("hidden", isWall);
  element("overview").hidden = !isMany;
  element("everyone").hidden = isMany || states.size < 2;
  showEmpty(isComplete);
  if (isWall) return wall.show(facts.condition.status === "live" ? t`Live` : status, facts.condition.status === "lost");
  // Whether what is above the schedules is as high as it will be.
  if (isComplete && (isMany ? overview.isArranged : states.size === 0 || history.hasAnswered)) dataset.settled = "";
  if (isMany) overview.show(opened?.id ?? null);
  if (!element("everyone").hidden) everyone.show();
  cards.show(isMany ? (opened ? [opened] : []) : facts.inOrder);
  follow(isMany ? (opened?.id ?? null) : null);
  showHistory(isMany, opened?.id ?? null);
  presets.show();
  schedules.show();
  homeAssistant.show();
  simulator.hideWithoutDisplays(states);
  simulator.allow(rights.maySimulate);
  showRoom(ambient, simulator.hasRoom);
  colors.setRoom(ambient?.appearance);
  showAccess();
}

/**
 * Where the card takes the place of the list, moves the view and the focus to the one that is shown now.
 * @param {string | null} id  the display that is opened
 */
function follow(id) {
  const before = openedID;
  openedID = id;
  if (id === before || !isNarrow.matches) return;
  if (id === null) return void (before && overview.reveal(before));
  scrollTo(0, 0);
  element("displays").querySelector("h2")?.focus({ preventScroll: true });
}

/** @param {boolean} isMany @param {string | null} opened */
function showHistory(isMany, opened) {
  if (isMany) {
    // That of a few is loaded again.
    isHistoryLoaded = false;
    return history.choose(opened);
  }
  history.offerDisplays(facts.inOrder, isComplete);
  if (!isHistoryLoaded && facts.states.size > 0) history.load().finally(showSoon);
  isHistoryLoaded ||= facts.states.size > 0;
}

function showAccess() {
  write(element("who"), rights.sentence);
  element("who").hidden = rights.sentence === "";
  element("sign-out").hidden = !access.isSignedIn;
  write(element("another-token"), access.isSignedIn ? t`Use another token` : t`Use a token`);
  element("read-only").hidden = rights.mayWrite;
}

/** Clears the page: what one person may see is not for the next. The stream sends what this one may see. */
function forget() {
  facts.forget();
  rights.caller = null;
  history.forget();
  simulator.forget();
  isHistoryLoaded = false;
  showMessage("");
  showSoon();
}

/** Loads the principal and scope of this page. Without a response, the known ones stay. */
async function loadCaller() {
  rights.caller = await request("GET", "/v1/whoami").catch(() => rights.caller);
  // Unknown rights count as all.
  if (rights.caller === null && facts.condition.status === "live") setTimeout(loadCaller, 5_000);
  overview.showRights();
  showSoon();
}

/** @param {import("../brightness/stream.js").Condition} condition */
function receiveCondition({ status, problem, clock }) {
  if (status === "live" && facts.condition.status !== "live") {
    isComplete = false;
    isHistoryLoaded = false;
    history.resume(facts.states.size >= many);
    setClock(clock);
    access.confirm();
    loadCaller();
    showMessage("");
  }
  if (status === "lost") history.markLost();
  if (problem?.status === 401) access.ask(false);
  else if (problem && problem.detail !== facts.condition.problem?.detail) showMessage(problem.detail);
}

element("host").textContent = location.host;
document.title = `${t`Brightness`} · ${location.host}`;
offerName();
listen((fact) => {
  const { name, data } = fact;
  if (name === "condition") receiveCondition(data);
  facts.receive(fact);
  if (name === "synced") isComplete = true;
  if (name === "state") history.receive(data);
  if (name in leaseWords) history.receiveLease(data);
  if (name === "ambient") history.receiveLight(data);
  if (name === "simulator") simulator.receive(data);
  if (name === "failure") cards.report(data.display, data.problem.detail);
  showSoon();
});
offerSettings(showSoon);
guardSliders();
onRoute(showSoon);
addEventListener("resize", () => currentRoute().view === "wall" && showSoon());
setInterval(() => {
  cards.tick();
  schedules.show();
  showStatus(isComplete);
  if (facts.states.size >= many || currentRoute().view === "wall") showSoon();
}, 1_000);
// A connection that takes long is not taken for one without displays.
setTimeout(showSoon, 3_000);
