# The images of the service, each with its packages in one layer and its code in another. See
# docs/self-hosting.md, and docs/kubernetes.md for a cluster.
#
# web               the web process and the webhook runner
# media             the media runner with all engines
# media-documents   the same without ffmpeg
# media-av          the same without Chromium, LibreOffice and OCR
# all               `npm start` with all of it and a database, on a volume at /data

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS base
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 DATA_DIR=/data NODE_COMPILE_CACHE=/tmp/compiled
WORKDIR /app
RUN mkdir -p /data/storage && chown -R 1000:1000 /data

FROM base AS packages
COPY package.json package-lock.json .puppeteerrc.cjs ./
COPY lib/setup lib/setup
# Installs as `npm start` does, with the stamp file by which a start detects that it is done.
RUN node -e 'import("./lib/setup/packages.mjs").then((packages) => packages.installPackages())'

FROM packages AS code
COPY . .
RUN node scripts/build.ts \
    && rm -rf .next/cache node_modules

FROM packages AS production
RUN npm prune --omit=dev --no-audit --no-fund
COPY scripts/images scripts/images
RUN for image in web media all; do \
        mkdir -p /packages/$image \
        && cp -al node_modules /packages/$image/ \
        && node scripts/images/trim-packages.mjs /packages/$image/node_modules $image || exit 1; \
    done

# Makes engines start faster; see docs/architecture/sandbox.md.
FROM base AS native
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends gcc libc6-dev
COPY lib/setup lib/setup
COPY lib/engines/sandbox/native lib/engines/sandbox/native
RUN node -e 'import("./lib/setup/native.mjs").then((native) => native.compileNative())' \
    && test -s lib/engines/sandbox/native/zygote.so \
    && test -s lib/engines/sandbox/native/sandboxes.bin

FROM base AS web
COPY --from=production /packages/web /app
COPY --from=code /app /app
RUN node scripts/images/sbom.mjs > /app/sbom.cdx.json
LABEL org.opencontainers.image.title="Mediamill web" \
    org.opencontainers.image.description="The web process and the webhook runner of Mediamill."
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "scripts/images/health.mjs"]
ENTRYPOINT ["node", "scripts/run.mjs"]
CMD ["web"]

FROM base AS engines
# At least `strict`, which needs no privileges. `auto` would also start without a sandbox.
# Without namespaces, processes of engines may outlive their parent: tini, the first process, reaps them.
ENV SANDBOX=required
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        7zip \
        bubblewrap \
        fontconfig \
        fonts-crosextra-caladea \
        fonts-crosextra-carlito \
        fonts-liberation \
        fonts-noto-cjk \
        fonts-noto-color-emoji \
        fonts-noto-core \
        libarchive-zip-perl \
        libimage-exiftool-perl \
        libjpeg-turbo-progs \
        libjxl-tools \
        libraw-bin \
        libvips-tools \
        poppler-utils \
        python3-pikepdf \
        qpdf \
        tini \
        util-linux \
    && rm -rf /var/lib/apt/lists/*

FROM engines AS engines-av
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        ffmpeg \
    && rm -rf /var/lib/apt/lists/*

FROM engines AS engines-documents
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        chromium-headless-shell \
        fonts-symbola \
        ghostscript \
        libreoffice-base-drivers \
        libreoffice-calc-nogui \
        libreoffice-draw-nogui \
        libreoffice-impress-nogui \
        libreoffice-math-nogui \
        libreoffice-writer-nogui \
        ocrmypdf \
        python3-uno \
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
    && rm -rf /var/lib/apt/lists/*
# Further languages that OCR recognizes, such as swe,ces.
ARG OCR_LANGUAGES=""
RUN [ -z "$OCR_LANGUAGES" ] || (apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        $(echo ",$OCR_LANGUAGES" | sed "s/[ ,]\+/ tesseract-ocr-/g") \
    && rm -rf /var/lib/apt/lists/*)

FROM engines-documents AS engines-all
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        ffmpeg \
    && rm -rf /var/lib/apt/lists/*

# What only a media runner needs of the code: no pages, and of what is built only the compiled code of the workers.
FROM packages AS runner
COPY . .
RUN node -e 'import("./lib/supervisor/start/compile-workers.ts").then((workers) => workers.compileWorkers())' \
    && rm -rf app components docs public node_modules

FROM engines-av AS media-av
ENV MEDIA_ENGINES=av HEALTH_PORT=8081
COPY --from=production /packages/media /app
COPY --from=runner /app /app
COPY --from=native /app/lib/engines/sandbox/native /app/lib/engines/sandbox/native
RUN node scripts/images/sbom.mjs > /app/sbom.cdx.json \
    && node scripts/images/cache-fonts.mjs
LABEL org.opencontainers.image.title="Mediamill media runner (audio, video and images)" \
    org.opencontainers.image.description="The media runner of Mediamill without Chromium, LibreOffice and OCR."
USER 1000:1000
EXPOSE 8081
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "scripts/images/health.mjs"]
ENTRYPOINT ["tini", "-s", "--", "node", "scripts/run.mjs"]
CMD ["runner", "media"]

FROM engines-documents AS media-documents
ENV MEDIA_ENGINES=documents HEALTH_PORT=8081
COPY --from=production /packages/media /app
COPY --from=runner /app /app
COPY --from=native /app/lib/engines/sandbox/native /app/lib/engines/sandbox/native
RUN node scripts/images/sbom.mjs > /app/sbom.cdx.json \
    && node scripts/images/cache-fonts.mjs
LABEL org.opencontainers.image.title="Mediamill media runner (documents and images)" \
    org.opencontainers.image.description="The media runner of Mediamill without ffmpeg."
USER 1000:1000
EXPOSE 8081
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "scripts/images/health.mjs"]
ENTRYPOINT ["tini", "-s", "--", "node", "scripts/run.mjs"]
CMD ["runner", "media"]

FROM engines-all AS media
ENV MEDIA_ENGINES=all HEALTH_PORT=8081
COPY --from=production /packages/media /app
COPY --from=runner /app /app
COPY --from=native /app/lib/engines/sandbox/native /app/lib/engines/sandbox/native
RUN node scripts/images/sbom.mjs > /app/sbom.cdx.json \
    && node scripts/images/cache-fonts.mjs
LABEL org.opencontainers.image.title="Mediamill media runner" \
    org.opencontainers.image.description="The media runner of Mediamill with all engines."
USER 1000:1000
EXPOSE 8081
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "scripts/images/health.mjs"]
ENTRYPOINT ["tini", "-s", "--", "node", "scripts/run.mjs"]
CMD ["runner", "media"]

FROM engines-all AS all
COPY --from=production /packages/all /app
COPY --from=code /app /app
COPY --from=native /app/lib/engines/sandbox/native /app/lib/engines/sandbox/native
RUN node scripts/images/sbom.mjs > /app/sbom.cdx.json \
    && node scripts/images/cache-fonts.mjs
LABEL org.opencontainers.image.title="Mediamill" \
    org.opencontainers.image.description="All of Mediamill with a database, for one machine. Its data is in the volume /data."
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s CMD ["node", "scripts/images/health.mjs"]
ENTRYPOINT ["tini", "-s", "--", "node", "scripts/start.mjs"]
CMD []
