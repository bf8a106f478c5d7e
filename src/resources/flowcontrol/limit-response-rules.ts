import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  notSupportedValue,
  requiredValue,
} from '../../meta/field-error.ts';
import type { LimitResponse, QueuingConfiguration } from './priority-level-types.ts';

const maxQueues = 10_000_000;
/** The number of hash bits that shuffle sharding uses to choose a hand of queues. */
const maxEntropy = 60;

export function setQueuingDefaults(response: LimitResponse | undefined): void {
  const queuing = response?.queuing;
  if (queuing === undefined) return;
  queuing.queues ||= 64;
  queuing.handSize ||= 8;
  queuing.queueLengthLimit ||= 50;
}

export function validateLimitResponse({ type = '', queuing }: LimitResponse = {}, path: string): FieldError[] {
  if (type === 'Reject') {
    if (queuing === undefined) return [];
    return [forbiddenValue(`${path}.queuing`, 'must be nil if limited.limitResponse.type is not Limited')];
  }
  if (type === '') return [requiredValue(`${path}.type`)];
  if (type !== 'Queue') return [notSupportedValue(`${path}.type`, type, ['Queue', 'Reject'])];
  if (queuing !== undefined) return queuingErrors(queuing, `${path}.queuing`);
  return [requiredValue(`${path}.queuing`, 'must not be empty if limited.limitResponse.type is Limited')];
}

function queuingErrors(
  { queues = 0, handSize = 0, queueLengthLimit = 0 }: QueuingConfiguration,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (queueLengthLimit <= 0)
    errors.push(invalidValue(`${path}.queueLengthLimit`, queueLengthLimit, 'must be positive'));
  if (queues <= 0) errors.push(invalidValue(`${path}.queues`, queues, 'must be positive'));
  else if (queues > maxQueues) {
    errors.push(invalidValue(`${path}.queues`, queues, `must not be greater than ${maxQueues}`));
  }
  const detail = handProblem(queues, handSize);
  if (detail !== undefined) errors.push(invalidValue(`${path}.handSize`, handSize, detail));
  return errors;
}

function handProblem(queues: number, handSize: number): string | undefined {
  if (handSize <= 0) return 'must be positive';
  if (handSize > queues) return `should not be greater than queues (${queues})`;
  if (Math.ceil(Math.log2(queues) * handSize) <= maxEntropy) return undefined;
  const entropy = `required entropy bits of deckSize ${queues} and handSize ${handSize}`;
  return `${entropy} should not be greater than ${maxEntropy}`;
}
