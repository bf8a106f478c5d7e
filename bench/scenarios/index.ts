/**
 * All scenarios, in the order of the table. A scenario states its goal and the result of kube-apiserver. Load
 * generation, server processes and the interleaving of rounds are in the parent folder.
 */
import type { Scenario } from '../scenario.ts';
import { admissionScenarios } from './admission.ts';
import { applyScenario } from './apply.ts';
import { authorizationScenario } from './authorization.ts';
import { codecScenario } from './codec.ts';
import { createScenarios } from './create.ts';
import { customObjectScenarios } from './custom-objects.ts';
import { definitionsScenario } from './definitions.ts';
import { disturbedCreateScenarios } from './disturbed-create.ts';
import { etcdScenarios } from './etcd.ts';
import { execScenario } from './exec.ts';
import { fanOutScenarios } from './fan-out.ts';
import { filledMemoryScenario } from './filled-memory.ts';
import { getScenarios } from './get.ts';
import { idleMemoryScenario } from './idle-memory.ts';
import { listScenarios } from './list.ts';
import { listMemoryScenarios } from './list-memory.ts';
import { listPagesScenarios } from './list-pages.ts';
import { overheadScenarios } from './overhead.ts';
import { proxyScenario } from './proxy.ts';
import { filledStartScenarios, startUpScenario } from './start-up.ts';
import { testServersScenario } from './test-servers.ts';
import { threadsScenario } from './threads.ts';
import { transferScenarios } from './transfer.ts';
import { watchLatencyScenarios } from './watch-latency.ts';
import { watchMemoryScenario } from './watch-memory.ts';

export const scenarios: readonly Scenario[] = [
  ...getScenarios,
  authorizationScenario,
  ...overheadScenarios,
  ...listScenarios,
  ...createScenarios,
  applyScenario,
  ...disturbedCreateScenarios,
  ...fanOutScenarios,
  ...watchLatencyScenarios,
  startUpScenario,
  ...filledStartScenarios,
  testServersScenario,
  idleMemoryScenario,
  filledMemoryScenario,
  ...listPagesScenarios,
  ...listMemoryScenarios,
  watchMemoryScenario,
  ...customObjectScenarios,
  definitionsScenario,
  ...admissionScenarios,
  proxyScenario,
  execScenario,
  ...etcdScenarios,
  threadsScenario,
  ...transferScenarios,
  codecScenario,
];
