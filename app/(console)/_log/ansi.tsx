import Anser from "anser";
import type { ReactNode } from "react";

/** The console's classes for the sixteen colours of a terminal. */
const INK: Record<string, string> = {
  "ansi-black": "text-ink-3",
  "ansi-red": "text-bad",
  "ansi-green": "text-ok",
  "ansi-yellow": "text-waiting",
  "ansi-blue": "text-running",
  "ansi-magenta": "text-accent",
  "ansi-cyan": "text-running",
  "ansi-white": "text-ink",
  "ansi-bright-black": "text-ink-3",
  "ansi-bright-red": "text-bad",
  "ansi-bright-green": "text-ok",
  "ansi-bright-yellow": "text-waiting",
  "ansi-bright-blue": "text-running",
  "ansi-bright-magenta": "text-accent",
  "ansi-bright-cyan": "text-running",
  "ansi-bright-white": "text-ink",
};

/** Renders a line with its ANSI colours. Its text is never treated as HTML. */
export function Ansi({ text }: { text: string }): ReactNode {
  if (!text.includes("\u001B")) return text;
  let at = 0;
  return Anser.ansiToJson(text, { use_classes: true, remove_empty: true }).map(({ content, fg, decorations }) => {
    const key = at;
    at += content.length;
    const weight = decorations.includes("bold") ? "font-medium" : "";
    return (
      <span key={key} className={`${INK[fg ?? ""] ?? ""} ${weight}`}>
        {content}
      </span>
    );
  });
}
