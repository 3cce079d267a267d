/**
 * The files of a message that is being written, what is wrong with them, and the files of a sent one load together, so that
 * a message that could not be sent shows its files while the server is gone.
 */
export { DraftFiles } from "./draft-files.tsx";
export { QuestionFiles } from "./question-files.tsx";
export { FileProblems } from "./file-problems.tsx";
