/**
 * Returns the Content-Security-Policy of the console's pages: they may use their own files, workers and scripts with the
 * nonce, no other host, and they may not be framed. React Flow positions its nodes by style attributes. In development, Next
 * evaluates code.
 */
export function contentPolicy(nonce: string, dev: boolean): string {
  const evaluate = dev ? " 'unsafe-eval'" : "";
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'${evaluate}`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "worker-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
