import type { createTypeCheck } from "#components/playground/form/check-type.ts";
import type { FormValues } from "#components/playground/form/form-field.ts";
import type { Source } from "#components/playground/form/source.ts";
import type { TryPreset } from "./presets.ts";

/** The presets for a file. Of a file whose name shows no type, only those that take any file. */
export function offeredPresets(
  presets: readonly TryPreset[],
  source: Source,
  takes: ReturnType<typeof createTypeCheck>,
  isUnknown: boolean,
): readonly TryPreset[] {
  return presets.filter((preset) => (isUnknown ? preset.takesAny : takes(preset, source)));
}

/** The parameters of a preset with the values that the visitor has changed: numbers as numbers. */
export function paramsWith({ params, fields }: TryPreset, values: FormValues): TryPreset["params"] {
  const changed = fields.flatMap(({ name, control }) => {
    const text = values[name];
    if (text === undefined) return [];
    const value = Number(text);
    const isNumber = "integer" in control && text.trim() !== "" && Number.isFinite(value);
    return [[name, isNumber ? value : text] as const];
  });
  return { ...params, ...Object.fromEntries(changed) };
}

/**
 * The link to the playground with the parameters of a preset filled in, also through the page for
 * signing up, which reads the name of the operation.
 */
export function hrefWithParams({ formHref: href, operation, params }: TryPreset): string {
  if (Object.keys(params).length === 0) return href;
  const operations = JSON.stringify([{ type: operation, params }]);
  const filled = new URLSearchParams({ operations }).toString();
  const [path = "", query = ""] = href.split("?");
  const search = new URLSearchParams(query);
  const next = search.get("next");
  if (next === null) return `${href}&${filled}`;
  search.set("next", `${next}&${filled}`);
  return `${path}?${search}`;
}
