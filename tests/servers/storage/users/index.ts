import { startAzurite } from "./azurite.ts";
import { startFakeGcs } from "./fake-gcs.ts";
import { type MotoStores, startMoto } from "./moto.ts";
import { startOpenSsh } from "./openssh.ts";
import { startWebdav } from "./rclone.ts";
import type { RealStore } from "./real-store.ts";

export interface RealStores {
  readonly moto: MotoStores;
  readonly byKind: Readonly<Record<RealStore["type"], RealStore>>;
  close(): Promise<void>;
}

/** Starts a store of each kind. */
export async function startRealStores(): Promise<RealStores> {
  const [moto, gcs, azure, sftp, webdav] = await Promise.all([
    startMoto(),
    startFakeGcs(),
    startAzurite(),
    startOpenSsh(),
    startWebdav(),
  ]);
  return {
    moto,
    byKind: { s3: moto.s3, s3_role: moto.role, gcs, azure, sftp, webdav },
    async close() {
      await Promise.all([moto, gcs, azure, sftp, webdav].map((store) => store.close()));
    },
  };
}
