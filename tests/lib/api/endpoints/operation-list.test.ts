import { expect, it } from "vitest";
import { listOperations } from "#lib/api/endpoints/operations/list.ts";
import type { Authorizers } from "#lib/api/http/callers/authorize.ts";
import { createRoutes } from "#lib/api/http/create-routes.ts";
import { mediaType } from "#lib/media/types.ts";
import { operations } from "#lib/operations/catalogue/index.ts";

const unexpected = async () => Promise.reject(new Error("the list is public"));
const callers: Authorizers = {
  apiKey: unexpected,
  session: unexpected,
  visitor: unexpected,
  isTokenOrigin: async () => false,
};

it("the list has each media type of an operation once", async () => {
  const { GET } = createRoutes(callers)(listOperations);
  const response = await GET(new Request("http://localhost/v1/operations"), {
    params: Promise.resolve({}),
  });
  const list: { operations: { id: string; accepts: string[] }[] } = await response.json();
  for (const { id, accepts } of operations) {
    const shown = list.operations.find((one) => one.id === id)?.accepts;
    expect(shown?.toSorted(), id).toEqual(
      [...new Set(accepts.map((type) => mediaType(type).mime))].toSorted(),
    );
  }
});
