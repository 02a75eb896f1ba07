import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { WebdavStore } from "#lib/connections/stores/webdav.ts";
import { httpServer, testNetwork } from "#tests/servers/net.ts";
import { smallFile } from "#tests/servers/storage/store-file.ts";

/** A WebDAV server, and what it removes of a file that it has not accepted. */

const { signal } = new AbortController();

type Respond = (response: ServerResponse) => void;

/** Sends a file to a server that responds so to `PUT` and `MOVE`. Resolves with how often it was asked to remove it. */
async function countRemovals(responses: Readonly<Record<string, Respond>>): Promise<number> {
  let removals = 0;
  const host = await httpServer((request, response) => {
    const { method = "", url } = request;
    request.resume().on("end", () => {
      if (method === "DELETE") removals++;
      const respond = responses[method];
      if (respond) respond(response);
      else if (method === "PROPFIND") response.writeHead(207).end(propertiesOf(url ?? ""));
      else response.writeHead(204).end();
    });
  });
  const network = testNetwork([host]);
  const access = { url: `http://${host}`, username: "a", password: "b" };
  const store = new WebdavStore(access, { network, signal });
  await expect(store.put({ ...smallFile(signal), overwrite: false })).rejects.toThrow("The store");
  return removals;
}

function propertiesOf(path: string): string {
  const properties = "<prop><resourcetype/><getcontentlength>7</getcontentlength></prop>";
  return `<multistatus xmlns="DAV:"><response><href>${path}</href><propstat>${properties}</propstat></response></multistatus>`;
}

const answer =
  (status: number): Respond =>
  (response) =>
    response.writeHead(status).end();
const breakOff: Respond = (response) => response.destroy();

it.each([
  ["that is refused", { PUT: answer(403) }],
  ["for which there is no space", { PUT: answer(507) }],
  ["whose path is taken", { MOVE: answer(412) }],
])("is asked once to remove a file %s", async (_what, responses) => {
  expect(await countRemovals(responses)).toBe(1);
});

it("is asked again to remove a file if it broke the connection, and may store it late", async () => {
  expect(await countRemovals({ PUT: breakOff })).toBe(2);
});

it("is asked again to remove a file that it still holds locked", async () => {
  expect(await countRemovals({ PUT: breakOff, DELETE: answer(423) })).toBe(2);
});
