import { createHash, sign } from "node:crypto";
import { Null, ObjectIdentifier, OctetString, Sequence } from "asn1js";
import {
  AlgorithmIdentifier,
  Attribute,
  ContentInfo,
  EncapsulatedContentInfo,
  GeneralName,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from "pkijs";
import { decode, decodeAs, decodeValue } from "#lib/formats/pdf/signatures/decode.ts";
import { digestIds, objectIds } from "#lib/formats/pdf/signatures/object-ids.ts";
import type { ParsedCertificate } from "#lib/formats/pdf/signatures/read-certificate.ts";
import type { Signer } from "#lib/formats/pdf/signatures/read-key-store.ts";

/**
 * The detached signature of a PDF at the level PAdES-B-B (ETSI EN 319 142-1): CMS SignedData (RFC 5652)
 * over `digest`, the SHA-256 of the signed bytes. The time of signing is in the PDF, as the level asks.
 */
export function makeCms({ key, certificate, chain }: Signer, digest: Buffer): Buffer {
  const sha256 = new AlgorithmIdentifier({ algorithmId: digestIds.sha256 });
  const attributes = [
    new Attribute({
      type: objectIds.contentType,
      values: [new ObjectIdentifier({ value: objectIds.data })],
    }),
    new Attribute({ type: objectIds.messageDigest, values: [octets(digest)] }),
    new Attribute({
      type: objectIds.signingCertificateV2,
      values: [signingCertificate(certificate)],
    }),
  ];
  const signedAttrs = new SignedAndUnsignedAttributes({ type: 0, attributes: sortSet(attributes) });
  // What is signed is a SET, which is stored with the context tag 0.
  const signed = Buffer.from(signedAttrs.toSchema().toBER());
  signed[0] = 0x31;
  const { issuer, serialNumber } = certificate.fields;
  const signerInfo = new SignerInfo({
    version: 1,
    sid: new IssuerAndSerialNumber({ issuer, serialNumber }),
    digestAlgorithm: sha256,
    signedAttrs,
    signatureAlgorithm:
      key.asymmetricKeyType === "ec"
        ? new AlgorithmIdentifier({ algorithmId: "1.2.840.10045.4.3.2" })
        : new AlgorithmIdentifier({ algorithmId: objectIds.rsa, algorithmParams: new Null() }),
    signature: octets(sign("sha256", signed, key)),
  });
  const signedData = new SignedData({
    version: 1,
    digestAlgorithms: [sha256],
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: objectIds.data }),
    certificates: sortSet([certificate, ...chain].map(({ fields }) => fields)),
    signerInfos: [signerInfo],
  });
  return encode(signedData);
}

/** The signature with a time stamp (RFC 3161) of it, which makes its level PAdES-B-T. */
export function addTimestamp(cms: Buffer, token: Buffer): Buffer {
  const signedData = decodeAs(SignedData, decode(ContentInfo, cms).content);
  const attribute = new Attribute({
    type: objectIds.timestampToken,
    values: [decodeValue(token)],
  });
  for (const signerInfo of signedData.signerInfos) {
    signerInfo.unsignedAttrs = new SignedAndUnsignedAttributes({
      type: 1,
      attributes: [attribute],
    });
  }
  return encode(signedData);
}

/** The encoding as a whole value of CMS. */
function encode(signedData: SignedData): Buffer {
  const content = signedData.toSchema();
  const info = new ContentInfo({ contentType: objectIds.signedData, content });
  return Buffer.from(info.toSchema().toBER());
}

const octets = (bytes: Uint8Array) => new OctetString({ valueHex: Uint8Array.from(bytes).buffer });

interface Encodable {
  toSchema(): { toBER(): ArrayBuffer };
}

/** The elements of a set are in the order of their encoding (ITU-T X.690, 11.6). */
function sortSet<Item extends Encodable>(items: readonly Item[]): Item[] {
  const encoded = (item: Item) => Buffer.from(item.toSchema().toBER());
  return items.toSorted((left, right) => Buffer.compare(encoded(left), encoded(right)));
}

/** SigningCertificateV2 (RFC 5035) with the hash of the certificate, its issuer and serial number. */
function signingCertificate({ node, fields: { issuer, serialNumber } }: ParsedCertificate) {
  const hash = octets(createHash("sha256").update(node.raw).digest());
  const name = new GeneralName({ type: 4, value: issuer }).toSchema();
  const identifier = new Sequence({ value: [new Sequence({ value: [name] }), serialNumber] });
  const signer = new Sequence({ value: [hash, identifier] });
  return new Sequence({ value: [new Sequence({ value: [signer] })] });
}
