/** Private keys that users give. */

/** The longest key as text: one of RSA with 8192 bits has about 6,500 characters. A longer one takes seconds to use. */
export const maxKeyLength = 8000;

/** The most rounds of the key derivation; ssh-keygen uses 16 or 24. More would occupy the process for minutes. */
const maxRounds = 512;

const openSshMagic = "openssh-key-v1\0";

/** What is wrong with a private key in OpenSSH's format; undefined for other formats, and if nothing is. */
export function findKeyFault(pem: string): string | undefined {
  if (!pem.includes("BEGIN OPENSSH PRIVATE KEY")) return undefined;
  const body = Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ""), "base64");
  try {
    return findRounds(body) > maxRounds
      ? `must have at most ${maxRounds} rounds of key derivation`
      : undefined;
  } catch (error) {
    if (error instanceof RangeError) return "must be a whole private key";
    throw error;
  }
}

/** The rounds with which the key is encrypted; 0 if it is not. Throws `RangeError` if the key is cut off. */
function findRounds(body: Buffer): number {
  if (body.toString("latin1", 0, openSshMagic.length) !== openSshMagic) throw new RangeError();
  let at = openSshMagic.length;
  const take = () => {
    const start = at + 4;
    at = start + body.readUInt32BE(at);
    if (at > body.length) throw new RangeError();
    return body.subarray(start, at);
  };
  take();
  const derivation = take().toString("latin1");
  const options = take();
  if (derivation !== "bcrypt") return 0;
  return options.readUInt32BE(4 + options.readUInt32BE(0));
}
