const steps = [
  { at: "0 ms", title: "POST", text: "You send a file or a URL with the parameters." },
  {
    at: "≈ 10 ms",
    title: "202 Accepted",
    text: "The request is validated and the job is stored. A crash cannot lose it.",
  },
  {
    at: "≈ 20 ms",
    title: "Started",
    text: "A runner starts the job, by plan priority and then in turns between accounts.",
  },
  {
    at: "≈ 150 ms",
    title: "Completed",
    text: "The engine has rendered the page. The output is stored and has a signed URL.",
  },
  {
    at: "right after",
    title: "Notified",
    text: "You get the result by webhook, by event stream or in the waiting request.",
  },
] as const;

/** The steps of a small job with their measured times. */
export function JobLifecycle() {
  return (
    <section aria-labelledby="lifecycle" className="mt-24">
      <h2 id="lifecycle" className="text-2xl font-semibold tracking-tight">
        Job lifecycle
      </h2>
      <p className="mt-2 text-muted-foreground">
        Conversion of a one-page HTML file to PDF, measured on two cores.
      </p>
      <ol className="mt-8 grid gap-y-6 sm:grid-cols-2 lg:grid-cols-5">
        {steps.map(({ at, title, text }) => (
          <li key={title} className="pr-5">
            <p className="font-mono text-xs text-brand">{at}</p>
            <div aria-hidden="true" className="ruler my-2 -mr-5 h-3 border-b text-input" />
            <p className="font-semibold">{title}</p>
            <p className="mt-1 text-sm text-muted-foreground">{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
