import { modesOf, type Intake } from "../a2a/message-to-run.ts";
import { cardSources, said, type CardPlace } from "./sources.ts";

/** Media types that an assistant takes and gives: as somebody has said, else as its graph's input tells. */
export function agentModes({ intake, ...place }: CardPlace & { readonly intake: Intake }): {
  input: string[];
  output: string[];
} {
  const sources = cardSources(place);
  const derived = modesOf(intake);
  return {
    input: said(sources, "input_modes") ?? derived.input,
    output: said(sources, "output_modes") ?? derived.output,
  };
}

/** Whether one of the modes covers a media type, whatever its parameters. What has no type may be anything. */
export function takesType(modes: readonly string[], mediaType: string): boolean {
  const type = essence(mediaType) || "application/octet-stream";
  return modes.map(essence).some((mode) => {
    if (mode === "*/*" || mode === type) return true;
    return mode.endsWith("/*") && type.startsWith(mode.slice(0, -1));
  });
}

function essence(mediaType: string): string {
  return mediaType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}
