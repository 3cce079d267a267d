/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  // Some A2A clients follow no redirect of a POST.
  skipTrailingSlashRedirect: true,
  // The console has no pictures to resize. Next's own route for it calls any other route by itself, for anybody who asks.
  images: { unoptimized: true },
  serverExternalPackages: ["better-sqlite3", "esbuild", "pg"],
  // A page whose server is away waits for it. Without this, Next loads the page anew, and what was typed is lost.
  experimental: { useOffline: true },
  // `npm run types` checks the whole project; a build need not do it again.
  typescript: { ignoreBuildErrors: true },
};

export default config;
