import { test } from 'vitest';
import { operationKills } from './operation-kills.ts';

test('whatever is killed at whatever moment, nothing is damaged and nothing is lost', () =>
  operationKills({ kills: 8, seed: 1 }));
