import { readImgproxyOwner } from "#lib/images/keys/imgproxy-owner.ts";
import { readOwner } from "#lib/images/keys/pairs.ts";
import { remember } from "#lib/images/keys/remembered.ts";
import {
  answerPicture,
  type PictureCall,
  respondToFailure,
} from "#lib/images/serve/answer-picture.ts";
import type { PictureResponse } from "#lib/images/serve/respond.ts";
import { findReceivedUpload, locateUpload } from "#lib/jobs/accept/uploads.ts";
import { withDatabaseWatchdog } from "../http/database-watchdog.ts";

/** Answers requests for pictures by URL. */

const ownerOf = remember(readOwner);

type Headers = PictureCall["headers"];

/** The grammars by the first segment of their paths. */
const grammars = { i: "imgproxy", t: "thumbor" } as const;

const pathPattern = /^\/(?<grammar>[it])\/(?<pair>ik_[0-9A-Za-z]{24})\/(?<rest>.+)$/s;

/** Whether a path is one of a picture. */
export function isPicturePath(path: string): boolean {
  return path.startsWith("/i/") || path.startsWith("/t/");
}

/** The response to a path with its query, such as `/i/ik_…/…`, as it was sent. Never throws. */
export function answerPath(path: string, headers: Headers): Promise<PictureResponse> {
  const { grammar, pair = "", rest = "" } = pathPattern.exec(path)?.groups ?? {};
  const findOwner = async () => (grammar ? ownerOf(pair) : undefined);
  const parsed = grammars[grammar as keyof typeof grammars] ?? "imgproxy";
  return answer({ grammar: parsed, path: rest, headers, findOwner, findUpload });
}

/** The response to a path on the port that speaks imgproxy's URLs. Never throws. */
export function answerImgproxyPath(path: string, headers: Headers): Promise<PictureResponse> {
  const findOwner = readImgproxyOwner;
  return answer({ grammar: "imgproxy", path: path.slice(1), headers, findOwner, findUpload });
}

async function answer(call: PictureCall): Promise<PictureResponse> {
  try {
    return await withDatabaseWatchdog(call, answerPicture(call));
  } catch (error) {
    return respondToFailure(error);
  }
}

async function findUpload(accountId: string, id: string) {
  const upload = await findReceivedUpload(accountId, id);
  return upload && { ...locateUpload(upload), filename: upload.filename };
}
