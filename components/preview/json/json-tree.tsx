import { cn } from "#components/class-names.ts";
import { JsonLeaf } from "./json-leaf.tsx";
import { JsonTable, tableColumns } from "./json-table.tsx";

/** Longer lists are collapsed and show only this many entries. */
const maxEntries = 100;
/** The largest number of entries that a list of numbers shows. */
const maxNumbers = 200;

interface JsonTreeProps {
  readonly value: unknown;
  /** The accessible name. */
  readonly label: string;
  readonly className?: string;
}

/** A JSON value with collapsible objects and lists. Works without JavaScript. */
export function JsonTree({ value, label, className }: JsonTreeProps) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
      tabIndex={0}
      className={cn(
        "max-h-[60vh] overflow-auto rounded-lg border bg-background p-4 font-mono text-xs leading-relaxed",
        className,
      )}
    >
      {isNode(value) ? <Entries value={value} depth={0} /> : <JsonLeaf value={value} />}
    </section>
  );
}

type JsonNode = readonly unknown[] | Readonly<Record<string, unknown>>;

function isNode(value: unknown): value is JsonNode {
  return typeof value === "object" && value !== null;
}

function Entries({ value, depth }: { value: JsonNode; depth: number }) {
  const entries = Object.entries(value);
  return (
    <ul
      className={cn("grid grid-cols-[minmax(0,1fr)] gap-0.5", depth > 0 && "ml-1.5 border-l pl-3")}
    >
      {entries.slice(0, maxEntries).map(([name, entry]) => (
        <li key={name}>
          <Entry name={name} value={entry} depth={depth} />
        </li>
      ))}
      {entries.length > maxEntries && (
        <li className="text-muted-foreground">… {entries.length - maxEntries} more</li>
      )}
    </ul>
  );
}

function Entry({ name, value, depth }: { name: string; value: unknown; depth: number }) {
  if (!isNode(value)) {
    return (
      <p className="break-words">
        <span className="text-muted-foreground">{name}</span> <JsonLeaf value={value} />
      </p>
    );
  }
  const count = Object.keys(value).length;
  const isList = Array.isArray(value);
  const isOpen = depth < 2 && (count <= maxEntries || isList);
  return (
    <details open={isOpen}>
      <summary className="cursor-pointer marker:text-muted-foreground">
        <span className="text-muted-foreground">{name}</span>{" "}
        <span className="text-muted-foreground">{isList ? `[${count}]` : `{${count}}`}</span>
      </summary>
      <Content name={name} value={value} depth={depth} />
    </details>
  );
}

/** A list of objects as a table, a list of numbers as a line, and all else as entries. */
function Content({ name, value, depth }: { name: string; value: JsonNode; depth: number }) {
  const columns = tableColumns(value);
  if (columns && Array.isArray(value)) {
    return <JsonTable name={name} columns={columns} rows={value} maxRows={maxEntries} />;
  }
  if (Array.isArray(value) && value.length > 3 && value.every((one) => typeof one === "number")) {
    const shown = value.slice(0, maxNumbers).join(", ");
    return (
      <p className="ml-1.5 border-l pl-3 text-brand tabular-nums">
        {shown}
        {value.length > maxNumbers && (
          <span className="text-muted-foreground">, … {value.length - maxNumbers} more</span>
        )}
      </p>
    );
  }
  return <Entries value={value} depth={depth + 1} />;
}
