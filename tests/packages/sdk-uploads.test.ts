import { describe, expect, it } from "vitest";
import { Mediamill } from "#packages/sdk/src/index.ts";

/** The uploads of the TypeScript SDK, and a service that loses the response to a file. */

interface Script {
  /** What `GET /v1/uploads/{id}` responds after the file was sent twice. */
  readonly state: () => Response;
}

const conflict = () =>
  Response.json(
    { error: "The file of this upload was already received." },
    { status: 409, headers: { "x-error-code": "conflict" } },
  );

/** A client of a service that stores the first file, and loses its response. */
function clientOf({ state }: Script) {
  const requests: string[] = [];
  const send = async (url: string, { method = "GET" }: RequestInit = {}) => {
    const { pathname } = new URL(url);
    requests.push(`${method} ${pathname}`);
    if (method === "POST") {
      return Response.json({ id: "upload_1", url: "http://s/put", method: "PUT", headers: {} });
    }
    if (method === "GET") return state();
    if (requests.filter((one) => one === "PUT /put").length > 1) return conflict();
    throw new TypeError("fetch failed");
  };
  const mm = new Mediamill({ apiKey: "key", baseUrl: "http://s", fetch: send as typeof fetch });
  return { mm, requests };
}

const content = new Uint8Array(10);

describe("a file whose response was lost", () => {
  const complete = () => Response.json({ id: "upload_1", status: "complete" });
  const forbidden = () => Response.json({ error: "Not in the scope." }, { status: 403 });

  it.each([
    ["says that it is complete", complete],
    ["may not be asked with this key", forbidden],
  ])("is uploaded if the service %s", async (_, state) => {
    const { mm, requests } = clientOf({ state });
    expect(await mm.uploads.create(content)).toMatchObject({ id: "upload_1" });
    const sent = ["PUT /put", "PUT /put"];
    expect(requests).toEqual(["POST /v1/uploads", ...sent, "GET /v1/uploads/upload_1"]);
  });

  it("is not uploaded if the service says that it has not arrived", async () => {
    const { mm } = clientOf({ state: () => Response.json({ id: "upload_1", status: "waiting" }) });
    await expect(mm.uploads.create(content)).rejects.toMatchObject({ name: "ConflictError" });
  });
});
