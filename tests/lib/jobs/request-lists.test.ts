import { beforeAll, expect, it } from "vitest";
import { createApiKey } from "#lib/auth/api-keys.ts";
import { db } from "#lib/db/client.ts";
import { insertRequests } from "#lib/db/queries/requests/insert.ts";
import {
  findRequest,
  listRequestGroups,
  listRequests,
  type RequestFilter,
} from "#lib/db/queries/requests/lists.ts";
import { deleteOldRequests, trimRequests } from "#lib/db/queries/requests/retention.ts";
import type { ApiRequest } from "#lib/db/schema/dashboard/api-requests.ts";
import { makeAccount } from "#tests/service/jobs.ts";

const dayMs = 86_400_000;
const now = new Date();
let accountId = "";
let otherId = "";
let keyId = "";

/** The id of the `index`-th request; ids sort by their index. */
const idOf = (index: number) => `req_${String(index).padStart(24, "0")}`;

function makeRequest(index: number, values: Partial<ApiRequest> = {}): ApiRequest {
  return {
    id: idOf(index),
    accountId,
    apiKeyId: keyId,
    method: "POST",
    path: "/v1/image/resize",
    status: 202,
    errorCode: null,
    error: null,
    address: "192.0.2.1",
    durationMs: 12,
    jobId: null,
    params: { fields: { width: 640 } },
    createdAt: now,
    ...values,
  };
}

beforeAll(async () => {
  accountId = (await makeAccount()).id;
  otherId = (await makeAccount()).id;
  keyId = (await createApiKey(accountId, { name: "production" })).keyId;
  await insertRequests(db(), [
    // Of a day that no other test makes a partition for.
    makeRequest(1, { createdAt: new Date(Date.now() - 60 * dayMs) }),
    makeRequest(2, { method: "GET", path: "/v1/jobs/job_1", status: 200, jobId: "job_1" }),
    makeRequest(3, {
      status: 400,
      errorCode: "invalid_parameter",
      error: "`width` must be an integer. 'quoted' \"twice\" \\ 日本",
    }),
    makeRequest(4, { status: 503, errorCode: "unavailable", apiKeyId: "key_unknown" }),
    makeRequest(5, { accountId: otherId }),
    makeRequest(6, { accountId: "acc_deleted" }),
  ]);
});

const list = async (filter: RequestFilter, page = {}) => {
  const { rows, hasMore } = await listRequests(db(), accountId, filter, { limit: 10, ...page });
  return { ids: rows.map(({ id }) => Number(id.slice(4))), hasMore };
};

it.each<[string, RequestFilter, number[]]>([
  ["no filter", {}, [4, 3, 2, 1]],
  ["a method and a path", { path: "post /V1/image" }, [4, 3, 1]],
  ["a status class", { statusClass: 4 }, [3]],
  ["an error code", { errorCode: "unavailable" }, [4]],
  ["a key", { apiKeyId: "key_unknown" }, [4]],
  ["a job", { id: "job_1" }, [2]],
  ["a request", { id: idOf(3) }, [3]],
  ["a date", { createdAfter: new Date(Date.now() - dayMs) }, [4, 3, 2]],
  ["an earlier date", { createdBefore: new Date(Date.now() - dayMs) }, [1]],
])("requests are filtered by %s", async (_name, filter, expected) => {
  expect(await list(filter)).toEqual({ ids: expected, hasMore: false });
});

it("rejected requests that follow each other and are the same are one", async () => {
  const { id } = await makeAccount();
  const rejected = {
    accountId: id,
    status: 400,
    errorCode: "invalid_parameter",
    error: "`a` is wrong.",
  };
  await insertRequests(db(), [
    makeRequest(101, rejected),
    makeRequest(102, rejected),
    makeRequest(103, { accountId: id }),
    makeRequest(104, { accountId: id }),
    makeRequest(105, rejected),
    makeRequest(106, { ...rejected, error: "`b` is wrong." }),
    makeRequest(107, rejected),
    makeRequest(108, rejected),
    makeRequest(109, rejected),
  ]);
  const groups = async (page: { limit: number; after?: string; before?: string }, filter = {}) => {
    const { rows, hasMore } = await listRequestGroups(db(), id, filter, page);
    return {
      rows: rows.map((row) => [
        Number(row.id.slice(4)),
        Number(row.oldestId.slice(4)),
        row.repeats,
      ]),
      hasMore,
    };
  };
  expect(await groups({ limit: 10 })).toEqual({
    rows: [
      [109, 107, 3],
      [106, 106, 1],
      [105, 105, 1],
      [104, 104, 1],
      [103, 103, 1],
      [102, 101, 2],
    ],
    hasMore: false,
  });
  expect(await groups({ limit: 1, after: idOf(107) })).toEqual({
    rows: [[106, 106, 1]],
    hasMore: true,
  });
  expect(await groups({ limit: 2, before: idOf(105) })).toEqual({
    rows: [
      [109, 107, 3],
      [106, 106, 1],
    ],
    hasMore: false,
  });
  expect((await groups({ limit: 9 }, { from: idOf(107), to: idOf(108) })).rows).toEqual([
    [108, 107, 2],
  ]);
});

it("a page starts after or before a request", async () => {
  expect(await list({}, { limit: 2 })).toEqual({ ids: [4, 3], hasMore: true });
  expect(await list({}, { limit: 2, after: idOf(3) })).toEqual({ ids: [2, 1], hasMore: false });
  expect(await list({}, { limit: 2, before: idOf(1) })).toEqual({ ids: [3, 2], hasMore: true });
});

it("a request is found by its account only, with the name of its key", async () => {
  expect(await findRequest(db(), accountId, idOf(3))).toMatchObject({
    keyName: "production",
    error: "`width` must be an integer. 'quoted' \"twice\" \\ 日本",
    params: { fields: { width: 640 } },
  });
  expect(await findRequest(db(), otherId, idOf(3))).toBeUndefined();
});

it("requests inserted twice are kept once", async () => {
  await insertRequests(db(), [makeRequest(3, { status: 500 }), makeRequest(4)]);
  expect(await findRequest(db(), accountId, idOf(3))).toMatchObject({ status: 400 });
});

it("requests past their time and the oldest of a full account are deleted", async () => {
  const deleteOld = async () => {
    // Does nothing while another test changes partitions.
    await deleteOldRequests(db());
    return (await list({})).ids;
  };
  await expect.poll(deleteOld).toEqual([4, 3, 2]);
  await trimRequests(db(), accountId, 2);
  expect((await list({})).ids).toEqual([4, 3]);
  await trimRequests(db(), accountId, 2);
  expect((await list({})).ids).toEqual([4, 3]);
  expect(await findRequest(db(), otherId, idOf(5))).toBeDefined();
});
