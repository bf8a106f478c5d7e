import type { Status } from './status-error.ts';

/** The result of an action that has no other result. The response adds its code. */
export const successStatus: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' };
