import { Command } from "cmdk";
import { describeConversion } from "#components/search/describe-conversion.ts";
import type { SearchRow } from "./search-target.ts";

interface ResultRowProps {
  readonly row: SearchRow;
  readonly onChoose: () => void;
}

/** One result. Long titles and labels wrap: a label that is cut would make rows look equal. */
export function ResultRow({ row, onChoose }: ResultRowProps) {
  const { entry, conversion, key } = row;
  return (
    <Command.Item
      value={key}
      onSelect={onChoose}
      className="min-w-0 cursor-pointer rounded-md px-3 py-2 data-[selected=true]:bg-accent"
    >
      <p className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 text-sm font-medium wrap-anywhere">{entry.title}</span>
        <span className="max-w-2/5 shrink-0 text-right text-xs text-muted-foreground wrap-anywhere">
          {entry.section}
        </span>
      </p>
      <p className="truncate text-sm text-muted-foreground empty:hidden">
        {conversion ? describeConversion(conversion) : entry.text}
      </p>
    </Command.Item>
  );
}
