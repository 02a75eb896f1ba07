import { readFile } from "node:fs/promises";
import { env } from "#lib/env.ts";

/** The certificates of the authorities that the operator trusts for signatures, each as PEM. */
export async function readSignatureRoots(): Promise<string[]> {
  if (env.SIGNATURE_ROOTS === undefined) return [];
  const text = await readFile(env.SIGNATURE_ROOTS, "utf8");
  return text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
}
