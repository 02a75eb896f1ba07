import type { ComponentProps } from "react";
import { Input } from "./input.tsx";

/** The form of a day, in words: it is the same in every browser and country. */
export const dayFormat = "YYYY-MM-DD";

/** A day as text, in UTC. The browser's own field for days writes them differently in each country. */
export function DateInput(props: Omit<ComponentProps<"input">, "type" | "pattern">) {
  return (
    <Input
      {...props}
      type="text"
      inputMode="numeric"
      autoComplete="off"
      spellCheck={false}
      maxLength={10}
      pattern="\d{4}-\d{2}-\d{2}"
      placeholder={dayFormat}
      title={`A day in UTC, as ${dayFormat}`}
    />
  );
}
