import { ORDINARY_USER, type TestServerOptions } from "./server.ts";

const isRoot = process.getuid?.() === 0;

/** The users that servers are tested as: the one who runs the tests and, when that is root, an ordinary user too. */
export const serverUsers: readonly (Pick<TestServerOptions, "user"> & { as: string })[] = [
  { as: isRoot ? "root" : "this user" },
  ...(isRoot ? [{ as: "an ordinary user", user: ORDINARY_USER }] : []),
];
