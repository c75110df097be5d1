// SPDX-License-Identifier: Apache-2.0
// The types of /brightness.js. `make document` writes this file from the module's JSDoc.

/**
 * Sets the token of all later requests and reconnects the event stream.
 * @param {string | null} token
 * @param {{server?: string | null}} options
 */
export declare function authorize(token: string | null, { server }?: {
    server?: string | null;
}): void;

/**
 * Listens to every fact of a server, for pages that show all of it.
 * @param {(fact: Fact) => void} listener  receives `state`, a kind of lease such as `boost`, `ambient`, `display`, `schedule`, `day`, `preset`, `health`, `simulator`, `default`, `failure`, `reset` and `synced` events, and `condition`
 * @param {{server?: string | null}} options
 * @returns {() => void} stops
 */
export declare function listen(listener: (fact: Fact) => void, { server }?: {
    server?: string | null;
}): () => void;
/**
 * Sends a request with this page’s token.
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {{server?: string | null}} options
 * @returns {Promise<any>} rejects with a `BrightnessError`
 */
export declare function request(method: string, path: string, body?: object, { server }?: {
    server?: string | null;
}): Promise<any>;

/** A request that failed or got no response. */
export declare class BrightnessError extends Error {
    /** @param {Response} response */
    static of(response: Response): Promise<BrightnessError>;
    static absent: BrightnessError;
    /** @param {Problem} problem */
    constructor(problem: Problem);
    problem: Problem;
}
/** The kinds of leases, which are also the names of their events. */
export const leaseKinds: string[];
export declare function keyOf({ display, id }: {
    display: string;
    id: string;
}): string;
/**
 * Why a request failed (RFC 9457). `status` 0: there was no response.
 */
export type Problem = {
    status: number;
    title: string;
    detail: string;
    /**
     * the faults of a body, by member
     */
    errors?: {
        pointer: string;
        detail: string;
    }[] | undefined;
};

/**
 * An event of the stream.
 */
export type Fact = {
    name: string;
    data: any;
    id?: string;
};

export declare function isOff({ available, power }: {
    available: any;
    power: any;
}): any;
/** One display: its state as it changes, and the commands it supports. */
export declare class Brightness {
    /**
     * @param {object} options
     * @param {string | null} [options.server]  the daemon’s address; default: the daemon that served this file
     * @param {string | null} [options.token]  a token for it
     * @param {string | null} [options.display]  a display’s id; default: the default display
     * @param {string | null} [options.holder]  the holder of its boosts; default: a unique name
     */
    constructor({ server, token, display, holder }?: {
        server?: string | null | undefined;
        token?: string | null | undefined;
        display?: string | null | undefined;
        holder?: string | null | undefined;
    });
    holder: string;
    /** @returns {DisplayState | null} the newest state; `null` until there is one */
    get state(): DisplayState | null;
    /** Whether `state` is current; `false` while the connection is lost. */
    get isLive(): boolean;
    /**
     * Calls back at once with the current state, then whenever it or `isLive` changes.
     * @param {(state: DisplayState | null, brightness: Brightness) => void} listener
     * @returns {() => void} stops
     */
    subscribe(listener: (state: DisplayState | null, brightness: Brightness) => void): () => void;
    /**
     * Sets the baseline.
     * @param {number} brightness  0…1
     * @param {{transition?: number, reason?: string}} [more]
     * @returns {Promise<DisplayState>} rejects with a `BrightnessError`, like every other command
     */
    set(brightness: number, more?: {
        transition?: number | undefined;
        reason?: string | undefined;
    } | undefined): Promise<DisplayState>;
    /**
     * Raises the brightness until `restore`, until `ttl` seconds have passed, or until this page is gone. With another
     * `lifespan` the boost outlives the page.
     * @param {LeaseOptions} [more]
     * @returns {Promise<Lease>}
     */
    boost(more?: LeaseOptions | undefined): Promise<Lease>;
    /**
     * Limits the brightness for as long as `boost` raises it; wins over every boost.
     * @param {LeaseOptions} [more]
     * @returns {Promise<Lease>}
     */
    dim(more?: LeaseOptions | undefined): Promise<Lease>;
    /**
     * Keeps the display on; wins over every sleep.
     * @param {LeaseOptions} [more]
     * @returns {Promise<Lease>}
     */
    wake(more?: LeaseOptions | undefined): Promise<Lease>;
    /**
     * Switches the display off, for at most `ttl` seconds. Rejects if the display cannot be switched.
     * @param {LeaseOptions} [more]
     * @returns {Promise<Lease>}
     */
    sleep(more?: LeaseOptions | undefined): Promise<Lease>;
    /**
     * Switches the display off or on until somebody else does, and overrides wakes and sleeps.
     * @param {boolean} on
     * @param {{reason?: string}} [more]
     * @returns {Promise<DisplayState>}
     */
    power(on: boolean, more?: {
        reason?: string | undefined;
    } | undefined): Promise<DisplayState>;
    /**
     * Ends this holder’s leases, or those of one `kind`; with `all` everybody’s.
     * @param {{all?: boolean, kind?: Lease["kind"], transition?: number, reason?: string}} [more]
     * @returns {Promise<DisplayState>}
     */
    restore(more?: {
        all?: boolean | undefined;
        kind?: "boost" | "dim" | "wake" | "sleep" | undefined;
        transition?: number | undefined;
        reason?: string | undefined;
    } | undefined): Promise<DisplayState>;
    /** Stops listening. Its boost, if any, ends within ten seconds. */
    close(): void;
    #private;
}
/**
 * As `GET /v1/displays/{id}` answers.
 */
export type DisplayState = {
    id: string;
    name: string;
    kind: string;
    /**
     * The principal of the client that shows it, if one does.
     */
    provider?: string | undefined;
    /**
     * What the display shows, 0…1.
     */
    brightness: number;
    /**
     * The panel’s own steps.
     */
    raw: {
        value: number;
        maximum: number;
    };
    /**
     * What it goes back to after boosts and dims, 0…1.
     */
    baseline: number;
    /**
     * How `brightness` maps to the panel’s range; linear without it.
     */
    curve?: "perceptual" | [number, number][] | undefined;
    percent: number;
    /**
     * Whether it has a brightness; `brightness` is 1 otherwise.
     */
    dimmable: boolean;
    power: {
        on: boolean | null;
        baseline: boolean;
        switchable: boolean;
        signal?: boolean;
    };
    boost: Leases | null;
    dim: Leases | null;
    wake: Leases | null;
    sleep: Leases | null;
    /**
     * Why it shows another value than asked for.
     */
    limitedBy: ("dim" | "wake" | "sleep" | "power" | "signal" | "device")[];
    auto: {
        enabled: boolean;
        heldUntil: string | null;
        waiting: "sensor" | null;
    };
    /**
     * Its position among the displays of a page, if somebody chose one.
     */
    position?: number | undefined;
    /**
     * The display whose brightness it gets, if it follows one.
     */
    follows?: string | undefined;
    /**
     * The words that its machine gives it, if any.
     */
    tags?: string[] | undefined;
    available: boolean;
    /**
     * Since when it is not available.
     */
    unavailable: Unavailable | null;
    cause: {
        kind: string;
        by: string | null;
        reason: string | null;
        at: string;
    };
    revision: number;
};
export type Unavailable = {
    since: string;
    /**
     * It may have begun earlier: it was noticed then.
     */
    atLatest: boolean;
};
/**
 * The leases of one kind together.
 */
export type Leases = {
    /**
     * Of boosts and dims.
     */
    brightness?: number | undefined;
    leases: number;
    until: string | null;
    overridden: boolean;
};
/**
 * An active lease.
 */
export type Lease = {
    id: string;
    kind: "boost" | "dim" | "wake" | "sleep";
    display: string;
    holder: string | null;
    /**
     * the owner
     */
    principal: string;
    /**
     * Of a boost or a dim.
     */
    brightness?: number | undefined;
    lifespan: "custom" | "visible" | "lifetime";
    reason: string | null;
    grantedAt: string;
    until: string | null;
    /**
     * Only while its page has no stream: when it ends unless the page opens one.
     */
    ending?: string | undefined;
    /**
     * A person changed the display since.
     */
    overridden: boolean;
};
export type LeaseOptions = {
    /**
     * 0…1, of a boost or a dim; 1 and 0.2
     */
    brightness?: number | undefined;
    /**
     * seconds; 300 for a sleep
     */
    ttl?: number | undefined;
    /**
     * default `"visible"`: until this page closes
     */
    lifespan?: "custom" | "visible" | "lifetime" | undefined;
    /**
     * seconds
     */
    transition?: number | undefined;
    reason?: string | undefined;
};

/** The ambient light as it changes, such as for a page’s palette. */
export declare class AmbientLight {
    /**
     * @param {object} options
     * @param {string | null} [options.server]  the daemon’s address; default: the daemon that served this file
     * @param {string | null} [options.token]  a token for it
     */
    constructor({ server, token }?: {
        server?: string | null | undefined;
        token?: string | null | undefined;
    });
    /** @returns {Ambient | null} the newest value; `null` until there is one */
    get ambient(): Ambient | null;
    /** @returns {"day" | "night" | null} the palette that suits the light; `null` until it is known */
    get appearance(): "day" | "night" | null;
    /** Whether `ambient` is current; `false` while the connection is lost. */
    get isLive(): boolean;
    /**
     * Calls back at once with the current light, then whenever it or `isLive` changes.
     * @param {(ambient: Ambient | null, light: AmbientLight) => void} listener
     * @returns {() => void} stops
     */
    subscribe(listener: (ambient: Ambient | null, light: AmbientLight) => void): () => void;
    /** Stops listening. */
    close(): void;
    #private;
}
/**
 * The ambient light, as `GET /v1/ambient` returns it.
 */
export type Ambient = {
    /**
     * In lux.
     */
    illuminance: number | null;
    /**
     * 0…1, logarithmic.
     */
    level: number | null;
    appearance: "day" | "night" | null;
    sensors?: {
        id: string;
        condition: string;
        near?: boolean | null | undefined;
    }[] | undefined;
    /**
     * `"brightness"`: estimated from the display’s brightness, without a sensor.
     */
    source?: string | undefined;
};

/**
 * `<brightness-boost>`: boosts while a person can see its content: rendered, at least partly in the viewport, neither
 * transparent nor covered, on a visible page.
 *
 * Attributes: `server`, `token`, `display`, `brightness`, `transition`, `reason`, `holder`.
 * Events, none of which bubbles: `boost` (`detail`: the lease), `restore` (`detail.change`: the reason), `error` (`detail`: a
 * problem).
 */
declare class BrightnessBoost extends HTMLElement {
    static observedAttributes: string[];
    connectedCallback(): void;
    disconnectedCallback(): void;
    attributeChangedCallback(name: any, before: any, after: any): void;
    #private;
}

export namespace words {
    const brightness: string;
    function brightnessOf(name: string): string;
    const light: string;
    const off: string;
    const unknown: string;
    function number(number: number): string;
    function percent(number: number): string;
    function lux(number: string): string;
    function then(percent: number): string;
    function whenOn(percent: number): string;
    function spokenBoost(level: string, later: string): string;
    function spokenOff(later: string): string;
    function spokenLost(spoken: string): string;
    const estimated: string;
    namespace appearances {
        const day: string;
        const night: string;
    }
    const standIn: string;
}
/**
 * `<brightness-gauge>`: shows the brightness of a display, or with `show="ambient"` the ambient light.
 *
 * Attributes: `server`, `token`, `display`, `show`, `label` (the accessible name).
 * CSS: `--brightness-gauge-color`, `-boost`, `-track`, `-mark`, `-thickness`; parts `number`, `caption` and `tip`.
 */
declare class BrightnessGauge extends HTMLElement {
    static observedAttributes: string[];
    connectedCallback(): void;
    disconnectedCallback(): void;
    attributeChangedCallback(_: any, before: any, after: any): void;
    #private;
}

/**
 * `<brightness-palette>`: gives the whole page the palette that suits the light in the room.
 *
 * While the light is known, the page's root element has `data-appearance` `day` or `night`, and the `color-scheme`
 * `light` or `dark`. Otherwise it has neither, so the page's own rules and the system's choice apply.
 *
 * Attributes: `server`, `token`.
 */
declare class BrightnessPalette extends HTMLElement {
    static observedAttributes: string[];
    connectedCallback(): void;
    disconnectedCallback(): void;
    attributeChangedCallback(_: any, before: any, after: any): void;
    #private;
}

/**
 * `<brightness-veil>`: makes this page a display, whose brightness is set like that of any other: it is darkened by a layer
 * above everything, which lets every click through. A touch on a page that is off only switches it on. In Fully Kiosk Browser
 * and Kiosk Satellite it sets the tablet’s own backlight and screen instead.
 *
 * Attributes: `display` (the id of the display that the page becomes), `name`, `warmth` (0…1, how orange the dark page is),
 * `server`, `token`.
 * Events, which do not bubble: `error` (`detail`: a problem).
 */
declare class BrightnessVeil extends HTMLElement {
    static observedAttributes: string[];
    connectedCallback(): void;
    disconnectedCallback(): void;
    attributeChangedCallback(_: any, before: any, after: any): void;
    #private;
}

/**
 * `<brightness-wake>`: reports to the daemon that somebody uses the page, so that displays that it dims or switches off while
 * nobody does (`--idle-dim`, `--idle-sleep`) are bright again. Shows nothing.
 *
 * With the attribute `swallow` the touch, click or key that wakes a display that is off does nothing else on the page; with
 * `swallow="dim"` also that which wakes a dimmed one.
 *
 * Attributes: `swallow`, `server`, `token`, `display`.
 * Events, which do not bubble: `error` (`detail`: a problem).
 */
declare class BrightnessWake extends HTMLElement {
    static observedAttributes: string[];
    connectedCallback(): void;
    disconnectedCallback(): void;
    attributeChangedCallback(_: any, before: any, after: any): void;
    #private;
}

/** The result of `screen.requestBrightnessIncrease()`: a boost until `release()` or until the page is hidden. */
declare class ScreenBrightnessSentinel extends EventTarget {
    /** @param {() => void} release */
    constructor(release: () => void);
    /** @type {((event: Event) => void) | null} */
    onrelease: ((event: Event) => void) | null;
    get released(): boolean;
    release(): Promise<void>;
    #private;
}

declare global {
  interface HTMLElementTagNameMap {
    "brightness-boost": BrightnessBoost;
    "brightness-gauge": BrightnessGauge;
    "brightness-palette": BrightnessPalette;
    "brightness-veil": BrightnessVeil;
    "brightness-wake": BrightnessWake;
  }
  interface Screen {
    /** Added where the browser has none: https://github.com/WICG/screen-brightness */
    requestBrightnessIncrease(): Promise<ScreenBrightnessSentinel>;
  }
}

export {};
