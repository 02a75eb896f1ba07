interface WaveformProps {
  /** The heights of the waveform, from 0 to 1; empty until they are known. */
  readonly peaks: readonly number[];
  /** Uses a muted color, next to a more important waveform. */
  readonly muted?: boolean;
}

/** The level of audio over time. */
export function Waveform({ peaks, muted = false }: WaveformProps) {
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
            fill={muted ? "var(--input)" : "var(--brand)"}
          />
        );
      })}
    </svg>
  );
}
