/** Cookie of the console's sign-in. HttpOnly, SameSite=Strict; its value is `ApiKey.session`. */
export const SESSION_COOKIE = "graphlib_session";
