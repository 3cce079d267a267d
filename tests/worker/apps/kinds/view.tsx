// @ts-expect-error: JavaScript without types
import { builder } from "./builder.js";

const title = <b>hello</b>;

export const graph = builder().compile();
export const shown: string = title.type;
