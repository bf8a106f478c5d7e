import type { RollingUpdate } from './workload-shapes.ts';

/** The strategy as error messages print it: all fields, with the names of the internal Go type. */
export function internalStrategy({
  type = '',
  rollingUpdate,
}: {
  type?: string;
  rollingUpdate?: RollingUpdate;
}): object {
  return {
    Type: type,
    RollingUpdate:
      rollingUpdate === undefined
        ? null
        : { MaxUnavailable: rollingUpdate.maxUnavailable ?? 0, MaxSurge: rollingUpdate.maxSurge ?? 0 },
  };
}
