import type { AdmissionPlugin } from '../admission-plugin.ts';
import { refused } from './refused.ts';

const everything = [{ operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'], resources: ['*/*'] }] as const;

/** Has no effect. It exists so that configurations which name it are accepted. */
export const alwaysAdmit: AdmissionPlugin = { name: 'AlwaysAdmit', rules: everything };

/** Rejects everything, for tests of clients. */
export const alwaysDeny: AdmissionPlugin = {
  name: 'AlwaysDeny',
  rules: everything,
  mutate(request) {
    throw refused(request, 'admission control is denying all modifications');
  },
};
