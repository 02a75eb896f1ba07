/**
 * Replaces the dates of changes in Word's format (DTTM: MS-DOC, 2.9.75). The new dates only keep the
 * order and which dates were at most a minute apart: readers merge the changes of one author within a
 * minute, so the dates can neither be all equal nor all different.
 */
export class WordDates {
  readonly #dates = new Set<number>();

  /** Adds a date; 0 means no date. */
  add(date: number): void {
    if (date !== 0) this.#dates.add(date & allButWeekday);
  }

  /** Returns the replacement for each added date: from 1 January 1980 on, in the same order. */
  replace(): (date: number) => number {
    const minutes = new Map<number, number>();
    let previous = 0;
    let minute = 0;
    for (const date of [...this.#dates].sort((a, b) => a - b)) {
      minute += Math.min(2, Math.max(1, toMinutes(date) - previous));
      minutes.set(date, minute);
      previous = toMinutes(date);
    }
    return (date) => {
      const substitute = date === 0 ? undefined : minutes.get(date & allButWeekday);
      return substitute === undefined ? 0 : encode(substitute);
    };
  }
}

/** The bits of minute, hour, day, month and year, from the lowest on. The day of the week is above them. */
const allButWeekday = 0x1fff_ffff;

/** Minutes since the epoch; any number for an invalid date. */
function toMinutes(date: number): number {
  const minute = date & 0x3f;
  const hour = (date >> 6) & 0x1f;
  const day = (date >> 11) & 0x1f;
  const month = (date >> 16) & 0xf;
  const year = (date >> 20) & 0x1ff;
  return Date.UTC(1900 + year, month - 1, day, hour, minute) / 60_000;
}

/** The earliest date that all readers accept. */
const firstDate = Date.UTC(1980, 0, 1);

function encode(minute: number): number {
  const time = new Date(firstDate + 60_000 * minute);
  return (
    time.getUTCMinutes() |
    (time.getUTCHours() << 6) |
    (time.getUTCDate() << 11) |
    ((time.getUTCMonth() + 1) << 16) |
    ((time.getUTCFullYear() - 1900) << 20)
  );
}
