import { hash, verify } from "@node-rs/argon2";
import { randomBase62 } from "#lib/ids.ts";

/** argon2id with the parameters of OWASP's password storage cheat sheet: 19 MiB, t=2, p=1. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return hash(normalize(password), cost);
}

export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, normalize(password));
}

/** One form for a character, however a keyboard composes it (NIST SP 800-63B, 5.1.1.2). */
function normalize(password: string): string {
  return password.normalize("NFKC");
}

/** A one-time password: 16 base62 characters, 95 bits. */
export function generatePassword(): string {
  return randomBase62(16);
}
