import { formatBytes } from "#components/format.ts";
import { type ComparedResult, curveOf } from "./result.ts";

interface CurveProps {
  readonly results: readonly ComparedResult[];
  readonly labelOf: (result: ComparedResult) => string;
}

const width = 320;
const height = 140;
const edge = 14;

/** Size over similarity. The grid next to it has the same values as text. */
export function Curve({ results, labelOf }: CurveProps) {
  const points = curveOf(results).map((point) => ({
    ...point,
    left: edge + point.x * (width - 2 * edge),
    top: height - edge - point.y * (height - 2 * edge),
  }));
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return null;
  const best = points.filter(({ isBest }) => isBest);
  return (
    <figure className="grid gap-1 text-xs text-muted-foreground">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`Size over similarity: from ${formatBytes(first.result.bytes)} at ${first.result.ssim?.toFixed(4)} to ${formatBytes(last.result.bytes)} at ${last.result.ssim?.toFixed(4)}`}
        className="w-full rounded-lg border bg-background"
      >
        <polyline
          points={best.map(({ left, top }) => `${left},${top}`).join(" ")}
          className="fill-none stroke-brand"
          strokeWidth="1.5"
        />
        {points.map(({ left, top, result, isBest }) => (
          <circle
            key={labelOf(result)}
            cx={left}
            cy={top}
            r="4"
            className={isBest ? "fill-brand" : "fill-muted-foreground"}
          >
            <title>{labelOf(result)}</title>
          </circle>
        ))}
      </svg>
      <figcaption className="flex justify-between gap-4 tabular-nums">
        <span>SSIM {first.result.ssim?.toFixed(4)}</span>
        <span>Up: larger. On the line: no setting is smaller and as similar.</span>
        <span>{last.result.ssim?.toFixed(4)}</span>
      </figcaption>
    </figure>
  );
}
