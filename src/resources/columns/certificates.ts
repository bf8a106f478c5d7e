import { humanDuration } from '../../meta/human-duration.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import type { CertificateSigningRequest } from '../certificates/certificate-signing-request-types.ts';
import type { PodCertificateRequest } from '../certificates/pod-certificate-request-types.ts';
import { age } from './ages.ts';
import {
  certificateSigningRequestDefinitions,
  clusterTrustBundleDefinitions,
  podCertificateRequestDefinitions,
} from './definitions/certificates.ts';
import { labelsText } from './label-texts.ts';

const certificateSigningRequest: TableColumns = {
  definitions: certificateSigningRequestDefinitions,
  cells(object, now) {
    const { metadata, spec } = object as CertificateSigningRequest;
    return [
      metadata.name ?? '',
      age(object, now),
      spec?.signerName || '<none>',
      spec?.username ?? '',
      spec?.expirationSeconds === undefined ? '<none>' : humanDuration(spec.expirationSeconds * 1000),
      conditionText(object),
    ];
  },
};

function conditionText({ status }: CertificateSigningRequest): string {
  const has = (wanted: string): boolean => status?.conditions?.some(({ type }) => type === wanted) ?? false;
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  return `${decision}${has('Failed') ? ',Failed' : ''}${status?.certificate ? ',Issued' : ''}`;
}

const clusterTrustBundle: TableColumns = {
  definitions: clusterTrustBundleDefinitions,
  cells(object) {
    const { metadata, spec } = object as CertificateSigningRequest;
    return [metadata.name ?? '', spec?.signerName || '<none>'];
  },
};

const podCertificateRequest: TableColumns = {
  definitions: podCertificateRequestDefinitions,
  cells(object) {
    const { metadata, spec = {}, status } = object as PodCertificateRequest;
    const { podName = '', serviceAccountName = '', nodeName = '', signerName = '' } = spec;
    const types = (status?.conditions ?? []).map(({ type = '' }) => type);
    const state = types.findLast((type) => ['Issued', 'Denied', 'Failed'].includes(type)) ?? 'Pending';
    const annotations = labelsText(spec.unverifiedUserAnnotations);
    return [metadata.name ?? '', podName, serviceAccountName, nodeName, signerName, state, annotations];
  },
};

export const certificatesColumns: ReadonlyMap<string, TableColumns> = new Map([
  ['certificates.k8s.io/CertificateSigningRequest', certificateSigningRequest],
  ['certificates.k8s.io/ClusterTrustBundle', clusterTrustBundle],
  ['certificates.k8s.io/PodCertificateRequest', podCertificateRequest],
]);
