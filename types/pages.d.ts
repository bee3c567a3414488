/* What the scripts may assume of the pages and of each other. Read by the type checker alone. */

/** Selectors of the pages name HTML elements; of what kind, a script says where it matters. */
interface ParentNode {
  querySelector<K extends keyof HTMLElementTagNameMap>(selectors: K): HTMLElementTagNameMap[K] | null;
  querySelector<E extends Element = HTMLElement>(selectors: string): E | null;
  querySelectorAll<K extends keyof HTMLElementTagNameMap>(selectors: K): NodeListOf<HTMLElementTagNameMap[K]>;
  querySelectorAll<E extends Element = HTMLElement>(selectors: string): NodeListOf<E>;
}

interface Element {
  closest<K extends keyof HTMLElementTagNameMap>(selector: K): HTMLElementTagNameMap[K] | null;
  closest<E extends Element = HTMLElement>(selectors: string): E | null;
}

/** Keys, pointers and the focus: what they hit is an element. */
interface UIEvent {
  readonly target: HTMLElement;
}

/** What opened it, for the focus to return to (ui/dialog.js). */
interface HTMLDialogElement {
  opener?: Element | null;
}

/** Fields by their names; a script knows of what kind its own are. */
interface HTMLFormControlsCollection {
  [name: string]: any;
}

type Content = Record<string, string>;
type Interval = [first: number, end: number];

interface PageEvents {
  "player:frame": CustomEvent<{ frame: number }>;
  "player:range": CustomEvent<{ range: Interval | null }>;
  "player:watched": CustomEvent<{ intervals: Interval[]; frames: number; of: number }>;
  "loops:watched": CustomEvent<{ share: number }>;
  "work:fill": CustomEvent<{ content: Content }>;
  "work:filled": CustomEvent<null>;
  "work:checked": CustomEvent<{ problems: { field: string; message: string }[]; fields: string[] }>;
  toast: CustomEvent<{ text: string; level: string }>;
  "htmx:load": CustomEvent<{ elt: HTMLElement }>;
  "htmx:afterSettle": CustomEvent<any>;
  "htmx:sendError": CustomEvent<any>;
  "htmx:timeout": CustomEvent<any>;
  "htmx:responseError": CustomEvent<any>;
  "htmx:beforeHistoryUpdate": CustomEvent<any>;
  "htmx:beforeSwap": CustomEvent<any>;
  "htmx:configRequest": CustomEvent<any>;
  "htmx:beforeOnLoad": CustomEvent<any>;
  "htmx:beforeSend": CustomEvent<any>;
  "htmx:confirm": CustomEvent<any>;
}
interface HTMLElementEventMap extends PageEvents {}
interface DocumentEventMap extends PageEvents {}

interface Window {
  htmx: {
    ajax(verb: string, url: string, options: { target: Element; swap: string }): Promise<void>;
    process(element: Element): void;
    trigger(element: Element | null, event: string): void;
  };
}

interface Navigator {
  /** Not in Firefox and Safari. */
  connection?: { saveData: boolean };
}
