/**
 * What pages of the console may do: their own scripts by nonce and their own files, no other host, no frame around them.
 * React Flow positions its nodes by style attributes; under development, Next evaluates code.
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
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
