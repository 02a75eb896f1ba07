/** Parses Prometheus's text format to numbers by name and sorted labels: `name{a="1",b="2"}`. */
export function parseMetrics(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const match = /^([a-z_]+)(?:\{(.*)\})? ([\d.e+-]+|NaN|\+Inf)$/.exec(line);
    if (!match) throw new Error(`not a sample: ${line}`);
    const [, name, labels = "", value] = match;
    const sorted = labels
      .split(/,(?=[a-z_]+=")/)
      .toSorted()
      .join(",");
    samples.set(labels ? `${name}{${sorted}}` : `${name}`, Number(value));
  }
  return samples;
}
