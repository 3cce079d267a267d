/** The dialog or drawer that covers the page. */
export type Overlay = "help" | "menu" | undefined;
