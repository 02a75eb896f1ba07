import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectFolder } from "#lib/setup/node24.mjs";

/**
 * The chart with Helm itself and the library of Kubernetes' API: it passes `helm lint`, every manifest is
 * decoded strictly, and every pod meets the pod security standard "restricted". Needs Go and its module proxy: Go
 * 1.21 or later, which gets the newer one that Helm needs by itself.
 */

const chart = "deploy/helm";
const versions = ["1.27.0", "1.31.0", "1.34.0"];
const folder = mkdtempSync(join(tmpdir(), "mediamill-helm-"));

function run(command: string, args: readonly string[], options: object = {}): string {
  const defaults = { cwd: projectFolder, encoding: "utf8", maxBuffer: 2 ** 26 } as const;
  const { status, stdout, stderr, error } = spawnSync(command, args, { ...defaults, ...options });
  if (status === 0) return stdout;
  throw new Error(`${command} ${args.join(" ")} failed: ${error ?? `${stdout}${stderr}`}`);
}

/** Whether the check rejects manifests that are wrong, so that it shows something when it passes. */
function requireRejected(check: string, manifests: string, right: string, wrong: string): void {
  const input = manifests.replaceAll(right, wrong);
  if (input === manifests) throw new Error(`the manifests have no ${right}`);
  const { status } = spawnSync(check, { input });
  if (status !== 1) throw new Error(`the check accepts ${wrong}`);
}

const [, major = "0", minor = "0"] = /go(\d+)\.(\d+)/.exec(run("go", ["version"])) ?? [];
if (Number(major) === 1 && Number(minor) < 21) {
  throw new Error(
    `Go must be at least 1.21, and is ${major}.${minor}. Debian 12 has it in bookworm-backports.`,
  );
}

try {
  const environment = { env: { ...process.env, GOBIN: folder } };
  run("go", ["install", "helm.sh/helm/v3/cmd/helm@v3.22.0"], environment);
  const check = join(folder, "check");
  run("go", ["build", "-o", check, "."], { cwd: join(projectFolder, "tests/soak/kubernetes") });
  const helm = join(folder, "helm");
  run(helm, ["lint", "--strict", chart]);
  for (const values of [[], ["--values", "tests/soak/kubernetes/values.yaml"]]) {
    for (const version of versions) {
      const manifests = run(helm, ["template", "m", chart, "--kube-version", version, ...values]);
      process.stdout.write(`Kubernetes ${version}: ${run(check, [], { input: manifests })}`);
      requireRejected(check, manifests, "drop: [ALL]", "drop: []");
      requireRejected(check, manifests, "runAsNonRoot: true", "runAsNonRoot: false");
      requireRejected(check, manifests, "maxUnavailable:", "maxMissing:");
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
