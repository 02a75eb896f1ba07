import { expect, test } from "vitest";
import { chooseWindow } from "#lib/operations/shared/image/faces/choose-window.ts";

const frame = { width: 1000, height: 200 };
const face = (left: number, side: number) => ({ left, top: 60, width: side, height: side });

test("the window covers the faces with the largest area in total, in its middle", () => {
  const faces = [face(50, 70), face(600, 60), face(700, 60)];
  expect(chooseWindow(faces, frame, { width: 300, height: 200 })).toEqual({ left: 530, top: 0 });
  expect(chooseWindow(faces, frame, { width: 100, height: 200 })).toEqual({ left: 35, top: 0 });
});

test("the window stays in the frame", () => {
  const window = { width: 400, height: 200 };
  expect(chooseWindow([face(0, 50)], frame, window)).toEqual({ left: 0, top: 0 });
  expect(chooseWindow([face(950, 50)], frame, window)).toEqual({ left: 600, top: 0 });
});

test("the largest face is in the middle if no face fits", () => {
  const faces = [face(100, 60), face(600, 100)];
  expect(chooseWindow(faces, frame, { width: 50, height: 50 })).toEqual({ left: 625, top: 73 });
});
