/** Cookie of the console's sign-in. HttpOnly, SameSite=Strict; its value is `ApiKey.session`. */
export const SESSION_COOKIE = "graphlib_session";

/** Sent by a page of the console that shows credentials of its own: its session does not count then. */
export const CALLER_HEADER = "x-graphlib-caller";

/** Where the link leads that lets the console of a server without key in; `code` in its query. */
export const CONSOLE_LINK = "/sign-in/link";
