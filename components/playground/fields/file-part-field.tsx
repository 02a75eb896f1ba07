import { FileField } from "./file-field.tsx";
import { FilesField, type FilesFieldProps } from "./files-field.tsx";

/** The field of a part, for one file or for several. */
export function FilePartField(props: FilesFieldProps) {
  const { sources, onChange, ...rest } = props;
  if (props.field.count.max > 1) return <FilesField {...props} />;
  return (
    <FileField
      {...rest}
      source={sources[0]}
      // Further files of an operation that takes several stay for the next one that does.
      onChange={(source) => onChange(([, ...others]) => (source ? [source, ...others] : []))}
    />
  );
}
