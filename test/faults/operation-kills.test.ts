import { test } from 'vitest';
import { operationKills } from './operation-kills.ts';

test('whatever is killed at whatever moment, nothing is damaged and nothing is lost', () =>
  operationKills({ kills: 5, seed: 1 }));
