// SPDX-License-Identifier: Apache-2.0
import { request } from "../brightness/daemon.js";
import { BrightnessError, Server } from "../brightness/server.js";
import { drawChart } from "./chart.js";
import { timeText } from "./formats.js";
import { t } from "./texts.js";
import { changeSentence, now } from "./words.js";

/**
 * @typedef {import("../brightness/display.js").DisplayState} DisplayState
 */

/**
 * @typedef {object} Band  A lease over time.
 * @property {import("../brightness/display.js").Lease["kind"]} kind
 * @property {string | null} holder
 * @property {string | null} reason
 * @property {string} from
 * @property {string | null} to
 * @property {string | null} [end]
 */

/**
 * @typedef {object} History  As `GET /v1/history` answers.
 * @property {string} display
 * @property {string} from
 * @property {string} to
 * @property {number} step  in seconds
 * @property {{at: string, brightness: number | null, baseline: number | null, on: boolean | null, illuminance?: number | null}[]} points
 * @property {number | null} [lowest]  of the time that was loaded
 * @property {number | null} [highest]
 * @property {Band[]} leases
 */

/** How often the chart moves on while nothing happens. */
const pace = 15_000;
const pointsWanted = 360;
const pointsDrawn = 4 * pointsWanted;
/** At first; the rest is shown at a click. */
const changesShown = 6;
const changesKept = 50;
/** The list is read again at most this often, in milliseconds. */
const changesPace = 1_000;
/** Facts of a shorter time are not drawn, in milliseconds. */
const shortestLine = 5_000;

/**
 * The section with the last hour, day or week: loaded once, then extended by the events of the stream. It is hidden if the
 * server has no history.
 */
export class HistoryPanel {
  #section = /** @type {HTMLElement} */ (document.getElementById("history"));
  #part = (name) => /** @type {any} */ (this.#section.querySelector(`[data-part=${name}]`));
  /** @type {History | null} */
  #history = null;
  /** The time of the response, in milliseconds. */
  #loadedAt = 0;
  #isMissing = false;
  #isDrawingSoon = false;
  #firstLineTimer = 0;
  #isLoading = false;
  /** Whether a request was answered, or failed: its section is as high as it will be. */
  hasAnswered = false;
  /** The display of the pending request. */
  #loadingDisplay = "";
  /** @type {((history: History) => void)[]}  the events since the pending request */
  #additions = [];
  /** The number of requests: only the response to the last one counts. */
  #requests = 0;
  /** The newest first. @type {import("./words.js").Change[]} */
  #changes = [];
  /** The number of requests for changes: only the response to the last one counts. */
  #changeRequests = 0;
  #changesLoadedAt = 0;
  #areChangesDue = false;
  /** The id of the chosen display; empty for the first. */
  #chosen = "";
  #showsAll = false;
  #isLost = false;
  /** The time whose values are shown. @type {{time: number | null}} */
  #cursor = { time: null };

  constructor() {
    this.#section.addEventListener("change", ({ target }) => {
      if (target === this.#part("time")) return;
      if (!this.#part("display").hidden) this.#chosen = this.#part("display").value;
      this.load();
    });
    this.#part("more").addEventListener("click", () => {
      this.#showsAll = !this.#showsAll;
      this.#showChanges();
    });
    this.#part("save").addEventListener("click", () => this.#save("history"));
    this.#part("save-changes").addEventListener("click", () => this.#save("changes"));
    new ResizeObserver(() => this.#draw()).observe(this.#part("chart"));
    document.addEventListener("visibilitychange", () => this.#isMissing || this.load());
    setInterval(() => this.#advance(), pace);
  }

  /**
   * Offers the displays whose history can be shown. One that is gone gives way to the first.
   * @param {DisplayState[]} states
   * @param {boolean} isComplete  whether these are all
   */
  offerDisplays(states, isComplete) {
    const select = this.#part("display");
    select.hidden = states.length < 2;
    this.#section.classList.remove("aside");
    const shown = this.#chosen || (this.#history?.display ?? "");
    const isGone = isComplete && states.length > 0 && shown !== "" && !states.some(({ id }) => id === shown);
    if (isGone) this.#chosen = "";
    const known = [...select.options].map(({ value, textContent }) => [value, textContent]);
    if (JSON.stringify(known) !== JSON.stringify(states.map(({ id, name }) => [id, name]))) {
      select.replaceChildren(...states.map(({ id, name }) => new Option(name, id, false, id === shown)));
    }
    if (!isGone) return;
    this.#history = null;
    this.load();
  }

  /** Hides the history, and forgets it. */
  forget() {
    this.#requests += 1;
    this.#isLoading = false;
    this.#history = null;
    this.#changeRequests += 1;
    this.#changes = [];
    this.#section.hidden = true;
    this.#part("causes").replaceChildren();
    this.#part("chart").replaceChildren();
  }

  /** Marks the state as unknown from now on: the connection is lost. */
  markLost() {
    this.#isLost = true;
    const unknown = { brightness: null, baseline: null, on: null, illuminance: null };
    // Each attempt to connect that fails reports it again.
    this.#add((history) => history.points.at(-1)?.baseline === null || this.#extend(history, unknown));
  }

  /**
   * The connection is back.
   * @param {boolean} loads  What happened without it; if not, the page calls `load` once it has the displays.
   */
  resume(loads) {
    const wasLost = this.#isLost;
    this.#isLost = false;
    if (loads && wasLost && this.#history) this.load();
  }

  /** Shows the history of one of many displays, or none. @param {string | null} id */
  choose(id) {
    this.#part("display").hidden = true;
    this.#section.classList.add("aside");
    if (id === null) {
      // Until one is opened, nothing loads it.
      this.forget();
      this.#isMissing = true;
    } else if (id !== this.#chosen || this.#section.hidden) {
      this.#chosen = id;
      if (!this.#isLoading || this.#loadingDisplay !== id) this.load();
    }
  }

  /** Adds a display’s new state to the chart, and reads the list of changes again. @param {DisplayState} state */
  receive({ id, brightness, baseline, power, available }) {
    const on = power?.on ?? true;
    const values = available ? { brightness, baseline, on } : { brightness: null, baseline, on: null };
    this.#add((history) => id === history.display && this.#extend(history, values));
    if (id === this.#history?.display) this.#loadChangesSoon();
  }

  /** @param {import("../brightness/ambient.js").Ambient} ambient */
  receiveLight({ illuminance }) {
    this.#add((history) => this.#extend(history, { illuminance }));
  }

  /** @param {{lease: import("../brightness/display.js").Lease, change: string, display: string}} event */
  receiveLease({ lease: { kind, holder, reason, grantedAt }, change, display }) {
    this.#add(({ display: shown, leases }) => {
      if (display !== shown || change === "renewed") return;
      // Two clients may have leases of one holder name.
      const held = leases.find((band) => band.kind === kind && band.holder === holder && band.from === grantedAt && band.to === null);
      if (change !== "granted") held && Object.assign(held, { to: new Date(now()).toISOString(), end: change });
      else if (!held) leases.push({ kind, holder, reason, from: grantedAt, to: null });
    });
  }

  /** Adds a change to the history, and to the response of a pending request. @param {(history: History) => void} addition */
  #add(addition) {
    // It is loaded again once the page is visible, and would grow until then.
    if (document.visibilityState !== "visible" && !this.#isLost) return;
    if (this.#isLoading) this.#additions.push(addition);
    if (!this.#history) return;
    addition(this.#history);
    this.#advanceSoon();
  }

  /** @param {History} history @param {object} values  the changed values */
  #extend({ points }, values) {
    const last = points.at(-1);
    const at = new Date(now()).toISOString();
    const point = { brightness: null, baseline: null, on: null, ...last, ...values, at };
    if (last && Date.parse(at) - Date.parse(last.at) < 500) points.pop();
    points.push(point);
  }

  #advanceSoon() {
    if (this.#isMissing || this.#isDrawingSoon) return;
    this.#isDrawingSoon = true;
    requestAnimationFrame(() => {
      this.#isDrawingSoon = false;
      this.#advance();
    });
  }

  /** The first line of a chart does not wait for the next pace. @param {number} wait  in milliseconds */
  #advanceIn(wait) {
    clearTimeout(this.#firstLineTimer);
    this.#firstLineTimer = setTimeout(() => this.#advance(), wait);
  }

  /** Moves the end of the chart to now. */
  #advance() {
    const history = this.#history;
    if (!history || document.visibilityState !== "visible") return;
    const passed = now() - Date.parse(history.to);
    const from = Date.parse(history.from) + passed;
    history.from = new Date(from).toISOString();
    history.to = new Date(now()).toISOString();
    // The last point before the beginning holds until the first one after it.
    const first = history.points.findIndex(({ at }) => Date.parse(at) > from) - 1;
    if (first > 0) history.points.splice(0, first);
    history.leases = history.leases.filter(({ to }) => to === null || Date.parse(to) > from);
    // Too many points to draw: the server thins them out. The lowest and the highest value may have left the time.
    const isOld = now() - this.#loadedAt > (Date.parse(history.to) - Date.parse(history.from)) / 4;
    if ((history.points.length > pointsDrawn || isOld) && !this.#isLoading) this.load();
    this.#draw();
  }

  /** The parameters of `GET /v1/history` for the chosen display and time. */
  get #query() {
    return this.#queryOf(Number(/** @type {HTMLInputElement} */ (this.#section.querySelector("input:checked")).value));
  }

  /** @param {number} seconds  until now */
  #queryOf(seconds) {
    const to = now();
    const query = new URLSearchParams({
      from: new Date(to - seconds * 1_000).toISOString(),
      to: new Date(to).toISOString(),
      step: `${Math.ceil(seconds / pointsWanted)}`,
    });
    const display = this.#chosen || this.#part("display").value;
    if (display) query.set("display", display);
    return query;
  }

  /**
   * Saves the shown time, or every change that is kept, as a table. A link could neither send the token nor ask for CSV.
   * @param {"history" | "changes"} what
   */
  async #save(what) {
    const query = this.#query;
    const to = query.get("to");
    const display = query.get("display") ?? this.#history?.display ?? "";
    const path = what === "history" ? `/v1/history?${query}` : `/v1/history/changes?${new URLSearchParams({ display, limit: "1000" })}`;
    const failed = this.#part("unsaved");
    failed.hidden = true;
    try {
      const file = URL.createObjectURL(await Server.at().file(path, "text/csv"));
      const link = document.createElement("a");
      link.href = file;
      link.download = `${display} ${what === "changes" ? "changes " : ""}${to}.csv`;
      link.click();
      URL.revokeObjectURL(file);
    } catch (error) {
      if (!(error instanceof BrightnessError)) throw error;
      failed.textContent = error.problem.detail;
      failed.hidden = false;
    }
  }

  /** Loads the history from the server. */
  async load() {
    if (document.visibilityState !== "visible") return;
    const query = this.#query;
    const display = query.get("display") ?? "";
    this.#loadingDisplay = display;
    const number = ++this.#requests;
    this.#isLoading = true;
    this.#additions = [];
    try {
      const history = await this.#complete(await request("GET", `/v1/history?${query}`));
      if (number !== this.#requests) return;
      for (const addition of this.#additions) addition(history);
      this.#history = history;
      this.#loadedAt = now();
      this.#isMissing = false;
      this.#section.hidden = false;
      this.#draw();
      await this.#loadChanges();
    } catch (error) {
      if (!(error instanceof BrightnessError)) throw error;
      if (number === this.#requests && [404, 409].includes(error.problem.status)) {
        this.#history = null;
        this.#isMissing = true;
        this.#section.hidden = true;
      }
    } finally {
      if (number === this.#requests) this.#isLoading = false;
      this.hasAnswered = true;
    }
  }

  /** Of a time of which only an end is known, the known part with points closer together. @param {History} history */
  async #complete(history) {
    const { from, to, step, points } = history;
    const first = points.find(({ brightness }) => typeof brightness === "number");
    const known = step + (first ? (Date.parse(to) - Date.parse(first.at)) / 1_000 : 0);
    if (step < 60 || known > (step * pointsWanted) / 4) return history;
    return { ...(await request("GET", `/v1/history?${this.#queryOf(Math.ceil(known))}`)), from };
  }

  #loadChangesSoon() {
    if (this.#areChangesDue) return;
    this.#areChangesDue = true;
    const wait = this.#changesLoadedAt + changesPace - performance.now();
    setTimeout(() => this.#loadChanges(), Math.max(0, wait));
  }

  /** Loads the list of changes. It does not depend on the shown time. */
  async #loadChanges() {
    this.#areChangesDue = false;
    const display = this.#history?.display;
    if (!display || this.#isLost || document.visibilityState !== "visible") return;
    this.#changesLoadedAt = performance.now();
    const number = ++this.#changeRequests;
    try {
      const { changes } = await request("GET", `/v1/history/changes?${new URLSearchParams({ display, limit: `${changesKept}` })}`);
      if (number !== this.#changeRequests) return;
      this.#changes = changes;
      this.#showChanges();
    } catch (error) {
      // The list stays as it was, until the next change.
      if (!(error instanceof BrightnessError)) throw error;
    }
  }

  #draw() {
    if (!this.#history) return;
    const { points, to } = this.#history;
    const first = points.find(({ brightness }) => typeof brightness === "number");
    const missing = first ? shortestLine - (Date.parse(to) - Date.parse(first.at)) : Infinity;
    const isEmpty = missing > 0;
    if (isEmpty && first) this.#advanceIn(missing);
    for (const name of ["chart", "legend"]) this.#part(name).hidden = isEmpty;
    this.#part("none").hidden = !isEmpty;
    this.#part("time").hidden = isEmpty;
    if (isEmpty) return;
    const parts = { container: this.#part("chart"), legend: this.#part("legend"), slider: this.#part("time") };
    drawChart(parts, this.#history, this.#cursor);
  }

  #showChanges() {
    const changes = this.#changes;
    const more = this.#part("more");
    more.hidden = changes.length <= changesShown;
    more.textContent = this.#showsAll ? t`Show fewer` : t`Show all ${changes.length}`;
    const items = changes.slice(0, this.#showsAll ? changesKept : changesShown).map((change) => {
      const item = document.createElement("li");
      const time = document.createElement("time");
      const at = new Date(change.cause.at);
      time.dateTime = change.cause.at;
      const isToday = at.toDateString() === new Date(now()).toDateString();
      /** @type {Intl.DateTimeFormatOptions} */
      const style = isToday ? { timeStyle: "medium" } : { weekday: "short", hour: "numeric", minute: "2-digit" };
      time.textContent = timeText(at, style);
      const text = document.createElement("span");
      text.textContent = changeSentence(change);
      item.append(time, text);
      return item;
    });
    this.#part("causes").replaceChildren(...(items.length > 0 ? items : [t`No changes yet.`]));
  }
}
