export { auth } from "../guarded/auth.ts";
