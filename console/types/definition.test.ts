import { describe, expect, it } from 'vitest';
import { conversionState, type Definition } from './definition.ts';

function definition(versions: readonly string[], stored: readonly string[], strategy?: string): Definition {
  return {
    metadata: { name: 'boats.x.io' },
    spec: {
      group: 'x.io',
      scope: 'Namespaced',
      names: { kind: 'Boat', plural: 'boats' },
      versions: versions.map((name, index) => ({ name, served: true, storage: index === versions.length - 1 })),
      ...(strategy && { conversion: { strategy } }),
    },
    status: { storedVersions: stored },
  };
}

describe('conversionState', () => {
  it.each([
    [definition(['v1'], ['v1']), 'one version, nothing to convert'],
    [definition(['v1', 'v2'], ['v2']), 'all objects are stored as v2; other versions are converted (None)'],
    [
      definition(['v1', 'v2'], ['v1', 'v2'], 'Webhook'),
      'objects may still be stored as v1: they are converted (Webhook) when they are read',
    ],
  ])('%#', (given, expected) => {
    expect(conversionState(given)).toBe(expected);
  });
});
