import { expect, it } from "vitest";
import type { Page, Run, StructureNode } from "./page.ts";
import { renderTagged } from "./tagged.ts";

/** A line of 80 points at a place, as the marked content `mark`. */
function line(text: string, left: number, baseline: number, mark: string): Run {
  const box = { left, top: baseline - 10, right: left + 80, bottom: baseline };
  const style = { bold: false, italic: false, mono: false, isMath: false };
  return {
    ...box,
    ...style,
    text,
    size: 10,
    baseline,
    mark,
    rightToLeft: false,
    isArtifact: false,
  };
}

const paragraph = (...marks: string[]): StructureNode => ({
  role: "P",
  children: marks.map((id) => ({ type: "content", id })),
});

function render(runs: readonly Run[], ...children: StructureNode[]): string | undefined {
  const page: Page = {
    ...{ number: 1, width: 300, height: 300, rules: [], images: [], runs },
    structure: { role: "Document", children },
  };
  return renderTagged(page);
}

it("a paragraph goes on at the top of the next column", () => {
  const runs = [
    line("First.", 10, 20, "a"),
    line("A camera, or", 10, 50, "b"),
    line("only a", 10, 62, "b"),
    line("warm coat for", 110, 20, "b"),
    line("the evening.", 110, 32, "b"),
    line("Last.", 110, 60, "c"),
  ];
  expect(render(runs, paragraph("a"), paragraph("b"), paragraph("c"))).toBe(
    "<p>First.</p><p>A camera, or only a warm coat for the evening.</p><p>Last.</p>",
  );
});

it("lines of one column that are drawn from below are read from above", () => {
  const runs = [line("second", 10, 32, "a"), line("First and", 12, 20, "a")];
  expect(render(runs, paragraph("a"))).toBe("<p>First and second</p>");
});
