import { afterEach, expect, it, vi } from "vitest";
import { loadOr } from "#components/ui/loading/load-or.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const Part = () => null;
const Fallback = () => null;

it("a script that cannot be loaded is reported, and the fallback takes its place", async () => {
  const report = vi.spyOn(console, "error").mockImplementation(() => {});
  expect(await loadOr(async () => Part, Fallback)).toBe(Part);
  expect(report).not.toHaveBeenCalled();
  const error = new Error("a fault in the script");
  expect(await loadOr(() => Promise.reject(error), Fallback)).toBe(Fallback);
  expect(report).toHaveBeenCalledWith(error);
});
