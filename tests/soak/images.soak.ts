import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EngineGroup, hasEngine } from "#lib/engine-groups.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import type { Operation } from "#lib/operations/define.ts";
import { buildImage, makeBase } from "#scripts/images/build-image.ts";
import { checkAllInOne } from "./images/all-in-one.ts";
import { OpenImage } from "./images/container.ts";
import { checkPages } from "./images/pages.ts";
import { startImageService } from "./images/service.ts";
import { runExamples } from "./run-examples.ts";

/**
 * Builds the images of the Dockerfile without a Docker daemon, compares their sizes with the limits, and runs jobs in
 * them: as the user of the image, without capabilities, with a read-only root. Needs root, buildah and mmdebstrap.
 * `IMAGES`: only these targets, and `web`, which all but `all` need.
 */

/** Targets and the most bytes that they may have. */
const maxBytes = {
  web: 700e6,
  media: 2.5e9,
  "media-documents": 2.5e9,
  "media-av": 2.5e9,
  all: 3e9,
} as const satisfies Record<string, number>;

type Target = keyof typeof maxBytes;

const groups: Partial<Record<Target, EngineGroup>> = {
  media: "all",
  "media-documents": "documents",
  "media-av": "av",
};

const chosen = process.env.IMAGES?.split(",");
const isChosen = (target: Target) => chosen === undefined || chosen.includes(target);
const print = (text: string) => process.stdout.write(`${text}\n`);
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

/** A folder for npm's cache and the base, which is kept from run to run. */
const cache = join(tmpdir(), "mediamill-images");
const folder = mkdtempSync(join(tmpdir(), "mediamill-soak-"));
const open: OpenImage[] = [];

function build(target: Target): OpenImage {
  const bytes = buildImage(target, { folder: cache });
  const limit = maxBytes[target];
  print(`${target}: ${megabytes(bytes)} of at most ${megabytes(limit)}`);
  if (bytes > limit) throw new Error(`${target} is too large`);
  const image = new OpenImage(target);
  open.push(image);
  const { config } = image;
  if (config.User !== "1000:1000") throw new Error(`${target} runs as ${config.User}`);
  if (!config.Labels["org.opencontainers.image.title"]) throw new Error(`${target} has no title`);
  const { components } = JSON.parse(image.read("app/sbom.cdx.json"));
  if (!(components.length > 200)) throw new Error(`${target} has an incomplete sbom`);
  return image;
}

/** All that a runner of `group` can run. */
function possibleFor(group: EngineGroup): readonly Operation[] {
  return operations.filter(({ requires }) => requires.every((engine) => hasEngine(group, engine)));
}

/** One operation for each set of engines. */
function oneOfEach(possible: readonly Operation[]): readonly Operation[] {
  return [...new Map(possible.map((operation) => [operation.requires.join(), operation])).values()];
}

try {
  makeBase({ folder: cache });
  const mediaTargets = (["media", "media-documents", "media-av"] as const).filter(isChosen);
  if (isChosen("web") || mediaTargets.length > 0) {
    const web = build("web");
    const images = mediaTargets.map((target) => [target, build(target)] as const);
    const service = await startImageService(web, folder);
    try {
      print(`web: ${await checkPages(service)} pages`);
      for (const [target, image] of images) await checkMedia(target, image, service);
    } finally {
      await service.stop();
    }
  }
  if (isChosen("all")) {
    const seconds = await checkAllInOne(build("all"), join(folder, "all"));
    print(`all: ready again ${seconds.toFixed(1)} s after a restart`);
  }
} finally {
  for (const image of open) image.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);

async function checkMedia(
  target: Target,
  image: OpenImage,
  service: Awaited<ReturnType<typeof startImageService>>,
): Promise<void> {
  const group = groups[target] ?? "all";
  const level = await service.startRunner(image);
  if (level !== "full") throw new Error(`${target} has the sandbox ${level}`);
  const few = oneOfEach(possibleFor(group));
  const many = group === "all" ? possibleFor(group) : few;
  const failures = await runExamples(service.client, many);
  await service.stopRunner();
  // As in a pod, where namespaces are forbidden.
  const strict = await service.startRunner(image, { SANDBOX: "strict" });
  if (strict !== "strict") throw new Error(`${target} has the sandbox ${strict}`);
  failures.push(...(await runExamples(service.client, few)));
  await service.stopRunner();
  print(`${target}: ${many.length} operations at full, ${few.length} at strict`);
  if (failures.length > 0) throw new Error(failures.join("\n"));
}
