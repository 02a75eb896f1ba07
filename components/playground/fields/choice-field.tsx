import { Select } from "#components/ui/inputs/select.tsx";
import type { ControlProps } from "./control-props.ts";

type ChoiceFieldProps = ControlProps & { readonly options: readonly string[] };

/** Few short options are shown side by side, all others in a list. */
const maxSegments = 7;
const maxLetters = 40;

/** One of several options. */
export function ChoiceField(props: ChoiceFieldProps) {
  const { options, field } = props;
  // An optional field without a default may be left empty.
  const isFixed = field.required || field.initial !== null;
  const fits = options.length <= maxSegments && options.join("").length <= maxLetters;
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
          className="relative rounded-sm px-2.5 py-1 text-sm hover:bg-accent has-checked:bg-primary has-checked:text-primary-foreground has-checked:forced-color-adjust-none has-focus-visible:outline-2 has-focus-visible:outline-brand"
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
