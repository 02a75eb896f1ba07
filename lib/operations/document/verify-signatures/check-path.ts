import { BitString } from "asn1js";
import {
  BasicConstraints,
  type Certificate,
  CertificateChainValidationEngine,
  ExtKeyUsage,
} from "pkijs";

import {
  nameOf,
  type ParsedCertificate,
  readExtension,
} from "#lib/formats/pdf/signatures/read-certificate.ts";
import { isThrownIn } from "#lib/media/damaged-data.ts";

/** Checks a path of certificates from a signer to a root (RFC 5280, 6). */

export type Purpose = "document" | "timestamp";

type Path = readonly ParsedCertificate[];

const extensions = {
  keyUsage: "2.5.29.15",
  basicConstraints: "2.5.29.19",
  extendedKeyUsage: "2.5.29.37",
} as const;

/**
 * Extended key usages that allow a certificate to be used for a purpose. A document may be signed with
 * certificates for documents (RFC 9336, Adobe, Microsoft) and for mail.
 */
const usages: Readonly<Record<Purpose, ReadonlySet<string>>> = {
  document: new Set([
    "1.3.6.1.5.5.7.3.36",
    "1.2.840.113583.1.1.5",
    "1.3.6.1.4.1.311.10.3.12",
    "1.3.6.1.5.5.7.3.4",
    "2.5.29.37.0",
  ]),
  timestamp: new Set(["1.3.6.1.5.5.7.3.8"]),
};

/** Critical extensions that are checked here or by pkijs, or that limit nothing that is checked. */
const knownExtensions: ReadonlySet<string> = new Set([
  ...Object.values(extensions),
  // Alternative names, name constraints, and policies with their mappings and constraints.
  "2.5.29.17",
  "2.5.29.18",
  "2.5.29.30",
  "2.5.29.32",
  "2.5.29.33",
  "2.5.29.36",
  "2.5.29.54",
  // Qualified certificates (RFC 3739) state what they are.
  "1.3.6.1.5.5.7.1.3",
]);

/** Signatures with MD5 and SHA-1, of which two certificates can have the same. */
const weakAlgorithms: ReadonlySet<string> = new Set([
  "1.2.840.113549.1.1.2",
  "1.2.840.113549.1.1.4",
  "1.2.840.113549.1.1.5",
  "1.3.14.3.2.29",
  "1.2.840.10045.4.1",
  "1.2.840.10040.4.3",
]);

/**
 * Returns undefined if the path is valid; otherwise what is wrong. The signatures have been checked
 * already.
 */
export async function findPathProblem(
  path: Path,
  purpose: Purpose,
  times: readonly Date[],
): Promise<string | undefined> {
  const [signer, ...authorities] = path;
  if (!signer) throw new Error("the path is empty");
  return (
    findDateProblem(path, times) ??
    findUsageProblem(signer, purpose) ??
    findAuthorityProblem(authorities, purpose) ??
    findExtensionProblem(path) ??
    (await findConstraintProblem(path, times))
  );
}

const titleOf = ({ node }: ParsedCertificate) => `The certificate of ${nameOf(node.subject)}`;

function findDateProblem(path: Path, times: readonly Date[]): string | undefined {
  const day = (date: Date) => date.toISOString().slice(0, 10);
  for (const certificate of path) {
    const { validFromDate: from, validToDate: to } = certificate.node;
    for (const time of times) {
      if (time > to) return `${titleOf(certificate)} expired on ${day(to)}.`;
      if (time < from) return `${titleOf(certificate)} is valid only from ${day(from)}.`;
    }
  }
  return undefined;
}

/** Bits of the extension keyUsage (RFC 5280, 4.2.1.3), counted from the first. */
const keyUsages = { digitalSignature: 0, nonRepudiation: 1, keyCertSign: 5 } as const;

/** Whether the key may be used so. Without the extension, it may be used for everything. */
function allows(certificate: ParsedCertificate, ...names: (keyof typeof keyUsages)[]): boolean {
  const bits = readExtension(certificate, extensions.keyUsage, BitString)?.valueBlock.valueHexView;
  return !bits || names.some((name) => ((bits[0] ?? 0) & (0x80 >> keyUsages[name])) !== 0);
}

function findUsageProblem(signer: ParsedCertificate, purpose: Purpose): string | undefined {
  if (!allows(signer, "digitalSignature", "nonRepudiation")) {
    return `${titleOf(signer)} is not for signatures.`;
  }
  const usage = readExtension(signer, extensions.extendedKeyUsage, ExtKeyUsage);
  // RFC 3161, 2.3: the extension is required, and has no other purpose.
  const isForTime = usage?.keyPurposes.length === 1 && serves(signer, "timestamp");
  if (purpose === "timestamp" && !isForTime) return `${titleOf(signer)} is not for time stamps.`;
  if (serves(signer, purpose)) return undefined;
  return `${titleOf(signer)} is not for signing documents, but for something else, such as a web server.`;
}

function serves(certificate: ParsedCertificate, purpose: Purpose): boolean {
  const usage = readExtension(certificate, extensions.extendedKeyUsage, ExtKeyUsage);
  return !usage || usage.keyPurposes.some((id) => usages[purpose].has(id));
}

/** The root, which is last, is trusted for all purposes. */
function findAuthorityProblem(authorities: Path, purpose: Purpose): string | undefined {
  for (const [index, authority] of authorities.entries()) {
    const constraints = readExtension(authority, extensions.basicConstraints, BasicConstraints);
    const isRoot = index === authorities.length - 1;
    // The first roots were issued before certificates had extensions.
    const isAuthority = constraints ? constraints.cA : isRoot && authority.fields.version < 2;
    if (!isAuthority || !allows(authority, "keyCertSign")) {
      return `${titleOf(authority)} is not that of a certification authority.`;
    }
    const { pathLenConstraint: limit } = constraints ?? {};
    const between = authorities
      .slice(0, index)
      .filter(({ node: { subject, issuer } }) => subject !== issuer).length;
    if (limit !== undefined && !(typeof limit === "number" && between <= limit)) {
      return `${titleOf(authority)} allows fewer authorities below it.`;
    }
    if (!isRoot && !serves(authority, purpose) && !servesAny(authority)) {
      return `${titleOf(authority)} does not allow certificates for this purpose.`;
    }
  }
  return undefined;
}

/** anyExtendedKeyUsage, which does not make a certificate one for time stamps, but its authority. */
const servesAny = (authority: ParsedCertificate) =>
  readExtension(authority, extensions.extendedKeyUsage, ExtKeyUsage)?.keyPurposes.includes(
    "2.5.29.37.0",
  ) ?? true;

function findExtensionProblem(path: Path): string | undefined {
  for (const [index, certificate] of path.entries()) {
    const { extensions: found = [], signatureAlgorithm } = certificate.fields;
    if (index < path.length - 1 && weakAlgorithms.has(signatureAlgorithm.algorithmId)) {
      return `${titleOf(certificate)} was signed with an algorithm that is no longer secure.`;
    }
    const isRead = ({ extnID, critical, parsedValue }: (typeof found)[number]) => {
      if (!knownExtensions.has(extnID)) return !critical;
      if (extnID === extensions.keyUsage && !(parsedValue instanceof BitString)) return false;
      return parsedValue !== undefined && !("parsingError" in parsedValue);
    };
    const isUnique = new Set(found.map(({ extnID }) => extnID)).size === found.length;
    if (!isUnique || !found.every(isRead)) {
      return `${titleOf(certificate)} has extensions that are not supported.`;
    }
  }
  return undefined;
}

/** Name constraints and policies, by pkijs. It gets one path, and does not search others. */
async function findConstraintProblem(
  path: Path,
  times: readonly Date[],
): Promise<string | undefined> {
  const fields = path.map((certificate) => certificate.fields);
  const root = fields.at(-1);
  const [checkDate] = times;
  // A signer who is a root has no issuer.
  if (!root || !checkDate || fields.length === 1) return undefined;
  const engine = new CertificateChainValidationEngine({
    trustedCerts: [root],
    certs: fields.slice(0, -1).reverse(),
    checkDate,
    findIssuer: async (certificate: Certificate) => {
      const issuer = fields[fields.indexOf(certificate) + 1];
      return issuer ? [issuer] : [];
    },
  });
  const { result, error } = await engine.verify();
  // It reports every error so. One of its own is about values that it did not expect.
  if (error && !isThrownIn(error, "pkijs")) throw error;
  return result ? undefined : "The certificates do not allow each other by their constraints.";
}
