import { readImgproxyOwner } from "#lib/images/keys/imgproxy-owner.ts";
import { readOwner } from "#lib/images/keys/pairs.ts";
import { remember } from "#lib/images/keys/remembered.ts";
import { answerPicture, type PictureCall } from "#lib/images/serve/answer-picture.ts";
import type { PictureResponse } from "#lib/images/serve/respond.ts";
import { findReceivedUpload, locateUpload } from "#lib/jobs/accept/uploads.ts";

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

/** The response to a path with its query, such as `/i/ik_…/…`, as it was sent. */
export async function answerPath(path: string, headers: Headers): Promise<PictureResponse> {
  const { grammar, pair = "", rest = "" } = pathPattern.exec(path)?.groups ?? {};
  const owner = grammar ? await ownerOf(pair) : undefined;
  const parsed = grammars[grammar as keyof typeof grammars] ?? "imgproxy";
  return answerPicture({ grammar: parsed, path: rest, headers, owner, findUpload });
}

/** The response to a path on the port that speaks imgproxy's URLs. */
export async function answerImgproxyPath(path: string, headers: Headers): Promise<PictureResponse> {
  const owner = await readImgproxyOwner();
  return answerPicture({ grammar: "imgproxy", path: path.slice(1), headers, owner, findUpload });
}

async function findUpload(accountId: string, id: string) {
  const upload = await findReceivedUpload(accountId, id);
  return upload && { ...locateUpload(upload), filename: upload.filename };
}
