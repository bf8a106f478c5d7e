/**
 * What is measured, in the order of the table. A scenario states its own goal and what kube-apiserver reaches; how load
 * is made, servers are started and rounds are interleaved is next door.
 */
import type { Scenario } from '../scenario.ts';
import { createScenarios } from './create.ts';
import { filledMemoryScenario } from './filled-memory.ts';
import { getScenarios } from './get.ts';
import { idleMemoryScenario } from './idle-memory.ts';
import { listScenarios } from './list.ts';
import { startUpScenario } from './start-up.ts';

export const scenarios: readonly Scenario[] = [
  ...getScenarios,
  ...listScenarios,
  ...createScenarios,
  startUpScenario,
  idleMemoryScenario,
  filledMemoryScenario,
];
