import { readFigures } from "./measured-figures.ts";

/** What the benchmarks and the fault runs measured. */
export function Proof() {
  const { figures, machine } = readFigures();
  return (
    <section aria-labelledby="measured" className="mt-24">
      <h2 id="measured" className="text-2xl font-semibold tracking-tight">
        Measured
      </h2>
      <p className="mt-2 max-w-2xl text-muted-foreground">
        On a machine with {machine}, medians. The commands are in the repository: run them on your
        own machine.
      </p>
      <dl className="mt-8 grid gap-px overflow-hidden rounded-xl border bg-border sm:grid-cols-2 lg:grid-cols-3">
        {figures.map(({ value, label, command }) => (
          <div key={label} className="flex flex-col bg-card p-5">
            <dt className="order-2 mt-1 text-sm text-muted-foreground">{label}</dt>
            <dd className="order-1 text-3xl font-semibold tracking-tight tabular-nums">{value}</dd>
            <dd className="order-3 mt-3 font-mono text-xs text-muted-foreground">{command}</dd>
          </div>
        ))}
        <div className="flex flex-col bg-card p-5">
          <dt className="order-2 mt-1 text-sm text-muted-foreground">
            jobs lost, of 300 that ran while their runner was killed every two seconds
          </dt>
          <dd className="order-1 text-3xl font-semibold tracking-tight tabular-nums">0</dd>
          <dd className="order-3 mt-3 font-mono text-xs text-muted-foreground">
            npm run soak -- killed-runner
          </dd>
        </div>
      </dl>
    </section>
  );
}
