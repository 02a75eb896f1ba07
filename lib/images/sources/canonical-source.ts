import { createHash } from "node:crypto";

/** Parameters of signed URLs of object stores: two URLs that differ in them name the same object. */
const presignedParameters: readonly RegExp[] = [
  /^x-amz-/i,
  /^x-goog-/i,
  /^(?:awsaccesskeyid|googleaccessid|signature|expires|key-pair-id|policy)$/i,
];

/** Those of Azure's shared access signatures, which are too short to be recognized one by one. */
const azureParameters = [
  "sv",
  "se",
  "sr",
  "sp",
  "st",
  "spr",
  "sip",
  "si",
  "ss",
  "srt",
  "skoid",
  "sktid",
  "skt",
  "ske",
  "sks",
  "skv",
];

/** A source without what only says for how long it may be fetched. Other text stays as it is. */
export function canonicalSource(source: string): string {
  const url = /^https?:/i.test(source) ? URL.parse(source) : null;
  if (!url) return source;
  url.hash = "";
  const names = [...new Set(url.searchParams.keys())];
  const isAzure = names.includes("sig") && names.includes("sv");
  const isSigned = names.some((name) =>
    /^(?:x-amz-signature|x-goog-signature|signature)$/i.test(name),
  );
  for (const name of names) {
    const isPresigned = isSigned && presignedParameters.some((pattern) => pattern.test(name));
    if (isPresigned || (isAzure && [...azureParameters, "sig"].includes(name))) {
      url.searchParams.delete(name);
    }
  }
  return url.href;
}

/** Stands for what may follow a prefix, so that its end is not taken as that of a URL, such as `/..`. */
const rest = "x";

/** A prefix as sources that begin with it are written, if its host is complete. Other text stays as it is. */
export function canonicalPrefix(prefix: string): string {
  // Sources have no fragment.
  const hasHost = /^https?:\/\/[^/?#\\]+[/?\\][^#]*$/i.test(prefix);
  const url = hasHost ? URL.parse(prefix + rest) : null;
  return url ? url.href.slice(0, -rest.length) : prefix;
}

/** A short name of a text, for storage keys. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 40);
}
