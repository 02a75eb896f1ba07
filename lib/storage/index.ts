import { dataPath, env, requireVariable } from "#lib/env.ts";
import type { Storage } from "./port.ts";
import { RemoteStorage } from "./remote.ts";

export {
  type ByteRange,
  FileGoneError,
  FileReplacedError,
  type SignedDownload,
  type Storage,
  type StoredFile,
} from "./port.ts";

const activeStorage = await open();

/** The storage that `STORAGE` selects. */
export function storage(): Storage {
  return activeStorage;
}

/** Loads only the selected storage: the clients of the others would more than double the start-up time. */
async function open(): Promise<Storage> {
  switch (env.STORAGE) {
    case "local": {
      const { LocalStorage } = await import("./local.ts");
      return new LocalStorage(dataPath("storage"));
    }
    case "s3": {
      const { S3Storage } = await import("./s3.ts");
      const remote = new S3Storage({
        bucket: requireVariable("S3_BUCKET"),
        region: requireVariable("S3_REGION"),
        endpoint: env.S3_ENDPOINT,
        accessKeyId: requireVariable("S3_ACCESS_KEY_ID"),
        secretAccessKey: requireVariable("S3_SECRET_ACCESS_KEY"),
      });
      return new RemoteStorage(remote);
    }
    case "uploadthing": {
      const { UploadThingStorage } = await import("./uploadthing.ts");
      const remote = new UploadThingStorage({ token: requireVariable("UPLOADTHING_TOKEN") });
      return new RemoteStorage(remote);
    }
  }
}
