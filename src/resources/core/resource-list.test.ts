import { describe, expect, it } from 'vitest';
import { roundResources } from './resource-list.ts';

describe('roundResources', () => {
  it.each([
    ['1', '1'],
    ['1500m', '1500m'],
    ['1u', '1m'],
    ['1500u', '2m'],
    ['1000001n', '2m'],
    ['-1500u', '-2m'],
    ['1e-3', '1e-3'],
    ['1500e-6', '2e-3'],
    ['999999999n', '1'],
  ])('rounds %s to %s', (amount, kept) => {
    const resources = { cpu: amount };
    roundResources(resources);
    expect(resources.cpu).toBe(kept);
  });
});
