import { createHash } from "node:crypto";
import { translateEngineError } from "#lib/engines/sandbox/failures/failures.ts";
import { processPath } from "#lib/engines/sandbox/folder/process-folder.ts";
import { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { runForTenant, sharedTenant } from "#lib/engines/warm/tenant.ts";
import { env } from "#lib/env.ts";
import { JobError } from "#lib/errors.ts";
import { freeMemory } from "#lib/files/temporary-memory.ts";
import { createToken } from "#lib/ids.ts";
import { limitsForPlan } from "#lib/limits/limits.ts";
import { noNetwork } from "#lib/net/no-network.ts";
import { storage } from "#lib/storage/index.ts";
import { type PictureHead, packPicture } from "../cache/cached-picture.ts";
import { defaultPlan } from "../plan/plan.ts";
import { countSource } from "./count-source.ts";
import { drawInMemory } from "./draw-in-memory.ts";
import { findSource } from "./find-source.ts";
import { makeResult, type RenderTools } from "./make-result.ts";
import type { RenderReply, RenderRequest } from "./messages.ts";

/** Makes pictures, in a media runner. */

/**
 * How long after its source was asked for a picture may be stored: longer than anyone waits. A web process that was
 * killed does not cancel its calls, and purges of sources end (`purges.ts`).
 */
const maxAgeMs = 300_000;

/**
 * Fetches the source, counts its bytes, and stores what the request asks for. Throws `JobError`. The
 * work folder is always removed.
 */
export async function renderPicture(
  request: RenderRequest,
  signal: AbortSignal,
): Promise<RenderReply> {
  let folder: WorkFolder | undefined;
  const limits = limitsForPlan(request.accountPlan);
  // Most pictures are made in memory and need none.
  const work = () => {
    folder ??= WorkFolder.create(processPath(`picture-${createToken()}`), {
      limits,
      network: noNetwork,
    });
    return folder;
  };
  const tenant = env.ENGINE_ISOLATION === "account" ? request.accountId : sharedTenant;
  const { accountId, accountPlan } = request;
  const count = (bytes: number) => countSource(accountId, accountPlan, bytes);
  const tools: RenderTools = { work, limits, signal, count };
  try {
    return await runForTenant(tenant, () => makePicture(request, tools));
  } catch (error) {
    throw translateEngineError(error);
  } finally {
    await folder?.remove();
  }
}

async function makePicture(request: RenderRequest, tools: RenderTools): Promise<RenderReply> {
  const { work, signal, count } = tools;
  const plan = { ...defaultPlan, ...request.plan };
  const source = await findSource(request.source, request, work, signal);
  // Nothing would stop the drawing of a picture that is rejected.
  await count(source.bytes);
  const result =
    (await drawInMemory(request, plan, source, tools)) ??
    (await makeResult(request, plan, source, tools));
  signal.throwIfAborted();
  if (Date.now() - request.createdAt > maxAgeMs) {
    throw new JobError("timed_out", "The picture was not made in time.");
  }
  const { body, contentType, extension, width, height } = result;
  const head: PictureHead = {
    contentType,
    createdAt: request.createdAt,
    source: request.sourceName,
    filename: `${stemOf(source.filename)}.${extension}`,
    etag: createHash("sha256").update(body).digest("base64url").slice(0, 27),
    bytes: body.length,
    ...(source.lastModified ? { lastModified: source.lastModified } : {}),
    ...(width ? { width, height } : {}),
  };
  await storage().writeCached(request.storageKey, packPicture({ head, body }));
  if (source.kind === "memory") freeMemory(source.content);
  return { sourceBytes: source.bytes };
}

function stemOf(filename: string): string {
  return filename.replace(/\.[^.]*$/, "") || "image";
}
