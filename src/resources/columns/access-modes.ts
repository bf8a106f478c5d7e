const shortModes: readonly (readonly [string, string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

/** Returns the short names of the modes in a fixed order. Unknown modes are left out. */
export function accessModesText(modes: readonly string[] | null | undefined): string {
  const given = new Set(modes);
  return shortModes
    .filter(([mode]) => given.has(mode))
    .map(([, short]) => short)
    .join(',');
}
