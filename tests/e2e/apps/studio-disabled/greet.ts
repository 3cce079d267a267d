export { graph } from "../guarded/greet.ts";
