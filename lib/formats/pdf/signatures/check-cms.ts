import {
  constants,
  createHash,
  createVerify,
  getHashes,
  type KeyObject,
  type VerifyKeyObjectInput,
  verify,
} from "node:crypto";
import { RSASSAPSSParams } from "pkijs";
import { decodeAs } from "./decode.ts";
import { digestName, objectIds, signatureDigest } from "./object-ids.ts";
import { isOpensslError, publicKeyOf } from "./read-certificate.ts";
import type { Cms } from "./read-cms.ts";

/** Checks that CMS SignedData fits its content and the certificate of its signer (RFC 5652, 5.4 to 5.6). */

/**
 * Why a signature is not valid. `changed`: the content is another. `forged`: the signature was not
 * made with the signer's key.
 */
export type CmsProblem = "no_signer" | "hash" | "changed" | "certificate" | "forged";

/**
 * Returns undefined if the signature is valid. `content` is what it must cover, whether it contains
 * it or not.
 */
export function checkCms(cms: Cms, content: Buffer): CmsProblem | undefined {
  const { signer, digestAlgorithm, signedAttributes, messageDigest, certificateHash } = cms;
  if (!signer) return "no_signer";
  if (!digestAlgorithm) return "hash";
  if (cms.content && !cms.content.equals(content)) return "changed";
  const hash = (algorithm: string, bytes: Buffer) => createHash(algorithm).update(bytes).digest();
  if (signedAttributes) {
    const isSameType = cms.signedContentType === cms.contentType;
    if (!isSameType || !messageDigest?.equals(hash(digestAlgorithm, content))) return "changed";
  }
  if (certificateHash) {
    const { algorithm, value } = certificateHash;
    if (!algorithm) return "hash";
    if (!value.equals(hash(algorithm, signer.node.raw))) return "certificate";
  }
  return isSignature(cms, signedAttributes ?? content, digestAlgorithm) ? undefined : "forged";
}

function isSignature(cms: Cms, bytes: Buffer, digestAlgorithm: string): boolean {
  const { signer, signature, signatureAlgorithm } = cms;
  const key = signer && publicKeyOf(signer);
  if (!key) return false;
  try {
    const type = key.asymmetricKeyType;
    if (type === "ed25519" || type === "ed448") return verify(null, bytes, key, signature);
    if (signatureAlgorithm.algorithmId === objectIds.rsaPss) {
      return isPssSignature(cms, bytes, key);
    }
    const hash = signatureDigest(signatureAlgorithm.algorithmId) ?? digestAlgorithm;
    return createVerify(hash).update(bytes).verify(key, signature);
  } catch (error) {
    // The key does not fit the algorithm.
    if (isOpensslError(error)) return false;
    throw error;
  }
}

/**
 * Whether a signature by RSASSA-PSS (RFC 4055, 3.1) is valid. OpenSSL takes the hash of the
 * signature for its mask, too.
 */
function isPssSignature(cms: Cms, bytes: Buffer, key: KeyObject): boolean {
  const { signature, signatureAlgorithm } = cms;
  const parameters = decodeAs(RSASSAPSSParams, signatureAlgorithm.algorithmParams);
  const hash = digestName(parameters.hashAlgorithm.algorithmId);
  if (!hash || !getHashes().includes(hash)) return false;
  const input: VerifyKeyObjectInput = {
    key,
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: parameters.saltLength,
  };
  return createVerify(hash).update(bytes).verify(input, signature);
}
