import { callRunner } from "#lib/calls/call-runner.ts";
import { env } from "#lib/env.ts";
import { connectionFile, InvalidUrlError, parseFetchUrl } from "#lib/fetch-url.ts";
import { PictureCache } from "../cache/picture-cache.ts";
import { purgesOf } from "../cache/purges.ts";
import type { PictureOwner } from "../keys/pairs.ts";
import { invalidUrl, PictureError } from "../plan/errors.ts";
import {
  type RenderRequest,
  renderCall,
  renderReplySchema,
  type SourceLocation,
  type StoredSource,
} from "../render/messages.ts";
import { countPicture } from "./counts.ts";
import { describeError } from "./describe-error.ts";
import { type PathRequest, type PreparedRequest, prepareRequest } from "./prepare-request.ts";
import { type PictureResponse, respondWithError, respondWithPicture } from "./respond.ts";
import { Turns } from "./turns.ts";

/** Answers requests for pictures, in the web process. */

/** A page has given up on a picture by then. */
const makeMs = 60_000;

/** Pictures that this process has made at a time, and those that wait for one account. */
const turns = new Turns(16, 500);

let cache: PictureCache | undefined;

function pictures(): PictureCache {
  cache ??= new PictureCache(env.IMAGE_CACHE_BYTES);
  return cache;
}

export interface PictureCall extends PathRequest {
  /** Finds the owner of the pair. Undefined if no such pair exists. */
  readonly findOwner: () => Promise<PictureOwner | undefined>;
  /** Finds a source that the account has sent before. Undefined if there is none with this id. */
  readonly findUpload: (accountId: string, id: string) => Promise<StoredSource | undefined>;
}

/** The response to a request for a picture. Never throws: an error is a status and a small text. */
export async function answerPicture(call: PictureCall): Promise<PictureResponse> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  let owner: PictureOwner | undefined;
  try {
    owner = await call.findOwner();
    if (!owner) throw new PictureError(404, "There is no such key.");
    const prepared = prepareRequest(call, owner);
    const { picture, isHit, sourceBytes } = await findPicture(prepared, owner, call);
    const response = respondWithPicture(picture, prepared.request, call.headers);
    const sentBytes = response.body?.length ?? 0;
    countPicture(owner.accountId, isHit ? "hit" : "miss", {
      sourceBytes,
      sentBytes,
      seconds: seconds(),
    });
    return response;
  } catch (error) {
    if (owner) countPicture(owner.accountId, "error", { seconds: seconds() });
    return respondToFailure(error);
  }
}

export function respondToFailure(error: unknown): PictureResponse {
  const { status, message, headers } = describeError(error);
  return respondWithError(status, message, headers);
}

async function findPicture(prepared: PreparedRequest, owner: PictureOwner, call: PictureCall) {
  const { accountId, plan: accountPlan } = owner;
  const { request, sourceName, changed, preferred, key } = prepared;
  const { info } = request;
  const location = await locateSource(request.source, owner, call);
  let sourceBytes = 0;
  const make = (storageKey: string) =>
    turns.run(accountId, async () => {
      const options: RenderRequest = {
        accountId,
        accountPlan,
        source: location,
        sourceName,
        plan: changed,
        preferred,
        info,
        storageKey,
        createdAt: Date.now(),
      };
      const reply = await callRunner({
        name: renderCall,
        engine: "image",
        options,
        timeoutMs: makeMs,
      });
      sourceBytes = renderReplySchema.parse(reply).sourceBytes;
    });
  const found = await pictures().get(key, await purgesOf(accountId), make);
  return { ...found, sourceBytes };
}

async function locateSource(
  source: string,
  { accountId }: PictureOwner,
  { findUpload }: PictureCall,
): Promise<SourceLocation> {
  if (/^upload_[0-9A-Za-z]{24}$/.test(source)) {
    const upload = await findUpload(accountId, source);
    if (!upload) throw new PictureError(404, "There is no such source.");
    return { kind: "stored", ...upload };
  }
  if (connectionFile.test(source)) return { kind: "connection", reference: source };
  try {
    return { kind: "url", url: parseFetchUrl(source).href };
  } catch (error) {
    if (error instanceof InvalidUrlError)
      throw invalidUrl("its source is no http or https URL, no upload and no file in a connection");
    throw error;
  }
}
