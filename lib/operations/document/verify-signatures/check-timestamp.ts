import { nameOf } from "#lib/formats/pdf/signatures/read-certificate.ts";
import type { Cms } from "#lib/formats/pdf/signatures/read-cms.ts";
import {
  findTimestampProblem,
  readTimestamp,
  type Timestamp,
} from "#lib/formats/pdf/signatures/read-timestamp.ts";
import { isDamagedData } from "#lib/media/damaged-data.ts";
import { findTrust } from "./find-trust.ts";
import type { SignatureResult } from "./result.ts";

/** Checks the time stamp of a signature, which proves that the signature existed at its time. */
export async function checkTimestamp(
  signature: Cms,
  token: Buffer,
  roots: readonly string[],
): Promise<NonNullable<SignatureResult["timestamp"]>> {
  const { timestamp, problem } = readAndCheck(token, signature.signature);
  const signer = timestamp?.cms.signer;
  const found = signer && {
    signer,
    others: [...timestamp.cms.certificates, ...signature.certificates],
    roots,
    purpose: "timestamp" as const,
    times: [timestamp.time],
  };
  const result = found && problem === undefined ? await findTrust(found) : undefined;
  return {
    time: timestamp?.time.toISOString() ?? null,
    authority: signer ? nameOf(signer.node.subject) : null,
    valid: problem === undefined,
    problem: problem ?? null,
    trust: result?.trust ?? null,
    trust_problem: result?.problem ?? null,
  };
}

interface ReadToken {
  readonly timestamp?: Timestamp;
  readonly problem: string | undefined;
}

function readAndCheck(token: Buffer, signature: Buffer): ReadToken {
  try {
    const timestamp = readTimestamp(token);
    return { timestamp, problem: findTimestampProblem(timestamp, signature) };
  } catch (error) {
    if (!isDamagedData(error)) throw error;
    return { problem: "The time stamp has a format that is not supported, or is damaged." };
  }
}
