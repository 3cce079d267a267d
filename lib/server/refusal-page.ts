/** The page that a browser gets in place of a refusal's text. It needs neither Next nor a file of the console. */
import { createHash } from "node:crypto";
import { escapeXml } from "../rules/text/escape-xml.ts";

/** The look of the console's page for an address that does not exist (`app/not-found.tsx`). */
const STYLE = `
:root { color-scheme: light dark; --ink: #17171c; --ink-2: #5b5b66; --ink-3: #6d6d78; --background: #ffffff; --accent: #4b3fd6; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ededf2; --ink-2: #a3a3b0; --ink-3: #8a8a97; --background: #0e0e12; --accent: #9b93ff; }
}
body { margin: 0; background: var(--background); color: var(--ink); font: 0.875rem/1.5 system-ui, sans-serif; }
main {
  box-sizing: border-box; display: flex; flex-direction: column; align-items: flex-start; justify-content: center; gap: 0.75rem;
  min-height: 100dvh; max-width: 24rem; margin: 0 auto; padding: 1.5rem;
}
h1, p { margin: 0; }
h1 { font-size: 1.125rem; font-weight: 600; }
p { color: var(--ink-2); }
p:first-child { color: var(--ink-3); font-family: ui-monospace, monospace; }
a {
  margin-top: 0.5rem; padding: 0 0.75rem; border-radius: 0.375rem; background: var(--ink); color: var(--background);
  font-weight: 500; line-height: 2rem; text-decoration: none;
}
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;

/** The page may use its own style and nothing else, and it may not be framed. */
export const REFUSAL_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Returns the HTML of the page. */
export function refusalPage({ status, title, message }: { status: number; title: string; message: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeXml(title)} · Graphlib</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml" sizes="any">
<style>${STYLE}</style>
</head>
<body>
<main>
<p>${status}</p>
<h1>${escapeXml(title)}</h1>
<p>${escapeXml(message)}.</p>
<a href="/">Go to the start page</a>
</main>
</body>
</html>
`;
}
