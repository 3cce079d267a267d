import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppConfig } from "../../../lib/protocol/config.ts";
import { agentModes, takesType } from "../../../lib/rules/agent-card/modes.ts";

const config = AppConfig.parse({
  graphs: { plain: "./a.ts:graph", eyes: { path: "./a.ts:graph", a2a: { inputModes: ["text/plain", "image/*"] } } },
  http: { a2a: { card: { output_modes: ["text/markdown"] } } },
});
const intake = { takes: "messages" as const };
const derived = ["text/plain", "application/json"];

describe("an assistant's media types", () => {
  it("are what it says itself, else what the configuration says of its graph or of all, else what its input tells", () => {
    const modes = (graph: string, a2a?: unknown) =>
      agentModes({ assistant: { metadata: { a2a } }, config, graph, intake });
    expect(modes("plain")).toEqual({ input: derived, output: ["text/markdown"] });
    expect(modes("eyes")).toEqual({ input: ["text/plain", "image/*"], output: ["text/markdown"] });
    expect(modes("eyes", { input_modes: ["audio/wav"], outputModes: ["image/png"] })).toEqual({
      input: ["audio/wav"],
      output: ["image/png"],
    });
    expect(modes("eyes", { input_modes: "audio/wav", output_modes: ["audio"] })).toEqual(modes("eyes"));
  });

  it("can be told whatever the metadata holds", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (a2a, graph) => {
        const { input, output } = agentModes({ assistant: { metadata: { a2a } }, config: undefined, graph, intake });
        expect([input, output]).toEqual([derived, derived]);
      }),
    );
  });
});

describe("a media type", () => {
  it("is taken by itself, by its family and by any, whatever its case and parameters", () => {
    for (const mode of ["image/png", "IMAGE/PNG; q=1", "image/*", "*/*"]) {
      expect([mode, takesType(["text/plain", mode], "Image/png; name=a")]).toEqual([mode, true]);
    }
    for (const mode of ["image/jpeg", "text/*", "image", "imagery/*"]) {
      expect([mode, takesType([mode], "image/png")]).toEqual([mode, false]);
    }
  });

  it("that is left out is taken only where anything is", () => {
    expect([takesType(["*/*"], ""), takesType(["image/*"], ""), takesType([], "text/plain")]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
