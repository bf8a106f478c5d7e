import type { Meter } from '../../meta/meter.ts';
import type { LateOutcome } from '../filters/deadline.ts';

/** Counts handlers that end after their requests have timed out, under the name and labels of kube-apiserver. */
export function countLate(meter: Meter): (outcome: LateOutcome) => void {
  const requests = meter.counter({
    name: 'apiserver_request_post_timeout_total',
    help: 'Requests whose handlers ended after they had timed out, by how they ended.',
    labels: ['source', 'status'],
  });
  return (outcome) => requests.of('timeout-handler', outcome).add();
}
