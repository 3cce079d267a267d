import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { SecretBox } from "../../engine/ports/keys.ts";

const VERSION = "1";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface SealingKey {
  /** Stored in each sealed text, so that keys can be rotated. */
  id: string;
  bytes: Uint8Array;
}

/**
 * Creates a box that seals texts with AES-256-GCM under the first of `secrets`, and opens what any of them sealed. To
 * rotate, put the new secret before the old one.
 */
export function createSecretBox(secrets: readonly string[]): SecretBox {
  const keys = secrets.map(keyOf);
  const [newest] = keys;
  if (!newest) throw new Error("A secret box needs at least one secret");
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", newest.bytes, nonce).setAAD(Buffer.from(newest.id));
      const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `${VERSION}.${newest.id}.${sealed.toString("base64url")}`;
    },
    open(text) {
      const [version, id, data = ""] = text.split(".");
      const key = keys.find((one) => one.id === id);
      if (version !== VERSION || !key) {
        throw new Error(
          "The key that sealed this secret is gone: set GRAPHLIB_SECRET as it was, or set the secret again",
        );
      }
      const bytes = Buffer.from(data, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", key.bytes, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(key.id))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
    },
  };
}

function keyOf(secret: string): SealingKey {
  const bytes = new Uint8Array(hkdfSync("sha256", secret, "", "graphlib secrets", 32));
  return { id: createHash("sha256").update(bytes).digest("hex").slice(0, 8), bytes };
}

/** Returns the secret in a file that only this user may read; creates it first. */
export function secretOf(file: string): string {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    const fresh = `${file}.${process.pid}`;
    writeFileSync(fresh, randomBytes(32).toString("base64url"), { mode: 0o600 });
    try {
      // The link fails if another process has created the file in the meantime.
      linkSync(fresh, file);
    } catch (error) {
      if (!existsSync(file)) throw error;
    } finally {
      rmSync(fresh);
    }
  }
  return readFileSync(file, "utf8").trim();
}
