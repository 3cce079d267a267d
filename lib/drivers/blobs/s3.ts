/** Blobs in a bucket of S3, or of a service with the same interface. */
import { openAsBlob } from "node:fs";
import { AwsClient } from "aws4fetch";
import type { Blobs } from "./blobs.ts";

export interface S3Options {
  bucket: string;
  /** The names of all objects begin with it; empty for none. */
  prefix: string;
  region: string;
  /** The address of another service than Amazon's. Its buckets are addressed by path. */
  endpoint: string | undefined;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string | undefined;
}

/** The attempts after the first one that the service answers with a failure of its own. */
const RETRIES = 4;
/** The time limit of a request with all that it carries, in ms. */
const LIMIT_MS = 10 * 60_000;

export function s3Blobs({ bucket, prefix, region, endpoint, ...keys }: S3Options): Blobs {
  const client = new AwsClient({ ...keys, service: "s3", region, retries: RETRIES });
  const base = addressOf(bucket, region, endpoint);
  const name = `s3://${[bucket, prefix].filter((part) => part !== "").join("/")}`;
  const send = async (method: string, sha256: string, init: RequestInit = {}): Promise<Response> => {
    const path = [prefix, sha256].filter((part) => part !== "").join("/");
    const url = `${base}/${path.split("/").map(encodeURIComponent).join("/")}`;
    const answer = await client.fetch(url, { method, ...init, signal: AbortSignal.timeout(LIMIT_MS) });
    if (answer.ok || answer.status === 404) return answer;
    throw new Error(`${name} answers ${method} with ${answer.status} ${await reasonOf(answer)}`);
  };
  return {
    place: "the bucket of GRAPHLIB_BLOBS",
    has: async (sha256) => (await send("HEAD", sha256)).ok,
    async put(sha256, file) {
      const headers = { "x-amz-content-sha256": sha256, "content-type": "application/octet-stream" };
      const answer = await send("PUT", sha256, { body: await openAsBlob(file), headers });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`${name} does not exist`);
    },
    async get(sha256) {
      const answer = await send("GET", sha256);
      return answer.ok ? (answer.body ?? undefined) : undefined;
    },
    async delete(sha256) {
      await (await send("DELETE", sha256)).body?.cancel();
    },
  };
}

function addressOf(bucket: string, region: string, endpoint: string | undefined): string {
  if (endpoint !== undefined) return `${endpoint}/${bucket}`;
  const host = `s3.${region}.amazonaws.com`;
  // The certificate of the service has one level of names.
  return bucket.includes(".") ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
}

/** Returns the code of an error, which the service writes as XML; the answer to `HEAD` has none. */
async function reasonOf(answer: Response): Promise<string> {
  const text = await answer.text();
  return /<Code>([^<]{1,80})</.exec(text)?.[1] ?? answer.statusText;
}
