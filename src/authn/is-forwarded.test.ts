import { describe, expect, it } from 'vitest';
import { isForwarded } from './is-forwarded.ts';

describe('a request with the header', () => {
  it.each([
    'Forwarded',
    'Via',
    'X-Forwarded',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
    'X-Forwarded-Client-Cert',
    'X-Forwarded-User',
    'X_Forwarded_For',
    'Forwarded-For',
    'X-Original-Forwarded-For',
    'X-Original-Host',
    'X-Original-URI',
    'X-Vercel-Forwarded-For',
    'X-Real-IP',
    'X-Real-Port',
    'CF-Connecting-IP',
    'CF-Connecting-IPv6',
    'CF-Pseudo-IPv4',
    'CF-Ray',
    'True-Client-IP',
    'X-Client-IP',
    'Client-IP',
    'X-Cluster-Client-IP',
    'Fastly-Client-IP',
    'Fly-Client-IP',
    'DO-Connecting-IP',
    'X-Appengine-User-IP',
    'X-NF-Client-Connection-IP',
    'WL-Proxy-Client-IP',
    'Proxy-Client-IP',
    'X-ProxyUser-IP',
    'X-Envoy-External-Address',
    'X-Envoy-Peer-Metadata',
    'X-Azure-ClientIP',
    'X-Azure-SocketIP',
    'X-Azure-FDID',
    'X-Remote-Addr',
    'Remote-Addr',
    'X-ARR-SSL',
    'X-Amzn-Trace-Id',
    'X-Amz-Cf-Id',
    'CloudFront-Viewer-Address',
    'Tailscale-User-Login',
    'CDN-Loop',
    'Max-Forwards',
  ])('%s is forwarded', (name) => {
    for (const written of [name, name.toLowerCase()]) {
      expect(isForwarded(['Host', 'localhost', written, '127.0.0.1'])).toBe(true);
      expect(isForwarded([written, '', 'Host', 'localhost'])).toBe(true);
    }
  });

  it.each([
    'Host',
    ':authority',
    ':path',
    'Origin',
    'Referer',
    'Cookie',
    'Authorization',
    'Accept-Encoding',
    'Accept-Language',
    'Content-Type',
    'DNT',
    'If-None-Match',
    'Priority',
    'Sec-CH-UA-Platform',
    'Sec-Fetch-Site',
    'Sec-WebSocket-Protocol',
    'Upgrade-Insecure-Requests',
    'User-Agent',
    'X-Requested-With',
    'X-Keelson-Console',
    'Traceparent',
    'Audit-ID',
    'Kubectl-Command',
    'Impersonate-User',
  ])('%s is not', (name) => {
    // The values say nothing.
    expect(isForwarded([name, 'X-Forwarded-For'])).toBe(false);
  });
});
