"use client";

import { MonitorIcon, MoonIcon, SunIcon } from "lucide-react";
import { useTheme } from "next-themes";
import { useEffect, useState } from "react";
import { Button } from "#components/ui/button.tsx";

const order = ["system", "light", "dark"] as const;
const options = {
  system: { icon: MonitorIcon, label: "Theme: system" },
  light: { icon: SunIcon, label: "Theme: light" },
  dark: { icon: MoonIcon, label: "Theme: dark" },
} as const;

/** Switches between the system, light and dark theme. */
export function ThemeToggle() {
  const { theme, setTheme } = useTheme();
  // The server does not know the selected theme, so the first render must not depend on it.
  const [mounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  const current = order.find((name) => mounted && name === theme) ?? "system";
  const { icon: Icon, label } = options[current];
  const next = order[(order.indexOf(current) + 1) % order.length] ?? "system";
  return (
    <Button variant="ghost" size="icon" title={label} onClick={() => setTheme(next)}>
      <Icon />
      <span className="sr-only">{label}</span>
    </Button>
  );
}
