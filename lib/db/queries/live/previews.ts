import { type SQL, sql } from "drizzle-orm";
import { channels } from "../../channels.ts";
import type { Queryable } from "../../client.ts";
import type { LiveResult, LiveTask } from "../../schema/live-task.ts";

/**
 * No one waits for a preview that is older: the web process that did has ended. It removes those that it gives up, so
 * that a measurement may wait for a minute while all engines are busy.
 */
const staleSeconds = 70;

const notify = (channel: string, payload: SQL | string) =>
  sql`pg_notify(${sql.raw(`'${channel}'`)}, ${payload})`;

/** Inserts a preview and wakes the runners, in one statement. */
export async function insertPreview(db: Queryable, id: string, task: LiveTask): Promise<void> {
  await db.execute(sql`
    with inserted as (
      insert into live_previews (id, task) values (${id}, ${JSON.stringify(task)}::json) returning id)
    select ${notify(channels.liveRequested, sql`id`)} from inserted`);
}

/** A preview that a runner has taken. */
export interface ClaimedPreview {
  readonly id: string;
  readonly task: LiveTask;
}

/** Takes the oldest preview that waits, if there is one. */
export async function claimPreview(db: Queryable): Promise<ClaimedPreview | undefined> {
  const [row] = await db.execute<{ id: string; task: LiveTask }>(sql`
    update live_previews set claimed_at = now()
    where id = (
      select id from live_previews
      where claimed_at is null and created_at > now() - make_interval(secs => ${staleSeconds})
      order by created_at limit 1 for update skip locked)
    returning id, task`);
  return row && { id: row.id, task: row.task };
}

/** Stores a result and notifies the web process that waits. Nothing is left of a preview that was cancelled. */
export async function finishPreview(db: Queryable, id: string, result: LiveResult): Promise<void> {
  await db.execute(sql`
    with finished as (
      update live_previews set result = ${JSON.stringify(result)}::json where id = ${id} returning id)
    select ${notify(channels.liveFinished, sql`id`)} from finished`);
}

/** Removes a preview and returns its result; undefined if it has none yet. */
export async function takePreview(db: Queryable, id: string): Promise<LiveResult | undefined> {
  const [row] = await db.execute<{ result: LiveResult | null }>(
    sql`delete from live_previews where id = ${id} and result is not null returning result`,
  );
  return row?.result ?? undefined;
}

/** Removes a preview that no one waits for any more, and notifies its runner. */
export async function cancelPreview(db: Queryable, id: string): Promise<void> {
  await db.execute(sql`
    with cancelled as (delete from live_previews where id = ${id} returning id)
    select ${notify(channels.liveCancelled, sql`id`)} from cancelled`);
}

/** Removes what web processes that ended have left. */
export async function deleteStalePreviews(db: Queryable): Promise<void> {
  await db.execute(
    sql`delete from live_previews where created_at < now() - make_interval(secs => ${2 * staleSeconds})`,
  );
}

/** Keeps an upload for at least ten minutes from now, and not much longer, while it is previewed. */
export async function keepPreviewedUpload(db: Queryable, id: string): Promise<void> {
  await db.execute(sql`
    update uploads set expires_at = now() + interval '10 minutes'
    where id = ${id} and expires_at not between now() + interval '9 minutes' and now() + interval '10 minutes'`);
}
