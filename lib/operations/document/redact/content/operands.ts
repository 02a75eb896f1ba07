import type { PDFDict } from "@cantoo/pdf-lib";
import { key } from "#lib/formats/pdf/forms/collect-fields.ts";
import { identity, type Matrix } from "#lib/formats/pdf/structure/matrix.ts";
import type { Operand } from "./tokenize.ts";

/** The values of operands; 0 for those that are no numbers. */
export const numbersOf = (operands: readonly Operand[]): number[] =>
  operands.map(({ raw }) => Number.parseFloat(raw) || 0);

/** The matrix of `cm` and `Tm`. */
export function toMatrix(operands: readonly Operand[]): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbersOf(operands);
  return [a, b, c, d, e, f];
}

/** The string that `Tj` and its like show; other operands are ignored by readers. */
export const lastString = (operands: readonly Operand[]): Operand[] =>
  operands.filter(({ kind }) => kind === "string").slice(-1);

/** The matrix of a form XObject. */
export function matrixOf(dict: PDFDict): Matrix {
  const text = dict.lookup(key("Matrix"))?.toString() ?? "";
  const values = text.match(/[-+.\d]+/g)?.map(Number) ?? [];
  // Six numbers, or else the identity.
  return values.length === 6 ? (values as unknown as Matrix) : identity;
}
