import type { RollingUpdate } from './workload-shapes.ts';

/** A strategy as error messages show it: with all its fields, by their internal names. */
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
