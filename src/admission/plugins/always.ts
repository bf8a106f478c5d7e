import type { AdmissionPlugin } from '../admission-plugin.ts';
import { admissionForbidden } from './admission-forbidden.ts';

const everything = [{ operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'], resources: ['*/*'] }] as const;

/** Has no effect. It exists so that configurations which name it are accepted. */
export const alwaysAdmit: AdmissionPlugin = { name: 'AlwaysAdmit', rules: everything };

/** Rejects everything, for tests of clients. */
export const alwaysDeny: AdmissionPlugin = {
  name: 'AlwaysDeny',
  rules: everything,
  mutate(request) {
    throw admissionForbidden(request, 'admission control is denying all modifications');
  },
};
