import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusedHost, trafficLine } from "../../../lib/rules/packages/install-traffic.ts";
import {
  absoluteTarget,
  authorityOf,
  connectTarget,
  originTarget,
  proxyOf,
  readProxies,
} from "../../../lib/rules/packages/proxies.ts";

const host = fc.oneof(fc.domain(), fc.ipV4(), fc.ipV6());
const port = fc.integer({ min: 1, max: 65_535 });

describe("the target of a proxy request", () => {
  test("is the host and port that were written, in each form of request", () => {
    fc.assert(
      fc.property(host, port, (name, number) => {
        const written = authorityOf({ host: name, port: number });
        const target = connectTarget(written);
        if (!target) throw new Error(`${written} was not read`);
        expect(target.port).toBe(number);
        expect(connectTarget(authorityOf(target))).toEqual(target);
        expect(absoluteTarget(`http://${written}/a?b=c`)).toEqual({ ...target, path: "/a?b=c" });
        expect(originTarget(`https://${written}/npm/`)).toEqual(target);
      }),
    );
  });

  test("is undefined where the text has no valid host and port", () => {
    for (const text of [
      "",
      "/",
      ":80",
      "a",
      "a:0",
      "a:65536",
      "a:b",
      "a/b:80",
      "u@a:80",
      "a?:80",
      "a\\b:80",
      "[::1:80",
    ])
      expect(connectTarget(text)).toBeUndefined();
    for (const text of ["/path", "https://a/", "ftp://a/", "http://", "*"])
      expect(absoluteTarget(text)).toBeUndefined();
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const targets = [connectTarget(text), absoluteTarget(text), originTarget(text)];
        for (const target of targets) expect(target?.host ?? "").not.toMatch(/[\s/@[\]]/);
      }),
    );
  });

  test("is a normalised IP address", () => {
    for (const text of ["2130706433:80", "0x7f.1:80", "0177.0.0.1:80", "127.1:80", "127.0.0.1:80"])
      expect(connectTarget(text)).toEqual({ host: "127.0.0.1", port: 80 });
  });
});

describe("the operator's own proxy", () => {
  test("is npm's before the environment's, with lower case names before upper case", () => {
    const environment = { HTTP_PROXY: "http://a", http_proxy: "http://b", HTTPS_PROXY: "http://c", NO_PROXY: "x, y" };
    expect(readProxies({}, environment)).toEqual({ http: "http://b", https: "http://c", direct: ["x", "y"] });
    expect(readProxies({ proxy: "http://d", noproxy: "z" }, environment)).toEqual({
      http: "http://d",
      https: "http://d",
      direct: ["z"],
    });
    expect(readProxies({ proxy: "false" }, environment)).toEqual({ direct: ["x", "y"] });
  });

  test("is not used for hosts that are reached directly", () => {
    const proxies = {
      http: "http://h",
      https: "http://s",
      direct: ["corp.example", ".dot.example", "only.example:81"],
    };
    const used = (name: string, number = 80) => proxyOf({ host: name, port: number }, "http", proxies);
    expect(["corp.example", "a.corp.example", "a.dot.example"].map((name) => used(name))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([used("xcorp.example"), used("only.example"), used("only.example", 81)]).toEqual([
      "http://h",
      "http://h",
      undefined,
    ]);
    expect(proxyOf({ host: "a", port: 443 }, "https", { ...proxies, direct: ["*"] })).toBeUndefined();
    expect(proxyOf({ host: "a", port: 443 }, "https", proxies)).toBe("http://s");
  });
});

describe("a host that was refused", () => {
  test("is reported with the line that names it", () => {
    const files = [
      { file: ".npmrc", text: "a=b\n" },
      {
        file: "package-lock.json",
        text: '{\n "resolved": "http://110.0.0.1:81/x",\n "resolved": "http://10.0.0.1:81/x"\n}',
      },
    ];
    expect(refusedHost({ host: "10.0.0.1", port: 81 }, files)).toMatchObject({
      message: "10.0.0.1:81 is not a public host: installs of this server do not go there",
      file: "package-lock.json",
      line: 3,
      fix: expect.stringContaining("Take it out of package-lock.json"),
    });
    expect(refusedHost({ host: "10.0.0.2", port: 81 }, files)).not.toHaveProperty("file");
  });

  test("is found in any text", () => {
    fc.assert(
      fc.property(host, port, fc.string(), fc.string(), (name, number, before, after) => {
        const text = `${before}\n"http://${authorityOf({ host: name, port: number })}/"\n${after}`;
        expect(refusedHost({ host: name, port: number }, [{ file: "f", text }])).toHaveProperty("file", "f");
      }),
    );
  });
});

test("the traffic of a host is one line", () => {
  expect(trafficLine({ authority: "a.example:443", connections: 1, bytes: 2_500_000 })).toBe(
    "a.example: 1 connection, 2.4 MB",
  );
  expect(trafficLine({ authority: "a:80", connections: 1_200, bytes: 1 })).toBe("a:80: 1,200 connections, 1 kB");
  expect(trafficLine({ authority: "", connections: 2, bytes: 0 })).toBe("Other hosts: 2 connections, 0 kB");
});
