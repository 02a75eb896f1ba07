import {
  BookOpenIcon,
  FlaskConicalIcon,
  GaugeIcon,
  KeyRoundIcon,
  ListIcon,
  SettingsIcon,
  WebhookIcon,
} from "lucide-react";

/** The pages that the dashboard's navigation and its search lead to. */
export const dashboardPages = [
  {
    href: "/dashboard",
    label: "Overview",
    icon: GaugeIcon,
    about: "Usage against the plan, jobs a day, success rate.",
  },
  {
    href: "/dashboard/jobs",
    label: "Jobs",
    icon: ListIcon,
    about: "Every request, by status, operation, day or id.",
  },
  {
    href: "/dashboard/playground",
    label: "Playground",
    icon: FlaskConicalIcon,
    about: "Try an operation on a file, without a key.",
  },
  {
    href: "/dashboard/keys",
    label: "API keys",
    icon: KeyRoundIcon,
    about: "Create, name and revoke keys.",
  },
  {
    href: "/dashboard/webhooks",
    label: "Webhooks",
    icon: WebhookIcon,
    about: "Signing secret, deliveries and their attempts, test events.",
  },
  {
    href: "/dashboard/settings",
    label: "Settings",
    icon: SettingsIcon,
    about: "Plan and limits, password, signed-in browsers.",
  },
  {
    href: "/docs",
    label: "Docs",
    icon: BookOpenIcon,
    about: "Guides and the reference of every operation.",
  },
] as const;
