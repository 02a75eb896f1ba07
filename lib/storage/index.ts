import { dataPath, env, requireVariable } from "#lib/env.ts";
import type { Storage } from "./port.ts";
import { DistantStorage } from "./remote.ts";

export { type ByteRange, FileGoneError, type Storage, type StoredFile } from "./port.ts";

const opened = await open();

/** The storage that `STORAGE` names. */
export function storage(): Storage {
  return opened;
}

/** Loads the chosen one alone: the clients of the others would take longer than all the rest of the start. */
async function open(): Promise<Storage> {
  switch (env.STORAGE) {
    case "local": {
      const { LocalStorage } = await import("./local.ts");
      return new LocalStorage(dataPath("storage"));
    }
    case "s3": {
      const { S3Storage } = await import("./s3.ts");
      const store = new S3Storage({
        bucket: requireVariable("S3_BUCKET"),
        region: requireVariable("S3_REGION"),
        endpoint: env.S3_ENDPOINT,
        accessKeyId: requireVariable("S3_ACCESS_KEY_ID"),
        secretAccessKey: requireVariable("S3_SECRET_ACCESS_KEY"),
      });
      return new DistantStorage(store);
    }
    case "uploadthing": {
      const { UploadThingStorage } = await import("./uploadthing.ts");
      const store = new UploadThingStorage({ token: requireVariable("UPLOADTHING_TOKEN") });
      return new DistantStorage(store);
    }
  }
}
