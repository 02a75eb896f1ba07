import { cn } from "#components/class-names.ts";
import type { ServedPicture } from "#lib/api/endpoints/live/preview.ts";
import type { FormField } from "../form/form-field.ts";

interface LivePictureProps {
  readonly picture: ServedPicture;
  /** Whether it is not what the present values make. */
  readonly isStale: boolean;
  readonly className: string;
  /** The parameter for one of nine positions, which is also chosen on the picture. */
  readonly position: FormField | undefined;
  readonly value: string | undefined;
  readonly onChange: (name: string, value: string) => void;
}

/** The result as a picture, on which a position is chosen with a click. */
export function LivePicture(props: LivePictureProps) {
  const { picture, isStale, className, position, value, onChange } = props;
  const options = position?.control.kind === "position" ? position.control.options : [];
  return (
    <div className="relative mx-auto w-fit max-w-full">
      <img
        src={`data:${picture.content_type};base64,${picture.image}`}
        alt="Preview of the result"
        className={cn(
          "max-w-full rounded-lg border bg-secondary object-contain",
          className,
          isStale && "opacity-50",
        )}
      />
      {position && (
        <div className="absolute inset-0 grid grid-cols-3 grid-rows-3 overflow-hidden rounded-lg">
          {options.map((option) => (
            <button
              key={option}
              type="button"
              // Keyboards have the radio buttons of the form.
              tabIndex={-1}
              title={option}
              aria-label={`${position.name}: ${option}`}
              aria-pressed={option === (value || position.initial)}
              onClick={() => onChange(position.name, option)}
              className="-outline-offset-2 hover:bg-brand/10 hover:outline-2 hover:outline-brand hover:outline-dashed"
            />
          ))}
        </div>
      )}
    </div>
  );
}
