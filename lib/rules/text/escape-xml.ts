const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

/** Escapes text for XML 1.0, and replaces the characters that it cannot hold: https://www.w3.org/TR/xml/#charsets. */
export function escapeXml(content: string): string {
  return content
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "�")
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
