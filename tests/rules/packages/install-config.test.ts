import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { keptManifest, keptNpmrc, keptPnpmWorkspace, keptYarnrc } from "../../../lib/rules/packages/install-config.ts";
import {
  certificateEnvironment,
  expand,
  expandLines,
  npmrcOf,
  readRegistrySettings,
  registryHosts,
  yarnrcOf,
} from "../../../lib/rules/packages/registry-settings.ts";

describe("settings of a project", () => {
  test(".npmrc keeps the sources of packages and their layout", () => {
    const kept =
      "registry=https://example.com/\n@acme:registry = https://acme.example/\nlegacy-peer-deps=true\nnode-linker=hoisted\n";
    const token = "//acme.example/:_authToken=${TOKEN}\n";
    expect(keptNpmrc(kept + token, true)).toBe(kept + token);
    expect(keptNpmrc(kept + token, false)).toBe(kept);
  });

  test.each([
    "git=./evil",
    "script-shell=./evil.sh",
    "node-options=--require ./evil.js",
    "modules-dir=../../..",
    "virtual-store-dir=/tmp",
    "pnpmfile=./evil.cjs",
    "userconfig=/root/.npmrc",
    "ignore-scripts=false",
    "node-linker=pnp",
    "package-lock-only=true",
    " cache = /",
    "//host/:certfile=/etc/shadow",
    "strict-ssl=false",
    "@acme:registry",
  ])(".npmrc loses %s", (line) => {
    expect(keptNpmrc(`${line}\r\nregistry=x\r\n`, true)).toBe("registry=x\n");
  });

  test("YAML keeps only known members, with everything below them", () => {
    const packages = "packages:\n  - a\n  # here\n  - b\n";
    const flat = "catalog:\n- x\n- y\n";
    expect(keptPnpmWorkspace(`${packages}modulesDir: ../../x\npnpmfile: ./e.cjs\n${flat}`)).toBe(packages + flat);
    expect(keptPnpmWorkspace(`configDependencies:\n  evil: 1.0.0\n${packages}`)).toBe(packages);
    expect(
      keptYarnrc("yarnPath: ./evil.cjs\nplugins:\n  - ./evil.cjs\nnpmRegistryServer: x\nnpmAuthToken: t", false),
    ).toBe("npmRegistryServer: x\n");
  });

  test("any YAML ends up with only known members at the start of its lines", () => {
    const line = fc.oneof(
      fc.constantFrom(
        "packages:",
        "modulesDir: x",
        '"modulesDir": x',
        "? modulesDir",
        "<<: *x",
        "---",
        "- a",
        "  - b",
        "{modulesDir: x}",
        "\tx: y",
        "packages: [",
        "# c",
        "",
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const tops = keptPnpmWorkspace(lines.join("\n"))
          .split("\n")
          .filter((one) => /^[^\s#]/.test(one));
        for (const one of tops) expect(one).toMatch(/^(?:packages:|- )/);
      }),
    );
  });

  test("package.json loses its scripts and what names a package manager", () => {
    expect(
      keptManifest({
        name: "x",
        scripts: { postinstall: "evil" },
        packageManager: "npm@1.0.0",
        engines: {},
        dependencies: { a: "1" },
        pnpm: { overrides: {}, executionEnv: {} },
      }),
    ).toEqual({ name: "x", dependencies: { a: "1" }, pnpm: { overrides: {} } });
  });
});

describe("the operator's registry", () => {
  const config = {
    registry: "https://npm.example/",
    "@acme:registry": "http://acme.example/npm/",
    cafile: "/etc/ca.pem",
    "https-proxy": "http://user:pass@proxy:3128/",
    noproxy: ["localhost", ""],
    "strict-ssl": true,
    userconfig: "/root/.npmrc",
    cache: "/root/.npm",
  };
  const files = [
    "//npm.example/:_authToken=${NPM_TOKEN}\n; c\n//acme.example/npm/:username=me\n//acme.example/npm/:_password=cGFzcw==\n_authToken=loose\n",
  ];
  const settings = readRegistrySettings(config, files, { NPM_TOKEN: "s3cret" });

  test("is written for every package manager in its own format", () => {
    expect(npmrcOf(settings, true).split("\n").toSorted()).toEqual(
      [
        "",
        "//acme.example/npm/:_password=cGFzcw==",
        "//acme.example/npm/:username=me",
        "//npm.example/:_authToken=s3cret",
        "@acme:registry=http://acme.example/npm/",
        "cafile=/etc/ca.pem",
        "registry=https://npm.example/",
      ].toSorted(),
    );
    expect(JSON.parse(yarnrcOf(settings, true))).toEqual({
      enableTelemetry: false,
      npmRegistryServer: "https://npm.example",
      httpsCaFilePath: "/etc/ca.pem",
      npmScopes: { acme: { npmRegistryServer: "http://acme.example/npm/" } },
      unsafeHttpWhitelist: ["acme.example"],
      npmRegistries: {
        "//npm.example": { npmAlwaysAuth: true, npmAuthToken: "s3cret" },
        "//acme.example/npm": { npmAlwaysAuth: true, npmAuthIdent: "me:pass" },
      },
    });
  });

  test("is written without credentials where scripts run", () => {
    const environment = { HTTPS_PROXY: "http://user:pass@proxy/", NODE_EXTRA_CA_CERTS: "/etc/own.pem", SECRET: "x" };
    const certificates = certificateEnvironment(settings, environment);
    const open = [npmrcOf(settings, false), yarnrcOf(settings, false), JSON.stringify(certificates)];
    expect(open.join()).not.toMatch(/s3cret|pass|cGFzcw|"me"|SECRET/);
    expect(certificates).toEqual({ NODE_EXTRA_CA_CERTS: "/etc/own.pem" });
  });

  test("may be any host, and is reached through the operator's own proxy", () => {
    expect(registryHosts(settings)).toEqual(new Set(["npm.example:443", "acme.example:80"]));
    expect(settings.proxies).toEqual({ https: "http://user:pass@proxy:3128/", direct: ["localhost"] });
  });

  test("is read from anything that npm and its files state", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.string()), (any, texts) => {
        const read = readRegistrySettings(any, texts, {});
        for (const line of npmrcOf(read, true).split("\n")) expect(line === "" || line.includes("=")).toBe(true);
      }),
    );
  });
});

test("variables are expanded, and a line whose variable is missing is dropped", () => {
  expect(expand("a${B}c${D:-e}", { B: "b" })).toBe("abce");
  expect(expand('"${B}"', { B: "b" })).toBe("b");
  expect(expand("${GONE}", {})).toBeUndefined();
  expect(expandLines("x=1\n//h/:_authToken=${T}\n//i/:_authToken=${U}", { T: "t" })).toBe("x=1\n//h/:_authToken=t");
});
