import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { engineGroups } from "#lib/engine-groups.ts";
import { parseEnv, settingNames } from "#lib/env.ts";

/** The chart and the units name only what exists. `npm run soak -- helm` checks the chart with Helm. */

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const scripts = Object.keys(JSON.parse(read("package.json")).scripts);
const dockerfile = read("Dockerfile");

interface Values {
  readonly config: Readonly<Record<string, string>>;
  readonly secretEnv: Readonly<Record<string, unknown>>;
  readonly media: {
    readonly sandbox: string;
    readonly pools: readonly { readonly engines: string; readonly concurrency: number }[];
  };
}

describe("the chart", () => {
  const values: Values = parse(read("deploy/helm/values.yaml"));
  const templates = globSync("deploy/helm/templates/*", { cwd: root }).map(read).join("\n");
  const own = [...templates.matchAll(/"([A-Z][A-Z_]+)" (?:"|\.|\$)/g)].map(([, name = ""]) => name);

  it("sets only variables that exist", () => {
    const names = [...Object.keys(values.config), ...Object.keys(values.secretEnv), ...own];
    expect(own).toContain("HEALTH_PORT");
    expect(names.filter((name) => !settingNames.includes(name))).toEqual([]);
    const secrets = Object.fromEntries(
      Object.keys(values.secretEnv).map((name) => [name, "ab".repeat(16)]),
    );
    const [pool] = values.media.pools;
    const media = {
      SANDBOX: values.media.sandbox,
      MEDIA_ENGINES: pool?.engines,
      MEDIA_CONCURRENCY: String(pool?.concurrency),
    };
    expect(parseEnv({ ...values.config, ...secrets, ...media })).toMatchObject({ STORAGE: "s3" });
  });

  it("has an image of the Dockerfile for each pool, and one pool that runs all jobs", () => {
    const images = [...templates.matchAll(/"mediamill-([a-z-]+)"/g)].map(([, name]) => name);
    expect(new Set(images)).toEqual(new Set(["web", "media", "media-documents", "media-av"]));
    for (const name of images)
      expect(dockerfile).toMatch(new RegExp(`^FROM \\S+ AS ${name}$`, "m"));
    for (const group of engineGroups) expect(templates).toContain(`"${group}" "mediamill-media`);
    expect(values.media.pools.map(({ engines }) => engines)).toContain("all");
  });

  it("starts programs and commands that exist", () => {
    const [, program = ""] = /command: \[node, ([\w./-]+), migrate-only\]/.exec(templates) ?? [];
    expect(read(program)).toContain('"migrate-only"');
    const commands = [...templates.matchAll(/args: \[(\w+)/g)].map(([, command]) => command);
    expect(commands.sort()).toEqual(["runner", "runner", "web"]);
    for (const command of commands) expect(scripts).toContain(command);
  });

  it("has the restricted security context in every pod, and the time that a service needs to stop", () => {
    const pods = templates.match(/ containers:/g)?.length;
    expect(pods).toBe(5);
    expect(templates.match(/include "mediamill.containerSecurity"/g)).toHaveLength(5);
    const periods = [...templates.matchAll(/terminationGracePeriodSeconds: (\d+)/g)];
    for (const [, seconds] of periods) expect(Number(seconds)).toBeGreaterThan(30);
    expect(periods).toHaveLength(4);
  });
});

describe.each(globSync("deploy/systemd/*.service", { cwd: root }))("%s", (path) => {
  const unit = read(path);
  const all = (name: string) =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value = ""]) => value);

  it("runs a command of package.json as an ordinary user, with time to stop", () => {
    const [command = ""] = all("ExecStart");
    const [, script = ""] =
      /npm (?:run --silent )?(\w+)(?: -- (?:media|webhooks))?$/.exec(command) ?? [];
    expect(scripts).toContain(script);
    expect(all("User")).toEqual(["mediamill"]);
    expect(Number(all("TimeoutStopSec")[0])).toBeGreaterThan(30);
  });

  it("sets variables that exist, and hardens the service", () => {
    const variables = all("Environment").flatMap((line) =>
      line.split(" ").map((one) => one.split("=")),
    );
    const known = [...settingNames, "NODE_COMPILE_CACHE"];
    expect(variables.filter(([name = ""]) => !known.includes(name))).toEqual([]);
    const given = variables.filter(([name = ""]) => settingNames.includes(name));
    expect(() => parseEnv(Object.fromEntries(given))).not.toThrow();
    for (const name of ["NoNewPrivileges", "PrivateTmp", "ProtectHome", "RestrictSUIDSGID"]) {
      expect([name, all(name)]).toEqual([name, ["yes"]]);
    }
    expect(all("ProtectSystem")).toEqual(["strict"]);
    expect(all("CapabilityBoundingSet")).toEqual([""]);
  });

  it("restricts namespaces and /proc only where no engine runs", () => {
    const hasEngines = ["mediamill.service", "mediamill-media.service"].includes(basename(path));
    for (const name of ["RestrictNamespaces", "ProtectKernelTunables", "ProtectKernelLogs"]) {
      expect([name, all(name)]).toEqual([name, hasEngines ? [] : ["yes"]]);
    }
  });
});
