import { expect, test } from 'vitest';
import { builtInResources } from '../catalog.ts';

test('every column has a short description', () => {
  const wrong = builtInResources.flatMap((definition) =>
    (definition.columns?.()?.definitions ?? []).flatMap(({ name, description }) =>
      /^[A-Z0-9].{1,118}\.$/.test(description) ? [] : [`${definition.resource} ${name}: ${description}`],
    ),
  );
  expect(wrong).toEqual([]);
});
