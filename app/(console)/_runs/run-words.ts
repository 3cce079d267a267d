/** The reasons why a run may not be there. */
export const NO_RUN =
  "It was deleted: with its thread, or some minutes after its end if it had none. You may also not be allowed to see it.";
