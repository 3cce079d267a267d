/** Cookie of the console's sign-in where this server is reached by http. */
export const SESSION_COOKIE = "graphlib_session";

/** The same by https: browsers take a cookie of such a name from this host alone, over https alone. */
export const SECURE_SESSION_COOKIE = "__Host-graphlib_session";

/** Sent by a page of the console that shows credentials of its own: its session does not count then. */
export const CALLER_HEADER = "x-graphlib-caller";

/** Where the link leads that lets the console of a server without key in; `code` in its query. */
export const CONSOLE_LINK = "/sign-in/link";

/** The form of "Sign out" is posted to this path. */
export const SIGN_OUT = "/sign-in/out";

/** Where the form of the sign-in sends the key, as JSON. */
export const SIGN_IN = "/sign-in/session";
