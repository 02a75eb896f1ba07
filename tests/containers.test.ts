import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { parseEnv } from "#lib/env.ts";
import { deniedCalls } from "#lib/formats/seccomp/system-calls.ts";
import { enginesOf } from "#lib/setup/engine-table.mjs";

const root = join(import.meta.dirname, "..");
const read = (name: string) => readFileSync(join(root, name), "utf8");

const dockerfile = read("Dockerfile").replaceAll("\\\n", " ");
const stages = [...dockerfile.matchAll(/^FROM (\S+) AS (\S+)(.*?)(?=^FROM |$(?![\s\S]))/gms)].map(
  ([, from = "", name = "", text = ""]) => ({ from, name, text }),
);

const stageOf = (name: string | undefined) =>
  stages.find((stage) => stage.name === name) ?? expect.fail(`no stage ${name}`);

/** The packages of Debian that a stage and those below it install. */
function packagesOf(name: string): string[] {
  const { from, text } = stageOf(name);
  const below = stages.some((stage) => stage.name === from) ? packagesOf(from) : [];
  const lists = [...text.matchAll(/apt-get install -y --no-install-recommends(.*?)&&/g)];
  // Those of a variable are the operator's.
  const named = lists.filter(([, list = ""]) => !list.includes("$("));
  return [...below, ...named.flatMap(([, list = ""]) => list.trim().split(/\s+/))];
}

interface ComposeService {
  readonly build?: { readonly context: string; readonly target: string };
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly security_opt?: readonly string[];
  readonly stop_grace_period?: string;
}

/** The format of Docker's profiles. */
interface SeccompProfile {
  readonly archMap: readonly { readonly subArchitectures: readonly string[] }[];
  readonly syscalls: readonly {
    readonly names: readonly string[];
    readonly errnoRet: number;
    readonly args?: readonly { readonly value: number }[];
  }[];
}

const profilePath = "deploy/media-seccomp.json";

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: Readonly<Record<string, unknown>>;
}

const compose = parse(read("compose.yaml"), { merge: true }) as Compose;
const ourServices = ["web", "media", "webhooks"].map(
  (name) => [name, compose.services[name]] as const,
);

/** A setting as without an `.env` file, with a secret for each variable that must be set there. */
const fill = (text: unknown) =>
  `${text}`.replace(/\$\{\w+(?::?([-?])([^}]*))?\}/g, (_, kind?: string, fallback = "") =>
    kind === "-" ? fallback : "ab".repeat(16),
  );

describe("the Dockerfile", () => {
  test.each([
    ["media", "all"],
    ["all", "all"],
    ["media-documents", "documents"],
    ["media-av", "av"],
  ])(
    "%s installs the packages of the engine table for %s and an init process, and no others",
    (target, group) => {
      const expected = new Set(enginesOf(group).flatMap(({ debian }) => debian));
      // The full browser is for systems without the headless shell, which the base of the images has.
      expected.delete("chromium");
      expected.add("tini");
      expect(stageOf(target).text).toContain('ENTRYPOINT ["tini", "-s", "--", "node", ');
      expect(packagesOf(target).sort()).toEqual([...expected].sort());
      const [, set = "all"] = /MEDIA_ENGINES=(\w+)/.exec(stageOf(target).text) ?? [];
      expect(set).toBe(group);
    },
  );

  test.each(["web", "media", "media-documents", "media-av", "all"])(
    "%s runs as a user that Kubernetes can verify, with a health check, labels and a bill of materials",
    (target) => {
      const { text } = stageOf(target);
      expect(text).toMatch(/^USER 1000:1000$/m);
      expect(text).toMatch(/^HEALTHCHECK .*scripts\/images\/health\.mjs/m);
      expect(text).toContain("org.opencontainers.image.title=");
      expect(text).toContain("scripts/images/sbom.mjs > /app/sbom.cdx.json");
      // Packages first: they change less often.
      const copies = [...text.matchAll(/^COPY --from=(\S+)/gm)].map(([, from]) => from);
      expect(copies.slice(0, 2)).toEqual(["production", expect.stringMatching(/^(code|runner)$/)]);
      // What is compiled for engines.
      expect(copies.slice(2)).toEqual(target === "web" ? [] : ["native"]);
    },
  );

  test("its only image of others has an exact version", () => {
    const outside = stages.filter(({ from = "" }) => !stages.some(({ name }) => name === from));
    expect(outside.map(({ name }) => name)).toEqual(["base"]);
    expect(outside[0]?.from).toMatch(/^node:24\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/);
  });

  test("copies existing files, and builds on defined stages", () => {
    const copies = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      ([, names = ""]) => names.split(" "),
    );
    expect(copies.length).toBeGreaterThan(0);
    for (const name of copies) expect([name, existsSync(join(root, name))]).toEqual([name, true]);
    for (const { from } of stages.slice(1)) {
      expect(stages.map(({ name }) => name)).toContain(from);
    }
  });

  test("does not ignore what the app is built from or reads", () => {
    const ignored = read(".dockerignore").trim().split("\n");
    for (const name of [
      "app",
      "components",
      "docs",
      "drizzle",
      "inngest",
      "lib",
      "public",
      "scripts",
      "proxy.ts",
    ]) {
      expect(ignored).not.toContain(name);
      expect(existsSync(join(root, name))).toBe(true);
    }
  });
});

describe("the compose file", () => {
  test.each(ourServices)(
    "%s has an existing target and command and valid settings",
    (_, service) => {
      if (service?.build) expect(stages.map(({ name }) => name)).toContain(service.build.target);
      const [command = "", kind] = service?.command ?? [];
      expect(read("scripts/run.mjs")).toContain(`  ${command}: `);
      if (command === "runner") expect(["media", "webhooks"]).toContain(kind);
      const settings = Object.entries(service?.environment ?? {}).map(([name, value]) => [
        name,
        fill(value),
      ]);
      expect(parseEnv(Object.fromEntries(settings))).toMatchObject({ STORAGE: "local" });
      // Longer than the service's own 30 s.
      expect(Number.parseInt(service?.stop_grace_period ?? "", 10)).toBeGreaterThan(30);
    },
  );

  test("every referenced volume, network and service is defined", () => {
    for (const service of Object.values(compose.services)) {
      for (const volume of service.volumes ?? []) {
        expect(Object.keys(compose.volumes)).toContain(volume.split(":")[0]);
      }
      for (const network of service.networks ?? []) {
        expect(Object.keys(compose.networks)).toContain(network);
      }
      for (const name of Object.keys(service.depends_on ?? {})) {
        expect(Object.keys(compose.services)).toContain(name);
      }
    }
  });

  test("web and media share the files; only media may create namespaces", () => {
    const withFiles = ourServices.filter(([, service]) =>
      service?.volumes?.includes("files:/data/storage"),
    );
    expect(withFiles.map(([name]) => name)).toEqual(["web", "media"]);
    const ownProfile = ourServices.filter(([, service]) =>
      service?.security_opt?.includes(`seccomp=${profilePath}`),
    );
    expect(ownProfile.map(([name]) => name)).toEqual(["media"]);
    for (const [, service] of ourServices) {
      expect(service?.security_opt).toContain("no-new-privileges:true");
      expect(service?.security_opt).not.toContain("seccomp=unconfined");
    }
  });

  test("the profile of media denies what engines are denied, except what makes sandboxes", () => {
    const profile = JSON.parse(read(profilePath)) as SeccompProfile;
    const [calls, ...sockets] = profile.syscalls;
    const ofBubblewrap = ["mount", "umount2", "pivot_root", "sethostname"];
    const ofCopies = "setns open_tree move_mount fsopen fsconfig fsmount mount_setattr".split(" ");
    const needed = new Set([...ofBubblewrap, ...ofCopies]);
    const denied = Object.keys(deniedCalls).filter((name) => !needed.has(name));
    expect(calls?.names).toEqual(denied.sort());
    const { EPERM, EAFNOSUPPORT } = constants.errno;
    expect(profile.syscalls.map(({ errnoRet }) => errnoRet)).toEqual([
      EPERM,
      EAFNOSUPPORT,
      EAFNOSUPPORT,
    ]);
    // The kernel's cryptography, and the host of a virtual machine.
    expect(sockets.map(({ args }) => args?.[0]?.value)).toEqual([38, 40]);
    // Without other architectures, their calls are killed.
    expect(profile.archMap.flatMap(({ subArchitectures }) => subArchitectures)).toEqual([]);
  });
});

test("vercel.json refers to existing folders", () => {
  const { functions } = JSON.parse(read("vercel.json")) as {
    functions: Record<string, { maxDuration: number }>;
  };
  for (const [pattern, { maxDuration }] of Object.entries(functions)) {
    expect(existsSync(join(root, pattern.replace(/\/\*\*\/\*$/, "")))).toBe(true);
    // Longer than the longest wait that a client may request.
    if (pattern.startsWith("app/v1")) expect(maxDuration).toBeGreaterThan(60);
  }
});
