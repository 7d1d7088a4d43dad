# The package as `npm pack` makes it: one file, no dependencies.
FROM node:24.21.0-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY README.md README.zh-CN.md LICENSE CHANGELOG.md ./
COPY scripts ./scripts
COPY src ./src
RUN npm pack --silent && tar xzf sluice-*.tgz

FROM node:24.21.0-slim
# Other machines can reach a container: without ADMIN_TOKEN the server does not start, and says so.
ENV HOST=0.0.0.0 \
    PORT=8787 \
    SLUICE_DATA=/data \
    LOG_FORMAT=json \
    MALLOC_ARENA_MAX=2
COPY --from=build /build/package /app
RUN mkdir /data && chown node:node /data
USER node
WORKDIR /data
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node itself is the process that is told to stop: it finishes what is under way.
# A run makes much that is soon forgotten: room for little of it at a time, and for no heap of each thread's own, keeps
# the server seventy megabytes smaller.
CMD ["node", "--max-semi-space-size=2", "--heap-growing-percent=20", "/app/dist/sluice.js", "serve"]
