/** What lies over the page. */
export type Overlay = "help" | "menu" | undefined;
