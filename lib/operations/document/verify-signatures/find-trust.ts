import { X509Certificate } from "node:crypto";
import { rootCertificates } from "node:tls";
import {
  isOpensslError,
  type ParsedCertificate,
  publicKeyOf,
  readCertificate,
} from "#lib/formats/pdf/signatures/read-certificate.ts";
import { findPathProblem, type Purpose } from "./check-path.ts";

/** Decides whether a certificate is trusted. Revocation is not checked. */

export type Trust = "trusted" | "self_signed" | "unknown_issuer" | "invalid_certificate";

export interface FoundTrust {
  readonly trust: Trust;
  /** Why a known authority's certificate is not trusted. */
  readonly problem: string | null;
}

export interface TrustQuestion {
  readonly signer: ParsedCertificate;
  /** Certificates of the signature, which may be authorities between the signer and a root. */
  readonly others: readonly ParsedCertificate[];
  /** Encoded certificates of the authorities that the operator trusts, in addition to Mozilla's. */
  readonly roots: readonly string[];
  readonly purpose: Purpose;
  /** All certificates must be valid at each of these times. */
  readonly times: readonly Date[];
}

const maxPathLength = 10;

/** Signatures of certificates that are checked for one signer: a file may have any number of them. */
const maxChecks = 200;

/** The trust in a signer, by the best of the paths to roots. */
export async function findTrust(question: TrustQuestion): Promise<FoundTrust> {
  const { signer, purpose, times } = question;
  let problem: string | null = null;
  for (const path of findPaths(question)) {
    const found = await findPathProblem(path, purpose, times);
    if (found === undefined) return { trust: "trusted", problem: null };
    problem ??= found;
  }
  if (problem !== null) return { trust: "invalid_certificate", problem };
  return { trust: isSelfSigned(signer) ? "self_signed" : "unknown_issuer", problem: null };
}

/** The paths from the signer to a root, each of certificates that the next one has signed. */
function* findPaths(question: TrustQuestion): Generator<readonly ParsedCertificate[]> {
  const roots = readRoots(question.roots);
  let checks = 0;
  const waiting: (readonly ParsedCertificate[])[] = [[question.signer]];
  for (let path = waiting.pop(); path; path = waiting.pop()) {
    const last = path.at(-1);
    if (!last) continue;
    if (roots.some((root) => root.node.raw.equals(last.node.raw))) {
      yield path;
      continue;
    }
    if (path.length === maxPathLength) continue;
    const isNew = ({ node }: ParsedCertificate) =>
      !path.some((used) => used.node.raw.equals(node.raw));
    // Roots are last, so that their paths, which end there, are the first that are tried.
    for (const issuer of [...question.others, ...roots].filter(isNew)) {
      if (!last.node.checkIssued(issuer.node)) continue;
      checks += 1;
      if (checks > maxChecks) return;
      if (isSignedBy(last, issuer)) waiting.push([...path, issuer]);
    }
  }
}

const isSelfSigned = (signer: ParsedCertificate) =>
  signer.node.issuer === signer.node.subject && isSignedBy(signer, signer);

function isSignedBy({ node }: ParsedCertificate, issuer: ParsedCertificate): boolean {
  const key = publicKeyOf(issuer);
  try {
    return key !== undefined && node.verify(key);
  } catch (error) {
    if (isOpensslError(error)) return false;
    throw error;
  }
}

let mozillaRoots: readonly ParsedCertificate[] | undefined;

function readRoots(additional: readonly string[]): readonly ParsedCertificate[] {
  mozillaRoots ??= rootCertificates.flatMap(readPem);
  return [...additional.flatMap(readPem), ...mozillaRoots];
}

function readPem(text: string): ParsedCertificate[] {
  const certificate = readCertificate(new X509Certificate(text).raw);
  return certificate ? [certificate] : [];
}
