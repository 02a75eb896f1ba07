"use client";

import { EyeIcon, EyeOffIcon } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Input } from "#components/ui/inputs/input.tsx";

/** A password field with a button that shows the password. */
export function PasswordInput(props: Omit<ComponentProps<"input">, "type">) {
  const [shown, setShown] = useState(false);
  const label = shown ? "Hide password" : "Show password";
  return (
    <div className="relative">
      <Input
        {...props}
        type={shown ? "text" : "password"}
        autoCapitalize="none"
        spellCheck={false}
        className="pr-10"
      />
      <Button
        variant="ghost"
        size="icon-sm"
        title={label}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
        className="absolute top-0.5 right-0.5 text-muted-foreground"
      >
        {shown ? <EyeOffIcon /> : <EyeIcon />}
        <span className="sr-only">{label}</span>
      </Button>
    </div>
  );
}
