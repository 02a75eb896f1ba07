import { dataPath, env } from "#lib/env.ts";
import { LocalStorage } from "./local.ts";
import type { Storage } from "./port.ts";

export { type ByteRange, FileGoneError, type Storage, type StoredFile } from "./port.ts";

let opened: Storage | undefined;

/** The storage that `STORAGE` names. */
export function storage(): Storage {
  opened ??= open();
  return opened;
}

function open(): Storage {
  if (env.STORAGE === "local") return new LocalStorage(dataPath("storage"));
  throw new Error(`STORAGE=${env.STORAGE} is not supported by this version; use local`);
}
