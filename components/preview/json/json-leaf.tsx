import { cn } from "#components/class-names.ts";

/** The rest of a longer text is only counted. */
const maxLength = 300;

const classesByType: Readonly<Record<string, string>> = {
  string: "text-success",
  number: "text-brand",
  boolean: "text-chart-2",
};

interface JsonLeafProps {
  readonly value: unknown;
  /** Whether the value is shown without quotes and without colors by type, as in a table. */
  readonly plain?: boolean;
}

/** A plain JSON value. Colors have a swatch, and images in data URLs are shown. */
export function JsonLeaf({ value, plain = false }: JsonLeafProps) {
  const text = String(value);
  const shown = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return (
    <>
      {typeof value === "string" && <Preview text={value} />}
      <span
        className={cn(
          "wrap-anywhere",
          !plain && (classesByType[typeof value] ?? "text-muted-foreground"),
        )}
      >
        {typeof value === "string" && !plain ? `"${shown}"` : shown}
      </span>
      {text.length > maxLength && (
        <span className="text-muted-foreground"> {text.length} characters</span>
      )}
    </>
  );
}

function Preview({ text }: { text: string }) {
  if (/^#(?:[\da-f]{6}|[\da-f]{8})$/i.test(text)) {
    return (
      <span
        aria-hidden="true"
        style={{ backgroundColor: text }}
        className="mr-1.5 inline-block size-3.5 rounded-xs border align-[-2px]"
      />
    );
  }
  if (/^data:image\/(?:png|jpeg|webp|gif|avif);base64,/.test(text)) {
    return <img src={text} alt="" className="my-1 block max-h-40 min-w-16 rounded-sm border" />;
  }
  return null;
}
