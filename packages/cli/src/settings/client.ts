import { Mediamill } from "../../../sdk/src/index.ts";
import { CliError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Settings } from "./settings.ts";
import { FileUploadStore } from "./upload-store.ts";

/**
 * A client of the account. Throws without a key. `maxRetries`: how often a request is sent again after a
 * failure that may pass.
 */
export function createClient(
  { apiKey, baseUrl }: Settings,
  { maxRetries }: { readonly maxRetries?: number } = {},
): Mediamill {
  if (apiKey && /[^!-~]/.test(apiKey)) {
    const message = "The API key has a space, a line break or another character that no key has.";
    throw new CliError(message, exitCodes.access);
  }
  if (apiKey) {
    return new Mediamill({ apiKey, baseUrl, maxRetries, uploadStore: new FileUploadStore() });
  }
  const message = `You are not signed in to ${baseUrl}. Run \`mediamill login\`, or set MEDIAMILL_API_KEY.`;
  throw new CliError(message, exitCodes.access);
}
