import { type ColumnDefinition, column, nameColumn } from '../../../meta/table-columns.ts';
import { ageColumn } from './column.ts';

export const certificateSigningRequestDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  ageColumn,
  column('SignerName', 'The requested signer.'),
  column('Requestor', 'Who made the request.'),
  column('RequestedDuration', 'Requested lifetime of the certificate.'),
  column('Condition', 'Whether it is approved, denied, failed or issued.'),
];

export const clusterTrustBundleDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('SignerName', 'The signer to which the bundle belongs, if any.'),
];

export const podCertificateRequestDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('PodName', 'The pod that gets the certificate.'),
  column('ServiceAccountName', 'The service account under which the pod runs.'),
  column('NodeName', 'The node on which the pod runs.'),
  column('SignerName', 'The requested signer.'),
  column('State', 'Whether the request is pending, issued, denied or failed.'),
  column('UserAnnotations', 'Annotations of the pod for the signer.', { priority: 1 }),
];
