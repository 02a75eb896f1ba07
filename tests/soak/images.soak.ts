import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildImage, imageName, makeBase, run } from "#scripts/images/build-image.ts";

/**
 * Builds images of the Dockerfile without a Docker daemon, checks their sizes, and runs them as their user
 * in buildah's chroot isolation. Needs root, buildah and mmdebstrap. `IMAGES` selects targets.
 */

/** Targets and the most bytes that they may have. */
const maxBytes: Readonly<Record<string, number>> = {
  web: 850e6,
  "media-av": 2e9,
  "media-documents": 2.2e9,
  media: 2.5e9,
  all: 2.9e9,
};

/** Programs that each target has, and the arguments that print their versions. */
const programs: Readonly<Record<string, readonly (readonly string[])[]>> = {
  web: [],
  "media-av": [["ffmpeg", "-version"]],
  "media-documents": [["soffice", "--version"]],
  media: [
    ["ffmpeg", "-version"],
    ["soffice", "--version"],
  ],
  all: [["ffmpeg", "-version"]],
};

const folder = join(tmpdir(), "mediamill-images");
const chosen = process.env.IMAGES?.split(",") ?? Object.keys(maxBytes);

makeBase({ folder });
for (const target of chosen) {
  const bytes = buildImage(target, { folder });
  const limit = maxBytes[target] ?? 0;
  process.stdout.write(`${target}: ${Math.round(bytes / 1e6)} MB of at most ${limit / 1e6} MB\n`);
  if (bytes > limit) throw new Error(`${target} is too large`);
  runImage(target);
}

/** Starts what the image is for, as its user and without capabilities. */
function runImage(target: string): void {
  const container = run("buildah", ["from", "--pull-never", imageName(target)]);
  const inside = (...words: string[]) =>
    run("buildah", [
      "run",
      "--isolation",
      "chroot",
      "--cap-drop",
      "all",
      container,
      "--",
      ...words,
    ]);
  try {
    if (inside("id", "-u") !== "1000") throw new Error(`${target} runs as another user`);
    const sbom = JSON.parse(inside("cat", "/app/sbom.cdx.json"));
    if (!(sbom.components.length > 200)) throw new Error(`${target} has an incomplete sbom`);
    for (const words of programs[target] ?? []) inside(...words);
    // Loads all code of the service. Without a database, it ends with one line that says so.
    const command = target === "web" ? "runner webhooks" : "runner media";
    const environment =
      "DATABASE_URL=postgres://a@127.0.0.1:1/a SECRET=a-secret-for-tests SANDBOX=off";
    const output = inside(
      "sh",
      "-c",
      `${environment} node scripts/run.mjs ${command} 2>&1 || true`,
    );
    if (!output.includes("The database cannot be used")) throw new Error(`${target}: ${output}`);
  } finally {
    run("buildah", ["rm", container]);
  }
}
