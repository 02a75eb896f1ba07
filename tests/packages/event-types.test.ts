import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { guideTables } from "#components/docs/guide-tables.ts";
import { eventTypes, webhookEventTypes } from "#lib/db/schema/event-types.ts";

const project = join(import.meta.dirname, "../..");
const definition = "lib/db/schema/event-types.ts";

/** They make a sample of each type. The type check finds a missing one. */
const samples = ["lib/jobs/view/sample-event.ts", "packages/cli/src/webhooks/sample-event.ts"];

it("event types are listed in one place", () => {
  const folders = ["app", "components", "docs", "inngest", "lib", "packages", "scripts"];
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "--", ...folders];
  const files = execFileSync("git", args, { cwd: project, encoding: "utf8" }).trim().split("\n");
  const lists = files
    .filter((path) => /\.(?:tsx?|mjs|py|md)$/.test(path))
    .filter((path) => {
      const text = readFileSync(join(project, path), "utf8");
      return webhookEventTypes.every((type) => text.includes(type));
    })
    .filter((path) => path !== definition && !samples.includes(path));
  expect(lists, `use the lists of ${definition}, or what is generated from them, in`).toEqual([]);
});

it("the guides have a row of each event", () => {
  for (const type of webhookEventTypes) {
    expect(guideTables.webhookEvents?.()).toContain(`| \`${type}\` | `);
  }
  for (const type of eventTypes) expect(guideTables.jobEvents?.()).toContain(`| \`${type}\` | `);
});
