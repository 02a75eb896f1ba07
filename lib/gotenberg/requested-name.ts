import { cleanName } from "./form/read-form.ts";

/** The name that the client wants for the result, without its extension. */
export function requestedName({ headers }: Request): string {
  return cleanName(decodeHeader(headers.get("gotenberg-output-filename") ?? ""));
}

/** Headers have bytes; clients send names in UTF-8. */
function decodeHeader(value: string): string {
  const bytes = Buffer.from(value, "latin1");
  const text = bytes.toString("utf8");
  return text.includes("\ufffd") ? value : text;
}
