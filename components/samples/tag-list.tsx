/** Tags that every file of the format has and that contain no personal data. */
const technical = new Set([
  "XResolution",
  "YResolution",
  "ResolutionUnit",
  "YCbCrPositioning",
  "ExifVersion",
  "ComponentsConfiguration",
  "FlashpixVersion",
  "ColorSpace",
  "GPSVersionID",
  "GPSLatitudeRef",
  "GPSLongitudeRef",
]);

/** The tags of a file that may contain personal data. */
export function TagList({ tags }: { tags: Readonly<Record<string, unknown>> }) {
  const personal = Object.entries(tags).filter(([name]) => !technical.has(name));
  if (personal.length === 0)
    return <p className="p-8 text-sm text-muted-foreground">No personal tags.</p>;
  return (
    <dl className="grid w-full grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 p-4 font-mono text-xs">
      {personal.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted-foreground">{name}</dt>
          <dd className="truncate">{String(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
