import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppConfig } from "../../../lib/protocol/config.ts";
import { agentModes, takesType } from "../../../lib/rules/agent-card/modes.ts";

const config = AppConfig.parse({
  graphs: { plain: "./a.ts:graph", eyes: { path: "./a.ts:graph", a2a: { inputModes: ["text/plain", "image/*"] } } },
  http: { a2a: { card: { output_modes: ["text/markdown"] } } },
});
const graphInterface = { takes: "messages" as const };
const derived = ["text/plain", "application/json"];

describe("the media types of an assistant", () => {
  it("are its own, else the graph's, else those for all, else those of its input", () => {
    const modes = (graph: string, a2a?: unknown) =>
      agentModes({ assistant: { metadata: { a2a } }, config, graph, graphInterface });
    expect(modes("plain")).toEqual({ input: derived, output: ["text/markdown"] });
    expect(modes("eyes")).toEqual({ input: ["text/plain", "image/*"], output: ["text/markdown"] });
    expect(modes("eyes", { input_modes: ["audio/wav"], outputModes: ["image/png"] })).toEqual({
      input: ["audio/wav"],
      output: ["image/png"],
    });
    expect(modes("eyes", { input_modes: "audio/wav", output_modes: ["audio"] })).toEqual(modes("eyes"));
  });

  it("are derived from its input when the metadata is invalid", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (a2a, graph) => {
        const { input, output } = agentModes({
          assistant: { metadata: { a2a } },
          config: undefined,
          graph,
          graphInterface,
        });
        expect([input, output]).toEqual([derived, derived]);
      }),
    );
  });
});

describe("a media type", () => {
  it("matches itself, its family and */*, in any case and with any parameters", () => {
    for (const mode of ["image/png", "IMAGE/PNG; q=1", "image/*", "*/*"]) {
      expect([mode, takesType(["text/plain", mode], "Image/png; name=a")]).toEqual([mode, true]);
    }
    for (const mode of ["image/jpeg", "text/*", "image", "imagery/*"]) {
      expect([mode, takesType([mode], "image/png")]).toEqual([mode, false]);
    }
  });

  it("that is left out matches only */*", () => {
    expect([takesType(["*/*"], ""), takesType(["image/*"], ""), takesType([], "text/plain")]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
