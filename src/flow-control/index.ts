/**
 * Priority and fairness: FlowSchemas and PriorityLevelConfigurations determine which requests run, wait or are
 * rejected, so that no client can starve another. `queues/` contains only the fair queuing, independent of objects and
 * HTTP. `matching/` finds the schema of a request, `levels/` divides the seats, `objects/` has the default objects and
 * writes conditions, `debug/` shows the current state.
 */

export type { FlowSchema } from '../resources/flowcontrol/flow-schema-types.ts';
export type { PriorityLevelConfiguration } from '../resources/flowcontrol/priority-level-types.ts';
export { DebugPages } from './debug/debug-pages.ts';
export { type FlowState, flowState, flowStateOfAll } from './debug/flow-state.ts';
export { FlowControl } from './flow-control.ts';
export { flowControlFilter } from './flow-control-filter.ts';
export { InFlightCounts } from './in-flight-counts.ts';
export { inFlightLimit } from './in-flight-limit.ts';
export { LevelSeats } from './levels/level-seats.ts';
export { ensureDefaultObjects } from './objects/ensure-default-objects.ts';
export {
  flowSchemas,
  nameOf,
  priorityLevels,
} from './objects/flow-objects.ts';
export { FlowSchemaConditions } from './objects/flow-schema-conditions.ts';
export { RunningRequests } from './running-requests.ts';
export type { FindLoad } from './work-estimate.ts';
