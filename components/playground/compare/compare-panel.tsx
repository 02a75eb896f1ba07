"use client";

import { XIcon } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card, CardContent } from "#components/ui/card.tsx";
import { InlineCode } from "#components/ui/inline-code.tsx";
import { Field } from "#components/ui/inputs/field.tsx";
import { Input } from "#components/ui/inputs/input.tsx";
import { Select } from "#components/ui/inputs/select.tsx";
import type { FormOperation, FormValues } from "../form/form-field.ts";
import { jsonValues } from "../form/values.ts";
import { uploadForPreview } from "../live/preview-api.ts";
import { Curve } from "./curve.tsx";
import { type ComparedResult, toResult } from "./result.ts";
import { type Outcome, runSettings } from "./run-settings.ts";
import { labelOfSetting, SettingCard } from "./setting-card.tsx";
import {
  comparableFields,
  firstField,
  maxSettings,
  parseValues,
  proposedValues,
  type Setting,
  settingsOf,
  settingsProblem,
  valuesWith,
} from "./settings.ts";

interface ComparePanelProps {
  readonly operation: FormOperation;
  readonly values: FormValues;
  readonly file: File;
  /** Fills the form with the values of a setting. */
  readonly onUse: (setting: Setting) => void;
  readonly onClose: () => void;
}

interface Comparison {
  readonly settings: readonly Setting[];
  readonly outcomes: readonly Outcome[];
}

/** Runs one file with up to nine settings, and shows the results next to each other. */
export function ComparePanel({ operation, values, file, onUse, onClose }: ComparePanelProps) {
  const fields = comparableFields(operation);
  const initial = firstField(operation);
  const [names, setNames] = useState([initial?.name ?? "", ""]);
  const [texts, setTexts] = useState([initial ? proposedValues(initial, 5).join(", ") : "", ""]);
  const [comparison, setComparison] = useState<Comparison>();
  const [problem, setProblem] = useState<string>();
  const [used, setUsed] = useState<string>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const card = useRef<HTMLDivElement>(null);
  // On narrow pages it is below the form, where its opening would not be seen.
  useEffect(() => {
    const top = card.current?.getBoundingClientRect().top ?? 0;
    if (top > window.innerHeight / 2) card.current?.scrollIntoView({ block: "start" });
  }, []);

  function chooseField(at: number, name: string) {
    const field = fields.find((one) => one.name === name);
    const other = parseValues(texts[1 - at] ?? "").length || 1;
    const count = Math.max(1, Math.floor(maxSettings / (names[1 - at] ? other : 1)));
    const text = field ? proposedValues(field, Math.min(5, count)).join(", ") : "";
    setNames(names.with(at, name));
    setTexts(texts.with(at, text));
  }

  async function start(event: FormEvent) {
    event.preventDefault();
    // The panel is next to the form of the playground, and in no form itself.
    event.stopPropagation();
    const axes = names.flatMap((name, at) =>
      name === "" ? [] : [{ name, values: parseValues(texts[at] ?? "") }],
    );
    const found = settingsProblem(operation, axes);
    setProblem(found);
    if (found) return;
    const settings = settingsOf(axes);
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setUsed(undefined);
    setComparison({ settings, outcomes: settings.map(() => ({ kind: "waiting" as const })) });
    const onOutcome = (index: number, outcome: Outcome) =>
      setComparison(
        (before) => before && { ...before, outcomes: before.outcomes.with(index, outcome) },
      );
    try {
      const upload = await uploadForPreview(file, controller.signal);
      const params = settings.map((setting) =>
        jsonValues(operation.fields, valuesWith(values, setting), "shown"),
      );
      await runSettings(operation.id, upload, params, controller.signal, onOutcome);
    } catch (error) {
      if (controller.signal.aborted) return;
      setComparison(undefined);
      setProblem(error instanceof Error ? error.message : "The file could not be uploaded.");
    }
  }

  const results = (comparison?.settings ?? []).flatMap((setting, index) => {
    const outcome = comparison?.outcomes[index];
    return (outcome && toResult(setting, outcome)) ?? [];
  });
  const count = comparison?.settings.length ?? 0;
  return (
    <Card ref={card} aria-label="Compare settings" className="min-w-0 scroll-mt-20">
      <CardContent className="grid gap-4">
        <div className="flex items-center justify-between gap-3">
          <h2 className="text-sm font-medium">Compare settings</h2>
          <Button variant="ghost" size="icon-sm" onClick={onClose}>
            <XIcon />
            <span className="sr-only">Close the comparison</span>
          </Button>
        </div>
        <form onSubmit={start} className="grid gap-3">
          {[0, 1].map((at) => (
            <div key={at} className="grid items-start gap-3 sm:grid-cols-2">
              <Field label={at === 0 ? "Parameter" : "Second parameter"}>
                {(control) => (
                  <Select
                    {...control}
                    value={names[at] ?? ""}
                    onChange={(event) => chooseField(at, event.target.value)}
                  >
                    {at === 1 && <option value="">None</option>}
                    {fields
                      .filter(({ name }) => name !== names[1 - at])
                      .map(({ name }) => (
                        <option key={name} value={name}>
                          {name}
                        </option>
                      ))}
                  </Select>
                )}
              </Field>
              {names[at] !== "" && (
                <Field label={at === 0 ? "Values" : "Values of the second parameter"}>
                  {(control) => (
                    <Input
                      {...control}
                      value={texts[at] ?? ""}
                      onChange={(event) => setTexts(texts.with(at, event.target.value))}
                    />
                  )}
                </Field>
              )}
            </div>
          ))}
          {problem && (
            <p role="alert" className="text-sm text-destructive">
              <InlineCode text={problem} />
            </p>
          )}
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="max-w-prose text-sm text-muted-foreground">
              Each setting is a job of its own, which counts toward your usage. Up to {maxSettings}.
            </p>
            <Button type="submit">Compare</Button>
          </div>
        </form>
        {comparison && (
          <>
            <p className="sr-only" aria-live="polite">
              {results.length} of {count} settings are done.
            </p>
            <Curve
              results={results}
              labelOf={(result: ComparedResult) => labelOfSetting(result.setting)}
            />
            <ul aria-label="Results" className="grid grid-cols-2 gap-3 sm:grid-cols-3">
              {comparison.settings.map((setting, index) => (
                <SettingCard
                  key={labelOfSetting(setting)}
                  setting={setting}
                  outcome={comparison.outcomes[index] ?? { kind: "waiting" }}
                  onUse={() => {
                    onUse(setting);
                    setUsed(labelOfSetting(setting));
                  }}
                />
              ))}
            </ul>
            <p className="text-sm text-muted-foreground" aria-live="polite">
              {used && `The form has ${used} now. “Copy as code” writes the request.`}
            </p>
          </>
        )}
      </CardContent>
    </Card>
  );
}
