import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, it } from "vitest";
import { listFiles } from "#lib/connections/list-files.ts";
import { createConnection } from "#lib/connections/manage.ts";
import { makeAccount } from "#tests/service/jobs.ts";

/** The folders of a bucket, whose keys may have empty names and names of dots. */
const folders = ["in/", "in//", "in/a/", "in/./", "in/../", "in/b\\/"];

let requested: string | null = null;
const server = createServer(({ url = "/" }, response) => {
  requested = new URL(url, "http://store").searchParams.get("prefix");
  const rows = folders.map((path) => `<CommonPrefixes><Prefix>${path}</Prefix></CommonPrefixes>`);
  response.end(`<ListBucketResult>${rows.join("")}</ListBucketResult>`);
}).listen(0, "127.0.0.1");

afterAll(() => server.close());

it("folders of keys have their empty names, and those that no job can read are left out", async () => {
  if (!server.listening) await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const owner = await makeAccount();
  const { id } = await createConnection(owner, {
    name: "Files",
    type: "s3",
    prefix: "in",
    access: "both",
    operations: null,
    fields: {
      bucket: "videos",
      region: "us-east-1",
      endpoint: `http://127.0.0.1:${port}`,
      access_key_id: "key",
      secret_access_key: "secret",
    },
  });
  const root = await listFiles(owner, id, { prefix: "", limit: 9, isFlat: true });
  expect(root.folders).toEqual(["/", "a/"]);
  await listFiles(owner, id, { prefix: "/", limit: 9, isFlat: true });
  expect(requested).toBe("in//");
});
