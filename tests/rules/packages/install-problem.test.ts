import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PackageManager } from "../../../lib/protocol/preflight.ts";
import { readInstallProblem } from "../../../lib/rules/packages/install-problem.ts";

const facts = {
  manifests: [
    {
      file: "package.json",
      text: '{\n  "dependencies": {\n    "is-odd": "^99.0.0",\n    "langchan": "^1.0.0",\n    "@acme/x": "1"\n  }\n}',
    },
  ],
  lockfile: "package-lock.json",
};
const read = (manager: PackageManager, output: string) => readInstallProblem(manager, output.split("\n"), facts, 1);

/** Outputs exactly as the package managers printed them. */
describe.each<[string, { message: string; line?: number; file?: string }, [PackageManager, string][]]>([
  [
    "a missing package",
    { message: 'There is no package "langchan"', file: "package.json", line: 4 },
    [
      [
        "npm",
        "npm error code E404\nnpm error 404 Not Found - GET https://registry.npmjs.org/langchan\nnpm error 404\nnpm error 404  The requested resource 'langchan@^1.0.0' could not be found or you do not have permission to access it.",
      ],
      [
        "npm",
        "npm ERR! code E404\nnpm ERR! 404 Not Found - GET https://registry.npmjs.org/langchan - Not found\nnpm ERR! 404 \nnpm ERR! 404  'langchan@^1.0.0' is not in this registry.",
      ],
      [
        "pnpm",
        " ERR_PNPM_FETCH_404  GET https://registry.npmjs.org/langchan: Not Found - 404\n\nThis error happened while installing a direct dependency of /tmp/x\n\nlangchan is not in the npm registry, or you have no permission to fetch it.",
      ],
      ["yarn", '[1/4] Resolving packages...\nerror Couldn\'t find package "langchan" on the "npm" registry.'],
      [
        "yarn",
        "➤ YN0000: ┌ Resolution step\n➤ YN0035: │ langchan@npm:^1.0.0: Package not found\n➤ YN0035: │   Response Code: 404 (Not Found)",
      ],
      ["bun", "error: GET https://registry.npmjs.org/langchan - 404"],
    ],
  ],
  [
    "a missing package of a scope",
    { message: 'There is no package "@acme/x"', file: "package.json", line: 5 },
    [
      ["pnpm", " ERR_PNPM_FETCH_404  GET https://registry.npmjs.org/@acme%2Fx: Not Found - 404"],
      ["npm", "npm error 404 Not Found - GET https://registry.npmjs.org/@acme%2fx - Not found"],
    ],
  ],
  [
    "a version without an archive",
    { message: 'The registry has no archive of "@acme/x" 1.2.3-rc.1', file: "package.json", line: 5 },
    [
      [
        "npm",
        "npm error code E404\nnpm error 404 Not Found - GET https://npm.example/npm/@acme/x/-/x-1.2.3-rc.1.tgz\nnpm error 404\nnpm error 404  The requested resource '@acme/x@https://npm.example/npm/@acme/x/-/x-1.2.3-rc.1.tgz' could not be found or you do not have permission to access it.",
      ],
      [
        "pnpm",
        " ERR_PNPM_FETCH_404  GET https://npm.example/npm/@acme/x/-/x-1.2.3-rc.1.tgz: Not Found - 404\n\nNo authorization header was set for the request.",
      ],
      ["yarn", 'error Error: https://npm.example/npm/@acme/x/-/x-1.2.3-rc.1.tgz: Request failed "404 Not Found"'],
      [
        "yarn",
        "➤ YN0035: │ @acme/x@npm:1.2.3-rc.1: Package not found\n➤ YN0035: │   Response Code: 404 (Not Found)\n➤ YN0035: │   Request Method: GET\n➤ YN0035: │   Request URL: https://npm.example/npm/@acme/x/-/x-1.2.3-rc.1.tgz",
      ],
    ],
  ],
  [
    "a version that there is not",
    { message: 'There is no version ^99.0.0 of "is-odd"', file: "package.json", line: 3 },
    [
      ["npm", "npm error code ETARGET\nnpm error notarget No matching version found for is-odd@^99.0.0."],
      [
        "pnpm",
        " ERR_PNPM_NO_MATCHING_VERSION  No matching version found for is-odd@^99.0.0 while fetching it from https://registry.npmjs.org/",
      ],
      ["yarn", 'error Couldn\'t find any versions for "is-odd" that matches "^99.0.0"'],
      ["yarn", "➤ YN0082: │ is-odd@npm:^99.0.0: No candidates found"],
      ["bun", 'error: No version matching "^99.0.0" found for specifier "is-odd" (but package exists)'],
    ],
  ],
  [
    "a lockfile that is not up to date",
    { message: "package-lock.json does not match package.json: it has no is-even@1.0.0", file: "package-lock.json" },
    [
      [
        "npm",
        "npm error code EUSAGE\nnpm error\nnpm error `npm ci` can only install packages when your package.json and package-lock.json or npm-shrinkwrap.json are in sync.\nnpm error\nnpm error Missing: is-even@1.0.0 from lock file\nnpm error Missing: kind-of@3.2.2 from lock file",
      ],
      [
        "pnpm",
        ' ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile" because pnpm-lock.yaml is not up to date with <ROOT>/package.json\n  Failure reason:\n* 1 dependencies were added: is-even@1.0.0',
      ],
    ],
  ],
  [
    "a lockfile that is not up to date, in fewer words",
    { message: "package-lock.json does not match package.json", file: "package-lock.json" },
    [
      ["yarn", "error Your lockfile needs to be updated, but yarn was run with `--frozen-lockfile`."],
      ["yarn", "➤ YN0028: │ The lockfile would have been modified by this install, which is explicitly forbidden."],
      ["bun", "error: lockfile had changes, but lockfile is frozen"],
    ],
  ],
  [
    "versions that do not fit",
    { message: '"use-store" needs react ^16.8.0 || ^17.0.0, and another version of it is required' },
    [
      [
        "npm",
        'npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree\nnpm error\nnpm error While resolving: x@1.0.0\nnpm error Found: react@19.0.0\nnpm error node_modules/react\nnpm error   react@"19.0.0" from the root project\nnpm error\nnpm error Could not resolve dependency:\nnpm error peer react@"^16.8.0 || ^17.0.0" from use-store@1.2.0',
      ],
      [
        "pnpm",
        ' ERR_PNPM_PEER_DEP_ISSUES  Unmet peer dependencies\n\n.\n└─┬ use-store 1.2.0\n  └── ✕ unmet peer react@"^16.8.0 || ^17.0.0": found 19.0.0',
      ],
    ],
  ],
  [
    "something else than was locked",
    { message: 'What the registry sent for "is-odd" is not what package-lock.json has', file: "package-lock.json" },
    [
      [
        "pnpm",
        ' ERR_PNPM_TARBALL_INTEGRITY  Got unexpected checksum for "https://registry.npmjs.org/is-odd/-/is-odd-3.0.1.tgz". Wanted "sha512-A".',
      ],
      [
        "yarn",
        'error https://registry.yarnpkg.com/is-odd/-/is-odd-3.0.1.tgz: Integrity check failed for "is-odd" (computed integrity doesn\'t match our records, got "sha512-C")',
      ],
      ["yarn", "➤ YN0018: │ is-odd@npm:3.0.1: The remote archive doesn't match the expected checksum"],
    ],
  ],
  [
    "something else than was locked, of a package that is not named",
    { message: "What the registry sent is not what package-lock.json has" },
    [["npm", "npm error code EINTEGRITY\nnpm error Integrity checksum failed when using sha512: wanted A but got B."]],
  ],
  [
    "a registry that can't be reached",
    { message: "The registry can't be reached (ECONNREFUSED)" },
    [
      [
        "npm",
        "npm error code ECONNREFUSED\nnpm error syscall connect\nnpm error FetchError: request to http://127.0.0.1:9/is-odd failed, reason: connect ECONNREFUSED 127.0.0.1:9",
      ],
      ["pnpm", " ECONNREFUSED  request to http://127.0.0.1:9/is-odd/-/is-odd-3.0.1.tgz failed"],
      ["yarn", "error Error: connect ECONNREFUSED 127.0.0.1:9"],
      ["yarn", "➤ YN0001: │ RequestError: connect ECONNREFUSED 127.0.0.1:9"],
    ],
  ],
  [
    "a registry that does not let one in",
    { message: "The registry refuses this server" },
    [
      ["npm", "npm error code E401\nnpm error Incorrect or missing password."],
      ["pnpm", " ERR_PNPM_FETCH_401  GET https://npm.example/@acme%2Fx: Unauthorized - 401"],
      ["yarn", "➤ YN0041: │ @acme/x@npm:1: Invalid authentication (as an anonymous user)"],
    ],
  ],
  [
    "a full disk",
    { message: "The server's disk is full" },
    [["npm", "npm error code ENOSPC\nnpm error syscall write\nnpm error nospc ENOSPC: no space left on device, write"]],
  ],
  [
    "an install script that fails",
    { message: 'The install script of "thing" failed' },
    [
      [
        "npm",
        "npm error code 1\nnpm error path /srv/x/tree/node_modules/thing\nnpm error command failed\nnpm error command sh -c node fail.js",
      ],
      [
        "pnpm",
        "node_modules/.pnpm/thing@1.0.0/node_modules/thing postinstall: Failed\n ELIFECYCLE  Command failed with exit code 1.",
      ],
      ["yarn", "error /srv/x/tree/node_modules/thing: Command failed.\nExit code: 1"],
      ["yarn", "➤ YN0009: │ thing@file:./thing.tgz couldn't be built successfully (exit code 1)"],
    ],
  ],
])("%s", (_, expected, cases) => {
  test.each(cases)("is recognised in the output of %s (%#)", (manager, output) => {
    expect(read(manager, output)).toMatchObject(expected);
    expect(read(manager, output).fix).toMatch(/\.$/);
  });
});

test("an unknown failure is described by its first error, or by the exit code", () => {
  expect(read("npm", "npm warn deprecated\nnpm error something odd").message).toBe("npm failed: something odd");
  expect(readInstallProblem("pnpm", [], { manifests: [] }, 7).message).toBe("pnpm failed with code 7");
});

test("colours in the output are ignored", () => {
  expect(read("npm", "\u001B[31mnpm error\u001B[39m code \u001B[1mENOSPC\u001B[22m").message).toBe(
    "The server's disk is full",
  );
});

test("any output gives a message and a fix", () => {
  const manager = fc.constantFrom<PackageManager>("npm", "pnpm", "yarn", "bun");
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom(
      "npm error code E404",
      "npm error peer ",
      "Found: ".repeat(1_000),
      "GET /".repeat(1_000),
      "│ a@npm:",
      "─ ",
    ),
  );
  fc.assert(
    fc.property(manager, fc.array(line), fc.string(), (name, output, manifest) => {
      const problem = readInstallProblem(name, output, { manifests: [{ file: "package.json", text: manifest }] }, 1);
      expect(problem.message).not.toBe("");
      expect(problem.fix).toMatch(/\.$/);
    }),
  );
  const flood = Array.from({ length: 5_000 }, () => `GET /${"a/".repeat(2_000)}: ${"@".repeat(2_000)}`);
  expect(readInstallProblem("npm", flood, { manifests: [] }, 1).message).toBe("npm failed with code 1");
});
