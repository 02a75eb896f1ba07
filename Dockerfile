# Two images from one file: `web` for the web process and the webhook runner, `media` with the engines
# for the media runner. See docs/self-hosting.md.

FROM node:24.21.0-bookworm-slim AS base
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1
WORKDIR /app

FROM base AS build
COPY package.json package-lock.json .puppeteerrc.cjs ./
COPY scripts scripts
# Installs as `npm start` does, with the stamp file by which a start detects that it is done.
RUN node -e 'import("./scripts/setup/packages.mjs").then((packages) => packages.installPackages())'
COPY . .
RUN node -e 'import("./lib/supervisor/start/build.ts").then((build) => build.buildIfChanged())'
RUN npm prune --omit=dev --no-audit --no-fund && rm -rf .next/cache

FROM base AS web
COPY --from=build /app /app
RUN mkdir -p /data/storage /app/.next/cache && chown -R node:node /data /app/.next/cache
ENV DATA_DIR=/data
USER node
EXPOSE 3000
ENTRYPOINT ["node", "scripts/run.mjs"]
CMD ["web"]

FROM web AS media
# At least `strict`, which needs no privileges. `auto` would also start without a sandbox.
ENV SANDBOX=required
USER root
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        7zip \
        bubblewrap \
        chromium \
        chromium-headless-shell \
        ffmpeg \
        fontconfig \
        fonts-crosextra-caladea \
        fonts-crosextra-carlito \
        fonts-liberation \
        fonts-noto-cjk \
        fonts-noto-color-emoji \
        fonts-noto-core \
        fonts-symbola \
        ghostscript \
        libarchive-zip-perl \
        libimage-exiftool-perl \
        libjxl-tools \
        libraw-bin \
        libreoffice-base-drivers \
        libreoffice-calc-nogui \
        libreoffice-draw-nogui \
        libreoffice-impress-nogui \
        libreoffice-writer-nogui \
        libvips-tools \
        ocrmypdf \
        poppler-utils \
        python3-uno \
        qpdf \
        tesseract-ocr \
        tesseract-ocr-ara \
        tesseract-ocr-chi-sim \
        tesseract-ocr-deu \
        tesseract-ocr-eng \
        tesseract-ocr-fra \
        tesseract-ocr-hin \
        tesseract-ocr-ita \
        tesseract-ocr-jpn \
        tesseract-ocr-kor \
        tesseract-ocr-nld \
        tesseract-ocr-pol \
        tesseract-ocr-por \
        tesseract-ocr-rus \
        tesseract-ocr-spa \
        tesseract-ocr-tur \
        tesseract-ocr-ukr \
        util-linux \
    && rm -rf /var/lib/apt/lists/*
# Further languages that OCR recognizes, such as swe,ces.
ARG OCR_LANGUAGES=""
RUN [ -z "$OCR_LANGUAGES" ] || (apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        $(echo ",$OCR_LANGUAGES" | sed "s/[ ,]\+/ tesseract-ocr-/g") \
    && rm -rf /var/lib/apt/lists/*)
USER node
CMD ["runner", "media"]
