import { resolve } from "node:path";

export default {
  compress: false,
  poweredByHeader: false,
  turbopack: { root: resolve(import.meta.dirname, "../../..") },
};
