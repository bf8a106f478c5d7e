import { humanDuration } from '../../meta/human-duration.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import { age } from './ages.ts';
import { certificateSigningRequestDefinitions } from './definitions/certificates.ts';

interface SigningRequest extends ResourceObject {
  readonly spec?: {
    readonly signerName?: string;
    readonly username?: string;
    readonly expirationSeconds?: number;
  };
  readonly status?: {
    readonly conditions?: readonly { readonly type?: string }[];
    readonly certificate?: string;
  };
}

const certificateSigningRequest: TableColumns = {
  definitions: certificateSigningRequestDefinitions,
  cells(object, now) {
    const { metadata, spec } = object as SigningRequest;
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

function conditionText({ status }: SigningRequest): string {
  const has = (wanted: string): boolean => status?.conditions?.some(({ type }) => type === wanted) ?? false;
  const verdict = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  return `${verdict}${has('Failed') ? ',Failed' : ''}${status?.certificate ? ',Issued' : ''}`;
}

export const certificatesColumns: ReadonlyMap<string, TableColumns> = new Map([
  ['certificates.k8s.io/CertificateSigningRequest', certificateSigningRequest],
]);
