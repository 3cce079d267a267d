import type { Tone } from "./status.tsx";

/** A short message about something that the page does not show otherwise. */
export interface Toast {
  /** A toast with the id of an earlier one replaces it. */
  readonly id?: string;
  readonly title: string;
  readonly detail?: string;
  /** `neutral` if absent. */
  readonly tone?: Tone;
  readonly action?: ToastAction;
  /** True if it stays until it is closed or replaced. */
  readonly stays?: boolean;
}

/** A button of a toast. It leads to a page of the console, or calls a function. */
export type ToastAction = { readonly label: string } & ({ readonly href: string } | { readonly onAction: () => void });

/** The part that shows toasts. Its code loads with the first one. */
export interface ToastOutlet {
  readonly show: (toast: Toast) => void;
  readonly close: (id: string) => void;
}

let waiting: readonly Toast[] = [];
let outlet: ToastOutlet | undefined;
let load: (() => void) | undefined;

/** Shows a toast on whatever page of the console is open. */
export function notify(toast: Toast): void {
  if (outlet) return outlet.show(toast);
  waiting = [...waiting.filter(({ id }) => id === undefined || id !== toast.id), toast];
  load?.();
}

/** Says that a part of the page whose code comes later could not be loaded. */
export function notifyNotLoaded(): void {
  notify({ title: "This could not be opened", detail: "The server does not answer. Try again.", tone: "bad" });
}

/** Closes a toast early. */
export function closeToast(id: string): void {
  waiting = waiting.filter((toast) => toast.id !== id);
  outlet?.close(id);
}

/** Calls the listener when a toast waits for an outlet. Returns a function that ends that. */
export function onToastWaiting(listener: () => void): () => void {
  load = listener;
  if (waiting.length > 0) listener();
  return () => (load = undefined);
}

/** Shows all toasts from here on, and those that wait. Returns a function that ends that. */
export function openOutlet(next: ToastOutlet): () => void {
  outlet = next;
  for (const toast of waiting) next.show(toast);
  waiting = [];
  return () => (outlet = undefined);
}
