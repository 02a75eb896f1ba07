import { Select } from "#components/ui/select.tsx";
import type { ControlProps } from "./control-props.ts";

type ChoiceFieldProps = ControlProps & { readonly options: readonly string[] };

/** Up to so many short words stand side by side; more of them in a list. */
const mostSegments = 7;
const mostLetters = 40;

/** One of several words. */
export function ChoiceField(props: ChoiceFieldProps) {
  const { options, field } = props;
  // Nothing chosen is a choice too, where the field may be left out and has no default.
  const isFixed = field.required || field.initial !== null;
  const fits = options.length <= mostSegments && options.join("").length <= mostLetters;
  return isFixed && fits ? <Segments {...props} /> : <List {...props} isFixed={isFixed} />;
}

function Segments({ field, options, value, onChange, id, ...rest }: ChoiceFieldProps) {
  const chosen = value === "" ? field.initial : value;
  return (
    <div
      id={id}
      role="radiogroup"
      aria-label={field.name}
      {...rest}
      className="flex w-fit max-w-full flex-wrap gap-1 rounded-md border border-input bg-card p-1"
    >
      {options.map((option) => (
        <label
          key={option}
          className="relative rounded-sm px-2.5 py-1 text-sm hover:bg-accent has-checked:bg-primary has-checked:text-primary-foreground has-focus-visible:outline-2 has-focus-visible:outline-brand"
        >
          <input
            type="radio"
            name={id}
            value={option}
            checked={option === chosen}
            onChange={() => onChange(option)}
            className="absolute inset-0 size-full cursor-pointer appearance-none opacity-0"
          />
          {option}
        </label>
      ))}
    </div>
  );
}

function List({
  field,
  options,
  value,
  onChange,
  isFixed,
  ...rest
}: ChoiceFieldProps & { isFixed: boolean }) {
  return (
    <Select
      {...rest}
      value={value === "" ? (field.initial ?? "") : value}
      onChange={(event) => onChange(event.target.value)}
    >
      {!isFixed && <option value="">auto</option>}
      {field.required && value === "" && <option value="">choose one</option>}
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </Select>
  );
}
