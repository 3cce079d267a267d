/**
 * Lines of events that differ in one string, as those of a model's tokens do. The text around it is sent once for a message:
 * then the line of a token has 80 characters, not 700.
 */
import { isObject } from "./json.ts";
import { BadLine, isCount, isEventName, isRun, looksLikeJson, parse, weigh } from "./line-checks.ts";

/** Events that differ in one string share a template: their name, and the JSON text before and after that string. */
export interface PieceTemplate {
  event: string;
  before: string;
  after: string;
}

/** Returns the data of the event that has this text, which is the JSON of a string. */
export function dataOfPiece({ before, after }: Pick<PieceTemplate, "before" | "after">, text: string): string {
  return before + text + after;
}

/** The most runs of one worker that have a template at a time. */
export const MOST_TEMPLATES = 2_000;
/** The longest template, in characters of `before` and `after` together. */
export const LONGEST_TEMPLATE = 8 * 1024;

const TEXT_KEY = ',"text":';

/** Encodes an event. `text` is the JSON of a string; `template` is sent if it is not that of the run's piece before. */
export function encodePieceLine(run: string, token: number, text: string, template?: PieceTemplate): string {
  const rest = template ? `,${JSON.stringify(template).slice(1, -1)}` : "";
  return `${headOf({ run, token })}${rest}${TEXT_KEY}${text}}\n`;
}

function headOf({ run, token }: { run: string; token: number }): string {
  return `{"type":"piece","run":${JSON.stringify(run)},"token":${token}`;
}

export function isPieceLine(line: string): boolean {
  return line.startsWith('{"type":"piece"');
}

interface PieceEvent {
  type: "event";
  run: string;
  token: number;
  event: string;
  data: string;
}

export interface PieceDecoder {
  /** Returns the event of a piece. Throws `BadLine`. */
  read(line: string): PieceEvent;
  /** Forgets the template of a run that has ended. */
  end(run: { run: string; token: number }): void;
}

export function pieceDecoder(): PieceDecoder {
  /** The templates, keyed by the head of a line, which names the run and its token. */
  const templates = new Map<string, PieceTemplate & { run: string; token: number }>();

  const open = (line: string): PieceEvent => {
    const { event, before, after, run, token, text } = parseTemplate(line);
    const head = headOf({ run, token });
    templates.set(head, { event, before, after, run, token });
    if (templates.size > MOST_TEMPLATES) throw new BadLine("piece: too many runs have a template");
    return { type: "event", run, token, event, data: dataOfPiece({ before, after }, JSON.stringify(text)) };
  };

  return {
    read(line) {
      // Quotes inside JSON strings are escaped, so the first occurrence is outside of any string.
      const cut = line.indexOf(TEXT_KEY);
      const template = templates.get(line.slice(0, cut));
      if (!template) return open(line);
      const text = line.slice(cut + TEXT_KEY.length, -1);
      if (!line.endsWith("}") || typeof parse(text) !== "string") throw new BadLine("piece: text: expected a string");
      const { event, run, token } = template;
      return { type: "event", run, token, event, data: dataOfPiece(template, text) };
    },
    end: (run) => void templates.delete(headOf(run)),
  };
}

function parseTemplate(line: string) {
  const piece = parse(line);
  if (!isObject(piece)) throw new BadLine("a line that is no object");
  const { run, token, event, before, after, text } = piece;
  if (!isRun(run) || !isCount(token)) throw new BadLine("piece: run: expected a run and its token");
  if (typeof event !== "string" || !isEventName(event))
    throw new BadLine("piece: event: expected the name of a stream mode, in the first piece of a message");
  if (typeof before !== "string" || typeof after !== "string" || before.length + after.length > LONGEST_TEMPLATE)
    throw new BadLine("piece: before: expected the text around a string");
  if (typeof text !== "string") throw new BadLine("piece: text: expected a string");
  const empty = dataOfPiece({ before, after }, '""');
  if (!looksLikeJson(empty)) throw new BadLine("piece: before: expected the text around a string, in JSON");
  weigh(empty);
  return { run, token, event, before, after, text };
}
