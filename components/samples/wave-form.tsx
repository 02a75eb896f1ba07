/** The loudness of a sound over its time, on the ruler; `peaks` are 0 to 1. */
export function WaveForm({ peaks }: { peaks: readonly number[] }) {
  const step = 4;
  const height = 64;
  return (
    <svg
      viewBox={`0 0 ${peaks.length * step} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="ruler h-20 w-full border-b text-input"
    >
      {peaks.map((peak, index) => {
        const bar = Math.max(1, peak * height);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the bars never change.
            key={index}
            x={index * step}
            y={(height - bar) / 2}
            width={step - 1.5}
            height={bar}
            rx="1"
            fill="var(--brand)"
          />
        );
      })}
    </svg>
  );
}
