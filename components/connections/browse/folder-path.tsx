import { Button } from "#components/ui/button.tsx";
import { folderSteps, nameOf } from "./folder-steps.ts";

interface FolderPathProps {
  /** What the root is called. */
  readonly root: string;
  readonly path: string;
  readonly onOpen: (path: string) => void;
}

/** The folders from the root to the one that is shown. */
export function FolderPath({ root, path, onOpen }: FolderPathProps) {
  const steps = folderSteps(path).map((step) => ({
    name: step === "" ? root : nameOf(step),
    path: step,
  }));
  return (
    <nav aria-label="Folder" className="min-w-0">
      <ol className="flex min-w-0 flex-wrap items-center gap-x-1 text-sm">
        {steps.map((step, index) => (
          <li key={step.path} className="flex min-w-0 items-center gap-1">
            {index > 0 && (
              <span aria-hidden="true" className="text-muted-foreground">
                /
              </span>
            )}
            {step.path === path ? (
              <span aria-current="location" className="truncate px-1 font-medium">
                {step.name}
              </span>
            ) : (
              <Button
                variant="ghost"
                size="sm"
                className="h-7 min-w-0 px-1"
                onClick={() => onOpen(step.path)}
              >
                <span className="truncate">{step.name}</span>
              </Button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
