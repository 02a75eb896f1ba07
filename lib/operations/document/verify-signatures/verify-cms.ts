import {
  constants,
  createHash,
  createVerify,
  type KeyObject,
  verify,
  X509Certificate,
} from "node:crypto";
import { rootCertificates } from "node:tls";
import { objectIds } from "#lib/formats/pdf/signatures/der.ts";
import { bytesOf, digestName, oidOf, type ParsedCms, parseDer, partsOf } from "./parse-cms.ts";

/** Checks a signature, and who has issued the certificate of its signer. */

/** Undefined if the signature fits the signed bytes; otherwise what is wrong. */
export function findCmsProblem(cms: ParsedCms, signed: Buffer, format: string): string | undefined {
  const { signer, digestAlgorithm, content, signedAttributes, messageDigest } = cms;
  if (!signer) return "The signature does not contain the certificate of its signer.";
  if (!digestAlgorithm) return "The hash algorithm is not supported.";
  const hash = (bytes: Buffer) => createHash(digestAlgorithm).update(bytes).digest();
  if (format === "ETSI.RFC3161") {
    if (!content || !timestampMatches(content, signed)) return changed;
  } else if (format === "adbe.pkcs7.sha1") {
    if (!content?.equals(createHash("sha1").update(signed).digest())) return changed;
  }
  const covered = content ?? signed;
  if (signedAttributes && !messageDigest?.equals(hash(covered))) return changed;
  const fits = verifySignature(cms, signedAttributes ?? covered, signer.publicKey);
  return fits ? undefined : "The signature was not made with the key of the certificate.";
}

const changed = "The signed bytes have changed since the document was signed.";

function verifySignature(cms: ParsedCms, bytes: Buffer, key: KeyObject): boolean {
  const { signature, digestAlgorithm = "sha256", signatureAlgorithm, parameters } = cms;
  const type = key.asymmetricKeyType;
  try {
    if (type === "ed25519" || type === "ed448") return verify(null, bytes, key, signature);
    if (signatureAlgorithm === objectIds.rsaPss) {
      const hash =
        digestName(oidOf(partsOf(partsOf(partsOf(parameters)[0])[0])[0])) ?? digestAlgorithm;
      const options = { key, padding: constants.RSA_PKCS1_PSS_PADDING };
      return createVerify(hash).update(bytes).verify(options, signature);
    }
    return createVerify(digestAlgorithm).update(bytes).verify(key, signature);
  } catch {
    return false;
  }
}

/** The message imprint of a time stamp (RFC 3161, 2.4.2). */
function timestampMatches(info: Buffer, signed: Buffer): boolean {
  const [, , imprint] = partsOf(parseDer(info));
  const [algorithm, value] = partsOf(imprint);
  const name = digestName(oidOf(partsOf(algorithm)[0]));
  return name !== undefined && bytesOf(value).equals(createHash(name).update(signed).digest());
}

export type Trust = "trusted" | "self_signed" | "unknown_issuer";

const maxChain = 10;

let roots: X509Certificate[] | undefined;

/** Whether a chain of certificates leads to a root of Mozilla's list, which Node contains. */
export function findTrust(signer: X509Certificate, others: readonly X509Certificate[]): Trust {
  roots ??= rootCertificates.map((text) => new X509Certificate(text));
  let current = signer;
  for (let depth = 0; depth < maxChain; depth++) {
    const found = current;
    const isRoot = roots.some((root) => root.raw.equals(found.raw));
    if (isRoot || roots.some((root) => hasIssued(root, found))) return "trusted";
    const issuer = others.find((other) => !other.raw.equals(found.raw) && hasIssued(other, found));
    if (!issuer) break;
    current = issuer;
  }
  const signsItself = signer.issuer === signer.subject && signer.verify(signer.publicKey);
  return signsItself ? "self_signed" : "unknown_issuer";
}

function hasIssued(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

/** Such as `RSA 2048, SHA-256` or `EC prime256v1, SHA-256`. */
export function describeAlgorithm({
  signer,
  digestAlgorithm,
  signatureAlgorithm,
}: ParsedCms): string | null {
  if (!signer) return null;
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = signer.publicKey;
  const padding = signatureAlgorithm === objectIds.rsaPss ? "RSA-PSS" : "RSA";
  const isRsa = type === "rsa" || type === "rsa-pss";
  const key = isRsa
    ? `${padding} ${details?.modulusLength ?? ""}`
    : `${type?.toUpperCase()} ${details?.namedCurve ?? ""}`;
  return `${key.trim()}, ${(digestAlgorithm ?? "unknown hash").replace("sha", "SHA-").replace("SHA-3-", "SHA3-")}`;
}
