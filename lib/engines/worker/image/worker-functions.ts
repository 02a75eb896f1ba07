import { z } from "zod";
import { workerFunction } from "../worker-function.ts";
import { imageInfoSchema } from "./image-info-schema.ts";

const load = () => import(/* turbopackIgnore: true */ "./tasks.ts");

export const renderText = workerFunction(import.meta.url, async () => (await load()).renderText);

export const readHeader = workerFunction(
  import.meta.url,
  async () => (await load()).readHeader,
  imageInfoSchema,
);

export const normalizeToPng = workerFunction(
  import.meta.url,
  async () => (await load()).normalizeToPng,
);

export const convert = workerFunction(import.meta.url, async () => (await load()).convert);

export const drawSvg = workerFunction(import.meta.url, async () => (await load()).drawSvg);

export const scan = workerFunction(
  import.meta.url,
  async () => (await load()).scan,
  z.object({ scale: z.number().positive() }),
);
