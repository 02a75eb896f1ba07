import { createHash } from "node:crypto";
import { Integer, ObjectIdentifier, OctetString } from "asn1js";
import {
  AlgorithmIdentifier,
  Attribute,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  MessageImprint,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
  TSTInfo,
} from "pkijs";
import { digestIds, objectIds } from "#lib/formats/pdf/signatures/object-ids.ts";
import type { Issued } from "./certificates.ts";

const octets = (bytes: Uint8Array) => new OctetString({ valueHex: Uint8Array.from(bytes).buffer });

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();

/** A time stamp (RFC 3161) of a signature at any time, which `openssl ts` cannot make. */
export async function makeTimestampToken(
  { certificate, keys }: Issued,
  signature: Buffer,
  time: Date,
): Promise<Buffer> {
  const info = new TSTInfo({
    version: 1,
    policy: "1.2.3.4.1",
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: digestIds.sha256 }),
      hashedMessage: octets(sha256(signature)),
    }),
    serialNumber: new Integer({ value: 1 }),
    genTime: time,
  });
  const content = Buffer.from(info.toSchema().toBER());
  const { issuer, serialNumber } = certificate;
  const attributes = [
    new Attribute({
      type: objectIds.contentType,
      values: [new ObjectIdentifier({ value: objectIds.timestampInfo })],
    }),
    new Attribute({ type: objectIds.messageDigest, values: [octets(sha256(content))] }),
  ];
  const signedData = new SignedData({
    version: 3,
    encapContentInfo: new EncapsulatedContentInfo({
      eContentType: objectIds.timestampInfo,
      eContent: octets(content),
    }),
    certificates: [certificate],
    signerInfos: [
      new SignerInfo({
        version: 1,
        sid: new IssuerAndSerialNumber({ issuer, serialNumber }),
        signedAttrs: new SignedAndUnsignedAttributes({ type: 0, attributes }),
      }),
    ],
  });
  await signedData.sign(keys.privateKey, 0, "SHA-256");
  const token = new ContentInfo({
    contentType: objectIds.signedData,
    content: signedData.toSchema(true),
  });
  return Buffer.from(token.toSchema().toBER());
}
