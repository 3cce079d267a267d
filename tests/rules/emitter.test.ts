import { describe, expect, test } from "vitest";
import { createEmitter } from "../../lib/rules/emitter.ts";

describe("an emitter", () => {
  test("calls its listeners with every event, in the order in which they came, until they leave", () => {
    const { on, emit } = createEmitter<[number]>();
    const received: string[] = [];
    const leave = on((n) => received.push(`a${n}`));
    on((n) => received.push(`b${n}`));
    emit(1);
    leave();
    leave();
    emit(2);
    expect(received).toEqual(["a1", "b1", "b2"]);
  });

  test("calls no listener after it was closed", () => {
    const { on, emit, close } = createEmitter();
    let calls = 0;
    on(() => calls++);
    close();
    on(() => calls++);
    emit();
    expect(calls).toBe(0);
  });
});
