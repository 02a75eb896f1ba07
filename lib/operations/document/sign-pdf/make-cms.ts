import { createHash, sign, type X509Certificate } from "node:crypto";
import forge from "node-forge";
import {
  explicit,
  integer,
  nothing,
  objectId,
  objectIds,
  octets,
  retag,
  sequence,
  setOf,
} from "#lib/formats/pdf/signatures/der.ts";
import type { Signer } from "#lib/formats/pdf/signatures/read-key-store.ts";

/**
 * The detached signature of a PDF at the level PAdES-B-B (ETSI EN 319 142-1): CMS SignedData (RFC 5652)
 * over `digest`, the SHA-256 of the signed bytes. The time of signing is in the PDF, as the level asks.
 */
export function makeCms({ key, certificate, chain }: Signer, digest: Buffer): Buffer {
  const sha256 = sequence(objectId(objectIds.sha256));
  const attribute = (type: string, value: Buffer) => sequence(objectId(type), setOf(value));
  const attributes = setOf(
    attribute(objectIds.contentType, objectId(objectIds.data)),
    attribute(objectIds.messageDigest, octets(digest)),
    attribute(objectIds.signingCertificateV2, signingCertificate(certificate)),
  );
  const algorithm =
    key.asymmetricKeyType === "ec"
      ? sequence(objectId(objectIds.ecdsaSha256))
      : sequence(objectId(objectIds.rsa), nothing());
  const { issuer, serial } = readIdentity(certificate);
  const signerInfo = sequence(
    integer(1),
    sequence(issuer, serial),
    sha256,
    retag(attributes, 0xa0),
    algorithm,
    octets(sign("sha256", attributes, key)),
  );
  const certificates = setOf(...[certificate, ...chain].map(({ raw }) => raw));
  const signedData = sequence(
    integer(1),
    setOf(sha256),
    sequence(objectId(objectIds.data)),
    retag(certificates, 0xa0),
    setOf(signerInfo),
  );
  return sequence(objectId(objectIds.signedData), explicit(0, signedData));
}

/** SigningCertificateV2 (RFC 5035) with the hash of the certificate, its issuer and serial number. */
function signingCertificate(certificate: X509Certificate): Buffer {
  const hash = createHash("sha256").update(certificate.raw).digest();
  const { issuer, serial } = readIdentity(certificate);
  // A GeneralName of the kind directoryName has the tag 4.
  const identifier = sequence(sequence(explicit(4, issuer)), serial);
  return sequence(sequence(sequence(octets(hash), identifier)));
}

/** The encoded issuer and serial number of a certificate (RFC 5280, 4.1). */
export function readIdentity(certificate: X509Certificate): { issuer: Buffer; serial: Buffer } {
  const body = partsOf(forge.asn1.fromDer(certificate.raw.toString("latin1")))[0];
  const fields = body ? partsOf(body) : [];
  // The version is optional and has a context tag.
  const start = fields[0]?.tagClass === forge.asn1.Class.CONTEXT_SPECIFIC ? 1 : 0;
  const [serial, issuer] = [fields[start], fields[start + 2]];
  if (!serial || !issuer) throw new Error("the certificate has no issuer");
  return { issuer: encode(issuer), serial: encode(serial) };
}

const partsOf = ({ value }: forge.asn1.Asn1) => (Array.isArray(value) ? value : []);

const encode = (object: forge.asn1.Asn1) =>
  Buffer.from(forge.asn1.toDer(object).getBytes(), "latin1");
