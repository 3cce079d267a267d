import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { calculateJwkThumbprint, exportJWK, FlattenedSign } from "jose";
import * as z from "zod";
import type { CardSignature, CardSigner } from "../../engine/ports/keys.ts";
import { setNewest } from "../../rules/set-newest.ts";

/** Members of a JWK that hold key material. Each kind of key uses some of them. */
const MEMBERS = ["crv", "d", "dp", "dq", "e", "n", "p", "q", "qi", "x", "y"] as const;
const WrittenKey = z.object({ kty: z.string() }).and(z.partialRecord(z.enum(MEMBERS), z.string()));

/** The most signatures in the cache: two at most for each card at each form of its address. */
const KEPT = 1_000;

/** Creates a signer from a private key as PEM (PKCS #8) or JWK. Throws with a readable reason for other text. */
export async function cardSignerOf(text: string): Promise<CardSigner> {
  const key = privateKey(text);
  const alg = algorithmOf(key);
  const jwk = await exportJWK(createPublicKey(key));
  const kid = await calculateJwkThumbprint(jwk);
  const kept = new Map<string, Promise<CardSignature>>();
  const sign = async (canonical: string, jku: string): Promise<CardSignature> => {
    const payload = new TextEncoder().encode(canonical);
    const signed = await new FlattenedSign(payload).setProtectedHeader({ alg, typ: "JOSE", kid, jku }).sign(key);
    return { protected: signed.protected ?? "", signature: signed.signature };
  };
  return {
    kid,
    keys: { keys: [{ ...jwk, kid, alg, use: "sig" }] },
    sign(canonical, jku) {
      const what = `${jku} ${canonical}`;
      const signature = kept.get(what) ?? sign(canonical, jku);
      setNewest(kept, what, signature, KEPT);
      return signature;
    },
  };
}

function privateKey(text: string): KeyObject {
  const written = text.trim();
  try {
    if (written.startsWith("{")) return createPrivateKey({ key: WrittenKey.parse(JSON.parse(written)), format: "jwk" });
    // Many settings take one line only, so line ends may be written as `\n`.
    return createPrivateKey(written.replaceAll("\\n", "\n"));
  } catch {
    throw new Error("expected a private key without password, as PEM (PKCS #8) or JWK");
  }
}

function algorithmOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): string {
  if (type === "ec" && details?.namedCurve === "prime256v1") return "ES256";
  if (type === "ed25519") return "EdDSA";
  if (type === "rsa" && (details?.modulusLength ?? 0) >= 2048) return "RS256";
  throw new Error("expected a key of EC P-256, Ed25519, or RSA of at least 2048 bits");
}
