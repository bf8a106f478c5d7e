import { ApiError, type Client, isUnreadable } from '../client/index.ts';
import { systemClock, timestamp } from '../meta/clock.ts';
import { cidrText } from '../resources/validation/addresses.ts';
import type { ServiceRanges } from './service-ranges.ts';

const name = 'kubernetes';

/** Creates the ServiceCIDR object with the ranges of the server. Idempotent: an existing object keeps its ranges. */
export async function ensureDefaultServiceCidr(
  client: Client,
  { cidrs }: ServiceRanges,
  clock = systemClock,
): Promise<void> {
  const ranges = client.resource({ group: 'networking.k8s.io', version: 'v1', resource: 'servicecidrs' });
  // Read first: a webhook or policy may refuse the create of an object that exists.
  let present = await ranges.get(name).catch(ifAbsent);
  if (present === 'missing') {
    await ranges.create({ metadata: { name }, spec: { cidrs: cidrs.map(cidrText) } }).catch(ifPresent);
    present = await ranges.get(name).catch(ifAbsent);
  }
  if (typeof present === 'string') return;
  if ((present.status as { conditions?: unknown } | undefined)?.conditions !== undefined) return;
  const condition = {
    type: 'Ready',
    status: 'True',
    lastTransitionTime: timestamp(clock),
    reason: '',
    message: 'Kubernetes default Service CIDR is ready',
  };
  await ranges.patch(name, { status: { conditions: [condition] } }, { subresource: 'status' });
}

/** Logs the name of an unreadable object. It must not keep the server from starting. */
function ifAbsent(error: unknown): 'missing' | 'unreadable' {
  if (isUnreadable(error)) return 'unreadable';
  if (error instanceof ApiError && error.status?.reason === 'NotFound') return 'missing';
  throw error;
}

/** Ignores the error of a create when another server has created the object. */
function ifPresent(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.status?.reason !== 'AlreadyExists') throw error;
}
