# The server with its dashboard, for a PostgreSQL elsewhere (DATABASE_URL). docs/deployment.md says how to run it.
FROM node:24-bookworm AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY contract/package.json contract/
COPY client/package.json client/
COPY server/package.json server/
COPY web/package.json web/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node -e "import('./scripts/runtime.mjs').then((runtime) => runtime.ensureWebBuilt())"
# Without packages and files that only tests and builds need. Node without its symbols is 33 MB smaller.
RUN node scripts/launch/image.mjs /image && strip -o /image-node "$(command -v node)"

FROM debian:bookworm-slim
RUN useradd --uid 1000 --user-group --no-create-home node && mkdir /data && chown node:node /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4400 DATA_DIR=/data DEMO=0 MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=65536
WORKDIR /app
COPY --from=build /image-node /usr/local/bin/node
COPY --from=build /image ./
USER node
VOLUME /data
EXPOSE 4400
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "server/src/main.ts"]
