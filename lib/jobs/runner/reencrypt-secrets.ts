import { connectionPurpose } from "#lib/connections/open-store.ts";
import { db } from "#lib/db/client.ts";
import {
  listSealedConnections,
  replaceSealedConnection,
} from "#lib/db/queries/files/connections.ts";
import { listSealedImageKeys, replaceSealedImageKey } from "#lib/db/queries/images/image-keys.ts";
import { listSealedSecrets, replaceSealedSecrets } from "#lib/db/queries/jobs/sealed-secrets.ts";
import { env } from "#lib/env.ts";
import { imageKeyPurpose } from "#lib/images/keys/pairs.ts";
import { log } from "#lib/log.ts";
import { reseal } from "#lib/service-secret.ts";
import { reencrypt } from "../secrets.ts";

const batchSize = 500;

/**
 * Encrypts the secret parameters of unfinished jobs with `SECRET` that are still encrypted with
 * `SECRET_PREVIOUS`, so that they can be read when it is no longer set.
 */
export async function reencryptSecrets(): Promise<void> {
  if (!env.SECRET_PREVIOUS) return;
  let count = 0;
  for (let after = ""; ; ) {
    const batch = await listSealedSecrets(db(), { after, limit: batchSize });
    for (const sealed of batch) {
      const replacement = reencrypt(sealed.id, sealed.secrets);
      if (replacement === undefined) continue;
      await replaceSealedSecrets(db(), sealed, replacement);
      count++;
    }
    after = batch.at(-1)?.id ?? "";
    if (batch.length < batchSize) break;
  }
  if (count > 0) log.info({ jobs: count }, "secret parameters encrypted with the new SECRET");
}

/** The same for the secrets of connections. */
export async function reencryptConnections(): Promise<void> {
  if (!env.SECRET_PREVIOUS) return;
  for (let after = ""; ; ) {
    const batch = await listSealedConnections(db(), { after, limit: batchSize });
    for (const sealed of batch) {
      const replacement = reseal({ purpose: connectionPurpose, id: sealed.id }, sealed.secrets);
      if (replacement !== undefined) await replaceSealedConnection(db(), sealed, replacement);
    }
    after = batch.at(-1)?.id ?? "";
    if (batch.length < batchSize) break;
  }
}

/** The same for the keys that sign the URLs of pictures. */
export async function reencryptImageKeys(): Promise<void> {
  if (!env.SECRET_PREVIOUS) return;
  for (let after = ""; ; ) {
    const batch = await listSealedImageKeys(db(), { after, limit: batchSize });
    for (const sealed of batch) {
      const replacement = reseal({ purpose: imageKeyPurpose, id: sealed.id }, sealed.secrets);
      if (replacement !== undefined) await replaceSealedImageKey(db(), sealed, replacement);
    }
    after = batch.at(-1)?.id ?? "";
    if (batch.length < batchSize) break;
  }
}
