import type { Operation } from "../definition.ts";
import { boundsOf, type ParameterSchema, parameterSchemas } from "../parameter-schema.ts";

export interface ScaledParams {
  readonly params: Record<string, unknown>;
  /** Whether a scaled value is below the least one that the parameter allows, and is that one instead. */
  readonly isApproximate: boolean;
}

/**
 * Parameters for a smaller copy of a file, whose sides are `scale` of the full ones. What has the unit `px`, or `pt` in
 * a frame, and regions are in pixels, so they are scaled; all others do not depend on the size.
 *
 * @param scale from 0 to 1; 1 changes nothing
 */
export function scaleParams(
  operation: Pick<Operation, "params" | "group">,
  params: Readonly<Record<string, unknown>>,
  scale: number,
): ScaledParams {
  if (scale >= 1) return { params: { ...params }, isApproximate: false };
  const { properties } = parameterSchemas(operation.params);
  let isApproximate = false;
  const scaled = Object.entries(params).map(([name, value]) => {
    const schema = properties[name];
    if (!schema) return [name, value] as const;
    if (schema.control === "region") return [name, scaleRegions(value, scale)] as const;
    if (!isInPixels(schema, operation.group)) return [name, value] as const;
    const result = scaleNumber(value, schema, scale);
    isApproximate ||= result.isClamped;
    return [name, result.value] as const;
  });
  return { params: Object.fromEntries(scaled), isApproximate };
}

/** A point is a pixel of a frame, but a length on a page, which keeps its size. */
function isInPixels({ unit }: ParameterSchema, group: string): boolean {
  return unit === "px" || (unit === "pt" && group === "video");
}

/** Whole numbers are rounded down, so that a region stays inside of the smaller copy. */
function scaleNumber(
  value: unknown,
  schema: ParameterSchema,
  scale: number,
): { readonly value: unknown; readonly isClamped: boolean } {
  const kept = { value, isClamped: false };
  if (typeof value === "string") {
    // Such as a radius of `20`; `10%` is a share.
    return /^\d+(?:\.\d+)?$/.test(value) ? scaleNumber(Number(value), schema, scale) : kept;
  }
  if (typeof value !== "number" || value === 0) return kept;
  const exact = value * scale;
  const rounded = schema.type === "integer" ? Math.floor(exact) : exact;
  const { min } = boundsOf(schema);
  const least = Math.max(min ?? 0, schema.type === "integer" ? Math.min(1, min ?? 0) : 0);
  // A side of one pixel is nearly right; a radius of twice its size is not.
  const isClamped = rounded < least && least - exact > 0.5;
  return { value: Math.max(rounded, least), isClamped };
}

function scaleRegions(value: unknown, scale: number): unknown {
  if (Array.isArray(value)) return value.map((one) => scaleRegions(one, scale));
  if (typeof value !== "string") return value;
  const [left = 0, top = 0, width = 0, height = 0] = value.split(",").map(Number);
  const side = (pixels: number) => Math.max(1, Math.floor(pixels * scale));
  return [Math.floor(left * scale), Math.floor(top * scale), side(width), side(height)].join();
}
