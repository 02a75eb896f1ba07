import {
  BookOpenIcon,
  CableIcon,
  ChartNoAxesColumnIcon,
  FlaskConicalIcon,
  GaugeIcon,
  ImagesIcon,
  KeyRoundIcon,
  ListIcon,
  ScrollTextIcon,
  SettingsIcon,
  ShieldCheckIcon,
  WebhookIcon,
} from "lucide-react";

/** The pages in the dashboard's navigation and search. */
export const dashboardPages = [
  {
    href: "/dashboard",
    label: "Overview",
    icon: GaugeIcon,
    about: "Usage, jobs per day and success rate.",
  },
  {
    href: "/dashboard/jobs",
    label: "Jobs",
    icon: ListIcon,
    about: "All jobs by status, operation, date or ID.",
  },
  {
    href: "/dashboard/usage",
    label: "Usage",
    icon: ChartNoAxesColumnIcon,
    about: "Jobs by operation, API key, day and error code. Quota and forecast.",
  },
  {
    href: "/dashboard/playground",
    label: "Playground",
    icon: FlaskConicalIcon,
    about: "Run an operation on a file without an API key.",
  },
  {
    href: "/dashboard/requests",
    label: "Requests",
    icon: ScrollTextIcon,
    about: "Every API request, rejected ones too, and what was wrong.",
  },
  {
    href: "/dashboard/keys",
    label: "API keys",
    icon: KeyRoundIcon,
    about: "Create and revoke API keys.",
  },
  {
    href: "/dashboard/connections",
    label: "Connections",
    icon: CableIcon,
    about: "Your own stores: S3, Google Cloud, Azure, SFTP and WebDAV.",
  },
  {
    href: "/dashboard/images",
    label: "Images by URL",
    icon: ImagesIcon,
    about: "Keys that sign URLs of pictures, the cache and a URL builder.",
  },
  {
    href: "/dashboard/webhooks",
    label: "Webhooks",
    icon: WebhookIcon,
    about: "Endpoints, signing secret, deliveries, test receiver and samples.",
  },
  {
    href: "/dashboard/settings",
    label: "Settings",
    icon: SettingsIcon,
    about: "Plan and limits, password, active sessions.",
  },
  {
    href: "/docs",
    label: "Docs",
    icon: BookOpenIcon,
    about: "Guides and API reference.",
  },
] as const;

/** Only operators see it; for others, the page does not exist. */
export const operatorPage = {
  href: "/dashboard/operator",
  label: "Operator",
  icon: ShieldCheckIcon,
  about: "Accounts, queue, runners, storage and settings of this service.",
} as const;
