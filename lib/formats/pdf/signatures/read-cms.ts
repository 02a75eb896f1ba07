import { type AsnType, Constructed, GeneralizedTime, OctetString, Sequence, UTCTime } from "asn1js";
import {
  type AlgorithmIdentifier,
  type Attribute,
  type Certificate,
  ContentInfo,
  IssuerAndSerialNumber,
  SignedData,
  type SignerInfo,
} from "pkijs";
import { DamagedDataError } from "#lib/media/damaged-data.ts";
import { decode, decodeAs } from "./decode.ts";
import { digestName, objectIds } from "./object-ids.ts";
import { type ParsedCertificate, readCertificate } from "./read-certificate.ts";

/** Reads CMS SignedData (RFC 5652) of a PDF or of a time stamp, in a worker. */

export interface Cms {
  readonly certificates: readonly ParsedCertificate[];
  readonly signer: ParsedCertificate | undefined;
  /** A name of Node, such as `sha256`; undefined if it is not supported. */
  readonly digestAlgorithm: string | undefined;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Buffer;
  /** The bytes that the signature covers; undefined if it covers the content itself. */
  readonly signedAttributes: Buffer | undefined;
  readonly messageDigest: Buffer | undefined;
  /** The type of the content that the signed attributes name. */
  readonly signedContentType: string | undefined;
  readonly contentType: string;
  /** Content in the structure itself. */
  readonly content: Buffer | undefined;
  /** The time of the attribute signingTime, in ISO 8601. */
  readonly signingTime: string | undefined;
  /** The hash of the signer's certificate in the signed attributes. */
  readonly certificateHash: CertificateHash | undefined;
  /** An encoded time stamp of the signature (RFC 3161). */
  readonly timestamp: Buffer | undefined;
}

export interface CertificateHash {
  /** A name of Node; undefined if it is not supported. */
  readonly algorithm: string | undefined;
  readonly value: Buffer;
}

/** Throws `DamagedDataError` if the structure is not SignedData with exactly one signer. */
export function readCms(bytes: Uint8Array): Cms {
  const { contentType, content } = decode(ContentInfo, bytes);
  if (contentType !== objectIds.signedData) throw new DamagedDataError("no SignedData");
  const certificates = readCertificates(content);
  const signedData = decodeAs(SignedData, content);
  const [info, ...others] = signedData.signerInfos;
  if (!info || others.length > 0) throw new DamagedDataError("not exactly one signer");
  const { eContentType, eContent } = signedData.encapContentInfo;
  const signed = findAttribute(info.signedAttrs?.attributes);
  const unsigned = findAttribute(info.unsignedAttrs?.attributes);
  const digest = signed(objectIds.messageDigest);
  const time = signed(objectIds.signingTime);
  const timestamp = unsigned(objectIds.timestampToken);
  return {
    certificates,
    signer: findSigner(certificates, info),
    digestAlgorithm: digestName(info.digestAlgorithm.algorithmId),
    signatureAlgorithm: info.signatureAlgorithm,
    signature: Buffer.from(info.signature.getValue()),
    signedAttributes: info.signedAttrs && Buffer.from(info.signedAttrs.encodedValue),
    messageDigest: digest instanceof OctetString ? Buffer.from(digest.getValue()) : undefined,
    signedContentType: signed(objectIds.contentType)?.valueBlock.toString(),
    contentType: eContentType,
    content: readContent(eContent),
    signingTime:
      time instanceof UTCTime || time instanceof GeneralizedTime ? dateOf(time) : undefined,
    certificateHash: readCertificateHash(
      signed(objectIds.signingCertificateV2) ?? signed(objectIds.signingCertificate),
      signed(objectIds.signingCertificateV2) ? "sha256" : "sha1",
    ),
    timestamp: timestamp && Buffer.from(timestamp.valueBeforeDecodeView),
  };
}

/** The type of pkijs promises an octet string, but its schema allows any value. */
function readContent(value: unknown): Buffer | undefined {
  if (value === undefined) return undefined;
  if (!(value instanceof OctetString)) throw new DamagedDataError("the content has no bytes");
  return Buffer.from(value.getValue());
}

/** The first value of an attribute that occurs once, as RFC 5652 asks for all that are read here. */
function findAttribute(attributes: readonly Attribute[] = []) {
  return (id: string): AsnType | undefined => {
    const [found, ...others] = attributes.filter(({ type }) => type === id);
    if (others.length > 0) throw new DamagedDataError(`the attribute ${id} occurs twice`);
    return found?.values[0];
  };
}

/** The structure also contains certificates of other kinds, which are left out. */
function readCertificates(signedData: unknown): ParsedCertificate[] {
  const set = childrenOf(signedData).find(
    ({ idBlock: { tagClass, tagNumber } }) => tagClass === 3 && tagNumber === 0,
  );
  return childrenOf(set).flatMap((item) =>
    item instanceof Sequence ? (readCertificate(item.valueBeforeDecodeView) ?? []) : [],
  );
}

function childrenOf(value: unknown): readonly AsnType[] {
  // A value of the type that asn1js cannot express: every constructed value has items.
  return value instanceof Constructed ? (value.valueBlock.value as AsnType[]) : [];
}

function findSigner(
  certificates: readonly ParsedCertificate[],
  { sid }: SignerInfo,
): ParsedCertificate | undefined {
  if (sid instanceof IssuerAndSerialNumber) {
    return certificates.find(
      ({ fields }) =>
        fields.serialNumber.isEqual(sid.serialNumber) && fields.issuer.isEqual(sid.issuer),
    );
  }
  const wanted = Buffer.from(sid.valueBlock.valueHexView ?? []);
  return certificates.find(({ fields }) => keyIdentifier(fields)?.equals(wanted));
}

function keyIdentifier({ extensions }: Certificate): Buffer | undefined {
  const value = extensions?.find(({ extnID }) => extnID === "2.5.29.14")?.parsedValue;
  return value instanceof OctetString ? Buffer.from(value.getValue()) : undefined;
}

/** SigningCertificate (RFC 2634) and SigningCertificateV2 (RFC 5035), whose first item is the signer. */
function readCertificateHash(
  attribute: AsnType | undefined,
  defaultAlgorithm: string,
): CertificateHash | undefined {
  if (!attribute) return undefined;
  const [first, second] = childrenOf(childrenOf(childrenOf(attribute)[0])[0]);
  const [value, algorithm] =
    first instanceof OctetString
      ? [first, defaultAlgorithm]
      : [second, digestName(childrenOf(first)[0]?.valueBlock.toString() ?? "")];
  if (!(value instanceof OctetString)) throw new DamagedDataError("no hash of the certificate");
  return { algorithm, value: Buffer.from(value.getValue()) };
}

function dateOf(time: UTCTime | GeneralizedTime): string | undefined {
  const date = time.toDate();
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
