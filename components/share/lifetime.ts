import { formatTime } from "#components/format.ts";

/** For how many days a result can be shared. */
const choices = [1, 7, 30] as const;

/** A choice of how long a share lasts. */
export interface LifetimeOption {
  readonly days: number;
  /** When the job's files are deleted, if that is earlier. */
  readonly until?: Date;
}

/**
 * The choices of how long a share lasts. It ends with the job's files, so that the first choice that is longer is the
 * last one.
 *
 * @param filesUntil when the files are deleted, RFC 3339; null if that is not known
 */
export function lifetimeOptions(
  now: Date,
  filesUntil: string | null,
): { readonly days: readonly LifetimeOption[]; readonly note: string } {
  const until = filesUntil === null ? undefined : new Date(filesUntil);
  const isLonger = (days: number) =>
    until !== undefined && now.getTime() + days * 86_400_000 > until.getTime();
  const possible = choices.filter((days) => !isLonger(days));
  const longer = choices.find(isLonger);
  const last = until && longer ? [{ days: longer, until }] : [];
  return {
    days: [...possible.map((days) => ({ days })), ...last],
    note: last[0]
      ? `The files are deleted on ${formatTime(last[0].until)}. You can revoke the link before.`
      : "You can revoke the link at any time.",
  };
}
