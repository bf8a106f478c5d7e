import { expect, it } from 'vitest';
import { builtInResources, knownVersions, optionalResources } from './index.ts';
import { retiredVersions } from './retired-versions.ts';

it('lists every version that is served, optional or retired, once', () => {
  const known = knownVersions.map(({ group, version }) => (group === '' ? version : `${group}/${version}`));
  const served = [...builtInResources, ...optionalResources].map(({ group, version }) =>
    group === '' ? version : `${group}/${version}`,
  );
  expect(new Set(known).size).toBe(known.length);
  for (const version of [...served, ...Object.keys(retiredVersions)]) expect(known).toContain(version);
});
