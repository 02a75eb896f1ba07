import { formatBytes, formatDuration } from "#components/format.ts";
import type { SharedResult } from "#lib/jobs/view/shared-result.ts";

/** Sizes, dimensions and time of a shared result. */
export function SharedNumbers({ result }: { readonly result: SharedResult }) {
  return (
    <dl aria-label="Numbers" className="flex flex-wrap gap-x-10 gap-y-4">
      {sharedNumbers(result).map(([name, value]) => (
        <div key={name}>
          <dt className="text-xs text-muted-foreground">{name}</dt>
          <dd className="text-lg font-medium tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What is known of a shared result, as names and texts. */
export function sharedNumbers({
  inputBytes,
  outputs,
  engineMs,
}: Pick<SharedResult, "inputBytes" | "outputs" | "engineMs">): [name: string, value: string][] {
  const bytes = outputs.reduce((sum, output) => sum + output.bytes, 0);
  const [only] = outputs.length === 1 ? outputs : [];
  const numbers: [string, string][] = [];
  if (inputBytes !== null) numbers.push(["Input", formatBytes(inputBytes)]);
  numbers.push([outputs.length === 1 ? "Output" : `${outputs.length} outputs`, formatBytes(bytes)]);
  if (only?.width && only.height) numbers.push(["Pixels", `${only.width} × ${only.height}`]);
  if (only?.duration !== undefined) {
    numbers.push(["Duration", formatDuration(only.duration * 1000)]);
  }
  if (only?.pages !== undefined) numbers.push(["Pages", String(only.pages)]);
  if (engineMs !== null) numbers.push(["Processed in", formatDuration(engineMs)]);
  return numbers;
}
