/** The reasons why a thread may not be there. */
export const NO_THREAD = "It was deleted, or you are not allowed to see it.";
