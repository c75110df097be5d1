// SPDX-License-Identifier: Apache-2.0
import { command } from "./command.js";
import { facts } from "./facts.js";
import { count } from "./formats.js";
import { rights } from "./rights.js";
import { element, partsOf, write } from "./template.js";
import { t } from "./texts.js";

/** The path of the window in which Home Assistant sets its key. */
const path = "/v1/home-assistant/key-window";

/** The section about Home Assistant: its clients, and its key. Hidden for a daemon without a server for it. */
export class HomeAssistantPanel {
  #section = element("home-assistant");
  #parts = partsOf(this.#section);

  constructor() {
    const { open, close } = this.#parts;
    open.addEventListener("click", () => command(open, "PUT", path));
    close.addEventListener("click", () => command(close, "DELETE", path));
  }

  /** Shows the newest facts. */
  show() {
    const { clients, refused, key, address = "" } = facts.health?.homeAssistant ?? {};
    this.#section.hidden = key === undefined;
    if (key === undefined) return;
    write(this.#parts.clients, [clientsText(clients ?? 0), refusedText(refused ?? 0)].join(" ").trim());
    const may = rights.mayAdminister;
    const place = placeOf(address);
    const steps = may ? t`1. Press “Allow pairing”. 2. In Home Assistant, add the ESPHome integration within five minutes (${place}).` : "";
    write(this.#parts.none, `${t`Not paired: only this machine may connect.`} ${steps}`);
    write(this.#parts.awaited, t`Now add the ESPHome integration in Home Assistant (${place}). Until then anybody on the network could pair first.`);
    this.#parts.none.hidden = key !== "none";
    this.#parts.awaited.hidden = key !== "awaited";
    this.#parts.open.hidden = key !== "none" || !may;
    this.#parts.close.hidden = key !== "awaited" || !may;
  }
}

/** The host and port that Home Assistant asks for. @param {string} address  that the server listens on */
function placeOf(address) {
  const [, host = "", port = ""] = /^\[?(.*?)\]?:(\d+)$/.exec(address) ?? [];
  const isEvery = host === "0.0.0.0" || host === "::";
  const isHere = /^(localhost|127\.|\[::1)/.test(location.hostname);
  return t`host: ${!isEvery ? host : isHere ? t`the address of this machine` : location.hostname}, port: ${port}`;
}

/** @param {number} clients */
function clientsText(clients) {
  if (clients === 0) return t`Not connected.`;
  return clients === 1 ? t`Connected.` : t`${count(clients)} connections.`;
}

/** @param {number} refused */
function refusedText(refused) {
  if (refused === 0) return "";
  return refused === 1 ? t`1 connection was refused.` : t`${count(refused)} connections were refused.`;
}
