import { createHash } from "node:crypto";
import type { PictureKey } from "../cache/storage-keys.ts";
import type { PictureOwner } from "../keys/pairs.ts";
import {
  defaultPlan,
  type ImagePlan,
  type PictureFormat,
  type PictureRequest,
} from "../plan/plan.ts";
import { canonicalSource, hashOf } from "../sources/canonical-source.ts";
import { hintsOf, preferredFormats, type RequestHeaders } from "./negotiate.ts";
import { type Grammar, parseRequest } from "./parse-request.ts";

/** Changes when the same plan gives another picture, so that none of before is used. */
const cacheVersion = 6;

/** A request whose signature was verified, and which picture it asks for. */
export interface PreparedRequest {
  readonly request: PictureRequest;
  /** The source as purges name it. */
  readonly sourceName: string;
  /** The fields of the plan that differ from the defaults: a short text for the key, and for the runner. */
  readonly changed: Partial<ImagePlan>;
  readonly preferred: readonly PictureFormat[];
  readonly key: PictureKey;
}

export interface PathRequest {
  readonly grammar: Grammar;
  /** What follows the pair, without the first slash, as it was sent. */
  readonly path: string;
  /** The names are in lower case. */
  readonly headers: RequestHeaders;
}

/** More would only keep the memory of pages that are gone. */
const maxRemembered = 2000;
const maxRememberedLength = 1000;

/** Most requests of a page are for pictures of which it has just asked, by keys of the same second. */
const remembered = new WeakMap<PictureOwner, Map<string, PreparedRequest>>();

/** Throws `PictureError` as `parseRequest` does. */
export function prepareRequest(sent: PathRequest, owner: PictureOwner): PreparedRequest {
  const { grammar, path, headers } = sent;
  const text = JSON.stringify([grammar, path, headers.accept, hintsOf(headers)]);
  const known = remembered.get(owner) ?? new Map<string, PreparedRequest>();
  const found = known.get(text);
  if (found && !hasExpired(found)) return found;
  const prepared = prepare(sent, owner);
  if (text.length <= maxRememberedLength) {
    if (known.size >= maxRemembered) known.clear();
    known.set(text, prepared);
    remembered.set(owner, known);
  }
  return prepared;
}

function hasExpired({ request }: PreparedRequest): boolean {
  const { expires } = request.delivery;
  return expires > 0 && expires * 1000 <= Date.now();
}

function prepare({ grammar, path, headers }: PathRequest, owner: PictureOwner): PreparedRequest {
  const { accountId } = owner;
  const request = parseRequest(grammar, path, owner, headers);
  const { plan, info, source } = request;
  const sourceName = canonicalSource(source);
  const isOwnFormat = plan.format !== null || plan.raw || info !== null;
  const preferred = isOwnFormat ? [] : preferredFormats(headers.accept);
  const changed = changesOf(plan);
  const identity = JSON.stringify([cacheVersion, accountId, sourceName, changed, preferred, info]);
  const key = {
    accountId,
    source: hashOf(sourceName),
    picture: createHash("sha256").update(identity).digest("hex"),
  };
  return { request, sourceName, changed, preferred, key };
}

function changesOf(plan: ImagePlan): Partial<ImagePlan> {
  const changed = Object.entries(plan).filter(
    ([name, value]) =>
      JSON.stringify(value) !== JSON.stringify(defaultPlan[name as keyof ImagePlan]),
  );
  return Object.fromEntries(changed);
}
