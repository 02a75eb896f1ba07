"use client";

import { useState } from "react";

/** Selected rows of a list by their ids. */
export function useSelection<Row extends { readonly id: string }>(rows: readonly Row[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return {
    /** The rows that are selected and still in the list. */
    selected: rows.filter(({ id }) => ids.has(id)),
    isSelected: (id: string) => ids.has(id),
    toggle: (id: string) =>
      setIds((before) => {
        const next = new Set(before);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
    selectAll: () => setIds(new Set(rows.map(({ id }) => id))),
    clear: () => setIds(new Set()),
  } as const;
}
