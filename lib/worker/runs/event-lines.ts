/** The lines of one run's events. What lines have in common is made and sent once. */
import { dataOfPiece, encodePieceLine, type PieceTemplate } from "../../protocol/piece-lines.ts";
import { encodeEventLine } from "../../protocol/worker-lines.ts";
import type { RunOrder } from "../../protocol/worker.ts";

export interface EventLines {
  /** `data` is JSON text. */
  event(event: string, data: string): string;
  /** `text` is the JSON of a string. */
  piece(template: PieceTemplate, text: string): string;
}

/** `isCrowded` tells whether so many runs are going on that the host might refuse a template. */
export function eventLines({ run, token }: Pick<RunOrder, "run" | "token">, isCrowded: () => boolean): EventLines {
  const prefixes = new Map<string, string>();
  let sent: PieceTemplate | undefined;
  // A node may have any name, but a line end in it would end the line for its readers.
  const named = (event: string): string => event.replace(/\p{Cc}/gu, " ");
  const prefixOf = (event: string): string => {
    const prefix = prefixes.get(event) ?? encodeEventLine(run, token, named(event), "").slice(0, -"}\n".length);
    prefixes.set(event, prefix);
    return prefix;
  };
  const eventLine = (event: string, data: string): string => `${prefixOf(event)}${data}}\n`;
  const piecePrefix = encodePieceLine(run, token, "").slice(0, -"}\n".length);
  return {
    event: eventLine,
    piece(template, text) {
      if (template === sent) return `${piecePrefix}${text}}\n`;
      if (isCrowded()) return eventLine(template.event, dataOfPiece(template, text));
      sent = template;
      return encodePieceLine(run, token, text, { ...template, event: named(template.event) });
    },
  };
}
