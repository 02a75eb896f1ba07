import type { Env } from "#lib/env.ts";
import { StartError } from "./start-error.ts";

/**
 * Throws `StartError` if anyone can read the files of the UploadThing app. A store that cannot be reached
 * does not stop the start, because the service waits for it: one line on stderr says so.
 */
export async function checkStorage({ STORAGE, UPLOADTHING_TOKEN: token }: Env): Promise<void> {
  if (STORAGE !== "uploadthing" || !token) return;
  const { hasPublicFiles } = await import("#lib/storage/uploadthing-access.ts");
  const isPublic = await hasPublicFiles({ token }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`STORAGE: the access control of the app was not checked: ${reason}\n`);
    return false;
  });
  if (!isPublic) return;
  throw new StartError(
    "STORAGE: the files of the UploadThing app are public; set its access control to private",
  );
}
