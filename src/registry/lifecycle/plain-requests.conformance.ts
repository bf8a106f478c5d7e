import type { DeleteOptions, ListRequest } from '../resource.ts';

/** A deletion without options. */
export const plainDelete: DeleteOptions = {
  dryRun: false,
  gracePeriodSeconds: undefined,
  orphanDependents: undefined,
  propagationPolicy: undefined,
  preconditions: undefined,
};

/** All objects of all namespaces. */
export const everyObject: ListRequest = {
  namespace: '',
  labelSelector: '',
  fieldSelector: '',
  resourceVersion: '',
  resourceVersionMatch: '',
  limit: 0,
  continueToken: '',
};
