import { conditionTexts } from './condition-texts.ts';
import type { TypeTexts } from './type-texts.ts';

export const apiregistrationV1: TypeTexts = {
  APIService: {
    '': 'A group version that is served, here or by another server. Its name is `<version>.<group>`.',
    spec: 'The group version and who serves it.',
    status: 'Whether it is available.',
  },
  APIServiceCondition: {
    '': 'One aspect of the state of an APIService.',
    type: 'Name of the condition: Available.',
    ...conditionTexts,
  },
  APIServiceSpec: {
    '': 'A group version and who serves it.',
    service: 'The service that serves it. Absent: this server does.',
    group: 'The API group.',
    version: 'The version.',
    insecureSkipTLSVerify: 'Do not verify the certificate of the service. Not recommended; use `caBundle`.',
    caBundle: 'CA certificates in PEM, as base64, for the certificate of the service. Default: those of the system.',
    groupPriorityMinimum:
      'Priority of the group, 1 to 20000. Clients prefer higher ones; for a group the highest of its versions counts.',
    versionPriority: 'Priority of the version within its group, 1 to 1000. Higher ones come first.',
  },
  APIServiceStatus: {
    '': 'The state of an APIService.',
    conditions: 'Conditions that describe the state.',
  },
  ServiceReference: {
    '': 'A service that is called over HTTPS.',
    namespace: 'Namespace of the service.',
    name: 'Name of the service.',
    port: 'Port of the service. Default 443.',
  },
};
