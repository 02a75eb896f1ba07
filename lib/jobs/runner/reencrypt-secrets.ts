import { connectionPurpose } from "#lib/connections/open-store.ts";
import { db, type Queryable } from "#lib/db/client.ts";
import {
  listSealedConnections,
  replaceSealedConnection,
} from "#lib/db/queries/files/connections.ts";
import { listSealedImageKeys, replaceSealedImageKey } from "#lib/db/queries/images/image-keys.ts";
import { listSealedSecrets, replaceSealedSecrets } from "#lib/db/queries/jobs/sealed-secrets.ts";
import { listSealedEndpoints, replaceSealedEndpoint } from "#lib/db/queries/webhooks/endpoints.ts";
import { env } from "#lib/env.ts";
import { imageKeyPurpose } from "#lib/images/keys/pairs.ts";
import { log } from "#lib/log.ts";
import { reseal } from "#lib/service-secret.ts";
import { endpointPurpose } from "#lib/webhooks/endpoints/secrets.ts";
import { reencrypt } from "../secrets.ts";

const batchSize = 500;

interface Sealed {
  readonly id: string;
  readonly secrets: string;
}

/** Rows with secrets that are encrypted with `SECRET`. */
interface SealedRows {
  /** Lists them by id, from the one after `after`. */
  list(
    db: Queryable,
    page: { readonly after: string; readonly limit: number },
  ): Promise<readonly Sealed[]>;
  /** Encrypts again; undefined if the current `SECRET` has encrypted it, or no accepted one has. */
  reencrypt(row: Sealed): string | undefined;
  /** Replaces the secrets, unless they have changed. */
  replace(db: Queryable, row: Sealed, replacement: string): Promise<void>;
}

/** Each kind of row, by what the log calls it. */
const kinds: Readonly<Record<string, SealedRows>> = {
  jobs: {
    list: listSealedSecrets,
    reencrypt: ({ id, secrets }) => reencrypt(id, secrets),
    replace: replaceSealedSecrets,
  },
  "image keys": {
    list: listSealedImageKeys,
    reencrypt: ({ id, secrets }) => reseal({ purpose: imageKeyPurpose, id }, secrets),
    replace: replaceSealedImageKey,
  },
  "webhook endpoints": {
    list: listSealedEndpoints,
    reencrypt: ({ id, secrets }) => reseal({ purpose: endpointPurpose, id }, secrets),
    replace: replaceSealedEndpoint,
  },
  connections: {
    list: listSealedConnections,
    reencrypt: ({ id, secrets }) => reseal({ purpose: connectionPurpose, id }, secrets),
    replace: replaceSealedConnection,
  },
};

/**
 * Encrypts the secrets of unfinished jobs, of image keys, of connections and of webhook endpoints with `SECRET` that are still encrypted
 * with `SECRET_PREVIOUS`, so that they can be read when it is no longer set.
 */
export async function reencryptSecrets(): Promise<void> {
  if (!env.SECRET_PREVIOUS) return;
  for (const [kind, rows] of Object.entries(kinds)) {
    const count = await reencryptRows(rows);
    if (count > 0) log.info({ [kind]: count }, "secrets encrypted with the new SECRET");
  }
}

async function reencryptRows({ list, reencrypt: again, replace }: SealedRows): Promise<number> {
  let count = 0;
  for (let after = ""; ; ) {
    const batch = await list(db(), { after, limit: batchSize });
    for (const row of batch) {
      const replacement = again(row);
      if (replacement === undefined) continue;
      await replace(db(), row, replacement);
      count++;
    }
    after = batch.at(-1)?.id ?? "";
    if (batch.length < batchSize) return count;
  }
}
