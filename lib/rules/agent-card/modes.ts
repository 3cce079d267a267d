import { modesOf, type GraphInterface } from "../a2a/message-to-run.ts";
import { cardSources, firstMember, type CardScope } from "./sources.ts";

/** Returns the media types of an assistant's input and output: the configured ones, else those of its graph. */
export function agentModes({ graphInterface, ...scope }: CardScope & { readonly graphInterface: GraphInterface }): {
  input: string[];
  output: string[];
} {
  const sources = cardSources(scope);
  const derived = modesOf(graphInterface);
  return {
    input: firstMember(sources, "input_modes") ?? derived.input,
    output: firstMember(sources, "output_modes") ?? derived.output,
  };
}

/** Returns whether a mode covers a media type, whatever its parameters. No type means `application/octet-stream`. */
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
