# Builds the image of Graphlib. The image of an application begins with this one: see docs/operations.md.
ARG NODE=24.21.0-bookworm-slim

FROM node:${NODE} AS build
WORKDIR /graphlib
# The packages are installed again only when the lockfile changes.
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY . .
RUN NEXT_TELEMETRY_DISABLED=1 npm run build && rm -rf .next/cache

FROM node:${NODE}
# Bubblewrap isolates the code of deployments; git and ssh read their repositories; tini passes signals on and reaps processes.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install --yes --no-install-recommends bubblewrap ca-certificates git openssh-client tini \
  && rm -rf /var/lib/apt/lists/* \
  && groupadd --gid 10001 graphlib \
  && useradd --uid 10001 --gid graphlib --home-dir /data --shell /usr/sbin/nologin graphlib \
  && install --directory --owner graphlib --group graphlib --mode 0700 /data
WORKDIR /graphlib
# The code belongs to root, so a server that was broken into cannot change it.
COPY --from=build /graphlib .
ENV NODE_ENV=production HOST=0.0.0.0 PORT=2024 GRAPHLIB_HOME=/data
USER 10001:10001
EXPOSE 2024
VOLUME /data
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "/graphlib/node_modules/node/bin/node", "--max-semi-space-size=32", "--import", "./lib/compile-cache.mjs", "lib/server.ts"]
