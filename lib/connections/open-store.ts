import { db } from "#lib/db/client.ts";
import { pinHostKey } from "#lib/db/queries/files/connections.ts";
import type { ConnectionRow } from "#lib/db/schema/credentials/connections.ts";
import { unseal } from "#lib/service-secret.ts";
import { parseFields } from "./fields.ts";
import { HttpStore, type Signer } from "./stores/http-store.ts";
import type { Store, StoreContext } from "./stores/store.ts";

/** For what the secrets of connections are encrypted. */
export const connectionPurpose = "connections";

/** The secret fields of a connection. */
export function revealSecrets({
  id,
  secrets,
}: Pick<ConnectionRow, "id" | "secrets">): Record<string, unknown> {
  return JSON.parse(unseal({ purpose: connectionPurpose, id }, secrets));
}

/** Opens the store of a connection. Nothing is sent before it is used. Each type is loaded when it is needed. */
export async function openStore(
  row: Pick<ConnectionRow, "id" | "type" | "config" | "secrets">,
  context: StoreContext,
): Promise<Store> {
  const { external_id: externalId = "", ...config } = row.config;
  const fields = { ...config, ...revealSecrets(row) };
  switch (row.type) {
    case "s3": {
      const { bucket, region, endpoint, ...key } = parseFields("s3", fields);
      const { createS3Signer } = await import("./stores/s3.ts");
      const credentials = async () => ({
        accessKeyId: key.access_key_id,
        secretAccessKey: key.secret_access_key,
      });
      return openHttp(createS3Signer({ bucket, region, endpoint, credentials }), context);
    }
    case "s3_role": {
      const { bucket, region, role_arn: arn } = parseFields("s3_role", fields);
      const [{ createS3Signer }, { assumeRole }] = await Promise.all([
        import("./stores/s3.ts"),
        import("./stores/role.ts"),
      ]);
      const credentials = () => assumeRole({ arn, region, externalId: String(externalId) });
      return openHttp(createS3Signer({ bucket, region, credentials }), context);
    }
    case "gcs": {
      const { bucket, endpoint, service_account: json } = parseFields("gcs", fields);
      const key = JSON.parse(json) as { client_email: string; private_key: string };
      const { createGcsSigner } = await import("./stores/gcs.ts");
      const access = { clientEmail: key.client_email, privateKey: key.private_key };
      return openHttp(createGcsSigner({ bucket, endpoint, ...access }), context);
    }
    case "azure": {
      const { account, container, endpoint, account_key } = parseFields("azure", fields);
      const { createAzureSigner } = await import("./stores/azure.ts");
      const access = { account, container, endpoint, accountKey: account_key };
      return openHttp(createAzureSigner(access), context);
    }
    case "webdav": {
      const { WebdavStore } = await import("./stores/webdav.ts");
      return new WebdavStore(parseFields("webdav", fields), context);
    }
    case "sftp": {
      const { private_key: privateKey, host_key: hostKey, ...access } = parseFields("sftp", fields);
      const { SftpStore } = await import("./stores/sftp.ts");
      const onHostKey = (fingerprint: string) => pinHostKey(db(), row, fingerprint);
      return new SftpStore({ ...access, privateKey, hostKey, onHostKey }, context);
    }
  }
}

function openHttp(signer: Signer, { network, signal }: StoreContext): Store {
  return new HttpStore(signer, network, signal);
}
