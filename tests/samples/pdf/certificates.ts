import { createPrivateKey, type KeyObject } from "node:crypto";
import { BitString, Integer, ObjectIdentifier, PrintableString, Utf8String } from "asn1js";
import {
  AttributeTypeAndValue,
  BasicConstraints,
  Certificate,
  Extension,
  ExtKeyUsage,
  GeneralName,
  GeneralSubtree,
  NameConstraints,
  RelativeDistinguishedNames,
} from "pkijs";
import {
  type ParsedCertificate,
  readCertificate,
} from "#lib/formats/pdf/signatures/read-certificate.ts";

/** Certificates for tests, of EC keys. */

export const keyPurposes = {
  server: "1.3.6.1.5.5.7.3.1",
  client: "1.3.6.1.5.5.7.3.2",
  mail: "1.3.6.1.5.5.7.3.4",
  time: "1.3.6.1.5.5.7.3.8",
  document: "1.3.6.1.5.5.7.3.36",
} as const;

/** Bits of the first byte of the extension keyUsage. */
export const keyUsage = { sign: 0x80, encipher: 0x20, certify: 0x04 } as const;

export interface IssueOptions {
  readonly name: string;
  /** The issuer; by default the certificate signs itself. */
  readonly issuer?: Issued;
  readonly isAuthority?: boolean;
  readonly pathLength?: number;
  readonly usage?: number;
  readonly purposes?: readonly (keyof typeof keyPurposes)[];
  readonly isPurposeCritical?: boolean;
  readonly from?: string;
  readonly to?: string;
  /** The hash of the issuer's signature. */
  readonly hash?: "SHA-1" | "SHA-256";
  /** A name of which the subjects of all certificates below it must not be. */
  readonly excludes?: string;
  /** The identifier of a critical extension that no program knows. */
  readonly unknownExtension?: string;
  /** The keys of another certificate. */
  readonly keys?: CryptoKeyPair;
}

export interface Issued {
  readonly certificate: Certificate;
  readonly keys: CryptoKeyPair;
  readonly der: Buffer;
  readonly pem: string;
  readonly parsed: ParsedCertificate;
  readonly key: KeyObject;
}

let serial = 1;

export async function issue(options: IssueOptions): Promise<Issued> {
  const { issuer, from = "2020-01-01", to = "2049-01-01", hash = "SHA-256" } = options;
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const keys =
    options.keys ?? (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]));
  const certificate = new Certificate();
  certificate.version = 2;
  serial += 1;
  certificate.serialNumber = new Integer({ value: serial });
  certificate.subject = nameOf(options.name);
  certificate.issuer = issuer ? issuer.certificate.subject : certificate.subject;
  certificate.notBefore.value = new Date(from);
  certificate.notAfter.value = new Date(to);
  certificate.extensions = makeExtensions(options);
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey);
  await certificate.sign((issuer?.keys ?? keys).privateKey, hash);
  const der = Buffer.from(certificate.toSchema().toBER());
  const parsed = readCertificate(der);
  if (!parsed) throw new Error("the certificate cannot be read");
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey("pkcs8", keys.privateKey));
  const key = createPrivateKey({ key: pkcs8, format: "der", type: "pkcs8" });
  return { certificate, keys, der, pem: parsed.node.toString(), parsed, key };
}

function nameOf(name: string): RelativeDistinguishedNames {
  const typesAndValues = [
    new AttributeTypeAndValue({ type: "2.5.4.6", value: new PrintableString({ value: "DE" }) }),
    new AttributeTypeAndValue({ type: "2.5.4.3", value: new Utf8String({ value: name }) }),
  ];
  return new RelativeDistinguishedNames({ typesAndValues });
}

function makeExtensions(options: IssueOptions): Extension[] {
  const { isAuthority, pathLength, usage, purposes, excludes, unknownExtension } = options;
  const extension = (extnID: string, critical: boolean, value: { toBER(): ArrayBuffer }) =>
    new Extension({ extnID, critical, extnValue: value.toBER() });
  const added: Extension[] = [];
  if (isAuthority !== undefined) {
    const value = new BasicConstraints({
      cA: isAuthority,
      ...(pathLength === undefined ? {} : { pathLenConstraint: pathLength }),
    });
    added.push(extension("2.5.29.19", true, value.toSchema()));
  }
  const bits = usage ?? (isAuthority ? keyUsage.certify : undefined);
  if (bits !== undefined) {
    const valueHex = new Uint8Array([bits]).buffer;
    added.push(extension("2.5.29.15", true, new BitString({ valueHex })));
  }
  if (purposes) {
    const value = new ExtKeyUsage({ keyPurposes: purposes.map((purpose) => keyPurposes[purpose]) });
    added.push(extension("2.5.29.37", options.isPurposeCritical ?? false, value.toSchema()));
  }
  if (excludes !== undefined) {
    const base = new GeneralName({ type: 4, value: nameOf(excludes) });
    const value = new NameConstraints({ excludedSubtrees: [new GeneralSubtree({ base })] });
    added.push(extension("2.5.29.30", true, value.toSchema()));
  }
  if (unknownExtension !== undefined) {
    const value = new ObjectIdentifier({ value: unknownExtension });
    added.push(extension(unknownExtension, true, value));
  }
  return added;
}
