import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readRequests, replaceRequests } from "#components/docs/guide-requests.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";

const folder = join(import.meta.dirname, "../../docs/guide");
const requests = readdirSync(folder).flatMap((name) =>
  readRequests(readFileSync(join(folder, name), "utf8")).map((request) => ({ name, request })),
);

describe("the requests of the guides", () => {
  it("are in several guides", () => {
    expect(requests.length).toBeGreaterThan(3);
  });

  it.each(requests)("$name: $request.operation has valid parameters", ({ request }) => {
    const { operation, params } = request;
    const steps =
      operation === "chain"
        ? (params.operations as { type: string; params: unknown }[])
        : [{ type: operation, params }];
    for (const { type, params: own } of steps) {
      expect(findOperation(type)?.params.safeParse(own).error).toBeUndefined();
      expect(findOperation(type)).toBeDefined();
    }
  });

  it("become code for each client", () => {
    const json = '{ "operation": "image/flip", "params": {}, "input": { "file": "a.jpg" } }';
    const text = replaceRequests(`Before.\n\n\`\`\`request\n${json}\n\`\`\`\n\nAfter.`);
    const labels = [...text.matchAll(/^```(\w+ \| \w+)$/gm)].map(([, label]) => label);
    expect(labels).toEqual([
      "bash | curl",
      "typescript | TypeScript",
      "python | Python",
      "bash | CLI",
    ]);
    expect(text).toContain("{{baseUrl}}/v1/image/flip");
    expect(text.startsWith("Before.") && text.endsWith("After.")).toBe(true);
  });
});
