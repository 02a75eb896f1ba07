interface WaveFormProps {
  /** 0 to 1; none: the ruler alone, while they are not known. */
  readonly peaks: readonly number[];
  /** In grey, beside another one that matters more. */
  readonly quiet?: boolean;
}

/** The loudness of a sound over its time, on the ruler. */
export function WaveForm({ peaks, quiet = false }: WaveFormProps) {
  const step = 4;
  const height = 64;
  return (
    <svg
      viewBox={`0 0 ${Math.max(1, peaks.length) * step} ${height}`}
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
            fill={quiet ? "var(--input)" : "var(--brand)"}
          />
        );
      })}
    </svg>
  );
}
