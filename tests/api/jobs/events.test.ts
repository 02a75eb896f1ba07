import { expect, it } from "vitest";
import { eventTypes } from "#lib/db/schema/event-types.ts";
import { createClient } from "#tests/service/http/client.ts";
import { expectError } from "#tests/support/expect-error.ts";

type Api = Awaited<ReturnType<typeof createClient>>;

interface Message {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string | undefined;
}

/** Reads a stream of events until `enough`. */
async function read(
  client: Api,
  query: string,
  lastId: string | undefined,
  enough: (messages: readonly Message[]) => boolean,
): Promise<Message[]> {
  const controller = new AbortController();
  const headers = new Headers(lastId === undefined ? [] : [["Last-Event-ID", lastId]]);
  const { signal } = controller;
  const response = await client.request(`/v1/events${query}`, { headers, signal });
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const messages: Message[] = [];
  let text = "";
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString("utf8");
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    messages.push(...blocks.map(parse));
    if (enough(messages)) break;
  }
  controller.abort();
  return messages;
}

function parse(block: string): Message {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
  return { id: field("id"), event: field("event"), data: field("data") };
}

const shown = (messages: readonly Message[]) =>
  messages.filter(({ event }) => event !== undefined && event !== "job.progress");
const has = (count: number) => (messages: readonly Message[]) => shown(messages).length >= count;

it("sends each event once, with the job, and resumes after any of them", async () => {
  const client = await createClient();
  const [opened] = await read(client, "", undefined, (messages) => messages.length > 0);
  expect(opened?.id).toMatch(/^\d{13}-/);
  const { id } = await client.run("pipeline/file-inspect", { bytes: "a", filename: "a.txt" });
  const all = shown(await read(client, "", opened?.id, has(3)));
  expect(all.map(({ event }) => event)).toEqual(["job.created", "job.started", "job.completed"]);
  for (const { data } of all) expect(JSON.parse(data ?? "")).toMatchObject({ id });
  expect(JSON.parse(all[2]?.data ?? "")).toMatchObject({ status: "completed", progress: 100 });
  const rest = shown(await read(client, "?types=job.*", all[0]?.id, has(2)));
  expect(rest.map(({ id }) => id)).toEqual(all.slice(1).map(({ id }) => id));
});

it("sends only the types that were asked for", async () => {
  const client = await createClient();
  const [opened] = await read(client, "", undefined, (messages) => messages.length > 0);
  await client.run("pipeline/file-inspect", { bytes: "a", filename: "a.txt" });
  await client.runUrl("pipeline/file-inspect", "http://127.0.0.1:1/");
  const query = "?types=job.completed,job.failed";
  const ended = shown(await read(client, query, opened?.id, has(2)));
  expect(ended.map(({ event }) => event)).toEqual(["job.completed", "job.failed"]);
});

it.each(["types=job", "types=job.done", "types=", "types=job.failed,"])(
  "refuses %s and names the types",
  async (query) => {
    const client = await createClient();
    const response = await client.request(`/v1/events?${query}`);
    const message = await expectError(response, "invalid_parameter");
    for (const type of eventTypes) expect(message).toContain(type);
  },
);

it.each(["1", "1763828000123-2-job_x", "../", "1763828000123-9-job_0aB3dE6gH9jK2mN5pQ8sT1vW"])(
  "refuses the event id %s",
  async (lastId) => {
    const client = await createClient();
    const headers = { "Last-Event-ID": lastId };
    await expectError(await client.request("/v1/events", { headers }), "invalid_parameter");
  },
);
