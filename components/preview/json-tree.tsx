import { cn } from "#components/class-names.ts";

/** Longer lists are collapsed and show only this many entries. */
const maxEntries = 100;

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
      {isNode(value) ? <Entries value={value} depth={0} /> : <Leaf value={value} />}
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
    <ul className={cn("grid gap-0.5", depth > 0 && "ml-1.5 border-l pl-3")}>
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
        <span className="text-muted-foreground">{name}</span> <Leaf value={value} />
      </p>
    );
  }
  const count = Object.keys(value).length;
  return (
    <details open={depth < 2 && count <= maxEntries}>
      <summary className="cursor-pointer marker:text-muted-foreground">
        <span className="text-muted-foreground">{name}</span>{" "}
        <span className="text-muted-foreground">
          {Array.isArray(value) ? `[${count}]` : `{${count}}`}
        </span>
      </summary>
      <Entries value={value} depth={depth + 1} />
    </details>
  );
}

const classesByType: Readonly<Record<string, string>> = {
  string: "text-success",
  number: "text-brand",
  boolean: "text-chart-2",
};

function Leaf({ value }: { value: unknown }) {
  return (
    <span className={cn("break-all", classesByType[typeof value] ?? "text-muted-foreground")}>
      {typeof value === "string" ? `"${value}"` : String(value)}
    </span>
  );
}
