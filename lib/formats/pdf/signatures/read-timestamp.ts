import { createHash } from "node:crypto";
import { TSTInfo } from "pkijs";
import { DamagedDataError } from "#lib/media/damaged-data.ts";
import { checkCms } from "./check-cms.ts";
import { decode } from "./decode.ts";
import { digestName, objectIds } from "./object-ids.ts";
import { type Cms, readCms } from "./read-cms.ts";

/** Reads time stamps (RFC 3161), in a worker. */

export interface Timestamp {
  readonly cms: Cms;
  /** The encoded statement, which `cms` signs. */
  readonly content: Buffer;
  readonly time: Date;
  /** The hash of the bytes that existed at this time. */
  readonly imprint: { readonly algorithm: string | undefined; readonly value: Buffer };
  /** The number of the request. */
  readonly nonce: Buffer | undefined;
}

/** Reads a time stamp. Throws `DamagedDataError`. */
export function readTimestamp(token: Uint8Array): Timestamp {
  return timestampOf(readCms(token));
}

/** The time stamp in SignedData. Throws `DamagedDataError` if it contains none. */
export function timestampOf(cms: Cms): Timestamp {
  if (cms.contentType !== objectIds.timestampInfo || !cms.content) {
    throw new DamagedDataError("no time stamp");
  }
  const { genTime, messageImprint, nonce } = decode(TSTInfo, cms.content);
  if (Number.isNaN(genTime.getTime())) throw new DamagedDataError("no time");
  return {
    cms,
    content: cms.content,
    time: genTime,
    imprint: {
      algorithm: digestName(messageImprint.hashAlgorithm.algorithmId),
      value: Buffer.from(messageImprint.hashedMessage.getValue()),
    },
    nonce: nonce && Buffer.from(nonce.valueBlock.valueHexView),
  };
}

/** Whether the time stamp is of these bytes. */
export function isTimestampOf(
  { imprint: { algorithm, value } }: Timestamp,
  bytes: Buffer,
): boolean {
  return algorithm !== undefined && value.equals(createHash(algorithm).update(bytes).digest());
}

/**
 * Returns undefined if the time stamp is of these bytes and its signature is valid; otherwise what
 * is wrong.
 */
export function findTimestampProblem(timestamp: Timestamp, bytes: Buffer): string | undefined {
  if (!isTimestampOf(timestamp, bytes)) return "The time stamp is that of another signature.";
  const problem = checkCms(timestamp.cms, timestamp.content);
  return problem && "The signature of the time stamp is not valid.";
}
