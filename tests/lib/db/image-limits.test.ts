import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, inject, it } from "vitest";
import { db } from "#lib/db/client.ts";
import { countSourceBytes } from "#lib/db/queries/images/image-days.ts";
import { processPath } from "#lib/engines/sandbox/folder/process-folder.ts";
import { closeWorkerPool } from "#lib/engines/worker/pool.ts";
import type { ImagePlan } from "#lib/images/plan/plan.ts";
import { renderPicture } from "#lib/images/render/render-picture.ts";
import { parseThumborPath } from "#lib/images/thumbor/parse-path.ts";
import { type PlanName, plans } from "#lib/plans.ts";
import { periodOf } from "#lib/quotas/period.ts";
import { makeTestImage } from "#tests/samples/images/images.ts";
import { makeAccount } from "#tests/service/jobs.ts";

/** What a picture that is rejected leaves running. */

const host = `http://127.0.0.1:${inject("hostPort")}`;

afterAll(closeWorkerPool);

async function render(
  accountId: string,
  accountPlan: PlanName,
  plan: Partial<ImagePlan> = {},
  signal = new AbortController().signal,
) {
  const name = `${accountId}.png`;
  await makeTestImage({ width: 20, height: 10 })
    .png()
    .toFile(join(dirname(inject("dataFolder")), name));
  const request = {
    accountId,
    accountPlan,
    source: { kind: "url", url: `${host}/${name}` },
    sourceName: "https://example.com/a.png",
    plan,
    preferred: [],
    info: null,
    storageKey: `cache/${accountId}`,
    createdAt: Date.now(),
  } as const;
  return renderPicture(request, signal);
}

/** Each worker has a folder. */
const listWorkers = () =>
  existsSync(processPath("slots")) ? readdirSync(processPath("slots")) : [];

it("a picture above the limit of the plan is not drawn", async () => {
  const { id } = await makeAccount("free");
  const limit = plans.free.monthlyBytes;
  await countSourceBytes(db(), {
    accountId: id,
    period: periodOf(new Date()),
    bytes: limit ?? 0,
    limit,
  });
  await closeWorkerPool();
  const before = listWorkers();
  await expect(render(id, "free")).rejects.toMatchObject({ code: "usage_limit_reached" });
  await sleep(100);
  expect(listWorkers()).toEqual(before);
});

it("a picture without one of its watermarks ends when no other one is fetched", async () => {
  const { id } = await makeAccount();
  const urls = ["http://192.168.0.1/a.png", `${host}/hang`];
  const filters = urls.map((url) => `watermark(${url},0,0,0)`).join(":");
  const { plan } = parseThumborPath(`20x10/filters:${filters}/https://example.com/a.png`);
  const client = new AbortController();
  const rendering = render(id, "enterprise", plan, client.signal).catch(({ code }) => code);
  expect(await Promise.race([rendering, sleep(1000, "fetching")])).toBe("fetching");
  client.abort();
  expect(await rendering).toBe("address_refused");
});
