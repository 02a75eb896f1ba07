const stops = [
  { at: "0 ms", title: "POST", text: "You send a file or a URL, with the parameters." },
  {
    at: "≈ 10 ms",
    title: "202, the job",
    text: "Validated, stored, counted. From here on nothing can lose it.",
  },
  {
    at: "≈ 20 ms",
    title: "Started",
    text: "A runner takes it: by plan, then by turns between accounts.",
  },
  {
    at: "≈ 150 ms",
    title: "Done",
    text: "A warm engine made the page; the output is stored and signed.",
  },
  {
    at: "right after",
    title: "Told",
    text: "Your wait, your event stream or your webhook hears of it.",
  },
] as const;

/** One small HTML page's way through the service, on the ruler. */
export function WayOfAJob() {
  return (
    <section aria-labelledby="way" className="mt-24">
      <h2 id="way" className="text-2xl font-semibold tracking-tight">
        The way of a job
      </h2>
      <p className="mt-2 text-muted-foreground">
        A one-page HTML file as a PDF, as measured on two cores.
      </p>
      <ol className="mt-8 grid gap-y-6 sm:grid-cols-2 lg:grid-cols-5">
        {stops.map(({ at, title, text }) => (
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
