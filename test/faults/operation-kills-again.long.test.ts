import { test } from 'vitest';
import { operationKills } from './operation-kills.ts';

test('nothing is damaged and nothing is lost in another 500 kills of servers, backups and restores', () =>
  operationKills({ kills: 500, seed: 3 }));
