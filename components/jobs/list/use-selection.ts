"use client";

import { useState } from "react";
import { rangeBetween } from "./selection-range.ts";

/** Selected rows of a list by their ids. */
export function useSelection<Row extends { readonly id: string }>(rows: readonly Row[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<string>();
  const selected = rows.filter(({ id }) => ids.has(id));
  const all = rows.map(({ id }) => id);
  return {
    /** The rows that are selected and still in the list. */
    selected,
    isSelected: (id: string) => ids.has(id),
    /** Changes a row; with `isRange` also those between it and the row that was changed before. */
    toggle: (id: string, isRange = false) => {
      const isOn = !ids.has(id);
      const changed = isRange ? rangeBetween(all, last, id) : [id];
      setIds((before) => {
        const next = new Set(before);
        for (const one of changed) {
          if (isOn) next.add(one);
          else next.delete(one);
        }
        return next;
      });
      setLast(id);
    },
    isAll: rows.length > 0 && selected.length === rows.length,
    selectAll: () => setIds(new Set(all)),
    clear: () => setIds(new Set()),
  } as const;
}
