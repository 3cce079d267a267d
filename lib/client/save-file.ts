/** Saves text or bytes as a file of the browser's user. Characters that file systems refuse become `-`. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name.replace(/[^\p{L}\p{N} ._-]+/gu, "-").slice(0, LONGEST_NAME);
  link.click();
  // The browser reads the address after this call.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

const LONGEST_NAME = 100;
