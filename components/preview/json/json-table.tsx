import { cn } from "#components/class-names.ts";
import { JsonLeaf } from "./json-leaf.tsx";

type Row = Readonly<Record<string, unknown>>;

/** More columns do not fit a page, and fewer rows are easier to read as a tree. */
const maxColumns = 8;
const minRows = 2;

/** The columns of a list of objects with plain values; undefined if the list is no table. */
export function tableColumns(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length < minRows || !value.every(isRow)) return undefined;
  const columns = [...new Set(value.flatMap((row) => Object.keys(row)))];
  return columns.length > 0 && columns.length <= maxColumns ? columns : undefined;
}

function isRow(value: unknown): value is Row {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((entry) => typeof entry !== "object" || entry === null)
  );
}

interface JsonTableProps {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** Rows after these are only counted. */
  readonly maxRows: number;
}

/** A list of objects with plain values as a table. */
export function JsonTable({ name, columns, rows, maxRows }: JsonTableProps) {
  return (
    <>
      <table aria-label={name} className="my-1 w-full border-y border-border">
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                className="px-2 py-1 text-left font-normal whitespace-nowrap text-muted-foreground first:pl-0"
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, maxRows).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity, and never change.
            <tr key={index} className="border-t border-border">
              {columns.map((column) => (
                <td
                  key={column}
                  className={cn(
                    "px-2 py-1 align-top first:pl-0",
                    typeof row[column] === "number" && "tabular-nums",
                  )}
                >
                  {row[column] !== undefined && <JsonLeaf value={row[column]} plain />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > maxRows && (
        <p className="text-muted-foreground">… {rows.length - maxRows} more</p>
      )}
    </>
  );
}
