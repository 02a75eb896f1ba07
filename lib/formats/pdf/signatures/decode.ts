import { type AsnType, fromBER } from "asn1js";
import { DamagedDataError, exceedsProgramLimits, isThrownIn } from "#lib/media/damaged-data.ts";

/** Decodes ASN.1 (ITU-T X.690) into the structures of pkijs, in a worker. */

/**
 * A number of nodes that is enough for signatures that contain long revocation lists, of which each
 * entry has four.
 */
const maxNodes = 2_000_000;

/** Decodes a value. Throws `DamagedDataError`. Padding may follow the value. */
export function decodeValue(bytes: Uint8Array): AsnType {
  const { offset, result } = reportDamage(() => fromBER(bytes, { maxNodes }));
  if (offset === -1) throw new DamagedDataError(`no ASN.1: ${result.error}`);
  return result;
}

/** Throws `DamagedDataError` if the bytes are not a structure of this kind. */
export function decode<Structure>(
  Kind: new (parameters: { schema: unknown }) => Structure,
  bytes: Uint8Array,
): Structure {
  return decodeAs(Kind, decodeValue(bytes));
}

/** Throws `DamagedDataError` if the value is not a structure of this kind. */
export function decodeAs<Structure>(
  Kind: new (parameters: { schema: unknown }) => Structure,
  schema: unknown,
): Structure {
  return reportDamage(() => new Kind({ schema }));
}

/**
 * The packages throw errors of no class of their own, and call methods that a value of another type lacks.
 * What they throw themselves while they read is about the file.
 */
function reportDamage<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    const isOfPackage = ["pkijs", "asn1js", "@peculiar/utils"].some((name) =>
      isThrownIn(cause, name),
    );
    if (!isOfPackage && !exceedsProgramLimits(cause)) throw cause;
    throw new DamagedDataError("the structure is not valid", { cause });
  }
}
