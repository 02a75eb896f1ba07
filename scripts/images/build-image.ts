import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectFolder } from "#lib/setup/node24.mjs";

/**
 * Builds the images of the Dockerfile without a Docker daemon: by buildah as root, which needs no other
 * privileges, on a base that is made here from packages of Debian and the Node.js of this process. The
 * Dockerfile is used as it is; only its base image differs.
 */

const dockerfile = join(projectFolder, "Dockerfile");

/** What Docker's images of Debian leave out. */
const leftOut = ["doc", "groff", "info", "lintian", "locale", "man"].map(
  (folder) => `path-exclude=/usr/share/${folder}/*`,
);
const dpkgOptions = [...leftOut, "path-include=/usr/share/doc/*/copyright"];

export interface BuildOptions {
  /** A folder for npm's cache and the base, which is kept from build to build. */
  readonly folder: string;
}

/** Runs a program, and returns its output. Throws if it fails. */
export function run(command: string, args: readonly string[], options: { input?: string } = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    cwd: projectFolder,
    ...options,
  });
  if (status === 0) return stdout.trim();
  throw new Error(`${command} ${args[0]} failed: ${`${stdout}${stderr}`.slice(-4000)}`);
}

/** The Dockerfile without the digest of its base, which an image that is made here does not have. */
function localDockerfile(): string {
  return readFileSync(dockerfile, "utf8").replace(/^(FROM \S+?)@sha256:\S+( AS base)$/m, "$1$2");
}

/** The name of the base image in the Dockerfile, without its digest. */
export function baseName(): string {
  const [, name] = /^FROM (\S+) AS base$/m.exec(localDockerfile()) ?? [];
  if (!name) throw new Error("the Dockerfile has no stage `base`");
  return `docker.io/library/${name}`;
}

/** Makes the base image, unless there is one of this name. */
export function makeBase({ folder }: BuildOptions): void {
  const name = baseName();
  if (spawnSync("buildah", ["inspect", "--type", "image", name]).status === 0) return;
  mkdirSync(folder, { recursive: true });
  const [suite = "bookworm"] = /bookworm|trixie/.exec(name) ?? [];
  const archive = join(folder, "base.tar");
  const options = dpkgOptions.map((option) => `--dpkgopt=${option}`);
  const include = "--include=ca-certificates";
  run("mmdebstrap", ["--variant=minbase", include, ...options, suite, archive]);
  const container = run("buildah", ["from", "scratch"]);
  const root = run("buildah", ["mount", container]);
  run("tar", ["-C", root, "-xf", archive]);
  addNode(root);
  addAptSettings(root);
  run("buildah", ["umount", container]);
  run("buildah", [
    "config",
    "--env",
    "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    container,
  ]);
  run("buildah", ["commit", "--format", "docker", "--rm", container, name]);
}

/** Node.js, npm and the user `node`, as in the official image. */
function addNode(root: string): void {
  const local = join(root, "usr/local");
  copyFileSync(process.execPath, join(local, "bin/node"));
  const npm = dirname(dirname(run("readlink", ["-f", run("which", ["npm"])])));
  cpSync(npm, join(local, "lib/node_modules/npm"), { recursive: true });
  for (const name of ["npm", "npx"]) {
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, "bin", name));
  }
  const passwd = join(root, "etc/passwd");
  writeFileSync(passwd, `${readFileSync(passwd, "utf8")}node:x:1000:1000::/home/node:/bin/bash\n`);
  const group = join(root, "etc/group");
  writeFileSync(group, `${readFileSync(group, "utf8")}node:x:1000:\n`);
}

/** apt keeps no downloaded packages, as in Docker's images of Debian. */
function addAptSettings(root: string): void {
  const remove = '{ "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/*.bin || true"; };';
  const lines = [
    `DPkg::Post-Invoke ${remove}`,
    `APT::Update::Post-Invoke ${remove}`,
    'Dir::Cache::pkgcache "";',
    'Dir::Cache::srcpkgcache "";',
  ];
  writeFileSync(join(root, "etc/apt/apt.conf.d/docker-clean"), `${lines.join("\n")}\n`);
}

/** Builds one target of the Dockerfile as `mediamill-<target>`, and returns its size in bytes. */
export function buildImage(target: string, { folder }: BuildOptions): number {
  const cache = join(folder, "npm");
  mkdirSync(cache, { recursive: true });
  // Certificates that this machine trusts, such as that of a proxy. The image keeps none of it.
  const file = join(folder, "Dockerfile");
  writeFileSync(file, localDockerfile());
  const npmrc = join(folder, "npmrc");
  writeFileSync(npmrc, "cafile=/host-certificates.crt\nprefer-offline=true\ncache=/npm-cache\n");
  run("buildah", [
    "build",
    "--isolation",
    "chroot",
    "--pull-never",
    "--layers",
    // The format of OCI has no health checks.
    "--format",
    "docker",
    // npm opens many files at once.
    "--ulimit",
    "nofile=16384:16384",
    "--volume",
    `${npmrc}:/root/.npmrc:ro`,
    "--volume",
    `${cache}:/npm-cache`,
    "--volume",
    "/etc/ssl/certs/ca-certificates.crt:/host-certificates.crt:ro",
    "--target",
    target,
    "--tag",
    imageName(target),
    "--file",
    file,
    ".",
  ]);
  return imageBytes(target);
}

export function imageName(target: string): string {
  return `localhost/mediamill-${target}`;
}

/** What the files of an image take, without compression. */
export function imageBytes(target: string): number {
  const container = run("buildah", ["from", "--pull-never", imageName(target)]);
  const root = run("buildah", ["mount", container]);
  const bytes = Number(run("du", ["--summarize", "--bytes", root]).split("\t")[0]);
  run("buildah", ["rm", container]);
  return bytes;
}
