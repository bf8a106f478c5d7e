import { expect, it } from 'vitest';
import { CertificateAuthority } from '../../pki/certificate-authority.ts';
import { deletableFrom } from './cleaner-controller.ts';
import type { SigningRequest } from './signing-request.ts';

const made = '2026-01-01T00:00:00Z';
const decided = '2026-01-02T00:00:00Z';
const hours = (time: string, count: number) => Date.parse(time) + count * 3600_000 + 1;
const condition = (type: string, lastUpdateTime?: string) => ({
  type,
  status: 'True',
  ...(lastUpdateTime && { lastUpdateTime }),
});
const certificate = Buffer.from(CertificateAuthority.create(new Date()).pair.cert).toString('base64');
const shortLived = Buffer.from(
  CertificateAuthority.create(new Date(Date.parse(decided) - 3650 * 86_400_000 + 60_000)).pair.cert,
).toString('base64');

it.each<[string, SigningRequest['status'], number | undefined]>([
  ['waiting', undefined, hours(made, 24)],
  ['waiting, with an empty list', { conditions: [] }, hours(made, 24)],
  ['denied', { conditions: [condition('Denied', decided)] }, hours(decided, 1)],
  ['failed', { conditions: [condition('Approved', decided), condition('Failed', made)] }, hours(made, 1)],
  ['approved, but not issued', { conditions: [condition('Approved', decided)] }, hours(decided, 24)],
  ['issued', { conditions: [condition('Approved', decided)], certificate }, hours(decided, 1)],
  [
    'issued and expired',
    { conditions: [condition('Approved', decided)], certificate: shortLived },
    Date.parse(decided) + 60_001,
  ],
  [
    'issued, with an odd certificate',
    { conditions: [condition('Approved', decided)], certificate: 'eA==' },
    hours(decided, 1),
  ],
  ['something else', { conditions: [condition('Ours', decided)] }, undefined],
  ['denied at an unknown time', { conditions: [condition('Denied')] }, undefined],
])('computes when a request is %s', (_what, status, due) => {
  const spec = { request: '', signerName: 'example.com/own' };
  const request: SigningRequest = {
    metadata: { name: 'a', creationTimestamp: made },
    spec,
    ...(status && { status }),
  };
  expect(deletableFrom(request)).toBe(due);
});
