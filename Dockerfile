# The service without an embedded database: give it DATABASE_URL.
FROM node:26-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund && npm pack --workspace server --pack-destination /packed

FROM node:26-slim
WORKDIR /app
COPY --from=build /packed/ /packed/
RUN npm install --omit=optional --ignore-scripts --no-audit --no-fund --prefix /app /packed/tollkeeper-*.tgz && rm -r /packed
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4100 TOLLKEEPER_DEMO=0 DATA_DIR=/tmp/tollkeeper
USER node
EXPOSE 4100
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "/app/node_modules/tollkeeper/bin/tollkeeper.js", "start"]
