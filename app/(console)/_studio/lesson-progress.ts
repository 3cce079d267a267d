/** The progress of a newcomer in the lesson about breakpoints. */
export interface LessonProgress {
  /** The number of steps that are done, of three. */
  readonly done: 0 | 1 | 2 | 3;
  /** The thread on which the lesson's run goes on, or was paused. */
  readonly thread?: string;
  /** The run that this step waits for was seen running. */
  readonly isRunning?: boolean;
}

export const NO_PROGRESS: LessonProgress = { done: 0 };

/** The facts on the page that the steps of the lesson are about. */
export interface LessonView {
  /** There is a breakpoint before the lesson's node. */
  readonly isSet: boolean;
  readonly thread: string | undefined;
  readonly isRunning: boolean;
  /** The newest state is shown, and its next node is the lesson's. */
  readonly isPaused: boolean;
  /** The newest state is shown, and the lesson's node has run in its turn. */
  readonly hasPassed: boolean;
}

/**
 * Returns the progress after a look at the page. The steps follow one another on one thread: what others do, or what an older
 * thread shows, is none of them. The same view twice changes nothing.
 */
export function lessonAfter(progress: LessonProgress, view: LessonView): LessonProgress {
  const { done, thread } = progress;
  if (done === 3) return progress;
  if (done < 2 && done !== Number(view.isSet)) return { done: view.isSet ? 1 : 0 };
  if (done === 0 || view.thread === undefined) return progress;
  // The question may be asked again on another thread.
  if (done === 2 && view.thread !== thread && !(view.isRunning && view.isSet)) return progress;
  if (view.isRunning) {
    return progress.isRunning && thread === view.thread ? progress : { done, thread: view.thread, isRunning: true };
  }
  // The state of a run that has just ended is read a moment later.
  if (!progress.isRunning || thread !== view.thread) return progress;
  if (view.isPaused) return done === 2 ? { done, thread } : { done: 2, thread };
  return done === 2 && view.hasPassed ? { done: 3 } : progress;
}

const KEY = "graphlib.studio-lesson";
const DISMISSED = "done";

/** Returns the progress that this browser keeps; undefined once the lesson was dismissed. */
export function keptProgress(): LessonProgress | undefined {
  try {
    const kept = localStorage.getItem(KEY);
    if (kept === DISMISSED) return undefined;
    const [done, thread] = (kept ?? "").split(" ");
    if (done === "2" && thread) return { done: 2, thread };
    return done === "3" ? { done: 3 } : NO_PROGRESS;
  } catch {
    // Without local storage the lesson would come back on every page.
    return undefined;
  }
}

/** Keeps the progress; undefined dismisses the lesson. Its first step is kept by the breakpoint itself. */
export function keepProgress(progress: LessonProgress | undefined): void {
  try {
    localStorage.setItem(KEY, progress ? `${progress.done} ${progress.thread ?? ""}`.trim() : DISMISSED);
  } catch {
    // The lesson is as it is for as long as the page is open.
  }
}
