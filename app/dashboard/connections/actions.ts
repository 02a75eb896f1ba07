"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import type {
  ConnectionRequest,
  ConnectionTest,
  SavedConnection,
} from "#components/connections/actions.ts";
import type { ConnectionFault, FolderPage } from "#components/connections/browse/folder-page.ts";
import { toConnectionView } from "#components/connections/connection-view.ts";
import { isEmailUnconfirmed, unconfirmedMessage } from "#lib/auth/emails/email-confirmation.ts";
import { requireRecentAuthentication } from "#lib/auth/reauthentication/reauthenticate.ts";
import { requireAccount } from "#lib/auth/session.ts";
import { listFiles } from "#lib/connections/list-files.ts";
import { removeConnection } from "#lib/connections/manage.ts";
import { testConnection as testOwnConnection } from "#lib/connections/test-connection.ts";
import { RequestError } from "#lib/errors.ts";
import { save } from "./save.ts";

const page = "/dashboard/connections";
const idText = z.string().max(64);

/** Creates a connection of the current account; with an id, changes that one. */
export async function saveConnection(
  request: ConnectionRequest,
  id?: string,
): Promise<SavedConnection> {
  const account = await requireAccount();
  if (isEmailUnconfirmed(account)) return { error: unconfirmedMessage };
  const needed = await requireRecentAuthentication(account);
  if (needed) return needed;
  const fields = z.record(z.string().max(64), z.unknown()).parse(request);
  const saved = await faultOf(() => save(account, fields, idText.optional().parse(id)));
  if ("error" in saved) return saved;
  revalidatePath(page);
  return { connection: toConnectionView(saved) };
}

/** Tests a connection of the current account, and stores the result. */
export async function testConnection(id: string): Promise<ConnectionTest> {
  const account = await requireAccount();
  if (isEmailUnconfirmed(account)) return { ok: false, error: unconfirmedMessage };
  const result = await faultOf(() => testOwnConnection(account, idText.parse(id)));
  revalidatePath(page);
  return "ok" in result ? result : { ok: false, error: result.error };
}

/** Deletes a connection of the current account. False if there is no such connection. */
export async function deleteConnection(id: string): Promise<boolean> {
  const account = await requireAccount();
  const result = await faultOf(() => removeConnection(account, idText.parse(id)));
  revalidatePath(page);
  return result === undefined;
}

const maxText = 2048;
const pageSize = 100;

/** Lists a folder of a connection of the current account. */
export async function browseConnection(
  id: string,
  folder: string,
  cursor?: string,
): Promise<FolderPage | ConnectionFault> {
  const account = await requireAccount();
  if (isEmailUnconfirmed(account)) return { error: unconfirmedMessage };
  const request = {
    prefix: z.string().max(maxText).parse(folder),
    cursor: z.string().max(maxText).optional().parse(cursor),
    limit: pageSize,
    isFlat: true,
  };
  const found = await faultOf(() => listFiles(account, idText.parse(id), request));
  if ("error" in found) return found;
  return {
    folders: found.folders ?? [],
    files: found.files.map(({ path, bytes, modifiedAt }) => ({
      path,
      bytes,
      modifiedAt: modifiedAt?.toISOString() ?? null,
    })),
    nextCursor: found.nextCursor,
  };
}

/** The result of `work`, or what the API would respond. A message names the field that it is about. */
async function faultOf<Result>(work: () => Promise<Result>): Promise<Result | ConnectionFault> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const field = /^`(\w+)/.exec(error.message)?.[1];
    return { error: error.message, ...(field === undefined ? {} : { field }) };
  }
}
