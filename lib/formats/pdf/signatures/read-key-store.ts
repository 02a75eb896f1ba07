import {
  createHmac,
  createPrivateKey,
  type KeyObject,
  timingSafeEqual,
  type X509Certificate,
} from "node:crypto";
import { OctetString } from "asn1js";
import {
  AuthenticatedSafe,
  CertBag,
  type ContentInfo,
  EncryptedData,
  PFX,
  PKCS8ShroudedKeyBag,
  PrivateKeyInfo,
  type SafeBag,
  SafeContents,
} from "pkijs";
import { JobError } from "#lib/errors.ts";
import { DamagedDataError, isDamagedData } from "#lib/media/damaged-data.ts";
import { decode, decodeAs } from "./decode.ts";
import { digestName } from "./object-ids.ts";
import { decryptWithPassword, derivePkcs12Key } from "./password-encryption.ts";
import { isOpensslError, type ParsedCertificate, readCertificate } from "./read-certificate.ts";

/** Reads PKCS#12 files (RFC 7292), in a worker. */

export interface Signer {
  readonly key: KeyObject;
  readonly certificate: ParsedCertificate;
  /** The other certificates of the file. */
  readonly chain: readonly ParsedCertificate[];
}

/** Bits of an RSA modulus below which a signature can be forged. */
const minRsaBits = 2048;

/** Throws `JobError` if the password is wrong, or the file has no key that can sign at `time`. */
export function readKeyStore(bytes: Buffer, password: string, time: Date): Signer {
  const bags = readBags(bytes, password);
  const certificates = bags.flatMap(({ certificate }) => certificate ?? []);
  const keys = bags.flatMap(({ key }) => key ?? []);
  if (keys.length === 0) {
    throw new JobError("empty", "The certificate file has no private key. Export it with its key.");
  }
  for (const key of keys) {
    const certificate = certificates.find(({ node }) => node.checkPrivateKey(key));
    if (!certificate) continue;
    requireUsable(key, certificate.node, time);
    return { key, certificate, chain: certificates.filter((other) => other !== certificate) };
  }
  throw new JobError("empty", "The certificate file has no certificate for its private key.");
}

interface Bag {
  readonly key?: KeyObject;
  readonly certificate?: ParsedCertificate;
}

const wrongPassword = () =>
  new JobError("encrypted", "The password is not the password of the certificate.");

function readBags(bytes: Buffer, password: string): Bag[] {
  try {
    const store = decode(PFX, bytes);
    const content = contentOf(store.authSafe);
    requirePassword(store, content, password);
    return decode(AuthenticatedSafe, content)
      .safeContents.flatMap((item) => readSafe(item, password).safeBags)
      .map((bag) => readBag(bag, password));
  } catch (cause) {
    if (!isDamagedData(cause)) throw cause;
    throw new JobError("corrupt", "The certificate file is damaged or is not PKCS#12.", { cause });
  }
}

function contentOf({ content }: ContentInfo): Buffer {
  if (!(content instanceof OctetString)) throw new DamagedDataError("no content");
  return Buffer.from(content.getValue());
}

/** Checks the password by the checksum of the file, if it has one. */
function requirePassword({ macData }: PFX, content: Buffer, password: string): void {
  if (!macData) return;
  const { mac, macSalt, iterations = 1 } = macData;
  const hash = digestName(mac.digestAlgorithm.algorithmId);
  if (!hash) {
    throw new JobError(
      "unsupported_type",
      "The checksum of the certificate file is not supported.",
    );
  }
  const expected = Buffer.from(mac.digest.getValue());
  const salt = Buffer.from(macSalt.getValue());
  const key = derivePkcs12Key({
    password,
    salt,
    iterations,
    hash,
    purpose: "mac",
    bytes: expected.length,
  });
  const found = createHmac(hash, key).update(content).digest();
  const isEqual = found.length === expected.length && timingSafeEqual(found, expected);
  if (!isEqual) throw wrongPassword();
}

function readSafe(item: ContentInfo, password: string): SafeContents {
  if (item.contentType === "1.2.840.113549.1.7.1") return decode(SafeContents, contentOf(item));
  if (item.contentType !== "1.2.840.113549.1.7.6") {
    const message = "The certificate file is encrypted for a certificate, not with a password.";
    throw new JobError("unsupported_type", message);
  }
  const { encryptedContentInfo: info } = decodeAs(EncryptedData, item.content);
  if (!info.encryptedContent) throw new DamagedDataError("no content");
  const data = Buffer.from(info.getEncryptedContent());
  return decode(SafeContents, decrypt(info.contentEncryptionAlgorithm, data, password));
}

function decrypt(...source: Parameters<typeof decryptWithPassword>): Buffer {
  const plain = decryptWithPassword(...source);
  if (!plain) throw wrongPassword();
  return plain;
}

/** Lists of revoked certificates and other secrets are left out. */
function readBag({ bagValue }: SafeBag, password: string): Bag {
  if (bagValue instanceof CertBag && bagValue.certValue instanceof OctetString) {
    const certificate = readCertificate(Buffer.from(bagValue.certValue.getValue()));
    return certificate ? { certificate } : {};
  }
  if (bagValue instanceof PKCS8ShroudedKeyBag) {
    const data = Buffer.from(bagValue.encryptedData.getValue());
    return { key: readKey(decrypt(bagValue.encryptionAlgorithm, data, password)) };
  }
  if (bagValue instanceof PrivateKeyInfo) {
    return { key: readKey(Buffer.from(bagValue.toSchema().toBER())) };
  }
  return {};
}

function readKey(der: Buffer): KeyObject {
  try {
    return createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  } catch (cause) {
    if (!isOpensslError(cause)) throw cause;
    throw new DamagedDataError("no private key", { cause });
  }
}

function requireUsable(key: KeyObject, certificate: X509Certificate, time: Date): void {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type !== "rsa" && type !== "ec") {
    throw new JobError("unsupported_type", "The certificate's key must be an RSA or EC key.");
  }
  if (type === "rsa" && (details?.modulusLength ?? 0) < minRsaBits) {
    throw new JobError(
      "unsupported_type",
      `The certificate's key must have at least ${minRsaBits} bits.`,
    );
  }
  const day = (date: Date) => date.toISOString().slice(0, 10);
  if (certificate.validToDate < time) {
    const message = `The certificate expired on ${day(certificate.validToDate)}.`;
    throw new JobError("unsupported_type", message);
  }
  if (certificate.validFromDate > time) {
    const message = `The certificate is valid only from ${day(certificate.validFromDate)}.`;
    throw new JobError("unsupported_type", message);
  }
}
