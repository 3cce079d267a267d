import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createReadStream, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tar, tarGz, zip } from "../support/archives.ts";
import { write } from "../support/git-server.ts";
import { filesIn, newSourceFetcher, type SourceFetcher, temporary } from "../support/sources.ts";

let place: SourceFetcher;
let folder: string;
beforeAll(() => {
  place = newSourceFetcher();
  folder = temporary("archives");
});
afterAll(async () => {
  await place.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function* pieces(bytes: Uint8Array, length = 65_536) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const never = new AbortController().signal;
async function upload(bytes: Uint8Array, to = place) {
  const { upload_id } = await to.sources.uploads.receive(pieces(bytes), never);
  return { type: "upload" as const, upload_id };
}
const failure = async (bytes: Uint8Array, to = place) => await to.failure(await upload(bytes, to));
const unpacked = async (bytes: Uint8Array) => (await place.fetch(await upload(bytes))).root;

describe("an uploaded archive", () => {
  /** Packs the contents of `packing` with the machine's own programs. */
  const packers: [string, (into: string) => void][] = [
    ["tar.gz", (into) => execFileSync("tar", ["-czf", into, "-C", join(folder, "packing"), "."])],
    ["tar", (into) => execFileSync("tar", ["-cf", into, "-C", join(folder, "packing"), "."])],
    ["tar with long names", (into) => execFileSync("tar", ["--format=gnu", "-cf", into, "-C", folder, "packing"])],
    ["tar of POSIX", (into) => execFileSync("tar", ["--format=posix", "-czf", into, "-C", folder, "packing"])],
    ["zip", (into) => execFileSync("zip", ["-q", "-r", "-y", into, "."], { cwd: join(folder, "packing") })],
    ["zip with a top folder", (into) => execFileSync("zip", ["-q", "-r", "-y", into, "packing"], { cwd: folder })],
  ];

  test.each(packers)("of %s is unpacked, without a top folder and generated files", async (name, pack) => {
    const long = `${"long/".repeat(30)}${"name".repeat(30)}.txt`;
    write(join(folder, "packing"), {
      "graphlib.json": "{}",
      [long]: "long",
      "ü 😀.txt": "u",
      "bin/run": "#!/bin/sh",
      "bin/same": { link: "run" },
      ".git/config": "[core]",
      "node_modules/x/index.js": "",
      "__MACOSX/._a": "",
    });
    execFileSync("chmod", ["755", join(folder, "packing/bin/run")]);
    const file = join(folder, `${name}.bin`);
    pack(file.endsWith("zip.bin") || name.startsWith("zip") ? `${file}.zip` : file);
    const bytes = readFileSync(name.startsWith("zip") ? `${file}.zip` : file);
    const root = await unpacked(bytes);
    expect(await filesIn(root)).toEqual(["bin/run", "bin/same", "graphlib.json", long, "ü 😀.txt"]);
    expect(await readFile(join(root, "bin/same"), "utf8")).toBe("#!/bin/sh");
    expect((await stat(join(root, "bin/run"))).mode & 0o777).toBe(0o755);
    expect((await stat(join(root, "graphlib.json"))).mode & 0o777).toBe(0o644);
  });

  test("is unpacked for each fetch, with the requested folder in it", async () => {
    const source = await upload(tarGz([{ name: "bot-1a2b3c/apps/chat/a.ts", body: "1" }, { name: "bot-1a2b3c/b" }]));
    const { folder: inside, root } = await place.fetch({ ...source, folder: "apps/chat" });
    expect(inside).toBe(join(root, "apps/chat"));
    expect(await filesIn((await place.fetch(source)).root)).toEqual(["apps/chat/a.ts", "b"]);
  });

  test("may name a file twice or by another name: the last one counts", async () => {
    const root = await unpacked(
      tar([{ name: "a", body: "1" }, { name: "b", type: "1", link: "a" }, { name: "./a", body: "2" }, { name: "c" }]),
    );
    expect([await readFile(join(root, "a"), "utf8"), await readFile(join(root, "b"), "utf8")]).toEqual(["2", "1"]);
  });

  test("that was not uploaded, or is gone, is refused", async () => {
    const source = { type: "upload" as const, upload_id: randomUUID() };
    expect(await place.failure(source)).toEqual({
      message: "This upload no longer exists",
      fix: "Upload the archive again",
    });
  });
});

describe("an archive is refused that holds", () => {
  const evil = (name: string) => [
    { name: "ok.txt", body: "ok" },
    { name, body: "evil" },
  ];
  test.each(["/etc/evil", "../evil", "a/../../evil", "..", "C:/evil", "a/..", "./../evil"])("%j", async (name) => {
    for (const bytes of [tar(evil(name)), tarGz(evil(name)), zip(evil(name))]) {
      const { message } = await failure(bytes);
      expect(message).toBe(`The archive holds ${JSON.stringify(name)}, which leads out of it`);
    }
  });

  test("a path with backslashes that leads out", async () => {
    expect((await failure(zip(evil("..\\evil")))).message).toMatch(/leads out of it$/);
    expect(await filesIn(await unpacked(tar(evil("a\\b"))))).toEqual(["a\\b", "ok.txt"]);
  });

  test.each([
    ["out", "/etc/passwd"],
    ["out", "../x"],
    ["a/b", "../../x"],
    ["a/b", "../c/../../x"],
  ])("a link from %j to %j", async (name, link) => {
    const message = `The archive holds "${name}", a link that leads out of it`;
    expect((await failure(tar([{ name: "ok" }, { name, type: "2", link }]))).message).toBe(message);
    expect((await failure(zip([{ name: "ok" }, { name, mode: 0o120777, body: link }]))).message).toBe(message);
  });

  test("a link out of its top folder, even to a path inside the archive", async () => {
    const { message } = await failure(tar([{ name: "top/a" }, { name: "top/out", type: "2", link: "../top/a" }]));
    expect(message).toBe('The archive holds "out", a link that leads out of it');
  });

  test("a file whose path leads through a link", async () => {
    const through = [
      { name: "out", type: "2" as const, link: "/tmp" },
      { name: "out/evil", body: "evil" },
    ];
    expect((await failure(tar(through))).message).toMatch(
      /"out", which is a file at one place and a folder at another/,
    );
    const links = [
      { name: "ok" },
      { name: "in", type: "2" as const, link: "." },
      { name: "in/evil", type: "2" as const, link: "ok" },
    ];
    expect((await failure(tar(links))).message).toMatch(/"in\/evil", which lies below a link/);
    expect((await failure(tar([{ name: "a" }, { name: "a/b" }]))).message).toMatch(/a file at one place/);
  });

  test.each(["3", "4", "6"] as const)("a device or a pipe (%s)", async (type) => {
    expect((await failure(tar([{ name: "dev", type }]))).message).toBe('The archive holds "dev", which is not a file');
  });

  test("a device in a zip, or a file with a password", async () => {
    expect((await failure(zip([{ name: "dev", mode: 0o020666 }]))).message).toMatch(/which is not a file/);
    expect((await failure(zip([{ name: "a", encrypted: true }]))).message).toBe(
      "The archive is locked with a password",
    );
  });

  test("a hard link to a file that is not in it", async () => {
    for (const link of ["/etc/passwd", "../x", "none"]) {
      expect((await failure(tar([{ name: "a" }, { name: "b", type: "1", link }]))).message).toMatch(
        /leads out of it|not in it/,
      );
    }
  });

  test("a name that is too long for a file", async () => {
    expect((await failure(zip([{ name: "x".repeat(300) }, { name: "a" }]))).message).toMatch(/whose name is too long$/);
  });

  test("no entries", async () => {
    for (const bytes of [tar([]), zip([]), tar([{ name: "./", type: "5" }])]) {
      expect((await failure(bytes)).message).toBe("The archive is empty");
    }
  });

  test("more files, or more bytes, than allowed", async () => {
    const small = newSourceFetcher({ limits: { bytes: 1024 * 1024, entries: 50 } });
    const many = Array.from({ length: 51 }, (_, n) => ({ name: `f${n}` }));
    const bomb = [{ name: "zeros", body: Buffer.alloc(3 * 1024 * 1024) }];
    for (const pack of [tar, tarGz, zip]) {
      expect((await failure(pack(many), small)).message).toBe("The archive holds more than 50 files");
      expect((await failure(pack(bomb), small)).message).toBe("The archive holds more than 1 MB");
    }
    const lying = zip([{ name: "zeros", body: Buffer.alloc(3 * 1024 * 1024), size: 10 }]);
    expect((await failure(lying, small)).message).toMatch(/^The archive is damaged: too many bytes/);
    const padded = gzipSync(Buffer.concat([tar([{ name: "a" }]), Buffer.alloc(5 * 1024 * 1024)]));
    expect((await failure(padded, small)).message).toBe("The archive unpacks to more than this server takes");
    await small.remove();
  });
});

describe("a file that is not an archive", () => {
  test.each([
    ["", "The uploaded file is not an archive"],
    ["<!doctype html><html></html>", "The uploaded file is not an archive"],
    ["BZh91AY&SY", "Archives of bzip2 can't be unpacked here"],
    ["7z\u00BC\u00AF", "Archives of 7z can't be unpacked here"],
    ["Rar!", "Archives of rar can't be unpacked here"],
  ])("%j is reported as that", async (text, message) => {
    expect(await failure(Buffer.from(text, "latin1"))).toEqual({ message, fix: "Upload a .tar.gz, .tar or .zip file" });
  });

  test("or is cut off or garbled is reported as damaged", async () => {
    const entries = [
      { name: "a", body: "a".repeat(5_000) },
      { name: "b", body: Buffer.from(crypto.getRandomValues(new Uint8Array(20_000))) },
    ];
    for (const pack of [tar, tarGz, zip]) {
      const bytes = pack(entries);
      const cut = await failure(bytes.subarray(0, Math.floor(bytes.length / 2)));
      expect(cut.message).toMatch(/^The archive is damaged: /);
      expect(cut.fix).toBe("Pack and upload it again");
    }
    const garbled = tarGz(entries);
    garbled.fill(7, 100, 200);
    expect((await failure(garbled)).message).toMatch(/^The archive is damaged: /);
    const headers = tar(entries);
    headers.fill(7, 5_632 + 100, 5_632 + 200);
    expect((await failure(headers)).message).toMatch(/^The archive is damaged: /);
  });
});

describe("an upload", () => {
  test("that is too large ends early, and leaves nothing", async () => {
    const small = newSourceFetcher({ uploadBytes: 1024 * 1024 });
    let sent = 0;
    async function* endless() {
      for (;;) {
        sent += 65_536;
        yield new Uint8Array(65_536);
      }
    }
    await expect(small.sources.uploads.receive(endless(), never)).rejects.toMatchObject({
      name: "StepFailure",
      message: "The archive is larger than 1 MB",
    });
    expect(sent).toBeLessThan(4 * 1024 * 1024);
    expect(await readdir(join(small.home, "uploads"))).toEqual([]);
    await small.remove();
  });

  test("whose sender goes away, or that is aborted, leaves nothing", async () => {
    const alone = newSourceFetcher();
    async function* broken() {
      yield new Uint8Array(10);
      await Promise.resolve();
      throw new Error("the sender has gone");
    }
    await expect(alone.sources.uploads.receive(broken(), never)).rejects.toThrow("the sender has gone");
    const abort = new AbortController();
    async function* waiting() {
      yield new Uint8Array(10);
      abort.abort(new Error("enough"));
      await new Promise(() => {});
    }
    await expect(alone.sources.uploads.receive(waiting(), abort.signal)).rejects.toThrow("enough");
    for (let time = 0; time < 100; time++) {
      const aborted = alone.sources.uploads.receive(waiting(), AbortSignal.abort(new Error("before")));
      await expect(aborted).rejects.toThrow("before");
    }
    await sleep(50);
    expect(await readdir(join(alone.home, "uploads"))).toEqual([]);
    await alone.remove();
  });

  test("is deleted after a day, unless it is in use; parts that an earlier process left are deleted at once", async () => {
    const alone = newSourceFetcher();
    const [old, used, fresh] = await Promise.all([1, 2, 3].map(() => upload(tar([{ name: "a" }]), alone)));
    const uploads = join(alone.home, "uploads");
    const yesterday = Date.now() / 1000 - 25 * 3_600;
    for (const one of [old, used]) utimesSync(join(uploads, one?.upload_id ?? ""), yesterday, yesterday);
    writeFileSync(join(uploads, `${randomUUID()}.part`), "x");
    await alone.sources.sweep(new Set([used?.upload_id ?? ""]));
    expect((await readdir(uploads)).toSorted()).toEqual([used?.upload_id, fresh?.upload_id].toSorted());
    await alone.remove();
  });

  test("comes from any stream of bytes", async () => {
    const file = join(folder, "stream.tar");
    writeFileSync(file, tar([{ name: "a", body: "1" }, { name: "b" }]));
    const { bytes } = await place.sources.uploads.receive(createReadStream(file), never);
    expect(bytes).toBe((await stat(file)).size);
    const web = new Response(readFileSync(file)).body;
    if (!web) throw new Error("no body");
    expect((await place.sources.uploads.receive(web, never)).bytes).toBe(bytes);
  });
});
