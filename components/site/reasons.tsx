import {
  BoxIcon,
  LayersIcon,
  RefreshCwIcon,
  ScaleIcon,
  ShieldIcon,
  TerminalIcon,
} from "lucide-react";

const reasons = [
  {
    icon: TerminalIcon,
    title: "One command",
    text: "npm start on a fresh Debian machine installs the engines and a database, and prints a key and a curl line that works when pasted.",
  },
  {
    icon: ShieldIcon,
    title: "Hostile files stay outside",
    text: "Every engine runs in a sandbox without network that sees its own job’s folder and nothing else. Chromium leaves only through a guarded proxy.",
  },
  {
    icon: RefreshCwIcon,
    title: "Accepted means done",
    text: "Kill any process at any moment: every accepted job still ends, is counted once, and its webhook is delivered.",
  },
  {
    icon: ScaleIcon,
    title: "Fair when it is full",
    text: "Plans go first by priority, accounts take turns within one, and a slow source holds up nobody.",
  },
  {
    icon: LayersIcon,
    title: "From one machine to many",
    text: "PostgreSQL, an object store and Inngest by environment variables. Not a line of code changes.",
  },
  {
    icon: BoxIcon,
    title: "One catalogue",
    text: "Routes, checks, OpenAPI, these docs and the playground’s forms come from the same schema, so they cannot disagree.",
  },
] as const;

/** Why one would use it. */
export function Reasons() {
  return (
    <section aria-labelledby="reasons" className="mt-24">
      <h2 id="reasons" className="text-2xl font-semibold tracking-tight">
        Why it holds
      </h2>
      <ul className="mt-8 grid gap-x-8 gap-y-8 sm:grid-cols-2 lg:grid-cols-3">
        {reasons.map(({ icon: Icon, title, text }) => (
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
