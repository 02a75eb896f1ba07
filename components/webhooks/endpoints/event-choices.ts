import { eventMeanings, sentEventTypes } from "#lib/db/schema/event-types.ts";

/** Events as the form offers them. */
export interface EventOption {
  readonly value: string;
  readonly meaning: string;
}

const offered: readonly EventOption[] = [
  { value: "*", meaning: "Every event, also of types that are added later." },
  { value: "job.*", meaning: "Every event of a job." },
  ...sentEventTypes.map((value) => ({
    value,
    meaning: eventMeanings[value].replaceAll("`", ""),
  })),
];

/** What is offered, and what an endpoint has besides that. */
export function eventOptions(chosen: readonly string[]): readonly EventOption[] {
  const others = chosen.filter((value) => offered.every((option) => option.value !== value));
  return [...offered, ...others.map((value) => ({ value, meaning: "Chosen by the API." }))];
}
