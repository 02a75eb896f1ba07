/**
 * Dates of changes as Word writes them (DTTM: MS-DOC, 2.9.75). They become others that tell nothing
 * but which came first, and which were a minute apart: readers take what one author changed within a
 * minute for one change, so that they must neither all be the same nor all be different.
 */
export class WordDates {
  readonly #dates = new Set<number>();

  /** Takes note of a date; 0 is none. */
  add(date: number): void {
    if (date !== 0) this.#dates.add(date & allButWeekday);
  }

  /** What stands for each date that was noted: from 1 January 1980 on, in the same order. */
  replace(): (date: number) => number {
    const minutes = new Map<number, number>();
    let [before, minute] = [0, 0];
    for (const date of [...this.#dates].sort((a, b) => a - b)) {
      minute += Math.min(2, Math.max(1, toMinutes(date) - before));
      minutes.set(date, minute);
      before = toMinutes(date);
    }
    return (date) => {
      const substitute = date === 0 ? undefined : minutes.get(date & allButWeekday);
      return substitute === undefined ? 0 : encode(substitute);
    };
  }
}

/** Minute, hour, day, month and year from the lowest bit on; the day of the week on top of all. */
const allButWeekday = 0x1fff_ffff;

/** Minutes since 1900; of dates that there are not, anything. */
function toMinutes(date: number): number {
  const [minute, hour, day] = [date & 0x3f, (date >> 6) & 0x1f, (date >> 11) & 0x1f];
  const [month, year] = [(date >> 16) & 0xf, (date >> 20) & 0x1ff];
  return Date.UTC(1900 + year, month - 1, day, hour, minute) / 60_000;
}

/** The earliest date that every reader takes for one. */
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
