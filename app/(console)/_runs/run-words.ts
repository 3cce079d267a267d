/** The reasons why a run may not be there. */
export const NO_RUN =
  "It was deleted: with its thread, or some minutes after its end if it had none. You may also not be allowed to see it.";

/** Stands above what a page still shows of a run that was deleted meanwhile. */
export const NO_RUN_MORE =
  "It was deleted: with its thread, or some minutes after its end if it had none. What was read of it last is shown until you leave the page.";

/** Stands above the steps of a run whose thread was deleted at its end. */
export const KEPT_STEPS =
  "The thread was deleted with the end of the run, and nothing of its steps is stored. What was read of them before is shown until you leave the page.";
