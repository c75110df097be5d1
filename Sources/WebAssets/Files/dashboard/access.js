// SPDX-License-Identifier: Apache-2.0
import { authorize } from "../brightness/authorize.js";
import { BrightnessError, Server } from "../brightness/server.js";
import { forget, recall, remember } from "./memory.js";
import { showMessage } from "./message.js";
import { element, write } from "./template.js";
import { t } from "./texts.js";

const key = "brightness.token";

/**
 * The token of this page: asked for when the daemon requires one, shared with the other tabs, kept until the tab is
 * closed, or for good if a person wishes.
 */
export class Access {
  #dialog = /** @type {HTMLDialogElement} */ (element("access"));
  #form = /** @type {HTMLFormElement} */ (this.#dialog.querySelector("form"));
  #channel = openChannel();
  #token = recall("sessionStorage", key) ?? recall("localStorage", key);
  #onChange;
  /** A person closed the dialog: it opens again when they want something that requires a token. */
  #isDismissed = false;
  /** The daemon rejects the token, such as one that was revoked. */
  #isRejected = false;

  /** @param {() => void} onChange  called when the token has changed */
  constructor(onChange) {
    this.#onChange = onChange;
    const linked = tokenOfLink();
    if (linked && !this.#token) this.#stay(linked);
    if (linked) this.#offer(linked);
    if (this.#token) authorize(this.#token);
    else this.#channel?.postMessage({ kind: "ask" });
    this.#channel?.addEventListener("message", ({ data }) => this.#receive(data));
    this.#form.addEventListener("submit", () => {
      const data = new FormData(this.#form);
      const token = `${data.get("token")}`.trim();
      if (data.has("stay")) this.#stay(token);
      else forget("localStorage", key);
      this.#form.reset();
      this.#use(token);
      this.#channel?.postMessage({ kind: "token", token });
    });
    addEventListener("hashchange", () => {
      const token = tokenOfLink();
      if (token) this.#offer(token);
    });
    this.#dialog.addEventListener("cancel", () => (this.#isDismissed = true));
    this.#dialog.querySelector("[data-part=later]")?.addEventListener("click", () => {
      this.#isDismissed = true;
      this.#dialog.close();
    });
    for (const id of ["sign-in", "another-token"]) element(id).addEventListener("click", () => this.open());
    element("sign-out").addEventListener("click", () => {
      this.#channel?.postMessage({ kind: "signOut" });
      this.#signOut();
    });
  }

  get isSignedIn() {
    return this.#token !== null;
  }

  /**
   * The daemon requires a token, or rejects this one. Asks for one, unless a person has closed the dialog and did
   * nothing since.
   * @param {boolean} isWanted
   */
  ask(isWanted) {
    this.#isRejected = this.isSignedIn;
    if (isWanted || !this.#isDismissed) this.open(this.isSignedIn);
  }

  /** The daemon accepts the token. */
  confirm() {
    this.#isRejected = false;
  }

  /** @param {boolean} [isRejected]  whether the daemon does not accept the token */
  open(isRejected = false) {
    if (this.#dialog.open) return;
    element("menu").hidePopover?.();
    const text = isRejected
      ? t`The daemon does not accept this token. It may be misspelt, or no longer valid.`
      : t`Only people with a token may see or change these displays. Ask the person who runs them for one.`;
    const why = element("access-why");
    write(why, text);
    why.classList.toggle("fault", isRejected);
    this.#form.token.setAttribute("aria-invalid", `${isRejected}`);
    this.#dialog.showModal();
  }

  /**
   * Takes the token of a link, which anybody may have written: one’s own stays unless it is rejected or a person agrees.
   * @param {string} token
   */
  async #offer(token) {
    if (token === this.#token) return;
    if (this.#token !== null && (await problemOf(this.#token))?.status !== 401) {
      const problem = await problemOf(token);
      if (problem?.status === 401) return showMessage(t`The daemon does not accept the token of this link. You keep your own.`);
      if (problem) return showMessage(problem.detail);
      if (!confirm(t`Replace your token with the token of this link?`)) return;
    }
    this.#stay(token);
    this.#use(token);
    this.#channel?.postMessage({ kind: "token", token });
  }

  /** Keeps a token after the tab is closed. @param {string} token */
  #stay(token) {
    this.#token = token;
    remember("sessionStorage", key, token);
    remember("localStorage", key, token);
  }

  #use(token) {
    this.#token = token;
    this.#isDismissed = this.#isRejected = false;
    remember("sessionStorage", key, token);
    if (this.#dialog.open) this.#dialog.close();
    authorize(token);
    this.#onChange();
  }

  #signOut() {
    element("menu").hidePopover?.();
    this.#token = null;
    this.#isDismissed = true;
    this.#isRejected = false;
    forget("sessionStorage", key);
    forget("localStorage", key);
    authorize(null);
    this.#onChange();
  }

  /** Handles a message of another tab. */
  #receive({ kind, token }) {
    const isValid = this.#token !== null && !this.#isRejected;
    if (kind === "ask" && isValid) this.#channel?.postMessage({ kind: "token", token: this.#token });
    if (kind === "token" && !isValid && token !== this.#token) this.#use(token);
    if (kind === "signOut" && this.#token) this.#signOut();
  }
}

/** The channel to the other tabs; `null` in a browser without, such as one that blocks the page’s storage. */
function openChannel() {
  try {
    return new BroadcastChannel("brightness access");
  } catch {
    return null;
  }
}

/** Why the daemon does not accept a token; `null` if it does. @param {string} token */
async function problemOf(token) {
  const response = await fetch(`${Server.at().origin}/v1/whoami`, { headers: Server.headersOf(token) }).catch(() => null);
  if (response?.ok) return null;
  return (response ? await BrightnessError.of(response) : BrightnessError.absent).problem;
}

/** The token of a sign-in link (`brightnessd link`), which leaves the address bar and the history at once. */
function tokenOfLink() {
  const [, text = ""] = /^#token=(.+)$/.exec(location.hash) ?? [];
  if (!text) return null;
  history.replaceState(null, "", location.pathname + location.search);
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
