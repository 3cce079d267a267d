import { builder } from "./builder.js";

export const compiled = builder().compile();
export { builder as notCalled };
export const uncompiled = builder();
export const promised = Promise.resolve(builder().compile());
export const promisedBuilder = new Promise((resolve) => setTimeout(() => resolve(builder()), 20));

let calls = 0;
export const factory = (config) => {
  calls++;
  const said = `call ${calls} for ${config.configurable.who ?? "nobody"}`;
  return builder()
    .addNode("more", () => ({ said }))
    .addEdge("say", "more")
    .compile();
};
export const asyncFactory = async () => builder();
export const failingFactory = () => {
  throw new RangeError("not today");
};
export const emptyFactory = () => undefined;

class Wrapper {
  get graph() {
    return compiled;
  }
}
export const wrapped = new Wrapper();

// oxlint-disable-next-line import/no-default-export -- one of the kinds
export default builder().compile();
