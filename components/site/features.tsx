import {
  BoxIcon,
  LayersIcon,
  RefreshCwIcon,
  ScaleIcon,
  ShieldIcon,
  TerminalIcon,
} from "lucide-react";

const features = [
  {
    icon: TerminalIcon,
    title: "One command",
    text: "On a fresh Debian machine, npm start installs the engines and a database. It prints an API key and a curl command that uses it.",
  },
  {
    icon: ShieldIcon,
    title: "Sandboxed engines",
    text: "Engines run in a sandbox without network access and can read only the files of their job. Chromium loads pages through a filtering proxy.",
  },
  {
    icon: RefreshCwIcon,
    title: "No lost jobs",
    text: "Accepted jobs survive the crash of any process. Each one finishes, is counted once, and its webhook is delivered.",
  },
  {
    icon: ScaleIcon,
    title: "Fair scheduling",
    text: "Plans with a higher priority go first. Accounts on the same plan take turns. A slow source does not block other jobs.",
  },
  {
    icon: LayersIcon,
    title: "One machine or many",
    text: "Set environment variables to use your own PostgreSQL, object storage and Inngest. The code stays the same.",
  },
  {
    icon: BoxIcon,
    title: "One schema per operation",
    text: "Routes, validation, the OpenAPI document, the reference and the playground are generated from the same schema.",
  },
] as const;

/** The main features of the service. */
export function Features() {
  return (
    <section aria-labelledby="features" className="mt-24">
      <h2 id="features" className="text-2xl font-semibold tracking-tight">
        Features
      </h2>
      <ul className="mt-8 grid gap-x-8 gap-y-8 sm:grid-cols-2 lg:grid-cols-3">
        {features.map(({ icon: Icon, title, text }) => (
          <li key={title}>
            <Icon aria-hidden="true" className="size-5 text-brand" />
            <h3 className="mt-2 font-semibold">{title}</h3>
            <p className="mt-1 text-sm text-muted-foreground">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
