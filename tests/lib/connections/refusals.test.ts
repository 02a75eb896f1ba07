import { join } from "node:path";
import { expect, it } from "vitest";
import { explainReadFailure } from "#lib/connections/read-faults.ts";
import { HttpStore } from "#lib/connections/stores/http-store.ts";
import { createS3Signer } from "#lib/connections/stores/s3.ts";
import { httpServer, temporaryFolder, testNetwork } from "#tests/servers/net.ts";
import { smallFile } from "#tests/servers/storage/store-file.ts";

const { signal } = new AbortController();

const region = "The bucket is in the region eu-west-1, and the connection names another one.";

/** What Amazon S3 responds with. */
const refusals = [
  [301, "PermanentRedirect", "<Endpoint>b.s3.eu-west-1.amazonaws.com</Endpoint>", region],
  [301, "PermanentRedirect", "<Endpoint>b.s3-eu-west-1.amazonaws.com</Endpoint>", region],
  [301, "PermanentRedirect", "<Endpoint>b.s3.amazonaws.com</Endpoint>", "the region us-east-1,"],
  [400, "AuthorizationQueryParametersError", "<Region>eu-west-1</Region>", region],
  [403, "InvalidObjectState", "", "status 403: InvalidObjectState: No."],
  [403, "RequestTimeTooSkewed", "", "status 403: RequestTimeTooSkewed: No."],
  [403, "constructor", "", "status 403: constructor: No."],
] as const;

it.each(refusals)(
  "shows what a store means by the status %i and %s",
  async (status, code, more, text) => {
    const body = `<Error><Code>${code}</Code><Message>No.</Message>${more}</Error>`;
    const store = await openBucket(status, body);
    const reading = { path: join(temporaryFolder(), "a"), maxBytes: 1000, signal };
    const failure = await store.receive("a.txt", reading).catch((error: unknown) => error);
    const connection = { id: "conn_1", name: "Files", prefix: "", type: "s3", config: {} } as const;
    const read = await explainReadFailure(failure, { connection, path: "a.txt" }, store, "a.txt");
    expect(read).toMatchObject({ code: "fetch_failed", message: expect.stringContaining(text) });
    await expect(store.put(smallFile(signal))).rejects.toThrow(text);
    await expect(store.list({ prefix: "", limit: 1 })).rejects.toThrow(text);
  },
);

/** A bucket of a store with one response to everything. */
async function openBucket(status: number, body: string): Promise<HttpStore> {
  const host = await httpServer((request, response) => {
    request.resume().on("end", () => response.writeHead(status).end(body));
  });
  const credentials = async () => ({ accessKeyId: "a", secretAccessKey: "b" });
  const access = { bucket: "b", region: "us-west-2", endpoint: `http://${host}`, credentials };
  return new HttpStore(createS3Signer(access), testNetwork([host]), signal);
}
