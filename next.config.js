/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  // The server compresses pages itself (`lib/server/pages.ts`).
  compress: false,
  // Some A2A clients follow no redirect of a POST.
  skipTrailingSlashRedirect: true,
  // The console has no pictures to resize. Next's own route for it calls any other route by itself, for anybody who asks.
  images: { unoptimized: true },
  serverExternalPackages: ["better-sqlite3", "esbuild", "pg"],
  // A page whose server is away waits for it. Without this, Next loads the page anew, and what was typed is lost.
  experimental: { useOffline: true },
  // Streamdown imports these for what the console does not use: a third of its code (docs/decisions/073-a-page-loads-what-it-shows.md).
  turbopack: {
    resolveAlias: {
      "rehype-raw": "./lib/client/left-out/rehype-raw.ts",
      "tailwind-merge": "./lib/client/left-out/tailwind-merge.ts",
    },
  },
  // `npm run types` checks the whole project; a build need not do it again.
  typescript: { ignoreBuildErrors: true },
};

export default config;
