import { createHash } from "node:crypto";
import { Integer, OctetString, Sequence } from "asn1js";
import { AlgorithmIdentifier, MessageImprint, TimeStampReq, TimeStampResp } from "pkijs";
import { decodeAs, decodeValue } from "#lib/formats/pdf/signatures/decode.ts";
import { digestIds } from "#lib/formats/pdf/signatures/object-ids.ts";
import { findTimestampProblem, readTimestamp } from "#lib/formats/pdf/signatures/read-timestamp.ts";

/** Messages of the Time-Stamp Protocol (RFC 3161), in a worker. */

/** The request for a time stamp of `signature`. `nonce` must return in the response. */
export function makeTimestampRequest(signature: Buffer, nonce: Buffer): Buffer {
  const digest = createHash("sha256").update(signature).digest();
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: digestIds.sha256 }),
      hashedMessage: new OctetString({ valueHex: Uint8Array.from(digest).buffer }),
    }),
    nonce: new Integer({ valueHex: Uint8Array.from(nonce).buffer }),
    certReq: true,
  });
  return Buffer.from(request.toSchema().toBER());
}

/**
 * The time stamp in a response. Throws `Error` if the server rejected the request, or if the time stamp is
 * not that of the signature, which is never the caller's fault.
 */
export function readTimestampResponse(response: Buffer, signature: Buffer, nonce: Buffer): Buffer {
  const value = decodeValue(response);
  const { status } = decodeAs(TimeStampResp, value).status;
  // granted and grantedWithMods (RFC 3161, 2.4.2).
  if (status !== 0 && status !== 1) throw new Error(`the time stamp server sent status ${status}`);
  const token = value instanceof Sequence ? value.valueBlock.value[1] : undefined;
  if (!token) throw new Error("the time stamp server sent no time stamp");
  const bytes = Buffer.from(token.valueBeforeDecodeView);
  const timestamp = readTimestamp(bytes);
  const problem = findTimestampProblem(timestamp, signature);
  if (problem !== undefined) throw new Error(`the time stamp server: ${problem}`);
  if (!timestamp.nonce?.equals(nonce)) throw new Error("the time stamp is of another request");
  return bytes;
}
