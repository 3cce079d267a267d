import { unknownRoute } from "@/lib/http/system.ts";

export {
  unknownRoute as GET,
  unknownRoute as POST,
  unknownRoute as PUT,
  unknownRoute as PATCH,
  unknownRoute as DELETE,
};
export { preflight as OPTIONS } from "@/lib/http/cors.ts";
