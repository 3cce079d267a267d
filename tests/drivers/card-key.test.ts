import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { createLocalJWKSet, decodeProtectedHeader, flattenedVerify } from "jose";
import { describe, expect, test } from "vitest";
import { cardSignerOf } from "../../lib/drivers/secrets/card-key.ts";

const pem = (key: KeyObject): string => String(key.export({ type: "pkcs8", format: "pem" }));
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
const jku = "https://h/.well-known/jwks.json";

describe.each([
  ["ES256", ec],
  ["EdDSA", generateKeyPairSync("ed25519").privateKey],
  ["RS256", generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey],
])("a key for %s", (alg, key) => {
  const jwk = { ...key.export({ format: "jwk" }), kid: "own", key_ops: ["sign"] };
  test.each([
    ["PEM", pem(key)],
    ["PEM in one line", pem(key).replaceAll("\n", "\\n")],
    ["JWK", JSON.stringify(jwk)],
  ])("as %s signs what its public half, and nothing more of it, verifies", async (_, text) => {
    const signer = await cardSignerOf(text);
    const signed = await signer.sign('{"name":"ünïcödé"}', jku);
    expect(decodeProtectedHeader(signed)).toEqual({ alg, typ: "JOSE", kid: signer.kid, jku });
    const keys = createLocalJWKSet(signer.keys);
    const payload = Buffer.from('{"name":"ünïcödé"}').toString("base64url");
    await flattenedVerify({ ...signed, payload }, keys);
    await expect(flattenedVerify({ ...signed, payload: `${payload}AA` }, keys)).rejects.toThrow(
      "signature verification failed",
    );
    expect(signer.keys.keys).toHaveLength(1);
    for (const secret of ["d", "p", "q", "dp", "dq", "qi", "k"]) expect(signer.keys.keys[0]).not.toHaveProperty(secret);
  });
});

test("the same card is signed once", async () => {
  const signer = await cardSignerOf(pem(ec));
  expect(await signer.sign("{}", jku)).toBe(await signer.sign("{}", jku));
  expect(await signer.sign("{}", `${jku}2`)).not.toEqual(await signer.sign("{}", jku));
});

test("text that is no key, or a key of another kind, is refused in one sentence", async () => {
  const kept = pem(ec);
  const publicKey = JSON.stringify({ ...ec.export({ format: "jwk" }), d: undefined });
  for (const text of ["", "nonsense", "{", "{}", '{"kty":"EC"}', publicKey, kept.slice(0, 80)]) {
    await expect(cardSignerOf(text)).rejects.toThrow(/^expected a private key without password, as PEM .* or JWK$/);
  }
  for (const other of [
    generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey,
    generateKeyPairSync("x25519").privateKey,
    generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey,
  ]) {
    await expect(cardSignerOf(pem(other))).rejects.toThrow(/^expected a key of EC P-256, Ed25519, or RSA/);
  }
});
