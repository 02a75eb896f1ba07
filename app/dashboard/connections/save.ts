import type { ConnectionRequest } from "#components/connections/actions.ts";
import {
  changedConnection,
  newConnection,
  splitBody,
} from "#lib/api/endpoints/connections/connection-body.ts";
import { parseFields } from "#lib/api/http/validate.ts";
import {
  type ConnectionOwner,
  changeConnection,
  createConnection,
} from "#lib/connections/manage.ts";
import type { ConnectionRow } from "#lib/db/schema/credentials/connections.ts";

/** Creates a connection, or changes the one with `id`, as the API does. Throws its errors. */
export async function save(
  account: ConnectionOwner,
  request: ConnectionRequest,
  id: string | undefined,
): Promise<ConnectionRow> {
  if (id === undefined) {
    const { settings, fields } = splitBody(parseFields(newConnection, request));
    return createConnection(account, { ...settings, fields });
  }
  const { settings, fields } = splitBody(parseFields(changedConnection, request));
  const changed = Object.entries(fields).map(([name, value]) => [name, value ?? undefined]);
  return changeConnection(account, id, { ...settings, fields: Object.fromEntries(changed) });
}
