/** A multiple of three, so that only the last piece is padded, and few enough bytes for one call. */
const PIECE = 3 * 8192;

export function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += PIECE) text += btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE)));
  return text;
}
