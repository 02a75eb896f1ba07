import { CropIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#components/ui/button.tsx";
import type { FormValues } from "../form/form-field.ts";
import { CropPicker } from "../pick/crop-picker.tsx";

interface CropStageProps {
  readonly values: FormValues;
  /** The cropped picture. */
  readonly result: ReactNode;
  readonly onChange: (name: string, value: string) => void;
}

/**
 * The whole picture with the box of the result, whose edges are dragged. The result itself is shown if it follows from
 * a ratio, and if the browser cannot show the picture.
 */
export function CropStage({ values, result, onChange }: CropStageProps) {
  if (!values.ratio) return <CropPicker values={values} fallback={result} onChange={onChange} />;
  return (
    <>
      {result}
      <Button
        variant="ghost"
        size="sm"
        className="justify-self-start"
        onClick={() => onChange("ratio", "")}
      >
        <CropIcon aria-hidden="true" />
        Choose a box instead of the ratio
      </Button>
    </>
  );
}
