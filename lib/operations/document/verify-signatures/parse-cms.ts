import { X509Certificate } from "node:crypto";
import forge from "node-forge";
import { objectIds } from "#lib/formats/pdf/signatures/der.ts";

/** Parses CMS SignedData (RFC 5652) of a PDF. */

export interface ParsedCms {
  readonly certificates: readonly X509Certificate[];
  readonly signer: X509Certificate | undefined;
  /** Names of Node, such as `sha256`. */
  readonly digestAlgorithm: string | undefined;
  readonly signatureAlgorithm: string;
  /** The encoded parameters of the signature algorithm. */
  readonly parameters: forge.asn1.Asn1 | undefined;
  readonly signature: Buffer;
  /** The bytes that the signature covers; undefined if it covers the content itself. */
  readonly signedAttributes: Buffer | undefined;
  readonly messageDigest: Buffer | undefined;
  /** Of the attribute signingTime, ISO 8601. */
  readonly signingTime: string | undefined;
  /** Whether the certificate of the signer is among what is signed. */
  readonly bindsCertificate: boolean;
  /** Content in the structure itself. */
  readonly content: Buffer | undefined;
  readonly hasTimestamp: boolean;
}

type Node = forge.asn1.Asn1;

const digestNames: Readonly<Record<string, string>> = {
  "1.3.14.3.2.26": "sha1",
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
  "2.16.840.1.101.3.4.2.4": "sha224",
  "2.16.840.1.101.3.4.2.8": "sha3-256",
  "2.16.840.1.101.3.4.2.10": "sha3-512",
};

export const digestName = (id: string): string | undefined => digestNames[id];

/** The elements of a structure; none of a primitive value. */
export const partsOf = (node: Node | undefined): Node[] =>
  node && Array.isArray(node.value) ? node.value : [];

export const encodeNode = (node: Node): Buffer =>
  Buffer.from(forge.asn1.toDer(node).getBytes(), "latin1");

/** The text or bytes of a primitive value, one character for each byte. */
const textOf = (node: Node | undefined) => (typeof node?.value === "string" ? node.value : "");

export function oidOf(node: Node | undefined): string {
  const value = textOf(node);
  return value === "" ? "" : forge.asn1.derToOid(value);
}

/** The bytes of an octet string, which may be in parts. */
export function bytesOf(node: Node | undefined): Buffer {
  if (!node) return Buffer.alloc(0);
  if (typeof node.value === "string") return Buffer.from(node.value, "latin1");
  return Buffer.concat(partsOf(node).map(bytesOf));
}

const isContext = (node: Node | undefined, tag: number) =>
  node?.tagClass === forge.asn1.Class.CONTEXT_SPECIFIC && Number(node.type) === tag;

/** Parses one value, which padding may follow. */
export function parseDer(bytes: Buffer): Node {
  const options = { parseAllBytes: false, decodeBitStrings: false, strict: false };
  return forge.asn1.fromDer(
    forge.util.createBuffer(bytes.toString("latin1")),
    options as unknown as boolean,
  );
}

/** Throws any error if the structure is not SignedData with one signer. */
export function parseCms(bytes: Buffer): ParsedCms {
  const [type, wrapped] = partsOf(parseDer(bytes));
  if (oidOf(type) !== objectIds.signedData) throw new Error("no SignedData");
  const signedData = partsOf(partsOf(wrapped)[0]);
  const [, , contentInfo] = signedData;
  const certificates = partsOf(signedData.find((node) => isContext(node, 0))).flatMap(
    readCertificate,
  );
  const signerInfo = partsOf(partsOf(signedData.at(-1))[0]);
  const [, identifier, digestId] = signerInfo;
  const attributes = signerInfo.find((node) => isContext(node, 0));
  const at = attributes ? 4 : 3;
  const [algorithm, signature] = [partsOf(signerInfo[at]), signerInfo[at + 1]];
  const attribute = (id: string) => {
    const found = partsOf(attributes).find((node) => oidOf(partsOf(node)[0]) === id);
    return partsOf(partsOf(found)[1])[0];
  };
  const digest = attribute(objectIds.messageDigest);
  const content = partsOf(partsOf(contentInfo)[1])[0];
  const unsigned = partsOf(signerInfo.find((node) => isContext(node, 1)));
  const binding = [objectIds.signingCertificate, objectIds.signingCertificateV2].some(attribute);
  return {
    certificates,
    signer: findSigner(certificates, identifier),
    digestAlgorithm: digestName(oidOf(partsOf(digestId)[0])),
    ...{ signatureAlgorithm: oidOf(algorithm[0]), parameters: algorithm[1] },
    signature: bytesOf(signature),
    signedAttributes: attributes && asSet(attributes),
    messageDigest: digest && bytesOf(digest),
    signingTime: readTime(attribute(objectIds.signingTime)),
    ...{ bindsCertificate: binding, content: content && bytesOf(content) },
    hasTimestamp: unsigned.some((node) => oidOf(partsOf(node)[0]) === objectIds.timestampToken),
  };
}

/** Signed attributes are signed as a SET, and stored with the context tag 0. */
function asSet(attributes: Node): Buffer {
  const encoded = encodeNode(attributes);
  encoded[0] = 0x31;
  return encoded;
}

function readCertificate(node: Node): X509Certificate[] {
  try {
    return [new X509Certificate(encodeNode(node))];
  } catch {
    // An attribute certificate, or one that Node cannot read.
    return [];
  }
}

function findSigner(certificates: readonly X509Certificate[], identifier: Node | undefined) {
  const [issuer, serial] = partsOf(identifier);
  if (!issuer || !serial) return certificates[0];
  const wanted = bytesOf(serial).toString("hex").replace(/^0+/, "");
  const matches = certificates.filter(
    (certificate) => certificate.serialNumber.toLowerCase().replace(/^0+/, "") === wanted,
  );
  return matches.length === 1
    ? matches[0]
    : matches.find((found) => found.raw.includes(encodeNode(issuer)));
}

function readTime(node: Node | undefined): string | undefined {
  const text = textOf(node);
  if (!/^\d{10,14}Z$/.test(text)) return undefined;
  const isShort = text.length === 13;
  const date = isShort ? forge.asn1.utcTimeToDate(text) : forge.asn1.generalizedTimeToDate(text);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
