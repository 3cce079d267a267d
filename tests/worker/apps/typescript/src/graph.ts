import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Annotation, StateGraph, CompiledStateGraph, BaseStore } from "@langchain/langgraph";
import settings from "./settings.json";
import { name as mapped } from "~/mapped";
import fromSettings from "settings";
import { extensionless } from "./lib/extensionless";
import { withJs } from "./lib/with-js.js";
import { folder } from "./lib";
import { module } from "./lib/module.mjs";

const legacy: { name: string } = require("./lib/legacy.cjs");

enum Color {
  Red = "red",
}

const enum Size {
  Big = 3,
}

namespace Space {
  export const inside = "inside";
}

function shout(_target: object, _key: string, descriptor: PropertyDescriptor) {
  const method = descriptor.value;
  descriptor.value = function (...args: unknown[]) {
    return `${method.apply(this, args)}!`;
  };
}

class Speaker {
  constructor(private readonly text: string) {}
  @shout
  say() {
    return this.text;
  }
}

const State = Annotation.Root({ facts: Annotation<Record<string, unknown>>() });

// Neither is used as a value, so the imports have to vanish.
export type Kept = CompiledStateGraph<unknown, unknown> | BaseStore;

export const graph = new StateGraph(State)
  .addNode("tell", () => ({
    facts: {
      color: Color.Red,
      size: Size.Big,
      inside: Space.inside,
      decorated: new Speaker("hi").say(),
      json: settings.answer,
      mapped,
      fromSettings: fromSettings.answer,
      extensionless,
      withJs,
      folder,
      module,
      legacy: legacy.name,
      file: readFileSync(join(__dirname, "settings.json"), "utf8").length > 0,
      required: require("./settings.json").answer,
    },
  }))
  .addEdge("__start__", "tell")
  .compile();

export const failing = new StateGraph(State)
  .addNode("tell", () => {
    const text: string = "found by its line";
    throw new Error(text);
  })
  .addEdge("__start__", "tell")
  .compile();
