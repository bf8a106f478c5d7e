const shortModes: readonly (readonly [string, string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

/** Always in the same order; modes that nobody knows are left out. */
export function accessModesText(modes: readonly string[] | null | undefined): string {
  const given = new Set(modes);
  return shortModes
    .filter(([mode]) => given.has(mode))
    .map(([, short]) => short)
    .join(',');
}
