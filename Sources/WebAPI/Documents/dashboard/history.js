// SPDX-License-Identifier: Apache-2.0
import { BrightnessError, request } from "../brightness.js";
import { drawChart } from "./chart.js";
import { now, sentence } from "./words.js";

/**
 * @typedef {object} History  As `GET /v1/history` answers.
 * @property {string} display
 * @property {string} from
 * @property {string} to
 * @property {{at: string, brightness: number | null, baseline: number | null, illuminance?: number | null}[]} points
 * @property {{holder: string | null, reason: string | null, from: string, to: string | null}[]} boosts
 * @property {import("./words.js").Cause[]} causes
 */

const refresh = 15_000;
const pointsWanted = 360;
const causesShown = 6;
const causesHeard = 50;

/** The section with the last hour, day or week. It is there when the server has a history. */
export class HistoryPanel {
  #me;
  #section = /** @type {HTMLElement} */ (document.getElementById("history"));
  #part = (name) => /** @type {any} */ (this.#section.querySelector(`[data-part=${name}]`));
  #timer = 0;
  /** @type {History | null} */
  #history = null;
  #isMissing = false;
  #isLoadingSoon = false;
  /** How often it has asked: only the last answer counts. */
  #asked = 0;
  /** @type {(import("./words.js").Cause & {display: string})[]} */
  #heard = [];
  /** The display that a person has chosen; else it is the first. */
  #chosen = "";

  /** @param {string} me  This page's holder. */
  constructor(me) {
    this.#me = me;
    this.#section.addEventListener("change", () => {
      this.#chosen = this.#part("display").value;
      this.load();
    });
    new ResizeObserver(() => this.#draw()).observe(this.#part("chart"));
    document.addEventListener("visibilitychange", () => this.#isMissing || this.load());
  }

  /** @param {import("../brightness/display.js").DisplayState[]} states */
  offer(states) {
    const select = this.#part("display");
    select.hidden = states.length < 2;
    const known = [...select.options].map((option) => option.value);
    if (known.join(" ") === states.map(({ id }) => id).join(" ")) return;
    select.replaceChildren(...states.map(({ id, name }) => new Option(name, id, false, id === this.#chosen)));
  }

  /**
   * Something has changed: the end of the chart is out of date. A history has the last cause of each of its steps; what is
   * heard here is every one.
   * @param {import("../brightness/display.js").DisplayState} state
   */
  hear({ id, cause }) {
    this.#heard = [...this.#heard, { ...cause, display: id }].slice(-causesHeard);
    if (this.#isMissing) return;
    if (this.#timer === 0) {
      // An answer is on its way, which may be from before this.
      this.#isLoadingSoon = true;
      return;
    }
    this.#list();
    if (this.#isLoadingSoon) return;
    this.#isLoadingSoon = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.load(), 1_000);
  }

  /** Asks the server, from now on regularly; if it has no history, not again until this is called. */
  async load() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#isLoadingSoon = false;
    if (document.visibilityState !== "visible") return;
    const seconds = Number(/** @type {HTMLInputElement} */ (this.#section.querySelector("input:checked")).value);
    const to = now();
    const from = to - seconds * 1_000;
    const query = new URLSearchParams({
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      step: `${Math.ceil(seconds / pointsWanted)}`,
    });
    const display = this.#part("display").value;
    if (display) query.set("display", display);
    const asked = ++this.#asked;
    try {
      const history = await request("GET", `/v1/history?${query}`);
      if (asked !== this.#asked) return;
      this.#history = history;
      this.#isMissing = false;
      this.#section.hidden = false;
      this.#draw();
      this.#list();
    } catch (error) {
      if (error instanceof BrightnessError && [404, 409].includes(error.problem.status)) {
        this.#isMissing = true;
        this.#section.hidden = true;
      }
    }
    if (this.#isMissing || asked !== this.#asked) return;
    this.#timer ||= setTimeout(() => this.load(), this.#isLoadingSoon ? 1_000 : refresh);
  }

  #draw() {
    if (this.#history) drawChart(this.#part("chart"), this.#part("legend"), this.#history, this.#me);
  }

  #list() {
    const known = this.#history?.causes ?? [];
    const heard = this.#heard.filter(({ display }) => display === this.#history?.display);
    // The same one has the same time, give or take what two clocks differ by.
    const when = ({ at }) => Date.parse(at);
    const isHeard = (cause) => heard.some((one) => one.kind === cause.kind && Math.abs(when(one) - when(cause)) < 10);
    const all = [...known.filter((cause) => !isHeard(cause)), ...heard];
    const causes = new Map(all.map((cause) => [`${cause.at} ${cause.kind}`, cause]));
    const newest = [...causes.values()].sort((a, b) => when(b) - when(a)).slice(0, causesShown);
    const items = newest.map((cause) => {
      const item = document.createElement("li");
      const time = document.createElement("time");
      const at = new Date(cause.at);
      time.dateTime = cause.at;
      const isToday = at.toDateString() === new Date(now()).toDateString();
      /** @type {Intl.DateTimeFormatOptions} */
      const style = isToday ? { timeStyle: "medium" } : { weekday: "short", hour: "numeric", minute: "2-digit" };
      time.textContent = at.toLocaleString(undefined, style);
      const text = document.createElement("span");
      text.textContent = sentence(cause, this.#me);
      item.append(time, text);
      return item;
    });
    this.#part("causes").replaceChildren(...(items.length > 0 ? items : ["Nothing, in this time."]));
  }
}
