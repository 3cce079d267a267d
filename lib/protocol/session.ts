/** Session cookie of the console over http. */
export const SESSION_COOKIE = "graphlib_session";

/** Session cookie over https. Browsers accept a cookie with this prefix only from this host and only over https. */
export const SECURE_SESSION_COOKIE = "__Host-graphlib_session";

/** Header of requests from the console that carry their own credentials. The session is ignored for them. */
export const CALLER_HEADER = "x-graphlib-caller";

/** Header by which the console's chat and studio name themselves, so that their runs can be told apart. */
export const CLIENT_HEADER = "x-graphlib-client";

/** Path of the sign-in link for a server without a key. The query has the `code`. */
export const CONSOLE_LINK = "/sign-in/link";

/** Path to which "Sign out" posts. */
export const SIGN_OUT = "/sign-in/out";

/** Path to which the sign-in form posts the key as JSON. */
export const SIGN_IN = "/sign-in/session";
