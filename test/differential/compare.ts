import { type Difference, differingPlaces, type Json } from '../invariants/json.ts';
import type { Answer } from './case.ts';
import { Masks } from './masks.ts';
import type { Exchange } from './player.ts';

/** The first step of a case at which two servers differ. */
export interface DifferentStep {
  readonly index: number;
  readonly differences: readonly Difference[];
}

/**
 * Compares what two servers answered to the same case. Steps after one that only one of them accepted are not compared,
 * because they differ for that reason. `view` converts bodies that were received in different encodings.
 */
export function compareExchanges(
  left: readonly Exchange[],
  right: readonly Exchange[],
  view: (body: Json) => Json = (body) => body,
): DifferentStep[] {
  const masks = [new Masks(), new Masks()] as const;
  const different: DifferentStep[] = [];
  for (const [index, exchange] of left.entries()) {
    const other = right[index]!;
    const answers = [masks[0].masked(viewed(exchange, view)), masks[1].masked(viewed(other, view))] as const;
    if (!exchange.isCompared) continue;
    const differences = answerDifferences(...answers);
    if (differences.length > 0) different.push({ index, differences });
    if (isAccepted(exchange.answer) !== isAccepted(other.answer)) break;
  }
  return different;
}

function viewed(exchange: Exchange, view: (body: Json) => Json): Exchange {
  return { ...exchange, answer: { ...exchange.answer, body: view(exchange.answer.body) } };
}

/** The bodies of answers that only one server accepted have nothing in common. */
function answerDifferences(left: Answer, right: Answer): Difference[] {
  const status = { path: ['status code'], left: said(left), right: said(right) };
  if (isAccepted(left) !== isAccepted(right)) return [status];
  return [
    ...(left.status === right.status ? [] : [{ ...status, left: left.status, right: right.status }]),
    ...differingPlaces(left.warnings, right.warnings, ['warnings']),
    ...differingPlaces(left.body, right.body),
  ];
}

/** The message explains why one server refused what the other accepted. */
function said({ status, body }: Answer): string {
  const { message } = (body ?? {}) as { message?: string };
  return status >= 300 && message !== undefined ? `${status} ${message}` : `${status}`;
}

function isAccepted({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}
