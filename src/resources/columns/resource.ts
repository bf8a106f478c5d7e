import { since } from '../../meta/human-duration.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import type { DeviceTaintRule } from '../resource/device-taint-rule-types.ts';
import type { PoolStatus, ResourcePoolStatusRequest } from '../resource/pool-status-request-types.ts';
import type { ResourceClaim } from '../resource/resource-claim-types.ts';
import type { ResourceSlice } from '../resource/resource-slice-types.ts';
import { age } from './ages.ts';
import {
  deviceTaintRuleDefinitions,
  poolStatusRequestDefinitions,
  resourceClaimDefinitions,
  resourceSliceDefinitions,
} from './definitions/resource.ts';
import { nameAndAge } from './name-and-age.ts';

const resourceClaim: TableColumns = {
  definitions: resourceClaimDefinitions,
  cells: (object, now) => [object.metadata.name ?? '', stateText(object), age(object, now)],
};

function stateText({ metadata, status }: ResourceClaim): string {
  const isDeleted = Boolean(metadata.deletionTimestamp);
  const states = isDeleted ? ['deleted'] : [];
  if (status?.allocation === undefined) {
    if (!isDeleted) states.push('pending');
  } else {
    states.push('allocated');
    if (status.reservedFor?.length) states.push('reserved');
  }
  return states.join(',');
}

const resourceSlice: TableColumns = {
  definitions: resourceSliceDefinitions,
  cells(object, now) {
    const { metadata, spec } = object as ResourceSlice;
    return [metadata.name ?? '', spec?.nodeName ?? '', spec?.driver ?? '', spec?.pool?.name ?? '', age(object, now)];
  },
};

const deviceTaintRule: TableColumns = {
  definitions: deviceTaintRuleDefinitions,
  cells(object, now) {
    const { metadata, spec } = object as DeviceTaintRule;
    const { key = '', value = '', effect = '', timeAdded } = spec?.taint ?? {};
    return [metadata.name ?? '', key, value, effect, timeAdded ? since(timeAdded, now) : '', age(object, now)];
  },
};

const poolStatusRequest: TableColumns = {
  definitions: poolStatusRequestDefinitions,
  cells(object, now) {
    const { metadata, spec, status } = object as ResourcePoolStatusRequest;
    const final = status?.conditions?.find(
      (condition) => ['Complete', 'Failed'].includes(condition.type ?? '') && condition.status === 'True',
    );
    const { pools = [], poolCount = 0 } = status ?? {};
    const missing = final?.type === 'Complete' && poolCount > pools.length;
    return [
      metadata.name ?? '',
      spec?.driver ?? '',
      ...(status === undefined || final?.type === 'Failed' ? Array.from({ length: 5 }, () => '-') : poolCounts(pools)),
      poolCount,
      missing ? `Complete (${pools.length}/${poolCount} pools)` : (final?.type ?? 'Pending'),
      final?.type === 'Complete' ? since(final.lastTransitionTime, now) : '<none>',
    ];
  },
};

/** Returns the sums over all pools, and the number of invalid pools. */
function poolCounts(pools: readonly PoolStatus[]): string[] {
  const sum = (field: 'totalDevices' | 'availableDevices' | 'allocatedDevices' | 'unavailableDevices'): string =>
    String(pools.reduce((total, pool) => total + (pool[field] ?? 0), 0));
  const failed = pools.filter(({ validationError }) => validationError !== undefined).length;
  return [
    sum('totalDevices'),
    sum('availableDevices'),
    sum('allocatedDevices'),
    sum('unavailableDevices'),
    String(failed),
  ];
}

export const resourceColumns: ReadonlyMap<string, TableColumns> = new Map([
  ['resource.k8s.io/ResourceClaim', resourceClaim],
  ['resource.k8s.io/ResourceSlice', resourceSlice],
  ['resource.k8s.io/ResourceClaimTemplate', nameAndAge],
  ['resource.k8s.io/DeviceClass', nameAndAge],
  ['resource.k8s.io/DeviceTaintRule', deviceTaintRule],
  ['resource.k8s.io/ResourcePoolStatusRequest', poolStatusRequest],
]);
