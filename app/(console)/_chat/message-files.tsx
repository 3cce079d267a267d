/**
 * The files of a message that is being written and of one that is sent load together, so that a message that could not
 * be sent shows its files while the server is gone.
 */
export { DraftFiles } from "./draft-files.tsx";
export { QuestionFiles } from "./question-files.tsx";
