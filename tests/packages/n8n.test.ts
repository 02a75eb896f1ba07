import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { INodeProperties, INodeType } from "n8n-workflow";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "#lib/operations/catalogue/index.ts";
import { parameterSchemas } from "#lib/operations/parameter-schema.ts";
import { type LoadedNodes, loadNodes } from "#tests/clients/n8n-host.ts";

/** The n8n package as it is published: built, packed and loaded as n8n loads it. */

const folder = mkdtempSync(join(tmpdir(), "mediamill-n8n-"));
let loaded: LoadedNodes;
let node: INodeType;
let trigger: INodeType;

beforeAll(async () => {
  loaded = await loadNodes(folder);
  const { Mediamill, MediamillTrigger } = loaded.nodes;
  if (!Mediamill || !MediamillTrigger) throw new Error("a node is missing");
  node = Mediamill;
  trigger = MediamillTrigger;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("has what n8n asks of a package", () => {
  const manifest = JSON.parse(readFileSync(join(loaded.folder, "package.json"), "utf8"));
  expect(manifest.keywords).toContain("n8n-community-node-package");
  expect(manifest.dependencies).toBeUndefined();
  expect(node.description.usableAsTool).toBe(true);
  expect(loaded.credential.name).toBe(node.description.credentials[0]?.name);
  expect(loaded.credential.test?.request.url).toBe("/v1/usage");
  for (const [index, { description }] of [node, trigger].entries()) {
    const place = dirname(join(loaded.folder, manifest.n8n.nodes[index]));
    for (const icon of Object.values(description.icon)) {
      expect(existsSync(join(place, icon.replace("file:", "")))).toBe(true);
    }
  }
});

it("has each field after those that it depends on, as n8n reads them in order", () => {
  const { properties } = node.description;
  const resourcesOf = ({ displayOptions }: INodeProperties) => displayOptions?.show?.resource ?? [];
  const wrong = properties.filter((property, index) => {
    const names = Object.keys(property.displayOptions?.show ?? {});
    return resourcesOf(property).some((resource) =>
      names.some((name) => {
        const isShown = (one: INodeProperties) =>
          one.name === "resource" || resourcesOf(one).includes(resource);
        const before = properties.slice(0, index);
        return !before.some((one) => one.name === name && isShown(one));
      }),
    );
  });
  expect(wrong.map(({ name, displayOptions }) => [name, displayOptions])).toEqual([]);
});

/** The fields that are shown for an operation, without those of every operation. */
function fieldsOf(group: string, name: string): INodeProperties[] {
  const matches = ({ displayOptions: { show = {} } = {} }: INodeProperties) =>
    show.resource?.includes(group) && show.operation?.includes(name);
  return node.description.properties.filter(matches);
}

it.each(operations)(
  "$id has a field for each parameter and file",
  ({ id, group, ...operation }) => {
    const name = id.slice(group.length + 1);
    const fields = fieldsOf(group, name);
    const options = fields.find((field) => field.name === "options")?.options ?? [];
    const { properties, required } = parameterSchemas(operation.params);
    const files = Object.entries(operation.files ?? {});
    const top = fields.filter((field) => field.name !== "options").map((field) => field.name);
    const hasInput = operation.inputs.max > 0;
    expect(top.includes("input")).toBe(hasInput);
    const own = top.filter((one) => !["input", "binaryField", "url", "urls"].includes(one));
    const partsOf = (isRequired: boolean) =>
      files.filter(([, file]) => file.required === isRequired).map(([part]) => part);
    expect(own).toEqual([...partsOf(true), ...required]);
    const optional = Object.keys(properties).filter((one) => !required.includes(one));
    const names = options.map((option) => ("value" in option ? option.value : option.name));
    expect(names.sort()).toEqual([...partsOf(false), ...optional].sort());
  },
);

describe("the trigger", () => {
  const secret = `whsec_${Buffer.from("a secret of some length").toString("base64")}`;
  const body = JSON.stringify({ type: "job.completed", data: { id: "job_1" } });

  const receive = async (
    headers: Record<string, string>,
    sent = body,
    events = ["job.completed"],
  ) => {
    const answers: unknown[] = [];
    const context = {
      getCredentials: async () => ({ webhookSecret: secret }),
      getRequestObject: () => ({ rawBody: Buffer.from(sent) }),
      getHeaderData: () => headers,
      getBodyData: () => JSON.parse(sent),
      getNodeParameter: () => events,
      getResponseObject: () => ({ status: (code: number) => ({ json: () => answers.push(code) }) }),
    };
    const result = await trigger.webhook?.call(context as never);
    return { result, answers };
  };

  const signed = (time = new Date()) => ({
    "webhook-id": "whd_1",
    "webhook-timestamp": `${Math.floor(time.getTime() / 1000)}`,
    "webhook-signature": new Webhook(secret).sign("whd_1", time, body),
  });

  it("starts the workflow with the event", async () => {
    const { result } = await receive(signed());
    expect(result?.workflowData?.[0]?.[0]?.json).toEqual(JSON.parse(body));
    expect((await receive(signed(), body, ["job.failed"])).result).toEqual({});
  });

  it.each([
    ["a forged body", () => signed(), body.replace("job_1", "job_2")],
    ["an old webhook", () => signed(new Date(Date.now() - 3_600_000)), body],
    ["no signature", () => ({}), body],
  ])("rejects %s", async (_name, headers, sent) => {
    const { result, answers } = await receive(headers(), sent);
    expect(result).toEqual({ noWebhookResponse: true });
    expect(answers).toEqual([401]);
  });
});
