import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { AwsClient } from "aws4fetch";

const PROGRAM = "moto_server";
const KEYS = { accessKeyId: "AKIATESTS", secretAccessKey: "a key of tests" };

/** A server with the interface of S3, which keeps nothing. */
export interface S3Server {
  readonly endpoint: string;
  readonly keys: typeof KEYS;
  /** Makes a bucket, and returns its name. */
  bucket(name: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts moto's server on a free port of this machine; warns and returns undefined where it is not installed. */
export async function startS3(): Promise<S3Server | undefined> {
  try {
    execFileSync(PROGRAM, ["--help"], { stdio: "ignore" });
  } catch {
    console.warn(`${PROGRAM} (PyPI: moto[server]) is not installed: the tests of blobs in S3 did not run.`);
    return undefined;
  }
  const server = spawn(PROGRAM, ["--host", "127.0.0.1", "--port", "0"], { stdio: ["ignore", "ignore", "pipe"] });
  let endpoint: string | undefined;
  for await (const text of server.stderr) {
    endpoint = /Running on (http:\/\/127\.0\.0\.1:\d+)/.exec(String(text))?.[1];
    if (endpoint !== undefined) break;
  }
  if (endpoint === undefined) throw new Error(`${PROGRAM} did not start`);
  const at = endpoint;
  const client = new AwsClient({ ...KEYS, service: "s3", region: "us-east-1" });
  return {
    endpoint: at,
    keys: KEYS,
    async bucket(name) {
      const { status } = await client.fetch(`${at}/${name}`, { method: "PUT" });
      if (status !== 200) throw new Error(`the bucket was answered with ${status}`);
      return name;
    },
    async stop() {
      server.kill("SIGKILL");
      if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
    },
  };
}
